// Source of a routine: its files, the lines of one with the calls below them, and which of the lines are hot.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../../analysis/answers/annotate.ts';
import { changedLines, isOldIn, numberIn, oldLinesBehind } from '../../analysis/answers/compared/old-lines.ts';
import type { LineMap } from '../../analysis/answers/costing.ts';
import { filesByCost, hotLines, nextHot } from '../../analysis/answers/hot-lines.ts';
import { fileName } from '../../analysis/names/names.ts';
import { baseFileName } from '../../analysis/profiles/compare/texts.ts';
import { memo } from '../../base/memo.ts';
import type { SourceText } from '../../base/source-text.ts';
import type { Numbers, SourceRow } from '../../columns/source.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import type { Arc } from '../parts/arcs.ts';
import { jumpTo, type List } from '../parts/list.ts';
import type { ViewContext } from '../view.ts';

/** A line of one of the profile's files. */
export interface FileLine {
  readonly file: number;
  readonly line: number;
}

export interface SourceState {
  readonly list: List;
  /** The routine the cursor was placed for. */
  readonly placed: number;
  /** Which of the routine's files; the costliest if it is none of them. */
  readonly file: number | undefined;
  /** While the list of files is shown: the list to return to. */
  readonly choosing: List | undefined;
  /** Whether to show all routines of the file, not only the one in focus. */
  readonly whole: boolean;
  readonly folded: boolean;
  readonly numbers: Numbers;
  /** First lines of the open folds. */
  readonly open: ReadonlySet<number>;
  /** The line that `h` went to last, and whether it went past the end of the list to get there. */
  readonly hot: FileLine | undefined;
  readonly wrapped: boolean;
  /** Whether the text was there when the cursor was placed; its arrival moves the rows. */
  readonly withText: boolean;
}

export interface Listing {
  /** The routine's files, the costliest first. */
  readonly files: readonly AnnotatedFile[];
  readonly file: AnnotatedFile | undefined;
  readonly name: string | null;
  readonly text: SourceText | string | undefined;
  /** The base's text of the file. */
  readonly old: SourceText | string | undefined;
  readonly behind: OldLines;
  readonly map: LineMap | undefined;
  readonly rows: readonly SourceRow[];
}

const annotations = memo(
  (analysis: Analysis, focus: number): readonly AnnotatedFile[] => (focus < 0 ? [] : annotateRoutine(analysis, focus)),
  4,
);
const wholeFile = memo((analysis: Analysis, file: number): readonly AnnotatedFile[] => [annotateFile(analysis, file)], 2);

/** Lines of context kept around those with cost. */
const AROUND = 4;

const layRows = memo(
  (
    file: AnnotatedFile,
    event: Event,
    text: SourceText | string | undefined,
    folded: boolean,
    open: ReadonlySet<number>,
    behind: OldLines,
    analysis: Analysis,
    map: LineMap | undefined,
  ): SourceRow[] => {
    const old = (line: number) => isOldIn(analysis, line);
    const rows: SourceRow[] = [];
    const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
    const costs = file.calls?.costs ?? [];
    const cost = (call: number) => eventValue(event, costs, call);
    const put = (line: number) => {
      const row = rowOf.get(line) ?? -1;
      rows.push({ kind: 'line', line, of: row });
      if (row < 0) return putBehind(line);
      const calls = file.callsAt[row];
      for (const i of calls.length < 2 ? calls : [...calls].sort((a, b) => Math.abs(cost(b)) - Math.abs(cost(a))))
        rows.push({ kind: 'call', line, of: i });
      putBehind(line);
    };
    const putBehind = (line: number) => {
      for (const old of behind.get(line) ?? []) put(old);
    };
    if (typeof text !== 'object') {
      const now = Array.from(file.line).filter((line) => !old(line));
      // Lines that old ones stand behind may have no cost, and no text.
      const places = [...new Set([...now, ...behind.keys()])].sort((a, b) => a - b);
      for (const line of places)
        if (rowOf.has(line)) put(line);
        else putBehind(line);
      return rows;
    }
    if (rowOf.has(0)) put(0);
    else putBehind(0);
    const { length } = text.lines;
    const near = new Uint8Array(length + AROUND + 2);
    for (const line of [...file.line, ...behind.keys(), ...changedLines(map, length)])
      if (line > 0 && line <= length) near.fill(1, Math.max(1, line - AROUND), line + AROUND + 1);
    for (let line = 1; line <= length; line++) {
      if (!folded || near[line]) {
        put(line);
        continue;
      }
      let end = line;
      while (end < length && !near[end + 1]) end++;
      // Folding one or two lines would hardly save space.
      if (open.has(line) || end - line < 2) for (let k = line; k <= end; k++) put(k);
      else rows.push({ kind: 'fold', line, of: end - line + 1 });
      line = end;
    }
    // The file was longer, or the profile says any number: such lines have costs and no text.
    for (const line of file.line) if (line > length && !old(line)) put(line);
    return rows;
  },
  3,
);

/** Lines of the base's text that are gone, by the line that they stand behind. */
type OldLines = ReadonlyMap<number, readonly number[]>;

const oldLines = memo(
  (file: AnnotatedFile, map: LineMap | undefined, text: SourceText | string | undefined): OldLines =>
    oldLinesBehind(file.line, map, typeof text === 'object' ? text.lines : undefined),
  3,
);

export function listing(state: SourceState, c: ViewContext): Listing {
  const files = filesByCost(annotations(c.analysis, c.focus), c.event, c.analysis.profile);
  const chosen = files.find((f) => f.file === state.file) ?? files[0];
  if (!chosen)
    return { files, file: undefined, name: null, text: undefined, old: undefined, behind: new Map(), map: undefined, rows: [] };
  const file = state.whole && chosen.file >= 0 ? wholeFile(c.analysis, chosen.file)[0] : chosen;
  const name = fileName(c.analysis.profile, file.file);
  const text = name === null ? 'the profile does not record the file' : c.sources.get(name);
  const base = baseFileName(c.analysis, file.file);
  const old = base === null ? undefined : c.baseSources.get(base);
  const map = c.analysis.costing.lineMaps?.(file.file);
  const behind = oldLines(file, map, old);
  return {
    files,
    file,
    name,
    text,
    old,
    behind,
    map,
    rows: layRows(file, c.event, text, state.folded, state.open, behind, c.analysis, map),
  };
}

/** The lines that `h` goes through, the costliest first: of all files of the routine, or of the whole file. */
export function hotOrder(state: SourceState, c: ViewContext): readonly FileLine[] {
  const { files, file } = listing(state, c);
  const among = state.whole && file && file.file >= 0 ? wholeFile(c.analysis, file.file) : files;
  return linesOf(among, c.event, c.analysis.profile);
}

const linesOf = memo((among: readonly AnnotatedFile[], event: Event, profile: Profile): readonly FileLine[] =>
  hotLines(among, event, profile).map(({ file, row }) => ({ file: among[file].file, line: among[file].line[row] })),
);

/** Where a line is among the hot ones; -1 if it is none of them. */
export function rankOf(order: readonly FileLine[], at: FileLine | undefined): number {
  return at ? order.findIndex((o) => o.file === at.file && o.line === at.line) : -1;
}

/** Shows a line in the middle of the screen, if it has a row. */
export function goToLine(state: SourceState, at: FileLine, c: ViewContext): SourceState {
  const inFile = at.file === listing(state, c).file?.file ? state : { ...state, file: at.file, open: new Set<number>() };
  const fold = listing(inFile, c).rows.find((r) => r.kind === 'fold' && at.line >= r.line && at.line < r.line + r.of);
  const there = fold ? { ...inFile, open: new Set([...inFile.open, fold.line]) } : inFile;
  const { rows } = listing(there, c);
  const row = rows.findIndex((r) => r.kind === 'line' && r.line === at.line);
  return row < 0 ? there : { ...there, list: jumpTo(there.list, row, rows.length, c.height - 1) };
}

/** Keeps the cursor at its line when the text arrives. Without text, rows are the lines with cost and their calls. */
export function keptLine(state: SourceState, c: ViewContext): SourceState {
  const { file, behind, map } = listing(state, c);
  const row = file && layRows(file, c.event, undefined, state.folded, state.open, behind, c.analysis, map)[state.list.cursor];
  return row ? goToLine(state, { file: file.file, line: row.line }, c) : state;
}

/** Goes to the next hot line, the one before, or the costliest of all (0); from the end of the list to its start. */
export function goHot(state: SourceState, by: 1 | -1 | 0, c: ViewContext): SourceState {
  const order = hotOrder(state, c);
  if (order.length === 0) return state;
  const { to, wrapped } = nextHot(order.length, rankOf(order, state.hot), by);
  return goToLine({ ...state, hot: order[to], wrapped }, order[to], c);
}

/** Shows a file of the routine at its costliest line. */
export function goToFile(state: SourceState, file: number, c: ViewContext): SourceState {
  const next = { ...state, file, open: new Set<number>(), wrapped: false };
  const hot = hotOrder(next, c).find((o) => o.file === file);
  return hot ? goToLine({ ...next, hot }, hot, c) : next;
}

export const arcsOf = memo((analysis: Analysis, focus: number, file: number, rows: readonly SourceRow[]): Arc[] => {
  const rowOf = new Map<number, number>();
  rows.forEach((r, i) => {
    if (r.kind === 'line') rowOf.set(r.line, i);
  });
  const out = new Map<string, Arc>();
  for (const j of analysis.costing.jumps(focus).all) {
    if (j.file !== file || j.targetFile !== file || j.line === j.targetLine || j.taken === 0) continue;
    const from = rowOf.get(j.line);
    const to = rowOf.get(j.targetLine);
    if (from === undefined || to === undefined) continue;
    const key = `${from}-${to}`;
    out.set(key, { from, to, weight: (out.get(key)?.weight ?? 0) + j.taken });
  }
  return [...out.values()];
});

/** The text of a line, in the text that it is a line of. */
export function lineOfText({ text, old }: Pick<Listing, 'text' | 'old'>, line: number, c: ViewContext): string | undefined {
  const of = isOldIn(c.analysis, line) ? old : text;
  return typeof of === 'object' ? of.lines[numberIn(c.analysis, line) - 1] : undefined;
}
