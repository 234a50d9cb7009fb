// Steps in time: build steps, slices of a trace, commands of a log, and what was measured on the host meanwhile.
import type { Compiles } from './compiles.ts';
import type { BuildHistory } from './history.ts';
import type { Rebuilds } from './rebuilds.ts';
import type { StageSpan } from './stages.ts';
import type { TestResult } from './tests.ts';

// The kinds of steps.

/** Real ones; spans that contain others (a whole build); async ones; sums that a tool wrote as events. */
export const KINDS = ['step', 'whole', 'async', 'sum'] as const;
export type StepKind = (typeof KINDS)[number];

// The resolution of a file's clock: build tools write milliseconds, most traces microseconds, some fractions of one.

const TICKS_US = [1000, 1] as const;
/** Fractions are nanoseconds. */
const FINEST_US = 0.001;

/** The longest tick in microseconds that divides all times. Ignores NaN. */
function tickUs(...lists: readonly ArrayLike<number>[]): number {
  let k = 0;
  let largest = 0;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const us = list[i];
      if (Number.isNaN(us)) continue;
      while (k < TICKS_US.length && us % TICKS_US[k] !== 0) k++;
      largest = Math.max(largest, Math.abs(us));
    }
  }
  // A double since 1970 in microseconds has quarters left.
  return Math.max(k < TICKS_US.length ? TICKS_US[k] : FINEST_US, 2 ** Math.ceil(Math.log2(largest) - 53));
}

/** Times closer than this count as equal: start and duration are both rounded, and decimal fractions once more to binary ones. */
export function slackOf(...lists: readonly ArrayLike<number>[]): number {
  return 2.001 * tickUs(...lists);
}

/**
 * Steps in time, by start: build steps, slices of a trace, commands of a log. Times are microseconds from the origin; NaN for
 * what never ran. Text columns are string ids, -1 if the file does not say. `kind` is an index into KINDS (kinds.ts).
 * Outputs of step i are [outputStart[i], outputStart[i + 1]); their bytes are NaN if unknown.
 */
export interface Steps {
  readonly name: Uint32Array;
  readonly role: Int32Array;
  readonly kind: Uint8Array;
  readonly track: Uint32Array;
  readonly part: Uint32Array;
  readonly parent: Int32Array;
  readonly startUs: Float64Array;
  readonly durationUs: Float64Array;
  readonly cpuUs: Float64Array;
  readonly result: Float64Array;
  /** A caveat about the result, if the format records less than it seems to. */
  readonly caveat: Int32Array;
  readonly target: Int32Array;
  /** The subject of a slice of a trace: its name says only what was done. Also its target. */
  readonly detail: Int32Array;
  readonly source: Int32Array;
  readonly language: Int32Array;
  readonly config: Int32Array;
  readonly command: Int32Array;
  readonly directory: Int32Array;
  /** The pool that limits how many of its steps run at once, by the build system's file. */
  readonly pool: Int32Array;
  /** How a compiler cache served it: `hit`, `miss`, or the cache's word for the reason why it could not. */
  readonly cache: Int32Array;
  /** Other properties that the file records about the step, as JSON. */
  readonly more: Int32Array;
  /** Path of a trace that its compiler wrote. */
  readonly trace: Int32Array;
  /** Why that trace may not be of this step. */
  readonly traceCaveat: Int32Array;
  /** The routine of a slice: its name; -1 for other steps. */
  readonly routine: Int32Array;
  readonly outputStart: Uint32Array;
  readonly outputPath: Uint32Array;
  readonly outputBytes: Float64Array;
  /** Pairs of steps where one hands over to the other, if the file records it (flow events). */
  readonly linkFrom: Uint32Array;
  readonly linkTo: Uint32Array;
  /** Dependencies by the build system's own file, in pairs: `step` needs `of`. */
  readonly needs?: { readonly step: Uint32Array; readonly of: Uint32Array };
  /** Pairs of steps by target order, in addition to what commands show; only if `needs` is absent. */
  readonly targetNeeds?: { readonly step: Uint32Array; readonly of: Uint32Array };
  /** The steps on the critical path that the build tool recorded, in order; absent where it recorded none. */
  readonly critical?: Uint32Array;
  /** Why these dependencies may be wrong, or are missing. */
  readonly needsCaveat?: string;
  /** Pools of the build system's file, and how many of their steps can run at once. */
  readonly pools?: readonly { readonly name: string; readonly depth: number }[];
  /** The outputs of the build system's file, relative to its folder: also what was up to date, and so has no step. */
  readonly builds?: readonly string[];
  /** The outputs that failed steps have kept from being made, those that nothing else needs first. */
  readonly stopped?: readonly string[];
  /** The parts are runs of their own: their times are laid end to end, and a step needs only steps of its part. */
  readonly runs?: boolean;
  readonly tracks: readonly Track[];
  /** Tracks whose steps run in parallel. */
  readonly parallel: readonly number[];
  readonly targets: readonly { readonly name: string; readonly type: string | null; readonly labels: readonly string[] }[];
  readonly gauges: readonly Gauge[];
  readonly marks: readonly Mark[];
  /** Time 0 in microseconds since 1970; null if unknown. */
  readonly originUs: number | null;
  readonly cores: number | null;
  /** Memory of the host; null if unknown. */
  readonly memoryBytes: number | null;
  /** The work of the compilers, where they left traces. */
  readonly compiles?: Compiles;
  /** The costs of changing a header, where the build system keeps what compilers have read. */
  readonly rebuilds?: Rebuilds;
  /** The stages of a recorded build, in order of time; absent where the file does not tell them apart. */
  readonly stages?: readonly StageSpan[];
  /** The end of every build is recorded: a stage without a step of the whole was interrupted, or still ran. */
  readonly endsAreRecorded?: boolean;
  /** Results of a test runner. */
  readonly tests?: readonly TestResult[];
  /** The kept builds of the tree, where there are several. */
  readonly history?: BuildHistory;
  /** Set if the build was running when this was read. */
  readonly live?: Live;
  /** Set if these are the steps of a range of time. */
  readonly clip?: Clip;
  /** Set for phases of sampled threads. They are no jobs, and their role is their routine. */
  readonly sampled?: true;
}

/** A build that was running when it was read. Steps that run are among the others, up to then. */
export interface Live {
  /** The time of reading, in microseconds from the origin. */
  readonly atUs: number;
  /** By running step: its row, and its duration in the last kept build in microseconds; NaN if unknown. */
  readonly running: { readonly step: Uint32Array; readonly beforeUs: Float64Array };
  /** When it would end if it took as long as the last kept build, else if its other commands took as long as those before; NaN if neither is known. */
  readonly expectedEndUs: number;
  /** How many of the commands that the build file has for all targets have run; absent where an earlier build made some. */
  readonly made?: { readonly done: number; readonly of: number };
  /** Why the running steps are unknown. */
  readonly unknown?: string;
}

/** A range of time that was chosen of a longer timeline. Steps that reach beyond it are cut, and so are their times. */
export interface Clip {
  /** Microseconds from the origin; infinite where the range is open. */
  readonly fromUs: number;
  readonly toUs: number;
  /** The steps of the whole timeline. */
  readonly of: Steps;
  /** By step: its row in them. */
  readonly row: Uint32Array;
}

/** A thread, or what a tool shows as one. */
export interface Track {
  readonly pid: string;
  readonly tid: string;
  readonly name: string | null;
  readonly processName: string | null;
  readonly sort: number;
  readonly processSort: number;
}

/** A host metric or counter over time: its values, and when each began to hold, in order of time. */
export interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly us: Float64Array;
  readonly value: Float64Array;
}

export interface Mark {
  readonly name: string;
  readonly track: number;
  readonly us: number;
}

export interface Timeline {
  readonly kind: 'steps';
  readonly steps: Steps;
}
