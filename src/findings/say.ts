// Numbers and names for phrases, formatted as in the views.

import { routineLocation, UNKNOWN_NAME } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { memo } from '../base/lists.ts';
import { baseName } from '../base/paths.ts';
import { visible } from '../base/safe-text.ts';
import { fit } from '../base/text.ts';
import { formatCost, formatCount, formatPercent, formatShort, plural, unitCells } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { stringCount } from '../model/strings.ts';
import { type Figure, type Name, type Phrase, say } from './phrase.ts';
import type { Evidence } from './rule.ts';

export * from './phrase.ts';

const figure = (name: string, value: number, text: string): Figure => ({ name, value, text });

/** A cost as a share of the total, `12.34%`; the figure's value is the cost. */
export const asShare = ({ whole }: Pick<Evidence, 'whole'>, name: string, value: number): Figure => asShareOf(name, value, whole);

/** A value as a share of `of`; the figure's value is `value`. */
export const asShareOf = (name: string, value: number, of: number) => figure(name, value, formatPercent(value, of));

/** A count in full: `1,234`, or with its noun, `1,234 calls`. */
export const asCount = (name: string, value: number, noun?: string) =>
  figure(name, value, noun === undefined ? formatCount(value) : plural(value, noun));

/** A cost with three digits, `1.23M`, `4.50 s`. */
const roundedCost = (value: number, { unit }: Event): string =>
  unitCells(unit) > 0 ? formatCost(value, unit) : formatShort(value);

/** A cost with three digits as a figure. */
export const asCost = ({ event }: Pick<Evidence, 'event'>, name: string, value: number) =>
  figure(name, value, roundedCost(value, event));

/** `from 1.2k to 1.4k`, with all digits if the short numbers would be equal. */
export function fromToText({ event }: Pick<Evidence, 'event'>, before: number, now: number): Phrase {
  const unit = unitCells(event.unit) > 0 ? ` ${event.unit}` : '';
  const isEqual = roundedCost(before, event) === roundedCost(now, event);
  const text = (value: number) => (isEqual ? formatCount(value) + unit : roundedCost(value, event));
  return say`from ${figure('before', before, text(before))} to ${figure('now', now, text(now))}`;
}

/** A time as people read it: `1.25s`. */
export const asTime = (name: string, us: number) => figure(name, us, timeText(us));

/** A factor with one decimal, `4.6`, or as many as `digits`. */
export const ratio = (name: string, value: number, digits = 1) => figure(name, value, value.toFixed(digits));

export const APPROX_MARK = '≈ ';

export const eventName = ({ event }: Pick<Evidence, 'event'>): Name => cutName(event.name);

const MAX_NAME_WIDTH = 48;

/** The number of routines with each name, by string id, capped at 2. */
const nameCounts = memo(({ routines, strings }: Profile): Uint8Array => {
  const seen = new Uint8Array(stringCount(strings));
  for (const id of routines.name) seen[id] = Math.min(2, seen[id] + 1);
  return seen;
}, 4);

/** A routine's name, with its file if other routines have the same name. */
export function routineText(profile: Profile, routine: number): Name {
  const short = shortName(profile, routine, MAX_NAME_WIDTH);
  if (nameCounts(profile)[profile.routines.name[routine]] < 2) return { called: short };
  const location = fit(visible(baseName(routineLocation(profile, routine))), MAX_NAME_WIDTH, 'left', 'middle').trimEnd();
  return { called: location === UNKNOWN_NAME ? short : `${short} (${location})` };
}

/** A name or path of anything but a routine; cut in the middle if it is long. */
export const cutName = (name: string): Name => ({ called: fit(visible(name), MAX_NAME_WIDTH, 'left', 'middle').trimEnd() });

/** `file.c:12`; only the file if the line is unknown, `line 12` if the file is. */
export const locationText = (file: string | null, line: number): Name => ({
  called: file === null || file === '' ? `line ${line}` : `${cutName(baseName(file)).called}${line > 0 ? `:${line}` : ''}`,
});
