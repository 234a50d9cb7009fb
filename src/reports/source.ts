// The source report: annotated source lines.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../analysis/answers/annotate.ts';
import { changedLines, isOldLineIn, mergeListing, oldLinesByPosition, textAt } from '../analysis/answers/compared/old-lines.ts';
import { filesByCost } from '../analysis/answers/hot-lines.ts';
import { displayFile, fileName } from '../analysis/names/names.ts';
import { memo } from '../base/lists.ts';
import { readablePath } from '../base/paths.ts';
import type { TableCell } from '../base/style.ts';
import { formatPercent, plural } from '../base/units.ts';
import { hasMixedSigns } from '../columns/costs.ts';
import { hasCallCosts, type SourceListing, type SourceRow, sourceTable } from '../columns/source.ts';
import { type Event, eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import type { ReportContext } from './report.ts';

/** Lines shown before and after each line with cost, as callgrind_annotate --context does. */
const CONTEXT_LINES = 8;
/** The share of the cost, in percent, that the files of --print source have together. */
const COVERAGE = 99;

interface SourceReportRow extends SourceRow {
  readonly listing: SourceListing;
  /** The heading of the lines that have no gap between them: their file, or the first of them. */
  readonly heading: string;
}

const annotatedRoutine = memo(annotateRoutine, 1);

const UNKNOWN_FILE = /^(\?*|\[unknown\])$/;

/** The files with a name, each with the sum of its lines' self costs without their signs, the largest first. */
const filesOfProgram = memo((analysis: Analysis, { per: _, ...event }: Event) => {
  const named = [...analysis.profile.files.name.keys()].filter((f) => !UNKNOWN_FILE.test(fileName(analysis.profile, f) ?? ''));
  const costOf = ({ line, self }: AnnotatedFile) => line.reduce((sum, _, row) => sum + Math.abs(eventValue(event, self, row)), 0);
  return named
    .map((f) => annotateFile(analysis, f))
    .filter(({ line }) => line.length > 0)
    .map((file) => ({ file, cost: costOf(file) }))
    .sort((a, b) => b.cost - a.cost);
}, 2);

const sumOf = (files: ReturnType<typeof filesOfProgram>): number => files.reduce((sum, { cost }) => sum + cost, 0);

/** The files that have --coverage percent of the cost of all files together, and the others. */
function splitByCoverage({ analysis, event, coverage = COVERAGE }: ReportContext) {
  const files = filesOfProgram(analysis, event);
  const known = sumOf(files);
  let covered = 0;
  const end = files.findIndex(({ cost }) => (covered += cost) * 100 >= known * coverage);
  return { shown: known === 0 ? [] : files.slice(0, end + 1), left: files.slice(end + 1), known };
}

/** The share of code without a file from which it is told. */
const LEAST_SHARE = 0.00005;

/** How much of the cost the files have that are left out, and code without a file. Of differences, only how many files. */
function coverageNotes(context: ReportContext): string[] {
  const { analysis, event, routine, filtered } = context;
  if (routine !== undefined || filtered) return [];
  const { left, known } = splitByCoverage(context);
  const whole = Math.abs(eventValue(event, analysis.totals.total, 0));
  const isWhole = !analysis.before && !event.per && !hasMixedSigns(context);
  const share = (cost: number) => (isWhole ? `: ${formatPercent(cost, whole)}` : '');
  return [
    ...(left.length > 0 ? [`… ${plural(left.length, 'more file')}${share(sumOf(left))} (--coverage 100)`] : []),
    ...(isWhole && whole - known >= whole * LEAST_SHARE ? [`code without a file${share(whole - known)}`] : []),
  ];
}

/** The files to list, costliest first: the files of --routine, those whose name matches --filter, or those of the program. */
function filesToList(context: ReportContext): readonly AnnotatedFile[] {
  const { analysis, routine, event } = context;
  const isWanted = (file: number) => !context.filtered || context.matches(fileName(analysis.profile, file) ?? '');
  if (routine !== undefined) {
    const files = annotatedRoutine(analysis, routine).filter(({ file }) => isWanted(file));
    return filesByCost(files, event, analysis.before && analysis.profile);
  }
  if (!context.filtered) return splitByCoverage(context).shown.map(({ file }) => file);
  const files = [...analysis.profile.files.name.keys()].filter(isWanted);
  const annotated = files.map((f) => annotateFile(analysis, f)).filter((a) => a.line.length > 0);
  return filesByCost(annotated, event);
}

export const source = makeReport<SourceReportRow, Kind>({
  name: 'source',
  title: 'source lines with their costs, of --routine NAME, of files by --filter TEXT, or of files until --coverage',
  requires: ['lines'],
  columns: ['events'],
  summed: 'self',
  table(context) {
    const files = filesToList(context);
    const withChanges = files.some(({ file }) => context.analysis.costing.lineMaps?.(file).change !== undefined);
    return sourceTable<SourceReportRow>((row) => row.listing, { withCalls: hasCallCosts(context, files), withChanges });
  },
  *rows(context) {
    for (const file of filesToList(context)) {
      const name = fileName(context.analysis.profile, file.file);
      const sourceText = name === null ? undefined : context.source(name);
      const lines = typeof sourceText === 'object' ? sourceText.lines : [];
      const before = context.baseSource?.(file.file);
      const baseLines = typeof before === 'object' ? before.lines : [];
      const text = (line: number) => textAt(context.analysis, line, lines, baseLines);
      const map = context.analysis.costing.lineMaps?.(file.file);
      const listing = { file, title: '', text, lineNumberWidth: 4, change: map?.change };
      const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
      const baseLinesAfter = oldLinesByPosition(file.line, map, baseLines);
      const shown = linesToShow(context, file, lines.length, [...baseLinesAfter.keys(), ...changedLines(map, lines.length)]);
      // Between lines with cost of a program, gaps are told.
      const hasGaps = context.routine === undefined && lines.length > 0;
      let [heading, last] = [displayFile(context.analysis.profile, file.file), Number.NaN];
      for (const line of mergeListing(shown, baseLinesAfter)) {
        const isOld = isOldLineIn(context.analysis, line);
        if (hasGaps && !isOld && line > last + 1) heading = `line ${line}`;
        if (!isOld) last = line;
        yield { kind: 'line', line, of: rowOf.get(line) ?? -1, listing, heading };
      }
    }
  },
  *childRows(row) {
    if (row.of >= 0) for (const i of row.listing.file.callsAt[row.of]) yield { ...row, kind: 'call', of: i };
  },
  group: ({ heading }) => heading,
  footer: coverageNotes,
  head: (context) => filesToList(context).flatMap((file) => sourceNotes(context, file)),
});

function sourceNotes(context: ReportContext, annotated: AnnotatedFile): TableCell[] {
  const name = fileName(context.analysis.profile, annotated.file);
  if (name === null) return [];
  const text = context.source(name);
  const message =
    typeof text === 'string' ? `${text}; costs by line follow` : 'the source is newer than the profile; lines may not match';
  return typeof text === 'string' || text.newer ? [{ text: `${readablePath(name)}: ${message}`, own: ['', `: ${message}`] }] : [];
}

/** The lines to show: lines with cost, changed lines, and lines around both. Without source text, only lines with cost. */
function linesToShow(context: ReportContext, annotated: AnnotatedFile, length: number, changed: readonly number[]): number[] {
  const around = context.contextLines ?? CONTEXT_LINES;
  const costed = Array.from(annotated.line).filter((line) => !isOldLineIn(context.analysis, line));
  const out = new Set(costed);
  // With --routine, changes elsewhere in the file are left out.
  const [first, last] = costed.reduce(
    ([low, high], line) => (line > 0 ? [Math.min(low, line), Math.max(high, line)] : [low, high]),
    [Number.POSITIVE_INFINITY, 0],
  );
  const isNearRoutine = (line: number) => context.routine === undefined || (line >= first - around && line <= last + around);
  for (const line of [...costed, ...changed.filter(isNearRoutine)]) {
    if (line === 0) continue;
    for (let k = Math.max(1, line - around); k <= Math.min(length, line + around); k++) out.add(k);
  }
  return [...out].sort((a, b) => a - b);
}
