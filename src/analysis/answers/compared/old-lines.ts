// The lines that only the base's text has, and their position in a listing of both texts.
import { listsBy } from '../../../base/lists.ts';
import type { Analysis } from '../analysis.ts';
import type { LineMap } from '../costing.ts';
import { isOldLine, OLD_LINES } from './line-map.ts';

/** Lines without cost that are listed around one that had some. */
const AROUND = 2;

/** Whether a line exists only in the base's text. In a profile that is not compared, any number may occur. */
export const isOldIn = ({ before }: Pick<Analysis, 'before'>, line: number): boolean => before !== undefined && isOldLine(line);

/** The number of a line in its own text. */
export const ownLineNumber = (analysis: Pick<Analysis, 'before'>, line: number): number =>
  isOldIn(analysis, line) ? line - OLD_LINES : line;

const lineNumber = (line: number): number => (isOldLine(line) ? line - OLD_LINES : line);

/**
 * The given lines that only the base's text has, by the line of this run's text that they stand behind (0: before the first). With the
 * text, those around them that are gone as well; with both texts, all that are gone.
 */
export function oldLinesByPosition(
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

/** The lines of this run's text that are new or moved. `length`: the number of its lines. */
export function changedLines(map: LineMap | undefined, length: number): number[] {
  const out: number[] = [];
  for (let line = 1; map?.change && line <= length; line++) if (map.change(line)) out.push(line);
  return out;
}

/** Lines in the order of a listing of both texts. */
export function mergeListing(lines: ArrayLike<number>, behind: ReadonlyMap<number, readonly number[]>): number[] {
  const out = Array.from(lines).filter((line) => !isOldLine(line));
  const present = new Set(out);
  const all = [...out, ...[...behind.keys()].filter((line) => !present.has(line))].sort((a, b) => a - b);
  return all.flatMap((line) => [...(present.has(line) ? [line] : []), ...(behind.get(line) ?? [])]);
}
