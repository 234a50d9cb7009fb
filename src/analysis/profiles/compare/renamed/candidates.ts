// Which new routines are compared with one that is gone: those with the same caller, callee or file and nearly the same cost. A few of
// each, so that what a hundred thousand routines call takes no longer than the rest.
import { firstWhere } from '../../../../base/search.ts';
import { type Index, indexBy } from '../../../../model/column.ts';
import type { Ends } from './neighbours.ts';
import type { Places } from './places.ts';
import type { Sides } from './sides.ts';

/** Candidates of a routine, at most. */
export const MOST = 24;
/** From one list: all, if they are FEW, else those nearest in cost to either side. */
const FEW = 16;
const NEAREST = 4;
/** Lists that are looked at: those of the rarest callers and callees, and the file's. */
const LISTS = 6;

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
  private readonly inclusive: Float64Array;
  private readonly byEnd: readonly { readonly ends: Ends; readonly lists: Lists }[];
  private readonly byFile: Lists;
  private readonly seen: Int32Array;

  /** `ends`: callers and callees. `partner`: as for Neighbours; it may change between calls of `of`. */
  constructor(
    sides: Sides,
    ends: readonly Ends[],
    private readonly partner: Int32Array,
    private readonly places: Places,
    files: number,
  ) {
    this.inclusive = sides.inclusive;
    this.byEnd = ends.map((e) => ({ ends: e, lists: listsBy(e, sides.added, partner.length) }));
    const file = Int32Array.from(sides.added, (r) => places.sharedFile(r));
    this.byFile = { index: indexBy(file, files), routine: sides.added };
    this.seen = new Int32Array(partner.length).fill(-1);
  }

  /** Writes the candidates of a routine that is gone, each once, into `into`; returns how many. */
  of(gone: number, into: Uint32Array): number {
    const { seen } = this;
    let count = 0;
    for (const list of this.listsOf(gone)) count = this.take(list, gone, into, count);
    // It may be asked for again.
    for (let i = 0; i < count; i++) seen[into[i]] = -1;
    return count;
  }

  /** Adds those of a list that are nearest in cost. */
  private take({ of, from, to }: List, gone: number, into: Uint32Array, count: number): number {
    const { inclusive, partner, seen } = this;
    const { routine, index } = of;
    const few = to - from <= FEW;
    const middle = few ? from : from + firstWhere(to - from, (k) => inclusive[routine[index.order[from + k]]] >= inclusive[gone]);
    for (const step of [1, -1]) {
      let left = few ? FEW : NEAREST;
      for (let at = step > 0 ? middle : middle - 1; at >= from && at < to && left > 0 && count < MOST; at += step) {
        const r = routine[index.order[at]];
        if (partner[r] >= 0 || seen[r] === gone) continue;
        seen[r] = gone;
        into[count++] = r;
        left--;
      }
    }
    return count;
  }

  /** The shortest come first: what few routines have in common says most. */
  private listsOf(gone: number): List[] {
    const lists: List[] = [];
    const put = (of: Lists, key: number) => {
      const [from, to] = [of.index.from[key], of.index.from[key + 1]];
      if (to > from) lists.push({ of, from, to });
    };
    for (const { ends, lists: of } of this.byEnd)
      for (let k = ends.from[ends.row[gone]]; k < ends.from[ends.row[gone] + 1]; k++) {
        const end = this.partner[ends.end[k]];
        if (end >= 0) put(of, end);
      }
    lists.sort((a, b) => a.to - a.from - (b.to - b.from));
    if (lists.length > LISTS) lists.length = LISTS;
    const file = this.places.sharedFile(gone);
    if (file >= 0) put(this.byFile, file);
    return lists;
  }
}

/** The routines by their callers, or by their callees. */
function listsBy({ row, from, end }: Ends, routines: Uint32Array, all: number): Lists {
  const count = routines.reduce((n, r) => n + from[row[r] + 1] - from[row[r]], 0);
  const key = new Uint32Array(count);
  const routine = new Uint32Array(count);
  let n = 0;
  for (const r of routines)
    for (let k = from[row[r]]; k < from[row[r] + 1]; k++) {
      key[n] = end[k];
      routine[n++] = r;
    }
  return { index: indexBy(key, all), routine };
}
