// Builds line rows: rows with the shares of their costs that a transform keeps, and rows that it adds.
import { forEachInSlices, runInSlices, type Sliced } from '../../../base/slices.ts';
import type { Spans } from '../../../model/callgraph/tables.ts';
import { type Costs, CountColumn, finishColumns, GrowableColumn, indexInSlices } from '../../../model/column.ts';
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
  const layout = yield* layOutRows(profile, spans, self, added);
  const { start, kept } = layout;
  const rows = start[start.length - 1];
  const untouched = self.complement ? 0 : 1;
  const { line, address, costs } = profile.lines;
  const out: Costs[number][] = [];
  for (const [c, column] of costs.entries()) {
    const others = added.costs[c].done();
    const whole = self.share[c].every((s) => s === 0 || s === 1);
    const counts = whole && column instanceof Uint32Array && others instanceof Uint32Array;
    const target = yield* fillColumn(layout, counts ? new Uint32Array(rows) : new Float64Array(rows), column, others);
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
      line: yield* fillColumn(layout, new Uint32Array(rows), line, added.line.done()),
      ...(address ? { address: yield* fillColumn(layout, new Uint32Array(rows), address, added.address.done()) } : {}),
      costs: out,
    },
    start,
  };
}

interface RowLayout {
  readonly start: Uint32Array;
  /** By span: how many of the profile's rows it keeps. They come first. */
  readonly kept: Uint32Array;
  /** Runs of rows that are kept, none too long to be copied between two pauses: the first one's old and new number, and how many there are. */
  readonly runs: { readonly from: Uint32Array; readonly to: Uint32Array; readonly length: Uint32Array };
  /** By added row: its new number. */
  readonly added: Uint32Array;
}

function* layOutRows(profile: GraphProfile, spans: Omit<Spans, 'start'>, self: SelfShares, added: NewLines) {
  const { keep, kept } = yield* findKeptRows(profile, self);
  const { start: from } = profile.spans;
  const more = yield* indexInSlices(added.span.done(), spans.routine.length);
  const start = new Uint32Array(spans.routine.length + 1);
  const newRow = new Uint32Array(added.span.length);
  const runs = {
    from: new GrowableColumn(Uint32Array),
    to: new GrowableColumn(Uint32Array),
    length: new GrowableColumn(Uint32Array),
  };
  let row = 0;
  /** The end of the latest run, in old numbers; -1 if the run cannot be extended. */
  let end = -1;
  const placeSpan = (s: number) => {
    start[s] = row;
    const last = s < kept.length && kept[s] > 0 ? from[s + 1] : 0;
    for (let i = last > 0 ? from[s] : 0; i < last; i++) {
      if (keep[i] === 0) continue;
      if (i === end && runs.length.data[runs.length.length - 1] < COPIED_ROWS_PER_SLICE)
        runs.length.data[runs.length.length - 1]++;
      else {
        runs.from.push(i);
        runs.to.push(row);
        runs.length.push(1);
      }
      end = i + 1;
      row++;
    }
    for (let j = more.from[s]; j < more.from[s + 1]; j++) {
      newRow[more.order[j]] = row++;
      end = -1;
    }
  };
  yield* forEachInSlices(spans.routine.length, placeSpan);
  start[start.length - 1] = row;
  return { start, kept, runs: finishColumns(runs), added: newRow };
}

/** The minimum length at which set() is faster than a loop. */
const MIN_BULK_COPY_LENGTH = 24;

function* fillColumn<A extends Uint32Array | Float64Array>(
  { runs, added }: RowLayout,
  out: A,
  own: Costs[number],
  others: ArrayLike<number>,
): Sliced<A> {
  const copy = (first: number, end: number) => {
    for (let k = first; k < end; k++) {
      const [from, to, length] = [runs.from[k], runs.to[k], runs.length[k]];
      if (length >= MIN_BULK_COPY_LENGTH) out.set(own.subarray(from, from + length), to);
      else for (let i = 0; i < length; i++) out[to + i] = own[from + i];
    }
  };
  for (let k = 0; k < runs.from.length; ) {
    const first = k;
    for (let copied = 0; k < runs.from.length && copied < COPIED_ROWS_PER_SLICE; k++) copied += ROWS_PER_RUN + runs.length[k];
    copy(first, k);
    yield;
  }
  yield* runInSlices(added.length, (from, to) => {
    for (let j = from; j < to; j++) out[added[j]] = others[j];
  });
  return out;
}

/** The number of rows copied between pauses, and the number of rows that starting a run costs. */
const COPIED_ROWS_PER_SLICE = 1 << 20;
const ROWS_PER_RUN = 16;

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
