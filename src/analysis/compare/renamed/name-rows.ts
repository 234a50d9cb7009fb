// Profiles without calls may have several rows of a routine, one for each file that it has code from. They stand or fall together.
import { indexBy } from '../../../model/column.ts';
import type { Profile } from '../../../model/profile.ts';
import { stringCount } from '../../../model/strings.ts';
import type { Places } from './places.ts';
import type { Side, Sides } from './sides.ts';

/** Where the cost of all rows of a name is. */
interface Spent {
  readonly total: number;
  /** Files that both runs have; -1 for all others. */
  readonly inFile: ReadonlyMap<number, number>;
}

export class NameRows {
  private readonly name: Uint32Array;
  private readonly spentBefore: (name: number) => Spent;
  private readonly spentNow: (name: number) => Spent;
  private readonly pairs = new Map<number, number>();
  private readonly taken = new Set<number>();

  constructor({ routines, strings }: Profile, sides: Sides, places: Places) {
    this.name = routines.name;
    const { order, from } = indexBy(routines.name, stringCount(strings));
    const spent = ({ self }: Side) => {
      const known = new Map<number, Spent>();
      return (name: number): Spent => {
        const before = known.get(name);
        if (before) return before;
        const inFile = new Map<number, number>();
        let total = 0;
        for (const r of order.subarray(from[name], from[name + 1])) {
          const file = places.sharedFile(r);
          inFile.set(file, (inFile.get(file) ?? 0) + self[r]);
          total += self[r];
        }
        const made = { total, inFile };
        known.set(name, made);
        return made;
      };
    };
    this.spentBefore = spent(sides.before);
    this.spentNow = spent(sides.now);
  }

  /** What all rows of the names of two routines cost, and the share that they spend in the same files. */
  compare(gone: number, added: number): { readonly before: number; readonly now: number; readonly common: number } {
    const before = this.spentBefore(this.name[gone]);
    const now = this.spentNow(this.name[added]);
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
