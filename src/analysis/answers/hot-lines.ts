// Ranks a routine's files and lines. A routine with hardly any self cost (a driver like main) is ranked by the calls of its
// lines, any other by the cost of its own code. Lines without such cost come last, by their calls. With two runs, lines are ranked by
// their increase including calls, which is what made a run slower. The user's own code comes before headers and system code,
// because changes are made there.
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { isOwnFile } from '../names/origin.ts';
import type { AnnotatedFile } from './annotate.ts';
import { orderByNumber } from './order.ts';

/** Lines or instructions with their costs. */
export type CostedLines = Pick<AnnotatedFile, 'line' | 'self' | 'inclusive'> & Partial<Pick<AnnotatedFile, 'file'>>;

export interface HotLine {
  /** Index into the files. */
  readonly file: number;
  /** Row of the annotated file. */
  readonly row: number;
}

/** The share of the highest cost below which a cost is negligible: self cost compared with calls, own code with other code. */
const NEGLIGIBLE_SHARE = 0.01;

/** Sums the lines of a file as a table of one row, by raw column. */
const sumAllLines = (costs: readonly Float64Array[]): number[][] => costs.map((column) => [column.reduce((a, b) => a + b, 0)]);

const absoluteCost = (event: Event, costs: readonly ArrayLike<number>[], row = 0) => Math.abs(eventValue(event, costs, row));

/** Whether the lines' self costs are negligible beside their calls. */
export function isDriver(files: readonly CostedLines[], event: Event): boolean {
  let self = 0;
  let most = 0;
  for (const file of files) {
    for (let row = 0; row < file.line.length; row++) {
      self += absoluteCost(event, file.self, row);
      most = Math.max(most, absoluteCost(event, file.inclusive, row));
    }
  }
  return self < NEGLIGIBLE_SHARE * most;
}

/** The self cost of a file's lines, as a table of one row. */
export const selfOfFile = memo((file: AnnotatedFile) => sumAllLines(file.self), 64);
/** The inclusive cost of a file's lines. Exact unless a cost belongs to two lines, as in sampled stacks. */
export const inclusiveOfFile = memo((file: AnnotatedFile) => sumAllLines(file.inclusive), 64);

const isUserCode = (profile: Profile | undefined, { file = -1 }: CostedLines): boolean =>
  profile !== undefined && isOwnFile(profile, file);

/** Sorts own code first, then other code, each in order of cost. */
function userCodeFirst<T>(ordered: readonly T[], own: (one: T) => boolean, cost: (one: T) => number): readonly T[] {
  if (ordered.every(own)) return ordered;
  const least = NEGLIGIBLE_SHARE * cost(ordered[0]);
  const first = new Set(ordered.filter((one) => own(one) && cost(one) >= least));
  return [...first, ...ordered.filter((one) => !first.has(one))];
}

/** Sorts files by cost, the costliest first. */
export const filesByCost = memo((files: readonly AnnotatedFile[], event: Event, profile?: Profile): readonly AnnotatedFile[] => {
  const selves = files.map((file) => absoluteCost(event, selfOfFile(file)));
  const all = files.map((file) => absoluteCost(event, inclusiveOfFile(file)));
  const [first, second] = isDriver(files, event) ? [all, selves] : [selves, all];
  const ordered = Array.from(orderByNumber(first, true, orderByNumber(second, true)));
  const isOwn = (k: number) => isUserCode(profile, files[k]);
  return userCodeFirst(ordered, isOwn, (k) => first[k]).map((k) => files[k]);
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

/** The lines of all files that have any cost, costliest first. Of a difference, the largest increases including calls come first. */
export const hotLines = memo((files: readonly CostedLines[], event: Event, profile?: Profile): readonly HotLine[] => {
  const driver = isDriver(files, event);
  const at: HotLine[] = [];
  const selves: number[] = [];
  const all: number[] = [];
  files.forEach(({ line, self, inclusive }, file) => {
    for (let row = 0; row < line.length; row++) {
      const [a, b] = [eventValue(event, self, row), eventValue(event, inclusive, row)];
      if (a === 0 && b === 0) continue;
      at.push({ file, row });
      selves.push(Math.abs(a));
      all.push(event.measure === 'delta' ? b : Math.abs(b));
    }
  });
  const [first, second] = event.measure === 'delta' ? [increases(all), selves] : driver ? [all, selves] : [selves, all];
  // Lines with equal cost keep their order.
  const ordered = Array.from(orderByNumber(first, true, orderByNumber(second, true)));
  const own = files.map((file) => isUserCode(profile, file));
  const isOwn = (k: number) => own[at[k].file];
  const costs = event.measure === 'delta' ? all : first;
  return userCodeFirst(ordered, isOwn, (k) => Math.abs(costs[k])).map((k) => at[k]);
}, 4);
