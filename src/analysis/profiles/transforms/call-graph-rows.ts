// Builds line rows: rows with the shares of their costs that a transform keeps, and rows that it adds.
import { forEachInSlices, runInSlices, type Sliced } from '../../../base/slices.ts';
import type { Spans } from '../../../model/callgraph/tables.ts';
import { type Costs, CountColumn, GrowableColumn, indexInSlices } from '../../../model/column.ts';
import type { GraphProfile } from './call-graph-flows.ts';

/** By column and routine: the share of the self cost that stays. With `complement`, the share that is removed. */
export interface SelfShares {
  readonly share: readonly Float64Array[];
  readonly complement: boolean;
}

export class NewLines {
  readonly span = new GrowableColumn(Uint32Array);
  readonly line = new GrowableColumn(Uint32Array);
  readonly address = new GrowableColumn(Uint32Array);
  readonly costs: readonly CountColumn[];

  constructor(columns: number) {
    this.costs = Array.from({ length: columns }, () => new CountColumn());
  }

  /** Adds a row unless all its costs are 0. Returns whether it was added. */
  add(span: number, line: number, address: number, costs: ArrayLike<number>): boolean {
    if (isAllZero(costs)) return false;
    this.push(span, line, address, costs);
    return true;
  }

  protected push(span: number, line: number, address: number, costs: ArrayLike<number>): void {
    this.span.push(span);
    this.line.push(line);
    this.address.push(address);
    for (let c = 0; c < this.costs.length; c++) this.costs[c].push(costs[c]);
  }
}

export function isAllZero(costs: ArrayLike<number>): boolean {
  for (let c = 0; c < costs.length; c++) if (costs[c] !== 0) return false;
  return true;
}

/** Keeps the remaining lines of each span, followed by lines added to it. There may be more spans than in the profile. */
export function* keepLines(profile: GraphProfile, spans: Omit<Spans, 'start'>, self: SelfShares, added: NewLines) {
  const { start, kept, source } = yield* layOutRows(profile, spans, self, added);
  const rows = start[start.length - 1];
  const untouched = self.complement ? 0 : 1;
  const { line, address, costs } = profile.lines;
  const out: Costs[number][] = [];
  for (const [c, column] of costs.entries()) {
    const others = added.costs[c].done();
    const whole = self.share[c].every((s) => s === 0 || s === 1);
    const counts = whole && column instanceof Uint32Array && others instanceof Uint32Array;
    const target = yield* fillColumn(source, counts ? new Uint32Array(rows) : new Float64Array(rows), column, others);
    const multiply = (s: number) => {
      const part = self.share[c][profile.spans.routine[s]];
      if (part === untouched) return;
      const end = start[s] + kept[s];
      if (self.complement) for (let k = start[s]; k < end; k++) target[k] -= target[k] * part;
      else for (let k = start[s]; k < end; k++) target[k] *= part;
    };
    yield* forEachInSlices(kept.length, multiply);
    out.push(target);
  }
  return {
    lines: {
      line: yield* fillColumn(source, new Uint32Array(rows), line, added.line.done()),
      ...(address ? { address: yield* fillColumn(source, new Uint32Array(rows), address, added.address.done()) } : {}),
      costs: out,
    },
    start,
  };
}

/**
 * The first new row of each span. `kept`: by span, how many of the profile's rows it keeps, which come first. `source`: by new
 * row, the row of the profile, or behind these the added row.
 */
function* layOutRows(profile: GraphProfile, spans: Omit<Spans, 'start'>, self: SelfShares, added: NewLines) {
  const { keep, kept } = yield* findKeptRows(profile, self);
  const { start: from } = profile.spans;
  const more = yield* indexInSlices(added.span.done(), spans.routine.length);
  const start = new Uint32Array(spans.routine.length + 1);
  const ownRows = profile.lines.line.length;
  const source = new Uint32Array(ownRows + added.span.length);
  let row = 0;
  const placeSpan = (s: number) => {
    start[s] = row;
    const last = s < kept.length && kept[s] > 0 ? from[s + 1] : 0;
    for (let i = last > 0 ? from[s] : 0; i < last; i++) if (keep[i] === 1) source[row++] = i;
    for (let j = more.from[s]; j < more.from[s + 1]; j++) source[row++] = ownRows + more.order[j];
  };
  yield* forEachInSlices(spans.routine.length, placeSpan);
  start[start.length - 1] = row;
  return { start, kept, source: source.subarray(0, row) };
}

function* fillColumn<A extends Uint32Array | Float64Array>(
  source: Uint32Array,
  out: A,
  own: Costs[number],
  others: ArrayLike<number>,
): Sliced<A> {
  const ownRows = own.length;
  yield* runInSlices(out.length, (first, end) => {
    for (let k = first; k < end; k++) {
      const row = source[k];
      out[k] = row < ownRows ? own[row] : others[row - ownRows];
    }
  });
  return out;
}

/** By row: 1 if a part of it is kept; by span: the number of kept rows. */
function* findKeptRows({ spans, lines, columns }: GraphProfile, { share, complement }: SelfShares) {
  const removedShare = complement ? 1 : 0;
  const keep = new Uint8Array(lines.line.length);
  const kept = new Uint32Array(spans.routine.length);
  for (let c = 0; c < columns; c++) {
    const cost = lines.costs[c];
    const mark = (s: number) => {
      if (share[c][spans.routine[s]] === removedShare) return;
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
        if (cost[i] === 0 || keep[i] === 1) continue;
        keep[i] = 1;
        kept[s]++;
      }
    };
    yield* forEachInSlices(kept.length, mark);
  }
  return { keep, kept };
}
