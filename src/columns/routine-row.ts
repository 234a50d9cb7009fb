// A row of routines: a routine, or a group of them.
import type { Analysis } from '../analysis/answers/analysis.ts';
import type { Exact } from '../base/units.ts';
import { type CostTable, type Event, eventValue, exactValue } from '../model/head.ts';

export interface RoutineGroup {
  readonly name: string;
  /** The part of the name that distinguishes the group from other groups. */
  readonly label: string;
  /** The names of the groups around it and its own, from the outermost. */
  readonly path: readonly string[];
  readonly routines: Uint32Array;
  readonly self: number;
  /** The cost of the group's routines and their callees, each cost counted once; undefined if unknown. */
  readonly inclusive: number | undefined;
  readonly estimated: boolean;
  readonly cycle: number;
  /** The group's row in tables of costs; absent for cycles. */
  readonly costs?: { readonly self: CostTable; readonly inclusive: CostTable | undefined; readonly row: number };
}

export interface RoutineRow {
  readonly routine: number;
  /** Running sum of self cost down to this row; undefined in lists with nested rows. */
  readonly running?: number | undefined;
  /** In how many open groups the row is. */
  readonly nested?: number;
  /** The group of the routine; null without one. */
  readonly inGroup?: string | null;
  /** Only for groups by file: the analysis with the costs (granularity/by-file.ts), and the routine's number in that analysis. */
  readonly costs?: { readonly analysis: Analysis; readonly row: number };
  /** The row is a group; `routine` is -1 then. */
  readonly group?: RoutineGroup;
  readonly open?: boolean;
}

/** The summed self cost of some routines; for a ratio, the ratio of the sums. */
export function selfCostOfRoutines(analysis: Analysis, event: Event, routines: Uint32Array): number {
  const sums = analysis.totals.self.map((column) => {
    let sum = 0;
    for (const r of routines) sum += column[r];
    return [sum];
  });
  return eventValue(event, sums, 0);
}

/** The self cost of a row; for a group, the summed self cost of its routines. `analysis`: the one that has the row's cost. */
export const selfCostOfRow = (analysis: Analysis, event: Event, { group, costs, routine }: RoutineRow): Exact =>
  group ? selfCostOfRoutines(analysis, event, group.routines) : exactValue(event, analysis.totals.self, costs?.row ?? routine);

export const analysisOfRow = (shown: Analysis, { costs }: RoutineRow): Analysis => costs?.analysis ?? shown;

/** The cost table of routines that has a row's cost, and the row's index in that table; not for groups. */
export const routineCostsOf = (shown: Analysis, what: 'self' | 'inclusive', r: RoutineRow): readonly [CostTable, number] => [
  analysisOfRow(shown, r).totals[what],
  r.costs?.row ?? r.routine,
];

/** Whether the row is only a part of a routine: the lines in one of its several files. */
export const isPartOfRoutine = ({ routine, costs }: RoutineRow): boolean => costs !== undefined && costs.row !== routine;

/** Whether the cost of a row is an estimate; for a group, whether the cost of any of its routines is. */
export function isEstimatedCost(shown: Analysis, what: 'self' | 'inclusive', r: RoutineRow): boolean {
  const { group, costs } = r;
  const { totals } = analysisOfRow(shown, r);
  if (!group) return (what === 'self' ? totals.selfEstimated : totals.estimated?.inclusive)?.[costs?.row ?? r.routine] === 1;
  return (what === 'inclusive' && group.estimated) || group.routines.some((r) => totals.selfEstimated?.[r] === 1);
}
