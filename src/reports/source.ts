// The source report: annotated source lines.
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../analysis/answers/annotate.ts';
import {
  changedLines,
  isOldLineIn,
  mergeListing,
  oldLinesByPosition,
  ownLineNumber,
} from '../analysis/answers/compared/old-lines.ts';
import { filesByCost } from '../analysis/answers/hot-lines.ts';
import { displayFile, fileName } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import { readablePath } from '../base/paths.ts';
import type { TableCell } from '../base/style.ts';
import { hasCallCosts, type SourceListing, type SourceRow, sourceTable } from '../columns/source.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { type ReportContext, ReportError } from './report.ts';

/** Lines shown before and after each line with cost, as callgrind_annotate --context does. */
const CONTEXT_LINES = 8;

interface SourceReportRow extends SourceRow {
  readonly listing: SourceListing;
}

const annotatedRoutine = memo(annotateRoutine, 1);

/** The files to list, costliest first: the files of --routine, or those whose name matches --filter. */
function filesToList(context: ReportContext): readonly AnnotatedFile[] {
  const { analysis, routine, event } = context;
  const isWanted = (file: number) => !context.filtered || context.matches(fileName(analysis.profile, file) ?? '');
  if (routine !== undefined) {
    const files = annotatedRoutine(analysis, routine).filter(({ file }) => isWanted(file));
    return filesByCost(files, event, analysis.before && analysis.profile);
  }
  if (!context.filtered) throw new ReportError('--print source needs --routine NAME, or --filter TEXT for files');
  const files = [...analysis.profile.files.name.keys()].filter(isWanted);
  const annotated = files.map((f) => annotateFile(analysis, f)).filter((a) => a.line.length > 0);
  return filesByCost(annotated, event);
}

export const source = makeReport<SourceReportRow, Kind>({
  name: 'source',
  title: 'source lines with their costs, for --routine NAME or files by --filter TEXT',
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
      const text = (line: number) =>
        isOldLineIn(context.analysis, line) ? baseLines[ownLineNumber(context.analysis, line) - 1] : lines[line - 1];
      const map = context.analysis.costing.lineMaps?.(file.file);
      const listing = { file, title: '', text, lineNumberWidth: 4, change: map?.change };
      const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
      const baseLinesAfter = oldLinesByPosition(file.line, map, baseLines);
      const shown = linesToShow(context, file, lines.length, [...baseLinesAfter.keys(), ...changedLines(map, lines.length)]);
      for (const line of mergeListing(shown, baseLinesAfter)) yield { kind: 'line', line, of: rowOf.get(line) ?? -1, listing };
    }
  },
  *childRows({ listing, line, of }) {
    if (of >= 0) for (const i of listing.file.callsAt[of]) yield { kind: 'call', line, of: i, listing };
  },
  group: (row, context) => displayFile(context.analysis.profile, row.listing.file.file),
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
  const costed = Array.from(annotated.line).filter((line) => !isOldLineIn(context.analysis, line));
  const out = new Set(costed);
  // With --routine, changes elsewhere in the file are left out.
  const [first, last] = costed.reduce(
    ([low, high], line) => (line > 0 ? [Math.min(low, line), Math.max(high, line)] : [low, high]),
    [Number.POSITIVE_INFINITY, 0],
  );
  const isNearRoutine = (line: number) =>
    context.routine === undefined || (line >= first - CONTEXT_LINES && line <= last + CONTEXT_LINES);
  for (const line of [...costed, ...changed.filter(isNearRoutine)]) {
    if (line === 0) continue;
    for (let k = Math.max(1, line - CONTEXT_LINES); k <= Math.min(length, line + CONTEXT_LINES); k++) out.add(k);
  }
  return [...out].sort((a, b) => a - b);
}
