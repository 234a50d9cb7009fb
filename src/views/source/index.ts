// The Source view: the lines of a file with their costs, and the calls from each line. Lines without cost are folded.

import type { AnnotatedFile } from '../../analysis/answers/annotate.ts';
import { isOldLineIn } from '../../analysis/answers/compared/old-lines.ts';
import { inclusiveOfFile } from '../../analysis/answers/hot-lines.ts';
import { fileName, routineDetail, routineName, UNKNOWN_NAME } from '../../analysis/names/names.ts';
import { memo, sortedByKey } from '../../base/lists.ts';
import { baseName, readablePath } from '../../base/paths.ts';
import { formatCount, formatPercent, plural } from '../../base/units.ts';
import { showsChange } from '../../columns/compared.ts';
import { costText, insideRoutine, percentageBaseIn } from '../../columns/costs.ts';
import { lineText, titleName } from '../../columns/names.ts';
import { filterNumberColumns, hasCallCosts, numberModesOf, type SourceRow, sourceTable } from '../../columns/source.ts';
import { fileColumns } from '../../columns/source-files.ts';
import { eventValue, exactValue } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { arcsColumn } from '../parts/arcs.ts';
import { listView, START, withCursorAt } from '../parts/list.ts';
import { nextOnOff, nextValue, onOffKey } from '../parts/options.ts';
import { drawTable } from '../parts/table.ts';
import { withNoEffectReasons } from '../parts/unchanged.ts';
import { type Binding, key, type ViewContext } from '../view.ts';
import {
  goToFile,
  goToFilesRow,
  goToHotLine,
  goToLine,
  hotLinesByCost,
  hotRank,
  jumpArcsOf,
  keepCursorAtLine,
  type RoutineSource,
  routineSource,
  type SourceState,
  sourceLineText,
} from './listing.ts';

type SourceAction =
  | { readonly type: 'enter' | 'files' | 'next-file' }
  | { readonly type: 'whole' | 'fold' | 'numbers'; readonly value?: string }
  /** To the next hot line (1), the previous one (-1), or the hottest of all (0). */
  | { readonly type: 'hot'; readonly by: 1 | -1 | 0 };

const ARC_LANES = 3;

const closeFileList = (state: SourceState): SourceState | undefined =>
  state.savedList && { ...state, savedList: undefined, list: state.savedList };

/** Shows or closes the list of files with code of the routine. */
function toggleFiles(state: SourceState, l: RoutineSource): SourceState {
  const row = l.files.findIndex((f) => f.file === l.file?.file);
  return closeFileList(state) ?? { ...state, savedList: state.list, list: { ...START, cursor: Math.max(0, row) } };
}

function openRowUnderCursor(state: SourceState, l: RoutineSource, c: ViewContext): SourceState {
  if (state.savedList) {
    const file = l.files[state.list.cursor];
    return file ? goToFile({ ...state, savedList: undefined, list: START }, file.file, c) : state;
  }
  const row = l.rows[state.list.cursor];
  if (row?.kind === 'files') return toggleFiles(state, l);
  return row?.kind === 'fold' ? { ...state, open: new Set([...state.open, row.line]) } : state;
}

function applyAction(state: SourceState, action: SourceAction, c: ViewContext): SourceState {
  const l = routineSource(state, c);
  switch (action.type) {
    case 'files':
      return toggleFiles(state, l);
    case 'next-file': {
      const next = l.files.findIndex((f) => f.file === l.file?.file) + 1;
      return goToFile(state, l.files[next % l.files.length].file, c);
    }
    case 'whole':
      return goToHotLine({ ...state, whole: nextOnOff(state.whole, action.value), hot: undefined, open: new Set() }, 0, c);
    case 'fold': {
      const line = l.rows[state.list.cursor]?.line;
      const next = { ...state, folded: nextOnOff(state.folded, action.value), open: new Set<number>() };
      const row = routineSource(next, c).rows.findIndex((r) => r.line >= (line ?? 0));
      return { ...next, list: withCursorAt(next.list, Math.max(0, row), routineSource(next, c).rows.length, c.height - 1) };
    }
    case 'numbers':
      return { ...state, numbers: nextValue(numberModesOf(hasCallCosts(c, l.files)), state.numbers, action.value) };
    case 'hot':
      return goToHotLine(state, action.by, c);
    case 'enter':
      return openRowUnderCursor(state, l, c);
  }
}

const noLinesReason = (state: SourceState, c: ViewContext) => {
  if (c.focus < 0) return 'no routine is in focus';
  return state.savedList ? 'choose a file first: Enter shows it, Esc closes the list' : undefined;
};
const noHotLineReason = (state: SourceState, c: ViewContext) =>
  noLinesReason(state, c) ?? (hotLinesByCost(state, c).length === 0 ? `no line costs any ${c.event.name}` : undefined);
const noOtherHotReason = (state: SourceState, c: ViewContext) => {
  const order = hotLinesByCost(state, c);
  const isOnlyHot = order.length === 1 && hotRank(order, state.hot) === 0;
  return noHotLineReason(state, c) ?? (isOnlyHot ? `no other line costs any ${c.event.name}` : undefined);
};
const onlyOneFileReason = (state: SourceState, c: ViewContext) =>
  !state.savedList && routineSource(state, c).files.length < 2 ? 'the routine has code in only one file' : undefined;

const BINDINGS: readonly Binding<SourceState, SourceAction>[] = [
  key(']', { type: 'hot', by: 1 }, 'move', 'next hottest line, in all files of the routine', {
    footer: 'next hot',
    off: noOtherHotReason,
  }),
  key('[', { type: 'hot', by: -1 }, 'move', 'next hotter line', { off: noOtherHotReason }),
  key('', { type: 'hot', by: 0 }, 'move', 'hottest line', { off: noHotLineReason }),
  key('enter', { type: 'enter' }, 'view', 'go to the costliest callee, open the fold, or show the file', {
    footer: 'open',
    off: (state, c) => {
      if (state.savedList) return undefined;
      const row = routineSource(state, c).rows[state.list.cursor];
      return (row && row.kind !== 'line') || calleeToOpen(state, c) !== undefined ? undefined : 'this line calls nothing';
    },
  }),
  key('', { type: 'files' }, 'show', 'list the files with code of the routine, with their costs', { off: onlyOneFileReason }),
  key('', { type: 'next-file' }, 'show', 'next file with code of the routine, by cost', {
    off: (state, c) => noLinesReason(state, c) ?? onlyOneFileReason(state, c),
  }),
  key('c', { type: 'numbers' }, 'show', 'columns: all, self cost only, or none (room for the text)', {
    footer: 'columns',
    options: {
      label: 'columns',
      values: (state, c) => numberModesOf(hasCallCosts(c, routineSource(state, c).files)),
      current: ({ numbers }) => numbers,
    },
    off: noLinesReason,
  }),
  onOffKey('whole', 'show the whole file, or only this routine', 'whole file', ({ whole }) => whole, { off: noLinesReason }),
  onOffKey('fold', 'fold lines without cost, or show all lines', 'lines without cost folded', ({ folded }) => folded, {
    off: (state, c) =>
      noLinesReason(state, c) ?? (typeof routineSource(state, c).text === 'object' ? undefined : 'there is no text to fold'),
  }),
];

const KEYS = withNoEffectReasons(BINDINGS, applyAction, { hot: 'this is the hottest line' }, noHotLineReason);

/** The routine called in the row under the cursor; undefined if the row is no call. */
function calleeAt(state: SourceState, c: ViewContext): number | undefined {
  const { file, rows } = routineSource(state, c);
  const row = state.savedList ? undefined : rows[state.list.cursor];
  return row?.kind === 'call' ? file?.calls?.callee[row.of] : undefined;
}

/** The routine that Enter goes to: the called one, or the costliest that a line calls; undefined without a call. */
function calleeToOpen(state: SourceState, c: ViewContext): number | undefined {
  const { file, rows } = routineSource(state, c);
  const row = rows[state.list.cursor];
  const calls = file?.calls;
  if (state.savedList || row?.kind !== 'line' || !calls) return calleeAt(state, c);
  const cost = (call: number) => Math.abs(eventValue(c.event, calls.costs, call));
  return sortedByKey(file.callsAt[row.of] ?? [], cost, true).map((call) => calls.callee[call])[0];
}

const maxLineNumberWidth = memo((rows: RoutineSource['rows'], analysis: ViewContext['analysis']): number =>
  rows.reduce((most, { kind, line }) => (kind === 'line' ? Math.max(most, lineText({ analysis }, line).length) : most), 4),
);

/** The number of a line in the text of this run; for a line removed since the base, the line before it. */
function currentLine({ oldLinesAfter }: RoutineSource, line: number, c: ViewContext): number {
  if (!isOldLineIn(c.analysis, line)) return line;
  for (const [after, lines] of oldLinesAfter) if (lines.includes(line)) return Math.max(1, after);
  return 1;
}

const HEADER_NAME = /(\.(h\w{0,3}|inl|inc|tcc|ipp)|\/\w+)$/; // bounded: the end of a path

/** The cost of the routine's lines in files other than this one, with their calls. */
const costOfOthers = (files: readonly AnnotatedFile[], { file }: AnnotatedFile, c: ViewContext): number =>
  files.reduce((all, f) => (f.file === file ? all : all + eventValue(c.event, inclusiveOfFile(f), 0)), 0);

/** `▸ 76.65% in 8 headers`: the cost of the routine's lines in other files. */
function otherFilesText({ files }: RoutineSource, file: AnnotatedFile, c: ViewContext): string {
  const others = files.filter((f) => f.file !== file.file);
  const sum = costOfOthers(files, file, c);
  const { shareBase } = insideRoutine(c, c.focus);
  const change = c.analysis.before ? `${costText(c, sum)} ` : '';
  // A sampled stack with lines in two of the files counts in both.
  const share = shareBase && sum >= 0 && sum <= shareBase ? `${formatPercent(sum, shareBase)} ` : change;
  const areHeaders = others.every((f) => HEADER_NAME.test(fileName(c.analysis.profile, f.file) ?? ''));
  return `▸ ${share}in ${plural(others.length, areHeaders ? 'header' : 'other file')}`;
}

/** The data from which the columns of the table are drawn. */
function sourceListingOf(l: RoutineSource, file: AnnotatedFile, state: SourceState, c: ViewContext) {
  const hasArcs = c.analysis.costing.can.has('jumps') && !state.whole && c.width >= 70;
  const arcs = hasArcs ? jumpArcsOf(c.analysis, c.focus, file.file, l.rows) : [];
  const { top } = state.list;
  return {
    file,
    // In a split screen, the title is the only place for the reason of a missing text. The detail line tells what to do.
    title:
      readablePath(l.name ?? 'source') + (typeof l.text === 'string' && l.name !== null ? ` (${l.text.split(' (')[0]})` : ''),
    text: (line: number) => sourceLineText(l, line, c),
    others: otherFilesText(l, file, c),
    lineNumberWidth: maxLineNumberWidth(l.rows, c.analysis),
    change: l.map?.change,
    jumps: arcs.length > 0 ? arcsColumn(arcs, l.rows.slice(top, top + c.height - 1), top, ARC_LANES) : undefined,
  };
}

function lineDetail(l: RoutineSource, file: AnnotatedFile, row: SourceRow, c: ViewContext): string {
  const value = eventValue(c.event, file.inclusive, row.of);
  const { shareBase } = insideRoutine(c, c.focus);
  const ofRoutine = shareBase === undefined ? '' : `${formatPercent(value, shareBase)} of the routine, `;
  const share = `${ofRoutine}${formatPercent(value, percentageBaseIn(c))}${ofRoutine && ' of the total'}`;
  const cost = costText(c, exactValue(c.event, file.inclusive, row.of), file.estimated?.inclusive[row.of] === 1);
  const { can } = c.analysis.costing;
  const how = can.has('stacks') && !showsChange(c) ? 'in the stack of' : can.has('calls') ? 'including calls' : 'cost';
  return `${baseName(l.name ?? UNKNOWN_NAME)}:${lineText(c, row.line)}  ${how} ${cost} ${c.event.name} (${share})`;
}

/** The rank of a hot line that the key `]` or `[` went to; '' for other rows. */
function hotRankText(state: SourceState, file: AnnotatedFile, row: SourceRow, c: ViewContext): string {
  const { hot } = state;
  if (hot?.file !== file.file || hot.line !== row.line) return '';
  const order = hotLinesByCost(state, c);
  const rank = hotRank(order, hot);
  const around = state.wrapped && order.length > 1 ? `, again from the ${rank === 0 ? 'first' : 'last'}` : '';
  // The routine's own file comes first, whatever its lines cost: ranks are those of a file.
  const here = order.filter(({ file: of }) => of === hot.file);
  const all = here.length < order.length ? ` in this file, ${formatCount(order.length)} in all` : '';
  return `hot line ${formatCount(hotRank(here, hot) + 1)} of ${formatCount(here.length)}${all}${around}: `;
}

/**
 * Puts the cursor on the costliest line in the costliest file of the routine. Where the routine's lines in other files changed more
 * since the base, it goes to the row that stands for them.
 */
function goToCostliestLine(state: SourceState, c: ViewContext): SourceState {
  const fresh = { ...state, placedFocus: c.focus, file: undefined, savedList: undefined, open: new Set<number>(), list: START };
  const { file } = routineSource(fresh, c);
  const next = { ...fresh, hot: undefined };
  if (!file) return next;
  const opened = goToFile(next, file.file, c);
  if (c.event.measure !== 'delta') return opened;
  const { files, rows } = routineSource(opened, c);
  const line = rows[opened.list.cursor];
  const change = line?.kind === 'line' && line.of >= 0 ? eventValue(c.event, file.inclusive, line.of) : 0;
  return Math.abs(costOfOthers(files, file, c)) > Math.abs(change) ? goToFilesRow(opened, c) : opened;
}

/** Whether most of the cost is in code whose file is unknown. */
const isMostCodeWithoutFile = memo((profile: Profile): boolean => {
  if (profile.kind !== 'callgraph' && profile.kind !== 'stacks') return false;
  const { spans, lines } = profile;
  let [known, all] = [0, 0];
  for (let s = 0; s < spans.part.length; s++) {
    let sum = 0;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) sum += lines.costs[0][i];
    all += sum;
    if (/^[^?]/.test(fileName(profile, spans.file[s]) ?? '')) known += sum;
  }
  return known < all / 2;
}, 4);

export const sourceView = listView({
  id: 'source',
  title: 'Source',
  unfiltered: true,
  requires: ['lines'],
  columns: ['events'],
  report: { name: 'source', ofFocus: true },
  isPoor: isMostCodeWithoutFile,
  followers: { beside: ['instrs', 'calls'], below: ['instrs', 'calls'] },
  shifts: true,
  keys: KEYS,
  init: (): SourceState => ({
    list: START,
    placedFocus: -1,
    file: undefined,
    savedList: undefined,
    whole: false,
    folded: true,
    numbers: 'all',
    open: new Set(),
    hot: undefined,
    wrapped: false,
    texts: { text: undefined, baseText: undefined, map: undefined },
  }),
  change: applyAction,
  adaptToContext(state, c) {
    if (state.placedFocus !== c.focus) return goToCostliestLine(state, c);
    return state.savedList ? state : keepCursorAtLine(state, c);
  },
  draw(state, c) {
    const l = routineSource(state, c);
    if (state.savedList) {
      const columns = fileColumns(c, hasCallCosts(c, l.files));
      return drawTable(state.list, c.width, c.height, { columns, rows: l.files, empty: '' });
    }
    const first = l.file && sourceListingOf(l, l.file, state, c);
    const inside = insideRoutine(c, c.focus);
    // The heat is that of the shown costs.
    const withCalls = state.numbers !== 'self' && hasCallCosts(c, l.file ? [l.file] : []);
    const table = first && sourceTable<SourceRow>(() => first, { first, withCalls });
    return drawTable(state.list, c.width, c.height, {
      columns: table ? filterNumberColumns(table.columns(inside), state.numbers) : [],
      rows: l.rows,
      empty:
        c.focus < 0
          ? 'no routine is in focus: choose one in Routines'
          : 'no line of this routine has self cost; Calls shows where its cost comes from',
    });
  },
  rowCount: (state, c) => (state.savedList ? routineSource(state, c).files.length : routineSource(state, c).rows.length),
  goToNumber(state, line, c) {
    const file = routineSource(state, c).file?.file;
    const next = file === undefined ? state : goToLine(state, { file, line }, c);
    const row = routineSource(next, c).rows[next.list.cursor];
    return row?.kind === 'line' && row.line === line ? next : undefined;
  },
  rowText(state, row, c) {
    const l = routineSource(state, c);
    if (state.savedList) return fileName(c.analysis.profile, l.files[row].file) ?? '';
    const { kind, line, of } = l.rows[row];
    if (kind === 'call') return routineName(c.analysis.profile, l.file?.calls?.callee[of] ?? -1);
    return kind === 'line' ? (sourceLineText(l, line, c) ?? '') : '';
  },
  routineAt: (state, c) => calleeAt(state, c) ?? c.focus,
  request(state, action, c) {
    const routine = action.type === 'enter' ? calleeToOpen(state, c) : undefined;
    return routine === undefined ? undefined : { type: 'show', view: 'source', routine };
  },
  detail(state, c) {
    const l = routineSource(state, c);
    if (state.savedList) return fileName(c.analysis.profile, l.files[state.list.cursor]?.file ?? -1) || UNKNOWN_NAME;
    const row = l.rows[state.list.cursor];
    const callee = calleeAt(state, c);
    if (callee !== undefined) return routineDetail(c.analysis.profile, callee);
    const hotRank = l.file && row?.kind === 'line' ? hotRankText(state, l.file, row, c) : '';
    if (typeof l.text === 'string') return `${hotRank}${l.text}${l.name ? `: ${readablePath(l.name)}` : ''}`;
    if (typeof l.text === 'object' && l.text.newer) return `${l.text.path} is newer than the profile: lines may not match`;
    if (l.file && row?.kind === 'files') return `${otherFilesText(l, l.file, c).slice(2)}; Enter lists them`;
    if (!l.file || row?.kind !== 'line' || row.of < 0) return readablePath(l.name ?? '');
    return hotRank + lineDetail(l, l.file, row, c);
  },
  close: closeFileList,
  sourcePosition(state, c) {
    const l = routineSource(state, c);
    const row = state.savedList ? undefined : l.rows[state.list.cursor];
    // The editor opens the text of this run; for a line removed since the base, at the line before it.
    return l.name === null || !row ? undefined : { file: l.name, line: currentLine(l, row.line, c) };
  },
  goToSourceLine(state, place, c) {
    const l = routineSource(state, c);
    const here = state.savedList ? undefined : l.rows[state.list.cursor];
    if (l.name === place.file && here?.line === place.line) return state;
    const file = l.files.find((f) => fileName(c.analysis.profile, f.file) === place.file);
    return file ? goToLine({ ...state, savedList: undefined }, { file: file.file, line: place.line }, c) : state;
  },
  neededSources(state, c) {
    const { name } = routineSource(state, c);
    return name === null ? [] : [name];
  },
  printed: ({ whole }) => ({ notInReport: whole ? 'the whole file' : undefined }),
  mode(state, c, width) {
    if (c.focus < 0) return '';
    const { files, file } = routineSource(state, c);
    const number = files.findIndex((f) => f.file === file?.file) + 1;
    const which = files.length > 1 ? `, file ${number} of ${files.length}` : '';
    const isRecursive = files.some(({ calls }) => calls?.inside.includes(1));
    const more = which + (isRecursive && !state.whole ? ', recursive: costs of lines overlap' : '');
    return `${state.whole ? 'whole file' : titleName(c, c.focus, width - more.length)}${more}`;
  },
});
