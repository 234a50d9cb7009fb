// The rows of the Routines view: sorted, filtered, grouped, with cycles folded.

import { analyse } from '../analysis/answers/analyse.ts';
import type { Analysis } from '../analysis/answers/analysis.ts';
import { NameFilter } from '../analysis/names/filtering.ts';
import {
  displayFile,
  nameWithoutNumber,
  routineFile,
  routineName,
  routineObject,
  UNKNOWN_NAME,
} from '../analysis/names/names.ts';
import { originWithObject } from '../analysis/names/origin.ts';
import { enclosingScopes, functionOf, namespaceOf } from '../analysis/names/parts.ts';
import { splitByFile } from '../analysis/profiles/granularity/by-file.ts';
import { groupByKey } from '../base/lists.ts';
import type { Matcher } from '../base/match.ts';
import { memo } from '../base/memo.ts';
import { withSlashes } from '../base/paths.ts';
import { sortedByKey } from '../base/sort.ts';
import { type Column, findColumnByName, sortByColumn } from '../columns/column.ts';
import { viewTestOfConditions } from '../columns/conditions.ts';
import { type RoutineGroup, type RoutineRow, selfCostOfRoutines } from '../columns/routine-row.ts';
import { routinesBySelf, routineTable, sortingContext } from '../columns/routines.ts';
import { eventColumn, eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';

export const GROUPINGS = ['none', 'file', 'object', 'code', 'namespace', 'class', 'cycle', 'function'] as const;
export type RoutineGrouping = (typeof GROUPINGS)[number];

/** Groups of routines by whose code they are, as rows; the highest self cost first. */
export const rowsByCode = (analysis: Analysis, event: Event): readonly RoutineRow[] =>
  groupsOf(analysis, event, routinesBySelf(analysis, event), 'code').map((group) => ({ routine: -1, group }));

/** The rows of the Routines view: routines, groups of routines, and cycles. */
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

/** The filter of the routines by name; undefined without a filter. */
export const nameFilterOf = memo((analysis: Analysis, matcher: Matcher | undefined): NameFilter | undefined =>
  matcher && !matcher.conditions ? new NameFilter(analysis.profile, matcher) : undefined,
);

/** The test of the filter's conditions on columns; undefined if it has none. */
export const conditionsOf = memo((analysis: Analysis, event: Event, matcher: Matcher | undefined) => {
  const c = sortingContext(analysis, event, '');
  const textsOf = ({ routine: r }: RoutineRow) =>
    [routineName, routineFile, routineObject].map((textOf) => textOf(analysis.profile, r) ?? '');
  return matcher?.conditions && viewTestOfConditions(matcher.conditions, routineTable.columns(c), c, textsOf);
});

/** Runs the filter for `ms` milliseconds; true once done. */
export function runFilter(
  analysis: Analysis,
  event: Event,
  matcher: Matcher | undefined,
  sort: string,
  descending: boolean,
  ms: number,
): boolean {
  const filtering = nameFilterOf(analysis, matcher);
  return !filtering || filtering.done || filtering.run(sortedRoutines(analysis, event, sort, descending), ms);
}

/** The analysis to group by. If grouped by file, each routine is split into its code in each file. */
export const analysisFor = (shown: Analysis, group: RoutineGrouping): Analysis =>
  group === 'file' ? analysisByFile(shown) : shown;

const analysisByFile = memo((analysis: Analysis): Analysis => {
  const split = splitByFile(analysis.profile);
  return split === analysis.profile ? analysis : analyse(split, analysis.events, analysis.partsOff);
});

export const routineRowsOf = memo(
  (
    analysis: Analysis,
    event: Event,
    matcher: Matcher | undefined,
    sort: string,
    descending: boolean,
    group: RoutineGrouping,
    open: ReadonlySet<string>,
    /** The version of the filter's result, so that rows are computed again when it grows. */
    _version: number,
  ): RoutinesViewRows => {
    const hit = nameFilterOf(analysis, matcher)?.hit;
    let order = sortedRoutines(analysis, event, sort, descending);
    if (hit) order = order.filter((r) => hit[r] === 1);
    const wanted = conditionsOf(analysis, event, matcher);
    if (wanted) order = order.filter((routine) => wanted.test({ routine }));
    const { wholes } = analysis.profile;
    if (wholes) {
      // A routine whose code is split by file is omitted, because the rows of its files replace it.
      const isSplit = Uint8Array.from(wholes, () => 0);
      wholes.forEach((whole, r) => {
        if (whole !== r) isSplit[whole] = 1;
      });
      order = order.filter((r) => isSplit[r] === 0);
    }
    if (group === 'cycle') return foldCycles(analysis, event, order, sort, descending, open);
    if (group !== 'none') {
      const found = groupsOf(analysis, event, order, group);
      // Some columns have no sort key.
      const key = sortColumn(analysis, event, sort)?.key;
      const groups = key ? sortedByKey(found, (g) => key({ routine: -1, group: g }), descending) : found;
      const rows = groups.flatMap((g, i) => [-1 - i, ...(open.has(g.name) ? g.routines : [])]);
      return { analysis, order: Int32Array.from(rows), groups, running: undefined, inCycle: NO_ROUTINES };
    }
    const self = eventColumn(event, analysis.totals.self, analysis.profile.routines.name.length);
    const running = new Float64Array(order.length);
    let sum = 0;
    for (let i = 0; i < order.length; i++) running[i] = sum += self[order[i]];
    return { analysis, order: new Int32Array(order), groups: [], running, inCycle: NO_ROUTINES };
  },
);

function groupKey(analysis: Analysis, group: RoutineGrouping): (routine: number) => string {
  const { profile } = analysis;
  if (group === 'file') return (r) => displayFile(profile, profile.routines.file[r]);
  if (group === 'object') return (r) => routineObject(profile, r) || UNKNOWN_NAME;
  if (group === 'code') return (r) => originWithObject(profile, r);
  if (group === 'function') return (r) => functionOf(nameWithoutNumber(profile, r));
  if (group === 'namespace') return (r) => namespaceOf(routineName(profile, r));
  return (r) => enclosingScopes(routineName(profile, r));
}

/** Groups the routines and sums their costs. The group with the highest self cost is first. */
const groupsOf = memo((analysis: Analysis, event: Event, order: Uint32Array, group: RoutineGrouping): readonly RoutineGroup[] => {
  const key = groupKey(analysis, group);
  const found = [...groupByKey(order, key)].map(([name, list]) => {
    const routines = Uint32Array.from(list);
    return { name, routines, self: selfCostOfRoutines(analysis, event, routines), cycle: 0 };
  });
  found.sort((a, b) => Math.abs(b.self) - Math.abs(a.self));
  const groupOf = new Int32Array(analysis.profile.routines.name.length).fill(-1);
  found.forEach(({ routines }, g) => {
    for (const r of routines) groupOf[r] = g;
  });
  const columns = [...new Set([...event.terms, ...(event.per ?? [])].map(([, column]) => column))];
  const costs = analysis.costing.groups({ groupOf, groups: found.length, columns });
  const labels = group === 'file' || group === 'object' ? shortPaths(found.map((g) => g.name)) : found.map((g) => g.name);
  return found.map((g, i): RoutineGroup => {
    const cost = costs ? eventValue(event, costs.costs, i) : Number.NaN;
    const inclusive = Number.isNaN(cost) ? undefined : cost;
    return { ...g, label: labels[i], inclusive, estimated: costs?.estimated[i] === 1 };
  });
});

/** Shortens each path to as many of its last components as make it unique. */
function shortPaths(paths: readonly string[]): string[] {
  const parts = paths.map((path) => withSlashes(path).split('/'));
  const out: string[] = [];
  let open = parts.map((_, i) => i);
  for (let n = 1; open.length > 0; n++) {
    const ends = groupByKey(open, (i) => parts[i].slice(-n).join('/'));
    open = [];
    for (const [end, same] of ends) {
      if (same.length === 1 || same.every((i) => parts[i].length <= n)) for (const i of same) out[i] = end;
      else for (const i of same) open.push(i);
    }
  }
  return out;
}

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
  const groups = [...members].map(
    ([cycle, list]): RoutineGroup => ({
      name: `<cycle ${cycle}>`,
      label: `<cycle ${cycle}>`,
      estimated: false,
      routines: Uint32Array.from(list),
      self: eventValue(event, totals.cycleSelf, cycle),
      inclusive: eventValue(event, totals.cycleInclusive, cycle),
      cycle,
    }),
  );
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
