// In profiles without calls, a routine may have one row per file of its code. All its rows are matched together, or none.
import { getOrMake } from '../../../../base/lists.ts';
import { type Index, indexBy, rowsOfKey } from '../../../../model/column.ts';
import type { Profile } from '../../../../model/profile.ts';
import { stringCount } from '../../../../model/strings.ts';
import type { FileEvidence } from './places.ts';
import type { ComparedRuns } from './sides.ts';

/** Where the cost of all rows of a name is. */
interface NameCost {
  readonly total: number;
  /** By file that both runs have; -1 for all others. */
  readonly inFile: ReadonlyMap<number, number>;
}

export class NameRows {
  private readonly name: Uint32Array;
  private readonly rows: Index;
  private readonly self: Float64Array;
  private readonly known = new Map<number, NameCost>();
  private readonly pairs = new Map<number, number>();
  private readonly taken = new Set<number>();

  constructor(
    { routines, strings }: Profile,
    sides: ComparedRuns,
    private readonly fileEvidence: FileEvidence,
  ) {
    this.name = routines.name;
    this.rows = indexBy(routines.name, stringCount(strings));
    this.self = sides.self;
  }

  private costOfName(name: number): NameCost {
    return getOrMake(this.known, name, () => {
      const inFile = new Map<number, number>();
      let total = 0;
      for (const r of rowsOfKey(this.rows, name)) {
        const file = this.fileEvidence.sharedFile(r);
        inFile.set(file, (inFile.get(file) ?? 0) + this.self[r]);
        total += this.self[r];
      }
      return { total, inFile };
    });
  }

  /** The cost of all rows of the names of two routines, and the share that they spend in the same files. */
  compare(gone: number, added: number): { readonly before: number; readonly now: number; readonly common: number } {
    const [before, now] = [this.costOfName(this.name[gone]), this.costOfName(this.name[added])];
    let common = 0;
    for (const [file, cost] of before.inFile) common += Math.min(cost / before.total, (now.inFile.get(file) ?? 0) / now.total);
    return { before: before.total, now: now.total, common };
  }

  /** True if another pair of rows has the same two names; undefined if one of the names is already paired with another name. */
  isPaired(gone: number, added: number): boolean | undefined {
    const now = this.pairs.get(this.name[gone]);
    if (now !== undefined) return now === this.name[added] || undefined;
    return this.taken.has(this.name[added]) ? undefined : false;
  }

  recordPair(gone: number, added: number): void {
    this.pairs.set(this.name[gone], this.name[added]);
    this.taken.add(this.name[added]);
  }
}
