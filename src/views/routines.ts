// The Routines view: one row per routine, sorted, filtered and grouped.

import { analysisSoFar } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { recordedSelf } from '../analysis/answers/callgraph/inlined-into.ts';
import { routineDetail, routineName } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { groupsByLabel, keysOfGrouping, labelGroupKeys, ROUTINE_KEYS } from '../analysis/profiles/granularity/groups.ts';
import { reasonForNoRows } from '../analysis/profiles/transforms/applied.ts';
import { toggleItem } from '../base/lists.ts';
import { filterStatusText } from '../base/match.ts';
import { formatCount, formatPercent, formatShortCost, plural } from '../base/units.ts';
import { costText, percentageBaseIn } from '../columns/costs.ts';
import type { RoutineRow } from '../columns/routine-row.ts';
import { nameSort, routineTable } from '../columns/routines.ts';
import type { Kind } from '../model/profile.ts';
import { listView, START, withCursorAt } from './parts/list.ts';
import { nextValue } from './parts/options.ts';
import { makeSorting, type SortAction, type SortedList } from './parts/sorting.ts';
import { drawTable, emptyTableText } from './parts/table.ts';
import { filterOfRows, type RoutinesViewRows, routineColumnNames, routineRowsOf, runFilterOfRows } from './routine-rows.ts';
import { type Binding, key, type ViewContext } from './view.ts';

interface RoutinesState extends SortedList {
  /** `none`, `cycle`, or keys of groups with commas between them. */
  readonly group: string;
  readonly open: ReadonlySet<string>;
}

type RoutinesAction =
  | { readonly type: 'enter' | 'open-all' | 'close-all' }
  | { readonly type: 'group'; readonly value?: string }
  | SortAction;

/** The columns with the inclusive costs that are known so far, unless the order of the rows depends on the others. */
function columnsSoFar(c: ViewContext, { sort, group }: Pick<RoutinesState, 'sort' | 'group'> = { sort: 'self', group: 'none' }) {
  const analysis = sort === 'self' && group === 'none' ? analysisSoFar(c.analysis) : undefined;
  return routineTable.columns(analysis ? { ...c, analysis } : c);
}

function shownRoutineRows(state: RoutinesState, c: ViewContext): RoutinesViewRows {
  const version = filterOfRows(state.group, c)?.version ?? 0;
  return routineRowsOf(c.analysis, c.event, c.matcher, state.sort, state.descending, state.group, state.open, version);
}

/** The complete routine of a row, which may stand for only the routine's code in one file. */
const wholeRoutineOf = ({ analysis }: RoutinesViewRows, r: number): number => analysis.profile.wholes?.[r] ?? r;

/** The content of a row: a routine or a group. */
function routineRowAt(state: RoutinesState, rows: RoutinesViewRows, row: number): RoutineRow {
  const r = rows.order[row];
  const costs = rows.analysis.profile.wholes ? { costs: { analysis: rows.analysis, row: r } } : {};
  if (r < 0) {
    const group = rows.groups[-1 - r];
    return { routine: -1, ...costs, group, open: state.open.has(group.name) };
  }
  return {
    routine: wholeRoutineOf(rows, r),
    ...costs,
    running: rows.running?.[row],
    nested:
      state.group === 'cycle' ? Number(rows.inCycle.has(r)) : state.group === 'none' ? 0 : keysOfGrouping(state.group).length,
  };
}

/** The grouping, as far as a profile has it: two runs have no labels of samples. */
const groupingIn = ({ profile }: Analysis, group: string): string =>
  profile.compared && groupsByLabel(profile, group) ? 'none' : group;

const noGroupReason = (state: RoutinesState) => (state.group === 'none' ? 'routines are not grouped; o groups them' : undefined);

/** The id of the view that shows details of a routine; undefined if the profile has no such view. */
export function detailViewId({ analysis }: ViewContext): string | undefined {
  const { can } = analysis.costing;
  return can.has('calls') ? 'calls' : can.has('inputs') ? 'curve' : can.has('lines') ? 'source' : undefined;
}

const sorting = makeSorting<RoutinesState, RoutineRow, Kind>(columnsSoFar);

const GROUP_HELP = 'group by file, folder, object, whose code, namespace, class, function name, cycle, label, or not at all';
const KEYS: readonly Binding<RoutinesState, RoutinesAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'callers and callees; open or close a group', {
    footer: 'details',
    off: (state, c) =>
      detailViewId(c) === undefined && routineAt(state, c) >= 0 ? 'the profile has neither calls nor source lines' : undefined,
  }),
  ...sorting.keys,
  key('', { type: 'group' }, 'show', GROUP_HELP, {
    options: { label: 'group by', values: (_, c) => groupingsOf(c), current: ({ group }) => group },
  }),
  key('+ =', { type: 'open-all' }, 'show', 'open all groups', { off: noGroupReason }),
  key('-', { type: 'close-all' }, 'show', 'close all groups', { off: noGroupReason }),
];

/** The row under the cursor; undefined if there are no rows. */
function rowUnderCursor(state: RoutinesState, c: ViewContext): RoutineRow | undefined {
  const rows = shownRoutineRows(state, c);
  return state.list.cursor < rows.order.length ? routineRowAt(state, rows, state.list.cursor) : undefined;
}

const routineAt = (state: RoutinesState, c: ViewContext) => rowUnderCursor(state, c)?.routine ?? -1;

/** The index of a routine's row; -1 if it has none. `number`: the routine number of its code in one file. */
function rowOfRoutine(rows: RoutinesViewRows, routine: number, number = routine): number {
  const row = rows.order.indexOf(number);
  return row >= 0 ? row : rows.order.findIndex((r) => r >= 0 && wholeRoutineOf(rows, r) === routine);
}

const moveTo = (state: RoutinesState, row: number, c: ViewContext): RoutinesState => ({
  ...state,
  list: withCursorAt(state.list, row, shownRoutineRows(state, c).order.length, c.height - 1),
});

export const routinesView = listView({
  id: 'routines',
  title: 'Routines',
  columns: ['events', 'parts', 'recorded', 'perCall'],
  listsRoutines: true,
  filterColumns: routineColumnNames,
  follows: [{ flag: 'grouping' }],
  requires: ['routines'],
  report: { name: 'routines', ofFocus: false },
  followers: { beside: ['source', 'calls', 'curve'], below: ['calls', 'source', 'curve'] },
  shifts: true,
  keys: KEYS,
  ...sorting.members,
  init: (c): RoutinesState => ({
    ...sorting.initial(c),
    group: groupingIn(c.analysis, c.choices?.grouping ?? 'none'),
    open: new Set(),
  }),
  change(state, action, c) {
    const next = applyAction(state, action, c);
    if (next === state || next.list !== state.list) return next;
    // The cursor stays on its routine when the rows are reordered.
    const routine = routineAt(state, c);
    const number = shownRoutineRows(state, c).order[state.list.cursor];
    return routine < 0 ? next : moveTo(next, Math.max(0, rowOfRoutine(shownRoutineRows(next, c), routine, number)), c);
  },
  findRoutine(state, routine, c) {
    const row = rowOfRoutine(shownRoutineRows(state, c), routine);
    return row < 0 ? state : moveTo(state, row, c);
  },
  draw(state, c) {
    const rows = shownRoutineRows(state, c);
    const none = reasonForNoRows(c.analysis) ?? 'the profile is empty: no cost was recorded';
    const noMatch = `no routine matches ${c.filter} (Esc removes the filter)`;
    return drawTable(state.list, c.width, c.height, {
      columns: columnsSoFar(c, state),
      chosen: c.chosenColumns,
      rows: { length: rows.order.length, at: (row) => routineRowAt(state, rows, row) },
      sorted: { id: state.sort, descending: state.descending },
      empty: emptyTableText(c, filterOfRows(state.group, c), none, noMatch),
    });
  },
  idle: (c, ms) => nameSort(c.analysis).run(ms),
  work({ group, sort, descending }, c, ms) {
    if (!runFilterOfRows(c, sort, descending, group, ms)) return false;
    return c.analysis.costing.preparing?.run(ms) ?? true;
  },
  rowCount: (state, c) => shownRoutineRows(state, c).order.length,
  rowText(state, row, c) {
    const { routine, group } = routineRowAt(state, shownRoutineRows(state, c), row);
    return group ? group.name : routineName(c.analysis.profile, routine);
  },
  routineAt,
  cycleAt: (state, c) => rowUnderCursor(state, c)?.group?.cycle ?? 0,
  request(state, action, c) {
    const routine = action.type === 'enter' ? routineAt(state, c) : -1;
    const view = detailViewId(c);
    return routine >= 0 && view ? { type: 'show', view, routine } : undefined;
  },
  detail(state, c) {
    const row = rowUnderCursor(state, c);
    if (!row) return '';
    return row.group ? row.group.name : inlinedNote(c, row.routine) + routineDetail(c.analysis.profile, row.routine);
  },
  printed(state, c) {
    const { descending, group } = state;
    const sort = { column: state.sort, descending };
    if (group === 'none') return { sort };
    const { before, profile } = c.analysis;
    const hasReport = !before && !profile.granularity && group !== 'cycle' && ['self', 'inclusive'].includes(state.sort);
    const grouping = hasReport ? { grouping: group } : { notInReport: `routines grouped by ${group}` };
    return { sort, ...grouping, shownRows: { routines: groupedRows(state, c) } };
  },
  mode(state, c) {
    const n = shownRoutineRows(state, c).order.length;
    const all = c.analysis.profile.routines.name.length;
    const noun = c.analysis.profile.granularity ?? 'routine';
    const found = filterOfRows(state.group, c);
    if (found?.done === false)
      return `${formatCount(n)} so far, ${Math.floor(100 * found.share)}% of ${plural(all, noun)} searched`;
    const filterNote = filterStatusText(c.matcher, found);
    const count =
      (state.group === 'none' && n !== all ? `${formatCount(n)} of ${plural(all, noun)}` : plural(all, noun)) + filterNote;
    const left = c.matcher ? `, ${filteredCostText(shownRoutineRows(state, c), c)}` : '';
    return (state.group === 'none' ? count : `${count} by ${state.group}`) + left;
  },
  rebase: (state, _, to) => ({ ...state, group: groupingIn(to, state.group) }),
});

/** A note if at least half of the routine's recorded self cost is inlined code of other functions; else ''. */
function inlinedNote({ analysis: { profile, partsOff }, event }: ViewContext, routine: number): string {
  const nodes = profile.kind === 'callgraph' && partsOff.size === 0 && !event.per ? profile.nodes : undefined;
  const found = nodes && recordedSelf(nodes, event).get(routine);
  if (!found || found.inlined * 2 < found.self) return '';
  const [[first, cost]] = found.functions;
  const most = `${shortName(profile, first, 30)} ${formatShortCost(cost, event.unit)}`;
  return `${formatPercent(found.inlined, found.self)} of the ${formatShortCost(found.self, event.unit)} recorded is inlined: ${most} …  `;
}

/** The routines of open and closed groups, each with its group. */
function* groupedRows(state: RoutinesState, c: ViewContext): Generator<RoutineRow> {
  const open = { ...state, open: new Set(shownRoutineRows(state, c).groups.map((g) => g.name)) };
  const rows = shownRoutineRows(open, c);
  let inGroup: string | null = null;
  for (let row = 0; row < rows.order.length; row++) {
    const { group, routine, costs } = routineRowAt(open, rows, row);
    // A routine after the row of a cycle may not belong to that cycle.
    const isOutside = state.group === 'cycle' && !rows.inCycle.has(routine);
    if (group) inGroup = group.name;
    else yield { routine, ...(costs ? { costs } : {}), inGroup: isOutside ? null : inGroup };
  }
}

/** The summed self cost of the rows that the filter keeps. */
function filteredCostText({ running, groups }: RoutinesViewRows, c: ViewContext): string {
  const sum = running ? (running.at(-1) ?? 0) : groups.reduce((all, g) => all + g.self, 0);
  if (c.event.per) return 'filtered';
  if (Number.isNaN(sum) || !c.analysis.costing.can.has('self')) return 'self ?';
  return `self ${costText(c, sum, c.analysis.totals.selfEstimated?.includes(1))} (${formatPercent(sum, percentageBaseIn(c))})`;
}

const groupingsOf = ({ analysis: { totals, profile }, choices }: ViewContext): readonly string[] => [
  ...new Set([
    'none',
    ...ROUTINE_KEYS,
    ...(totals.cycles.count > 0 ? ['cycle'] : []),
    ...labelGroupKeys(profile),
    ...(choices?.grouping === undefined ? [] : [choices.grouping]),
  ]),
];

function applyAction(state: RoutinesState, action: RoutinesAction, c: ViewContext): RoutinesState {
  switch (action.type) {
    case 'group':
      return { ...state, group: nextValue(groupingsOf(c), state.group, action.value), open: new Set(), list: { ...START } };
    case 'open-all':
      return { ...state, open: new Set(shownRoutineRows(state, c).groups.map((g) => g.name)) };
    case 'close-all':
      return { ...state, open: new Set(), list: { ...START } };
    case 'enter': {
      const group = rowUnderCursor(state, c)?.group;
      return group ? { ...state, open: toggleItem(state.open, group.name) } : state;
    }
    default:
      return sorting.change(state, action, c);
  }
}
