// Which new routines are compared with one that is gone: those with the same caller, callee or file and nearly the same cost. A few of
// each, so that a caller of a hundred thousand routines takes no longer than others.
import { firstWhere } from '../../../base/search.ts';
import { type Index, indexBy } from '../../../model/column.ts';
import { orderByNumber } from '../../order.ts';
import { CALLEES, CALLERS, Ends, type Role } from './neighbours.ts';
import type { Places } from './places.ts';
import type { Sides } from './sides.ts';

/** Candidates of a routine, at most; and of one list, if it has more than FEW, those nearest in cost to either side. */
export const MOST = 32;
const FEW = 16;
const NEAREST = 6;
/** Lists that are looked at: those of the rarest callers and callees. */
const LISTS = 8;

/** New routines by something that they have in common, in the order of their cost. */
interface Lists {
  readonly index: Index;
  readonly routine: Uint32Array;
}

interface List {
  readonly of: Lists;
  readonly from: number;
  readonly to: number;
}

export class Candidates {
  private readonly sides: Sides;
  private readonly partner: Int32Array;
  private readonly places: Places;
  private readonly byNeighbour: readonly [callers: Lists, callees: Lists];
  private readonly byFile: Lists;
  private readonly seen: Int32Array;

  /** `partner`: as for Neighbours; it may change between calls of `of`. */
  constructor(sides: Sides, partner: Int32Array, places: Places, files: number) {
    this.sides = sides;
    this.partner = partner;
    this.places = places;
    const { now, added, routines, edges } = sides;
    const byCost = orderByNumber(now.inclusive, false, added);
    const neighbours = (role: Role): Lists => {
      const ends = new Ends(edges, role);
      const keys: number[] = [];
      const of: number[] = [];
      for (const r of byCost)
        for (let k = ends.count(r) - 1; k >= 0; k--) {
          keys.push(ends.other(ends.edge(r, k)));
          of.push(r);
        }
      return { index: indexBy(keys, routines), routine: Uint32Array.from(of) };
    };
    this.byNeighbour = [neighbours(CALLERS), neighbours(CALLEES)];
    this.byFile = {
      index: indexBy(
        Int32Array.from(byCost, (r) => places.sharedFile(r)),
        files,
      ),
      routine: byCost,
    };
    this.seen = new Int32Array(routines).fill(-1);
  }

  /** Writes the candidates of a routine that is gone into `into`, each once; their number. */
  of(gone: number, into: Uint32Array): number {
    const { sides, seen, partner } = this;
    let count = 0;
    const take = (r: number): boolean => {
      if (partner[r] >= 0 || seen[r] === gone) return false;
      seen[r] = gone;
      into[count++] = r;
      return true;
    };
    const cost = sides.before.inclusive[gone];
    for (const { of, from, to } of this.listsOf(gone)) {
      const routine = (at: number) => of.routine[of.index.order[at]];
      const few = to - from <= FEW;
      const middle = few ? from : from + firstWhere(to - from, (k) => sides.now.inclusive[routine(from + k)] >= cost);
      for (let at = middle, left = few ? FEW : NEAREST; at < to && left > 0 && count < MOST; at++) if (take(routine(at))) left--;
      for (let at = middle - 1, left = NEAREST; at >= from && left > 0 && count < MOST; at--) if (take(routine(at))) left--;
    }
    // Each is looked at again in the next round.
    for (let i = 0; i < count; i++) seen[into[i]] = -1;
    return count;
  }

  private listsOf(gone: number): List[] {
    const { sides, partner, byNeighbour } = this;
    const lists: List[] = [];
    const put = (of: Lists, key: number) => {
      const [from, to] = [of.index.from[key], of.index.from[key + 1]];
      if (to > from) lists.push({ of, from, to });
    };
    for (const role of [CALLERS, CALLEES] as const) {
      const ends = new Ends(sides.edges, role);
      for (let k = ends.count(gone) - 1; k >= 0; k--) {
        const other = partner[ends.other(ends.edge(gone, k))];
        if (other >= 0) put(byNeighbour[role], other);
      }
    }
    lists.sort((a, b) => a.to - a.from - (b.to - b.from));
    if (lists.length > LISTS) lists.length = LISTS;
    const file = this.places.sharedFile(gone);
    if (file >= 0) put(this.byFile, file);
    return lists;
  }
}
