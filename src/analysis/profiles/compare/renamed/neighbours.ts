// Compares two routines by their callers, or by their callees.
import type { NeighbourSide } from '../../../answers/neighbours.ts';
import type { ComparedRuns } from './sides.ts';

/** The callers, or callees, of routines that only one run has: those of r are rows from[row[r]] to from[row[r] + 1]. */
export type NeighbourTable = ReturnType<typeof buildNeighbourTable>;

export function buildNeighbourTable(sides: ComparedRuns, side: NeighbourSide, routines: number) {
  const { edges, removed, added } = sides;
  const all = [removed, added];
  const start = side === 'callers' ? edges.into.from : edges.from;
  const back = side === 'callers' ? edges.from : edges.into.from;
  const other = side === 'callers' ? edges.caller : edges.callee;
  const count = all.reduce((sum, list) => list.reduce((n, r) => n + start[r + 1] - start[r], sum), 0);
  const row = new Int32Array(routines).fill(-1);
  const from = new Uint32Array(removed.length + added.length + 1);
  const neighbour = new Uint32Array(count);
  /** The share of the routine's cost; or of its calls, if they cost nothing. */
  const share = new Float64Array(count);
  /** The evidence of a common neighbour, in bits: little if many routines have it. */
  const bits = new Float64Array(count);
  /** By row[r]: the share that no neighbour accounts for. For callees, the self cost; 1 for a routine without callers. */
  const restShare = new Float64Array(removed.length + added.length);
  let rows = 0;
  let n = 0;
  for (const list of all)
    for (const r of list) {
      const first = n;
      for (let k = start[r]; k < start[r + 1]; k++) {
        const edge = side === 'callers' ? edges.into.order[k] : k;
        const to = other[edge];
        neighbour[n] = to;
        // The two compared routines count as one of the routines with this neighbour.
        bits[n] = Math.log2(routines / Math.max(1, back[to + 1] - back[to] - 1));
        share[n++] = edge;
      }
      restShare[rows] = weighNeighbours(share.subarray(first, n), sides, side === 'callees' ? Math.max(0, sides.self[r]) : 0);
      row[r] = rows++;
      from[rows] = n;
    }
  return { row, from, neighbour, share, bits, restShare };
}

/** Replaces edge numbers by shares; returns the share without an edge. `self`: cost besides the edges. */
function weighNeighbours(edges: Float64Array, { edgeCost, edgeCalls }: ComparedRuns, self: number): number {
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

/** Compares a removed and an added routine. Shares are of the cost that passes this way, 0 to 1. */
export class Neighbours {
  /** Results of `compare`: the share in common, and the share that may be in common through unmatched neighbours. */
  common = 0;
  possiblyCommon = 0;
  /** The evidence of the common neighbours, in bits. */
  bits = 0;

  /** By routine of this run: its share in the cost of the removed routine. Valid only where `stamp` is that routine's number. */
  private readonly share: Float64Array;
  private readonly stamp: Int32Array;
  private removed = -1;
  private recursiveShare = 0;
  private unmatchedShare = 0;

  /** `partner`: by routine, its partner in this run; -1 for removed or added routines without a known partner. It may change. */
  constructor(
    readonly ends: NeighbourTable,
    private readonly partner: Int32Array,
  ) {
    this.share = new Float64Array(partner.length);
    this.stamp = new Int32Array(partner.length).fill(-1);
  }

  /** Sets the removed routine for later compare() calls. */
  setRemoved(gone: number): void {
    const { partner, share, stamp } = this;
    const { row, from, neighbour, share: part } = this.ends;
    this.removed = gone;
    this.recursiveShare = this.unmatchedShare = 0;
    for (let k = from[row[gone]]; k < from[row[gone] + 1]; k++) {
      const now = partner[neighbour[k]];
      if (neighbour[k] === gone) this.recursiveShare = part[k];
      else if (now < 0) this.unmatchedShare += part[k];
      else {
        share[now] = part[k];
        stamp[now] = gone;
      }
    }
  }

  compare(added: number): void {
    const { partner, share, stamp, removed } = this;
    const { row, from, neighbour, share: part, bits: neighbourBits, restShare } = this.ends;
    let common = Math.min(restShare[row[removed]], restShare[row[added]]);
    let bits = 0;
    let unknown = 0;
    for (let k = from[row[added]]; k < from[row[added] + 1]; k++) {
      if (neighbour[k] === added) common += Math.min(part[k], this.recursiveShare);
      else if (partner[neighbour[k]] < 0) unknown += part[k];
      else if (stamp[neighbour[k]] === removed) {
        const both = Math.min(part[k], share[neighbour[k]]);
        common += both;
        bits += both * neighbourBits[k];
      }
    }
    this.common = common;
    this.bits = bits;
    this.possiblyCommon = Math.min(unknown, this.unmatchedShare);
  }
}
