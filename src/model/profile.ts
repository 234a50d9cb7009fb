// A profile: a head and the tables of one of five kinds, told apart by `kind`.
import type { CallGraph } from './callgraph/tables.ts';
import type { Inlines } from './code-frames.ts';
import type { Head } from './head.ts';
import type { InputCosts } from './inputs/tables.ts';
import type { ProcessTrace } from './processes/tables.ts';
import type { StackSamples } from './stacks/tables.ts';
import type { Timeline } from './steps/tables.ts';

/** The profile of each kind. */
interface Profiles {
  readonly callgraph: Head & CallGraph & MayCompare<'callgraph'> & MayTransform & MayInline;
  readonly stacks: Head & StackSamples & MayCompare<'stacks'> & MayTransform;
  readonly inputs: Head & InputCosts & MayCompare<'inputs'> & MayTransform;
  readonly steps: Head & Timeline & MayCompare<'steps'> & MayTransform;
  readonly processes: Head & ProcessTrace & MayCompare<'processes'> & MayTransform;
}

interface MayCompare<K extends keyof Profiles> {
  /** Set if the profile is two runs side by side. */
  readonly compared?: Compared<K>;
}

interface MayInline {
  /** The functions at the addresses of its objects, once debug information was asked for them. */
  readonly inlines?: Inlines;
  /**
   * Set if a routine stands for several nodes of a graph, which separate what an inlined function does at different call sites.
   */
  readonly nodes?: Nodes;
}

/** The graph in which each node is a routine of its own. Its rows are those of the profile. */
export interface Nodes {
  readonly graph: ProfileOf<'callgraph'>;
  /** By node: the routine of the profile. */
  readonly routineOf: Uint32Array;
  /** The nodes are unnamed code that a comparison merged into one routine, not inlined functions. */
  readonly nameless?: true;
}

interface MayTransform {
  /** Set if transforms chose what of a profile counts. */
  readonly transformed?: Transformed;
}

/** The effect of transforms on a profile. */
export interface Transformed {
  /** The profile without them, which percentages stay shares of. Its raw cost columns are the same. */
  readonly from: Profile;
  /** The transforms in words, in their order. */
  readonly applied: readonly string[];
  /** In a call graph, shares of costs that several callers have; absent if everything is exact. */
  readonly estimated?: Estimated;
}

/** 1 where a cost is an estimate: by routine its self and inclusive cost, by row of `calls` the cost of the call. */
export interface Estimated {
  readonly self: Uint8Array;
  readonly inclusive: Uint8Array;
  readonly calls: Uint8Array;
}

/** How a routine was matched between the runs; `none` is new or removed. */
export const MATCHES = ['same', 'paths', 'renamed', 'name', 'clone', 'no symbols', 'none'] as const;
export type Match = (typeof MATCHES)[number];

/**
 * Two runs side by side. Rows of both name the files, objects and routines of the same tables, which are those of the profile. Raw cost
 * columns are those of this run, those of the base, and one with the base's counts of calls: the profile's `columns` is their number.
 */
export interface Compared<K extends keyof Profiles> {
  /** This run. */
  readonly now: Profiles[K];
  /** The base, with its own strings. */
  readonly before: Profiles[K];
  /** By routine: index into MATCHES. */
  readonly match: Uint8Array;
  /** By routine, file and object: 1 if this run has it, 2 if the base has it, 3 if both have. */
  readonly routineSides: Uint8Array;
  readonly fileSides: Uint8Array;
  /** Events that only one of the runs measures. */
  readonly onlyNow: readonly string[];
  readonly onlyBefore: readonly string[];
  /** Costs of the base are scaled so that both have equal totals. */
  readonly normalize: boolean;
  /** Costs of unknown kind are sample counts, because the user said so. */
  readonly samples?: true;
  /** The representative of several runs in the base. */
  readonly runs?: Runs;
}

export const RUNS = ['median', 'min', 'mean'] as const;

/** Several runs of one program, represented by one of them or by their mean. */
export interface Runs {
  readonly count: number;
  readonly how: (typeof RUNS)[number];
  /** The factor of costs and counts of calls: the profile of the mean is the sum of all runs. 1 for a single run. */
  readonly scale: number;
  /** By event: the smallest and largest total of a run. */
  readonly spread: ReadonlyMap<string, readonly [least: number, most: number]>;
  /** By event; absent where it was not measured. */
  readonly variation?: ReadonlyMap<string, Variation>;
}

/** How far several runs of one program vary. */
export interface Variation {
  /** The totals' mean and variance. */
  readonly mean: number;
  readonly variance: number;
  /** By the logarithm of a routine's self cost: the mean of the relative variances, and of how many routines. */
  readonly routines: readonly { readonly relative: number; readonly routines: number }[];
}

export type Kind = keyof Profiles;
export type ProfileOf<K extends Kind> = Profiles[K];
export type Profile = ProfileOf<Kind>;
export type Tables = CallGraph | StackSamples | InputCosts | Timeline | ProcessTrace;
