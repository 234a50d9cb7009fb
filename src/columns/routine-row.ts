// A row of routines: a routine, or a group of them.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { type CostTable, eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';

/** Routines shown as one row. */
export interface RoutineGroup {
  readonly name: string;
  /** The name as far as it tells the group from the others. */
  readonly label: string;
  readonly routines: Uint32Array;
  readonly self: number;
  /** The cost of its routines and their callees, each cost once; undefined if unknown. */
  readonly inclusive: number | undefined;
  readonly estimated: boolean;
  readonly cycle: number;
}

export interface RoutineRow {
  readonly routine: number;
  /** Self cost of the row and all above it; undefined where rows nest. */
  readonly running?: number | undefined;
  /** It is shown below its open group. */
  readonly nested?: boolean;
  /** The group that the routine was written in; null where it is in none. */
  readonly inGroup?: string | null;
  /** In groups by file: the analysis with the costs (granularity/by-file.ts), and the routine's number there. Absent: the analysis that is shown. */
  readonly costs?: { readonly analysis: Analysis; readonly row: number };
  /** The row is a group; `routine` is -1 then. */
  readonly group?: RoutineGroup;
  readonly open?: boolean;
}

/** Self cost of some routines together; for a ratio, the ratio of the sums. */
export function selfOf(analysis: Analysis, event: Event, routines: Uint32Array): number {
  const sums = analysis.totals.self.map((column) => {
    let sum = 0;
    for (const r of routines) sum += column[r];
    return [sum];
  });
  return eventValue(event, sums, 0);
}

/** The analysis that has the costs of a row. */
export const analysisOf = (shown: Analysis, { costs }: RoutineRow): Analysis => costs?.analysis ?? shown;

/** A table of costs of routines, and where a row that is no group is in it. */
export function costsOf(shown: Analysis, what: 'self' | 'inclusive', r: RoutineRow): readonly [CostTable, number] {
  return [analysisOf(shown, r).totals[what], r.costs?.row ?? r.routine];
}

/** Whether it is a part of a routine: its lines in one of several files. */
export const isPart = ({ routine, costs }: RoutineRow): boolean => costs !== undefined && costs.row !== routine;

/** Whether a cost of a routine, or of one of a group, is an estimate. */
export function isGuessed(shown: Analysis, what: 'self' | 'inclusive', r: RoutineRow): boolean {
  const { group, costs } = r;
  const guessed = analysisOf(shown, r).totals.estimated;
  if (!group) return guessed?.[what][costs?.row ?? r.routine] === 1;
  return (what === 'inclusive' && group.estimated) || group.routines.some((r) => guessed?.self[r] === 1);
}
