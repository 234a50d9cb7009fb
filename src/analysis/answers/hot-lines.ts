// Which of a routine's files and lines matter most. A routine that does hardly anything itself (a driver like main) is judged by
// what its lines call, any other by the cost of its own code; lines without such cost come last, by their calls.
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { AnnotatedFile } from './annotate.ts';
import { orderByNumber } from './order.ts';

/** Lines or instructions with their costs. */
export type Costed = Pick<AnnotatedFile, 'line' | 'self' | 'inclusive'>;

export interface HotLine {
  /** Index into the files. */
  readonly file: number;
  /** Row of the annotated file. */
  readonly row: number;
}

/** Self costs of less than this share of the costliest line with its calls are nothing beside them. */
const NOTHING = 0.01;

/** Sums of all lines of a file, as a table of one row: self, and inclusive. */
function sumsOf(costs: readonly Float64Array[]): number[][] {
  return costs.map((column) => [column.reduce((a, b) => a + b, 0)]);
}

const size = (event: Event, costs: readonly ArrayLike<number>[], row = 0) => Math.abs(eventValue(event, costs, row));

/** True if the lines' own costs are nothing beside the calls they make. */
export function isDriver(files: readonly Costed[], event: Event): boolean {
  let self = 0;
  let most = 0;
  for (const file of files) {
    for (let row = 0; row < file.line.length; row++) {
      self += size(event, file.self, row);
      most = Math.max(most, size(event, file.inclusive, row));
    }
  }
  return self < NOTHING * most;
}

/** Self cost of a file's lines as a table of one row. */
export const selfOfFile = memo((file: AnnotatedFile) => sumsOf(file.self), 64);
/** The lines' inclusive costs added up. Exact where no cost is in two lines at once, that is, not for sampled stacks. */
export const inclusiveOfFile = memo((file: AnnotatedFile) => sumsOf(file.inclusive), 64);

/** The costliest file first. */
export const filesByCost = memo((files: readonly AnnotatedFile[], event: Event): readonly AnnotatedFile[] => {
  const driver = isDriver(files, event);
  const keys = new Map(
    files.map((file) => {
      const [self, inclusive] = [size(event, selfOfFile(file)), size(event, inclusiveOfFile(file))];
      return [file, driver ? [inclusive, self] : [self, inclusive]] as const;
    }),
  );
  const key = (file: AnnotatedFile, k: number) => keys.get(file)?.[k] ?? 0;
  return [...files].sort((a, b) => key(b, 0) - key(a, 0) || key(b, 1) - key(a, 1));
}, 4);

/** The place after (1) or before (-1) a place in the order, or the first (0); from the end of the order to its start. */
export function nextHot(places: number, from: number, by: 1 | -1 | 0): { readonly to: number; readonly wrapped: boolean } {
  const to = by === 0 || from < 0 ? 0 : (from + by + places) % places;
  return { to, wrapped: from >= 0 && (by > 0 ? to <= from : by < 0 && to >= from) };
}

/** All lines that cost anything, of all files, the costliest first. */
export const hotLines = memo((files: readonly Costed[], event: Event): readonly HotLine[] => {
  const driver = isDriver(files, event);
  const at: HotLine[] = [];
  const own: number[] = [];
  const all: number[] = [];
  files.forEach(({ line, self, inclusive }, file) => {
    for (let row = 0; row < line.length; row++) {
      const [a, b] = [size(event, self, row), size(event, inclusive, row)];
      if (a === 0 && b === 0) continue;
      at.push({ file, row });
      own.push(a);
      all.push(b);
    }
  });
  const [first, second] = driver ? [all, own] : [own, all];
  // Equal costs stay in the order of the lines.
  return Array.from(orderByNumber(first, true, orderByNumber(second, true)), (k) => at[k]);
}, 4);
