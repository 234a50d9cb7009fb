// The rows of the Source view: the files of a routine, the lines and calls in one file, and the hot lines.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { type AnnotatedFile, annotateFile, annotateRoutine } from '../../analysis/answers/annotate.ts';
import { changedLines, isOldLineIn, oldLinesByPosition, textAt } from '../../analysis/answers/compared/old-lines.ts';
import type { LineMap } from '../../analysis/answers/costing.ts';
import { filesByCost, hotLines, nextIndex } from '../../analysis/answers/hot-lines.ts';
import { fileName } from '../../analysis/names/names.ts';
import { baseFileName } from '../../analysis/profiles/compare/texts.ts';
import { memo, sortedByKey } from '../../base/lists.ts';
import type { SourceText } from '../../base/source-text.ts';
import type { NumberMode, SourceRow } from '../../columns/source.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import type { JumpArc } from '../parts/arcs.ts';
import { centerCursorOn, type ListPosition, type StateWithList } from '../parts/list.ts';
import type { ViewContext } from '../view.ts';

export type FileLine = Readonly<Record<'file' | 'line', number>>;

export interface SourceState extends StateWithList {
  /** The routine in focus for which the cursor was placed. */
  readonly placedFocus: number;
  /** The selected file. If the routine has no code in it, the costliest file is shown. */
  readonly file: number | undefined;
  /** The cursor position to return to when the list of files closes; undefined while the list is not shown. */
  readonly savedList: ListPosition | undefined;
  /** Whether the costs of all routines in the file are shown, instead of only the routine in focus. */
  readonly whole: boolean;
  readonly folded: boolean;
  readonly numbers: NumberMode;
  /** The first lines of folds that the user has opened. */
  readonly open: ReadonlySet<number>;
  /** `hot`: the line that `]` or `[` went to last, or FILES_ROW. `wrapped`: whether that key wrapped around. */
  readonly hot: FileLine | undefined;
  readonly wrapped: boolean;
  /** The texts for which the cursor was placed. Rows move when a text arrives. */
  readonly texts: Pick<RoutineSource, 'text' | 'baseText' | 'map'>;
}

export interface RoutineSource {
  /** The files with code of the routine, costliest first. */
  readonly files: readonly AnnotatedFile[];
  readonly file?: AnnotatedFile | undefined;
  readonly name: string | null;
  readonly text?: SourceText | string | undefined;
  readonly baseText?: SourceText | string | undefined;
  readonly oldLinesAfter: RemovedLinesByLine;
  readonly map?: LineMap | undefined;
  readonly rows: readonly SourceRow[];
}

const annotatedFiles = memo((analysis: Analysis, focus: number) => (focus < 0 ? [] : annotateRoutine(analysis, focus)), 4);
const wholeFile = memo((analysis: Analysis, file: number): readonly AnnotatedFile[] => [annotateFile(analysis, file)]);

/** The number of lines without cost that are shown before and after lines with cost. */
const CONTEXT_LINES = 4;

const makeRows = memo(
  (
    file: AnnotatedFile,
    event: Event,
    text: SourceText | string | undefined,
    folded: boolean,
    open: ReadonlySet<number>,
    behind: RemovedLinesByLine,
    analysis: Analysis,
    map: LineMap | undefined,
  ): SourceRow[] => {
    const isOld = (line: number) => isOldLineIn(analysis, line);
    const rows: SourceRow[] = [];
    const rowOf = new Map(Array.from(file.line, (line, row) => [line, row]));
    const costs = file.calls?.costs ?? [];
    const size = (call: number) => Math.abs(eventValue(event, costs, call));
    const addLine = (line: number) => {
      const row = rowOf.get(line) ?? -1;
      rows.push({ kind: 'line', line, of: row });
      const calls = file.callsAt[row] ?? [];
      for (const of of calls.length < 2 ? calls : sortedByKey(calls, size, true)) rows.push({ kind: 'call', line, of });
      addOldLines(line);
    };
    const addOldLines = (line: number) => {
      for (const old of behind.get(line) ?? []) addLine(old);
    };
    const addKnownLine = (line: number) => (rowOf.has(line) ? addLine(line) : addOldLines(line));
    if (typeof text !== 'object') {
      const now = Array.from(file.line).filter((line) => !isOld(line));
      // A line without cost is included if removed lines follow it.
      const starts = [...new Set([...now, ...behind.keys()])].sort((a, b) => a - b);
      for (const line of starts) addKnownLine(line);
      return rows;
    }
    addKnownLine(0);
    const { length } = text.lines;
    const near = new Uint8Array(length + CONTEXT_LINES + 2);
    for (const line of [...file.line, ...behind.keys(), ...changedLines(map, length)])
      if (line > 0 && line <= length) near.fill(1, Math.max(1, line - CONTEXT_LINES), line + CONTEXT_LINES + 1);
    for (let line = 1; line <= length; line++) {
      if (!folded || near[line]) {
        addLine(line);
        continue;
      }
      let end = line;
      while (end < length && !near[end + 1]) end++;
      // One or two lines are not folded.
      if (open.has(line) || end - line < 2) for (let k = line; k <= end; k++) addLine(k);
      else rows.push({ kind: 'fold', line, of: end - line + 1 });
      line = end;
    }
    // Lines after the end of the text have only costs: the file was longer, or the line number is wrong.
    for (const line of file.line) if (line > length && !isOld(line)) addLine(line);
    return rows;
  },
  3,
);

/** The rows with one for the lines of the routine in other files, behind the last line with cost, if there are such files. */
const withFilesRow = memo((rows: readonly SourceRow[], hasOthers: boolean): readonly SourceRow[] => {
  const last = rows.findLastIndex(({ kind, of }) => kind === 'call' || (kind === 'line' && of >= 0));
  return hasOthers && last >= 0 ? rows.toSpliced(last + 1, 0, { kind: 'files', line: rows[last].line, of: -1 }) : rows;
}, 3);

/** The removed lines of the base, grouped by the line of this run that they follow. */
type RemovedLinesByLine = ReadonlyMap<number, readonly number[]>;

const removedLinesOf = memo(
  (file: AnnotatedFile, map: LineMap | undefined, text: SourceText | string | undefined): RemovedLinesByLine =>
    oldLinesByPosition(file.line, map, typeof text === 'object' ? text.lines : undefined),
  3,
);

const hasOtherFiles = ({ whole }: SourceState, files: readonly AnnotatedFile[]): boolean => !whole && files.length > 1;

export function routineSource(state: SourceState, c: ViewContext): RoutineSource {
  const files = filesByCost(annotatedFiles(c.analysis, c.focus), c.event, c.analysis.profile, c.focus);
  const chosen = files.find((f) => f.file === state.file) ?? files[0];
  if (!chosen) return { files, name: null, oldLinesAfter: new Map(), rows: [] };
  const file = state.whole && chosen.file >= 0 ? wholeFile(c.analysis, chosen.file)[0] : chosen;
  const name = fileName(c.analysis.profile, file.file);
  const text = name === null ? 'the profile does not record the file' : c.sources.get(name);
  const baseName = baseFileName(c.analysis, file.file);
  const baseText = baseName === null ? undefined : c.baseSources.get(baseName);
  const map = c.analysis.costing.lineMaps?.(file.file);
  const oldLinesAfter = removedLinesOf(file, map, baseText);
  const lines = makeRows(file, c.event, text, state.folded, state.open, oldLinesAfter, c.analysis, map);
  const rows = withFilesRow(lines, hasOtherFiles(state, files));
  return { files, file, name, text, baseText, oldLinesAfter, map, rows };
}

/** The hot lines, costliest first: of all files of the routine, or of the whole file. */
export function hotLinesByCost(state: SourceState, c: ViewContext): readonly FileLine[] {
  const { files, file } = routineSource(state, c);
  const among = state.whole && file && file.file >= 0 ? wholeFile(c.analysis, file.file) : files;
  return hotLinesOf(among, c.event, c.analysis.profile, c.focus);
}

const hotLinesOf = memo((among: readonly AnnotatedFile[], event: Event, profile: Profile, focus: number): readonly FileLine[] =>
  hotLines(among, event, profile, focus).map(({ file, row }) => ({ file: among[file].file, line: among[file].line[row] })),
);

/** The rank of a line among the hot lines, from 0; -1 if it is not hot. */
export const hotRank = (order: readonly FileLine[], at: FileLine | undefined): number =>
  at ? order.findIndex((o) => o.file === at.file && o.line === at.line) : -1;

/** Shows a file without folds that are open. */
function showFile(state: SourceState, file: number, c: ViewContext): SourceState {
  const next = { ...state, file, open: new Set<number>() };
  const { text, baseText, map } = routineSource(next, c);
  return { ...next, texts: { text, baseText, map } };
}

/** Moves the cursor to a line, in the middle of the screen, if the line has a row. */
export function goToLine(state: SourceState, at: FileLine, c: ViewContext): SourceState {
  const inFile = at.file === routineSource(state, c).file?.file ? state : showFile(state, at.file, c);
  const fold = routineSource(inFile, c).rows.find((r) => r.kind === 'fold' && at.line >= r.line && at.line < r.line + r.of);
  const unfolded = fold ? { ...inFile, open: new Set([...inFile.open, fold.line]) } : inFile;
  const { rows } = routineSource(unfolded, c);
  const row = rows.findIndex((r) => r.kind === 'line' && r.line === at.line);
  return row < 0 ? unfolded : { ...unfolded, list: centerCursorOn(unfolded.list, row, rows.length, c.height - 1) };
}

/** In the place of a hot line: the cursor is on the row of the other files. */
const FILES_ROW: FileLine = { file: -1, line: -1 };

/** Moves the cursor to the row for the lines of the routine in other files, if there is one. */
export function goToFilesRow(state: SourceState, c: ViewContext): SourceState {
  const { rows } = routineSource(state, c);
  const row = rows.findIndex(({ kind }) => kind === 'files');
  return row < 0 ? state : { ...state, hot: FILES_ROW, list: centerCursorOn(state.list, row, rows.length, c.height - 1) };
}

/**
 * Keeps the cursor on its line when a text arrives, because lines without cost and removed lines then get rows, too. A cursor on a
 * hot line goes to the costliest one, which may be another now.
 */
export function keepCursorAtLine(state: SourceState, c: ViewContext): SourceState {
  const { files, file, text, baseText, map } = routineSource(state, c);
  const { texts: old, hot, open, folded } = state;
  if (!file || (old.text === text && old.baseText === baseText && old.map === map)) return state;
  const removed = removedLinesOf(file, old.map, old.baseText);
  const lines = makeRows(file, c.event, old.text, folded, open, removed, c.analysis, old.map);
  const row = withFilesRow(lines, hasOtherFiles(state, files))[state.list.cursor];
  const next = { ...state, texts: { text, baseText, map } };
  // Another map of lines, which a text brings, moves the changes to other lines, and the rows with them.
  const isOtherMap = old.map !== map;
  if (row?.kind === 'files' || (isOtherMap && hot === FILES_ROW)) return goToFilesRow(next, c);
  if (row && hot?.file === file.file && (hot.line === row.line || isOtherMap)) return goToFile(next, file.file, c);
  return row ? goToLine(next, { file: file.file, line: row.line }, c) : next;
}

/** Goes to the next (1) or previous (-1) hot line, wrapping around, or to the costliest one (0). */
export function goToHotLine(state: SourceState, by: 1 | -1 | 0, c: ViewContext): SourceState {
  const order = hotLinesByCost(state, c);
  if (order.length === 0) return state;
  const { to, wrapped } = nextIndex(order.length, hotRank(order, state.hot), by);
  return goToLine({ ...state, hot: order[to], wrapped }, order[to], c);
}

/** Shows a file of the routine, with the cursor on its costliest line. */
export function goToFile(state: SourceState, file: number, c: ViewContext): SourceState {
  const next = { ...showFile(state, file, c), wrapped: false };
  const hot = hotLinesByCost(next, c).find((o) => o.file === file);
  return hot ? goToLine({ ...next, hot }, hot, c) : next;
}

export const jumpArcsOf = memo((analysis: Analysis, focus: number, file: number, rows: readonly SourceRow[]): JumpArc[] => {
  const rowOf = new Map<number, number>();
  rows.forEach((r, i) => {
    if (r.kind === 'line') rowOf.set(r.line, i);
  });
  const out = new Map<string, JumpArc>();
  for (const j of analysis.costing.jumps(focus)) {
    if (j.file !== file || j.targetFile !== file || j.line === j.targetLine || j.taken === 0) continue;
    const from = rowOf.get(j.line);
    const to = rowOf.get(j.targetLine);
    if (from === undefined || to === undefined) continue;
    const key = `${from}-${to}`;
    out.set(key, { from, to, weight: (out.get(key)?.weight ?? 0) + j.taken });
  }
  return [...out.values()];
});

/** The text of a line in this run; for a line removed since the base, its text there. */
export function sourceLineText({ text, baseText }: RoutineSource, line: number, c: ViewContext): string | undefined {
  const linesOf = (of: typeof text) => (typeof of === 'object' ? of.lines : []);
  return textAt(c.analysis, line, linesOf(text), linesOf(baseText));
}
