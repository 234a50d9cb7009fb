// Formats numbers as text. No other file does.

export interface UnitFactor {
  readonly of: 'ns' | 'bytes';
  readonly factor: number;
}

/** Units of time and memory. xdebug counts in ten nanoseconds. */
const TIME_UNITS = { ns: 1, '10ns': 10, us: 1e3, ms: 1e6, s: 1e9 } as const;
const BYTE_UNITS = { bytes: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 } as const;

/** The unit of an event. It decides how numbers are written. */
export type Unit = 'count' | 'samples' | keyof typeof TIME_UNITS | keyof typeof BYTE_UNITS;

const unitsOf = (of: UnitFactor['of'], factors: Readonly<Record<string, number>>) =>
  Object.entries(factors).map(([unit, factor]): [string, UnitFactor] => [unit, { of, factor }]);

const UNIT_FACTORS = new Map([...unitsOf('ns', TIME_UNITS), ...unitsOf('bytes', BYTE_UNITS)]);

/** An exact value: a number up to 2^53, a bigint beyond. */
export type Exact = number | bigint;

/** Formats `1234567` as `1,234,567`. Fractions are rounded to two digits. */
export function formatCount(value: Exact): string {
  if (typeof value === 'bigint') return groupDigits(value.toString());
  if (!Number.isFinite(value)) return '?';
  if (Number.isInteger(value))
    return Math.abs(value) < 1e15 ? groupDigits(value.toString()) : groupDigits(BigInt(value).toString());
  return groupDigits(value.toFixed(2));
}

/** From this factor on, a change is a factor: nobody reads `+1,569%` as 17 times as much. */
const MIN_CHANGE_FACTOR = 3;

/** Formats a relative change as `+12.3%`, from three times as much on `4.1×`, in at most eight cells; a change from 0 is `new`. */
export function formatChange(ratio: number): string {
  if (!Number.isFinite(ratio)) return Number.isNaN(ratio) ? '?' : 'new';
  const factor = 1 + ratio;
  if (factor >= MIN_CHANGE_FACTOR) return `${factor < 99.95 ? factor.toFixed(1) : formatShort(Math.round(factor))}×`;
  const percent = ratio * 100;
  const size = Math.abs(percent);
  if (size >= 999_999.5) return `-${formatShort(size)}%`;
  const text = percent.toFixed(size < 99.995 ? 2 : size < 9999.95 ? 1 : 0);
  // A value that rounds to 0 has no sign.
  if (text === '-0.00' || text === '0.00') return '0.00%';
  return `${percent > 0 ? '+' : ''}${text}%`;
}

/** Groups the digits before the point. */
function groupDigits(number: string): string {
  let out = number;
  const first = number.startsWith('-') ? 1 : 0;
  for (let at = number.split('.', 1)[0].length - 3; at > first; at -= 3) out = `${out.slice(0, at)},${out.slice(at)}`;
  return out;
}

/** Formats a cost with three digits in a readable unit, `2.50 s`, `1.32 MiB`; whole numbers and counts are exact. */
export function formatCost(value: Exact, unit: Unit): string {
  const known = smallestUnits(unit);
  if (!known) return formatCount(value);
  return (known.of === 'ns' ? formatTime : formatBytes)(Number(value) * known.factor);
}

/** The nanoseconds or bytes of one unit; undefined for counts and samples. */
export const smallestUnits = (unit: Unit): UnitFactor | undefined => UNIT_FACTORS.get(unit);
export const isTimeUnit = (unit: Unit): boolean => unit in TIME_UNITS;

type Scales = readonly (readonly [name: string, by: number])[];
const TIME_SCALES: Scales = ['ns', 'µs', 'ms', 's'].map((name, i) => [name, 1000 ** i]);
const BYTE_SCALES: Scales = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'].map((name, i) => [name, 1024 ** i]);

/** A number and its unit, in the smallest scale in which rounding gives at most three digits before the point. */
function scaled(value: number, scales: Scales): { readonly number: number; readonly name: string } {
  const at = scales.findIndex(([, by]) => Math.abs(value) < 999.5 * by);
  const [name, by] = scales.at(at) ?? scales[0];
  return { number: value / by, name };
}

/** Three digits; whole numbers have no decimals. */
function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 99.95) return formatCount(Math.round(value));
  return value.toFixed(size < 9.995 ? 2 : 1);
}

const NS_PER_MINUTE = 60e9;
export const padTwoDigits = (value: number): string => String(value).padStart(2, '0');

/** Hours and minutes, `1h02m`; from two days on days and hours, `3d04h`. */
export function hoursText(minutes: number): string {
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)}h${padTwoDigits(minutes % 60)}m`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)}d${padTwoDigits(hours % 24)}h`;
}

/** From 59.95 s on, `1m28s`, `1h02m` or `3d04h`; undefined for shorter times. Negative times have a sign. */
export function longTimeText(ns: number): string | undefined {
  // Below, rounding does not reach the next unit.
  if (Math.abs(ns) < 59.95e9) return undefined;
  if (ns < 0) return `-${longTimeText(-ns)}`;
  // A hundred minutes.
  if (ns >= 100 * NS_PER_MINUTE - 0.5e9) return hoursText(Math.round(ns / NS_PER_MINUTE));
  const seconds = Math.round(ns / 1e9);
  return `${Math.floor(seconds / 60)}m${padTwoDigits(seconds % 60)}s`;
}

/** Formats a time as `2.50 s`, `9 ms`, `1m28s`. */
const formatTime = (ns: number): string => (ns === 0 ? '0 s' : (longTimeText(ns) ?? scaledText(ns, TIME_SCALES)));
export const formatBytes = (bytes: number): string => scaledText(bytes, BYTE_SCALES);

function scaledText(value: number, scales: Scales): string {
  const { number, name } = scaled(value, scales);
  return `${threeDigits(number)} ${name}`;
}

/** The cells of the longest unit that formatCost() writes after a blank; 0 if it writes none. */
export const unitCells = (unit: Unit): number => (isTimeUnit(unit) ? 2 : unit in BYTE_UNITS ? 3 : 0);

/** Pads a right-aligned cost so that the last digits are aligned, whatever its unit. `cells`: of unitCells(). */
export function padUnit(text: string, cells: number): string {
  const blank = text.lastIndexOf(' ');
  return cells === 0 || blank < 0 ? text : text.padEnd(blank + 1 + cells);
}

/** formatCost() in at most six cells, without a blank: `2.50s`, `1.32M` of bytes. */
export function formatShortCost(value: number, unit: Unit): string {
  const known = smallestUnits(unit);
  if (!known) return formatShort(value);
  const isTime = known.of === 'ns';
  if (value === 0) return isTime ? '0s' : '0B';
  const size = value * known.factor;
  const { number, name } = scaled(size, isTime ? TIME_SCALES : BYTE_SCALES);
  const short = isTime ? name : name[0];
  const digits = [2, 1, 0].find((d) => number.toFixed(d).length + short.length <= MAX_SHORT_CELLS) ?? 0;
  return (isTime && longTimeText(size)) || `${Number(number.toFixed(digits))}${short}`;
}

const MAX_SHORT_CELLS = 6;

const SCALE_LETTERS = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Formats a number in at most six cells with up to three digits, `45.6k`: for narrow columns, never for exact results. */
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const sign = value < 0 ? '-' : '';
  let v = Math.abs(value);
  if (v < 999.5) return sign + (Number.isInteger(v) ? String(v) : shortFraction(v, 6 - sign.length));
  let scale = 0;
  while (v >= 999.5 && scale < SCALE_LETTERS.length - 1) {
    v /= 1000;
    scale++;
  }
  return sign + (v < 9.995 ? v.toFixed(2) : v < 99.95 ? v.toFixed(1) : v.toFixed(0)) + SCALE_LETTERS[scale];
}

/** The usual number of decimals in a column. */
const USUAL_DECIMALS = 2;
const MIN_FIXED_VALUE = 1e-6;

/** A format for all values of a column: one unit and equal decimals in at most `cells` cells, else formatShort(). */
export function columnFormat(values: ArrayLike<number>, cells: number): (value: number) => string {
  let most = 0;
  let sign = 0;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    most = Math.max(most, Math.abs(values[i]));
    if (values[i] < 0) sign = 1;
  }
  // Very small values are shown as powers of ten.
  if (most > 0 && most < MIN_FIXED_VALUE) return formatShort;
  for (const [scale, unit] of SCALE_LETTERS.entries()) {
    const by = 1000 ** scale;
    // For example, 0.0012 needs four decimals.
    const needed = most > 0 && most / by < 1 ? USUAL_DECIMALS - Math.floor(Math.log10(most / by)) : USUAL_DECIMALS;
    if (scale > 0 && most / by < 0.999) break;
    if (scale > 0 && most / by >= 999.5) continue;
    for (let digits = decimalsNeeded(values, by, needed); digits >= 0; digits--) {
      const text = (value: number) => (Number.isFinite(value) ? groupNumber((value / by).toFixed(digits)) + unit : '?');
      if (sign + text(most).length <= cells && Number((most / by).toFixed(digits)) > 0 === most > 0) return text;
    }
  }
  return formatShort;
}

/** The smallest number of decimals, up to `most`, that rounds no value. */
function decimalsNeeded(values: ArrayLike<number>, by: number, most: number): number {
  for (let digits = 0; digits < most; digits++) {
    const power = 10 ** digits;
    let exact = true;
    for (let i = 0; i < values.length && exact; i++) {
      const v = (values[i] / by) * power;
      exact = !Number.isFinite(v) || Math.abs(v - Math.round(v)) <= Math.abs(v) * 1e-9;
    }
    if (exact) return digits;
  }
  return most;
}

function groupNumber(text: string): string {
  const shown = groupDigits(text);
  return /^-[0.]+$/.test(shown) ? shown.slice(1) : shown;
}

/** Formats a fraction below 1000 in at most `cells`, without an exponent if a digit remains visible. */
function shortFraction(v: number, cells: number): string {
  if (v >= 1) return v.toPrecision(3);
  const places = Math.min(cells - 2, Math.max(2, 3 - Math.ceil(Math.log10(v))));
  const text = v.toFixed(places);
  return Number(text) === 0 ? v.toExponential(0).replace(/\de-\d{3}/, '0') : text;
}

/** A ratio of two events in at most eight cells: `1.2345`, `0.00012`, `123,456`. */
export function formatRatio(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const v = Math.abs(value);
  if (Number.isInteger(value) && v < 1e6) return formatCount(value);
  if (v >= 99999.5) return formatShort(value);
  if (v >= 9999.5) return formatCount(Math.round(value));
  if (v >= 1) return value.toPrecision(5);
  const text = value.toFixed(5);
  return Number(text) === 0 ? formatShort(value) : text;
}

const MAX_NUMBER_LENGTH = 100;
const NUMBER_WITH_UNIT = /^([^\d-]*)(-?\d[\d,]*(?:\.\d+)?)(\D*)$/; // bounded: MAX_NUMBER_LENGTH

/** Shortens a number that is too wide: `3,068,712` becomes `3.07M`. Other text, and numbers that fit, are unchanged. */
export function shortenNumber(text: string, width: number): string {
  if (text.length <= width || text.length > MAX_NUMBER_LENGTH) return text;
  const [, before, digits, after] = NUMBER_WITH_UNIT.exec(text) ?? [];
  if (digits === undefined) return text;
  const unit = after.trim();
  return before + (unit === '' ? formatShort(Number(digits.replaceAll(',', ''))) : digits + unit);
}

/** Formats a share of a whole as `12.34%`; `-` if the whole is 0. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0 || !Number.isFinite(part / whole)) return '-';
  const percent = (part / whole) * 100;
  // The text has at most seven cells. Only differences and recursion exceed 100%.
  const text = percent.toFixed(Math.abs(percent) < 99.995 ? 2 : Math.abs(percent) < 999.95 ? 1 : 0);
  if (Number(text) !== 0 || percent === 0) return `${text}%`;
  return percent < 0 ? '-<0.01%' : '<0.01%';
}

/** Formats a difference as a share of a whole, `+12.34%`. */
export function formatSignedPercent(part: number, whole: number): string {
  const text = formatPercent(part, whole);
  return part > 0 && text !== '-' ? `+${text}` : text;
}

/** Formats a 64-bit address, given as two halves, as `0x…` without leading zeros. */
export const formatAddress = (high: number, low: number): string =>
  high === 0 ? '0x' + low.toString(16) : '0x' + high.toString(16) + low.toString(16).padStart(8, '0');

const IRREGULAR_PLURALS = new Map(
  Object.entries({ process: 'processes', is: 'are', entry: 'entries', address: 'addresses', repository: 'repositories' }),
);
/** A count with its noun: `1 routine`, `2 routines`, `1,234 routines`. */
export const plural = (n: number, noun: string): string =>
  `${formatCount(n)} ${n === 1 ? noun : (IRREGULAR_PLURALS.get(noun) ?? `${noun}s`)}`;

/** The dimension of a unit (nanoseconds or bytes) and its factor, in any case, as in pprof. undefined for unknown units. */
export function unitFactor(unit: string): UnitFactor | undefined {
  const word = unit.toLowerCase();
  return UNITS_BY_WORD.get(word) ?? UNITS_BY_WORD.get(word.replace(/s$/, ''));
}

const UNITS_BY_WORD = new Map([
  ...unitsOf('ns', { ns: 1, nanosecond: 1, us: 1e3, µs: 1e3, microsecond: 1e3, ms: 1e6, millisecond: 1e6 }),
  ...unitsOf('ns', { s: 1e9, sec: 1e9, second: 1e9, min: 60e9, minute: 60e9, hr: 3600e9, hour: 3600e9 }),
  ...unitsOf('bytes', { b: 1, byte: 1, kb: 2 ** 10, kib: 2 ** 10, kbyte: 2 ** 10, kilobyte: 2 ** 10 }),
  ...unitsOf('bytes', { mb: 2 ** 20, mib: 2 ** 20, mbyte: 2 ** 20, megabyte: 2 ** 20 }),
  ...unitsOf('bytes', { gb: 2 ** 30, gib: 2 ** 30, gbyte: 2 ** 30, gigabyte: 2 ** 30 }),
  ...unitsOf('bytes', { tb: 2 ** 40, tib: 2 ** 40, tbyte: 2 ** 40, terabyte: 2 ** 40 }),
]);
