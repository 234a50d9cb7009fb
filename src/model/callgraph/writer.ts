// Writes a call graph: spans, lines, calls and jumps as recorded, and the events of the cost columns.
import { addToList } from '../../base/lists.ts';
import { plural } from '../../base/units.ts';
import { finishColumns, growColumn, MAX_RESERVED_ROWS, scaleCapacities } from '../column.ts';
import { type CostColumns, splitHalves } from '../cost-columns.ts';
import { resolveFormulas } from '../formula.ts';
import type { Event, Head } from '../head.ts';
import type { Preview, Sink, TableWriter } from '../sink.ts';
import { CallRows, JumpRows, LineRows, SpanRows } from './rows.ts';
import type { CallGraph, Calls, Estimated, LineTables } from './tables.ts';

export class CallGraphWriter implements TableWriter {
  readonly lines = new LineRows();
  readonly calls = new CallRows();
  readonly jumps = new JumpRows();
  readonly spans = new SpanRows();
  readonly preview;
  /** Tells which costs are estimates, once all files are read. */
  estimate: ((graph: LineTables, calls: Calls, routines: number) => Estimated) | undefined;

  constructor(private readonly sink: Sink) {
    this.preview = makePreviewer(sink, this.spans, this.lines);
  }

  get rows(): number {
    return this.lines.rows;
  }

  /** The cost column of each event name. New names get new columns. */
  eventColumns(names: readonly string[]): number[] {
    const { eventNames } = this.sink;
    const out = names.map((name) => {
      const at = eventNames.indexOf(name);
      return at >= 0 ? at : eventNames.push(name) - 1;
    });
    this.lines.costs.ensureColumns(eventNames.length);
    this.calls.costs.ensureColumns(eventNames.length);
    return out;
  }

  /** Multiplies the reserved capacity for rows and names by `times`. */
  scaleCapacity(times: number): void {
    const { lines, calls } = this;
    lines.reserve(Math.min(MAX_RESERVED_ROWS, Math.ceil(lines.rows * times)));
    for (const table of [calls, this.jumps, this.spans]) scaleCapacities(table, times);
    calls.costs.reserve(Math.min(MAX_RESERVED_ROWS, Math.max(calls.costs.capacity, Math.ceil(calls.rows * times))), calls.rows);
    this.sink.scaleCapacity(times);
  }

  finish(): Pick<Head, 'events' | 'columns'> & CallGraph {
    const { lines, calls, jumps, spans, sink } = this;
    spans.start.push(lines.rows);
    const raw = sink.eventNames.length;
    const recorded = ({ costs, rows }: LineRows | CallRows) =>
      costs.columns.slice(0, raw).map((column): Uint32Array | Float64Array => column.subarray(0, rows));
    const [lineCosts, callCosts] = [recorded(lines), recorded(calls)];
    const exact = new Map<number, { high: number; low: number }>();
    for (let c = 0; c < raw; c++) {
      const beyond = lines.costs.beyond.has(c) || calls.costs.beyond.has(c);
      if (!beyond && sumIsExact(lines.costs, lines.rows, c) && sumIsExact(calls.costs, calls.rows, c)) continue;
      const l = splitHalves(lineCosts[c], lines.rows, lines.costs.beyond.get(c));
      const k = splitHalves(callCosts[c], calls.rows, calls.costs.beyond.get(c));
      exact.set(c, { high: lineCosts.length, low: lineCosts.length + 1 });
      lineCosts.push(l.high, l.low);
      callCosts.push(k.high, k.low);
    }
    const own = { spans: finishColumns(spans), lines: lines.finish(lineCosts) };
    const ofCalls = calls.rows > 0 ? calls.finish(callCosts) : undefined;
    return {
      kind: 'callgraph',
      events: this.finishEvents(exact),
      columns: lineCosts.length,
      ...own,
      ...(ofCalls ? { calls: ofCalls } : {}),
      ...(ofCalls && this.estimate ? { estimated: this.estimate(own, ofCalls, sink.routines.count) } : {}),
      ...(jumps.line.length > 0 ? { jumps: jumps.finish(spans.high.done()) } : {}),
    };
  }

  private finishEvents(exact: Map<number, { high: number; low: number }>): Event[] {
    const { eventNames, eventNotes, parts } = this.sink;
    const partsOf = new Map<string, number[]>();
    for (const [k, { events }] of parts.entries()) for (const name of events) addToList(partsOf, name, k);
    const all = parts.filter(({ events }) => events.length > 0).length;
    const partial = new Map([...partsOf].filter(([, { length }]) => length < all));
    const [rare] = partial;
    if (rare)
      this.sink.notes.push(
        `${rare[0]} is recorded in ${rare[1].length} of ${all} parts${partial.size > 1 ? `, and ${plural(partial.size - 1, 'more event')} not in all` : ''}: elsewhere nothing is counted`,
      );
    const recorded: Event[] = eventNames.map((name, c) => {
      const note = eventNotes.find((n) => n.name === name && n.longName !== undefined);
      const half = exact.get(c);
      return {
        name,
        unit: eventNotes.findLast((n) => n.name === name && n.unit)?.unit ?? 'count',
        ...(note?.longName ? { longName: note.longName } : {}),
        ...(note?.each ? { each: note.each } : {}),
        ...(partial.has(name) ? { onlyIn: String(partial.get(name)) } : {}),
        terms: [[1, c]],
        ...(half ? { exact: { high: [[1, half.high]], low: [[1, half.low]] } } : {}),
      };
    });
    const seen = new Set(eventNames);
    const notes = eventNotes.filter((n) => n.formula !== undefined && !seen.has(n.name) && seen.add(n.name));
    return [...recorded, ...resolveFormulas(notes, recorded, (p) => this.sink.warn(p))];
  }
}

/** Whether no sum over rows of the column reaches 2^53. */
function sumIsExact(costs: CostColumns, rows: number, c: number): boolean {
  const column = costs.columns[c];
  // If no value is negative, no partial sum exceeds the total.
  if (column instanceof Uint32Array) return costs.sumsTo(rows)[c] < 2 ** 53;
  let plus = 0;
  let minus = 0;
  for (let i = 0; i < rows; i++) {
    const v = column[i];
    if (v >= 0) plus += v;
    else minus -= v;
  }
  return Math.max(plus, minus) < 2 ** 53;
}

/** Makes a function that finds the `most` costliest routines so far; undefined if there are no rows. */
function makePreviewer(sink: Sink, spans: SpanRows, lines: LineRows): (most: number) => Preview | undefined {
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
