// Which of a routine's files and lines matter most. A routine that does hardly anything itself (a driver like main) is judged by
// what its lines call, any other by the cost of its own code; lines without such cost come last, by their calls. Of two runs, the
// user's own code comes before that of headers and systems: it is where the change was made.
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { isOwnFile } from '../names/names.ts';
import type { AnnotatedFile } from './annotate.ts';
import { orderByNumber } from './order.ts';

/** Lines or instructions with their costs. */
export type Costed = Pick<AnnotatedFile, 'line' | 'self' | 'inclusive'> & Partial<Pick<AnnotatedFile, 'file'>>;

export interface HotLine {
  /** Index into the files. */
  readonly file: number;
  /** Row of the annotated file. */
  readonly row: number;
}

/** Costs of less than this share of the costliest are nothing beside it: self costs beside a line with its calls, own code beside other code. */
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

const isOwn = (profile: Profile | undefined, { file = -1 }: Costed): boolean =>
  profile?.compared !== undefined && isOwnFile(profile, file);

/** Own code in order of cost, then the others. */
function ownFirst<T>(ordered: readonly T[], own: (one: T) => boolean, cost: (one: T) => number): readonly T[] {
  const least = ordered.length > 0 ? NOTHING * cost(ordered[0]) : 0;
  const first = new Set(ordered.filter((one) => own(one) && cost(one) >= least));
  return [...first, ...ordered.filter((one) => !first.has(one))];
}

/** The costliest file first. */
export const filesByCost = memo((files: readonly AnnotatedFile[], event: Event, profile?: Profile): readonly AnnotatedFile[] => {
  const driver = isDriver(files, event);
  const keys = new Map(
    files.map((file) => {
      const [self, inclusive] = [size(event, selfOfFile(file)), size(event, inclusiveOfFile(file))];
      return [file, driver ? [inclusive, self] : [self, inclusive]] as const;
    }),
  );
  const key = (file: AnnotatedFile, k: number) => keys.get(file)?.[k] ?? 0;
  const ordered = [...files].sort((a, b) => key(b, 0) - key(a, 0) || key(b, 1) - key(a, 1));
  return ownFirst(
    ordered,
    (file) => isOwn(profile, file),
    (file) => key(file, 0),
  );
}, 4);

/** The place after (1) or before (-1) a place in the order, or the first (0); from the end of the order to its start. */
export function nextHot(places: number, from: number, by: 1 | -1 | 0): { readonly to: number; readonly wrapped: boolean } {
  const to = by === 0 || from < 0 ? 0 : (from + by + places) % places;
  return { to, wrapped: from >= 0 && (by > 0 ? to <= from : by < 0 && to >= from) };
}

/** All lines that cost anything, of all files, the costliest first. */
export const hotLines = memo((files: readonly Costed[], event: Event, profile?: Profile): readonly HotLine[] => {
  const driver = isDriver(files, event);
  const at: HotLine[] = [];
  const selves: number[] = [];
  const all: number[] = [];
  files.forEach(({ line, self, inclusive }, file) => {
    for (let row = 0; row < line.length; row++) {
      const [a, b] = [size(event, self, row), size(event, inclusive, row)];
      if (a === 0 && b === 0) continue;
      at.push({ file, row });
      selves.push(a);
      all.push(b);
    }
  });
  const [first, second] = driver ? [all, selves] : [selves, all];
  // Equal costs stay in the order of the lines.
  const ordered = Array.from(orderByNumber(first, true, orderByNumber(second, true)));
  const own = files.map((file) => isOwn(profile, file));
  return ownFirst(
    ordered,
    (k) => own[at[k].file],
    (k) => first[k],
  ).map((k) => at[k]);
}, 4);
