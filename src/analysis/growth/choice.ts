// Chooses the law that the points of a curve follow. Robust fits of all classes and of a power law are compared; doubts are
// recorded. docs/numbers.md explains each rule.

import { medianOf } from '../../base/median.ts';
import { pickColumn } from '../../model/column.ts';
import {
  CLASS_NAMES,
  type ClassName,
  degreeOf,
  growthClassOf,
  growthFunction,
  growthSumOf,
  type Law,
  type LawName,
  lawLabel,
} from './classes.ts';
import { MIN_SCALE, type Points, robustLevel, robustLine, robustPower } from './robust.ts';
import { exponentialLaw, type FittedLaw, offsetPowerLaw, sumLaws } from './sums.ts';
import { rowAfterJump, tailFrom } from './tail.ts';

/** A fitted law and the quality of its fit. */
export interface Candidate extends Law {
  /** The spread of its relative errors. */
  readonly scale: number;
  /** Akaike's criterion, and the one corrected for few points: less is better. */
  readonly aic: number;
  readonly aicc: number;
}

export interface LawChoice {
  readonly best: Candidate | undefined;
  /** The best of the other laws. */
  readonly next: Candidate | undefined;
  /** Whether the points do not decide on a class. */
  readonly undecided: boolean;
  /** All laws that still fit, the best one first. */
  readonly fitting: readonly Candidate[];
  /** All laws that could be fitted, the best one first. */
  readonly all: readonly Candidate[];
  /** The largest sizes, if they do not follow the law of the other sizes; `over` is the law of all sizes, if any. */
  readonly tail?: NonNullable<ReturnType<typeof tailFrom>> & { readonly over: Candidate | undefined };
}

const NO_CHOICE: LawChoice = { best: undefined, next: undefined, undecided: true, fitting: [], all: [] };

/** Laws whose criteria differ by less fit equally well. */
const MAX_CLOSE_AIC_GAP = 4;
/** Among laws whose criteria differ by less than this, the slowest-growing is named. */
const MAX_EQUAL_AIC_GAP = 2;
/** The minimum lead of a power law over every class. With MIN_CLEAR_POWER_LEAD, the law is beyond doubt. */
const MIN_POWER_LEAD = 6;
const MIN_CLEAR_POWER_LEAD = 10;
/** The minimum lead of a sum over every class and power law. Exponential laws need MIN_EXPONENTIAL_LEAD. */
const MIN_SUM_LEAD = 6;
const MIN_EXPONENTIAL_LEAD = 10;
/** The minimum lead of a law with a tail over one law for all sizes, unless that law misses the tail as well. */
const MIN_TAIL_LEAD = 6;
/** A power with a constant that fits about as well marks a class whose exponent differs by more than this. */
const MAX_EXPONENT_ERROR = 0.15;
const MIN_SIZE_RANGE = 2;
/** An exponent this close to that of the best class counts as the class with lower terms. */
const SAME_EXPONENT_GAP = 0.25;
/** The maximum error scales: for a constant, for a certain law, and for any law. */
const MAX_CONSTANT_SCALE = 0.3;
const MAX_CERTAIN_SCALE = 0.15;
const MAX_ERROR_SCALE = 0.5;
/** A law whose criterion is worse by more than this after a few steps is given up. */
const MAX_AIC_GAP = 40;
/** Leaving out one point does not make a law the best if it is worse by more than this. */
const MAX_REACHABLE_GAP = 25;
/** How many rivals are tried when points are left out. */
const MAX_RIVALS = 2;
/** Larger curves are reduced to this many points. */
const MAX_POINTS = 64;
/** The largest sizes: so many, or this share of all. */
const [MIN_LARGEST_SIZES, LARGEST_SHARE] = [3, 0.25];
/** Errors above this many scales are outliers. */
const MIN_OUTLIER_SCALES = 4;

export const isOutlier = (cost: number, expected: number, { scale }: Candidate, floor: number): boolean =>
  Math.abs(cost - expected) > MIN_OUTLIER_SCALES * scale * (Math.max(0, expected) + floor);

/** Sizes that differ by less than this factor are left out together, because they are not independent. */
const SAME_SIZE_FACTOR = 1.1;

const correctedAic = (aic: number, k: number, n: number) => aic + (2 * k * (k + 1)) / Math.max(0.5, n - k - 1);

/** The law with its criteria. `n`: the number of points. */
function scoreLaw({ loss, parameters, ...law }: FittedLaw, n: number): Candidate {
  const aic = loss + 2 * parameters;
  return { ...law, aic, aicc: correctedAic(aic, parameters, n) };
}

export const growthValues = (of: (n: number) => number, sizes: Float64Array): Float64Array => sizes.map((size) => of(size));

/** The fit of one law; undefined if it does not rise, or varies too much for a constant. */
function fitCandidate(name: LawName, points: Points, near?: Candidate): Candidate | undefined {
  const n = points.size.length;
  if (name === 'power') {
    const power = robustPower(points, near && { b: near.b, exponent: near.exponent ?? 1 });
    return power && power.exponent > 0 ? scoreLaw({ ...power, name, parameters: 3 }, n) : undefined;
  }
  if (name === 'constant') {
    const level = robustLevel(points);
    return level && level.scale <= MAX_CONSTANT_SCALE ? scoreLaw({ ...level, name, parameters: 2 }, n) : undefined;
  }
  const line = robustLine(growthValues(growthFunction({ name }), points.size), points, near);
  return line && line.b > 0 ? scoreLaw({ ...line, name, parameters: 3 }, n) : undefined;
}

/** The laws of these names that can be fitted, best first. */
function fitCandidates(points: Points, names: readonly LawName[], near?: ReadonlyMap<LawName, Candidate>): Candidate[] {
  const all = names.flatMap((name) => fitCandidate(name, points, near?.get(name)) ?? []);
  return all.sort((p, q) => p.aicc - q.aicc);
}

const CLASS_NAME_SET: ReadonlySet<string> = new Set(CLASS_NAMES);
const isClassLaw = (c: Candidate): c is Candidate & { readonly name: ClassName } => CLASS_NAME_SET.has(c.name);

/** The best class, or the power law if it is better than all classes by a clear margin. */
function pickClassOrPower(all: readonly Candidate[]): Candidate | undefined {
  const best = all.find(isClassLaw);
  const power = all.find((c) => !isClassLaw(c));
  if (!power) return best;
  if (!best) return power;
  return power.aicc < best.aicc - MIN_POWER_LEAD && !isBentClass(power, best) ? power : best;
}

const WHOLE_EXPONENTS: Partial<Record<LawName, number>> = { n: 1, n2: 2, n3: 3 };

/** Whether a power law may be the best class, n, n² or n³, with lower terms that bend it. */
function isBentClass({ exponent = 0 }: Candidate, best: Candidate | undefined): boolean {
  const whole = best && WHOLE_EXPONENTS[best.name];
  return whole !== undefined && Math.abs(exponent - whole) <= SAME_EXPONENT_GAP;
}

function fitsAboutAsWell(other: Candidate, best: Candidate): boolean {
  if (other === best) return false;
  const tolerance = isClassLaw(best) ? MAX_CLOSE_AIC_GAP : MIN_CLEAR_POWER_LEAD;
  if (isClassLaw(other)) return other.aic - best.aic < tolerance || other.aicc - best.aicc < tolerance;
  // The slope of logarithms is a measure of its own: it must agree with the class.
  const [from, to] = isClassLaw(best) ? growthClassOf(best.name).slopes : [0, 0];
  const { exponent = 1 } = other;
  return (exponent < from || exponent > to) && other.aicc - best.aicc < MAX_CLOSE_AIC_GAP;
}

/** Whether costs that look constant may grow as slowly as log n. */
function mayGrowAsLog(all: readonly Candidate[], level: Candidate, { size }: Points): boolean {
  const { of } = growthClassOf('logN');
  const [from, to] = [of(size[0]), of(size[size.length - 1])];
  const rising = all.find((c) => c.name === 'logN');
  const rise = rising ? (rising.b * (to - from)) / Math.max(level.a / 10, rising.a + rising.b * from) : 0;
  const error = level.scale * Math.sqrt(12 / size.length);
  return rise + 2 * error > (0.5 * (to - from)) / Math.max(1, from) || all.some((c) => isClassLaw(c) && c.aic < level.aic - 2);
}

/** The loss of each point under a law: -2 log of its likelihood. */
function pointLosses(law: Candidate, { size, cost, floor }: Points): Float64Array {
  const expected = growthValues(growthFunction(law), size);
  for (let i = 0; i < size.length; i++) {
    const at = law.a + law.b * expected[i];
    const s = Math.max(0, at) + floor;
    const u = (cost[i] - at) / s / law.scale;
    expected[i] = 2 * Math.log(law.scale * s) + 4 * Math.log(1 + (u * u) / 3);
  }
  return expected;
}

function withoutPoint(points: Points, row: number): Points {
  const { size } = points;
  let from = row;
  let to = row + 1;
  while (from > 0 && size[from - 1] * SAME_SIZE_FACTOR >= size[row]) from--;
  while (to < size.length && size[to] <= size[row] * SAME_SIZE_FACTOR) to++;
  return mapPoints(points, (column) => column.filter((_, i) => i < from || i >= to));
}

const mapPoints = ({ size, cost, floor }: Points, pick: (column: Float64Array) => Float64Array): Points => ({
  size: pick(size),
  cost: pick(cost),
  floor,
});

/** The names of laws that would be chosen if one of the points were left out. */
function lawsWithoutOnePoint(best: Candidate, all: readonly Candidate[], points: Points): Set<LawName> {
  const n = points.size.length;
  const mine = pointLosses(best, points);
  // How much each point contributes to the lead over a rival.
  const rivals = all
    .filter((c) => c !== best && c.aic < best.aic + MAX_REACHABLE_GAP)
    .slice(0, MAX_RIVALS)
    .map((law) => ({ law, lead: law.aic - best.aic, adds: pointLosses(law, points).map((loss, row) => loss - mine[row]) }));
  const near = new Map([best, ...rivals.map((r) => r.law)].map((c) => [c.name, c]));
  const out = new Set<LawName>();
  for (let row = 0; row < n; row++) {
    const end = row < 2 || row >= n - 2;
    // Without an end point the line tilts around the others, so that point's share of the lead means less.
    const names: LawName[] = rivals
      .filter((r) => r.lead - r.adds[row] < (end ? 3 : 1) * MAX_CLOSE_AIC_GAP)
      .map((r) => r.law.name);
    // An outlier at the end may have ruled out a constant.
    if (end && !names.includes('constant')) names.push('constant');
    if (names.length === 0) continue;
    const rest = withoutPoint(points, row);
    const other = rest.size.length < 4 ? best : pickClassOrPower(fitCandidates(rest, [best.name, ...names], near));
    if (other && other.name !== best.name) out.add(other.name);
  }
  return out;
}

/** At most MAX_POINTS of the points, evenly chosen, including both ends. */
function sampleEvenly(points: Points): Points {
  const n = points.size.length;
  if (n <= MAX_POINTS) return points;
  const rows = Uint32Array.from({ length: MAX_POINTS }, (_, i) => Math.round((i * (n - 1)) / (MAX_POINTS - 1)));
  return mapPoints(points, (column) => pickColumn(column, rows));
}

/** Among laws that fit equally well, the one that grows least. */
function slowestGrowing(best: Candidate, all: readonly Candidate[]): Candidate {
  if (!isClassLaw(best)) return best;
  const equal = all
    .filter(isClassLaw)
    .filter((c) => c.aicc - best.aicc < MAX_EQUAL_AIC_GAP && c.aic - best.aic < MAX_EQUAL_AIC_GAP);
  return CLASS_NAMES.map((name) => equal.find((c) => c.name === name)).find((c) => c !== undefined) ?? best;
}

/** Points must be in ascending order of size, with at least five sizes. */
export function chooseLaw(every: Points): LawChoice {
  const points = sampleEvenly(every);
  const rough = fitCandidates(points, [...CLASS_NAMES, 'power']);
  if (rough.length === 0) return NO_CHOICE;
  // Only laws that can still win are fitted to the end.
  const hopeful = new Map(rough.filter((c) => c.aic < rough[0].aic + MAX_AIC_GAP).map((c) => [c.name, c]));
  const all = [...fitCandidates(points, Array.from(hopeful.keys()), hopeful), ...rough.filter((c) => !hopeful.has(c.name))];
  // The full fit can reject a law that the rough fit accepted, so none may be left.
  if (all.length === 0) return NO_CHOICE;
  const best = pickClassOrPower(all);
  const wide = fitWideLaws(points, all);
  const winner = wideWinner(wide, all, points);
  return (
    withTail(points, winner ?? best) ??
    (winner ? chooseWide(points, winner, wide, all) : best ? choosePlain(points, best, wide, all) : { ...NO_CHOICE, all })
  );
}

/** Whether costs rise more steeply than a logarithm can: over few doublings of the size, many laws look alike. */
function risesTooMuch({ name, a, b }: Candidate, { size }: Points): boolean {
  if (name !== 'logN') return false;
  const { of, slopes } = growthClassOf(name);
  const [from, to] = [size[0], size[size.length - 1]];
  const rise = (a + b * of(to)) / Math.max(Number.MIN_VALUE, a + b * of(from));
  return Math.log(rise) > slopes[1] * Math.log(to / Math.max(1, from));
}

function choosePlain(points: Points, best: Candidate, wide: readonly Candidate[], plain: readonly Candidate[]): LawChoice {
  if (best.scale > MAX_ERROR_SCALE) return { ...NO_CHOICE, all: plain };
  const close = plain.filter((c) => fitsAboutAsWell(c, best));
  // Laws that fit better, but not by enough, or whose higher term only matters beyond the sizes.
  const wider = wide.filter(
    (c) =>
      (c.aicc < best.aicc - MAX_CLOSE_AIC_GAP && degreeOf(c) > degreeOf(best) + SAME_EXPONENT_GAP) ||
      (c.name === 'power' &&
        c.aicc < best.aicc + MAX_EQUAL_AIC_GAP &&
        Math.abs(degreeOf(c) - degreeOf(best)) > MAX_EXPONENT_ERROR),
  );
  const uncertain =
    best.name === 'constant' ? mayGrowAsLog(plain, best, points) || close.some((c) => !isClassLaw(c)) : close.length > 0;
  // Skip the leave-one-out test if the law is uncertain already.
  const others = uncertain ? new Set<LawName>() : lawsWithoutOnePoint(best, plain, points);
  const fitting = [
    best,
    ...plain.filter((c) => c !== best && (others.has(c.name) || (uncertain && close.includes(c)))),
    ...wider,
  ];
  if (others.has('constant') && !fitting.some((c) => c.name === 'constant'))
    fitting.push({ ...best, name: 'constant', a: medianOf(points.cost), b: 0 });
  const named = uncertain ? slowestGrowing(best, plain) : best;
  const steep = risesTooMuch(named, points) ? plain.filter((c) => c.name === 'n' && !fitting.includes(c)) : [];
  fitting.push(...steep);
  const misses = best.scale > MAX_CERTAIN_SCALE || missesLargest(best, points);
  const undecided = steep.length > 0 || uncertain || others.size > 0 || wider.length > 0 || misses;
  return { best: named, next: plain.find((c) => c !== named), undecided, fitting, all: [...plain, ...wider] };
}

/** The sums and the exponential law that can be fitted, the best one first. */
function fitWideLaws(points: Points, plain: readonly Candidate[]): Candidate[] {
  const n = points.size.length;
  // An exact fit cannot be improved.
  if (plain[0].scale <= MIN_SCALE) return [];
  const laws = sumLaws(points, plain[0].aic + MAX_AIC_GAP).map((law) => scoreLaw(law, n));
  const power = offsetPowerLaw(points);
  if (power) laws.push(scoreLaw(power, n));
  // If a class fits well, no exponential law is tried.
  const exponential = plain[0].scale > MAX_CERTAIN_SCALE / 5 ? exponentialLaw(points) : undefined;
  if (exponential) laws.push(scoreLaw(exponential, n));
  return laws.sort((p, q) => p.aicc - q.aicc);
}

const requiredLead = (c: Candidate) => (c.name === 'exponential' ? MIN_EXPONENTIAL_LEAD : MIN_SUM_LEAD);

/** The sum or exponential law that is better than all classes and power laws by the required lead. */
function wideWinner(wide: readonly Candidate[], plain: readonly Candidate[], { size }: Points): Candidate | undefined {
  const inside = (c: Candidate) => c.from === undefined || c.from <= size[size.length - 1];
  const bestClass = plain.find(isClassLaw);
  const isBent = (c: Candidate) => c.name === 'power' && isBentClass(c, bestClass);
  const winners = wide.filter((c) => inside(c) && c.aicc < plain[0].aicc - requiredLead(c) && !isBent(c));
  // A power with a constant imitates sums, so it must lead them clearly.
  const sum = winners.find((c) => growthSumOf(c.name) && c.aicc < winners[0].aicc + MIN_POWER_LEAD);
  return winners[0]?.name === 'power' && sum ? sum : winners[0];
}

function chooseWide(points: Points, best: Candidate, wide: readonly Candidate[], plain: readonly Candidate[]): LawChoice {
  const all = [...wide, ...plain].sort((p, q) => p.aicc - q.aicc);
  if (best.scale > MAX_ERROR_SCALE) return { ...NO_CHOICE, all };
  const close = wide.filter((c) => !growsLike(c, best) && c.aicc - best.aicc < MAX_CLOSE_AIC_GAP);
  const misses = best.scale > MAX_CERTAIN_SCALE || missesLargest(best, points);
  const undecided = close.length > 0 || misses || !holdsWithoutEnd(points, best);
  return { best, next: plain[0], undecided, fitting: [best, ...close], all };
}

/** Whether most of the largest sizes, on which growth depends, are far off the law: the few others cannot settle it. */
function missesLargest(law: Candidate, { size, cost, floor }: Points): boolean {
  const looked = Math.max(MIN_LARGEST_SIZES, Math.ceil(size.length * LARGEST_SHARE));
  const expected = growthValues(growthFunction(law), size.subarray(-looked)).map((value) => law.a + law.b * value);
  const far = expected.filter((at, k) => isOutlier(cost[size.length - expected.length + k], at, law, floor));
  return far.length * 2 > expected.length;
}

/** Whether the law is still better than the others without the largest size. */
function holdsWithoutEnd(points: Points, best: Candidate): boolean {
  const rest = firstPoints(points, points.size.length - 1);
  const plain = fitCandidates(rest, [...CLASS_NAMES, 'power']);
  if (plain.length === 0) return false;
  return fitWideLaws(rest, plain).some((c) => growsLike(c, best) && c.aicc < plain[0].aicc);
}

/** Whether two laws count as one: n + n² and n log n + n², or two exponential laws. */
const growsLike = (c: Candidate, d: Candidate) =>
  c.name === d.name || (growthSumOf(c.name) !== undefined && lawLabel(c) === lawLabel(d));

export function pointsUpTo(points: Points, size: number): Points {
  const row = points.size.findIndex((n) => n > size);
  return row < 0 ? points : firstPoints(points, row);
}

const firstPoints = (points: Points, row: number): Points => mapPoints(points, (column) => column.subarray(0, row));

/** The law of the smaller sizes, if the largest ones do not follow it and no law of all sizes explains them better. */
function withTail(points: Points, best: Candidate | undefined): LawChoice | undefined {
  const n = points.size.length;
  const row = rowAfterJump(points);
  if (row < 0) return undefined;
  const rest = fitCandidates(firstPoints(points, row), [...CLASS_NAMES, 'power']);
  // Over a narrow range of sizes, growth cannot be distinguished from scatter.
  const narrow = points.size[row - 1] < MIN_SIZE_RANGE * points.size[0];
  const law = narrow ? best : pickClassOrPower(rest);
  if (!law || law.scale > MAX_CERTAIN_SCALE) return undefined;
  const tail = tailFrom(row, law, points);
  if (!tail) return undefined;
  const { times } = tail;
  const here = { ...law, a: law.a * times, b: law.b * times };
  const sum = (losses: Float64Array) => losses.reduce((s, l) => s + l, 0);
  const loss = sum(pointLosses(law, firstPoints(points, row))) + sum(pointLosses(here, points).subarray(row));
  // Two more parameters: the start of the tail and its factor.
  const aicc = correctedAic(loss + 2 * 5, 5, n);
  if (best && best.scale <= MAX_ERROR_SCALE && !tailFrom(row, best, points) && aicc > best.aicc - MIN_TAIL_LEAD) return undefined;
  const next = rest.find((c) => c !== law);
  return { best: law, next, undecided: true, fitting: [law], all: rest, tail: { ...tail, over: best } };
}
