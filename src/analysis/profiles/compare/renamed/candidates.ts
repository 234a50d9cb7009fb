// Selects the added routines that a removed one is compared with: those with a common caller, callee or file and similar cost.
// Each list contributes only a few, so a caller with 100,000 callees costs no extra time.
import { firstIndexWhere } from '../../../../base/lists.ts';
import { type Index, indexBy } from '../../../../model/column.ts';
import type { NeighbourTable } from './neighbours.ts';
import type { FileEvidence } from './places.ts';
import type { ComparedRuns } from './sides.ts';

/** The maximum number of candidates per routine. */
export const MAX_CANDIDATES = 24;
/** Lists up to MAX_WHOLE_LIST routines are used whole. Of longer ones, NEAREST_PER_SIDE routines nearest in cost on each side. */
const MAX_WHOLE_LIST = 16;
const NEAREST_PER_SIDE = 4;
/** The maximum number of lists used: those of the rarest callers and callees, and that of the file. */
const MAX_LISTS = 6;

/** Added routines grouped by a common property, each list in order of cost. */
interface RoutineLists {
  readonly index: Index;
  readonly routine: Uint32Array;
}

interface RoutineList {
  readonly of: RoutineLists;
  readonly from: number;
  readonly to: number;
}

export class Candidates {
  private readonly inclusive: Float64Array;
  private readonly byNeighbour: readonly { readonly ends: NeighbourTable; readonly lists: RoutineLists }[];
  private readonly byFile: RoutineLists;
  private readonly seen: Int32Array;

  /** `ends`: callers and callees. `partner`: as for Neighbours; it may change between calls of `of`. */
  constructor(
    sides: ComparedRuns,
    ends: readonly NeighbourTable[],
    private readonly partner: Int32Array,
    private readonly fileEvidence: FileEvidence,
    files: number,
  ) {
    this.inclusive = sides.inclusive;
    this.byNeighbour = ends.map((e) => ({ ends: e, lists: listsByNeighbour(e, sides.added, partner.length) }));
    const file = Int32Array.from(sides.added, (r) => fileEvidence.sharedFile(r));
    this.byFile = { index: indexBy(file, files), routine: sides.added };
    this.seen = new Int32Array(partner.length).fill(-1);
  }

  /** Writes the candidates of a removed routine, each once, to `into`; returns their number. */
  findCandidates(gone: number, into: Uint32Array): number {
    const { seen } = this;
    let count = 0;
    for (const list of this.listsOf(gone)) count = this.addNearest(list, gone, into, count);
    // Marks are reset, because the same routine may be queried again.
    for (let i = 0; i < count; i++) seen[into[i]] = -1;
    return count;
  }

  /** Adds the routines of a list that are nearest in cost. */
  private addNearest({ of, from, to }: RoutineList, gone: number, into: Uint32Array, count: number): number {
    const { inclusive, partner, seen } = this;
    const { routine, index } = of;
    const few = to - from <= MAX_WHOLE_LIST;
    const middle = few
      ? from
      : from + firstIndexWhere(to - from, (k) => inclusive[routine[index.order[from + k]]] >= inclusive[gone]);
    for (const step of [1, -1]) {
      let left = few ? MAX_WHOLE_LIST : NEAREST_PER_SIDE;
      for (let at = step > 0 ? middle : middle - 1; at >= from && at < to && left > 0 && count < MAX_CANDIDATES; at += step) {
        const r = routine[index.order[at]];
        if (partner[r] >= 0 || seen[r] === gone) continue;
        seen[r] = gone;
        into[count++] = r;
        left--;
      }
    }
    return count;
  }

  /** Sorted by length: a caller or callee that few routines share is the best evidence. */
  private listsOf(gone: number): RoutineList[] {
    const lists: RoutineList[] = [];
    const put = (of: RoutineLists, key: number) => {
      const [from, to] = [of.index.from[key], of.index.from[key + 1]];
      if (to > from) lists.push({ of, from, to });
    };
    for (const { ends, lists: of } of this.byNeighbour)
      for (let k = ends.from[ends.row[gone]]; k < ends.from[ends.row[gone] + 1]; k++) {
        const end = this.partner[ends.neighbour[k]];
        if (end >= 0) put(of, end);
      }
    lists.sort((a, b) => a.to - a.from - (b.to - b.from));
    if (lists.length > MAX_LISTS) lists.length = MAX_LISTS;
    const file = this.fileEvidence.sharedFile(gone);
    if (file >= 0) put(this.byFile, file);
    return lists;
  }
}

/** The routines, whose rows are the last ones of the table, by their callers or by their callees. */
function listsByNeighbour({ row, from, neighbour }: NeighbourTable, routines: Uint32Array, all: number): RoutineLists {
  const first = from[from.length - 1 - routines.length];
  const routine = new Uint32Array(neighbour.length - first);
  for (const r of routines) routine.fill(r, from[row[r]] - first, from[row[r] + 1] - first);
  return { index: indexBy(neighbour.subarray(first), all), routine };
}
