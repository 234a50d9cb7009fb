// The source report: annotated source lines.
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../analysis/answers/annotate.ts';
import { changedLines, inOrderOfBoth, isOldIn, numberIn, oldLinesBehind } from '../analysis/answers/compared/old-lines.ts';
import { filesByCost } from '../analysis/answers/hot-lines.ts';
import { fileName, shownFile } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import { shownPath } from '../base/paths.ts';
import type { Cell } from '../base/style.ts';
import { callsIn, type SourceListing, type SourceRow, sourceTable } from '../columns/source.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import { type ReportContext, ReportError } from './report.ts';

/** Lines shown around those that cost something, as callgrind_annotate --context does. */
const AROUND = 8;

interface Row extends SourceRow {
  readonly listing: SourceListing;
}

const ofRoutine = memo(annotateRoutine, 1);

/** The files to list, the costliest first: those of the routine, or those whose name the filter matches. */
function wanted(context: ReportContext): readonly AnnotatedFile[] {
  const { analysis, routine, event } = context;
  if (routine !== undefined) return filesByCost(ofRoutine(analysis, routine), event, analysis.profile);
  if (!context.filtered) throw new ReportError('--print source needs --routine NAME, or --filter TEXT for files');
  const files = [...analysis.profile.files.name.keys()].filter((f) => context.matches(fileName(analysis.profile, f) ?? ''));
  const annotated = files.map((f) => annotateFile(analysis, f)).filter((a) => a.line.length > 0);
  return filesByCost(annotated, event);
}

export const source = report<Row, Kind>({
  name: 'source',
  title: 'source lines with their costs, for --routine NAME or files by --filter TEXT',
  asks: ['lines'],
  columns: ['events'],
  table(context) {
    const files = wanted(context);
    const withChanges = files.some(({ file }) => context.analysis.costing.lineMaps?.(file).change !== undefined);
    return sourceTable<Row>((row) => row.listing, { withCalls: callsIn(context, files), withChanges });
  },
  *rows(context) {
    for (const file of wanted(context)) {
      const name = fileName(context.analysis.profile, file.file);
      const found = name === null ? undefined : context.source(name);
      const lines = typeof found === 'object' ? found.lines : [];
      const before = context.baseSource?.(file.file);
      const old = typeof before === 'object' ? before.lines : [];
      const text = (line: number) =>
        isOldIn(context.analysis, line) ? old[numberIn(context.analysis, line) - 1] : lines[line - 1];
      const map = context.analysis.costing.lineMaps?.(file.file);
      const listing = { file, title: '', text, widest: 4, change: map?.change };
      const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
      const behind = oldLinesBehind(file.line, map, old);
      const shown = shownLines(context, file, lines.length, [...behind.keys(), ...changedLines(map, lines.length)]);
      for (const line of inOrderOfBoth(shown, behind)) yield { kind: 'line', line, of: rowOf.get(line) ?? -1, listing };
    }
  },
  *under({ listing, line, of }) {
    if (of >= 0) for (const i of listing.file.callsAt[of]) yield { kind: 'call', line, of: i, listing };
  },
  group: (row, context) => shownFile(context.analysis.profile, row.listing.file.file),
  head: (context) => wanted(context).flatMap((file) => notes(context, file)),
});

function notes(context: ReportContext, annotated: AnnotatedFile): Cell[] {
  const name = fileName(context.analysis.profile, annotated.file);
  if (name === null) return [];
  const text = context.source(name);
  const said =
    typeof text === 'string' ? `${text}; costs by line follow` : 'the source is newer than the profile; lines may not match';
  return typeof text === 'string' || text.newer ? [{ text: `${shownPath(name)}: ${said}`, own: ['', `: ${said}`] }] : [];
}

/** Lines with cost, those that changed, and those around them; only those with cost if there is no text. */
function shownLines(context: ReportContext, annotated: AnnotatedFile, length: number, changed: readonly number[]): number[] {
  const out = new Set<number>();
  const costed = Array.from(annotated.line).filter((line) => !isOldIn(context.analysis, line));
  for (const line of costed) out.add(line);
  // Changes elsewhere in the file say nothing about a routine.
  const [first, last] = costed.reduce(
    ([low, high], line) => (line > 0 ? [Math.min(low, line), Math.max(high, line)] : [low, high]),
    [Number.POSITIVE_INFINITY, 0],
  );
  const isOf = (line: number) => context.routine === undefined || (line >= first - AROUND && line <= last + AROUND);
  for (const line of [...costed, ...changed.filter(isOf)]) {
    if (line === 0) continue;
    for (let k = Math.max(1, line - AROUND); k <= Math.min(length, line + AROUND); k++) out.add(k);
  }
  return [...out].sort((a, b) => a - b);
}
