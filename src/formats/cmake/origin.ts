// Sets time 0 of a record: CMake's times are since 1970. Several files of one tree share time 0, and so the time axis.
import type { StepWriter } from '../../model/steps/writer.ts';

/** The state before a file is read: row counts, parts, and time 0 of the earlier rows. */
export const recordStartOf = (rows: StepWriter) => {
  return { rows: rows.rowsSoFar(), part: rows.sink.parts.length, originUs: rows.facts.originUs };
};

/** Moves time 0 to the start of the earliest step that ran, in any file. The rows of this file have times since 1970. */
export function setTimeOrigin(rows: StepWriter, begin: ReturnType<typeof recordStartOf>): void {
  if (rows.facts.originUs !== begin.originUs) return;
  const { startUs } = rows.columns;
  let origin = begin.originUs ?? Number.POSITIVE_INFINITY;
  // A step that never ran has NaN as its start, so the comparison is false.
  for (let i = begin.rows.steps; i < rows.rows; i++) if (startUs.data[i] < origin) origin = startUs.data[i];
  if (origin === Number.POSITIVE_INFINITY) return;
  rows.facts.originUs = origin;
  rows.shift({ steps: 0, gauges: 0 }, begin.rows, (begin.originUs ?? 0) - origin);
  rows.shift(begin.rows, rows.rowsSoFar(), -origin);
  if (rows.live) rows.live = { ...rows.live, atUs: rows.live.atUs - origin, expectedEndUs: rows.live.expectedEndUs - origin };
}
