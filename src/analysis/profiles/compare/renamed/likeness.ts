// The evidence, in bits, that a removed and an added routine are the same: one bit means a rename makes it twice as likely as
// chance. Rare properties are strong evidence, common ones weak.

import { getOrMake } from '../../../../base/lists.ts';
import { formatPercent } from '../../../../base/units.ts';
import { type Index, indexBy, rowsOfKey } from '../../../../model/column.ts';
import type { Profile } from '../../../../model/profile.ts';
import { type Strings, stringCount } from '../../../../model/strings.ts';
import { NameScan } from '../../../names/grammar.ts';
import { buildNeighbourTable, Neighbours } from './neighbours.ts';
import { FileEvidence } from './places.ts';
import type { ComparedRuns } from './sides.ts';

// The constants below were chosen by experiment: with generated and real call graphs with known renames, and with real programs.
// Real programs were compared in two versions, with and without renames (test/analysis/compare/offered.test.ts).

/** Prior, in bits: one in eight removed routines was renamed. */
const RENAME_PRIOR_BITS = 3;
/** The maximum ratio of self or inclusive costs of a renamed routine, as a logarithm. */
const MAX_LOG_COST_RATIO = Math.log(1.3);
/** Costs that differ more than NEAR_LOG_RATIO count against a pair. Below NEAREST_LOG_RATIO, evidence does not improve. */
const NEAR_LOG_RATIO = 0.1;
const NEAREST_LOG_RATIO = 0.03;
const AGAINST = 1.5;
const MOST_AGAINST = -6;
/** Expected difference of two sampled costs of one routine, in standard deviations. */
const SAMPLED_DEVIATIONS = 1.5;
/** The part of the evidence of call counts that common callers already explain: a caller calls both equally often in a loop. */
const CALLS_IMPLIED_BY_CALLERS = 0.3;
/** The evidence, in bits, if all callers or all callees differ. */
const OTHER_NEIGHBOUR_BITS = -8;
/** The minimum share of callers, and of callees, that a pair has in common. */
const MIN_COMMON_SHARE = 0.5;
/** The evidence, in bits, if other rows of the two names are paired. */
const PAIRED_NAMES_BITS = 4;
/** The evidence of equal words in both names. Below IMPROBABLE_BITS of other evidence, names do not count. */
const SAME_WORDS_BITS = 5;
const IMPROBABLE_BITS = -10;
/** Thresholds for descriptions: the same callers; mostly or partly the same; the same place; a similar name. */
const SAME_CALLERS_SHARE = 0.95;
/** The maximum relative change of the costs of a routine that was only renamed. */
const MAX_SAME_COST_CHANGE = 0.02;
const MOSTLY_SAME_SHARE = 0.5;
const SAME_PLACE_LINES = 20;
const SIMILAR_NAME_SHARE = 0.4;

export class Likeness {
  readonly callers: Neighbours;
  readonly callees: Neighbours;
  readonly fileEvidence: FileEvidence;
  readonly nameRows: NameRows;
  /** Results of compare(): the evidence of the names, and all other evidence. */
  nameBits = 0;
  bits = 0;

  private readonly name: Uint32Array;
  private readonly names: NameSimilarity;
  private readonly rarity: Readonly<Record<'self' | 'inclusive' | 'calls', Rarity>>;
  private readonly prior: number;
  private removed = -1;

  /** `partner`: as for Neighbours. */
  constructor(
    profile: Profile,
    private readonly sides: ComparedRuns,
    partner: Int32Array,
  ) {
    this.name = profile.routines.name;
    this.callers = new Neighbours(buildNeighbourTable(sides, 'callers', partner.length), partner);
    this.callees = new Neighbours(buildNeighbourTable(sides, 'callees', partner.length), partner);
    this.fileEvidence = new FileEvidence(profile, sides.flat);
    this.nameRows = new NameRows(profile, sides, this.fileEvidence);
    this.names = new NameSimilarity(profile.strings);
    this.rarity = { self: new Rarity(sides.self), inclusive: new Rarity(sides.inclusive), calls: new Rarity(sides.calls) };
    this.prior = -RENAME_PRIOR_BITS - Math.log2(1 + Math.max(sides.removed.length, sides.added.length));
  }

  /** Sets the removed routine for later compare() calls. */
  setRemoved(gone: number): void {
    this.removed = gone;
    this.callers.setRemoved(gone);
    this.callees.setRemoved(gone);
  }

  /** Compares the removed routine with an added one. Returns false if they cannot be a pair. */
  compare(added: number): boolean {
    const { removed, callers, callees, fileEvidence, name } = this;
    if (!this.isNear('inclusive', added) && !this.isNear('self', added)) return false;
    const rows = this.nameRowBits(added);
    if (Number.isNaN(rows)) return false;
    callers.compare(added);
    if (callers.common + callers.possiblyCommon < MIN_COMMON_SHARE) return false;
    callees.compare(added);
    if (callees.common + callees.possiblyCommon < MIN_COMMON_SHARE) return false;
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
    this.nameBits = this.bits < IMPROBABLE_BITS ? 0 : SAME_WORDS_BITS * this.names.similarity(name[removed], name[added]);
    return true;
  }

  private isNear(cost: 'self' | 'inclusive', added: number): boolean {
    return this.logCostDistance(this.sides[cost][this.removed], this.sides[cost][added]) <= MAX_LOG_COST_RATIO;
  }

  /** The evidence of other rows of the two names; NaN if they contradict it. */
  private nameRowBits(added: number): number {
    const { removed, sides, nameRows } = this;
    if (!sides.flat) return 0;
    const paired = nameRows.isPaired(removed, added);
    if (paired === undefined) return Number.NaN;
    const { before, now, common } = nameRows.compare(removed, added);
    if (this.logCostDistance(before, now) > MAX_LOG_COST_RATIO || common < MIN_COMMON_SHARE) return Number.NaN;
    return paired ? PAIRED_NAMES_BITS : 0;
  }

  private costBits(added: number): number {
    const { removed, sides, rarity } = this;
    const { self, inclusive, sample } = sides;
    const [a, b] = [inclusive[removed], inclusive[added]];
    const [x, y] = [self[removed], self[added]];
    // Self and inclusive cost are equal for a routine without callees.
    const ofCallees = 1 - Math.min(1, Math.max(0, x / a), Math.max(0, y / b));
    return nearnessBits(rarity.self, x, y, sample) + ofCallees * nearnessBits(rarity.inclusive, a, b, sample);
  }

  private callBits(added: number): number {
    const { removed, sides, callers } = this;
    const bits = nearnessBits(this.rarity.calls, sides.calls[removed], sides.calls[added], 0);
    return bits > 0 ? bits * (1 - CALLS_IMPLIED_BY_CALLERS * callers.common) : bits;
  }

  /** The difference of two costs beyond the expected noise, as logarithm. Infinite if one of them is 0. */
  private logCostDistance(a: number, b: number): number {
    if (!(a > 0 && b > 0)) return Number.POSITIVE_INFINITY;
    return Math.abs(Math.log(a / b)) - expectedDifference(a, b, this.sides.sample);
  }

  /** Whether the last compared pair has the same callers and callees, and nearly equal costs. */
  isSameRoutine(added: number): boolean {
    const { removed, sides, callers, callees } = this;
    const known = [callers, callees].filter(({ bits }) => bits !== 0);
    const isNear = ([before, now]: readonly number[]) => Math.abs(now - before) <= MAX_SAME_COST_CHANGE * before;
    return (
      known.length > 0 &&
      known.every(({ common }) => common >= SAME_CALLERS_SHARE) &&
      [sides.inclusive, sides.self].every((costs) => isNear([costs[removed], costs[added]]))
    );
  }

  /** Facts about the last compared pair, for people. */
  describeEvidence(added: number): string {
    const { removed, sides, fileEvidence, callers, callees } = this;
    const same = [callers, callees].flatMap((of, k) => (of.bits > 0 ? [{ what: ['callers', 'callees'][k], of }] : []));
    const list = (intro: string, least: number, below: number) => {
      const whats = same.filter(({ of }) => of.common >= least && of.common < below).map(({ what }) => what);
      return whats.length > 0 ? [`${intro} ${whats.join(' and ')}`] : [];
    };
    const place = Math.abs(fileEvidence.lineOffset) <= SAME_PLACE_LINES ? 'same file and place' : 'same file';
    const alone = [removed, added].every((r) => sides.inclusive[r] === sides.self[r]);
    return [
      ...list('same', SAME_CALLERS_SHARE, Number.POSITIVE_INFINITY),
      ...list('mostly the same', MOSTLY_SAME_SHARE, SAME_CALLERS_SHARE),
      ...list('some of the same', 0, MOSTLY_SAME_SHARE),
      ...(same.length === 0 && fileEvidence.sameFile ? [place] : []),
      this.isNear('inclusive', added)
        ? changeText(alone ? 'cost' : 'inclusive cost', sides.inclusive[removed], sides.inclusive[added])
        : changeText('self cost', sides.self[removed], sides.self[added]),
      ...(this.nameBits >= SIMILAR_NAME_SHARE * SAME_WORDS_BITS ? ['similar name'] : []),
    ].join(', ');
  }
}

/** The expected difference of two costs of one thing, as a logarithm, by the cost of a sample. */
const expectedDifference = (a: number, b: number, sample: number): number =>
  SAMPLED_DEVIATIONS * Math.sqrt(sample / a + sample / b);

/** The evidence of two similar costs, in bits: weak if many routines cost about as much. */
function nearnessBits(rarity: Rarity, a: number, b: number, sample: number): number {
  if (!(a > 0 && b > 0)) return 0;
  const noise = expectedDifference(a, b, sample);
  const [x, y] = [Math.log(a), Math.log(b)];
  const apart = Math.abs(x - y);
  const beyond = Math.max(0, apart - noise) / NEAR_LOG_RATIO;
  const rare = rarity.bits((x + y) / 2, Math.max(apart, noise, NEAREST_LOG_RATIO));
  return Math.max(MOST_AGAINST, rare - AGAINST * Math.log2(1 + beyond * beyond));
}

function changeText(what: string, before: number, now: number): string {
  const percent = formatPercent(now - before, before);
  return /[1-9]/.test(percent) ? `${what} ${now > before ? '+' : ''}${percent}` : `same ${what}`;
}

// In profiles without calls, a routine may have one row per file of its code. All its rows are matched together, or none.

class NameRows {
  private readonly name: Uint32Array;
  private readonly rows: Index;
  private readonly self: Float64Array;
  /** The cost of all rows of a name: `inFile` by file that both runs have; -1 for all others. */
  private readonly known = new Map<number, { readonly total: number; readonly inFile: ReadonlyMap<number, number> }>();
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

  private costOfName(name: number) {
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

// How much two names have in common: words of the last identifier, and words of the scopes before it.

const isDigit = (c: number) => c >= 48 && c <= 57;
const isUpper = (c: number) => c >= 65 && c <= 90;
const isLower = (c: number) => (c >= 97 && c <= 122) || c >= 128;

/** Words as hashes, sorted. `parse_line`, `parseLine` and `ParseLine` have the same. */
function hashWords(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const out: number[] = [];
  let hash = 0;
  const endWord = () => {
    if (hash !== 0) out.push(hash);
    hash = 0;
  };
  for (let i = from; i < to; i++) {
    const c = bytes[i];
    const before = i > from ? bytes[i - 1] : 0;
    const inWord = isDigit(c) || isUpper(c) || isLower(c);
    // HTTPServer: http, server.
    const startsWord = isUpper(c) && (!isUpper(before) || (i + 1 < to && isLower(bytes[i + 1])));
    if (!inWord || startsWord || isDigit(c) !== isDigit(before)) endWord();
    if (inWord) hash = Math.imul((hash ^ (isUpper(c) ? c + 32 : c)) + 1, 0x01000193) >>> 0;
  }
  endWord();
  return Uint32Array.from(out).sort();
}

/** Hashes of words: `own` of the last identifier, `all` also of scopes and their arguments. */
type NameWords = Readonly<Record<'own' | 'all', Uint32Array>>;

/** Dice coefficient of two sorted lists: twice the size of the common part, divided by the sum of the sizes. */
function diceCoefficient(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    const [x, y] = [a[i], b[k]];
    if (x === y) common++;
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return common > 0 ? (2 * common) / (a.length + b.length) : 0;
}

class NameSimilarity {
  private readonly known = new Map<number, NameWords>();
  private readonly scanner = new NameScan();
  constructor(private readonly strings: Strings) {}

  /** 0 for names that have no word in common, 1 for the same; arguments and parameters do not count. */
  similarity(a: number, b: number): number {
    const [x, y] = [this.wordsOf(a), this.wordsOf(b)];
    return (diceCoefficient(x.own, y.own) + diceCoefficient(x.all, y.all)) / 2;
  }

  private wordsOf(id: number): NameWords {
    return getOrMake(this.known, id, () => {
      const { bytes, start } = this.strings;
      const { scanner } = this;
      scanner.scan(bytes, start[id], start[id + 1]);
      const { own, identFrom, identTo, resultTo } = scanner;
      return { own: hashWords(bytes, identFrom[own], identTo[own]), all: hashWords(bytes, resultTo, identTo[own]) };
    });
  }
}

// Measures how rare a value is among those of all routines.

/** Logarithms are counted in steps of 0.01 (1 %), from -30 on. */
const STEPS_PER_LOG_UNIT = 100;
const LOWEST_LOG = -30;
const STEP_COUNT = 120 * STEPS_PER_LOG_UNIT;

class Rarity {
  /** By step: the number of values below it. */
  private readonly below = new Float64Array(STEP_COUNT + 1);

  /** Values of 0 and less are left out. */
  constructor(values: ArrayLike<number>) {
    const { below } = this;
    for (let i = 0; i < values.length; i++) if (values[i] > 0) below[this.stepOf(Math.log(values[i])) + 1]++;
    for (let k = 0; k < STEP_COUNT; k++) below[k + 1] += below[k];
  }

  private stepOf(log: number): number {
    return Math.min(STEP_COUNT - 1, Math.max(0, Math.floor((log - LOWEST_LOG) * STEPS_PER_LOG_UNIT)));
  }

  /** The evidence, in bits, that two routines have values within `width` of `at`. Both are logarithms. */
  bits(at: number, width: number): number {
    const { below } = this;
    const within = below[this.stepOf(at + width) + 1] - below[this.stepOf(at - width)];
    return Math.log2(below[STEP_COUNT] / Math.max(1, within - 1));
  }
}
