// How values of two runs stand to the amounts of a limit. Whole numbers are compared exactly, whatever their size; what has been rounded
// is compared so that rounding alone exceeds nothing.
import type { Exact } from '../../base/units.ts';
import type { Amount, Comparison, Operator } from './grammar.ts';

/** The costs of a row in this run and in the base; undefined where the base does not have it, or where there is none. */
export interface Reading {
  readonly now: Exact;
  readonly before: Exact | undefined;
}

/** The unit of values. */
export interface Scale {
  /** The percentage base of `of total`. */
  readonly total: Reading | undefined;
  /** Nanoseconds of a unit of time; undefined for what is none. */
  readonly ns: bigint | undefined;
  /** Nanoseconds of the unit that amounts without one are in, if it is another. */
  readonly usualNs?: bigint;
  /** Values are as they were counted. */
  readonly exact: boolean;
}

/** Far more than the rounding of sums, and far less than any limit. */
const ROUNDING = 1e-9;

const isWhole = (value: Exact): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/** The difference of two values, exact if they are whole. */
export function minus(a: Exact, b: Exact): Exact {
  if (!isWhole(a) || !isWhole(b)) return Number(a) - Number(b);
  const exact = BigInt(a) - BigInt(b);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

const size = (value: Exact): Exact => (value < 0 ? -value : value);

/** The base of an amount's percentage; undefined for a plain number. */
export function wholeOfAmount({ percentOf, differs }: Amount, reading: Reading, { total }: Scale): Exact | undefined {
  if (percentOf === undefined) return undefined;
  const whole = percentOf === 'base' ? reading.before : differs ? total?.before : total?.now;
  return size(whole ?? 0);
}

/** The operand of an amount: the difference of the runs, or the value in this one. */
export function comparedValue({ differs }: Amount, { now, before }: Reading): Exact {
  return differs ? minus(now, before ?? 0) : now;
}

/** Whether the comparison holds. What grew from nothing has grown by more than any percentage. */
export function holds({ operator, amount }: Comparison, reading: Reading, scale: Scale): boolean {
  const value = comparedValue(amount, reading);
  // A ratio by zero is unknown.
  if (Number.isNaN(Number(value))) return false;
  const whole = wholeOfAmount(amount, reading, scale);
  // Nothing of nothing is 0 %.
  const of = whole === undefined || (Number(whole) === 0 && Number(value) === 0) ? 1 : whole;
  // A percentage is of no unit.
  const [unit, per] = whole === undefined ? [amount.ns ?? scale.usualNs ?? scale.ns ?? 1n, scale.ns ?? 1n] : [1n, 100n];
  const digits = amount.value.digits * unit;
  const divisor = amount.value.scale * per;
  if (scale.exact && isWhole(value) && isWhole(of)) return isSo(operator, signOf(BigInt(value) * divisor - digits * BigInt(of)));
  const right = (Number(digits) / Number(divisor)) * Number(of);
  const left = Number(value);
  const margin = ROUNDING * Math.max(Math.abs(Number(reading.now)), Math.abs(Number(reading.before ?? 0)), Math.abs(right));
  return isSo(operator, Math.abs(left - right) <= margin ? 0 : Math.sign(left - right));
}

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

const isSo = (operator: Operator, sign: number): boolean =>
  sign === 0 ? operator.endsWith('=') : sign > 0 === operator.startsWith('>');

/** Larger for what goes further in the direction of the comparison. For choosing a row: it may be rounded. */
export function distance({ operator, amount }: Comparison, reading: Reading): number {
  const value = Number(comparedValue(amount, reading));
  const share = amount.percentOf === 'base' && value !== 0 ? value / Number(size(reading.before ?? 0)) : value;
  return operator === '>' || operator === '>=' ? share : -share;
}
