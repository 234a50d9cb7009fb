// Costs that can have a column beside those of the routines: of single parts or threads, and the sums that the file has of a recursion.
import { listsBy } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import type { Profile } from '../../model/profile.ts';
import { analyse } from './analyse.ts';
import type { Analysis } from './analysis.ts';

/** Parts that have a column together, by the name that the user gives: `part 2` as numbered in Info, or `thread 1`. */
export interface PartColumn {
  readonly name: string;
  readonly parts: ReadonlySet<number>;
}

/** With two runs, parts can be distinguished only where both have as many. */
export const sameParts = ({ parts, compared }: Profile): boolean => !compared || compared.before.parts.length === parts.length;

/** The columns that a profile can have: none if it is of one part. */
export function partColumns(profile: Profile): PartColumn[] {
  const { parts } = profile;
  if (parts.length < 2 || !sameParts(profile)) return [];
  const threads = listsBy(parts.keys(), (i) => parts[i].thread);
  threads.delete(null);
  return [
    ...parts.map((_, i) => ({ name: `part ${i + 1}`, parts: new Set([i]) })),
    ...(threads.size < 2 ? [] : [...threads]).map(([thread, own]) => ({ name: `thread ${thread}`, parts: new Set(own) })),
  ];
}

/** The columns of a sort: `thread` or `part`. */
export const partsOfSort = (profile: Profile, sort: string): PartColumn[] =>
  partColumns(profile).filter(({ name }) => name.startsWith(`${sort} `));

/** Threads, or parts where there are no threads, by their first event as the file states it, the most expensive first. */
export function partsByCost(profile: Profile): PartColumn[] {
  const columns = partColumns(profile);
  const threads = partsOfSort(profile, 'thread');
  const cost = ({ parts }: PartColumn) =>
    [...parts].reduce((sum, i) => sum + Number(profile.parts[i].totals?.[0] ?? profile.parts[i].summary?.[0] ?? 0), 0);
  return (threads.length > 0 ? threads : columns).sort((a, b) => cost(b) - cost(a));
}

/** The profile with only the parts of a column, those among them that are on. */
export const analysisOfColumn = memo((of: Analysis, name: string): Analysis | undefined => {
  const column = partColumns(of.profile).find((c) => c.name === name);
  if (!column) return undefined;
  const off = of.profile.parts.map((_, i) => i).filter((i) => !column.parts.has(i) || of.partsOff.has(i));
  return analyse(of.profile, of.events, new Set(off));
}, 32);

/** The column with self cost and all calls as the file has them, where that is more than the inclusive cost. */
export const RECORDED = 'recorded';

/** The names of columns beside events: parts, threads, recorded sums. */
export function extraNames({ profile, totals }: Analysis): string[] {
  return [...partColumns(profile).map((p) => p.name), ...(totals.recorded ? [RECORDED] : [])];
}

/** Sorts of columns that the user can add to a table. */
export type ColumnSort = 'events' | 'parts' | 'recorded';

export function columnSort({ events }: Analysis, name: string): ColumnSort {
  if (events.some((event) => event.name === name)) return 'events';
  return name === RECORDED ? 'recorded' : 'parts';
}

/** Everything that can have a column of its own. */
export function columnNames(analysis: Analysis): string[] {
  return [...analysis.events.map((e) => e.name), ...extraNames(analysis)];
}
