// The lines of the base's text that this run's text does not have any more, and where they stand in a listing of both.
import { listsBy } from '../../../base/lists.ts';
import type { Analysis } from '../analysis.ts';
import type { LineMap } from '../costing.ts';
import { isOldLine, OLD_LINES } from './line-map.ts';

/** Lines without cost that are listed around one that had some. */
const AROUND = 2;

/** Whether a line is of the base's text alone. A profile that is not compared may have any number. */
export const isOldIn = ({ before }: Pick<Analysis, 'before'>, line: number): boolean => before !== undefined && isOldLine(line);

/** The number of a line in its own text. */
export const numberIn = (analysis: Pick<Analysis, 'before'>, line: number): number =>
  isOldIn(analysis, line) ? line - OLD_LINES : line;

const lineNumber = (line: number): number => (isOldLine(line) ? line - OLD_LINES : line);

/**
 * The given lines that only the base's text has, by the line of this run's text that they stand behind (0: before the first). With the
 * text, those around them that are gone as well; with both texts, all that are gone.
 */
export function oldLinesBehind(
  lines: ArrayLike<number>,
  map: LineMap | undefined,
  text: readonly string[] | undefined,
): ReadonlyMap<number, readonly number[]> {
  const wanted = new Set<number>();
  for (let i = 0; map && i < lines.length; i++) {
    if (!isOldLine(lines[i])) continue;
    const line = lineNumber(lines[i]);
    wanted.add(line);
    for (let k = Math.max(1, line - AROUND); text && k <= Math.min(text.length, line + AROUND); k++)
      if (isOldLine(map.now(k))) wanted.add(k);
  }
  for (let k = 1; text && map?.change && k <= text.length; k++) if (map.change(OLD_LINES + k) === 'gone') wanted.add(k);
  const old = [...wanted].sort((a, b) => a - b).map((line) => OLD_LINES + line);
  return listsBy(old, (line) => map?.after(lineNumber(line)) ?? 0);
}

/** The lines of this run's text, of so many, that are not where they were in the base's. */
export function changedLines(map: LineMap | undefined, length: number): number[] {
  const out: number[] = [];
  for (let line = 1; map?.change && line <= length; line++) if (map.change(line)) out.push(line);
  return out;
}

/** Lines in the order of a listing of both texts. */
export function inOrderOfBoth(lines: ArrayLike<number>, behind: ReadonlyMap<number, readonly number[]>): number[] {
  const out = Array.from(lines).filter((line) => !isOldLine(line));
  const present = new Set(out);
  const all = [...out, ...[...behind.keys()].filter((line) => !present.has(line))].sort((a, b) => a - b);
  return all.flatMap((line) => [...(present.has(line) ? [line] : []), ...(behind.get(line) ?? [])]);
}
