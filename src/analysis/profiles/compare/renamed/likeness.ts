// How much speaks for a routine that is gone being one that is new under another name, in bits: something that a rename makes twice as
// likely as chance is one bit. What is rare in a program says much, what many routines have says little.
import { formatPercent } from '../../../../base/units.ts';
import type { Profile } from '../../../../model/profile.ts';
import { NameRows } from './name-rows.ts';
import { CALLEES, CALLERS, endsOf, Neighbours } from './neighbours.ts';
import { Places } from './places.ts';
import { Rarity } from './rarity.ts';
import type { Sides } from './sides.ts';
import { Names } from './words.ts';

// The numbers below were chosen by experiment: generated call graphs and ones of real programs with known renames, and real programs in
// two versions, with and without renames (test/analysis/compare/offered.test.ts has the first).

/** As bits: before anything is known, one routine in eight that are gone was renamed. */
const RENAMED = 3;
/** As logarithms: with its callees or by itself, a routine that was only renamed costs no more than so much more or less. */
const FARTHEST = Math.log(1.3);
/** Costs that are farther apart than NEAR speak against a pair more and more; those nearer than NEAREST say no more than these. */
const NEAR = 0.1;
const NEAREST = 0.03;
const AGAINST = 1.5;
const MOST_AGAINST = -6;
/** Sampled costs of the same thing differ by so many standard deviations. */
const DEVIATIONS = 1.5;
/** How much of what the number of calls says the callers say already: what one calls in a loop, it calls equally often. */
const OF_CALLERS = 0.3;
/** Callers or callees that are others, all of them. */
const OTHERS = -8;
/** As a share: a pair has more than half of its callers, and of its callees, in common. */
const LEAST_IN_COMMON = 0.5;
/** Another row of the two names is a pair. */
const PAIRED_NAMES = 4;
/** Names with the same words; what is so improbable that they cannot make it a pair. */
const SAME_WORDS = 5;
const IMPROBABLE = -10;
/** In words: the same callers, mostly or some of the same; the same place; a similar name. */
const ALL_IN_COMMON = 0.95;
const MOST_IN_COMMON = 0.5;
const FEW_LINES = 20;
const SIMILAR = 0.4;

export class Likeness {
  readonly callers: Neighbours;
  readonly callees: Neighbours;
  readonly places: Places;
  readonly nameRows: NameRows;
  /** For `compare`: the evidence of the names, and all other evidence. */
  named = 0;
  bits = 0;

  private readonly name: Uint32Array;
  private readonly names: Names;
  private readonly self: Rarity;
  private readonly inclusive: Rarity;
  private readonly calls: Rarity;
  private readonly prior: number;
  private gone = -1;

  /** `partner`: as for Neighbours. */
  constructor(
    profile: Profile,
    private readonly sides: Sides,
    partner: Int32Array,
  ) {
    this.name = profile.routines.name;
    this.callers = new Neighbours(endsOf(sides, CALLERS, partner.length), partner);
    this.callees = new Neighbours(endsOf(sides, CALLEES, partner.length), partner);
    this.places = new Places(profile, sides.flat);
    this.nameRows = new NameRows(profile, sides, this.places);
    this.names = new Names(profile.strings);
    this.self = new Rarity(sides.self);
    this.inclusive = new Rarity(sides.inclusive);
    this.calls = new Rarity(sides.calls);
    this.prior = -RENAMED - Math.log2(1 + Math.max(sides.gone.length, sides.added.length));
  }

  /** The routine that is gone of all following comparisons. */
  of(gone: number): void {
    this.gone = gone;
    this.callers.of(gone);
    this.callees.of(gone);
  }

  /** False if the two are no pair, whatever else there is. */
  compare(added: number): boolean {
    const { gone, callers, callees, places, name } = this;
    if (!this.nearInCost(added)) return false;
    const rows = this.rowBits(added);
    if (Number.isNaN(rows)) return false;
    callers.compare(added);
    if (callers.common + callers.perhaps < LEAST_IN_COMMON) return false;
    callees.compare(added);
    if (callees.common + callees.perhaps < LEAST_IN_COMMON) return false;
    places.compare(gone, added);
    if (callers.bits + callees.bits === 0 && !places.sameFile) return false;
    const others = 2 - callers.common - callers.perhaps - callees.common - callees.perhaps;
    this.bits =
      this.prior +
      this.costBits(added) +
      rows +
      callers.bits +
      callees.bits +
      OTHERS * others +
      this.callBits(added) +
      places.bits;
    this.named = this.bits < IMPROBABLE ? 0 : SAME_WORDS * this.names.similarity(name[gone], name[added]);
    return true;
  }

  private nearInCost(added: number): boolean {
    const { gone, sides } = this;
    return (
      this.apart(sides.inclusive[gone], sides.inclusive[added]) <= FARTHEST ||
      this.apart(sides.self[gone], sides.self[added]) <= FARTHEST
    );
  }

  /** The evidence of other rows of the two names; NaN if they contradict it. */
  private rowBits(added: number): number {
    const { gone, sides, nameRows } = this;
    if (!sides.flat) return 0;
    const paired = nameRows.paired(gone, added);
    if (paired === undefined) return Number.NaN;
    const { before, now, common } = nameRows.compare(gone, added);
    if (this.apart(before, now) > FARTHEST || common < LEAST_IN_COMMON) return Number.NaN;
    return paired ? PAIRED_NAMES : 0;
  }

  private costBits(added: number): number {
    const { gone, sides } = this;
    const { self, inclusive, sample } = sides;
    const [a, b] = [inclusive[gone], inclusive[added]];
    const [x, y] = [self[gone], self[added]];
    // Both are the same for a routine without callees.
    const ofCallees = 1 - Math.min(1, Math.max(0, x / a), Math.max(0, y / b));
    return nearness(this.self, x, y, sample) + ofCallees * nearness(this.inclusive, a, b, sample);
  }

  private callBits(added: number): number {
    const { gone, sides, callers } = this;
    const bits = nearness(this.calls, sides.calls[gone], sides.calls[added], 0);
    return bits > 0 ? bits * (1 - OF_CALLERS * callers.common) : bits;
  }

  /** How far costs are apart beyond chance, as a logarithm. Infinite if one of them is nothing. */
  private apart(a: number, b: number): number {
    if (!(a > 0 && b > 0)) return Number.POSITIVE_INFINITY;
    return Math.abs(Math.log(a / b)) - chance(a, b, this.sides.sample);
  }

  /** Facts about the last compared pair, for people. */
  why(added: number): string {
    const { gone, sides, places, callers, callees } = this;
    const same = [callers, callees].flatMap((of, k) => (of.bits > 0 ? [{ what: ['callers', 'callees'][k], of }] : []));
    const list = (intro: string, least: number, below: number) => {
      const whats = same.filter(({ of }) => of.common >= least && of.common < below).map(({ what }) => what);
      return whats.length > 0 ? [`${intro} ${whats.join(' and ')}`] : [];
    };
    const place = Math.abs(places.lines) <= FEW_LINES ? 'same file and place' : 'same file';
    const alone = [gone, added].every((r) => sides.inclusive[r] === sides.self[r]);
    const inclusive = this.apart(sides.inclusive[gone], sides.inclusive[added]) <= FARTHEST;
    return [
      ...list('same', ALL_IN_COMMON, Number.POSITIVE_INFINITY),
      ...list('mostly the same', MOST_IN_COMMON, ALL_IN_COMMON),
      ...list('some of the same', 0, MOST_IN_COMMON),
      ...(same.length === 0 && places.sameFile ? [place] : []),
      inclusive
        ? change(alone ? 'cost' : 'inclusive cost', sides.inclusive[gone], sides.inclusive[added])
        : change('self cost', sides.self[gone], sides.self[added]),
      ...(this.named >= SIMILAR * SAME_WORDS ? ['similar name'] : []),
    ].join(', ');
  }
}

/** The expected difference of two costs of one thing, as a logarithm, by the cost of a sample. */
const chance = (a: number, b: number, sample: number): number => DEVIATIONS * Math.sqrt(sample / a + sample / b);

/** The weight of two costs so near: little if many routines cost as much. */
function nearness(rarity: Rarity, a: number, b: number, sample: number): number {
  if (!(a > 0 && b > 0)) return 0;
  const noise = chance(a, b, sample);
  const [x, y] = [Math.log(a), Math.log(b)];
  const apart = Math.abs(x - y);
  const beyond = Math.max(0, apart - noise) / NEAR;
  const rare = rarity.bits((x + y) / 2, Math.max(apart, noise, NEAREST));
  return Math.max(MOST_AGAINST, rare - AGAINST * Math.log2(1 + beyond * beyond));
}

function change(what: string, before: number, now: number): string {
  const percent = formatPercent(now - before, before);
  return /[1-9]/.test(percent) ? `${what} ${now > before ? '+' : ''}${percent}` : `same ${what}`;
}
