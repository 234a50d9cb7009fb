// Maps lines of the base's source file to this run's: by the texts of both, or by the starts of routines.
import { firstWhere } from '../../../base/search.ts';
import type { LineMap } from '../costing.ts';
import { once } from '../once.ts';
import { findLineChanges, matchLines } from './text-lines.ts';

/** A line of the base's text that this run's has no more is OLD_LINES plus its number, which still fits into 32 bits. */
export const OLD_LINES = 2 ** 31;
export const isOldLine = (line: number): boolean => line >= OLD_LINES;

const asOldLine = (line: number): number => (isOldLine(line) ? 0 : OLD_LINES + line);

/** Without texts and without routines that both runs have: every line stays. */
export const identityMap: LineMap = { now: (line) => (isOldLine(line) ? 0 : line), after: (line) => line };

/** Maps by text: equal lines in the same order correspond. */
export function mapByText(before: readonly string[], now: readonly string[]): LineMap {
  const found = matchLines(before, now);
  const above = Uint32Array.from(found);
  for (let i = 1; i < above.length; i++) above[i] ||= above[i - 1];
  const changes = once(() => findLineChanges(before, now, found));
  return {
    now: (line) => (line === 0 ? 0 : found[line - 1] || asOldLine(line)),
    after: (line) => (line === 0 ? 0 : (above[line - 1] ?? above.at(-1) ?? 0)),
    change: (line) => (isOldLine(line) ? changes().before[line - OLD_LINES - 1] : changes().now[line - 1]),
  };
}

/** The first line of a routine in both runs. */
export interface RoutineStart {
  readonly before: number;
  readonly now: number;
}

/** Old lines from `before` on: new lines from `now` to `end` (exclusive); `above` is the new line of the last one before them that has one. */
interface Stretch extends RoutineStart {
  readonly end: number;
  readonly above: number;
}

/**
 * By where routines begin: a line keeps its distance from the start of the routine that it is in, as far as no other routine begins there
 * now. Lines above all routines stay. Of two routines with the same start before, or the same now, the one that lies
 * further up counts. The other way round, the same lines belong together.
 */
export function mapByStarts(starts: readonly RoutineStart[]): LineMap {
  const stretches = stretchesOf(
    starts.filter(({ before, now }) => before > 0 && now > 0 && !isOldLine(before) && !isOldLine(now)),
  );
  const at = (line: number): Stretch => stretches[firstWhere(stretches.length, (k) => stretches[k].before > line) - 1];
  return {
    now(line) {
      const { before, now, end } = at(line);
      const moved = now + line - before;
      return moved < end && !isOldLine(line) ? moved : asOldLine(line);
    },
    after: (line) => lastNewLine(at(line), line),
  };
}

/** The new line of the last old line up to `line`, which is in the stretch, that has one. */
const lastNewLine = ({ before, now, end, above }: Stretch, line: number): number =>
  end > now ? Math.min(now + line - before, end - 1) : above;

const smallerLine = ({ before, now }: RoutineStart): number => Math.min(before, now);
const largerLine = ({ before, now }: RoutineStart): number => Math.max(before, now);

/** The lines between the starts, in the order of the old file. The first begins at line 0, so every line is in one. */
function stretchesOf(starts: readonly RoutineStart[]): Stretch[] {
  // This order makes the result independent of which run is the base.
  const ordered = [...starts].sort((a, b) => smallerLine(a) - smallerLine(b) || largerLine(a) - largerLine(b));
  const all = [{ before: 0, now: 0 }, ...ordered];
  const begins = [...new Set(all.map((s) => s.now))].sort((a, b) => a - b);
  const endOf = new Map(begins.map((now, i) => [now, begins[i + 1] ?? OLD_LINES]));
  const taken = new Set<number>();
  const chosen = new Map<number, RoutineStart & { readonly end: number }>();
  for (const { before, now } of all) {
    if (chosen.has(before) || taken.has(now)) continue;
    taken.add(now);
    chosen.set(before, { before, now, end: endOf.get(now) ?? now });
  }
  // An unmatched routine start of the base maps to an empty range.
  for (const { before, now } of all) if (!chosen.has(before)) chosen.set(before, { before, now, end: now });
  const out: Stretch[] = [];
  for (const start of [...chosen.values()].sort((a, b) => a.before - b.before)) {
    const previous = out.at(-1);
    out.push({ ...start, above: previous ? lastNewLine(previous, start.before - 1) : 0 });
  }
  return out;
}
