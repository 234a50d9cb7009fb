// Where a line of the base's source file stands in this run's: by the texts of both, or by where routines begin.
import { firstWhere } from '../../../base/search.ts';
import type { LineMap } from '../costing.ts';
import { once } from '../once.ts';
import { changesIn, matchLines } from './text-lines.ts';

/** A line of the base's text that this run's has no more is OLD_LINES plus its number, which still fits into 32 bits. */
export const OLD_LINES = 2 ** 31;
export const isOldLine = (line: number): boolean => line >= OLD_LINES;

const missing = (line: number): number => (isOldLine(line) ? 0 : OLD_LINES + line);

/** Without texts and without routines that both runs have: every line stays. */
export const unmoved: LineMap = { now: (line) => (isOldLine(line) ? 0 : line), after: (line) => line };

/** By the lines of both texts: those of the same text, in the same order. */
export function mapByText(before: readonly string[], now: readonly string[]): LineMap {
  const found = matchLines(before, now);
  const above = Uint32Array.from(found);
  for (let i = 1; i < above.length; i++) above[i] ||= above[i - 1];
  const changes = once(() => changesIn(before, now, found));
  return {
    now: (line) => (line === 0 ? 0 : found[line - 1] || missing(line)),
    after: (line) => (line === 0 ? 0 : (above[line - 1] ?? above.at(-1) ?? 0)),
    change: (line) => (isOldLine(line) ? changes().before[line - OLD_LINES - 1] : changes().now[line - 1]),
  };
}

/** Where a routine that both runs have begins in the file. */
export interface Start {
  readonly before: number;
  readonly now: number;
}

/** Old lines from `before` on: new lines from `now` to `end` (exclusive); `above` is the new line of the last one before them that has one. */
interface Stretch extends Start {
  readonly end: number;
  readonly above: number;
}

/**
 * By where routines begin: a line keeps its distance from the start of the routine that it is in, as far as no other routine begins there
 * now. Lines above all routines stay. Of two routines with the same start before, or the same now, the one that lies
 * further up counts. The other way round, the same lines belong together.
 */
export function mapByStarts(starts: readonly Start[]): LineMap {
  const stretches = stretchesOf(
    starts.filter(({ before, now }) => before > 0 && now > 0 && !isOldLine(before) && !isOldLine(now)),
  );
  const at = (line: number): Stretch => stretches[firstWhere(stretches.length, (k) => stretches[k].before > line) - 1];
  return {
    now(line) {
      const { before, now, end } = at(line);
      const moved = now + line - before;
      return moved < end && !isOldLine(line) ? moved : missing(line);
    },
    after: (line) => lastOf(at(line), line),
  };
}

/** The new line of the last old line up to `line`, which is in the stretch, that has one. */
const lastOf = ({ before, now, end, above }: Stretch, line: number): number =>
  end > now ? Math.min(now + line - before, end - 1) : above;

const first = ({ before, now }: Start): number => Math.min(before, now);
const last = ({ before, now }: Start): number => Math.max(before, now);

/** The lines between the starts, in the order of the old file. The first begins at line 0, so every line is in one. */
function stretchesOf(starts: readonly Start[]): Stretch[] {
  // So that whichever run is the base, the same pairs count.
  const ordered = [...starts].sort((a, b) => first(a) - first(b) || last(a) - last(b));
  const all = [{ before: 0, now: 0 }, ...ordered];
  const begins = [...new Set(all.map((s) => s.now))].sort((a, b) => a - b);
  const endOf = new Map(begins.map((now, i) => [now, begins[i + 1] ?? OLD_LINES]));
  const taken = new Set<number>();
  const chosen = new Map<number, Start & { readonly end: number }>();
  for (const { before, now } of all) {
    if (chosen.has(before) || taken.has(now)) continue;
    taken.add(now);
    chosen.set(before, { before, now, end: endOf.get(now) ?? now });
  }
  // Where another routine is now, no line has a counterpart.
  for (const { before, now } of all) if (!chosen.has(before)) chosen.set(before, { before, now, end: now });
  const out: Stretch[] = [];
  for (const start of [...chosen.values()].sort((a, b) => a.before - b.before)) {
    const previous = out.at(-1);
    out.push({ ...start, above: previous ? lastOf(previous, start.before - 1) : 0 });
  }
  return out;
}
