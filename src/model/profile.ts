// A profile: a head and the tables of one of five kinds, which `kind` distinguishes.
import type { CallGraph } from './callgraph/tables.ts';
import type { Inlines } from './code-frames.ts';
import type { Head } from './head.ts';
import type { InputCosts } from './inputs/tables.ts';
import type { ProcessTrace } from './processes/tables.ts';
import type { StackSamples } from './stacks/tables.ts';
import type { Timeline } from './steps/tables.ts';

interface Profiles {
  readonly callgraph: ProfileHead<'callgraph'> & CallGraph & MayInline;
  readonly stacks: ProfileHead<'stacks'> & StackSamples;
  readonly inputs: ProfileHead<'inputs'> & InputCosts;
  readonly steps: ProfileHead<'steps'> & Timeline;
  readonly processes: ProfileHead<'processes'> & ProcessTrace;
}

interface ProfileHead<K extends keyof Profiles> extends Head {
  /** Set if the profile compares two runs. */
  readonly compared?: Compared<K>;
  /** Set if transforms selected a part of the profile. */
  readonly transformed?: Transformed;
}

interface MayInline {
  /** The functions at the addresses of its objects, if debug information was read. */
  readonly inlines?: Inlines;
  /**
   * Set if a routine stands for several nodes of a graph, which separate what an inlined function does at different call sites.
   */
  readonly nodes?: NodeGraph;
}

/** A graph in which each node is a routine. Its rows are those of the profile. */
export interface NodeGraph {
  readonly graph: ProfileOf<'callgraph'>;
  /** By node: its routine in the profile. */
  readonly routineOf: Uint32Array;
  /** Set if nodes are unnamed code that a comparison merged into one routine, not inlined functions. */
  readonly nameless?: true;
}

export interface Transformed {
  /** The profile before the transforms, which percentages refer to. It has the same raw cost columns. */
  readonly from: Profile;
  /** Descriptions of the transforms, in order. */
  readonly applied: readonly string[];
}

/** How a routine was matched between the runs. `none`: it is new or removed. */
export const MATCH_KINDS = ['same', 'paths', 'renamed', 'name', 'clone', 'no symbols', 'none'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/**
 * Two runs side by side. Rows of both name the files, objects and routines of the same tables, which are those of the profile. Raw cost
 * columns are those of this run, those of the base, and one with the base's counts of calls: the profile's `columns` is their number.
 */
export interface Compared<K extends keyof Profiles> {
  readonly now: Profiles[K];
  /** The base, with its own strings. */
  readonly before: Profiles[K];
  /** By routine: how it was matched, as an index into MATCH_KINDS. */
  readonly match: Uint8Array;
  /** By routine, file and object: 1 if only this run has it, 2 if only the base has it, 3 if both have. */
  readonly routineSides: Uint8Array;
  readonly fileSides: Uint8Array;
  /** Names of events that only one of the runs measures. */
  readonly onlyNow: readonly string[];
  readonly onlyBefore: readonly string[];
  /** Whether costs of the base are scaled so that both runs have equal totals. */
  readonly normalize: boolean;
  /** Costs of an unknown kind are sample counts, because the user said so. */
  readonly samples?: true;
  /** Renames that were applied without being asked for, as `old → new (why)`. */
  readonly appliedRenames?: readonly string[];
  /** Statistics of the base, if it consists of several runs. */
  readonly runs?: BaseRuns;
}

export const RUN_STATISTICS = ['median', 'min', 'mean'] as const;

/** Several runs of one program, represented by one of them or by their mean. */
export interface BaseRuns {
  readonly count: number;
  readonly how: (typeof RUN_STATISTICS)[number];
  /** The factor for costs and call counts. A mean is stored as the sum of all runs, so its factor is 1 / count; otherwise 1. */
  readonly scale: number;
  /** By event: the smallest and largest total of all runs. */
  readonly spread: ReadonlyMap<string, readonly [least: number, most: number]>;
  /** By event: its variation; absent for events that were not measured. */
  readonly variation?: ReadonlyMap<string, Variation>;
}

/** How far several runs of one program vary. */
export interface Variation {
  readonly mean: number;
  readonly variance: number;
  /** By the logarithm of self cost: the mean relative variance of routines, and their number. */
  readonly routines: readonly { readonly relative: number; readonly routines: number }[];
}

export type Kind = keyof Profiles;
export type ProfileOf<K extends Kind> = Profiles[K];
export type Profile = ProfileOf<Kind>;
export type ProfileTables = CallGraph | StackSamples | InputCosts | Timeline | ProcessTrace;
