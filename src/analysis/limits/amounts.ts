// Compares values of two runs with the amounts of a limit. Integers are compared exactly at any size. Rounded values get a small
// tolerance, so that rounding never exceeds a limit.
import type { Exact } from '../../base/units.ts';
import type { CompareOperator, LimitAmount, LimitComparison } from './grammar.ts';

/** The costs of a row in this run and in the base; `before` is undefined if the base lacks the row. */
export interface CostPair {
  readonly now: Exact;
  readonly before: Exact | undefined;
}

/** How values are measured: the total for percentages, the unit of time, and whether they are exact. */
export interface ValueScale {
  /** The percentage base of `of total`. */
  readonly total: CostPair | undefined;
  /** Nanoseconds or bytes per unit; undefined for values that are neither times nor memory. */
  readonly perUnit: bigint | undefined;
  /** Nanoseconds of the unit that amounts without one are in, if it is another. */
  readonly usualPerUnit?: bigint;
  /** Whether values are exact counts, neither scaled nor rounded. */
  readonly exact: boolean;
}

/** Far more than the rounding of sums, and far less than any limit. */
const ROUNDING_TOLERANCE = 1e-9;

const isWhole = (value: Exact): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/** The difference of two values, exact if they are whole. */
export function subtractExactly(a: Exact, b: Exact): Exact {
  if (!isWhole(a) || !isWhole(b)) return Number(a) - Number(b);
  const exact = BigInt(a) - BigInt(b);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

const magnitude = (value: Exact): Exact => (value < 0 ? -value : value);

/** The base for an amount in percent; undefined for a plain number. */
export function percentBaseOf({ percentOf, isDifference }: LimitAmount, reading: CostPair, scale: ValueScale): Exact | undefined {
  if (percentOf === undefined) return undefined;
  const whole = percentOf === 'base' ? reading.before : isDifference ? scale.total?.before : scale.total?.now;
  return magnitude(whole ?? 0);
}

/** The operand of an amount: the difference of the runs, or the value in this one. */
export const comparedValue = ({ isDifference }: LimitAmount, { now, before }: CostPair): Exact =>
  isDifference ? subtractExactly(now, before ?? 0) : now;

/** Whether the comparison is true, so that the limit is exceeded. Growth from 0 exceeds every percentage. */
export function isExceeded({ operator, amount }: LimitComparison, reading: CostPair, scale: ValueScale): boolean {
  const value = comparedValue(amount, reading);
  // A ratio by zero is unknown.
  if (Number.isNaN(Number(value))) return false;
  const whole = percentBaseOf(amount, reading, scale);
  // 0 out of 0 counts as 0 %.
  const of = whole === undefined || (Number(whole) === 0 && Number(value) === 0) ? 1 : whole;
  // A percentage has no unit.
  const [unit, per] =
    whole === undefined ? [amount.unit?.factor ?? scale.usualPerUnit ?? scale.perUnit ?? 1n, scale.perUnit ?? 1n] : [1n, 100n];
  const digits = amount.value.digits * unit;
  const divisor = amount.value.scale * per;
  if (scale.exact && isWhole(value) && isWhole(of))
    return isSatisfied(operator, Number(BigInt(value) * divisor - digits * BigInt(of)));
  const right = (Number(digits) / Number(divisor)) * Number(of);
  const left = Number(value);
  const margin =
    ROUNDING_TOLERANCE * Math.max(Math.abs(Number(reading.now)), Math.abs(Number(reading.before ?? 0)), Math.abs(right));
  return isSatisfied(operator, Math.abs(left - right) <= margin ? 0 : Math.sign(left - right));
}

const isSatisfied = (operator: CompareOperator, sign: number): boolean =>
  sign === 0 ? operator.endsWith('=') : sign > 0 === operator.startsWith('>');

/** The value or share, positive in the direction of the comparison. It ranks rows, so it may be rounded. */
export function valueInDirection({ operator, amount }: LimitComparison, reading: CostPair): number {
  const value = Number(comparedValue(amount, reading));
  const share = amount.percentOf === 'base' && value !== 0 ? value / Number(magnitude(reading.before ?? 0)) : value;
  return operator === '>' || operator === '>=' ? share : -share;
}
