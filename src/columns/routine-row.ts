// A row of routines: a routine, or a group of them.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { eventValue } from '../model/event-value.ts';
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

/** Whether a cost of a routine, or of one of a group, is an estimate. */
export function isGuessed({ totals }: Analysis, what: 'self' | 'inclusive', { routine, group }: RoutineRow): boolean {
  const guessed = totals.estimated;
  if (!group) return guessed?.[what][routine] === 1;
  return (what === 'inclusive' && group.estimated) || group.routines.some((r) => guessed?.self[r] === 1);
}
