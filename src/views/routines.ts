// Routines: one row each, sorted, filtered, grouped.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { recordedSelf } from '../analysis/answers/callgraph/inlined-into.ts';
import { routineDetail, routineName } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { whyNothing } from '../analysis/profiles/transforms/applied.ts';
import { filterText } from '../base/match.ts';
import { formatCount, formatPercent, formatShortCost, plural } from '../base/units.ts';
import { sortable, sortNamesOf } from '../columns/column.ts';
import { costText, wholeIn } from '../columns/costs.ts';
import type { RoutineRow } from '../columns/routine-row.ts';
import { routineTable, sortNamesFor } from '../columns/routines.ts';
import type { Kind } from '../model/profile.ts';
import { entry } from './open-view.ts';
import { at, type List, listView, START } from './parts/list.ts';
import { chosen } from './parts/options.ts';
import { changeSorting, type SortAction, type Sorting, sortKeys, startSorting } from './parts/sorting.ts';
import { drawTable } from './parts/table.ts';
import { analysisFor, filterFor, filteringOf, GROUPS, type Group, type Rows, rowsOf } from './routine-rows.ts';
import { type Binding, key, ofAnyKind, type ViewContext } from './view.ts';

interface RoutinesState extends Sorting {
  readonly list: List;
  readonly group: Group;
  /** Names of the open groups. */
  readonly open: ReadonlySet<string>;
}

type RoutinesAction =
  | { readonly type: 'enter' | 'open-all' | 'close-all' }
  | { readonly type: 'group'; readonly value?: string }
  | SortAction;

function rowsIn(state: RoutinesState, c: ViewContext): Rows {
  const analysis = analysisFor(c.analysis, state.group);
  const version = filteringOf(analysis, c.matcher)?.version ?? 0;
  return rowsOf(analysis, c.event, c.matcher, state.sort, state.descending, state.group, state.open, version);
}

/** The routine of a number in the rows: of its lines in one file, the whole. */
const wholeOf = ({ of }: Rows, r: number): number => of.profile.wholes?.[r] ?? r;

/** The contents of a row. */
function rowAt(state: RoutinesState, rows: Rows, row: number): RoutineRow {
  const r = rows.order[row];
  const costs = rows.of.profile.wholes ? { costs: { analysis: rows.of, row: r } } : {};
  if (r < 0) {
    const group = rows.groups[-1 - r];
    return { routine: -1, ...costs, group, open: state.open.has(group.name) };
  }
  return {
    routine: wholeOf(rows, r),
    ...costs,
    running: rows.running?.[row],
    nested: state.group === 'cycle' ? rows.inCycle.has(r) : state.group !== 'none',
  };
}

const noGroup = (state: RoutinesState) => (state.group === 'none' ? 'routines are not grouped; o groups them' : undefined);

/** The view that says more about a routine; undefined if the profile has none. */
function detailView({ analysis }: ViewContext): string | undefined {
  const { can } = analysis.costing;
  return can.has('calls') ? 'calls' : can.has('inputs') ? 'curve' : can.has('lines') ? 'source' : undefined;
}

const KEYS: readonly Binding<RoutinesState, RoutinesAction>[] = [
  key('enter', { type: 'enter' }, 'view', 'callers and callees; open or close a group', {
    footer: 'details',
    off: (state, c) =>
      detailView(c) === undefined && routineAt(state, c) >= 0 ? 'the profile has neither calls nor source lines' : undefined,
  }),
  ...sortKeys<RoutinesState, Kind>((_, c) => sortChoices(c)),
  key('', { type: 'group' }, 'show', 'group by file, object, namespace, class, cycle, function name, or not at all', {
    options: {
      of: 'group by',
      values: (_, c) => groupsOf(c),
      now: ({ group }) => group,
    },
  }),
  key('+ =', { type: 'open-all' }, 'show', 'open all groups', { off: noGroup }),
  key('-', { type: 'close-all' }, 'show', 'close all groups', { off: noGroup }),
];

const routineAt = (state: RoutinesState, c: ViewContext) => {
  const rows = rowsIn(state, c);
  const r = rows.order[state.list.cursor];
  return r === undefined || r < 0 ? -1 : wholeOf(rows, r);
};

/** The row of a routine, the one of that number among those of its lines in several files; -1 if there is none. */
function rowOf(rows: Rows, routine: number, number = routine): number {
  const row = rows.order.indexOf(number);
  return row >= 0 ? row : rows.order.findIndex((r) => r >= 0 && wholeOf(rows, r) === routine);
}

function moveTo(state: RoutinesState, row: number, c: ViewContext): RoutinesState {
  return { ...state, list: at(state.list, row, rowsIn(state, c).order.length, c.height - 1) };
}

export const routines = entry(
  listView({
    id: 'routines',
    title: 'Routines',
    digit: '1',
    columns: ['events', 'parts', 'recorded'],
    listsRoutines: true,
    asks: ['routines'],
    report: { name: 'routines', ofFocus: false },
    followers: { beside: ['source', 'calls', 'curve'], below: ['calls', 'source', 'curve'] },
    of: ofAnyKind,
    shifts: true,
    keys: KEYS,
    headings: {
      columns: (_, c) => routineTable.columns(c),
      sort: (column, _, c): RoutinesAction | undefined =>
        sortChoices(c).includes(column) ? { type: 'sort', column } : undefined,
    },
    sorts: sortsOf,
    init: (c): RoutinesState => ({
      list: START,
      ...startSorting(c.choices.sort, routineTable.columns(c), { sort: 'self', descending: true }, (column) => !column.ascends),
      group: 'none',
      open: new Set(),
    }),
    change(state, action, c) {
      const next = change(state, action, c);
      if (next === state || next.list !== state.list) return next;
      // The cursor stays on its routine when the rows are reordered.
      const routine = routineAt(state, c);
      const number = rowsIn(state, c).order[state.list.cursor];
      return routine < 0 ? next : moveTo(next, Math.max(0, rowOf(rowsIn(next, c), routine, number)), c);
    },
    findRoutine(state, routine, c) {
      const row = rowOf(rowsIn(state, c), routine);
      return row < 0 ? state : moveTo(state, row, c);
    },
    draw(state, c) {
      const rows = rowsIn(state, c);
      const spec = {
        columns: routineTable.columns(c),
        rows: rows.order.length,
        row: (row: number) => rowAt(state, rows, row),
        sorted: { id: state.sort, descending: state.descending },
        empty: looking(state, c)
          ? 'searching …'
          : c.filter
            ? `no routine matches ${c.filter} (Esc removes the filter)`
            : (whyNothing(c.analysis) ?? 'the profile is empty: no cost was recorded'),
      };
      return drawTable(spec, state.list, c.width, c.height);
    },
    idle: (c, ms) => sortNamesFor(c.analysis, ms),
    work: (state, c, ms) => filterFor(analysisFor(c.analysis, state.group), c.event, c.matcher, state.sort, state.descending, ms),
    rows: (state, c) => rowsIn(state, c).order.length,
    rowText(state, row, c) {
      const { routine, group } = rowAt(state, rowsIn(state, c), row);
      return group ? group.name : routineName(c.analysis.profile, routine);
    },
    routineAt,
    cycleAt(state, c) {
      const rows = rowsIn(state, c);
      return state.list.cursor < rows.order.length ? (rowAt(state, rows, state.list.cursor).group?.cycle ?? 0) : 0;
    },
    request(state, action, c) {
      const routine = action.type === 'enter' ? routineAt(state, c) : -1;
      const view = detailView(c);
      return routine >= 0 && view ? { type: 'show', view, routine } : undefined;
    },
    detail(state, c) {
      const rows = rowsIn(state, c);
      if (state.list.cursor >= rows.order.length) return '';
      const { routine, group } = rowAt(state, rows, state.list.cursor);
      return group ? group.name : inlinedNote(c, routine) + routineDetail(c.analysis.profile, routine);
    },
    printed(state, c) {
      const { sort, descending, group } = state;
      const grouped = { unsaid: `routines grouped by ${group}`, chosen: { routines: groupedRows(state, c) } };
      return { sort: { column: sort, descending }, ...(group === 'none' ? {} : grouped) };
    },
    mode(state, c) {
      const n = rowsIn(state, c).order.length;
      const all = c.analysis.profile.routines.name.length;
      const noun = c.analysis.profile.grain ?? 'routine';
      const far = looking(state, c);
      if (far) return `${formatCount(n)} so far, ${far} of ${plural(all, noun)} searched`;
      const letters = filterText(c.matcher, filteringOf(analysisFor(c.analysis, state.group), c.matcher));
      const count =
        (state.group === 'none' && n !== all ? `${formatCount(n)} of ${plural(all, noun)}` : plural(all, noun)) + letters;
      const left = c.matcher ? `, ${leftText(rowsIn(state, c), c)}` : '';
      return (state.group === 'none' ? count : `${count} by ${state.group}`) + left;
    },
    rebase: (state, _: Analysis, __: Analysis) => state,
  }),
);

/** How much of what was recorded for a routine is code of others, where these are shown. */
function inlinedNote({ analysis: { profile, partsOff }, event }: ViewContext, routine: number): string {
  const nodes = profile.kind === 'callgraph' && partsOff.size === 0 && !event.per ? profile.nodes : undefined;
  const found = nodes && recordedSelf(nodes, event).get(routine);
  if (!found || found.inlined * 2 < found.self) return '';
  const [[first, cost]] = found.functions;
  const most = `${shortName(profile, first, 30)} ${formatShortCost(cost, event.unit)}`;
  return `${formatPercent(found.inlined, found.self)} of the ${formatShortCost(found.self, event.unit)} recorded is inlined: ${most} …  `;
}

/** The routines of all groups, open or not, with the group that each is in. */
function* groupedRows(state: RoutinesState, c: ViewContext): Generator<RoutineRow> {
  const names = new Set(rowsIn(state, c).groups.map((g) => g.name));
  const open = { ...state, open: names };
  const rows = rowsIn(open, c);
  let inGroup: string | null = null;
  for (let row = 0; row < rows.order.length; row++) {
    const { group, routine, costs } = rowAt(open, rows, row);
    if (group) inGroup = group.name;
    // After a cycle come routines that are in none.
    else
      yield {
        routine,
        ...(costs ? { costs } : {}),
        inGroup: state.group === 'cycle' && !rows.inCycle.has(routine) ? null : inGroup,
      };
  }
}

/** The self cost of what a filter left. */
function leftText({ running, groups }: Rows, c: ViewContext): string {
  const sum = running ? (running.at(-1) ?? 0) : groups.reduce((all, g) => all + g.self, 0);
  if (c.event.per) return 'filtered';
  if (Number.isNaN(sum) || !c.analysis.costing.can.has('self')) return 'self ?';
  return `self ${costText(c, sum, c.analysis.totals.estimated?.self.includes(1))} (${formatPercent(sum, wholeIn(c))})`;
}

/** The share of routines filtered so far; undefined when done. */
function looking({ group }: RoutinesState, c: ViewContext): string | undefined {
  const filtering = filteringOf(analysisFor(c.analysis, group), c.matcher);
  return !filtering || filtering.done ? undefined : `${Math.floor(100 * filtering.share)}%`;
}

/** Values of --sort: all columns, shown or not. */
function sortsOf(c: ViewContext): string[] {
  return sortNamesOf(routineTable.columns(c));
}

/** The columns that < and > cycle through: those that are shown. */
function sortChoices(c: ViewContext): string[] {
  return sortable(routineTable.columns(c)).flatMap((column) => (column.text ? [column.id] : []));
}

const groupsOf = (c: ViewContext): readonly Group[] =>
  c.analysis.totals.cycles.count > 0 ? GROUPS : GROUPS.filter((g) => g !== 'cycle');

function change(state: RoutinesState, action: RoutinesAction, c: ViewContext): RoutinesState {
  switch (action.type) {
    case 'group':
      return { ...state, group: chosen(groupsOf(c), state.group, action.value), open: new Set(), list: { ...START } };
    case 'open-all':
      return { ...state, open: new Set(rowsIn(state, c).groups.map((g) => g.name)) };
    case 'close-all':
      return { ...state, open: new Set(), list: { ...START } };
    case 'enter': {
      const { group } = rowAt(state, rowsIn(state, c), state.list.cursor);
      if (!group) return state;
      const open = new Set(state.open);
      if (!open.delete(group.name)) open.add(group.name);
      return { ...state, open };
    }
    default:
      return changeSorting(state, action, sortChoices(c), (id) => !['routine', 'file', 'object'].includes(id));
  }
}
