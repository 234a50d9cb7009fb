// A range of time as people write it: `1.5s..2s`, `..300ms`, `1m28s..`, `2h05m..`. Microseconds.
import { ChoiceError } from '../../../base/errors.ts';

/** The range [fromUs, toUs) in microseconds; infinite if an end is open. */
export type TimeRange = Readonly<Record<'fromUs' | 'toUs', number>>;

/** By unit: its power of ten in microseconds. A minute is 60 times as long. */
const UNIT_POWERS: Readonly<Record<string, number>> = { us: 0, µs: 0, ms: 3, s: 6, '': 6, min: 6 };

const TIME_TEXT = /^(-?\d{1,30}(?:\.\d{1,60})?)(us|µs|ms|s|min|)$/; // bounded: digits

/** Long times as shown on screen: `2h05m`, `1m28s`. */
const CLOCK_TIME_TEXT = /^(-?)(?=\d+[hm])(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,60})?)s)?$/; // bounded: digits

/** FROM..TO; a number without a unit is seconds, and either end may be left out. Throws ChoiceError. */
export function parseTimeRange(text: string): TimeRange {
  const wrong = () => new ChoiceError(`time ${text}: expected FROM..TO, as in 1.5s..2s, ..300ms or 1m28s..`);
  const read = (part: string, open: number): number => {
    if (part === '') return open;
    const clock = CLOCK_TIME_TEXT.exec(part);
    if (clock) {
      const [, minus, hours = '0', minutes = '0', seconds = '0'] = clock;
      const us = (Number(hours) * 60 + Number(minutes)) * 60e6 + Number(shiftDecimalPoint(seconds, 6));
      return minus === '' ? us : -us;
    }
    const [, digits, name] = TIME_TEXT.exec(part) ?? [];
    if (digits === undefined) throw wrong();
    return Number(shiftDecimalPoint(digits, UNIT_POWERS[name])) * (name === 'min' ? 60 : 1);
  };
  const parts = text.split('..').map((part) => part.trim());
  if (parts.length !== 2 || parts.every((part) => part === '')) throw wrong();
  const range = { fromUs: read(parts[0], Number.NEGATIVE_INFINITY), toUs: read(parts[1], Number.POSITIVE_INFINITY) };
  if (!(range.fromUs < range.toUs)) throw new ChoiceError(`time ${text}: the range does not end after its start`);
  return range;
}

/** A range whose ends are sums and differences, to the nanosecond: its text has no digits of rounding errors. */
export function roundRange(fromUs: number, toUs: number): TimeRange {
  const whole = (us: number) => Math.round(us * 1000) / 1000;
  return { fromUs: whole(fromUs), toUs: whole(toUs) };
}

/** The text of a range. Parsing it gives the same range, unless times are far below a nanosecond. */
export const timeRangeText = ({ fromUs, toUs }: TimeRange): string =>
  `${Number.isFinite(fromUs) ? timeText(fromUs) : ''}..${Number.isFinite(toUs) ? timeText(toUs) : ''}`;

function timeText(us: number): string {
  const size = Math.abs(us);
  const [unit, power] = size >= 1e6 ? ['s', 6] : size >= 1e3 ? ['ms', 3] : ['us', 0];
  return `${shiftDecimalPoint(String(us), -power)}${unit}`;
}

/** Shifts the decimal point of a number by its digits, so that no product is rounded. */
function shiftDecimalPoint(number: string, by: number): string {
  const sign = number.startsWith('-') ? '-' : '';
  const [mantissa, power = '0'] = number.slice(sign.length).split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(power) + by;
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const right = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  const [before, behind] = [left.replace(/^0+(?=\d)/, ''), right.replace(/0+$/, '')]; // bounded: a number's digits
  return sign + (behind === '' ? before : `${before}.${behind}`);
}
