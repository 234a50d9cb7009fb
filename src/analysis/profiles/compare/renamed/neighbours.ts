// Where the cost of a routine comes from, its callers, or where it goes, its callees: what two routines have in common of it.
import type { Sides } from './sides.ts';

export const CALLERS = 0;
export const CALLEES = 1;
export type Role = typeof CALLERS | typeof CALLEES;

/** The callers, or callees, of routines that only one run has: those of r are rows from[row[r]] to from[row[r] + 1]. */
export interface Ends {
  readonly row: Int32Array;
  readonly from: Uint32Array;
  readonly end: Uint32Array;
  /** The share of the routine's cost, or of its calls where none of them costs anything. */
  readonly share: Float64Array;
  /** The weight of having it, in bits: little if many have it. */
  readonly bits: Float64Array;
  /** By row[r]: the share without an end. What the routine costs by itself; 1 if nobody calls it. */
  readonly rest: Float64Array;
}

export function endsOf(sides: Sides, role: Role, routines: number): Ends {
  const { edges, gone, added } = sides;
  const all = [gone, added];
  const start = role === CALLERS ? edges.into.from : edges.from;
  const back = role === CALLERS ? edges.from : edges.into.from;
  const other = role === CALLERS ? edges.caller : edges.callee;
  const count = all.reduce((sum, list) => list.reduce((n, r) => n + start[r + 1] - start[r], sum), 0);
  const row = new Int32Array(routines).fill(-1);
  const from = new Uint32Array(gone.length + added.length + 1);
  const end = new Uint32Array(count);
  const share = new Float64Array(count);
  const bits = new Float64Array(count);
  const rest = new Float64Array(gone.length + added.length);
  let rows = 0;
  let n = 0;
  for (const list of all)
    for (const r of list) {
      const first = n;
      for (let k = start[r]; k < start[r + 1]; k++) {
        const edge = role === CALLERS ? edges.into.order[k] : k;
        const to = other[edge];
        end[n] = to;
        // Among the routines that have it, the two that are compared would be one.
        bits[n] = Math.log2(routines / Math.max(1, back[to + 1] - back[to] - 1));
        share[n++] = edge;
      }
      rest[rows] = weighEnds(share.subarray(first, n), sides, role === CALLEES ? Math.max(0, sides.self[r]) : 0);
      row[r] = rows++;
      from[rows] = n;
    }
  return { row, from, end, share, bits, rest };
}

/** Makes shares of edges; returns what is left without one. `self`: what counts besides the edges. */
function weighEnds(edges: Float64Array, { edgeCost, edgeCalls }: Sides, self: number): number {
  let [cost, calls] = [self, 0];
  for (const e of edges) {
    cost += edgeCost[e];
    calls += edgeCalls[e];
  }
  const weight = cost > 0 ? edgeCost : edgeCalls;
  const whole = cost > 0 ? cost : calls;
  for (let k = 0; k < edges.length; k++) edges[k] = whole > 0 ? weight[edges[k]] / whole : 0;
  return cost > 0 ? self / cost : calls > 0 ? 0 : 1;
}

/** The likeness of a removed routine and a new one. Shares are of the cost that comes or goes this way, 0 to 1. */
export class Neighbours {
  /** For `compare`: the share that both have, and the share that they may have, by callers or callees that are gone and new. */
  common = 0;
  perhaps = 0;
  /** How much what they have in common says. */
  bits = 0;

  /** By routine of this run, its share in the removed routine, where `stamp` is its number. */
  private readonly share: Float64Array;
  private readonly stamp: Int32Array;
  private gone = -1;
  private own = 0;
  private unknown = 0;

  /** `partner`: by routine, the routine of this run that it is; -1 for one that is gone or new, as far as is known. It may change. */
  constructor(
    readonly ends: Ends,
    private readonly partner: Int32Array,
  ) {
    this.share = new Float64Array(partner.length);
    this.stamp = new Int32Array(partner.length).fill(-1);
  }

  /** The routine that is gone of all following comparisons. */
  of(gone: number): void {
    const { partner, share, stamp } = this;
    const { row, from, end, share: part } = this.ends;
    this.gone = gone;
    this.own = this.unknown = 0;
    for (let k = from[row[gone]]; k < from[row[gone] + 1]; k++) {
      const now = partner[end[k]];
      if (end[k] === gone) this.own = part[k];
      else if (now < 0) this.unknown += part[k];
      else {
        share[now] = part[k];
        stamp[now] = gone;
      }
    }
  }

  compare(added: number): void {
    const { partner, share, stamp, gone } = this;
    const { row, from, end, share: part, bits: says, rest } = this.ends;
    let common = Math.min(rest[row[gone]], rest[row[added]]);
    let bits = 0;
    let unknown = 0;
    for (let k = from[row[added]]; k < from[row[added] + 1]; k++) {
      if (end[k] === added) common += Math.min(part[k], this.own);
      else if (partner[end[k]] < 0) unknown += part[k];
      else if (stamp[end[k]] === gone) {
        const both = Math.min(part[k], share[end[k]]);
        common += both;
        bits += both * says[k];
      }
    }
    this.common = common;
    this.bits = bits;
    this.perhaps = Math.min(unknown, this.unknown);
  }
}
