// A preview of a file that is being read: the routines with the most self cost. Each call resumes where the last stopped.
import { growColumn } from '../column.ts';
import type { Preview, Sink } from '../sink.ts';
import type { LineRows, SpanRows } from './rows.ts';

/** Makes a function that finds the `most` costliest routines so far; undefined if there are no rows. */
export function makePreviewer(sink: Sink, spans: SpanRows, lines: LineRows): (most: number) => Preview | undefined {
  let self = new Float64Array(1024);
  let span = 0;
  let total = 0;
  return (most) => {
    const column = lines.costs.columns[0];
    // The last span may still grow, so it is left out.
    const end = spans.start.length - 1;
    if (!column || end <= 0) return undefined;
    if (sink.routines.count > self.length) self = growColumn(self, Math.max(sink.routines.count, self.length * 2));
    const start = spans.start.data;
    for (; span < end; span++) {
      let sum = 0;
      for (let i = start[span]; i < start[span + 1]; i++) sum += column[i];
      self[spans.routine.data[span]] += sum;
      total += sum;
    }
    // A short sorted list is fast enough, because most routines never get into it.
    const top: number[] = [];
    for (let r = 0; r < sink.routines.count; r++) {
      const cost = self[r];
      if (cost <= 0 || (top.length === most && cost <= self[top[most - 1]])) continue;
      let at = top.length;
      while (at > 0 && self[top[at - 1]] < cost) at--;
      top.splice(at, 0, r);
      if (top.length > most) top.pop();
    }
    const routines = top.map((r) => ({ name: sink.routineText(r), self: self[r] }));
    return { event: sink.eventNames[0], total, routines };
  };
}
