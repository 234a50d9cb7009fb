// Routines that are gone and routines that are new, guessed to be the same under another name: nearly the same callers, callees and cost.
import { memo } from '../../base/memo.ts';
import type { Profile } from '../../model/profile.ts';
import type { Analysis } from '../analysis.ts';
import { BOTH } from './match.ts';
import { Candidates, MOST } from './renamed/candidates.ts';
import { Likeness } from './renamed/likeness.ts';
import { type Sides, sidesOf } from './renamed/sides.ts';

/** A guess. */
export interface Offer {
  /** The routine that only the base has. */
  readonly gone: number;
  /** The routine that only this run has. */
  readonly now: number;
  /** How sure it is, 0 to 1. */
  readonly likeness: number;
  /** What speaks for it, for people. */
  readonly why: string;
}

/**
 * What is offered is at least so sure. In the first rounds only what is surer, since what it says of callers and callees is used
 * for the rest.
 */
const SURE = [0.99, 0.95, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8];

export const offeredRenames = memo((analysis: Analysis): readonly Offer[] => {
  const sides = sidesOf(analysis);
  return sides && sides.gone.length > 0 && sides.added.length > 0 ? new Rounds(analysis.profile, sides).offers() : [];
}, 2);

/** Pairs routine by routine: those that were found say more of their callers and callees, so the rest is compared again. */
class Rounds {
  private readonly sides: Sides;
  private readonly partner: Int32Array;
  private readonly likeness: Likeness;
  private readonly candidates: Candidates;

  constructor(profile: Profile, sides: Sides) {
    this.sides = sides;
    const both = profile.compared?.routineSides ?? new Uint8Array(0);
    this.partner = Int32Array.from(both, (side, r) => (side === BOTH ? r : -1));
    this.likeness = new Likeness(profile, sides, this.partner);
    this.candidates = new Candidates(sides, this.partner, this.likeness.places, profile.files.name.length);
  }

  offers(): Offer[] {
    const out: Offer[] = [];
    for (const least of SURE) {
      const found = this.round(least);
      out.push(...found);
      if (found.length === 0 && least === SURE.at(-1)) break;
    }
    return out.sort((a, b) => b.likeness - a.likeness || a.gone - b.gone);
  }

  /** False if what was taken before is against it. */
  private take({ gone, now }: Offer): boolean {
    const { sides, partner, likeness } = this;
    if (sides.flat && likeness.nameRows.paired(gone, now) === undefined) return false;
    likeness.nameRows.pair(gone, now);
    partner[gone] = partner[now] = now;
    return true;
  }

  private round(least: number): Offer[] {
    const { sides, partner, likeness, candidates } = this;
    const gone = sides.gone.filter((r) => partner[r] < 0);
    const now = new Uint32Array(MOST);
    const pairs: { gone: number; now: number; odds: number; why: string }[] = [];
    const ofGone = new Float64Array(sides.routines);
    const ofNow = new Float64Array(sides.routines);
    for (const g of gone) {
      const count = candidates.of(g, now);
      if (count === 0) continue;
      likeness.of(g);
      for (let k = 0; k < count; k++) {
        if (!likeness.compare(now[k])) continue;
        const odds = 2 ** (likeness.bits + likeness.named);
        ofGone[g] += odds;
        ofNow[now[k]] += odds;
        if (likeness.bits >= 0) pairs.push({ gone: g, now: now[k], odds, why: likeness.why(now[k]) });
      }
    }
    const found = pairs.flatMap(({ gone, now, odds, why }) => {
      const sure = odds / (1 + Math.max(ofGone[gone], ofNow[now]));
      return sure < least ? [] : [{ gone, now, likeness: sure, why }];
    });
    // More than half sure: no routine is in two of them.
    return found.sort((a, b) => b.likeness - a.likeness).filter((offer) => this.take(offer));
  }
}
