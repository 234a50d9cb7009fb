// Routines that are gone and routines that are new, guessed to be the same under another name: nearly the same callers, callees and cost.
import { memo } from '../../../base/memo.ts';
import { Grow } from '../../../model/column.ts';
import type { Profile } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import type { Analysis } from '../../answers/analysis.ts';
import { routineFile, routineObject } from '../../names/names.ts';
import { BOTH } from './match.ts';
import { Candidates, MOST } from './renamed/candidates.ts';
import { Likeness } from './renamed/likeness.ts';
import type { Ends } from './renamed/neighbours.ts';
import { type Sides, sidesOf } from './renamed/sides.ts';
import { type Rename, routineKey } from './renames.ts';

/** A guess. */
export interface Offer {
  /** The routine that only the base has. */
  readonly gone: number;
  /** The routine that only this run has. */
  readonly now: number;
  /** How sure it is, 0 to 1. */
  readonly likeness: number;
  /** The evidence for people: `same callers and callees, inclusive cost -0.46%`. */
  readonly why: string;
}

/**
 * How sure an offer is at least, round by round. At first it must be surer, since all that follows relies on it. More than half, so that
 * no routine is in two offers of a round.
 */
const SURE = [0.99, 0.95, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8];

/** The surest first. None if the profile is not two runs. */
export const offeredRenames = memo((analysis: Analysis): readonly Offer[] => {
  const sides = sidesOf(analysis);
  return sides && sides.gone.length > 0 && sides.added.length > 0 ? new Rounds(analysis.profile, sides).offers() : [];
}, 2);

/** Accepted offers as what compareProfiles takes: each means its two routines alone, not others of the same names. */
export function renamesOf(offers: readonly Offer[], profile: Profile): Rename[] {
  const { name: names, line } = profile.routines;
  const nameOf = (r: number) => stringAt(profile.strings, names[r]);
  const key = (r: number) => routineKey(nameOf(r), routineFile(profile, r), routineObject(profile, r), line?.[r] ?? 0);
  return offers.map(({ gone, now }) => {
    const [old, name] = [nameOf(gone), nameOf(now)];
    return {
      text: `${old}=${name}`,
      renamed: (other) => (other === old ? name : undefined),
      exactly: { before: key(gone), now: key(now) },
    };
  });
}

/** Pairs that may be one routine; those of one that is gone stand together. */
class Pairs {
  readonly gone = new Grow(Uint32Array);
  readonly now = new Grow(Uint32Array);
  readonly odds = new Grow(Float64Array);
  /** By position of a routine in `sides.gone`: its first pair. */
  readonly from = new Grow(Uint32Array);

  add(gone: number, now: number, odds: number): void {
    this.gone.push(gone);
    this.now.push(now);
    this.odds.push(odds);
  }
}

/** Each round uses what the rounds before found: pairs are callers and callees that others have in common. */
class Rounds {
  /** By routine, the routine of this run that it is; -1 if that is not known. */
  private readonly partner: Int32Array;
  private readonly likeness: Likeness;
  private readonly candidates: Candidates;
  private readonly ends: readonly Ends[];
  /** 1 for routines that have a caller or callee in a pair of the last round: they are compared again. */
  private touched: Uint8Array;
  private pairs = new Pairs();

  constructor(
    profile: Profile,
    private readonly sides: Sides,
  ) {
    const both = profile.compared?.routineSides ?? new Uint8Array(0);
    this.partner = new Int32Array(both.length).fill(-1);
    for (let r = 0; r < both.length; r++) if (both[r] === BOTH) this.partner[r] = r;
    this.likeness = new Likeness(profile, sides, this.partner);
    const { callers, callees, places } = this.likeness;
    this.ends = [callers.ends, callees.ends];
    this.candidates = new Candidates(sides, this.ends, this.partner, places, profile.files.name.length);
    this.touched = new Uint8Array(both.length).fill(1);
  }

  offers(): Offer[] {
    const out: Offer[] = [];
    for (const least of SURE) {
      this.pairs = this.compareAgain();
      const found = this.surest(least);
      if (found.length === 0 && least === SURE.at(-1)) break;
      this.touch(found);
      out.push(...found);
    }
    return out.sort((a, b) => b.likeness - a.likeness || a.gone - b.gone);
  }

  /** The pairs of routines that are in no offer yet. */
  private compareAgain(): Pairs {
    const { sides, partner, likeness, candidates, touched, pairs: last } = this;
    const pairs = new Pairs();
    const now = new Uint32Array(MOST);
    for (let i = 0; i < sides.gone.length; i++) {
      const gone = sides.gone[i];
      pairs.from.push(pairs.gone.length);
      if (partner[gone] >= 0) continue;
      const again = touched[gone] === 1 || sides.flat;
      const from = again ? 0 : last.from.data[i];
      const count = again ? candidates.of(gone, now) : last.from.data[i + 1] - from;
      let asked = false;
      for (let k = 0; k < count; k++) {
        const added = again ? now[k] : last.now.data[from + k];
        if (partner[added] >= 0) continue;
        if (!again && touched[added] === 0) {
          pairs.add(gone, added, last.odds.data[from + k]);
          continue;
        }
        if (!asked) likeness.of(gone);
        asked = true;
        if (likeness.compare(added)) pairs.add(gone, added, 2 ** (likeness.bits + likeness.named));
      }
    }
    pairs.from.push(pairs.gone.length);
    return pairs;
  }

  /** The pairs that are so sure, against all others of the two routines and against being none. */
  private surest(least: number): Offer[] {
    const { pairs, likeness, partner } = this;
    const [gone, now, odds] = [pairs.gone.done(), pairs.now.done(), pairs.odds.done()];
    const ofAll = new Float64Array(partner.length);
    odds.forEach((o, k) => {
      ofAll[gone[k]] += o;
      ofAll[now[k]] += o;
    });
    const sure = (k: number) => odds[k] / (1 + Math.max(ofAll[gone[k]], ofAll[now[k]]));
    const found: Offer[] = [];
    for (let k = 0; k < odds.length; k++) {
      if (sure(k) < least) continue;
      likeness.of(gone[k]);
      if (likeness.compare(now[k]) && likeness.bits >= 0)
        found.push({ gone: gone[k], now: now[k], likeness: sure(k), why: likeness.why(now[k]) });
    }
    return found.sort((a, b) => b.likeness - a.likeness).filter((offer) => this.take(offer));
  }

  /** False if what was taken before is against it. */
  private take({ gone, now }: Offer): boolean {
    const { sides, partner, likeness } = this;
    if (sides.flat) {
      if (likeness.nameRows.paired(gone, now) === undefined) return false;
      likeness.nameRows.pair(gone, now);
    }
    partner[gone] = partner[now] = now;
    return true;
  }

  private touch(found: readonly Offer[]): void {
    this.touched = new Uint8Array(this.partner.length);
    for (const { gone, now } of found)
      for (const { row, from, end } of this.ends)
        for (const r of [gone, now]) for (let k = from[row[r]]; k < from[row[r] + 1]; k++) this.touched[end[k]] = 1;
  }
}
