// The rows of the Routines view: sorted, filtered, grouped, with cycles folded.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { NameFilter } from '../analysis/names/filtering.ts';
import { routineFile, routineName, routineObject } from '../analysis/names/names.ts';
import { splitRoutines } from '../analysis/profiles/granularity/groups.ts';
import { groupByKey, memo, sortedByKey } from '../base/lists.ts';
import { incrementalFilter, type Matcher } from '../base/match.ts';
import { type Column, findColumnByName, sortByColumn } from '../columns/column.ts';
import { conditionNames, filterByTest, viewTestOfConditions } from '../columns/conditions.ts';
import { groupsOf, nestedGroups } from '../columns/routine-groups.ts';
import type { RoutineGroup, RoutineRow } from '../columns/routine-row.ts';
import { routinesBySelf, routineTable, sortingContext } from '../columns/routines.ts';
import { type Event, eventColumn, eventValue } from '../model/head.ts';
import { cycleName } from '../pictures/graph-boxes.ts';
import type { ViewContext } from './view.ts';

export interface RoutinesViewRows {
  /** The analysis that the routine numbers belong to. */
  readonly analysis: Analysis;
  /** By row: a routine number, or -1 - the index of a group. */
  readonly order: Int32Array;
  readonly groups: readonly RoutineGroup[];
  /** By row: the cumulative self cost from the first row on; undefined if rows are nested. */
  readonly running: Float64Array | undefined;
  /** The routines that are listed below the row of their cycle. */
  readonly inCycle: ReadonlySet<number>;
}

const NO_ROUTINES: ReadonlySet<number> = new Set();

/** The sort column. It depends only on the analysis and the event, not on the screen. */
const sortColumn = memo(
  (analysis: Analysis, event: Event, sort: string): Column<RoutineRow> | undefined =>
    findColumnByName(routineTable.columns(sortingContext(analysis, event, sort)), sort),
  4,
);

/** The routines in sort order. Equal ones are in order of self cost, inclusive cost, and position in the file. */
const sortedRoutines = memo((analysis: Analysis, event: Event, sort: string, descending: boolean): Uint32Array => {
  const first = routinesBySelf(analysis, event);
  if (sort === 'self' && descending) return first;
  const column = sortColumn(analysis, event, sort);
  const among = sort === 'self' ? undefined : first;
  return column ? sortByColumn(column, { count: first.length, rowAt: (routine) => ({ routine }), among }, descending) : first;
}, 4);

const columnsOf = (analysis: Analysis, event: Event) => routineTable.columns(sortingContext(analysis, event, ''));

export const routineColumnNames = (_state: unknown, { analysis, event }: ViewContext): string[] =>
  conditionNames(columnsOf(analysis, event));

/** The test of routines by the filter's conditions on columns of Routines; undefined if it has none. */
const routineTestOf = memo((analysis: Analysis, event: Event, { conditions }: Matcher) => {
  if (!conditions) return undefined;
  const found = viewTestOfConditions(conditions, columnsOf(analysis, event), sortingContext(analysis, event, ''), (row) =>
    [routineName, routineFile, routineObject].map((textOf) => textOf(analysis.profile, row.routine) ?? ''),
  );
  return { ...found, test: (routine: number) => found.test({ routine }) };
});

/** The filter of some routines, by conditions on the columns of Routines, else by name. */
export function filterOfRoutines(analysis: Analysis, event: Event, matcher: Matcher, routines: readonly number[]) {
  const conditions = routineTestOf(analysis, event, matcher);
  if (conditions) return filterByTest(routines, conditions);
  return incrementalFilter(matcher, routines, (r) => [routineName(analysis.profile, r)]);
}

const nameFilterWith = memo(
  (of: Analysis, matcher: Matcher, event: Event | undefined) =>
    new NameFilter(of.profile, matcher, event && routineTestOf(of, event, matcher)),
);

/** The filter of all routines; undefined without one. Names do not depend on the event. */
export const nameFilterOf = (analysis: Analysis, { event, matcher }: Pick<ViewContext, 'event' | 'matcher'>) =>
  matcher && nameFilterWith(analysis, matcher, matcher.conditions && event);

/** Whether the rows are groups of routines by a key. */
const isGrouped = (group: string): boolean => group !== 'none' && group !== 'cycle';

/** The analysis whose routines the rows are: some groupings split them. */
export const analysisFor = (shown: Analysis, group: string): Analysis =>
  isGrouped(group) ? splitRoutines(shown, group).analysis : shown;

/** The filter of the routines of the rows. */
export const filterOfRows = (group: string, c: ViewContext) => nameFilterOf(analysisFor(c.analysis, group), c);

/** Continues the filter of the routines, the first rows first; true once done. */
export function runFilterOfRows(c: ViewContext, sort: string, descending: boolean, group: string, ms: number): boolean {
  const filter = filterOfRows(group, c);
  return !filter || filter.done || filter.run(sortedRoutines(analysisFor(c.analysis, group), c.event, sort, descending), ms);
}

export const routineRowsOf = memo(
  (
    shown: Analysis,
    event: Event,
    matcher: Matcher | undefined,
    sort: string,
    descending: boolean,
    group: string,
    open: ReadonlySet<string>,
    /** The version of the filter's result, so that rows are computed again when it grows. */
    _version: number,
  ): RoutinesViewRows => {
    const analysis = analysisFor(shown, group);
    const hit = nameFilterOf(analysis, { event, matcher })?.hit;
    let order = sortedRoutines(analysis, event, sort, descending);
    if (hit) order = order.filter((r) => hit[r] === 1);
    if (group === 'cycle') return foldCycles(analysis, event, order, sort, descending, open);
    if (isGrouped(group)) {
      const split = splitRoutines(shown, group);
      const found = groupsOf(split, event, order.filter(split.isShown));
      // Some columns have no sort key.
      const key = sortColumn(analysis, event, sort)?.key;
      const groups = key ? sortedByKey(found, (g) => key({ routine: -1, group: g }), descending) : found;
      const rows: number[] = [];
      const number = new Map(groups.map((g, i) => [g, i]));
      for (const group of nestedGroups(groups, (g) => open.has(g.name))) {
        rows.push(-1 - (number.get(group) ?? 0));
        if (group.path.length === split.keys.length && open.has(group.name)) for (const r of group.routines) rows.push(r);
      }
      return { analysis, order: Int32Array.from(rows), groups, running: undefined, inCycle: NO_ROUTINES };
    }
    const self = eventColumn(event, analysis.totals.self, analysis.profile.routines.name.length);
    const running = new Float64Array(order.length);
    let sum = 0;
    for (let i = 0; i < order.length; i++) running[i] = sum += self[order[i]];
    return { analysis, order: new Int32Array(order), groups: [], running, inCycle: NO_ROUTINES };
  },
);

/** Replaces the members of each cycle by a row for the cycle, sorted by cost among the other rows. */
function foldCycles(
  analysis: Analysis,
  event: Event,
  order: Uint32Array,
  sort: string,
  descending: boolean,
  open: ReadonlySet<string>,
): RoutinesViewRows {
  const { totals } = analysis;
  const { of } = totals.cycles;
  const inCycles = order.filter((r) => of[r] !== 0);
  const members = groupByKey(inCycles, (r) => of[r]);
  const groups = Array.from(members, ([cycle, list]): RoutineGroup => {
    const name = cycleName(cycle);
    const [self, inclusive] = [totals.cycleSelf, totals.cycleInclusive].map((costs) => eventValue(event, costs, cycle));
    return { name, label: name, path: [name], estimated: false, routines: Uint32Array.from(list), self, inclusive, cycle };
  });
  const cost = sort === 'inclusive' ? totals.inclusive : totals.self;
  const sizeOf = (g: RoutineGroup) => Math.abs(sort === 'inclusive' ? (g.inclusive ?? 0) : g.self);
  const waiting = [...groups].sort((a, b) => (descending ? sizeOf(b) - sizeOf(a) : sizeOf(a) - sizeOf(b)));
  const byCost = sort === 'self' || sort === 'inclusive';
  const out: number[] = [];
  const put = (g: RoutineGroup) => {
    out.push(-1 - groups.indexOf(g));
    if (open.has(g.name)) out.push(...g.routines);
  };
  for (const r of order) {
    if (of[r] > 0) {
      // If rows are not sorted by cost, a cycle takes the position of its first member.
      const g = byCost ? undefined : waiting.find((w) => w.cycle === of[r]);
      if (g) put(waiting.splice(waiting.indexOf(g), 1)[0]);
      continue;
    }
    const value = Math.abs(eventValue(event, cost, r));
    while (byCost && waiting.length > 0) {
      if (descending ? sizeOf(waiting[0]) < value : sizeOf(waiting[0]) > value) break;
      put(waiting.splice(0, 1)[0]);
    }
    out.push(r);
  }
  for (const g of waiting) put(g);
  const inCycle = new Set([...members.values()].flat());
  return { analysis, order: Int32Array.from(out), groups, running: undefined, inCycle };
}
