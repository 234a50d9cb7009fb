// Formats numbers as text. No other file does.

/** The unit of an event. It decides how numbers are shortened. */
export type Unit = 'count' | 'bytes' | 'samples' | TimeUnit;

/** How many units are a millisecond. xdebug counts in ten nanoseconds. */
const UNITS_PER_MS = { ns: 1e6, '10ns': 1e5, us: 1e3, ms: 1, s: 1e-3 } as const;
export type TimeUnit = keyof typeof UNITS_PER_MS;

/** An exact value: a number up to 2^53, a bigint beyond. */
export type Exact = number | bigint;

/** Formats `1234567` as `1,234,567`. Fractions are rounded to two digits. */
export function formatCount(value: Exact): string {
  if (typeof value === 'bigint') return groupDigits(value.toString());
  if (!Number.isFinite(value)) return '?';
  if (Number.isInteger(value))
    return Math.abs(value) < 1e15 ? groupDigits(value.toString()) : groupDigits(BigInt(value).toString());
  const text = value.toFixed(2);
  const dot = text.indexOf('.');
  return groupDigits(text.slice(0, dot)) + text.slice(dot);
}

/** Formats a difference like formatCount(), with a plus for positive numbers. */
export function formatSigned(value: Exact): string {
  return value > 0 ? `+${formatCount(value)}` : formatCount(value);
}

/** Formats a relative change as `+12.3%` in at most eight cells; a change from 0 is `new`. */
export function formatChange(ratio: number): string {
  if (!Number.isFinite(ratio)) return Number.isNaN(ratio) ? '?' : 'new';
  const percent = ratio * 100;
  const size = Math.abs(percent);
  if (size >= 999_999.5) return `${percent < 0 ? '-' : '+'}${formatShort(size)}%`;
  const text = percent.toFixed(size < 99.995 ? 2 : size < 9999.95 ? 1 : 0);
  // A value that rounds to 0 has no sign.
  if (text === '-0.00' || text === '0.00') return '0.00%';
  return `${percent > 0 ? '+' : ''}${text}%`;
}

function groupDigits(digits: string): string {
  const sign = digits.startsWith('-') ? '-' : '';
  const body = sign ? digits.slice(1) : digits;
  let out = '';
  for (let i = 0; i < body.length; i++) {
    if (i > 0 && (body.length - i) % 3 === 0) out += ',';
    out += body[i];
  }
  return sign + out;
}

/** Formats a cost in its unit: times as milliseconds, everything else as a count. */
export function formatCost(value: Exact, unit: Unit): string {
  if (!isTimeUnit(unit)) return formatCount(value);
  if (typeof value === 'bigint') return `${groupDigits(wholeMs(value, unit).toString())} ms`;
  const ms = value / unitsPerMs(unit);
  if (Number.isInteger(ms)) return `${formatCount(ms)} ms`;
  const text = ms.toFixed(costDigits(ms));
  const dot = text.indexOf('.');
  const fraction = text.slice(dot).replace(/\.?0+$/, ''); // bounded: six digits
  // A fraction of a nanosecond is dropped.
  const whole = fraction === '' && text.startsWith('-0') ? '0' : text.slice(0, dot);
  return `${groupDigits(whole)}${fraction} ms`;
}

/** Whether values of the unit are written as milliseconds. */
export const isTimeUnit = (unit: Unit): unit is TimeUnit => unit in UNITS_PER_MS;

/** How many units are a millisecond; 1 for units that are not times. */
export const unitsPerMs = (unit: Unit): number => (isTimeUnit(unit) ? UNITS_PER_MS[unit] : 1);

const wholeMs = (value: bigint, unit: TimeUnit): bigint => (unit === 's' ? value * 1000n : value / BigInt(UNITS_PER_MS[unit]));

/** The maximum number of decimals that formatCost() needs for these costs. */
export function costDecimals(values: ArrayLike<number>, unit: Unit): number {
  if (!isTimeUnit(unit)) return 0;
  const by = unitsPerMs(unit);
  const most = decimalsNeeded(values, by, MAX_COST_DECIMALS);
  if (most < MAX_COST_DECIMALS) return most;
  const small = Float64Array.from(values).filter((value) => costDigits(value / by) > MAX_COST_DECIMALS);
  return Math.max(most, decimalsNeeded(small, by, MAX_SMALL_DECIMALS));
}

const MAX_COST_DECIMALS = 3;
/** Below a tenth of a millisecond, nanoseconds are shown. */
const MAX_SMALL_DECIMALS = 6;
const costDigits = (ms: number) => (Math.abs(ms) < 0.1 ? MAX_SMALL_DECIMALS : MAX_COST_DECIMALS);

/** Removes the decimals of a cost. */
export const truncateCost = (value: number, unit: Unit): number => Math.trunc(value / unitsPerMs(unit)) * unitsPerMs(unit);

/** formatCost() in at most six cells. */
export function formatShortCost(value: number, unit: Unit): string {
  if (!isTimeUnit(unit)) return formatShort(value);
  const ms = value / unitsPerMs(unit);
  if (Math.abs(ms) >= 999.5) return `${formatShort(ms / 1000)}s`;
  // Microseconds are used only if a value in milliseconds would be rounded to nothing.
  const [amount, name] = Math.abs(ms) >= MIN_SHOWN_MS || ms === 0 ? [ms, 'ms'] : [ms * 1000, 'us'];
  const width = MAX_SHORT_CELLS - name.length - (amount < 0 ? 1 : 0);
  const size = Math.abs(amount);
  const digits = [2, 1, 0].find((d) => size.toFixed(d).length <= width) ?? 0;
  return `${Number(amount.toFixed(digits))}${name}`;
}

const MIN_SHOWN_MS = 0.095;
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
  const dot = text.indexOf('.');
  const shown = dot < 0 ? groupDigits(text) : groupDigits(text.slice(0, dot)) + text.slice(dot);
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
  const value = Number(digits.replaceAll(',', ''));
  const ms = after.trim() === 'ms';
  return before + (ms ? formatShortCost(value * 1e3, 'us') : formatShort(value) + after.trim());
}

/** Formats a share of a whole as `12.34%`; `-` if the whole is 0. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0 || !Number.isFinite(part / whole)) return '-';
  const percent = (part / whole) * 100;
  // The text has at most seven cells. Only differences and recursion exceed 100%.
  const text = percent.toFixed(Math.abs(percent) < 99.995 ? 2 : Math.abs(percent) < 999.95 ? 1 : 0);
  return `${text === '-0.00' ? '0.00' : text}%`;
}

/** Formats a difference as a share of a whole, `+12.34%`. A value that rounds to 0 has no sign. */
export function formatSignedPercent(part: number, whole: number): string {
  const text = formatPercent(part, whole);
  return part > 0 && text !== '0.00%' && text !== '-' ? `+${text}` : text;
}

export function formatBytes(bytes: number): string {
  const scales = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let v = bytes;
  let s = 0;
  while (v >= 1024 && s < scales.length - 1) {
    v /= 1024;
    s++;
  }
  return s === 0 ? `${v} B` : `${v.toFixed(v < 10 ? 2 : v < 100 ? 1 : 0)} ${scales[s]}`;
}

/** Formats a 64-bit address, given as two halves, as `0x…` without leading zeros. */
export function formatAddress(high: number, low: number): string {
  return high === 0 ? '0x' + low.toString(16) : '0x' + high.toString(16) + low.toString(16).padStart(8, '0');
}

const IRREGULAR_PLURALS = new Map(
  Object.entries({ process: 'processes', is: 'are', entry: 'entries', address: 'addresses', repository: 'repositories' }),
);
/** A count with its noun: `1 routine`, `2 routines`, `1,234 routines`. */
export function plural(n: number, noun: string): string {
  return `${formatCount(n)} ${n === 1 ? noun : (IRREGULAR_PLURALS.get(noun) ?? `${noun}s`)}`;
}

/** The dimension of a unit (nanoseconds or bytes) and its factor, in any case, as in pprof. undefined for unknown units. */
export function unitFactor(unit: string): { readonly of: 'ns' | 'bytes'; readonly factor: number } | undefined {
  const word = unit.toLowerCase();
  const known = UNITS_BY_WORD.get(word) ?? UNITS_BY_WORD.get(word.replace(/s$/, ''));
  return known && { of: known[0], factor: known[1] };
}

const UNITS_BY_WORD = new Map<string, readonly ['ns' | 'bytes', number]>([
  ...(['ns', 'nanosecond'] as const).map((w) => [w, ['ns', 1]] as const),
  ...(['us', 'µs', 'microsecond'] as const).map((w) => [w, ['ns', 1e3]] as const),
  ...(['ms', 'millisecond'] as const).map((w) => [w, ['ns', 1e6]] as const),
  ...(['s', 'sec', 'second'] as const).map((w) => [w, ['ns', 1e9]] as const),
  ...(['min', 'minute'] as const).map((w) => [w, ['ns', 60e9]] as const),
  ...(['hr', 'hour'] as const).map((w) => [w, ['ns', 3600e9]] as const),
  ...(['b', 'byte'] as const).map((w) => [w, ['bytes', 1]] as const),
  ...(['kb', 'kbyte', 'kilobyte'] as const).map((w) => [w, ['bytes', 2 ** 10]] as const),
  ...(['mb', 'mbyte', 'megabyte'] as const).map((w) => [w, ['bytes', 2 ** 20]] as const),
  ...(['gb', 'gbyte', 'gigabyte'] as const).map((w) => [w, ['bytes', 2 ** 30]] as const),
  ...(['tb', 'tbyte', 'terabyte'] as const).map((w) => [w, ['bytes', 2 ** 40]] as const),
]);
