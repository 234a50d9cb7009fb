// The Calls view: the routine in focus, its callers above and its callees below, by the recorded edges of the call graph.

import { type Analysis, splitsCosts } from '../analysis/answers/analysis.ts';
import { countInMeasure, countsInMeasure } from '../analysis/answers/compared/measure.ts';
import { isAnyEstimated } from '../analysis/answers/edges.ts';
import { edgesByNeighbour } from '../analysis/answers/neighbours.ts';
import { orderByNumber } from '../analysis/answers/order.ts';
import { RECORDED_COLUMN } from '../analysis/answers/part-columns.ts';
import { namelessRoutines, routineDetail, routineName } from '../analysis/names/names.ts';
import { memo } from '../base/lists.ts';
import { filterStatusText } from '../base/match.ts';
import type { TableCell } from '../base/style.ts';
import { type Exact, formatCount } from '../base/units.ts';
import { barColumn, displayColumn, largestMagnitude } from '../columns/builders.ts';
import type { Column } from '../columns/column.ts';
import { callCountText, callsTitle, isGuess, routineSides, showsChange, stateColumn } from '../columns/compared.ts';
import { changeCell, costColumnLayout, costText, insideRoutine, markWidth, shareCell, shareColumn } from '../columns/costs.ts';
import { fileOrObjectColumn, inlinedMark, nameCell, titleName } from '../columns/names.ts';
import { type CallCounts, perCallColumns } from '../columns/per-call.ts';
import { type CostTable, type Event, eventSum, eventValue, exactValue } from '../model/head.ts';
import { centreCostsOf, cycleName } from '../pictures/graph-boxes.ts';
import { noNeighboursText, runRoutineFilter } from './graph/state.ts';
import { centerCursorOn, listView, START, type StateWithList } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { routineColumnNames } from './routine-rows.ts';
import { type Binding, key, type ViewContext } from './view.ts';

interface CallsState extends StateWithList {
  readonly byCount: boolean;
  /** Whether the user has switched between the routine and its complete cycle. */
  readonly cycleToggled: boolean;
  /** Whether callers and callees below 1 % of the routine have rows of their own. */
  readonly unfolded: boolean;
  /** The focus for which the cursor was placed. If the focus changes, the cursor is placed again. */
  readonly placedFocus: number;
}

type CallsAction =
  | { readonly type: 'enter' | 'to-focus' | 'cycle' | 'graph' | 'unfold' | 'fold' }
  | { readonly type: 'by-count'; readonly value?: string };

interface CallsRow {
  readonly kind: 'caller' | 'focus' | 'callee' | 'title';
  /** -1 for a title, and for the row of several callers or callees. */
  readonly routine: number;
  /** The edges of the caller or callee. For a cycle, there may be one per member. */
  readonly edges: readonly number[];
  /** The number of small callers or callees that the row sums up. */
  readonly folded?: number;
}

/** Callers and callees with a smaller share of the routine's cost are one row. */
const LEAST_SHARE = 0.01;

const TITLE_ROW: CallsRow = { kind: 'title', routine: -1, edges: [] };

type CallsViewRows = ReturnType<typeof callRowsOf>;

const callRowsOf = memo(
  (
    analysis: Analysis,
    event: Event,
    focus: number,
    cycle: number,
    byCount: boolean,
    foldsBelow: number,
    passing: readonly number[] | undefined,
  ) => {
    if (focus < 0) return { rows: [], largestCost: 0, focusRow: 0, cycle: 0, callsItself: false };
    const { edges } = analysis;
    const counts = countsInMeasure(analysis, event.measure, edges.count, edges.costs);
    const kept = passing && new Set(passing);
    const isNameless = namelessRoutines(analysis.profile)[focus] === 1;
    const sortRows = (kind: 'caller' | 'callee'): CallsRow[] => {
      // Unnamed code that calls other unnamed code of its object says nothing about a routine.
      const isShown = (r: number) => (!kept || kept.has(r)) && !(isNameless && r === focus);
      const hit = [...edgesByNeighbour(analysis, focus, cycle, `${kind}s`)].filter(([r]) => isShown(r));
      const costs = hit.map(([, all]) => Math.abs(eventSum(event, edges.costs, all)));
      const sumOfCounts = hit.map(([, all]) => Math.abs(all.reduce((sum, e) => sum + counts[e], 0)));
      // Sorted by absolute cost, so that the largest changes since the base come first.
      const order = Array.from(orderByNumber(byCount ? sumOfCounts : costs, true));
      const rowOf = (i: number): CallsRow => ({ kind, routine: hit[i][0], edges: hit[i][1] });
      const small = order.filter((i) => costs[i] < foldsBelow);
      if (small.length < 2) return order.map(rowOf);
      const rest = { kind, routine: -1, edges: small.flatMap((i) => hit[i][1]), folded: small.length };
      return [...order.filter((i) => costs[i] >= foldsBelow).map(rowOf), rest];
    };
    // Callers are in ascending order: the most expensive one is directly above the routine in focus.
    const callers = sortRows('caller').reverse();
    const callees = sortRows('callee');
    const rows: CallsRow[] = [TITLE_ROW, ...callers, { kind: 'focus', routine: focus, edges: [] }, TITLE_ROW, ...callees];
    const largestCost = largestMagnitude([...callers, ...callees], (row) => eventSum(event, edges.costs, row.edges));
    const callsItself = isNameless && edgesByNeighbour(analysis, focus, cycle, 'callees').has(focus);
    return { rows, largestCost, focusRow: callers.length + 1, cycle, callsItself };
  },
  4,
);

/** The number of the cycle that is shown as one; 0 if a routine is shown. */
function shownCycle(state: CallsState, c: ViewContext): number {
  const cycle = c.focus < 0 ? 0 : c.analysis.totals.cycles.of[c.focus];
  return c.wholeCycle !== state.cycleToggled ? cycle : 0;
}

/** The filter of the callers and callees, run for the time budget of a key; undefined without a filter. */
const runNeighbourFilter = (state: CallsState, c: ViewContext) =>
  runRoutineFilter({ routine: c.focus, cycle: shownCycle(state, c) }, 1, c);

function shownCallRows(state: CallsState, c: ViewContext): CallsViewRows {
  const found = runNeighbourFilter(state, c);
  const cycle = shownCycle(state, c);
  const { inclusive, row } = centreCostsOf(c, { routine: c.focus, cycle });
  const folds = !state.unfolded && !found && !c.analysis.before && !c.event.per && row >= 0;
  const foldsBelow = folds ? LEAST_SHARE * Math.abs(eventValue(c.event, inclusive, row)) : 0;
  return callRowsOf(c.analysis, c.event, c.focus, cycle, state.byCount, foldsBelow, found?.passingRows());
}

const routineUnderCursor = (state: CallsState, c: ViewContext): number =>
  shownCallRows(state, c).rows[state.list.cursor]?.routine ?? -1;

function nameCellOf(shown: CallsViewRows, { kind, routine, edges: [edge], folded }: CallsRow, c: ViewContext): TableCell {
  if (folded !== undefined)
    return { text: `${kind === 'caller' ? '  ' : '    '}▸ ${formatCount(folded)} ${kind}s below 1%`, style: 'dim' };
  const { totals, edges } = c.analysis;
  const cycle = totals.cycles.of[routine];
  const same = kind !== 'focus' && (routine === c.focus || (cycle > 0 && cycle === totals.cycles.of[c.focus]));
  const loop = same ? '↻ ' : '';
  const arrow = kind === 'focus' ? '● ' : kind === 'caller' ? '  ↓ ' : '    → ';
  const style = kind === 'focus' ? 'bold' : 'plain';
  if (kind === 'focus' && shown.cycle > 0) return { text: arrow + cycleName(shown.cycle), style };
  const inlined = kind === 'focus' ? totals.inlined?.[routine] : edges.inlined?.[edge];
  return nameCell(c, routine, { before: arrow + loop, after: inlinedMark(kind === 'caller' ? 0 : inlined), style });
}

function nameColumns(shown: CallsViewRows, c: ViewContext): Column<CallsRow>[] {
  return [
    displayColumn('routine', (row) => nameCellOf(shown, row, c), {
      width: c.width < 60 ? 16 : 30,
      flex: 3,
      cut: c.analysis.profile.granularity === 'line' ? 'place' : 'middle',
      rank: 9,
    }),
    fileOrObjectColumn<CallsRow>(c, ({ routine }) => routine, { width: 14, rank: 2 }),
  ];
}

/** Columns with shares of the total or of the focus, and bars. `value`: the cost in a row, or else of the focus. */
function shareColumns({ largestCost }: CallsViewRows, c: ViewContext, value: (event: Event, row?: CallsRow) => number) {
  const share = (row: CallsRow) => shareCell(c, value(c.event, row), row.kind === 'focus' ? undefined : value);
  const bars = () => barColumn<CallsRow>(c, (row) => value(c.event, row), Math.max(largestCost, Math.abs(value(c.event))));
  return [
    ...shareColumn<CallsRow>(c, '%', share, { title: c.percent === 'parent' ? '%focus' : '%' }),
    ...(showsChange(c) ? [] : bars()),
  ];
}

function columnsOf(shown: CallsViewRows, context: ViewContext): Column<CallsRow>[] {
  const { totals, edges, costing } = context.analysis;
  const { cycle } = shown;
  const focus = ({ kind }: CallsRow) => kind === 'focus';
  const bold = (row: CallsRow, text: string): TableCell => ({ text, style: focus(row) ? 'bold' : 'plain' });
  const focusCosts = centreCostsOf(context, { routine: context.focus, cycle });
  const c = insideRoutine(context, focusCosts.row, focusCosts.inclusive);
  const sum = (row: CallsRow, of: (edge: number) => number) => row.edges.reduce((all, e) => all + of(e), 0);
  const value = (event: Event, row?: CallsRow) =>
    row?.edges.length ? eventSum(event, edges.costs, row.edges) : eventValue(event, focusCosts.inclusive, focusCosts.row);
  const splits = splitsCosts(c.analysis);
  const countsOf = (row: CallsRow): CallCounts | undefined => {
    if (focus(row)) return cycle > 0 ? undefined : [totals.calls[c.focus], totals.inclusive.at(-1)?.[c.focus] ?? 0];
    return [sum(row, (e) => edges.count[e]), sum(row, (e) => edges.costs.at(-1)?.[e] ?? 0)];
  };
  const countTextOf = (row: CallsRow) => {
    const counts = countsOf(row);
    const none = !focus(row) && counts && countInMeasure(c.analysis, c.event.measure, ...counts) === 0;
    return none || !counts ? '' : callCountText(c, ...counts, splits && isEstimated(row, 'inclusive'));
  };
  const sides = (row: CallsRow) => {
    if (focus(row)) return cycle > 0 ? undefined : routineSides(c, c.focus);
    const [first] = row.edges;
    if (first === undefined || row.folded !== undefined) return undefined;
    return { in: edges.sides?.[first] ?? 3, guess: isGuess(c, row.routine) };
  };
  const cost = (row: CallsRow, inclusive: CostTable, costs: CostTable) => {
    if (focus(row)) return exactValue(c.event, inclusive, focusCosts.row);
    const [only, ...more] = row.edges;
    return more.length === 0 ? exactValue(c.event, costs, only) : eventSum(c.event, costs, row.edges);
  };
  // Only routines have recorded costs, not cycles.
  const recorded = cycle === 0 && c.extraParts.includes(RECORDED_COLUMN) ? edges.recorded : undefined;
  const recordedText = (row: CallsRow) => (recorded ? costText(c, cost(row, totals.recorded ?? totals.inclusive, recorded)) : '');
  /** Whether the cost in a row is an estimate. Callers and callees use their edges, a cycle its members. */
  const isEstimated = (row: CallsRow, what: 'self' | 'inclusive') => {
    if (!focus(row)) return isAnyEstimated(edges, row.edges);
    const { of } = totals.cycles;
    return cycle === 0
      ? totals.estimated?.[what][c.focus] === 1
      : (totals.selfEstimated?.some((doubt, r) => doubt === 1 && of[r] === cycle) ?? false);
  };
  const costCellOf = (row: CallsRow, exact: Exact, what: 'self' | 'inclusive', costIn: (event: Event) => number) => {
    const cell = changeCell(c, costText(c, exact, isEstimated(row, what)), costIn);
    return focus(row) ? bold(row, typeof cell === 'string' ? cell : cell.text) : cell;
  };
  const inclusiveText = (row: CallsRow) =>
    costCellOf(row, cost(row, focusCosts.inclusive, edges.costs), 'inclusive', (event) => value(event, row));
  const selfText = (row: CallsRow) => {
    if (!focus(row)) return '';
    const self = (event: Event) => eventValue(event, focusCosts.self, focusCosts.row);
    return costCellOf(row, exactValue(c.event, focusCosts.self, focusCosts.row), 'self', self);
  };
  return [
    displayColumn('inclusive', inclusiveText, { ...costColumnLayout(c, 'incl', c.event, markWidth(c, 'inclusive')), rank: 9 }),
    ...shareColumns(shown, c, value),
    ...(recorded ? [displayColumn(RECORDED_COLUMN, recordedText, { ...costColumnLayout(c, RECORDED_COLUMN), rank: 4 })] : []),
    displayColumn('self', selfText, { ...costColumnLayout(c, 'self', c.event, markWidth(c, 'self')), rank: 3 }),
    {
      id: 'count',
      title: callsTitle(c),
      width: showsChange(c) ? 10 : 9,
      align: 'right',
      rank: 5,
      text: costing.can.has('counts') ? countTextOf : undefined,
    },
    ...perCallColumns<CallsRow>(c, { inclusive: { of: value, isEstimated: (row) => isEstimated(row, 'inclusive') } }, countsOf),
    ...stateColumn<CallsRow>(c, sides),
    ...nameColumns(shown, c),
  ];
}

function titleRowText({ rows, focusRow, callsItself }: CallsViewRows, row: number, c: ViewContext): string | undefined {
  if (rows[row].kind !== 'title') return undefined;
  const side = row === 0 ? rows.slice(1, focusRow) : rows.slice(focusRow + 2);
  const n = side.reduce((sum, { folded = 1 }) => sum + folded, 0);
  const what = row === 0 ? 'callers' : 'callees';
  if (n === 0 && !callsItself) return noNeighboursText(what, c);
  return `${formatCount(n)} ${n === 1 ? what.slice(0, -1) : what}${callsItself ? ', besides itself: costs overlap' : ''}`;
}

const KEYS: readonly Binding<CallsState, CallsAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'move the focus to the caller or callee', {
    footer: 'go there',
    off(state, c) {
      const { routine, folded } = shownCallRows(state, c).rows[state.list.cursor] ?? TITLE_ROW;
      if (folded !== undefined) return undefined;
      if (routine < 0) return 'the cursor is not on a routine';
      return routine === c.focus ? 'this routine is already in focus' : undefined;
    },
  }),
  key('', { type: 'by-count' }, 'show', 'sort by cost or by number of calls', {
    sorts: true,
    options: { label: 'sort by', values: () => ['inclusive', 'count'], current: (s) => (s.byCount ? 'count' : 'inclusive') },
    usable: (c) => c.analysis.costing.can.has('counts'),
    off: (_, c) => (c.analysis.costing.can.has('counts') ? undefined : 'the profile has no call counts'),
  }),
  key('', { type: 'cycle' }, 'show', 'only the routine, or its whole cycle', {
    usable: (c) => c.analysis.totals.cycles.count > 0,
    off: (_, c) => (c.focus >= 0 && c.analysis.totals.cycles.of[c.focus] > 0 ? undefined : 'the routine is in no cycle'),
  }),
  key('+ =', { type: 'unfold' }, 'show', 'show callers and callees below 1% of the routine, too', {
    off: (state, c) =>
      shownCallRows(state, c).rows.some(({ folded }) => folded !== undefined) ? undefined : 'all callers and callees are shown',
  }),
  key('-', { type: 'fold' }, 'show', 'sum up callers and callees below 1% of the routine', {
    off: ({ unfolded }) => (unfolded ? undefined : 'small callers and callees are folded'),
  }),
  key('', { type: 'graph' }, 'view', 'the graph: callers and callees as boxes, two levels each way'),
  key('.', { type: 'to-focus' }, 'move', 'go back to the routine in focus', {
    off(state, c) {
      if (c.focus < 0) return 'no routine is in focus: choose one in Routines';
      return state.list.cursor === shownCallRows(state, c).focusRow ? 'the cursor is on the routine in focus' : undefined;
    },
  }),
];

/** The routine in focus and `wholeCycle`, encoded as one number to compare with `placedFocus`. */
const focusKey = (c: ViewContext) => c.focus * 2 + (c.wholeCycle ? 1 : 0);

function placeCursorOnFocus(state: CallsState, c: ViewContext): CallsState {
  const { rows, focusRow } = shownCallRows(state, c);
  const list = centerCursorOn({ ...state.list, left: 0 }, focusRow, rows.length, c.height - 1);
  return { ...state, placedFocus: focusKey(c), list };
}

/** Shows or sums up small callers and callees. The cursor stays among the callees, and else goes to the routine in focus. */
function unfoldSmall(state: CallsState, unfolded: boolean, c: ViewContext): CallsState {
  const isBelow = unfolded && state.list.cursor > shownCallRows(state, c).focusRow;
  const next = placeCursorOnFocus({ ...state, unfolded }, c);
  const moved = shownCallRows(next, c).focusRow - shownCallRows(state, c).focusRow;
  return isBelow ? { ...next, list: { ...state.list, cursor: state.list.cursor + moved } } : next;
}

export const callsView = listView({
  id: 'calls',
  title: 'Calls',
  columns: ['recorded', 'perCall'],
  requires: ['calls'],
  filterColumns: routineColumnNames,
  report: { name: 'calls', ofFocus: true },
  followers: { beside: ['source', 'instrs'], below: ['source', 'instrs'] },
  shifts: true,
  keys: KEYS,
  headings: {
    columns: (state, c) => columnsOf(shownCallRows(state, c), c),
    sort: (column, { byCount }): CallsAction | undefined =>
      column === (byCount ? 'inclusive' : 'count') ? { type: 'by-count' } : undefined,
  },
  sortNames: (c) => (c.analysis.costing.can.has('counts') ? ['inclusive', 'count'] : ['inclusive']),
  init: (c): CallsState => ({
    list: START,
    byCount: c.choices.sort?.column === 'count',
    cycleToggled: false,
    unfolded: false,
    placedFocus: -1,
  }),
  change(state, action, c) {
    if (action.type === 'to-focus') return placeCursorOnFocus(state, c);
    // Enter reaches this only on a row of several: others open a view.
    if (action.type === 'fold' || action.type === 'unfold' || action.type === 'enter')
      return unfoldSmall(state, action.type !== 'fold', c);
    if (action.type === 'cycle') return placeCursorOnFocus({ ...state, cycleToggled: !state.cycleToggled }, c);
    return action.type === 'by-count'
      ? { ...state, byCount: action.value === undefined ? !state.byCount : action.value === 'count' }
      : state;
  },
  work: (state, c, ms) => runNeighbourFilter(state, c)?.run(ms) ?? true,
  adaptToContext: (state, c) =>
    state.placedFocus === focusKey(c) ? state : placeCursorOnFocus({ ...state, cycleToggled: false, unfolded: false }, c),
  draw(state, c) {
    const shown = shownCallRows(state, c);
    return drawTable(state.list, c.width, c.height, {
      columns: columnsOf(shown, c),
      rows: shown.rows,
      chosen: c.chosenColumns,
      sorted: { id: state.byCount ? 'count' : 'inclusive', descending: true },
      banner: (row) => titleRowText(shown, row, c),
      empty: 'no routine is in focus: choose one in Routines',
    });
  },
  rowCount: (state, c) => shownCallRows(state, c).rows.length,
  rowText(state, row, c) {
    const { routine } = shownCallRows(state, c).rows[row];
    return routine < 0 ? '' : routineName(c.analysis.profile, routine);
  },
  routineAt: routineUnderCursor,
  request(state, action, c) {
    const routine = routineUnderCursor(state, c);
    if (action.type === 'graph') return { type: 'show', view: 'graph', routine: routine < 0 ? c.focus : routine };
    if (action.type !== 'enter') return undefined;
    return routine >= 0 && routine !== c.focus ? { type: 'show', view: 'calls', routine } : undefined;
  },
  detail(state, c) {
    const r = routineUnderCursor(state, c);
    return r < 0 ? '' : routineDetail(c.analysis.profile, r);
  },
  printed: (state, c) => ({
    sort: { column: state.byCount ? 'count' : 'inclusive', descending: true },
    notInReport: shownCycle(state, c) > 0 ? 'the calls of a whole cycle' : undefined,
  }),
  mode(state, c, width) {
    if (c.focus < 0) return '';
    const cycle = shownCycle(state, c);
    const filterNote = filterStatusText(c.matcher, runNeighbourFilter(state, c));
    const nameWidth = width - 3 - filterNote.length;
    return `of ${cycle > 0 ? `${cycleName(cycle)}, all its routines` : titleName(c, c.focus, nameWidth)}${filterNote}`;
  },
});
