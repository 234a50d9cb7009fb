// How much speaks for a routine that is gone being one that is new under another name, in bits: something that a rename makes twice as
// likely as chance is one bit. What is rare in a program says much, what many routines have says little.
import { firstWhere } from '../../../base/search.ts';
import { formatPercent } from '../../../base/units.ts';
import type { Profile } from '../../../model/profile.ts';
import { NameRows } from './name-rows.ts';
import { CALLEES, CALLERS, Neighbours } from './neighbours.ts';
import { Places } from './places.ts';
import type { Sides } from './sides.ts';
import { Names } from './words.ts';

/** As logarithms: what costs twice as much, or half, is another routine. */
const FARTHEST = Math.log(1.3);
/** Costs that are farther apart speak against a pair more and more; those that are nearer than NEAREST say no more than that. */
const NEAR = 0.1;
const NEAREST = 0.03;
const AGAINST = 1.5;
const MOST_AGAINST = -6;
/** Sampled costs of the same thing differ by so many standard deviations. */
const DEVIATIONS = 1.5;
/** Callers or callees that are others, all of them. */
const OTHERS = -8;
/** As a share: a pair has more than half of its callers, and of its callees, in common. */
const LEAST_IN_COMMON = 0.5;
/** In words: the same callers, or mostly the same; the same place. */
const ALL_IN_COMMON = 0.95;
const FEW_LINES = 20;
const SIMILAR = 0.4;
/** Another row of the two names is a pair. */
const PAIRED_NAMES = 4;
/** How much of what the number of calls says the callers say already. */
const OF_CALLERS = 0.3;
/** Names with the same words. */
const SAME_WORDS = 4;

/** Values of all routines, as logarithms, to say how rare one is. */
class Spread {
  private readonly sorted: Float64Array;
  constructor(values: ArrayLike<number>) {
    const step = Math.ceil(values.length / 10_000);
    const logs: number[] = [];
    for (let i = 0; i < values.length; i += step) if (values[i] > 0) logs.push(Math.log(values[i]));
    this.sorted = Float64Array.from(logs).sort();
  }

  /** Bits that having such a value says. */
  rarity(at: number, width: number): number {
    const { sorted } = this;
    const from = firstWhere(sorted.length, (k) => sorted[k] >= at - width);
    const to = firstWhere(sorted.length, (k) => sorted[k] > at + width);
    return Math.log2((sorted.length + 1) / (to - from + 1));
  }
}

export class Likeness {
  readonly callers: Neighbours;
  readonly callees: Neighbours;
  readonly places: Places;
  readonly nameRows: NameRows;
  /** Of `compare`: what the names say of it, and all the rest. */
  named = 0;
  bits = 0;

  private readonly sides: Sides;
  private readonly profile: Profile;
  private readonly names: Names;
  private readonly inclusive: Spread;
  private readonly self: Spread;
  private readonly calls: Spread;
  private readonly prior: number;
  private gone = -1;

  constructor(profile: Profile, sides: Sides, partner: Int32Array) {
    this.sides = sides;
    this.profile = profile;
    this.callers = new Neighbours(sides, CALLERS, partner);
    this.callees = new Neighbours(sides, CALLEES, partner);
    this.places = new Places(profile);
    this.nameRows = new NameRows(profile, sides, this.places);
    this.names = new Names(profile.strings);
    this.inclusive = new Spread(sides.now.inclusive);
    this.self = new Spread(sides.now.self);
    this.calls = new Spread(sides.now.calls);
    this.prior = -2 - Math.log2(1 + Math.max(sides.gone.length, sides.added.length));
  }

  /** The routine that is gone of all following comparisons. */
  of(gone: number): void {
    this.gone = gone;
    this.callers.of(gone);
    this.callees.of(gone);
  }

  /** False if the two are no pair whatever else there is. */
  compare(added: number): boolean {
    const { gone, callers, callees, places, profile } = this;
    const cost = this.costBits(added);
    if (Number.isNaN(cost)) return false;
    const rows = this.rowBits(added);
    if (Number.isNaN(rows)) return false;
    for (const of of [callers, callees]) {
      of.compare(added);
      if (of.common + of.perhaps < LEAST_IN_COMMON) return false;
    }
    places.compare(gone, added);
    if (callers.bits + callees.bits === 0 && !places.sameFile) return false;
    const against = OTHERS * (2 - callers.common - callers.perhaps - callees.common - callees.perhaps);
    this.bits = this.prior + cost + this.callBits(added) + callers.bits + callees.bits + against + places.bits + rows;
    const name = profile.routines.name;
    this.named = SAME_WORDS * this.names.similarity(name[gone], name[added]);
    return true;
  }

  /** What other rows of the two names say; NaN if they are against it. */
  private rowBits(added: number): number {
    const { gone, sides, nameRows } = this;
    if (!sides.flat) return 0;
    const paired = nameRows.paired(gone, added);
    const { before, now, common } = nameRows.compare(gone, added);
    const alike = this.apart(before, now) <= FARTHEST && common >= LEAST_IN_COMMON;
    return paired === undefined || !alike ? Number.NaN : paired ? PAIRED_NAMES : 0;
  }

  /** The callers that both have in common say how often they call: what one calls in a loop, it calls equally often. */
  private callBits(added: number): number {
    const { sides, gone, callers } = this;
    const bits = this.nearness(this.calls, sides.before.calls[gone], sides.now.calls[added], false);
    return bits > 0 ? bits * (1 - OF_CALLERS * callers.common) : bits;
  }

  /** NaN if the costs are too far apart. */
  private costBits(added: number): number {
    const { sides, gone } = this;
    const [before, now] = [sides.before, sides.now];
    const [a, b] = [before.inclusive[gone], now.inclusive[added]];
    const [x, y] = [before.self[gone], now.self[added]];
    const apart = Math.min(this.apart(a, b), this.apart(x, y));
    if (apart > FARTHEST) return Number.NaN;
    // Of a routine without callees, both are the same.
    const other = 1 - Math.min(1, x / a, y / b);
    return this.nearness(this.self, x, y) + other * this.nearness(this.inclusive, a, b);
  }

  /** Of the last pair that was compared, for people. */
  why(added: number): string {
    const { gone, sides, places, callers, callees } = this;
    const cost = (of: 'inclusive' | 'self') => {
      const [a, b] = [sides.before[of][gone], sides.now[of][added]];
      const by = formatPercent(b - a, a);
      return /[1-9]/.test(by) ? `cost ${b > a ? '+' : ''}${by}` : 'same cost';
    };
    const near = (of: 'inclusive' | 'self') => this.apart(sides.before[of][gone], sides.now[of][added]) <= FARTHEST;
    const same = [callers, callees].flatMap((of, k) => (of.bits > 0 ? [{ what: ['callers', 'callees'][k], of }] : []));
    const whole = same.filter(({ of }) => of.common >= ALL_IN_COMMON).map(({ what }) => what);
    const most = same.filter(({ of }) => of.common < ALL_IN_COMMON).map(({ what }) => what);
    const place = Math.abs(places.lines) <= FEW_LINES ? 'same file and place' : 'same file';
    return [
      ...(whole.length > 0 ? [`same ${whole.join(' and ')}`] : []),
      ...(most.length > 0 ? [`mostly the same ${most.join(' and ')}`] : []),
      ...(same.length === 0 && places.sameFile ? [place] : []),
      near('inclusive') ? cost('inclusive') : `own ${cost('self')}`,
      ...(this.named >= SIMILAR * SAME_WORDS ? ['similar name'] : []),
    ].join(', ');
  }

  /** Infinite if one of them is not known to cost anything. */
  private apart(a: number, b: number): number {
    return a > 0 && b > 0 ? Math.abs(Math.log(a / b)) - this.noise(a, b) : Number.POSITIVE_INFINITY;
  }

  private noise(a: number, b: number, sampled = this.sides.sampled): number {
    return sampled ? DEVIATIONS * Math.sqrt(1 / a + 1 / b) : 0;
  }

  private nearness(spread: Spread, a: number, b: number, sampled = this.sides.sampled): number {
    if (!(a > 0 && b > 0)) return 0;
    const noise = this.noise(a, b, sampled);
    const [x, y] = [Math.log(a), Math.log(b)];
    const apart = Math.abs(x - y);
    const beyond = Math.max(0, apart - noise) / NEAR;
    const rare = spread.rarity((x + y) / 2, Math.max(apart, noise, NEAREST));
    return Math.max(MOST_AGAINST, rare - AGAINST * Math.log2(1 + beyond * beyond));
  }
}
