// Maps lines of the base's source file to this run's: by the texts of both, or by the starts of routines.
import { firstIndexWhere } from '../../../base/lists.ts';
import type { LineMap } from '../costing.ts';
import { findLineChanges, matchLines } from './text-lines.ts';

/** A line that only the base's text has is numbered OLD_LINE_OFFSET plus its line, which still fits into 32 bits. */
export const OLD_LINE_OFFSET = 2 ** 31;
export const isOldLine = (line: number): boolean => line >= OLD_LINE_OFFSET;

const toOldLine = (line: number): number => (isOldLine(line) ? 0 : OLD_LINE_OFFSET + line);

/** The map in which every line stays, if there are no texts and no routines that both runs have. */
export const identityMap: LineMap = { now: (line) => (isOldLine(line) ? 0 : line), after: (line) => line };

/** Maps lines by text: equal lines in the same order correspond, and lines that replaced others to those. */
export function mapByText(before: readonly string[], now: readonly string[]): LineMap {
  const equal = matchLines(before, now);
  const above = equal.slice();
  for (let i = 1; i < above.length; i++) above[i] ||= above[i - 1];
  const { found, ...changes } = findLineChanges(before, now, equal);
  return {
    now: (line) => (line === 0 ? 0 : found[line - 1] || toOldLine(line)),
    after: (line) => (line === 0 ? 0 : (above[line - 1] ?? above.at(-1) ?? 0)),
    change: (line) => (isOldLine(line) ? changes.before[line - OLD_LINE_OFFSET - 1] : changes.now[line - 1]),
  };
}

/** The line at which a routine starts in both runs. */
export type RoutineStart = Readonly<Record<'before' | 'now', number>>;

/** Old lines from `before` on that become new lines from `now` to `end` (exclusive). `above`: the last new line before them. */
type LineStretch = Readonly<Record<'before' | 'now' | 'end' | 'above', number>>;

/**
 * By where routines begin: a line keeps its distance from the start of the routine that it is in, as far as no other routine begins there
 * now. Lines above all routines stay. Of two routines with the same start before, or the same now, the one that lies
 * further up counts. The other way round, the same lines belong together.
 */
export function mapByStarts(starts: readonly RoutineStart[]): LineMap {
  const stretches = stretchesOf(
    starts.filter(({ before, now }) => before > 0 && now > 0 && !isOldLine(before) && !isOldLine(now)),
  );
  const at = (line: number): LineStretch => stretches[firstIndexWhere(stretches.length, (k) => stretches[k].before > line) - 1];
  return {
    now(line) {
      const { before, now, end } = at(line);
      const moved = now + line - before;
      return moved < end && !isOldLine(line) ? moved : toOldLine(line);
    },
    after: (line) => lastNewLine(at(line), line),
  };
}

/** The last new line that corresponds to an old line up to `line`, which is in the stretch. */
const lastNewLine = ({ before, now, end, above }: LineStretch, line: number): number =>
  end > now ? Math.min(now + line - before, end - 1) : above;

const smallerLine = ({ before, now }: RoutineStart): number => Math.min(before, now);
const largerLine = ({ before, now }: RoutineStart): number => Math.max(before, now);

/** Splits a file into stretches at the starts, in order of old lines. The first begins at line 0, so every line is in one. */
function stretchesOf(starts: readonly RoutineStart[]): LineStretch[] {
  // This order makes the result independent of which run is the base.
  const ordered = [...starts].sort((a, b) => smallerLine(a) - smallerLine(b) || largerLine(a) - largerLine(b));
  const all = [{ before: 0, now: 0 }, ...ordered];
  const begins = [...new Set(all.map((s) => s.now))].sort((a, b) => a - b);
  const endOf = new Map(begins.map((now, i) => [now, begins[i + 1] ?? OLD_LINE_OFFSET]));
  const taken = new Set<number>();
  const chosen = new Map<number, RoutineStart & { readonly end: number }>();
  for (const { before, now } of all) {
    if (chosen.has(before) || taken.has(now)) continue;
    taken.add(now);
    chosen.set(before, { before, now, end: endOf.get(now) ?? now });
  }
  // An unmatched routine start of the base maps to an empty range.
  for (const { before, now } of all) if (!chosen.has(before)) chosen.set(before, { before, now, end: now });
  const out: LineStretch[] = [];
  for (const start of [...chosen.values()].sort((a, b) => a.before - b.before)) {
    const previous = out.at(-1);
    out.push({ ...start, above: previous ? lastNewLine(previous, start.before - 1) : 0 });
  }
  return out;
}
