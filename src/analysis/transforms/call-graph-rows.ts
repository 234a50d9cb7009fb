// Line rows with the shares of their costs that a transform leaves, and rows that it adds.
import type { Lines, Spans } from '../../model/callgraph/tables.ts';
import { type Costs, Counts, Grow, indexBy } from '../../model/column.ts';
import { type GraphProfile, pauses, SLICE } from './call-graph-flows.ts';

/** By column and routine, the share of its own cost that stays; or, of the complement, that goes. */
export interface SelfShares {
  readonly share: readonly Float64Array[];
  readonly complement: boolean;
}

/** Rows in the making. */
export class NewLines {
  readonly span = new Grow(Uint32Array);
  readonly line = new Grow(Uint32Array);
  readonly address = new Grow(Uint32Array);
  readonly costs: readonly Counts[];

  constructor(columns: number) {
    this.costs = Array.from({ length: columns }, () => new Counts());
  }

  /** Nothing is added for a row without cost. Returns whether it was. */
  add(span: number, line: number, address: number, costs: ArrayLike<number>): boolean {
    if (isNothing(costs)) return false;
    this.span.push(span);
    this.line.push(line);
    this.address.push(address);
    for (let c = 0; c < this.costs.length; c++) this.costs[c].push(costs[c]);
    return true;
  }
}

export function isNothing(costs: ArrayLike<number>): boolean {
  for (let c = 0; c < costs.length; c++) if (costs[c] !== 0) return false;
  return true;
}

/** What is left of the lines of each span, and then what was added to it. `spans` may have more than the profile. */
export function* linesLeft(
  profile: GraphProfile,
  spans: Omit<Spans, 'start'>,
  self: SelfShares,
  added: NewLines,
): Generator<undefined, { readonly lines: Lines; readonly start: Uint32Array }> {
  const { start: from } = profile.spans;
  const old = from.length - 1;
  const due = pauses();
  const untouched = self.complement ? 0 : 1;
  const { keep, kept } = yield* rowsLeft(profile, self);
  const more = indexBy(added.span.done(), spans.routine.length);
  const start = new Uint32Array(spans.routine.length + 1);
  for (let s = 0; s < spans.routine.length; s++)
    start[s + 1] = start[s] + (s < old ? kept[s] : 0) + more.from[s + 1] - more.from[s];
  const rows = start[start.length - 1];
  /** By row: the row of the profile, or -1 - the row added. */
  const source = new Int32Array(rows);
  for (let s = 0, k = 0; s < spans.routine.length; s++) {
    if (s < old && kept[s] > 0) for (let i = from[s]; i < from[s + 1]; i++) if (keep[i] === 1) source[k++] = i;
    for (let j = more.from[s]; j < more.from[s + 1]; j++) source[k++] = -1 - more.order[j];
  }
  const filled = <A extends Uint32Array | Float64Array>(out: A, own: ArrayLike<number>, others: ArrayLike<number>): A => {
    for (let k = 0; k < rows; k++) out[k] = source[k] >= 0 ? own[source[k]] : others[-1 - source[k]];
    return out;
  };
  const { line, address, costs } = profile.lines;
  const out: Costs[number][] = [];
  for (const [c, column] of costs.entries()) {
    const others = added.costs[c].done();
    const share = self.share[c];
    const whole = share.every((s) => s === 0 || s === 1);
    const counts = whole && column instanceof Uint32Array && others instanceof Uint32Array;
    const target = filled(counts ? new Uint32Array(rows) : new Float64Array(rows), column, others);
    out.push(target);
    if (due()) yield;
    for (let s = 0; s < old; s++) {
      const part = share[profile.spans.routine[s]];
      if (s % SLICE === 0 && due()) yield;
      const end = start[s] + kept[s];
      if (part === untouched) continue;
      if (self.complement) for (let k = start[s]; k < end; k++) target[k] -= target[k] * part;
      else for (let k = start[s]; k < end; k++) target[k] *= part;
    }
  }
  return {
    lines: {
      line: filled(new Uint32Array(rows), line, added.line.done()),
      ...(address ? { address: filled(new Uint32Array(rows), address, added.address.done()) } : {}),
      costs: out,
    },
    start,
  };
}

/** By row: 1 if something of it is left; and their number by span. */
function* rowsLeft(
  { spans, lines, columns }: GraphProfile,
  { share, complement }: SelfShares,
): Generator<undefined, { readonly keep: Uint8Array; readonly kept: Uint32Array }> {
  const gone = complement ? 1 : 0;
  const keep = new Uint8Array(lines.line.length);
  const kept = new Uint32Array(spans.routine.length);
  const due = pauses();
  for (let c = 0; c < columns; c++) {
    const cost = lines.costs[c];
    for (let s = 0; s < kept.length; s++) {
      if (s % SLICE === 0 && due()) yield;
      if (share[c][spans.routine[s]] === gone) continue;
      for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
        if (cost[i] === 0 || keep[i] === 1) continue;
        keep[i] = 1;
        kept[s]++;
      }
    }
  }
  return { keep, kept };
}
