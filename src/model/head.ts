// What every profile has, whatever its kind: where it came from, its names, its parts and its events.
import type { Problem } from '../base/problem.ts';
import type { Unit } from '../base/units.ts';
import type { Strings } from './strings.ts';

/** A term of a formula: factor times the raw cost column of that number. */
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
  /** A ratio, like cycles per instruction: the value is sum(terms) / sum(per); it has no share of a whole. */
  readonly per?: readonly Term[];
}

/** A dump, a thread, a process: what can be switched on and off. Costs are by event name, as the file states them. */
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
}

export interface Files {
  readonly name: Uint32Array;
}

export interface Objects {
  readonly name: Uint32Array;
}

/** A routine is its name, file and object; file and object are -1 where the profile does not say. */
export interface Routines {
  readonly name: Uint32Array;
  readonly file: Int32Array;
  readonly object: Int32Array;
}

/** Tables and facts that decide which views a profile has, and what its columns can say. */
export type Question =
  | 'routines'
  | 'lines'
  | 'calls'
  | 'instrs'
  | 'jumps'
  | 'inputs'
  | 'contexts'
  | 'steps'
  | 'processes'
  /** What a routine costs by itself, what it costs with its callees, and how often it was called. */
  | 'self'
  | 'inclusive'
  | 'counts'
  /** Whole stacks were sampled: what a line costs with its callees is counted, not summed from calls. */
  | 'stacks';

/** A profile is a head and the tables of one kind. Plain data, read-only after load, so that it crosses to another thread by transfer. */
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
  /** Build steps and processes have none. */
  readonly routines: Routines;
  /** What its routines are, where they are something else: lines, addresses, files, objects. */
  readonly grain?: string;
  /** Facts about how it was read, for Info. */
  readonly notes?: readonly string[];
  /** Tables that the format can give and this file does not have, and the option with which its tool records them. */
  readonly lacks?: readonly { readonly table: Question; readonly option?: string }[];
  readonly warnings: readonly Problem[];
  /** Set where the file ends too early, or where lines of it were left out: what is shown is what was whole. */
  readonly cut?: Problem;
}
