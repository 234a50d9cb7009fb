// The numbers and names of sentences, as the views show them.
import { baseName, routinePlace, UNKNOWN } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { memo } from '../base/memo.ts';
import { visible } from '../base/safe-text.ts';
import { fit } from '../base/text.ts';
import { formatCost, formatCount, formatPercent, formatShortCost, plural } from '../base/units.ts';
import { timeText } from '../columns/times.ts';
import type { Profile } from '../model/profile.ts';
import { stringCount } from '../model/strings.ts';
import type { Figure, Name } from './phrase.ts';
import { type Said, say } from './phrase.ts';
import type { Evidence } from './rule.ts';

export { headlineOf, listed, type Name, NOTHING, type Part, type Said, say, textOf } from './phrase.ts';

/** A sentence does not say nothing of something. */
function percentText(value: number, of: number): string {
  const text = formatPercent(value, of);
  return text === '0.00%' && value !== 0 ? '<0.01%' : text;
}

/** A cost as its share of the whole: `12.34%`. The value is the cost. */
export const share = ({ whole }: Pick<Evidence, 'whole'>, name: string, value: number): Figure => ({
  name,
  value,
  text: percentText(value, whole),
});

/** A part of something that has its own whole. The value is the part. */
export const part = (name: string, value: number, of: number): Figure => ({ name, value, text: percentText(value, of) });

/** A count in full: `1,234`, or with its noun, `1,234 calls`. */
export const count = (name: string, value: number, noun?: string): Figure => ({
  name,
  value,
  text: noun === undefined ? formatCount(value) : plural(value, noun),
});

/** A cost in its unit, shortened as in narrow columns: `1.23M`, `4.50s`. */
export const cost = ({ event }: Pick<Evidence, 'event'>, name: string, value: number): Figure => ({
  name,
  value,
  text: formatShortCost(value, event.unit),
});

/** `from 1.2k to 1.4k`, with all digits where short numbers would not differ. */
export function fromTo({ event }: Pick<Evidence, 'event'>, before: number, now: number): Said {
  const write = formatShortCost(before, event.unit) === formatShortCost(now, event.unit) ? formatCost : formatShortCost;
  const figure = (name: string, value: number): Figure => ({ name, value, text: write(value, event.unit) });
  return say`from ${figure('before', before)} to ${figure('now', now)}`;
}

/** Microseconds as people read them: `1.25s`. */
export const time = (name: string, us: number): Figure => ({ name, value: us, text: timeText(us) });

/** A factor: `4.6`, or with two digits `4.62`. */
export const ratio = (name: string, value: number, digits = 1): Figure => ({ name, value, text: value.toFixed(digits) });

/** Advice, where there is any. */
export const tried = (text: string | undefined): { try?: string } => (text ? { try: text } : {});

/** The mark of what is not exact. */
export const ABOUT = '≈ ';

/** The event that shares are of. */
export const eventName = ({ event }: Pick<Evidence, 'event'>): Name => cutName(event.name);

/** Cells of a name in a sentence. */
const NAME_ROOM = 48;

/** By string: how many routines have that name, 2 for more. */
const shared = memo(({ routines, strings }: Profile): Uint8Array => {
  const seen = new Uint8Array(stringCount(strings));
  for (const id of routines.name) seen[id] = Math.min(2, seen[id] + 1);
  return seen;
}, 4);

/** A routine as sentences call it: with its file where others have the same name. */
export function named(profile: Profile, routine: number): Name {
  const short = shortName(profile, routine, NAME_ROOM);
  if (shared(profile)[profile.routines.name[routine]] < 2) return { called: short };
  const place = fit(visible(baseName(routinePlace(profile, routine))), NAME_ROOM, 'left', 'middle').trimEnd();
  return { called: place === UNKNOWN ? short : `${short} (${place})` };
}

/** Other names and paths, cut in the middle where they are long. */
export const cutName = (name: string): Name => ({ called: fit(visible(name), NAME_ROOM, 'left', 'middle').trimEnd() });

/** `file.c:12`; the file alone where the line is not known. */
export const placed = (file: string | null, line: number): Name => ({
  called: file === null || file === '' ? `line ${line}` : `${cutName(baseName(file)).called}${line > 0 ? `:${line}` : ''}`,
});
