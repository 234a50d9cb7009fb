// The evidence, in bits, that a removed and an added routine are the same: one bit means a rename makes it twice as likely as
// chance. Rare properties are strong evidence, common ones weak.
import { formatPercent } from '../../../../base/units.ts';
import type { Profile } from '../../../../model/profile.ts';
import { NameRows } from './name-rows.ts';
import { buildNeighbourTable, CALLEES, CALLERS, Neighbours } from './neighbours.ts';
import { FileEvidence } from './places.ts';
import { Rarity } from './rarity.ts';
import type { ComparedRuns } from './sides.ts';
import { NameSimilarity } from './words.ts';

// The numbers below were chosen by experiment: generated call graphs and ones of real programs with known renames, and real programs in
// two versions, with and without renames (test/analysis/compare/offered.test.ts has the first).

/** Prior, in bits: one in eight removed routines was renamed. */
const RENAME_PRIOR_BITS = 3;
/** As logarithm: the self or inclusive cost of a renamed routine differs by at most this factor. */
const FARTHEST = Math.log(1.3);
/** Costs that differ by more than NEAR count against a pair. Costs closer than NEAREST are not better evidence than NEAREST. */
const NEAR = 0.1;
const NEAREST = 0.03;
const AGAINST = 1.5;
const MOST_AGAINST = -6;
/** Expected difference of two sampled costs of one routine, in standard deviations. */
const DEVIATIONS = 1.5;
/** The part of the evidence of call counts that common callers already explain: a caller calls both equally often in a loop. */
const CALLS_IMPLIED_BY_CALLERS = 0.3;
/** The penalty if all callers, or all callees, differ. */
const OTHER_NEIGHBOUR_BITS = -8;
/** As a share: a pair has more than half of its callers, and of its callees, in common. */
const LEAST_IN_COMMON = 0.5;
/** Another row of the two names is a pair. */
const PAIRED_NAMES = 4;
/** Equal words in both names; and the other evidence below which names cannot help any more. */
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
  readonly fileEvidence: FileEvidence;
  readonly nameRows: NameRows;
  /** For `compare`: the evidence of the names, and all other evidence. */
  nameBits = 0;
  bits = 0;

  private readonly name: Uint32Array;
  private readonly names: NameSimilarity;
  private readonly self: Rarity;
  private readonly inclusive: Rarity;
  private readonly calls: Rarity;
  private readonly prior: number;
  private removed = -1;

  /** `partner`: as for Neighbours. */
  constructor(
    profile: Profile,
    private readonly sides: ComparedRuns,
    partner: Int32Array,
  ) {
    this.name = profile.routines.name;
    this.callers = new Neighbours(buildNeighbourTable(sides, CALLERS, partner.length), partner);
    this.callees = new Neighbours(buildNeighbourTable(sides, CALLEES, partner.length), partner);
    this.fileEvidence = new FileEvidence(profile, sides.flat);
    this.nameRows = new NameRows(profile, sides, this.fileEvidence);
    this.names = new NameSimilarity(profile.strings);
    this.self = new Rarity(sides.self);
    this.inclusive = new Rarity(sides.inclusive);
    this.calls = new Rarity(sides.calls);
    this.prior = -RENAME_PRIOR_BITS - Math.log2(1 + Math.max(sides.removed.length, sides.added.length));
  }

  /** Sets the removed routine for later compare() calls. */
  setRemoved(gone: number): void {
    this.removed = gone;
    this.callers.setRemoved(gone);
    this.callees.setRemoved(gone);
  }

  /** False if the two are no pair, whatever else there is. */
  compare(added: number): boolean {
    const { removed, callers, callees, fileEvidence, name } = this;
    if (!this.isNearInCost(added)) return false;
    const rows = this.nameRowBits(added);
    if (Number.isNaN(rows)) return false;
    callers.compare(added);
    if (callers.common + callers.possiblyCommon < LEAST_IN_COMMON) return false;
    callees.compare(added);
    if (callees.common + callees.possiblyCommon < LEAST_IN_COMMON) return false;
    fileEvidence.compare(removed, added);
    if (callers.bits + callees.bits === 0 && !fileEvidence.sameFile) return false;
    const others = 2 - callers.common - callers.possiblyCommon - callees.common - callees.possiblyCommon;
    this.bits =
      this.prior +
      this.costBits(added) +
      rows +
      callers.bits +
      callees.bits +
      OTHER_NEIGHBOUR_BITS * others +
      this.callBits(added) +
      fileEvidence.bits;
    this.nameBits = this.bits < IMPROBABLE ? 0 : SAME_WORDS * this.names.similarity(name[removed], name[added]);
    return true;
  }

  private isNearInCost(added: number): boolean {
    const { removed, sides } = this;
    return (
      this.logCostDistance(sides.inclusive[removed], sides.inclusive[added]) <= FARTHEST ||
      this.logCostDistance(sides.self[removed], sides.self[added]) <= FARTHEST
    );
  }

  /** The evidence of other rows of the two names; NaN if they contradict it. */
  private nameRowBits(added: number): number {
    const { removed, sides, nameRows } = this;
    if (!sides.flat) return 0;
    const paired = nameRows.isPaired(removed, added);
    if (paired === undefined) return Number.NaN;
    const { before, now, common } = nameRows.compare(removed, added);
    if (this.logCostDistance(before, now) > FARTHEST || common < LEAST_IN_COMMON) return Number.NaN;
    return paired ? PAIRED_NAMES : 0;
  }

  private costBits(added: number): number {
    const { removed, sides } = this;
    const { self, inclusive, sample } = sides;
    const [a, b] = [inclusive[removed], inclusive[added]];
    const [x, y] = [self[removed], self[added]];
    // Both are the same for a routine without callees.
    const ofCallees = 1 - Math.min(1, Math.max(0, x / a), Math.max(0, y / b));
    return nearnessBits(this.self, x, y, sample) + ofCallees * nearnessBits(this.inclusive, a, b, sample);
  }

  private callBits(added: number): number {
    const { removed, sides, callers } = this;
    const bits = nearnessBits(this.calls, sides.calls[removed], sides.calls[added], 0);
    return bits > 0 ? bits * (1 - CALLS_IMPLIED_BY_CALLERS * callers.common) : bits;
  }

  /** The difference of two costs beyond the expected noise, as logarithm. Infinite if one of them is 0. */
  private logCostDistance(a: number, b: number): number {
    if (!(a > 0 && b > 0)) return Number.POSITIVE_INFINITY;
    return Math.abs(Math.log(a / b)) - expectedDifference(a, b, this.sides.sample);
  }

  /** Facts about the last compared pair, for people. */
  describeEvidence(added: number): string {
    const { removed, sides, fileEvidence, callers, callees } = this;
    const same = [callers, callees].flatMap((of, k) => (of.bits > 0 ? [{ what: ['callers', 'callees'][k], of }] : []));
    const list = (intro: string, least: number, below: number) => {
      const whats = same.filter(({ of }) => of.common >= least && of.common < below).map(({ what }) => what);
      return whats.length > 0 ? [`${intro} ${whats.join(' and ')}`] : [];
    };
    const place = Math.abs(fileEvidence.lineOffset) <= FEW_LINES ? 'same file and place' : 'same file';
    const alone = [removed, added].every((r) => sides.inclusive[r] === sides.self[r]);
    const inclusive = this.logCostDistance(sides.inclusive[removed], sides.inclusive[added]) <= FARTHEST;
    return [
      ...list('same', ALL_IN_COMMON, Number.POSITIVE_INFINITY),
      ...list('mostly the same', MOST_IN_COMMON, ALL_IN_COMMON),
      ...list('some of the same', 0, MOST_IN_COMMON),
      ...(same.length === 0 && fileEvidence.sameFile ? [place] : []),
      inclusive
        ? changeText(alone ? 'cost' : 'inclusive cost', sides.inclusive[removed], sides.inclusive[added])
        : changeText('self cost', sides.self[removed], sides.self[added]),
      ...(this.nameBits >= SIMILAR * SAME_WORDS ? ['similar name'] : []),
    ].join(', ');
  }
}

/** The expected difference of two costs of one thing, as a logarithm, by the cost of a sample. */
const expectedDifference = (a: number, b: number, sample: number): number => DEVIATIONS * Math.sqrt(sample / a + sample / b);

/** The evidence of two similar costs, in bits: weak if many routines cost about as much. */
function nearnessBits(rarity: Rarity, a: number, b: number, sample: number): number {
  if (!(a > 0 && b > 0)) return 0;
  const noise = expectedDifference(a, b, sample);
  const [x, y] = [Math.log(a), Math.log(b)];
  const apart = Math.abs(x - y);
  const beyond = Math.max(0, apart - noise) / NEAR;
  const rare = rarity.bits((x + y) / 2, Math.max(apart, noise, NEAREST));
  return Math.max(MOST_AGAINST, rare - AGAINST * Math.log2(1 + beyond * beyond));
}

function changeText(what: string, before: number, now: number): string {
  const percent = formatPercent(now - before, before);
  return /[1-9]/.test(percent) ? `${what} ${now > before ? '+' : ''}${percent}` : `same ${what}`;
}
