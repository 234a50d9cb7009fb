// The common head of all profiles: where it came from, its names, its parts and its events.
import type { Problem } from '../base/problem.ts';
import type { Unit } from '../base/units.ts';
import type { Strings } from './strings.ts';

/** A term of a formula: a factor times a raw cost column, given by its index. */
export type Term = readonly [factor: number, column: number];

/**
 * An event. Its cost is the sum of its terms over the raw cost columns: one column of its own for a recorded event, any
 * number for a derived one. `exact` holds the same sum over columns of 32-bit halves, for events whose counts or totals
 * pass 2^53: value = 2^32 * sum(high terms) + sum(low terms), each half exact.
 */
export interface Event {
  readonly name: string;
  readonly unit: Unit;
  readonly longName?: string;
  /** As the file or the user wrote it; absent for recorded events. */
  readonly formula?: string;
  readonly terms: readonly Term[];
  readonly exact?: { readonly high: readonly Term[]; readonly low: readonly Term[] };
  /** A ratio, like cycles per instruction: the value is sum(terms) / sum(per); percentages make no sense for it. */
  readonly per?: readonly Term[];
  /** The mean cost of a sample. Absent if costs are no sums of samples, or their number is unknown. */
  readonly each?: number;
  /** Samples cost different amounts, of which `each` is the mean. */
  readonly uneven?: true;
  /** With two runs side by side: the event in each, over the run's own columns. */
  readonly pair?: readonly [now: Event, before: Event];
  /** Which of the two runs it shows. Absent: this run. */
  readonly measure?: Measure;
  /** The base of percentages, where that is not the event's own total. */
  readonly whole?: readonly Term[];
}

/** With two runs: this one, the base, the difference of a cost, and its share of the base. */
export const MEASURES = ['delta', 'now', 'before', 'percent'] as const;
export type Measure = (typeof MEASURES)[number];

/** A dump, thread or process, which can be switched on and off. `summary` and `totals` go by `events`, as the file states them. */
export interface Part {
  readonly path: string;
  readonly part: number | null;
  readonly thread: number | null;
  readonly pid: number | null;
  readonly command: string | null;
  readonly notes: readonly string[];
  readonly events: readonly string[];
  readonly positions: readonly string[];
  readonly summary: readonly (number | bigint)[] | null;
  readonly totals: readonly (number | bigint)[] | null;
  /** A later run has replaced it, or another moment counts: off when the screen opens. */
  readonly older?: boolean;
}

export interface Files {
  readonly name: Uint32Array;
}

export interface Objects {
  readonly name: Uint32Array;
}

/** A routine is identified by name, file and object; file and object are -1 if unknown. Namesakes have a line, too: lambdas of a file. */
export interface Routines {
  readonly name: Uint32Array;
  readonly file: Int32Array;
  readonly object: Int32Array;
  /** Where a routine starts that has namesakes; 0 for the others. Absent if there are no such routines. */
  readonly line?: Uint32Array;
  /** In the graph of nodes (profile.ts), the name of the recorded routine that a function is inlined into; -1 for recorded ones. */
  readonly within?: Int32Array;
}

/** Tables and facts that decide which views a profile has, and what its columns can show. */
export type Question =
  | 'routines'
  | 'lines'
  | 'calls'
  /** The tree of calls, or of processes, with costs. */
  | 'trees'
  | 'instrs'
  | 'jumps'
  | 'inputs'
  | 'contexts'
  | 'steps'
  /** The work of the compilers of a build. */
  | 'compiles'
  /** The units that are compiled again when a header changes. */
  | 'rebuilds'
  /** How long steps took in the builds that were kept. */
  | 'history'
  /** Results of a test runner. */
  | 'tests'
  | 'processes'
  /** The self cost, inclusive cost and calls of a routine. */
  | 'self'
  | 'inclusive'
  | 'counts'
  /** Whole stacks were sampled: a line's inclusive cost is counted, not summed from calls. */
  | 'stacks'
  /** Samples have labels. */
  | 'labels'
  /** It is known when the samples were taken. */
  | 'times'
  /** The memory at moments of the run. */
  | 'snapshots';

/** The time when a profile was recorded, in nanoseconds since 1970, and its duration; 0 if unknown. */
export interface Taken {
  readonly atNs: bigint;
  readonly forNs: bigint;
}

export interface Head {
  readonly format: string;
  readonly paths: readonly string[];
  readonly command: string | null;
  readonly creator: string | null;
  readonly strings: Strings;
  readonly events: readonly Event[];
  /** Number of raw cost columns in every costs table. */
  readonly columns: number;
  readonly parts: readonly Part[];
  readonly files: Files;
  readonly objects: Objects;
  /** Routines of processes are their programs, not code. Build steps have none. */
  readonly routines: Routines;
  /** The kind of rows in `routines` if not routines: lines, addresses, files or objects. */
  readonly granularity?: string;
  /** By routine, where those with lines in several files are split by file: the routine that each is of. */
  readonly wholes?: Uint32Array;
  /** The first file's, if there are several. Absent if no file records it. */
  readonly taken?: Taken;
  /** Facts about how the file was read, for Info. */
  readonly notes?: readonly string[];
  /** Tables that the format supports but this file lacks, and the tool's option that records them. */
  readonly lacks?: readonly { readonly table: Question; readonly option?: string }[];
  readonly warnings: readonly Problem[];
  /** Set if the file ends too early or lines of it were skipped: only the intact part is shown. */
  readonly cut?: Problem;
}
