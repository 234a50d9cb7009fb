// Steps in time: build steps, slices of a trace, commands of a log; and the measurements of the host.
import type { Compiles, Rebuilds } from './compiles.ts';
import type { BuildHistory } from './history.ts';
import type { StageSpan } from './stages.ts';
import type { TestResult } from './tests.ts';

// The kinds of steps.

/** The kinds: normal steps; spans that contain others (a whole build); async steps; sums that a tool wrote as events; steps that never ran. */
export const STEP_KINDS = ['step', 'whole', 'async', 'sum', 'unrun'] as const;
export type StepKind = (typeof STEP_KINDS)[number];
export const [STEP_KIND, WHOLE_KIND, ASYNC_KIND, SUM_KIND, UNRUN_KIND] = STEP_KINDS.keys();

// The resolution of a file's clock. Build tools write milliseconds, most traces microseconds, some fractions of them.

const CLOCK_TICKS_US = [1000, 1] as const;
/** The finest resolution: fractions of a microsecond are nanoseconds. */
const FINEST_TICK_US = 0.001;

/**
 * The tolerance for equal times: twice the longest tick that divides all of them (NaN is ignored), since start and duration are both rounded,
 * and again when converted to binary fractions.
 */
export function clockSlackUs(...lists: readonly ArrayLike<number>[]): number {
  let k = 0;
  let largest = 0;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const us = list[i];
      if (Number.isNaN(us)) continue;
      while (k < CLOCK_TICKS_US.length && us % CLOCK_TICKS_US[k] !== 0) k++;
      largest = Math.max(largest, Math.abs(us));
    }
  }
  // A double that holds microseconds since 1970 is only exact to a quarter.
  const tick = k < CLOCK_TICKS_US.length ? CLOCK_TICKS_US[k] : FINEST_TICK_US;
  return 2.001 * Math.max(tick, 2 ** Math.ceil(Math.log2(largest) - 53));
}

/** The names of a step's texts besides its name: first those with few different values, such as targets. */
export const REPEATED_TEXTS = [
  'role',
  // A caveat about the result, if the format records less than one would expect.
  'caveat',
  'target',
  'language',
  'config',
  'directory',
  // Why the compiler's trace may not belong to this step.
  'traceCaveat',
  // The build system's pool, which limits how many of its steps run at once.
  'pool',
  // How a compiler cache served the step: `hit`, `miss`, or the cache's reason for not serving it.
  'cache',
] as const;
export const UNIQUE_TEXTS = [
  // The object that a trace slice worked on; its name tells only the action. Also used as its target.
  'detail',
  'source',
  'command',
  // Other properties of the step that the file records, as JSON.
  'more',
  // The path of a trace that the step's compiler wrote.
  'trace',
  // The lines that the command wrote to its output and error output.
  'messages',
] as const;
/** An error in `messages`: `error:` or `error C2065:`, as compilers write it, and as linkers do. A file called error.c is none. */
export const ERROR_LINE = /\berror(?: [A-Z]{1,4}\d{1,6})?:|undefined reference to/i;
export type TextName = (typeof REPEATED_TEXTS)[number] | (typeof UNIQUE_TEXTS)[number];

/** Facts about a file of steps, which its reader sets. Absent ones are unknown. */
export interface StepFacts {
  /** The time origin in microseconds since 1970; null if unknown. */
  originUs: number | null;
  cores: number | null;
  /** The memory of the host in bytes; null if unknown. */
  memoryBytes: number | null;
  /** Why the dependencies may be wrong or are missing. */
  needsCaveat?: string | undefined;
  /** The first outputs of steps whose dependencies the build system's file does not tell; '' for a step without outputs. */
  unknownNeeds?: readonly string[];
  /** All outputs in the build system's file, relative to its folder. Up-to-date outputs have no step. */
  builds?: readonly string[];
  /** The outputs that were not made because of failed steps; outputs that nothing else needs come first. */
  stopped?: readonly string[];
  /** Whether some roles are only guessed from names of outputs: which of the others link is unknown. */
  guessesRoles?: boolean;
  /** Whether commands are quoted for the shell; else as CMake records them. */
  shellCommands?: boolean;
  /** Whether parts are separate runs: their times are laid end to end, and steps depend only on steps of their part. */
  runs?: boolean;
  /** Parts whose steps are of several runs without order: nobody knows what ran at once. */
  mixedParts?: readonly number[];
  /** Whether the end of every build is recorded: a stage without a step for the whole was interrupted or still ran. */
  endsAreRecorded?: boolean;
  tests?: readonly TestResult[] | undefined;
  /** The kept builds of the build tree, if there are several. */
  history?: BuildHistory | undefined;
}

/**
 * Steps in time, by start: build steps, slices of a trace, commands of a log. Times are microseconds from the origin; NaN for
 * steps without a start. Text columns are string ids, -1 if not recorded. `kind` is an index into STEP_KINDS. Outputs of step i
 * are [outputStart[i], outputStart[i + 1]); their bytes are NaN if unknown.
 */
export interface Steps extends Readonly<StepFacts>, Readonly<Record<TextName, Int32Array>> {
  readonly name: Uint32Array;
  readonly kind: Uint8Array;
  readonly track: Uint32Array;
  readonly part: Uint32Array;
  readonly parent: Int32Array;
  readonly startUs: Float64Array;
  readonly durationUs: Float64Array;
  readonly cpuUs: Float64Array;
  readonly result: Float64Array;
  /** The routine of a slice, named like the slice; -1 for other steps. */
  readonly routine: Int32Array;
  readonly outputStart: Uint32Array;
  readonly outputPath: Uint32Array;
  readonly outputBytes: Float64Array;
  /** Pairs of steps of which the first hands over to the second (flow events). */
  readonly linkFrom: Uint32Array;
  readonly linkTo: Uint32Array;
  /** Dependencies from the build system's file, as pairs: `step` needs `of`. */
  readonly needs?: { readonly step: Uint32Array; readonly of: Uint32Array };
  /** Pairs of steps by target order, in addition to what commands show; only if `needs` is absent. */
  readonly targetNeeds?: { readonly step: Uint32Array; readonly of: Uint32Array };
  /** The steps on the critical path that the build tool recorded, in order; absent if it recorded none. */
  readonly critical?: Uint32Array;
  /** The pools of the build system's file, and how many of their steps can run at once. */
  readonly pools?: readonly { readonly name: string; readonly depth: number }[];
  readonly tracks: readonly Track[];
  /** The tracks whose steps run in parallel. */
  readonly parallel: readonly number[];
  readonly targets: readonly { readonly name: string; readonly type: string | null; readonly labels: readonly string[] }[];
  readonly gauges: readonly Gauge[];
  /** The work of the compilers, if they left traces. */
  readonly compiles?: Compiles;
  /** The costs of changing headers, if the build system records which headers each unit reads. */
  readonly rebuilds?: Rebuilds;
  /** The stages of a recorded build, in order of time; absent if the file does not distinguish them. */
  readonly stages?: readonly StageSpan[];
  /** Set if the build was still running when it was read. */
  readonly live?: RunningBuild;
  /** Set if the steps were cut to a range of time. */
  readonly clip?: TimeClip;
  /** Set for phases of sampled threads, which are not jobs. Their role is their routine. */
  readonly sampled?: true;
}

/** A build that was still running when it was read. Running steps are included, and end at that time. */
export interface RunningBuild {
  /** The time of reading, in microseconds from the origin. */
  readonly atUs: number;
  /** By running step: its row, and its duration in the last kept build, in microseconds (NaN if unknown). */
  readonly running: { readonly step: Uint32Array; readonly beforeUs: Float64Array };
  /** The expected end, by the duration of the last kept build, else by the pace of commands so far; NaN if unknown. */
  readonly expectedEndUs: number;
  /** How many of all commands in the build file have run; absent if an earlier build ran some of them. */
  readonly made?: { readonly done: number; readonly of: number };
  /** Why it is unknown which steps are running. */
  readonly unknown?: string;
}

/** A selected range of a longer timeline. Steps that extend beyond the range are cut. */
export interface TimeClip {
  /** The range in microseconds from the origin; infinite if an end is open. */
  readonly fromUs: number;
  readonly toUs: number;
  readonly of: Steps;
  /** By step: its row in the whole timeline. */
  readonly row: Uint32Array;
}

/** A track: a thread, or something that a tool shows as one. */
export interface Track {
  readonly pid: string;
  readonly tid: string;
  readonly name: string | null;
  readonly processName: string | null;
  readonly sort: number;
  readonly processSort: number;
}

/** A host metric or counter over time: its values, and when each began, in order of time. */
export interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly us: Float64Array;
  readonly value: Float64Array;
}

export interface Timeline {
  readonly kind: 'steps';
  readonly steps: Steps;
}
