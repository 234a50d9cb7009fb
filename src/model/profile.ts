// A profile: a head and the tables of one of five kinds, which `kind` distinguishes. Each kind is mapped to the code for its tables: no
// other file in the model switches on the kind.
import { type CallGraph, checkCallGraph } from './callgraph/tables.ts';
import type { Inlines } from './code-frames.ts';
import type { Head, Question } from './head.ts';
import { checkInputs, type InputCosts } from './inputs/tables.ts';
import type { Invariants } from './invariants.ts';
import { checkProcesses, type ProcessTrace } from './processes/tables.ts';
import { KERNEL_OBJECT } from './stacks/samples.ts';
import { checkStacks, type StackSamples } from './stacks/tables.ts';
import { checkSteps } from './steps/check.ts';
import type { Timeline } from './steps/tables.ts';
import { stringAt } from './strings.ts';

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

export const questionsOf = (profile: Profile): ReadonlySet<Question> => new Set(tablesOf(profile).questions);

export function tablesOf(profile: Profile): { readonly questions: readonly Question[]; check(to: Invariants): void } {
  switch (profile.kind) {
    case 'callgraph':
      return { questions: callGraphQuestions(profile), check: (to) => checkCallGraph(profile, to) };
    case 'stacks':
      return { questions: stackQuestions(profile), check: (to) => checkStacks(profile, to) };
    case 'inputs':
      return { questions: inputQuestions(profile), check: (to) => checkInputs(profile, to) };
    case 'steps':
      return { questions: stepQuestions(profile), check: (to) => checkSteps(profile, to) };
    case 'processes':
      return { questions: ['processes', 'commands', 'self', 'trees'], check: (to) => checkProcesses(profile, to) };
  }
}

/** The rows with the source file of a routine's code; undefined for kinds without such rows. */
export const codeRowsOf = (profile: Profile): { readonly routine: Uint32Array; readonly file: Int32Array } | undefined =>
  profile.kind === 'callgraph' ? profile.spans : profile.kind === 'stacks' ? profile.frames : undefined;

function callGraphQuestions({ lines, calls, jumps }: CallGraph): Question[] {
  const out: Question[] = ['routines', 'lines', 'self'];
  if (calls) out.push('calls', 'trees', 'inclusive', 'counts');
  if (lines.address) out.push('instrs');
  if (jumps) out.push('jumps');
  return out;
}

/** Whether some stacks have frames of the kernel; they may begin with a command (part-labels.ts). */
export const hasKernel = ({ objects, strings }: Pick<Head, 'objects' | 'strings'>): boolean =>
  objects.name.some((name) => stringAt(strings, name) === KERNEL_OBJECT);

/** The questions that sampled stacks can answer. Addresses without debug information have rows, but no line numbers. */
function stackQuestions(profile: Head & StackSamples): Question[] {
  const out: Question[] = ['routines', 'calls', 'trees', 'inclusive', 'self', 'stacks', 'samples'];
  if (profile.files.name.length > 0) out.push('lines');
  if (profile.lines.address) out.push('instrs');
  if (profile.labels || hasKernel(profile) || profile.parts.some(({ thread }) => thread !== null)) out.push('labels');
  for (const table of ['times', 'snapshots'] as const) if (profile[table]) out.push(table);
  return out;
}

function inputQuestions({ inputs, contexts }: InputCosts): Question[] {
  const out: Question[] = ['routines', 'inputs', 'inclusive', 'counts'];
  if (contexts) out.push('contexts', 'calls', 'trees');
  // The oldest reports record no self cost.
  if (inputs.selfSum) out.push('self');
  return out;
}

/** The questions that steps can answer. Only traces have routines: the names of slices, which call nested slices. */
function stepQuestions({ routines, steps }: Head & Timeline): Question[] {
  const out: Question[] = ['steps', 'inclusive', 'counts', 'self'];
  for (const table of ['compiles', 'rebuilds', 'history', 'tests'] as const) if (steps[table]) out.push(table);
  if (steps.command.some((command) => command >= 0)) out.push('commands');
  if (routines.name.length > 0) out.push('routines', 'calls', 'trees');
  return out;
}

/** A routine identified by name, independent of its number. */
export interface NamedRoutine {
  readonly routine: string;
  readonly file: string | null;
  readonly object: string | null;
}

/** A user's note or mark on a routine: a row of the notes file. */
export interface KeptNote extends NamedRoutine {
  /** The text of the note; '' for a routine that is only marked. */
  readonly note: string;
  /** A letter or a digit. */
  readonly mark?: string;
}
