// Lines that only the base's text has, and their positions in a listing of both texts.
import { groupByKey } from '../../../base/lists.ts';
import type { Analysis } from '../analysis.ts';
import type { LineMap } from '../costing.ts';
import { isOldLine, OLD_LINE_OFFSET } from './line-map.ts';

/** How many lines without cost are listed around an old line with cost. */
const CONTEXT_LINES = 2;

/** Whether a line exists only in the base's text. In a single run, any number may occur. */
export const isOldLineIn = ({ before }: Pick<Analysis, 'before'>, line: number): boolean =>
  before !== undefined && isOldLine(line);

/** The number of a line in the text that it belongs to. */
export const ownLineNumber = (analysis: Pick<Analysis, 'before'>, line: number): number =>
  isOldLineIn(analysis, line) ? line - OLD_LINE_OFFSET : line;

/** The text of a line in the text that it belongs to: in that of this run, or for an old line in that of the base. */
export const textAt = (analysis: Analysis, line: number, text: readonly string[], baseText: readonly string[]) =>
  (isOldLineIn(analysis, line) ? baseText : text)[ownLineNumber(analysis, line) - 1];

const lineNumber = (line: number): number => (isOldLine(line) ? line - OLD_LINE_OFFSET : line);

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
    for (let k = Math.max(1, line - CONTEXT_LINES); text && k <= Math.min(text.length, line + CONTEXT_LINES); k++)
      if (isOldLine(map.now(k))) wanted.add(k);
  }
  for (let k = 1; text && map?.change && k <= text.length; k++) if (map.change(OLD_LINE_OFFSET + k) === 'gone') wanted.add(k);
  const old = [...wanted].sort((a, b) => a - b).map((line) => OLD_LINE_OFFSET + line);
  return groupByKey(old, (line) => map?.after(lineNumber(line)) ?? 0);
}

/** The lines of this run's text that are new or moved. `length`: the number of lines. */
export function changedLines(map: LineMap | undefined, length: number): number[] {
  const out: number[] = [];
  for (let line = 1; map?.change && line <= length; line++) if (map.change(line)) out.push(line);
  return out;
}

/** Merges lines and old lines in the order of a listing of both texts. */
export function mergeListing(lines: ArrayLike<number>, behind: ReadonlyMap<number, readonly number[]>): number[] {
  const out = Array.from(lines).filter((line) => !isOldLine(line));
  const present = new Set(out);
  const all = [...out, ...[...behind.keys()].filter((line) => !present.has(line))].sort((a, b) => a - b);
  return all.flatMap((line) => [...(present.has(line) ? [line] : []), ...(behind.get(line) ?? [])]);
}
