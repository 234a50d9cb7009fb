// The description of a flag.
import { UsageError } from '../base/errors.ts';

/** Headings of --help, in its order. */
export const GROUPS = {
  print: 'Print instead of opening the screen',
  shown: 'Display',
  counts: 'Focus and filters (stacks, calls, trace slices)',
  compare: 'Comparing with another run',
  places: 'Binaries and sources',
  session: 'Reading and the screen',
  about: 'About',
} as const;

/** The completions of a value: paths, folders, or names that the program knows. */
export type Completes = 'file' | 'folder' | 'view' | 'column' | 'format' | readonly string[];

/** The typed value of a flag. */
export type Value = string | number | boolean | readonly string[];

/** Properties of few flags. */
interface More {
  /** Its letter, typed after one dash. */
  readonly short?: string;
  readonly completes?: Completes;
  /** It is about what --print writes, and refused where the screen opens. */
  readonly printed?: boolean;
  /** It is about the screen, and refused where none opens. */
  readonly screen?: boolean;
}

export interface FlagSpec extends More {
  /** As it is typed, without the two dashes. */
  readonly name: string;
  /** The name of the option that it gives: `path-map` is `pathMap`. */
  readonly key: string;
  readonly read: (value: Value | undefined, name: string) => unknown;
  readonly type: 'string' | 'boolean' | 'number';
  readonly arg?: string;
  readonly many?: boolean;
  readonly group: keyof typeof GROUPS;
  readonly help: string;
}

/** A flag and the option that it gives; `read` throws UsageError for a value that is none. */
export interface Flag<V> extends Omit<FlagSpec, 'name' | 'key' | 'group'> {
  readonly read: (value: Value | undefined, name: string) => V;
  as<W>(made: (value: V, name: string) => W): Flag<W>;
}

function flag<V>(head: Omit<FlagSpec, 'name' | 'key' | 'read' | 'group'>, read: Flag<V>['read']): Flag<V> {
  return { ...head, read, as: (made) => flag(head, (value, name) => made(read(value, name), name)) };
}

const textIn = (value: Value | undefined) => (typeof value === 'string' ? value : undefined);

export const is = (help: string, more: More = {}) => flag({ ...more, type: 'boolean', help }, (value) => value === true);
export const text = (arg: string, help: string, more: More = {}) => flag({ ...more, type: 'string', arg, help }, textIn);
export const number = (arg: string, help: string) =>
  flag({ type: 'number', arg, help }, (value) => (typeof value === 'number' ? value : undefined));
export const many = (arg: string, help: string, completes?: Completes) =>
  flag({ type: 'string', arg, many: true, help, ...(completes ? { completes } : {}) }, (value): readonly string[] =>
    typeof value === 'object' ? value : [],
  );

/** One of some words. */
export const choice = <T extends string, U extends T | undefined>(arg: string, help: string, words: readonly T[], usual: U) =>
  text(arg, help, { completes: words }).as((given, name): T | U => {
    if (given === undefined) return usual;
    const found = words.find((word) => word === given);
    if (found === undefined) throw new UsageError(`--${name} ${given}: takes ${words.join(', ')}`);
    return found;
  });

type Grouped<F> = { readonly [N in keyof F]: F[N] & Pick<FlagSpec, 'group' | 'printed' | 'screen'> };

/** Flags of a group. */
export const of = <F extends Record<string, Flag<unknown>>>(group: FlagSpec['group'], flags: F, more: More = {}): Grouped<F> =>
  Object.fromEntries(Object.entries(flags).map(([name, one]) => [name, { ...one, ...more, group }])) as Grouped<F>;
