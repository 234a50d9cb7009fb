// Profiles without calls may have several rows of a routine, one for each file that it has code from. They stand or fall together.
import { type Index, indexBy } from '../../../../model/column.ts';
import type { Profile } from '../../../../model/profile.ts';
import { stringCount } from '../../../../model/strings.ts';
import type { Places } from './places.ts';
import type { Sides } from './sides.ts';

/** Where the cost of all rows of a name is. */
interface Spent {
  readonly total: number;
  /** By file that both runs have; -1 for all others. */
  readonly inFile: ReadonlyMap<number, number>;
}

export class NameRows {
  private readonly name: Uint32Array;
  private readonly rows: Index;
  private readonly self: Float64Array;
  private readonly known = new Map<number, Spent>();
  private readonly pairs = new Map<number, number>();
  private readonly taken = new Set<number>();

  constructor(
    { routines, strings }: Profile,
    sides: Sides,
    private readonly places: Places,
  ) {
    this.name = routines.name;
    this.rows = indexBy(routines.name, stringCount(strings));
    this.self = sides.self;
  }

  private spent(name: number): Spent {
    const known = this.known.get(name);
    if (known) return known;
    const inFile = new Map<number, number>();
    let total = 0;
    for (let k = this.rows.from[name]; k < this.rows.from[name + 1]; k++) {
      const r = this.rows.order[k];
      const file = this.places.sharedFile(r);
      inFile.set(file, (inFile.get(file) ?? 0) + this.self[r]);
      total += this.self[r];
    }
    const made = { total, inFile };
    this.known.set(name, made);
    return made;
  }

  /** The cost of all rows of the names of two routines, and the share that they spend in the same files. */
  compare(gone: number, added: number): { readonly before: number; readonly now: number; readonly common: number } {
    const [before, now] = [this.spent(this.name[gone]), this.spent(this.name[added])];
    let common = 0;
    for (const [file, cost] of before.inFile) common += Math.min(cost / before.total, (now.inFile.get(file) ?? 0) / now.total);
    return { before: before.total, now: now.total, common };
  }

  /** Whether another pair of rows has these names; undefined if one of them is in another pair of names. */
  paired(gone: number, added: number): boolean | undefined {
    const now = this.pairs.get(this.name[gone]);
    if (now !== undefined) return now === this.name[added] || undefined;
    return this.taken.has(this.name[added]) ? undefined : false;
  }

  pair(gone: number, added: number): void {
    this.pairs.set(this.name[gone], this.name[added]);
    this.taken.add(this.name[added]);
  }
}
