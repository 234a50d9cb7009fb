// --print: writes a report to standard output.
import { isAbsolute, relative, resolve } from 'node:path';

import { analyse, withSourceTexts } from '../analysis/answers/analyse.ts';
import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import { requestCode } from '../analysis/answers/code-wanted.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { notesOf } from '../analysis/answers/notes.ts';
import { canDistinguishParts, columnKind } from '../analysis/answers/part-columns.ts';
import { inactiveParts } from '../analysis/answers/parts.ts';
import { stepText } from '../analysis/answers/steps/steps.ts';
import { checkLimit, limitLines, limitsJson } from '../analysis/limits/limits.ts';
import { chooseGrouping, rejectUnfitFlags, requireColumns, requireEvent } from '../analysis/profiles/choices.ts';
import { baseFileName, textsOfBothRuns } from '../analysis/profiles/compare/texts.ts';
import { buildShownProfile } from '../analysis/profiles/shown.ts';
import { findHitRoutines } from '../analysis/profiles/transforms/hits.ts';
import { isTagTransform, transformText } from '../analysis/profiles/transforms/transform.ts';
import { replaceMarks } from '../base/ascii.ts';
import { EXIT_LIMIT_EXCEEDED, UsageError } from '../base/errors.ts';
import { getOrMake } from '../base/lists.ts';
import { compileFilter, noSuchText } from '../base/match.ts';
import { baseName, readablePath, withSlashes } from '../base/paths.ts';
import { FormatError, formatProblem } from '../base/problem.ts';
import { type SafeText, safeLines, safeText } from '../base/safe-text.ts';
import { runToEnd } from '../base/slices.ts';
import type { CodeText } from '../base/source-text.ts';
import { plural } from '../base/units.ts';
import { readCode } from '../io/code-text.ts';
import { filesOfRun, resolveWithoutScreen } from '../io/find.ts';
import { toLoadOptions } from '../io/load.ts';
import { repositoryOf } from '../io/sources/git.ts';
import { readBaseSource, readSource, sourceOrReason, sourcePathsOf } from '../io/sources/source-text.ts';
import { loadWithoutScreen } from '../io/start-loading.ts';
import { statOf } from '../io/stat.ts';
import { readCompilerSlices } from '../io/trace-slices.ts';
import { readNotes } from '../io/user/notes.ts';
import { type Profile, questionsOf } from '../model/profile.ts';
import { stringCount } from '../model/strings.ts';
import { annotationText } from '../reports/annotations.ts';
import { reports } from '../reports/index.ts';
import { chooseContext, chooseUnit, refuseUnusedOptions } from '../reports/options.ts';
import type { Report } from '../reports/print.ts';
import type { ReportContext } from '../reports/report.ts';
import { addInlinedCode, baseSourcePathsOf, loadBaseRun } from './comparing.ts';
import { systemLines } from './crash.ts';
import { exporterFor, exportTo, refuseToOverwrite } from './export.ts';
import { MIN_TEXT_WIDTH } from './flag-values.ts';
import type { InputOptions as Options } from './input-options.ts';
import { writeError, writeNotice, writeOutput } from './output.ts';

const DEFAULT_ROWS = 40;
const PIPE_WIDTH = 200;

/** Writes the report of --print (default: the summary; none with only --fail-if), then exceeded limits; returns the exit code. */
export async function printView(options: Options, version: string): Promise<number> {
  const given = chosenReport(options);
  if (given) refuseIgnoredFlags(options, given);
  else if (options.given.has('routine') || options.filter !== '')
    throw new UsageError('--routine and --filter choose rows of --print; a limit of --fail-if names what it is about');
  // A wrong pattern is refused before the profile is read.
  compileFilter(options.filter);
  const paths = resolveWithoutScreen(options.paths);
  const { alone, trusted, grouping } = await loadAnalysis(options, paths, given);
  const report = grouping === undefined ? given : groupingReport(options, given, grouping);
  noteUnmatchedPatterns(options, alone.profile);
  if (options.debug) writeError(safeLines(debugLines(alone, version).join('\n')));
  const limits = options.failIf.map((limit) => checkLimit(limit, alone));
  if (report) {
    refuseUnknownColumns(options, alone, report);
    const sources = sourceReaders(options, alone);
    // Limits are about the recorded units, as is JSON.
    const { analysis: inUnit, timeUnit } = chooseUnit(alone, report.name, options.unit);
    const analysis = inUnit.before
      ? withSourceTexts(inUnit, textsOfBothRuns(inUnit, sources.source, sources.before, trusted))
      : inUnit;
    const json = limits.length > 0 ? limitsJson(limits) : undefined;
    const context = { ...(await reportContextOf(options, analysis, sources)), grouping, limits: json, timeUnit };
    if (context.filtered && report.forms.has('jsonl') && [...report.records({ ...context, limit: 1 })].length === 0)
      writeNotice(`--filter ${options.filter}: no row of ${report.name} matches`);
    await writeReport(report, context, options, version);
    const isRead = options.form === 'text' || options.form === 'markdown';
    if (paths.length === 1 && process.stdout.isTTY === undefined && isRead) hintAtOtherRunFiles(paths[0]);
  }
  for (const line of limitLines(limits)) writeError(safeLines(line));
  if (reportCut(alone)) return 1;
  return limits.some(({ exceeded }) => exceeded) ? EXIT_LIMIT_EXCEEDED : 0;
}

/** The system, and the format and the sizes of the profile for a bug report; no names. */
function debugLines({ profile, costing }: Analysis, version: string): string[] {
  const { routines, files, objects, strings, parts, events, warnings, paths } = profile;
  const counts = Object.entries({
    ...{ bytes: paths.reduce((sum, path) => sum + (statOf(path)?.size ?? 0), 0), files: paths.length, parts: parts.length },
    ...{ events: events.length, routines: routines.name.length, sourceFiles: files.name.length, objects: objects.name.length },
    ...{ strings: stringCount(strings), warnings: warnings.length, ...costing.counts },
  });
  const sizes = counts.map(([name, count]) => `${name} ${count}`).join(', ');
  return [...systemLines(version), `${profile.format}, ${profile.kind}: ${sizes}${profile.cut ? ', cut off' : ''}`];
}

/** Writes to standard error which patterns of --focus, --ignore and the like match no routine, file or object. */
function noteUnmatchedPatterns({ transforms }: Options, { transformed }: Profile): void {
  if (!transformed) return;
  for (const transform of transforms) {
    if (!('pattern' in transform) || isTagTransform(transform.word) || /^(line|path):/.test(transform.pattern)) continue;
    const hits = runToEnd(findHitRoutines(transformed.from, transform.pattern, transform.word === 'prune-from'));
    if (!hits.includes(1)) writeNotice(`${transformText(transform)}: matches no routine, file or object`);
  }
}

/** Writes to standard error if a file is truncated. It fails even within its limits: the missing part may exceed them. */
function reportCut({ profile, before }: Analysis): boolean {
  const cut = profile.cut ?? before?.profile.cut;
  if (cut) writeError(formatProblem(cut));
  return cut !== undefined;
}

/** Writes the export of --export or -o. Returns the exit code. */
export async function printExport(options: Options, version: string): Promise<number> {
  const exporter = exporterFor(options);
  if (options.routine !== undefined && !exporter.ofRoutine)
    throw new UsageError(`--routine does not go with --export ${exporter.name}: use --focus to narrow the export`);
  const { alone } = await loadAnalysis(options, resolveWithoutScreen(options.paths), undefined);
  const { profile } = alone;
  if (options.threshold !== undefined && !exporter.ofRoutine && (profile.kind !== 'callgraph' || exporter.whole))
    throw new UsageError(`--threshold: --export ${exporter.name} is exact and leaves nothing out`);
  const context = await reportContextOf({ ...options, filter: '' }, alone, sourceReaders(options, alone));
  refuseToOverwrite(options, profile, alone.before?.profile);
  await exportTo(exporter, { ...context, limit: Number.POSITIVE_INFINITY }, options.output, version);
  return reportCut(alone) ? 1 : 0;
}

/** The report to write; undefined if only --fail-if is given. */
function chosenReport({ print: name = 'summary', given, failIf }: Options): Report | undefined {
  if (failIf.length > 0 && !given.has('print')) return undefined;
  const report = reports.find((r) => r.name === name);
  if (!report) {
    const names = reports.map((r) => r.name);
    throw new UsageError(`--print ${name}: ${noSuchText('view', name, names)}`);
  }
  return report;
}

/** The report of groups, for the report of routines. Throws UsageError for other reports, which have no groups. */
function groupingReport(options: Options, { name = 'nothing' }: Partial<Report> = {}, grouping: string): Report {
  const report = reports.find((r) => r.name === 'groups');
  if (!report || !['routines', 'groups'].includes(name))
    throw new UsageError(`--by ${grouping} groups routines: --print routines; ${name} has no such groups`);
  refuseIgnoredFlags(options, report);
  return report;
}

/** Loads the profile and its base. Throws FormatError if they lack data that the report needs. */
async function loadAnalysis(options: Options, paths: readonly string[], report: Report | undefined) {
  // --log is of this build, not of the base.
  const load = async (files: readonly string[], log?: string) =>
    addInlinedCode(await loadWithoutScreen(files, { ...toLoadOptions(options), log }), options);
  const loaded = await load(paths, options.log);
  if (loaded.kind === 'stacks' && options.given.has('by') && (report?.name === 'labels' || report?.name === 'snapshots'))
    throw new UsageError(`--by regroups routines, and ${report.name} has none`);
  const by = chooseGrouping(loaded, options.granularity, report?.name === 'groups');
  rejectUnfitFlags(loaded, options.given);
  const versus = await loadBaseRun(options, paths, (files) => load(files));
  const profile = buildShownProfile(loaded, { ...options, granularity: by.granularity, versus });
  for (const of of [profile, ...(profile.compared ? [profile.compared.before] : [])]) {
    const answers = questionsOf(of);
    const missing = report?.requires.find((t) => !answers.has(t));
    const option = of.lacks?.find((l) => l.table === missing)?.option;
    if (report && missing && of.transformed && questionsOf(of.transformed.from).has(missing))
      throw new UsageError(
        `--print ${report.name}: it needs ${missing}, which a profile does not have once it is cut to ${of.transformed.applied.join(', ')}`,
      );
    if (report && missing)
      throw new FormatError({
        path: (of === profile ? paths : of.paths)[0] ?? '',
        expected: `a profile with ${missing} for --print ${report.name}`,
        found: `a ${of.format} profile, which has none`,
        ...(option === undefined ? {} : { hint: `record it with ${option}` }),
      });
  }
  if (options.parts !== undefined && !canDistinguishParts(profile))
    throw new UsageError(
      `--parts: the base has ${plural(profile.compared?.before.parts.length ?? 0, 'part')}, this run ${profile.parts.length}`,
    );
  return {
    alone: analyse(profile, allEvents(profile.events, options.derive), inactiveParts(profile, options.parts)),
    trusted: versus?.trusted ?? false,
    grouping: by.grouping,
  };
}

async function writeReport(report: Report, context: ReportContext, options: Options, version: string): Promise<void> {
  const { form, ascii, annotate } = options;
  if (annotate !== undefined)
    return writeOutput(annotationText(annotate, context, version, makePathInRepository(context.source)));
  const outputForm = form === 'text' && report.isArray ? 'json' : form;
  const writeText = outputForm === 'text' && ascii ? (text: SafeText) => writeOutput(safeLines(replaceMarks(text))) : writeOutput;
  await report.write(outputForm, context, version, writeText);
}

/** A function from a file of the profile to its path in the repository around the current folder; unchanged if it is not in there. */
function makePathInRepository(source: ReportContext['source']): (file: string) => string {
  const root = repositoryOf(process.cwd()) ?? process.cwd();
  return (file) => {
    const found = source(file);
    const path = typeof found === 'string' ? '..' : relative(root, resolve(found.path));
    return path.startsWith('..') || isAbsolute(path) ? readablePath(file) : withSlashes(path);
  };
}

const DATA = 'json jsonl csv tsv';
const TABLES = `text markdown ${DATA}`;
/** The forms that use a flag, or a flag of one report; the others refuse it. */
const FORMS_OF_FLAGS: Readonly<Record<string, string>> = {
  ...{ width: 'text', 'csv-safe': 'csv', run: 'jsonl', notes: DATA, unit: 'text markdown csv tsv', at: 'text markdown json' },
  ...{ cluster: 'text markdown svg', columns: TABLES, limit: `quickfix ${TABLES}`, 'limit flame': `svg ${TABLES}` },
  ...{ 'limit curve': DATA, 'limit compared curve': TABLES, 'base gantt': TABLES, 'sort gantt': TABLES },
  'parts snapshots': 'text markdown json',
  ...Object.fromEntries(['waterfall', 'load', 'narrow', 'whatif'].map((name) => [`base ${name}`, 'text markdown json'])),
};

function refuseIgnoredFlags(options: Options, report: Report): void {
  const { base, filter, form, given, disassemble, annotate } = options;
  const { name, isArray, forms, uncut } = report;
  refuseUnusedOptions(report, given, filter, base.length > 0);
  if (given.has('syntax') && !disassemble) throw new UsageError('--syntax goes with --disassemble');
  if (['csv', 'tsv', 'jsonl'].includes(form) && !forms.has(form) && !uncut)
    throw new UsageError(`--${form}: ${name} has no rows of one kind; --json has all of it`);
  const able = reports.flatMap((r) => (r.forms.has(form) ? [r.name] : [])).join(', ');
  if (form === 'quickfix' && !forms.has(form)) throw new UsageError(`--quickfix: ${name} has no lines to go to; ${able} have`);
  if (form === 'svg' && !forms.has(form)) throw new UsageError(`--svg: ${name} cannot be drawn; views that can: ${able}`);
  if (form === 'markdown' && !forms.has(form))
    throw new UsageError(
      `--markdown: ${name} is ${isArray ? 'a JSON array; --csv may have rows' : 'text that another tool reads'}`,
    );
  const cut = ['limit', 'width'].find((flag) => given.has(flag));
  if (uncut && cut) throw new UsageError(`--${cut}: ${name} is one text and never cut; --threshold leaves out small costs`);
  const written = annotate === undefined ? (form === 'text' && isArray ? 'json' : form) : 'annotate';
  for (const flag of given) {
    const compared = base.length > 0 ? FORMS_OF_FLAGS[`${flag} compared ${name}`] : undefined;
    const used = compared ?? FORMS_OF_FLAGS[`${flag} ${name}`] ?? FORMS_OF_FLAGS[flag];
    if (used !== undefined && !used.split(' ').includes(written))
      throw new UsageError(`--${flag} is for ${used.replaceAll(' ', ', ')}; ${name} is written as ${written}`);
  }
}

function refuseUnknownColumns({ columns, event }: Options, analysis: Analysis, { name, columns: can, requires }: Report): void {
  const ofLines = requires.includes('lines') || requires.includes('instrs');
  if (ofLines && analysis.events.some((e) => e.name === event && e.per === 'calls'))
    throw new UsageError(`--event ${event}: a cost per call of a routine; the lines of ${name} are not called`);
  const wrong = requireColumns(analysis, columns).find((column) => !can.includes(columnKind(analysis, column)));
  if (wrong === undefined) return;
  const views = reports.filter((r) => r.columns.includes(columnKind(analysis, wrong))).map((r) => r.name);
  throw new UsageError(`--columns ${wrong}: ${name} has no such column; views that have: ${views.join(', ')}`);
}

function hintAtOtherRunFiles(path: string): void {
  const run = filesOfRun(path);
  if (run.length > 1)
    writeError(safeText`hint: this run has ${run.length} files; to merge them, name them all: ${run.join(' ')}`);
}

type Sources = ReturnType<typeof sourceReaders>;

/** Functions that read the source files of this run and of the base, each file once. */
function sourceReaders(options: Options, analysis: Analysis) {
  const sourcePaths = sourcePathsOf(options, analysis.profile);
  const base = analysis.before && baseSourcePathsOf(options, analysis.profile, analysis.before.profile);
  const readOnce = (read: (file: string) => ReturnType<typeof sourceOrReason>) => {
    const known = new Map<string, ReturnType<typeof sourceOrReason>>();
    return (file: string) => getOrMake(known, file, read);
  };
  return {
    source: readOnce((file) => sourceOrReason(readSource(file, sourcePaths))),
    before: readOnce((file) => (base ? sourceOrReason(readBaseSource(file, base)) : 'there is no base')),
  };
}

async function reportContextOf(options: Options, analysis: Analysis, sources: Sources): Promise<ReportContext> {
  const { source, before } = sources;
  const context = chooseContext(analysis, options.print ?? '', options);
  const { routine, routines } = context;
  const chosen = requireEvent(analysis, options.event);
  if (options.disassemble && routines) throw new UsageError(`--routine ${options.routine}: --disassemble takes one routine`);
  const code = options.disassemble && routine !== undefined ? await readInstructionText(options, analysis, routine) : undefined;
  return {
    ...context,
    extraEvents: options.columns.flatMap((name) => {
      const extra = analysis.events.find((e) => e.name === name && e !== chosen);
      return extra ? [eventInMeasure(analysis, extra, options.measure)] : [];
    }),
    extraParts: requireColumns(analysis, options.columns),
    names: 'fit',
    width: lineWidthOf(options),
    ...(options.notes ? { notes: notesOf(readNotes(analysis.profile.paths)) } : {}),
    limit: options.limit ?? defaultLimit(options),
    ...{ byContext: options.contexts, predictedSize: options.at, ascii: options.ascii, csvSafe: options.csvSafe, code, source },
    run: options.run ?? baseName(analysis.profile.paths[0] ?? ''),
    slicesOf(step) {
      const path = isOfKind(analysis, 'steps') ? stepText(analysis.profile, 'trace', step) : null;
      return path === null ? [] : readCompilerSlices(path);
    },
    baseSource(file) {
      const name = baseFileName(analysis, file);
      return name === null ? undefined : before(name);
    },
  };
}

/** Width of a line in cells; unlimited for Markdown. */
function lineWidthOf({ form, width }: Options): number {
  if (form === 'markdown') return Number.POSITIVE_INFINITY;
  return width ?? Math.max(MIN_TEXT_WIDTH, process.stdout.columns ?? PIPE_WIDTH);
}

/** The row limit without --limit: 40 rows in forms for people, all rows in data. */
function defaultLimit({ form, print: name, routine, filter }: Options): number {
  // The files of a program are limited by --coverage.
  if (name === 'source' && routine === undefined && filter.trim() === '') return Number.POSITIVE_INFINITY;
  const isArray = reports.find((r) => r.name === name)?.isArray;
  return form === 'markdown' || form === 'quickfix' || (form === 'text' && !isArray) ? DEFAULT_ROWS : Number.POSITIVE_INFINITY;
}

/** Reads a routine's disassembly. If it is missing or may be wrong, writes the reason to standard error. */
async function readInstructionText(options: Options, analysis: Analysis, routine: number): Promise<CodeText | undefined> {
  if (!analysis.costing.can.has('instrs')) return undefined;
  const wanted = requestCode(analysis, routine);
  const paths = sourcePathsOf(options, analysis.profile);
  const code = typeof wanted === 'string' ? wanted : await readCode(wanted, paths, options.symbols, true, options.syntax);
  const message = typeof code === 'string' ? code : code.doubt;
  if (message !== undefined) writeNotice(message);
  return typeof code === 'string' ? undefined : code;
}
