// Calls: who calls the routine in focus, above it; whom it calls, below. From the true edges of the call graph.
import type { Analysis } from '../analysis/analysis.ts';
import { routineDetail, routineFile, routineName, UNKNOWN } from '../analysis/names.ts';
import { orderByNumber } from '../analysis/order.ts';
import { type Matcher, taking } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { formatCount } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { type Event, hasCounts } from '../model/profile.ts';
import { costColumn, costText, PERCENT_COLUMN, percentCell } from './parts/costs.ts';
import { at, LIST_KEYS, type List, moveList, SHIFT_KEYS, START } from './parts/list.ts';
import { type Cell, drawTable } from './parts/table.ts';
import type { Binding, View, ViewContext } from './view.ts';

export interface CallsState {
  readonly list: List;
  readonly byCount: boolean;
  /** The routine that the cursor was placed for; another one in focus places it anew. */
  readonly placed: number;
}

type Kind = 'caller' | 'focus' | 'callee' | 'title';

interface Rows {
  readonly kind: readonly Kind[];
  /** Edge number of callers and callees; count of edges of a title. */
  readonly edge: readonly number[];
  readonly focusRow: number;
  readonly out: number;
}

const rowsOf = memo((analysis: Analysis, event: Event, focus: number, byCount: boolean, matcher: Matcher | undefined): Rows => {
  const { edges, profile } = analysis;
  if (focus < 0) return { kind: [], edge: [], focusRow: 0, out: 0 };
  const sortEdges = (list: number[], other: (e: number) => number) => {
    const hit = takes ? list.filter((e) => takes(other(e))) : list;
    const key = hit.map((e) => (byCount ? edges.count[e] : eventValue(event, edges.costs, e)));
    return Array.from(orderByNumber(key, true), (i) => hit[i]);
  };
  const into = Array.from(edges.into.order.subarray(edges.into.from[focus], edges.into.from[focus + 1]));
  const out = Array.from({ length: edges.from[focus + 1] - edges.from[focus] }, (_, k) => edges.from[focus] + k);
  const around = [...into.map((e) => edges.caller[e]), ...out.map((e) => edges.callee[e])];
  const takes = matcher && taking(matcher, around, (r) => [routineName(profile, r)]);
  // Callers from the least to the most expensive: the one that matters stands next to the routine.
  const callers = sortEdges(into, (e) => edges.caller[e]).reverse();
  const callees = sortEdges(out, (e) => edges.callee[e]);
  const kind: Kind[] = ['title', ...callers.map((): Kind => 'caller'), 'focus', 'title', ...callees.map((): Kind => 'callee')];
  const edge = [callers.length, ...callers, -1, callees.length, ...callees];
  return { kind, edge, focusRow: callers.length + 1, out: callees.length };
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

function nameCell(rows: Rows, row: number, c: ViewContext): string {
  const { profile, totals } = c.analysis;
  const routine = routineOf(rows, row, c);
  const kind = rows.kind[row];
  const cycle = totals.cycles.of[routine];
  const same = kind !== 'focus' && (routine === c.focus || (cycle > 0 && cycle === totals.cycles.of[c.focus]));
  const loop = same ? (c.ascii ? '(rec) ' : '↻ ') : '';
  const arrow =
    kind === 'focus' ? (c.ascii ? '* ' : '● ') : kind === 'caller' ? (c.ascii ? '  v ' : '  ↓ ') : c.ascii ? '    > ' : '    → ';
  return arrow + loop + routineName(profile, routine);
}

function cells(rows: Rows, row: number, c: ViewContext): (string | Cell)[] {
  const { totals, edges, profile } = c.analysis;
  const routine = routineOf(rows, row, c);
  const inclusive = eventValue(c.event, totals.inclusive, c.focus);
  const file = routineFile(profile, routine) || UNKNOWN;
  const share = (v: number, parent?: number) => (c.percent === 'none' ? [] : [percentCell(c, v, parent)]);
  if (rows.kind[row] === 'focus') {
    return [
      { text: costText(c, exactValue(c.event, totals.inclusive, routine)), style: 'bold' },
      ...share(inclusive),
      costText(c, exactValue(c.event, totals.self, routine)),
      hasCounts(profile) ? formatCount(totals.calls[routine]) : '',
      { text: nameCell(rows, row, c), style: 'bold' },
      file,
    ];
  }
  const e = rows.edge[row];
  const count = edges.count[e];
  return [
    costText(c, exactValue(c.event, edges.costs, e)),
    ...share(eventValue(c.event, edges.costs, e), inclusive),
    '',
    count === 0 ? '' : formatCount(count),
    nameCell(rows, row, c),
    file,
  ];
}

function banner(rows: Rows, row: number, c: ViewContext): string | undefined {
  if (rows.kind[row] !== 'title') return undefined;
  const n = rows.edge[row];
  const what = row === 0 ? 'callers' : 'callees';
  if (n === 0)
    return c.filter
      ? `no ${what} that match ${c.filter}`
      : row === 0
        ? 'no callers: the start of a thread, or called from what was not recorded'
        : 'no callees';
  return `${formatCount(n)} ${n === 1 ? what.slice(0, -1) : what}`;
}

const noMove = (state: CallsState, c: ViewContext) => {
  const routine = routineOf(rowsIn(state, c), state.list.cursor, c);
  return routine < 0 ? 'the cursor is on no routine' : routine === c.focus ? 'this routine is in focus' : undefined;
};

const KEYS: readonly Binding<CallsState>[] = [
  ...(LIST_KEYS as readonly Binding<CallsState>[]),
  ...(SHIFT_KEYS as readonly Binding<CallsState>[]),
  {
    keys: ['enter'],
    action: { type: 'enter' },
    help: 'the caller or callee into focus',
    group: 'view',
    footer: 'focus',
    off: noMove,
  },
  {
    keys: ['s'],
    action: { type: 'by-count' },
    help: 'sort by cost, or by number of calls',
    group: 'show',
    footer: 'sort',
    off: (_, c) => (hasCounts(c.analysis.profile) ? undefined : 'the profile does not say how often routines were called'),
  },
  { keys: ['x'], action: { type: 'to-focus' }, help: 'cursor back to the routine in focus', group: 'move' },
];

export const calls: View<CallsState> = {
  id: 'calls',
  title: 'Calls',
  digit: '2',
  requires: ['calls'],
  report: 'calls',
  keys: KEYS,
  init: () => ({ list: START, byCount: false, placed: -1 }),
  update(state, action, c) {
    const next = action.type === 'by-count' ? { ...state, byCount: !state.byCount } : state;
    const rows = rowsIn(next, c);
    const height = c.height - 1;
    if (next.placed !== c.focus || action.type === 'to-focus') {
      const list = at({ ...next.list, left: 0 }, rows.focusRow, rows.kind.length, height);
      return { ...next, placed: c.focus, list: moveList(list, { type: 'center' }, rows.kind.length, height) };
    }
    return { ...next, list: moveList(next.list, action, rows.kind.length, height) };
  },
  draw(state, c) {
    const rows = rowsIn(state, c);
    const spec = {
      columns: [
        costColumn(c, 'incl', 9, state.byCount ? undefined : 'desc'),
        ...(c.percent === 'none' ? [] : [{ ...PERCENT_COLUMN, title: c.percent === 'parent' ? '%focus' : '%' }]),
        costColumn(c, 'self', 3),
        {
          title: hasCounts(c.analysis.profile) ? 'calls' : '',
          width: hasCounts(c.analysis.profile) ? 9 : 0,
          align: 'right' as const,
          rank: 5,
          sorted: state.byCount ? ('desc' as const) : undefined,
        },
        { title: 'routine', width: c.width < 60 ? 16 : 30, flex: 3, cut: 'middle' as const, rank: 9 },
        { title: 'file', width: 14, flex: 1, cut: 'start' as const, rank: 2, style: 'dim' as const },
      ],
      rows: rows.kind.length,
      cells: (row: number) => cells(rows, row, c),
      banner: (row: number) => banner(rows, row, c),
      empty: 'no routine is in focus: choose one in Routines (1)',
    };
    return drawTable(spec, state.list, c.width, c.height, c.ascii);
  },
  rows: (state, c) => rowsIn(state, c).kind.length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsIn(state, c).kind.length, c.height - 1) }),
  rowText(state, row, c) {
    const routine = routineOf(rowsIn(state, c), row, c);
    return routine < 0 ? '' : routineName(c.analysis.profile, routine);
  },
  routineAt: (state, c) => routineOf(rowsIn(state, c), state.list.cursor, c),
  asks(state, action, c) {
    if (action.type !== 'enter') return undefined;
    const routine = routineOf(rowsIn(state, c), state.list.cursor, c);
    return routine >= 0 && routine !== c.focus ? { type: 'show', view: 'calls', routine } : undefined;
  },
  detail(state, c) {
    const { profile } = c.analysis;
    const r = routineOf(rowsIn(state, c), state.list.cursor, c);
    return r < 0 ? '' : routineDetail(profile, r);
  },
  mode: (_, c) => (c.focus < 0 ? '' : `of ${routineName(c.analysis.profile, c.focus)}`),
};
