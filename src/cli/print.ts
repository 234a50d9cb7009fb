// --print: a view of a profile on standard output.

import { analyse, withTexts } from '../analysis/answers/analyse.ts';
import { type Analysis, openingEvent } from '../analysis/answers/analysis.ts';
import { codeWanted } from '../analysis/answers/code-wanted.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { allEvents } from '../analysis/answers/events.ts';
import { notesOf } from '../analysis/answers/notes.ts';
import { columnSort, sameParts } from '../analysis/answers/part-columns.ts';
import { partsOff } from '../analysis/answers/parts.ts';
import { baseName } from '../analysis/names/names.ts';
import { chosenColumns, chosenEvent, chosenGrain, chosenRoutine, refuseUnfit } from '../analysis/profiles/choices.ts';
import { baseFileName, textsOf } from '../analysis/profiles/compare/texts.ts';
import { shownProfile } from '../analysis/profiles/shown.ts';
import { asciiMarks } from '../base/ascii.ts';
import type { CodeText } from '../base/code-text.ts';
import { UsageError } from '../base/errors.ts';
import { getOrMake } from '../base/lists.ts';
import { compileFilter } from '../base/match.ts';
import { FormatError, formatProblem } from '../base/problem.ts';
import { type SafeText, safeLines, safeText } from '../base/safe-text.ts';
import { plural } from '../base/units.ts';
import { readCode } from '../io/code-text.ts';
import { filesOfRun, resolveWithoutScreen } from '../io/find.ts';
import { loadOptions } from '../io/load.ts';
import { readBaseSource } from '../io/sources/base-source.ts';
import { programsOf, readSource, shownSource } from '../io/sources/source-text.ts';
import { loadWithoutKeys } from '../io/start-loading.ts';
import { readNotes } from '../io/user/notes.ts';
import { questionsOf } from '../model/kinds.ts';
import { reports } from '../reports/index.ts';
import type { Report } from '../reports/print.ts';
import { matchesIn, type ReportContext } from '../reports/report.ts';
import { basePlacesOf, loadVersus, withInlines } from './comparing.ts';
import { exporterFor, exportTo } from './export.ts';
import { NARROWEST } from './flag-values.ts';
import type { Opened as Options } from './input-options.ts';
import { checkLimits } from './limits.ts';
import { complainOf, tell, write } from './output.ts';

const READABLE_LIMIT = 40;
const PIPE_WIDTH = 200;

/**
 * Writes the view that --print names, the summary if it names none, and what is beyond the limits of --fail-if; where only these are given,
 * no view. Returns the exit code.
 */
export async function print(options: Options, version: string): Promise<number> {
  const report = reportOf(options);
  if (report) refuseIgnored(options, report);
  const matcher = compileFilter(options.filter);
  const paths = resolveWithoutScreen(options.paths);
  const { alone, trusted } = await loadAnalysis(options, paths, report);
  const { profile } = alone;
  const limits = checkLimits(options.failIf, alone);
  if (report) {
    refuseColumns(options, alone, report);
    const sources = sourcesOf(options, alone);
    const analysis = alone.before ? withTexts(alone, textsOf(alone, sources.source, sources.before, trusted)) : alone;
    const context = await contextOf(options, analysis, matchesIn(profile, matcher), sources);
    await writeView(report, { ...context, limits: limits.json }, options, version);
    const isRead = options.form === 'text' || options.form === 'markdown';
    if (paths.length === 1 && process.stdout.isTTY === undefined && isRead) hintSiblings(paths[0]);
  }
  for (const line of limits.lines) tell(safeLines(line));
  // A file that was cut off may have had anything else.
  const cut = profile.cut ?? alone.before?.profile.cut;
  if (!cut) return limits.code;
  tell(formatProblem(cut));
  return 1;
}

/** Writes what --export names. Returns the exit code. */
export async function printExport(options: Options, version: string): Promise<number> {
  const exporter = exporterFor(options);
  if (options.routine !== undefined && !exporter.ofRoutine)
    throw new UsageError(`--routine does not go with --export ${exporter.name}: use --focus to narrow the export`);
  const paths = resolveWithoutScreen(options.paths);
  const { alone } = await loadAnalysis(options, paths, undefined);
  const { profile } = alone;
  if (options.threshold !== undefined && !exporter.ofRoutine && (profile.kind !== 'callgraph' || exporter.whole))
    throw new UsageError(`--threshold: --export ${exporter.name} is exact and leaves nothing out`);
  const context = await contextOf(options, alone, () => true, sourcesOf(options, alone));
  await exportTo(exporter, { ...context, limit: Number.POSITIVE_INFINITY }, options.output, version);
  const cut = profile.cut ?? alone.before?.profile.cut;
  if (!cut) return 0;
  tell(formatProblem(cut));
  return 1;
}

/** The view to write; undefined for limits alone. */
function reportOf({ print: name = 'summary', given, failIf }: Options): Report | undefined {
  if (failIf.length > 0 && !given.has('print')) return undefined;
  const report = reports.find((r) => r.name === name);
  if (!report) throw new UsageError(`--print ${name}: no such view; there are ${reports.map((r) => r.name).join(', ')}`);
  return report;
}

/** Reads the profile and its base; throws FormatError if they lack what the view needs. */
async function loadAnalysis(options: Options, paths: readonly string[], report: Report | undefined) {
  const load = async (files: readonly string[]) => withInlines(await loadWithoutKeys(files, loadOptions(options)), options);
  const loaded = await load(paths);
  chosenGrain(loaded, options.granularity.grain);
  refuseUnfit(loaded, options.given);
  const versus = await loadVersus(options, paths, load);
  const profile = shownProfile(loaded, {
    granularity: options.granularity,
    transforms: options.transforms,
    own: options.own,
    versus,
  });
  for (const { profile: of, path } of [
    { profile, path: paths[0] },
    ...(profile.compared ? [{ profile: profile.compared.before, path: profile.compared.before.paths[0] ?? '' }] : []),
  ]) {
    const answers = questionsOf(of);
    const missing = report?.asks.find((t) => !answers.has(t));
    const option = of.lacks?.find((l) => l.table === missing)?.option;
    if (report && missing && of.transformed && questionsOf(of.transformed.from).has(missing))
      throw new UsageError(
        `--print ${report.name}: it needs ${missing}, which a profile does not have once it is cut to ${of.transformed.applied.join(', ')}`,
      );
    if (report && missing)
      throw new FormatError({
        path,
        expected: `a profile with ${missing} for --print ${report.name}`,
        found: `a ${of.format} profile, which has none`,
        ...(option === undefined ? {} : { hint: `record it with ${option}` }),
      });
  }
  if (options.parts !== undefined && !sameParts(profile))
    throw new UsageError(
      `--parts: the base has ${plural(profile.compared?.before.parts.length ?? 0, 'part')}, this run ${profile.parts.length}`,
    );
  const off = partsOff(profile, options.parts);
  return { alone: analyse(profile, allEvents(profile.events, options.derive), off), trusted: versus?.trusted ?? false };
}

async function writeView(report: Report, context: ReportContext, { form, ascii }: Options, version: string): Promise<void> {
  const own = form === 'text' && report.array ? 'json' : form;
  const put = own === 'text' && ascii ? (text: SafeText) => write(safeLines(asciiMarks(text))) : write;
  await report.write(own, context, version, put);
}

/** Throws UsageError for flags that the view would ignore. */
function refuseIgnored(
  { sort, base, csvSafe, form, width, limit, run, notes }: Options,
  { name, sorts, compares, array, forms, uncut }: Report,
): void {
  if (notes && (name !== 'routines' || !['json', 'jsonl', 'csv', 'tsv'].includes(form)))
    throw new UsageError('--notes goes with --print routines, as JSON, CSV or TSV');
  if (run !== undefined && form !== 'jsonl') throw new UsageError('--run goes with --jsonl');
  if (form === 'quickfix' && !forms.has(form))
    throw new UsageError(`--quickfix: ${name} has no lines to go to; --print lines has`);
  if (csvSafe && form !== 'csv') throw new UsageError('--csv-safe goes with --csv');
  if (form === 'svg' && !forms.has(form)) {
    const drawn = reports.flatMap((r) => (r.forms.has('svg') ? [r.name] : []));
    throw new UsageError(`--svg: ${name} cannot be drawn; views that can: ${drawn.join(', ')}`);
  }
  if (form === 'markdown' && !forms.has(form))
    throw new UsageError(
      array
        ? `--markdown: ${name} is a JSON array, as other tools read it; --csv and --tsv have its rows, too`
        : `--markdown: ${name} is text that another tool reads`,
    );
  if (form === 'markdown' && width !== undefined) throw new UsageError('--width is for text: --markdown cuts nothing');
  if (sort && sorts.length === 0) throw new UsageError(`--sort: the rows of ${name} are in an order of their own`);
  if (base.length > 0 && !compares) throw new UsageError(`--base: the form of ${name} cannot hold two runs`);
  const cuts = limit === undefined ? (width === undefined ? undefined : 'width') : 'limit';
  if (uncut && cuts) throw new UsageError(`--${cuts}: ${name} is one text and never cut; --threshold leaves out small costs`);
}

/** The same for columns that the view does not have. */
function refuseColumns({ columns }: Options, analysis: Analysis, { name, columns: can }: Report): void {
  const wrong = chosenColumns(analysis, columns).find((column) => !can.includes(columnSort(analysis, column)));
  if (wrong === undefined) return;
  const views = reports.filter((r) => r.columns.includes(columnSort(analysis, wrong))).map((r) => r.name);
  throw new UsageError(`--columns ${wrong}: ${name} has no such column; views that have: ${views.join(', ')}`);
}

function hintSiblings(path: string): void {
  const run = filesOfRun(path);
  if (run.length > 1) tell(safeText`hint: this run has ${run.length} files; to merge them, name them all: ${run.join(' ')}`);
}

/** Reads sources of this run and of the base, each once. */
function sourcesOf(options: Options, analysis: Analysis) {
  const places = placesOf(options, analysis);
  const base = analysis.before && basePlacesOf(options, analysis.profile, analysis.before.profile);
  const once = (read: (file: string) => ReturnType<typeof shownSource>) => {
    const known = new Map<string, ReturnType<typeof shownSource>>();
    return (file: string) => getOrMake(known, file, read);
  };
  return {
    source: once((file) => shownSource(readSource(file, places))),
    before: once((file) => (base ? shownSource(readBaseSource(file, base)) : 'there is no base')),
  };
}

async function contextOf(
  options: Options,
  analysis: Analysis,
  matches: ReportContext['matches'],
  { source, before }: ReturnType<typeof sourcesOf>,
): Promise<ReportContext> {
  const chosen = options.event === undefined ? openingEvent(analysis) : chosenEvent(analysis.events, options.event);
  const event = measured(analysis, chosen, options.measure);
  const routine = options.routine === undefined ? undefined : chosenRoutine(analysis.profile, options.routine);
  const code = options.disassemble && routine !== undefined ? await codeOf(options, analysis, routine) : undefined;
  return {
    analysis,
    event,
    extraEvents: options.columns.flatMap((name) => {
      const extra = analysis.events.find((e) => e.name === name && e !== chosen);
      return extra ? [measured(analysis, extra, options.measure)] : [];
    }),
    extraParts: chosenColumns(analysis, options.columns),
    percent: 'total',
    names: 'fit',
    width: widthOf(options),
    favourites: new Set(),
    ...(options.notes ? { notes: notesOf(readNotes(analysis.profile.paths)) } : {}),
    medium: 'text',
    sort: options.sort,
    limit: options.limit ?? usualLimit(options),
    matches,
    filtered: options.filter.trim() !== '',
    routine,
    inverted: options.inverted,
    threshold: options.threshold,
    byContext: options.contexts,
    at: options.at,
    ascii: options.ascii,
    csvSafe: options.csvSafe,
    run: options.run ?? baseName(analysis.profile.paths[0] ?? ''),
    base: analysis.before,
    instrText: () => code,
    source,
    baseSource(file) {
      const name = baseFileName(analysis, file);
      return name === null ? undefined : before(name);
    },
  };
}

/** Cells of a line; Markdown has none. */
function widthOf({ form, width }: Options): number {
  if (form === 'markdown') return Number.POSITIVE_INFINITY;
  return width ?? Math.max(NARROWEST, process.stdout.columns ?? PIPE_WIDTH);
}

/** People read so many rows; machines read all. */
function usualLimit({ form, print: name }: Options): number {
  const isArray = reports.find((r) => r.name === name)?.array;
  return form === 'markdown' || form === 'quickfix' || (form === 'text' && !isArray) ? READABLE_LIMIT : Number.POSITIVE_INFINITY;
}

const placesOf = (options: Options, { profile }: Analysis) => ({
  dirs: options.sourceDirs,
  maps: options.pathMaps,
  profiles: profile.paths,
  programs: programsOf(profile, options.symbols),
});

/** The text of the routine's instructions; why there is none, or why it may be wrong, goes to standard error. */
async function codeOf(options: Options, analysis: Analysis, routine: number): Promise<CodeText | undefined> {
  if (!analysis.costing.can.has('instrs')) return undefined;
  const wanted = codeWanted(analysis, routine);
  const code = typeof wanted === 'string' ? wanted : await readCode(wanted, placesOf(options, analysis), options.symbols, true);
  const said = typeof code === 'string' ? code : code.doubt;
  if (said !== undefined) complainOf(said);
  return typeof code === 'string' ? undefined : code;
}
