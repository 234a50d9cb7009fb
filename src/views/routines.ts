// Routines: one row each, sorted, filtered, grouped.
import { wholeOf } from '../analysis/analysis.ts';
import { foldTemplates } from '../analysis/cpp-names.ts';
import { baseName, routineDetail, routineFile, routineName, routineObject, UNKNOWN } from '../analysis/names.ts';
import { formatCount, formatPercent, formatShort, plural } from '../base/units.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import { hasCounts, hasInclusive, hasSelf, hasTable } from '../model/profile.ts';
import { costColumn, costText, PERCENT_COLUMN, percentCell } from './parts/costs.ts';
import { at, LIST_KEYS, type List, moveList, SHIFT_KEYS, START } from './parts/list.ts';
import { bar, type Cell, type Column, drawTable, heat } from './parts/table.ts';
import {
  filterFor,
  filteringOf,
  GROUPS,
  type Group,
  type GroupRow,
  type Rows,
  rowsOf,
  sortNamesFor,
  sumOf,
} from './routine-rows.ts';
import type { Action, Binding, View, ViewContext } from './view.ts';

const SORTS = ['self', 'inclusive', 'calls', 'routine', 'file', 'object'] as const;
const noCalls = (_: RoutinesState, c: ViewContext) =>
  hasInclusive(c.analysis.profile) ? undefined : 'the profile has no calls: there is only self cost';
type Sort = (typeof SORTS)[number];

export interface RoutinesState {
  readonly list: List;
  /** A column, or `event:NAME` for the self cost of an event that has a column of its own. */
  readonly sort: Sort | `event:${string}`;
  readonly descending: boolean;
  readonly group: Group;
  /** Names of the groups that are open. */
  readonly open: ReadonlySet<string>;
  /** Depth down to which template arguments are shown; -1 all. */
  readonly templates: number;
  /** Members of a cycle as one row. */
  readonly cycles: boolean;
}

function rowsIn(state: RoutinesState, c: ViewContext): Rows {
  const version = filteringOf(c.analysis, c.matcher)?.version ?? 0;
  return rowsOf(c.analysis, c.event, c.matcher, state.sort, state.descending, state.group, state.open, state.cycles, version);
}

const BAR = 10;

function columnsOf(state: RoutinesState, c: ViewContext): Column[] {
  const mark = (column: string): 'asc' | 'desc' | undefined =>
    state.sort === column ? (state.descending ? 'desc' : 'asc') : undefined;
  const extra = c.extraEvents.map((e) => costColumn(c, e.name, 5, mark(`event:${e.name}`), e));
  const share = c.percent === 'none' ? [] : [PERCENT_COLUMN];
  const inclusive = hasInclusive(c.analysis.profile);
  return [
    costColumn(c, 'self', 9, mark('self')),
    ...share,
    { title: '', width: BAR, rank: 2 },
    // Columns are told from a table by what the profile has: without calls there is only self cost.
    ...(inclusive ? [costColumn(c, 'incl', 7, mark('inclusive')), ...share.map((s) => ({ ...s, rank: 6 }))] : []),
    { title: 'cum%', width: 7, align: 'right', rank: 1 },
    ...(hasCounts(c.analysis.profile)
      ? [{ title: 'calls', width: c.width < 60 ? 6 : 9, align: 'right' as const, rank: 4, sorted: mark('calls') }]
      : []),
    ...extra,
    { title: 'routine', width: c.width < 60 ? 14 : 28, flex: 3, cut: 'middle', rank: 9, sorted: mark('routine') },
    { title: 'file', width: 14, flex: 1, cut: 'start', rank: 3, style: 'dim', sorted: mark('file') },
    { title: 'object', width: 12, flex: 0.5, cut: 'start', rank: 0, style: 'dim', sorted: mark('object') },
  ];
}

function shownName(state: RoutinesState, c: ViewContext, routine: number): string {
  return foldTemplates(routineName(c.analysis.profile, routine), state.templates);
}

function routineCells(state: RoutinesState, c: ViewContext, rows: Rows, row: number, routine: number): (string | Cell)[] {
  const { profile, totals } = c.analysis;
  const whole = wholeOf(c.analysis, c.event);
  const self = eventValue(c.event, totals.self, routine);
  const inclusive = eventValue(c.event, totals.inclusive, routine);
  const cycle = totals.cycles.of[routine];
  const shares = c.percent === 'none' ? [] : [percentCell(c, self)];
  const inclusiveShares = c.percent === 'none' ? [] : [percentCell(c, inclusive)];
  const object = routineObject(profile, routine);
  const nested = rows.groups.length > 0 && (state.group !== 'none' || cycle > 0) ? '  ' : '';
  return [
    hasSelf(profile) ? costText(c, exactValue(c.event, totals.self, routine)) : '?',
    ...(hasSelf(profile) ? shares : shares.map(() => '?')),
    { text: bar(self / whole, BAR, c.ascii), style: heat(self / whole) },
    ...(hasInclusive(profile) ? [costText(c, exactValue(c.event, totals.inclusive, routine)), ...inclusiveShares] : []),
    rows.running && !c.event.per ? formatPercent(rows.running[row], whole) : '',
    ...(hasCounts(profile) ? [c.width < 60 ? formatShort(totals.calls[routine]) : formatCount(totals.calls[routine])] : []),
    ...c.extraEvents.map((e) => costText(c, exactValue(e, totals.self, routine), false, e)),
    `${nested}${cycle > 0 ? (c.ascii ? `(c${cycle}) ` : `↻${cycle} `) : ''}${shownName(state, c, routine)}`,
    routineFile(profile, routine) || UNKNOWN,
    object ? baseName(object) : UNKNOWN,
  ];
}

function groupCells(state: RoutinesState, c: ViewContext, g: GroupRow): (string | Cell)[] {
  const whole = wholeOf(c.analysis, c.event);
  const mark = state.open.has(g.name) ? (c.ascii ? '-' : '▾') : c.ascii ? '+' : '▸';
  const none = c.percent === 'none';
  const hasCalls = hasInclusive(c.analysis.profile);
  return [
    { text: costText(c, g.self), style: 'bold' },
    ...(none ? [] : [percentCell(c, g.self)]),
    { text: bar(g.self / whole, BAR, c.ascii), style: heat(g.self / whole) },
    ...(hasCalls ? [g.inclusive === undefined ? '' : costText(c, g.inclusive)] : []),
    ...(none || !hasCalls ? [] : [g.inclusive === undefined ? '' : percentCell(c, g.inclusive)]),
    '',
    ...(hasCounts(c.analysis.profile) ? [''] : []),
    ...c.extraEvents.map((e) => costText(c, sumOf(c.analysis, e, g.routines), false, e)),
    { text: `${mark} ${g.name} (${plural(g.routines.length, 'routine')})`, style: 'bold' },
    '',
    '',
  ];
}

const noGroup = (state: RoutinesState) =>
  state.group === 'none' && !state.cycles ? 'nothing is grouped (o groups, c folds cycles)' : undefined;

const KEYS: readonly Binding<RoutinesState>[] = [
  ...(LIST_KEYS as readonly Binding<RoutinesState>[]),
  ...(SHIFT_KEYS as readonly Binding<RoutinesState>[]),
  {
    keys: ['enter'],
    action: { type: 'enter' },
    help: 'callers and callees of the routine; open or close a group',
    group: 'view',
    footer: 'calls',
  },
  { keys: ['s'], action: { type: 'sort', column: 'self' }, help: 'sort by self cost', group: 'show', footer: 'self' },
  {
    keys: ['i'],
    action: { type: 'sort', column: 'inclusive' },
    help: 'sort by inclusive cost',
    group: 'show',
    footer: 'incl',
    off: noCalls,
  },
  { keys: ['>'], action: { type: 'sort-next', by: 1 }, help: 'sort by the next column', group: 'show' },
  { keys: ['<'], action: { type: 'sort-next', by: -1 }, help: 'sort by the column before', group: 'show' },
  { keys: ['r'], action: { type: 'reverse' }, help: 'reverse the order', group: 'show' },
  {
    keys: ['o'],
    action: { type: 'group' },
    help: 'group by file, object, namespace, class, nothing',
    group: 'show',
    footer: 'group',
  },
  { keys: ['+', '='], action: { type: 'open-all' }, help: 'open all groups', group: 'show', off: noGroup },
  { keys: ['-'], action: { type: 'close-all' }, help: 'close all groups', group: 'show', off: noGroup },
  { keys: ['t'], action: { type: 'templates' }, help: 'fold template arguments: at depth 0, 1, 2, not at all', group: 'show' },
  {
    keys: ['c'],
    action: { type: 'cycles' },
    help: 'members of a cycle as one row, or apart',
    group: 'show',
    off: (_, c) => (c.analysis.totals.cycles.count === 0 ? 'the call graph has no cycle' : undefined),
  },
];

export const routines: View<RoutinesState> = {
  id: 'routines',
  title: 'Routines',
  digit: '1',
  ownCursor: true,
  requires: ['routines'],
  report: 'routines',
  keys: KEYS,
  init: () => ({ list: START, sort: 'self', descending: true, group: 'none', open: new Set(), templates: -1, cycles: false }),

  update(state, action, c) {
    if (action.type === 'find-routine') {
      const row = rowsIn(state, c).order.indexOf(action['routine'] as number);
      return row < 0 ? state : this.moveTo(state, row, c);
    }
    const next = change(state, action, c);
    // The cursor stays on its routine where the rows change places.
    if (next !== state && next.list === state.list) {
      const routine = this.routineAt(state, c);
      if (routine >= 0) return this.moveTo(next, Math.max(0, rowsIn(next, c).order.indexOf(routine)), c);
    }
    const rows = rowsIn(next, c).order.length;
    return { ...next, list: moveList(next.list, action, rows, c.height - 1) };
  },

  draw(state, c) {
    const rows = rowsIn(state, c);
    const spec = {
      columns: columnsOf(state, c),
      rows: rows.order.length,
      cells: (row: number) => {
        const r = rows.order[row];
        return r < 0 ? groupCells(state, c, rows.groups[-1 - r]) : routineCells(state, c, rows, row, r);
      },
      empty: looking(c)
        ? 'looking …'
        : c.filter
          ? `no routine matches ${c.filter} (Esc takes the filter away)`
          : 'the profile has no routine: nothing was counted',
    };
    return drawTable(spec, state.list, c.width, c.height, c.ascii);
  },

  idle: (c, ms) => sortNamesFor(c.analysis, ms),
  work: (state, c, ms) => filterFor(c.analysis, c.event, c.matcher, state.sort, state.descending, ms),
  rows: (state, c) => rowsIn(state, c).order.length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, rowsIn(state, c).order.length, c.height - 1) }),
  rowText(state, row, c) {
    const rows = rowsIn(state, c);
    const r = rows.order[row];
    return r < 0 ? rows.groups[-1 - r].name : routineName(c.analysis.profile, r);
  },
  routineAt(state, c) {
    const r = rowsIn(state, c).order[state.list.cursor];
    return r === undefined || r < 0 ? -1 : r;
  },
  asks(state, action, c) {
    const routine = action.type === 'enter' ? this.routineAt(state, c) : -1;
    const { profile } = c.analysis;
    const view = hasTable(profile, 'calls') ? 'calls' : hasTable(profile, 'inputs') ? 'curve' : 'source';
    return routine >= 0 ? { type: 'show', view, routine } : undefined;
  },
  detail(state, c) {
    const rows = rowsIn(state, c);
    const r = rows.order[state.list.cursor];
    if (r === undefined) return '';
    if (r < 0) return rows.groups[-1 - r].name;
    const { profile } = c.analysis;
    return routineDetail(profile, r);
  },
  mode: (state, c) => {
    const n = rowsIn(state, c).order.length;
    const all = c.analysis.profile.routines.name.length;
    const noun = c.analysis.profile.grain ?? 'routine';
    const far = looking(c);
    if (far) return `${formatCount(n)} so far, ${far} of ${plural(all, noun)} looked at`;
    const count = state.group === 'none' && n !== all ? `${formatCount(n)} of ${plural(all, noun)}` : plural(all, noun);
    return state.group === 'none' ? count : `${count} by ${state.group}`;
  },
};

/** The share of the routines that the filter has looked at; undefined where it is done. */
function looking(c: ViewContext): string | undefined {
  const filtering = filteringOf(c.analysis, c.matcher);
  return !filtering || filtering.done ? undefined : `${Math.floor(100 * filtering.share)}%`;
}

function change(state: RoutinesState, action: Action, c: ViewContext): RoutinesState {
  switch (action.type) {
    case 'sort':
      return sortBy(state, action['column'] as Sort);
    case 'sort-next': {
      const all: RoutinesState['sort'][] = [...SORTS, ...c.extraEvents.map((e): `event:${string}` => `event:${e.name}`)];
      const place = all.indexOf(state.sort) + (action['by'] as number);
      return sortBy(state, all[(place + all.length) % all.length]);
    }
    case 'reverse':
      return { ...state, descending: !state.descending };
    case 'group':
      return { ...state, group: GROUPS[(GROUPS.indexOf(state.group) + 1) % GROUPS.length], open: new Set(), list: { ...START } };
    case 'open-all':
      return { ...state, open: new Set(rowsIn(state, c).groups.map((g) => g.name)) };
    case 'close-all':
      return { ...state, open: new Set(), list: { ...START } };
    case 'templates':
      return { ...state, templates: state.templates === 2 ? -1 : state.templates + 1 };
    case 'cycles':
      return { ...state, cycles: !state.cycles, group: 'none' };
    case 'enter': {
      const rows = rowsIn(state, c);
      const r = rows.order[state.list.cursor];
      if (r === undefined || r >= 0) return state;
      const { name } = rows.groups[-1 - r];
      const open = new Set(state.open);
      if (!open.delete(name)) open.add(name);
      return { ...state, open };
    }
    default:
      return state;
  }
}

function sortBy(state: RoutinesState, column: RoutinesState['sort']): RoutinesState {
  const text = column === 'routine' || column === 'file' || column === 'object';
  // The same column again turns the order around, as everywhere.
  const descending = state.sort === column ? !state.descending : !text;
  return { ...state, sort: column, descending, list: { ...START } };
}
