// Calls: the routine in focus with its callers above and its callees below, from the true edges of the call graph.

import { type Analysis, splitsCosts } from '../analysis/answers/analysis.ts';
import { shownCount, shownCounts } from '../analysis/answers/compared/measure.ts';
import { edgesByNeighbour } from '../analysis/answers/neighbours.ts';
import { orderByNumber } from '../analysis/answers/order.ts';
import { RECORDED } from '../analysis/answers/part-columns.ts';
import { routineDetail, routineName } from '../analysis/names/names.ts';
import { appliedTo } from '../analysis/profiles/transforms/applied.ts';
import { filterText, type Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { type Sifting, siftingFor } from '../base/sifting.ts';
import type { Cell } from '../base/style.ts';
import { formatCount } from '../base/units.ts';
import { barColumn, largest, shown } from '../columns/builders.ts';
import type { Column } from '../columns/column.ts';
import { callsTitle, countText, routineSides, showsChange, stateColumn } from '../columns/compared.ts';
import { costRoom, costText, markRoom, shareCell, shareColumn } from '../columns/costs.ts';
import { inlinedMark, nameCell, placeColumn, titleName } from '../columns/names.ts';
import { type CostTable, eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { entry } from './open-view.ts';
import { jumpTo, type List, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { type Binding, key, ofAnyKind, type ViewContext } from './view.ts';

interface CallsState {
  readonly list: List;
  readonly byCount: boolean;
  /** The user chose the other of: the routine alone, its whole cycle. */
  readonly flipped: boolean;
  /** The focus that the cursor was placed for; it is placed again when that changes. */
  readonly placed: number;
}

type CallsAction = { readonly type: 'enter' | 'to-focus' | 'cycle' } | { readonly type: 'by-count'; readonly value?: string };

type RowKind = 'caller' | 'focus' | 'callee' | 'title';

interface Rows {
  readonly kind: readonly RowKind[];
  /** The other routine of callers and callees; the number of rows below a title. */
  readonly other: readonly number[];
  /** The edges of each caller and callee: one, or those with all members of the cycle. */
  readonly edges: readonly (readonly number[])[];
  /** The largest cost of a caller or callee. */
  readonly most: number;
  readonly focusRow: number;
  /** The number of the cycle whose callers and callees these are; 0 for those of a routine. */
  readonly cycle: number;
}

/** The edges of each caller and callee. */
interface Sides {
  readonly into: ReadonlyMap<number, readonly number[]>;
  readonly out: ReadonlyMap<number, readonly number[]>;
}

const sidesOf = memo(
  (analysis: Analysis, focus: number, cycle: number): Sides => ({
    into: edgesByNeighbour(analysis, focus, cycle, 'callers'),
    out: edgesByNeighbour(analysis, focus, cycle, 'callees'),
  }),
  4,
);

const siftingOf = memo(({ profile }: Analysis, { into, out }: Sides, matcher: Matcher) =>
  siftingFor(matcher, [...new Set([...into.keys(), ...out.keys()])], (r) => [routineName(profile, r)]),
);

const rowsOf = memo(
  (
    analysis: Analysis,
    event: Event,
    focus: number,
    cycle: number,
    byCount: boolean,
    sifting: Sifting<number> | undefined,
    _version: number | undefined,
  ): Rows => {
    if (focus < 0) return { kind: [], other: [], edges: [], most: 0, focusRow: 0, cycle: 0 };
    const { edges } = analysis;
    const { into, out } = sidesOf(analysis, focus, cycle);
    const counts = shownCounts(analysis, event.measure, edges.count, edges.costs);
    const kept = sifting && new Set(sifting.kept());
    const sortRows = (list: ReadonlyMap<number, readonly number[]>) => {
      const hit = kept ? [...list].filter(([r]) => kept.has(r)) : [...list];
      const key = hit.map(([, all]) =>
        all.reduce((sum, e) => sum + (byCount ? counts[e] : eventValue(event, edges.costs, e)), 0),
      );
      // With two runs, the most changed are the most interesting.
      return Array.from(orderByNumber(key.map(Math.abs), true), (i) => hit[i]);
    };
    // Callers in ascending order, so that the most expensive one is next to the routine.
    const callers = sortRows(into).reverse();
    const callees = sortRows(out);
    const kind: RowKind[] = [
      'title',
      ...callers.map((): RowKind => 'caller'),
      'focus',
      'title',
      ...callees.map((): RowKind => 'callee'),
    ];
    return {
      kind,
      other: [callers.length, ...callers.map(([r]) => r), focus, callees.length, ...callees.map(([r]) => r)],
      edges: [[], ...callers.map(([, e]) => e), [], [], ...callees.map(([, e]) => e)],
      most: largest([...callers, ...callees], ([, all]) => all.reduce((sum, e) => sum + eventValue(event, edges.costs, e), 0)),
      focusRow: callers.length + 1,
      cycle,
    };
  },
  4,
);

/** The cycle that is shown as a whole; 0 for the routine alone. */
function cycleShown(state: CallsState, c: ViewContext): number {
  const cycle = c.focus < 0 ? 0 : c.analysis.totals.cycles.of[c.focus];
  return c.wholeCycle !== state.flipped ? cycle : 0;
}

/** The filter's progress over callers and callees. */
function sifting(state: CallsState, c: ViewContext): Sifting<number> | undefined {
  if (!c.matcher || c.focus < 0) return undefined;
  return siftingOf(c.analysis, sidesOf(c.analysis, c.focus, cycleShown(state, c)), c.matcher).begun(c.patienceMs);
}

function rowsIn(state: CallsState, c: ViewContext): Rows {
  const found = sifting(state, c);
  return rowsOf(c.analysis, c.event, c.focus, cycleShown(state, c), state.byCount, found, found?.version);
}

function routineOf(rows: Rows, row: number, c: ViewContext): number {
  const kind = rows.kind[row];
  if (kind === 'focus') return c.focus;
  return kind === 'caller' || kind === 'callee' ? rows.other[row] : -1;
}

function nameText(rows: Rows, row: number, c: ViewContext): Cell {
  const { totals, edges } = c.analysis;
  const routine = routineOf(rows, row, c);
  const kind = rows.kind[row];
  const cycle = totals.cycles.of[routine];
  const same = kind !== 'focus' && (routine === c.focus || (cycle > 0 && cycle === totals.cycles.of[c.focus]));
  const loop = same ? '↻ ' : '';
  const arrow = kind === 'focus' ? '● ' : kind === 'caller' ? '  ↓ ' : '    → ';
  const style = kind === 'focus' ? 'bold' : 'plain';
  if (kind === 'focus' && rows.cycle > 0) return { text: arrow + cycleName(rows.cycle), style };
  const inlined = kind === 'focus' ? totals.inlined?.[routine] : edges.inlined?.[rows.edges[row][0]];
  return nameCell(c, routine, { before: arrow + loop, after: inlinedMark(kind === 'caller' ? 0 : inlined), style });
}

const cycleName = (cycle: number) => `<cycle ${cycle}>`;

function nameColumns(rows: Rows, c: ViewContext): Column<number>[] {
  const { profile } = c.analysis;
  return [
    shown('routine', (row) => nameText(rows, row, c), {
      width: c.width < 60 ? 16 : 30,
      flex: 3,
      cut: profile.grain === 'line' ? 'place' : 'middle',
      rank: 9,
    }),
    placeColumn<number>(c, (row) => routineOf(rows, row, c), { width: 14, rank: 2 }),
  ];
}

/** Shares of the whole or of the focus, and bars. `value`: the cost of a row in an event. */
function shareColumns(rows: Rows, c: ViewContext, value: (row: number, event: Event) => number): Column<number>[] {
  const focus = (event: Event) => value(rows.focusRow, event);
  const share = (row: number) => shareCell(c, value(row, c.event), row === rows.focusRow ? undefined : focus);
  const bars = () => barColumn<number>(c, (row) => value(row, c.event), Math.max(rows.most, Math.abs(focus(c.event))));
  return [
    ...shareColumn<number>(c, '%', share, { title: c.percent === 'parent' ? '%focus' : '%' }),
    ...(showsChange(c) ? [] : bars()),
  ];
}

/** The columns' rows are row numbers. */
function columnsOf(rows: Rows, c: ViewContext): Column<number>[] {
  const { totals, edges, costing } = c.analysis;
  const focus = (row: number) => rows.kind[row] === 'focus';
  const bold = (row: number, text: string): Cell => ({ text, style: focus(row) ? 'bold' : 'plain' });
  // The focus: the row of its costs, in the tables of routines or of cycles.
  const own =
    rows.cycle > 0 ? { self: totals.cycleSelf, inclusive: totals.cycleInclusive, row: rows.cycle } : { ...totals, row: c.focus };
  const sum = (row: number, of: (edge: number) => number) => rows.edges[row].reduce((all, e) => all + of(e), 0);
  const value = (row: number, event: Event) =>
    rows.edges[row]?.length ? sum(row, (e) => eventValue(event, edges.costs, e)) : eventValue(event, own.inclusive, own.row);
  const splits = splitsCosts(c.analysis);
  const counts = (row: number) => {
    if (focus(row))
      return rows.cycle > 0
        ? ''
        : countText(c, totals.calls[c.focus], totals.inclusive.at(-1)?.[c.focus] ?? 0, splits && guessed(row, 'inclusive'));
    const [now, before] = [sum(row, (e) => edges.count[e]), sum(row, (e) => edges.costs.at(-1)?.[e] ?? 0)];
    const none = !showsChange(c) && shownCount(c.analysis, c.event.measure, now, before) === 0;
    return none ? '' : countText(c, now, before, splits && guessed(row, 'inclusive'));
  };
  const sides = (row: number) => {
    if (focus(row)) return rows.cycle > 0 ? undefined : routineSides(c, c.focus);
    const [first] = rows.edges[row];
    return first === undefined ? undefined : { in: edges.sides?.[first] ?? 3 };
  };
  const cost = (row: number, inclusive: CostTable, costs: CostTable) => {
    if (focus(row)) return exactValue(c.event, inclusive, own.row);
    const [only, ...more] = rows.edges[row];
    return more.length === 0 ? exactValue(c.event, costs, only) : sum(row, (e) => eventValue(c.event, costs, e));
  };
  // Nobody recorded the cost of a cycle.
  const recorded = rows.cycle === 0 && c.extraParts.includes(RECORDED) ? edges.recorded : undefined;
  /** A cycle has the cost of its members; callers and callees that of their edges. */
  const guessed = (row: number, what: 'self' | 'inclusive') => {
    if (!focus(row)) return rows.edges[row].some((e) => edges.estimated?.[e] === 1);
    const { of } = totals.cycles;
    return rows.cycle === 0
      ? totals.estimated?.[what][c.focus] === 1
      : (totals.estimated?.self.some((doubt, r) => doubt === 1 && of[r] === rows.cycle) ?? false);
  };
  return [
    shown('inclusive', (row) => bold(row, costText(c, cost(row, own.inclusive, edges.costs), guessed(row, 'inclusive'))), {
      ...costRoom(c, 'incl', c.event, markRoom(c, 'inclusive')),
      rank: 9,
    }),
    ...shareColumns(rows, c, value),
    ...(recorded
      ? [
          shown<number>(RECORDED, (row) => costText(c, cost(row, totals.recorded ?? totals.inclusive, recorded)), {
            ...costRoom(c, RECORDED),
            rank: 4,
          }),
        ]
      : []),
    shown('self', (row) => (focus(row) ? costText(c, exactValue(c.event, own.self, own.row), guessed(row, 'self')) : ''), {
      ...costRoom(c, 'self', c.event, markRoom(c, 'self')),
      rank: 3,
    }),
    {
      id: 'count',
      title: callsTitle(c),
      width: showsChange(c) ? 10 : 9,
      align: 'right',
      rank: 5,
      text: costing.can.has('counts') ? counts : undefined,
    },
    ...stateColumn<number>(c, sides),
    ...nameColumns(rows, c),
  ];
}

function banner(rows: Rows, row: number, c: ViewContext): string | undefined {
  if (rows.kind[row] !== 'title') return undefined;
  const n = rows.other[row];
  const what = row === 0 ? 'callers' : 'callees';
  if (n > 0) return `${formatCount(n)} ${n === 1 ? what.slice(0, -1) : what}`;
  if (c.filter) return `no ${what} that match ${c.filter}`;
  if (appliedTo(c.analysis.profile).length > 0) return `no ${what} are left`;
  return row === 0 ? 'no callers: the start of a thread, or called from unrecorded code' : 'no callees';
}

const noMove = (state: CallsState, c: ViewContext) => {
  const routine = routineOf(rowsIn(state, c), state.list.cursor, c);
  return routine < 0 ? 'the cursor is not on a routine' : routine === c.focus ? 'this routine is already in focus' : undefined;
};

const KEYS: readonly Binding<CallsState, CallsAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'move the focus to the caller or callee', { footer: 'go there', off: noMove }),
  key('>', { type: 'by-count' }, 'show', 'sort by cost or by number of calls', {
    options: {
      of: 'sort by',
      values: () => ['inclusive', 'count'],
      now: ({ byCount }) => (byCount ? 'count' : 'inclusive'),
    },
    usable: (c) => c.analysis.costing.can.has('counts'),
    off: (_, c) => (c.analysis.costing.can.has('counts') ? undefined : 'the profile has no call counts'),
  }),
  key('', { type: 'cycle' }, 'show', 'the routine alone, or its whole cycle', {
    usable: (c) => c.analysis.totals.cycles.count > 0,
    off: (_, c) => (c.focus >= 0 && c.analysis.totals.cycles.of[c.focus] > 0 ? undefined : 'the routine is in no cycle'),
  }),
  key('.', { type: 'to-focus' }, 'move', 'go back to the routine in focus', {
    off: (state, c) =>
      c.focus < 0
        ? 'no routine is in focus: choose one in Routines (1)'
        : state.list.cursor === rowsIn(state, c).focusRow
          ? 'the cursor is on the routine in focus'
          : undefined,
  }),
];

/** The routine in focus and whether its cycle is. */
const focusKey = (c: ViewContext) => c.focus * 2 + (c.wholeCycle ? 1 : 0);

/** Places the cursor on the routine in focus. */
function placed(state: CallsState, c: ViewContext): CallsState {
  const rows = rowsIn(state, c);
  const list = jumpTo({ ...state.list, left: 0 }, rows.focusRow, rows.kind.length, c.height - 1);
  return { ...state, placed: focusKey(c), list };
}

export const calls = entry(
  listView({
    id: 'calls',
    title: 'Calls',
    digit: '2',
    columns: ['recorded'],
    asks: ['calls'],
    report: { name: 'calls', ofFocus: true },
    followers: { beside: ['source', 'instrs'], below: ['source', 'instrs'] },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    headings: {
      columns: (state, c) => columnsOf(rowsIn(state, c), c),
      sort: (column, { byCount }): CallsAction | undefined =>
        column === (byCount ? 'inclusive' : 'count') ? { type: 'by-count' } : undefined,
    },
    sorts: (c) => (c.analysis.costing.can.has('counts') ? ['inclusive', 'count'] : ['inclusive']),
    init: (c): CallsState => ({ list: START, byCount: c.choices.sort?.column === 'count', flipped: false, placed: -1 }),
    change(state, action, c) {
      if (action.type === 'to-focus') return placed(state, c);
      if (action.type === 'cycle') return placed({ ...state, flipped: !state.flipped }, c);
      return action.type === 'by-count'
        ? { ...state, byCount: action.value === undefined ? !state.byCount : action.value === 'count' }
        : state;
    },
    work: (state, c, ms) => sifting(state, c)?.run(ms) ?? true,
    settle: (state, c) => (state.placed === focusKey(c) ? state : placed({ ...state, flipped: false }, c)),
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
      return drawTable(spec, state.list, c.width, c.height);
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
    printed: (state, c) => ({
      sort: { column: state.byCount ? 'count' : 'inclusive', descending: true },
      unsaid: cycleShown(state, c) > 0 ? 'the calls of a whole cycle' : undefined,
    }),
    mode(state, c, room) {
      if (c.focus < 0) return '';
      const cycle = cycleShown(state, c);
      const letters = filterText(c.matcher, sifting(state, c));
      const left = room - 3 - letters.length;
      return `of ${cycle > 0 ? `${cycleName(cycle)}, all its routines` : titleName(c, c.focus, left)}${letters}`;
    },
  }),
);
