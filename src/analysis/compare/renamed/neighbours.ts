// Where the cost of a routine comes from, its callers, or where it goes, its callees: what two routines have in common of it.
import type { Edges } from '../../costing.ts';
import type { Side, Sides } from './sides.ts';

export const CALLERS = 0;
export const CALLEES = 1;
export type Role = typeof CALLERS | typeof CALLEES;

/** The edges of a routine to its callers or callees. */
export class Ends {
  private readonly edges: Edges;
  private readonly role: Role;
  constructor(edges: Edges, role: Role) {
    this.edges = edges;
    this.role = role;
  }

  /** How many callers or callees the routine has. */
  count(r: number): number {
    const from = this.role === CALLERS ? this.edges.into.from : this.edges.from;
    return from[r + 1] - from[r];
  }

  edge(r: number, k: number): number {
    const { into, from } = this.edges;
    return this.role === CALLERS ? into.order[into.from[r] + k] : from[r] + k;
  }

  /** The routine at the other end. */
  other(edge: number): number {
    return this.role === CALLERS ? this.edges.caller[edge] : this.edges.callee[edge];
  }

  /** How many routines have this one as a caller, or as a callee. */
  sharedBy(r: number): number {
    const from = this.role === CALLERS ? this.edges.from : this.edges.into.from;
    return from[r + 1] - from[r];
  }
}

/** What a routine that is gone has in common with one that is new. Shares are of the cost that comes or goes this way, 0 to 1. */
export class Neighbours {
  /** Of `compare`: the share that both have, and the share that they may have, by callers or callees that are gone and new. */
  common = 0;
  perhaps = 0;
  /** How much what they have in common says, in bits. */
  bits = 0;

  private readonly sides: Sides;
  private readonly ends: Ends;
  private readonly role: Role;
  private readonly partner: Int32Array;
  /** Of the routine that is gone, by routine of this run: the share, where `stamp` is its number. */
  private readonly share: Float64Array;
  private readonly stamp: Int32Array;
  private gone = -1;
  private own = 0;
  private rest = 0;
  private unknown = 0;

  /** `partner`: by routine, the routine of this run that it is; -1 for one that is gone or new, as far as is known. */
  constructor(sides: Sides, role: Role, partner: Int32Array) {
    this.sides = sides;
    this.ends = new Ends(sides.edges, role);
    this.role = role;
    this.partner = partner;
    this.share = new Float64Array(sides.routines);
    this.stamp = new Int32Array(sides.routines).fill(-1);
  }

  /** The routine that is gone of all following comparisons. */
  of(gone: number): void {
    const { ends, partner, share, stamp, sides } = this;
    const weigh = this.weigh(sides.before, gone);
    this.gone = gone;
    this.own = this.unknown = 0;
    this.rest = weigh.rest;
    for (let k = ends.count(gone) - 1; k >= 0; k--) {
      const edge = ends.edge(gone, k);
      const other = ends.other(edge);
      const part = weigh.by[edge] * weigh.scale;
      const now = partner[other];
      if (other === gone) this.own = part;
      else if (now < 0) this.unknown += part;
      else {
        share[now] = part;
        stamp[now] = gone;
      }
    }
  }

  compare(added: number): void {
    const { ends, partner, share, stamp, gone, sides } = this;
    const weigh = this.weigh(sides.now, added);
    let common = Math.min(this.rest, weigh.rest);
    let bits = 0;
    let unknown = 0;
    for (let k = ends.count(added) - 1; k >= 0; k--) {
      const edge = ends.edge(added, k);
      const other = ends.other(edge);
      const part = weigh.by[edge] * weigh.scale;
      if (other === added) common += Math.min(part, this.own);
      else if (partner[other] < 0) unknown += part;
      else if (stamp[other] === gone) {
        const both = Math.min(part, share[other]);
        common += both;
        bits += both * Math.log2(sides.routines / ends.sharedBy(other));
      }
    }
    this.common = common;
    this.bits = bits;
    this.perhaps = Math.min(unknown, this.unknown);
  }

  /** What edges of a routine are weighed by, and what has no edge: its own cost, or that it has no caller. */
  private weigh(side: Side, r: number): { by: ArrayLike<number>; scale: number; rest: number } {
    const { ends, role } = this;
    const n = ends.count(r);
    const self = role === CALLEES ? Math.max(0, side.self[r]) : 0;
    for (const by of [side.edgeCost, side.edgeCalls]) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += by[ends.edge(r, k)];
      const whole = by === side.edgeCost ? sum + self : sum;
      if (whole > 0) return { by, scale: 1 / whole, rest: (whole - sum) / whole };
    }
    return { by: side.edgeCost, scale: 0, rest: 1 };
  }
}
