// The description of a flag.

import { UsageError } from '../base/errors.ts';
import { suggestionFor } from '../base/match.ts';
import { textOf } from '../formats/shared/json.ts';

/** Flag groups with their headings, in the order of --help. */
export const FLAG_GROUPS = {
  print: 'Print instead of opening the screen',
  shown: 'Display',
  counts: 'Focus and filters (stacks, calls, trace slices)',
  compare: 'Comparing with another run',
  places: 'Binaries and sources',
  session: 'Reading and the screen',
  about: 'About',
} as const;

/** How shells complete a value: with files, folders, or a list of names. */
export type Completion = 'file' | 'folder' | 'view' | 'column' | 'format' | readonly string[];

export type FlagValue = string | number | boolean | readonly string[];

/** Optional properties of a flag. */
interface FlagExtras {
  /** The letter of the short form, typed after one dash. */
  readonly short?: string;
  readonly completes?: Completion;
  /** Only for --print; refused if the screen opens. */
  readonly printed?: boolean;
  /** Only for the screen; refused if no screen opens. */
  readonly screen?: boolean;
}

export interface FlagSpec extends FlagExtras {
  /** The name as typed, without the two dashes. */
  readonly name: string;
  /** The name of the option: `pathMap` for `path-map`. */
  readonly key: string;
  /** The views of --print that use the flag; the others refuse it. Absent: all, or they refuse it themselves. */
  readonly views?: readonly string[] | undefined;
  readonly read: (value: FlagValue | undefined, name: string) => unknown;
  readonly type: 'string' | 'boolean' | 'number';
  readonly arg?: string;
  readonly many?: boolean;
  readonly group: keyof typeof FLAG_GROUPS;
  readonly help: string;
}

/** A flag and the type of its value. `read` throws UsageError for an invalid value. */
export interface Flag<V> extends Omit<FlagSpec, 'name' | 'key' | 'views' | 'group'> {
  readonly read: (value: FlagValue | undefined, name: string) => V;
  mapValue<W>(made: (value: V, name: string) => W): Flag<W>;
  /** The flag with this value if it is not given. */
  or(usual: NonNullable<V>): Flag<NonNullable<V>>;
}

const makeFlag = <V>(head: Omit<FlagSpec, 'name' | 'key' | 'views' | 'read' | 'group'>, read: Flag<V>['read']): Flag<V> => ({
  ...head,
  read,
  mapValue: (made) => makeFlag(head, (value, name) => made(read(value, name), name)),
  or: (usual) => makeFlag(head, (value, name) => read(value, name) ?? usual),
});

export const booleanFlag = (help: string, more: FlagExtras = {}) =>
  makeFlag({ ...more, type: 'boolean', help }, (value) => value === true);
export const textFlag = (arg: string, help: string, more: FlagExtras = {}) =>
  makeFlag({ ...more, type: 'string', arg, help }, textOf);
export const numberFlag = (arg: string, help: string, more: FlagExtras = {}) =>
  makeFlag({ ...more, type: 'number', arg, help }, (value) => (typeof value === 'number' ? value : undefined));
export const repeatableFlag = (arg: string, help: string, completes?: Completion) =>
  makeFlag({ type: 'string', arg, many: true, help, ...(completes ? { completes } : {}) }, (value): readonly string[] =>
    typeof value === 'object' ? value : [],
  );

/** A flag that takes one of `words`. */
export const choiceFlag = <const T extends string>(arg: string, help: string, words: readonly T[], more: FlagExtras = {}) =>
  textFlag(arg, help, { ...more, completes: words }).mapValue((given, name) => {
    if (given === undefined) return undefined;
    const found = words.find((word) => word === given);
    if (found === undefined) throw new UsageError(`--${name} ${given}: takes ${words.join(', ')}${suggestionFor(given, words)}`);
    return found;
  });

type FlagsInGroup<F> = { readonly [N in keyof F]: F[N] & Pick<FlagSpec, 'group' | 'printed' | 'screen'> };

/** Adds the group name, and the properties `more`, to each of the flags. */
export const flagsOfGroup = <F extends Record<string, Flag<unknown>>>(
  [group, more]: readonly [FlagSpec['group'], FlagExtras?],
  flags: F,
): FlagsInGroup<F> =>
  Object.fromEntries(Object.entries(flags).map(([name, one]) => [name, { ...one, ...more, group }])) as FlagsInGroup<F>;
