// Ranks a routine's files and lines by their cost with the calls made there. With two runs, lines are ranked by their increase,
// which is what made a run slower. The file of the routine and the user's own code come before headers and system code, because
// changes are made there.
import { memo } from '../../base/lists.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { isOwnFile } from '../names/origin.ts';
import type { AnnotatedFile } from './annotate.ts';
import { orderByNumber } from './order.ts';

export type CostedLines = Pick<AnnotatedFile, 'line' | 'self' | 'inclusive'> &
  Partial<Pick<AnnotatedFile, 'file' | 'calls' | 'callsAt'>>;

/** `file`: index into the files. */
export type HotLine = Readonly<Record<'file' | 'row', number>>;

/** The share of the highest cost below which own code does not come before other code. */
const NEGLIGIBLE_SHARE = 0.01;

/** Sums the lines of a file as a table of one row, by raw column. */
const sumAllLines = (costs: readonly Float64Array[]): number[][] => costs.map((column) => [column.reduce((a, b) => a + b, 0)]);

const absoluteCost = (event: Event, costs: readonly ArrayLike<number>[]) => Math.abs(eventValue(event, costs, 0));

/** The self cost of a file's lines, as a table of one row. */
export const selfOfFile = memo((file: AnnotatedFile) => sumAllLines(file.self), 64);
/** The inclusive cost of a file's lines. Exact unless a cost belongs to two lines, as in sampled stacks. */
export const inclusiveOfFile = memo((file: AnnotatedFile) => sumAllLines(file.inclusive), 64);

/** Where code is likely to be changed: 2 in the file of the routine, 1 in the user's files, else 0. Without `profile`, always 0. */
function changeLevel({ file = -1 }: CostedLines, profile: Profile | undefined, routine = -1): number {
  if (profile === undefined) return 0;
  return file === profile.routines.file[routine] ? 2 : Number(isOwnFile(profile, file));
}

/** Sorts by level, and within a level keeps the order. An item of negligible cost has level 0. */
function byLevel<T>(ordered: readonly T[], level: (one: T) => number, cost: (one: T) => number): readonly T[] {
  if (ordered.every((one) => level(one) === level(ordered[0]))) return ordered;
  const levels = new Map(ordered.map((one) => [one, cost(one) >= NEGLIGIBLE_SHARE * cost(ordered[0]) ? level(one) : 0]));
  return ordered.toSorted((a, b) => (levels.get(b) ?? 0) - (levels.get(a) ?? 0));
}

/** Sorts files by cost, the costliest first. */
export const filesByCost = memo((files: readonly AnnotatedFile[], event: Event, profile?: Profile, routine?: number) => {
  const selves = files.map((file) => absoluteCost(event, selfOfFile(file)));
  const all = files.map((file) => absoluteCost(event, inclusiveOfFile(file)));
  const ordered = Array.from(orderByNumber(all, true, orderByNumber(selves, true)));
  const level = (k: number) => changeLevel(files[k], profile, routine);
  return byLevel(ordered, level, (k) => all[k]).map((k) => files[k]);
}, 4);

/** The index after (1) or before (-1) an index, or the first (0); wraps around at both ends. */
export function nextIndex(places: number, from: number, by: 1 | -1 | 0): { readonly to: number; readonly wrapped: boolean } {
  const to = by === 0 || from < 0 ? 0 : (from + by + places) % places;
  return { to, wrapped: from >= 0 && (by > 0 ? to <= from : by < 0 && to >= from) };
}

/** Keys that order differences: increases before decreases, each by size. */
function increases(values: readonly number[]): number[] {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return values.map((value) => (value > 0 ? most + value : -value));
}

/** The cost of a line with its calls. Those that stay in the routine or its cycle are left out: they cost what its other lines do. */
function costOfLine(event: Event, { self, inclusive, calls, callsAt }: CostedLines, row: number): number {
  const at = callsAt?.[row] ?? [];
  if (!calls || !at.some((k) => calls.inside[k] === 1)) return eventValue(event, inclusive, row);
  const outside = at.filter((k) => calls.inside[k] === 0);
  return outside.reduce((sum, k) => sum + eventValue(event, calls.costs, k), eventValue(event, self, row));
}

/** The lines of all files that have any cost, costliest first. Of a difference, the largest increases including calls come first. */
export const hotLines = memo((files: readonly CostedLines[], event: Event, profile?: Profile, routine?: number) => {
  const at: HotLine[] = [];
  const selves: number[] = [];
  const all: number[] = [];
  files.forEach((costed, file) => {
    for (let row = 0; row < costed.line.length; row++) {
      const [a, b] = [eventValue(event, costed.self, row), costOfLine(event, costed, row)];
      if (a === 0 && b === 0) continue;
      at.push({ file, row });
      selves.push(Math.abs(a));
      all.push(event.measure === 'delta' ? b : Math.abs(b));
    }
  });
  const first = event.measure === 'delta' ? increases(all) : all;
  // Lines with equal cost keep their order.
  const ordered = Array.from(orderByNumber(first, true, orderByNumber(selves, true)));
  const levels = files.map((file) => changeLevel(file, profile, routine));
  const level = (k: number) => levels[at[k].file];
  return byLevel(ordered, level, (k) => Math.abs(all[k])).map((k): HotLine => at[k]);
}, 4);
