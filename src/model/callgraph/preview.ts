// A preview of a file that is being read: the routines with the most self cost. Each call resumes where the last stopped.
import { growColumn } from '../column.ts';
import type { Preview, Sink } from '../sink.ts';
import type { LineRows, SpanRows } from './rows.ts';

export class Previewer {
  private self = new Float64Array(1024);
  private span = 0;
  private total = 0;

  constructor(
    private readonly sink: Sink,
    private readonly spans: SpanRows,
    private readonly lines: LineRows,
  ) {}

  /** The `most` costliest routines so far; undefined if there are no rows. */
  topRoutines(most: number): Preview | undefined {
    const { sink, spans, lines } = this;
    const { eventNames } = sink;
    const column = lines.costs.columns[0];
    // The last span may still grow, so it is left out.
    const end = spans.start.length - 1;
    if (!column || end <= 0) return undefined;
    if (sink.routines.count > this.self.length)
      this.self = growColumn(this.self, Math.max(sink.routines.count, this.self.length * 2));
    const { self } = this;
    const start = spans.start.data;
    for (; this.span < end; this.span++) {
      let sum = 0;
      for (let i = start[this.span]; i < start[this.span + 1]; i++) sum += column[i];
      const routine = spans.routine.data[this.span];
      self[routine] = self[routine] + sum;
      this.total += sum;
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
    return { event: eventNames[0], total: this.total, routines };
  }
}
