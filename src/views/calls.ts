// Calls: the routine in focus with its callers above and its callees below, from the true edges of the call graph.
import type { Analysis } from '../analysis/analysis.ts';
import { routineDetail, routineName, routinePlace, UNKNOWN } from '../analysis/names.ts';
import { orderByNumber } from '../analysis/order.ts';
import { type Matcher, taking } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import type { Cell } from '../base/style.ts';
import { formatCount } from '../base/units.ts';
import type { Column } from '../columns/column.ts';
import { costRoom, costText, shareCell, shareColumn } from '../columns/costs.ts';
import { inlinedMark } from '../columns/names.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { entry } from './open-view.ts';
import { jumpTo, type List, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { type Binding, ofAnyKind, type ViewContext } from './view.ts';

interface CallsState {
  readonly list: List;
  readonly byCount: boolean;
  /** The routine the cursor was placed for; it is placed again when the focus changes. */
  readonly placed: number;
}

interface CallsAction {
  readonly type: 'enter' | 'by-count' | 'to-focus';
}

type RowKind = 'caller' | 'focus' | 'callee' | 'title';

interface Rows {
  readonly kind: readonly RowKind[];
  /** Edge number for callers and callees; number of edges for a title. */
  readonly edge: readonly number[];
  readonly focusRow: number;
}

const rowsOf = memo((analysis: Analysis, event: Event, focus: number, byCount: boolean, matcher: Matcher | undefined): Rows => {
  const { edges, profile } = analysis;
  if (focus < 0) return { kind: [], edge: [], focusRow: 0 };
  const into = Array.from(edges.into.order.subarray(edges.into.from[focus], edges.into.from[focus + 1]));
  const out = Array.from({ length: edges.from[focus + 1] - edges.from[focus] }, (_, k) => edges.from[focus] + k);
  const around = [...into.map((e) => edges.caller[e]), ...out.map((e) => edges.callee[e])];
  const takes = matcher && taking(matcher, around, (r) => [routineName(profile, r)]);
  const sortEdges = (list: number[], other: (e: number) => number) => {
    const hit = takes ? list.filter((e) => takes(other(e))) : list;
    const key = hit.map((e) => (byCount ? edges.count[e] : eventValue(event, edges.costs, e)));
    return Array.from(orderByNumber(key, true), (i) => hit[i]);
  };
  // Callers in ascending order, so that the most expensive one is next to the routine.
  const callers = sortEdges(into, (e) => edges.caller[e]).reverse();
  const callees = sortEdges(out, (e) => edges.callee[e]);
  const kind: RowKind[] = [
    'title',
    ...callers.map((): RowKind => 'caller'),
    'focus',
    'title',
    ...callees.map((): RowKind => 'callee'),
  ];
  const edge = [callers.length, ...callers, -1, callees.length, ...callees];
  return { kind, edge, focusRow: callers.length + 1 };
}, 4);

function rowsIn(state: CallsState, c: ViewContext): Rows {
  return rowsOf(c.analysis, c.event, c.focus, state.byCount, c.matcher);
}

function routineOf(rows: Rows, row: number, c: ViewContext): number {
  const kind = rows.kind[row];
  if (kind === 'focus') return c.focus;
  if (kind === 'caller') return c.analysis.edges.caller[rows.edge[row]];
  if (kind === 'callee') return c.analysis.edges.callee[rows.edge[row]];
  return -1;
}

function nameText(rows: Rows, row: number, c: ViewContext): string {
  const { profile, totals, edges } = c.analysis;
  const routine = routineOf(rows, row, c);
  const kind = rows.kind[row];
  const cycle = totals.cycles.of[routine];
  const same = kind !== 'focus' && (routine === c.focus || (cycle > 0 && cycle === totals.cycles.of[c.focus]));
  const loop = same ? (c.ascii ? '(rec) ' : '↻ ') : '';
  const arrow =
    kind === 'focus' ? (c.ascii ? '* ' : '● ') : kind === 'caller' ? (c.ascii ? '  v ' : '  ↓ ') : c.ascii ? '    > ' : '    → ';
  const inlined = kind === 'focus' ? totals.inlined?.[routine] : edges.inlined?.[rows.edge[row]];
  return arrow + loop + routineName(profile, routine) + inlinedMark(kind === 'caller' ? 0 : inlined);
}

/** The columns' rows are row numbers. */
function columnsOf(rows: Rows, c: ViewContext): Column<number>[] {
  const { totals, edges, profile, costing } = c.analysis;
  const focus = (row: number) => rows.kind[row] === 'focus';
  const bold = (row: number, text: string): Cell => ({ text, style: focus(row) ? 'bold' : 'plain' });
  const inclusive = eventValue(c.event, totals.inclusive, c.focus);
  const counts = (row: number) => {
    if (focus(row)) return formatCount(totals.calls[c.focus]);
    const count = edges.count[rows.edge[row]];
    return count === 0 ? '' : formatCount(count);
  };
  const cost = (row: number) =>
    focus(row) ? exactValue(c.event, totals.inclusive, c.focus) : exactValue(c.event, edges.costs, rows.edge[row]);
  const share = (row: number) =>
    focus(row) ? shareCell(c, inclusive) : shareCell(c, eventValue(c.event, edges.costs, rows.edge[row]), inclusive);
  return [
    { ...costRoom(c, 'incl'), id: 'inclusive', rank: 9, text: (row) => bold(row, costText(c, cost(row))) },
    ...shareColumn<number>(c, '%', share, { title: c.percent === 'parent' ? '%focus' : '%' }),
    {
      ...costRoom(c, 'self'),
      id: 'self',
      rank: 3,
      text: (row) => (focus(row) ? costText(c, exactValue(c.event, totals.self, c.focus)) : ''),
    },
    {
      id: 'count',
      title: 'calls',
      width: 9,
      align: 'right',
      rank: 5,
      text: costing.can.has('counts') ? counts : undefined,
    },
    {
      id: 'routine',
      title: 'routine',
      width: c.width < 60 ? 16 : 30,
      flex: 3,
      cut: profile.grain === 'line' ? 'place' : 'middle',
      rank: 9,
      text: (row) => bold(row, nameText(rows, row, c)),
    },
    {
      id: 'file',
      title: 'file',
      width: 14,
      flex: 1,
      cut: 'start',
      rank: 2,
      style: 'dim',
      text: (row) => routinePlace(profile, routineOf(rows, row, c)) || UNKNOWN,
    },
  ];
}

function banner(rows: Rows, row: number, c: ViewContext): string | undefined {
  if (rows.kind[row] !== 'title') return undefined;
  const n = rows.edge[row];
  const what = row === 0 ? 'callers' : 'callees';
  if (n > 0) return `${formatCount(n)} ${n === 1 ? what.slice(0, -1) : what}`;
  if (c.filter) return `no ${what} that match ${c.filter}`;
  return row === 0 ? 'no callers: the start of a thread, or called from code that was not recorded' : 'no callees';
}

const noMove = (state: CallsState, c: ViewContext) => {
  const routine = routineOf(rowsIn(state, c), state.list.cursor, c);
  return routine < 0 ? 'the cursor is not on a routine' : routine === c.focus ? 'this routine is already in focus' : undefined;
};

const KEYS: readonly Binding<CallsState, CallsAction>[] = [
  {
    keys: ['enter'],
    action: { type: 'enter' },
    help: 'move the focus to the caller or callee',
    group: 'view',
    footer: 'focus',
    off: noMove,
  },
  {
    keys: ['s'],
    action: { type: 'by-count' },
    help: 'sort by cost or by number of calls',
    group: 'show',
    footer: 'sort',
    off: (_, c) => (c.analysis.costing.can.has('counts') ? undefined : 'the profile has no call counts'),
  },
  { keys: ['.'], action: { type: 'to-focus' }, help: 'go back to the routine in focus', group: 'move' },
];

/** Places the cursor on the routine in focus. */
function placed(state: CallsState, c: ViewContext): CallsState {
  const rows = rowsIn(state, c);
  const list = jumpTo({ ...state.list, left: 0 }, rows.focusRow, rows.kind.length, c.height - 1);
  return { ...state, placed: c.focus, list };
}

export const calls = entry(
  listView({
    id: 'calls',
    title: 'Calls',
    digit: '2',
    asks: ['calls'],
    report: { name: 'calls', ofFocus: true },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    init: (): CallsState => ({ list: START, byCount: false, placed: -1 }),
    change(state, action, c) {
      if (action.type === 'to-focus') return placed(state, c);
      return action.type === 'by-count' ? { ...state, byCount: !state.byCount } : state;
    },
    settle: (state, c) => (state.placed === c.focus ? state : placed(state, c)),
    draw(state, c) {
      const rows = rowsIn(state, c);
      const spec = {
        columns: columnsOf(rows, c),
        rows: rows.kind.length,
        row: (row: number) => row,
        sorted: { id: state.byCount ? 'count' : 'inclusive', descending: true },
        banner: (row: number) => banner(rows, row, c),
        empty: 'no routine is in focus: choose one in Routines (1)',
      };
      return drawTable(spec, state.list, c.width, c.height, c.ascii);
    },
    rows: (state, c) => rowsIn(state, c).kind.length,
    rowText(state, row, c) {
      const routine = routineOf(rowsIn(state, c), row, c);
      return routine < 0 ? '' : routineName(c.analysis.profile, routine);
    },
    routineAt: (state, c) => routineOf(rowsIn(state, c), state.list.cursor, c),
    request(state, action, c) {
      if (action.type !== 'enter') return undefined;
      const routine = routineOf(rowsIn(state, c), state.list.cursor, c);
      return routine >= 0 && routine !== c.focus ? { type: 'show', view: 'calls', routine } : undefined;
    },
    detail(state, c) {
      const r = routineOf(rowsIn(state, c), state.list.cursor, c);
      return r < 0 ? '' : routineDetail(c.analysis.profile, r);
    },
    mode: (_, c) => (c.focus < 0 ? '' : `of ${routineName(c.analysis.profile, c.focus)}`),
  }),
);
