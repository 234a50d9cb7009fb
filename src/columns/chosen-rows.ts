// The rows that a view passes to a report, because no flag can express its selection or order.
import type { LineRow } from './lines.ts';
import type { RoutineRow } from './routine-row.ts';

export interface ChosenRows {
  readonly routines?: Iterable<RoutineRow>;
  /** The routines whose growth laws are shown. */
  readonly lawsOf?: Iterable<number>;
  readonly lines?: Iterable<LineRow>;
}
