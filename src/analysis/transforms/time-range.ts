// A range of time as people write it: `1.5s..2s`, `..300ms`, `2min..`. Microseconds from the profile's origin.
import { ChoiceError } from '../../base/choice-error.ts';

export interface TimeRange {
  readonly fromUs: number;
  readonly toUs: number;
}

const UNITS = new Map([
  ['us', 1],
  ['ms', 1e3],
  ['s', 1e6],
  ['', 1e6],
  ['min', 6e7],
]);

/** FROM..TO; a number without a unit is seconds, and either end may be left out. Throws ChoiceError. */
export function parseTimeRange(text: string): TimeRange {
  const parts = text.split('..');
  const wrong = () => new ChoiceError(`time ${text}: expected FROM..TO, as in 1.5s..2s, ..300ms or 2min..`);
  if (parts.length !== 2 || text === '..') throw wrong();
  const [fromUs, toUs] = parts.map((part, i) => {
    if (part === '') return i === 0 ? 0 : Number.POSITIVE_INFINITY;
    const found = /^(\d{1,15}(?:\.\d{1,9})?)(us|ms|s|min|)$/.exec(part.trim());
    const unit = UNITS.get(found?.[2] ?? 'none');
    if (!found || unit === undefined) throw wrong();
    // To the nanosecond: 1.001 ms are 1001 us, not 1000.9999999999999.
    return Math.round(Number(found[1]) * unit * 1000) / 1000;
  });
  if (!(fromUs < toUs)) throw new ChoiceError(`time ${text}: the range ends before it starts`);
  return { fromUs, toUs };
}

/** To the microsecond: read again, it is the same range. */
export function timeRangeText({ fromUs, toUs }: TimeRange): string {
  const text = (us: number) => {
    if (us >= 1e6) return `${us / 1e6}s`;
    return us >= 1e3 ? `${us / 1e3}ms` : `${us}us`;
  };
  return `${fromUs === 0 ? '' : text(fromUs)}..${toUs === Number.POSITIVE_INFINITY ? '' : text(toUs)}`;
}
