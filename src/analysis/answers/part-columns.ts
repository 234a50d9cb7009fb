// Costs that can have additional columns: single parts or threads, and recorded sums of recursions.
import { groupByKey, memo } from '../../base/lists.ts';
import { eventValue, type Part } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { analyse } from './analyse.ts';
import type { Analysis } from './analysis.ts';

/** Parts that have a column together, by the name that the user gives: `part 2` as numbered in Info, or `thread 1`. */
export interface PartColumn {
  readonly name: string;
  readonly parts: ReadonlySet<number>;
}

/** In a comparison, parts can be told apart only if both runs have equally many. */
export const canDistinguishParts = ({ parts, compared }: Profile): boolean =>
  !compared || compared.before.parts.length === parts.length;

/** By part: the name of its thread, with the process if threads of several processes share a number. */
export function threadNames(parts: readonly Part[]): readonly (string | null)[] {
  const processes = new Map(
    [...groupByKey(parts, (p) => p.thread)].map(([thread, own]) => [thread, new Set(own.map((p) => p.pid)).size]),
  );
  const isShared = [...processes].some(([thread, count]) => thread !== null && count > 1);
  const sameThread = groupByKey(parts, ({ pid, thread }) => `${pid}/${thread}`);
  return parts.map(({ thread, pid, command }) => {
    if (thread === null) return null;
    const commands = new Set(sameThread.get(`${pid}/${thread}`)?.map((part) => part.command));
    return `thread ${thread}${isShared ? ` of ${pid ?? '?'}` : ''}${commands.size > 1 && command ? ` (${command})` : ''}`;
  });
}

/** The name of a part, as numbered in Info. */
export const partName = (at: number): string => `part ${at + 1}`;

/** The columns for parts that a profile can have; none if it has only one part. */
export function partColumns(profile: Profile): PartColumn[] {
  const { parts } = profile;
  if (parts.length < 2 || !canDistinguishParts(profile)) return [];
  const names = threadNames(parts);
  const threads = [...groupByKey(parts.keys(), (i) => names[i])].flatMap(([name, own]): PartColumn[] =>
    name === null ? [] : [{ name, parts: new Set(own) }],
  );
  return [...parts.map((_, i) => ({ name: partName(i), parts: new Set([i]) })), ...(threads.length < 2 ? [] : threads)];
}

/** Threads, else parts, most expensive first by the first event, as stated in the file or summed from its stacks. */
export function partsByCost(profile: Profile): PartColumn[] {
  const columns = partColumns(profile);
  const threads = columns.filter(({ name }) => name.startsWith('thread '));
  const sampled = profile.kind === 'stacks' ? profile.stacks : undefined;
  const costs = profile.parts.map(({ totals, summary }) => (sampled ? 0 : Number(totals?.[0] ?? summary?.[0] ?? 0)));
  sampled?.part.forEach((part, s) => {
    costs[part] += eventValue(profile.events[0], sampled.costs, s);
  });
  const cost = ({ parts }: PartColumn) => [...parts].reduce((sum, i) => sum + costs[i], 0);
  return (threads.length > 0 ? threads : columns).sort((a, b) => cost(b) - cost(a));
}

/** The analysis of a column's parts only, without those that are switched off. */
export const analysisOfColumn = memo((of: Analysis, name: string): Analysis | undefined => {
  const column = partColumns(of.profile).find((c) => c.name === name);
  if (!column) return undefined;
  const off = of.profile.parts.map((_, i) => i).filter((i) => !column.parts.has(i) || of.partsOff.has(i));
  return analyse(of.profile, of.events, new Set(off));
}, 32);

/** The column for self cost plus all calls as recorded, which may exceed the inclusive cost. */
export const RECORDED_COLUMN = 'recorded';

export const PER_CALL_COLUMN = 'perCall';

/** The names of additional columns besides events: parts, threads, recorded sums, and costs per call. */
export const extraColumnNames = ({ profile, totals, costing }: Analysis): string[] => [
  ...partColumns(profile).map((p) => p.name),
  ...(totals.recorded ? [RECORDED_COLUMN] : []),
  ...(costing.can.has('counts') ? [PER_CALL_COLUMN] : []),
];

/** The kinds of columns that the user can add to a table. */
export type ColumnSort = 'events' | 'parts' | 'recorded' | 'perCall';

export function columnKind({ events }: Analysis, name: string): ColumnSort {
  if (events.some((event) => event.name === name)) return 'events';
  return name === RECORDED_COLUMN || name === PER_CALL_COLUMN ? name : 'parts';
}

/** The names of everything that can have its own column. */
export const columnNames = (analysis: Analysis): string[] => [
  ...analysis.events.map((e) => e.name),
  ...extraColumnNames(analysis),
];
