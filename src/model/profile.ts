// The profile at rest: plain tables, read-only after load, so that it crosses to another thread by transfer.
// What a format does not give is absent, never empty.
import type { Problem } from '../base/problem.ts';
import type { Unit } from '../base/units.ts';
import type { Costs } from './column.ts';
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

/**
 * A span: neighbouring rows of one routine, source file and part. Inlined code makes spans of a routine with other files.
 * Line rows of span s are [start[s], start[s + 1]); calls and jumps name their span.
 * `high` is the upper half of every address of the span.
 */
export interface Spans {
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly part: Uint32Array;
  readonly high: Uint32Array;
  readonly start: Uint32Array;
}

/** Self cost as the file has it, unmerged and in its order: a row a cost line. Line 0 is unknown. */
export interface Lines {
  readonly line: Uint32Array;
  readonly address?: Uint32Array;
  readonly costs: Costs;
}

/** Calls, a row as the file has it; costs are inclusive. count may be 0: counted in an earlier part, or unknown. */
export interface Calls {
  readonly span: Uint32Array;
  readonly callee: Uint32Array;
  readonly line: Uint32Array;
  readonly address?: Uint32Array;
  readonly targetLine: Uint32Array;
  readonly count: Uint32Array | Float64Array;
  readonly costs: Costs;
}

/**
 * Jumps within or between routines; `executed` is taken + fallen through, the same as `taken` for unconditional ones.
 * targetRoutine is absent where none leaves its routine (-1: this one does not); targetHigh where all targets have the upper half of
 * their span.
 */
export interface Jumps {
  readonly span: Uint32Array;
  readonly line: Uint32Array;
  readonly address?: Uint32Array;
  readonly targetFile: Int32Array;
  readonly targetRoutine?: Int32Array;
  readonly targetLine: Uint32Array;
  readonly targetHigh?: Uint32Array;
  readonly targetAddress?: Uint32Array;
  readonly conditional: Uint8Array;
  readonly taken: Uint32Array | Float64Array;
  readonly executed: Uint32Array | Float64Array;
}

/**
 * A code address of sampled stacks: where it was in memory, the object that was mapped there (-1 none is known), and its
 * address in that object's file where the file was read, else the one in memory again. `named`: a symbol is known for it.
 */
export interface Places {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly object: Int32Array;
  readonly ownHigh: Uint32Array;
  readonly ownLow: Uint32Array;
  readonly named: Uint8Array;
}

/** A function at a place. Calls that were inlined make several of one place. */
export interface Frames {
  readonly place: Uint32Array;
  readonly routine: Uint32Array;
  readonly file: Int32Array;
  readonly line: Uint32Array;
}

/** Sampled stacks: frames of stack s are frame[start[s]] .. frame[start[s + 1] - 1], the innermost first. */
export interface Stacks {
  readonly start: Uint32Array;
  readonly frame: Uint32Array;
  readonly part: Uint32Array;
  readonly costs: Costs;
}

export type InputField =
  | 'calls'
  | 'min'
  | 'max'
  | 'sum'
  | 'sumSquares'
  | 'real'
  | 'selfSum'
  | 'selfMin'
  | 'selfMax'
  | 'selfSumSquares'
  | 'syscall'
  | 'thread'
  | 'selfSyscall'
  | 'selfThread';

/**
 * Cost by input size: a row a routine (or calling context: context >= 0) and size, as the file has it, sizes unsorted and
 * perhaps repeated. min, max, sum and sumSquares are of the costs of single calls with all that they call; real is the sum
 * without calls that run within another of the same routine. A column that the file's version lacks is absent; NaN in a row
 * whose part lacks it. `counted` is 0 for a context's row whose routine has rows of its own: the same calls again.
 * Values beyond 2^53 stand in `beyond` too, exact, by row.
 */
export type Inputs = {
  /** What sizes are: rms, drms; null where the file does not say. */
  readonly metric: string | null;
  readonly routine: Uint32Array;
  readonly context: Int32Array;
  readonly part: Uint32Array;
  readonly size: Float64Array;
  readonly counted: Uint8Array;
  readonly beyond: ReadonlyMap<InputField, ReadonlyMap<number, bigint>>;
} & { readonly [F in InputField]?: Float64Array };

/** Calling contexts, depth first: parent[i] < i, the subtree of i is [i, end[i]). `id` is the file's number. */
export interface Contexts {
  readonly id: Float64Array;
  readonly parent: Int32Array;
  readonly end: Uint32Array;
  readonly routine: Uint32Array;
  readonly part: Uint32Array;
}

/**
 * Steps in time, by start: build steps, slices of a trace, commands of a log. Times are microseconds from the origin; NaN for
 * what never ran. Text columns are string numbers, -1 where the file does not say. `kind` is a place in KINDS (model/steps.ts).
 * Outputs of step i are [outputStart[i], outputStart[i + 1]); their bytes are NaN where they are unknown.
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
  readonly target: Int32Array;
  readonly source: Int32Array;
  readonly language: Int32Array;
  readonly config: Int32Array;
  readonly command: Int32Array;
  readonly directory: Int32Array;
  /** What else the file says of it, as JSON. */
  readonly more: Int32Array;
  /** Path of a trace that its compiler wrote. */
  readonly trace: Int32Array;
  readonly outputStart: Uint32Array;
  readonly outputPath: Uint32Array;
  readonly outputBytes: Float64Array;
  /** What hands over to what, where the file says (flow events). */
  readonly linkFrom: Uint32Array;
  readonly linkTo: Uint32Array;
  /** What needs what by the build system's own file, in pairs. */
  readonly needs?: { readonly step: Uint32Array; readonly of: Uint32Array };
  readonly tracks: readonly Track[];
  /** Tracks whose steps run beside each other. */
  readonly parallel: readonly number[];
  readonly targets: readonly { readonly name: string; readonly type: string | null; readonly labels: readonly string[] }[];
  readonly gauges: readonly Gauge[];
  readonly marks: readonly Mark[];
  /** Microseconds since 1970 of time 0; null where it is unknown. */
  readonly originUs: number | null;
  readonly cores: number | null;
}

/**
 * What a build executed, in the order of the file. Arguments of event i are args[argStart[i]] .. args[argStart[i + 1] - 1], what
 * its environment differs in likewise; a value of -1 says that the variable was removed. `parent` is a row, -1 for roots.
 */
export interface Processes {
  readonly id: Uint32Array;
  readonly parent: Int32Array;
  readonly part: Uint32Array;
  /** Line of the file that the event starts in. */
  readonly line: Uint32Array;
  readonly executable: Uint32Array;
  readonly directory: Int32Array;
  readonly argStart: Uint32Array;
  readonly args: Uint32Array;
  readonly envStart: Uint32Array;
  readonly envName: Uint32Array;
  readonly envValue: Int32Array;
}

/** A thread, or what a tool drew as one. */
export interface Track {
  readonly pid: string;
  readonly tid: string;
  readonly name: string | null;
  readonly processName: string | null;
  readonly sort: number;
  readonly processSort: number;
}

/** A value over time: of the host, or a counter. */
export interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly us: number;
  readonly value: number;
}

export interface Mark {
  readonly name: string;
  readonly track: number;
  readonly us: number;
}

export interface Profile {
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
  readonly routines: Routines;
  readonly spans?: Spans;
  readonly lines?: Lines;
  readonly calls?: Calls;
  readonly jumps?: Jumps;
  readonly places?: Places;
  readonly frames?: Frames;
  readonly stacks?: Stacks;
  readonly inputs?: Inputs;
  readonly contexts?: Contexts;
  readonly steps?: Steps;
  readonly processes?: Processes;
  /** Other names of routines, by routine; -1 where there is none. */
  readonly aliases?: { readonly mangled: Int32Array; readonly full: Int32Array };
  /** What its routines are, where they are something else: lines, addresses, files, objects. */
  readonly grain?: string;
  /** Facts about how it was read, for Info. */
  readonly notes?: readonly string[];
  /** Tables that the format can give and this file does not have, and the option with which its tool records them. */
  readonly lacks?: readonly { readonly table: TableName; readonly option?: string }[];
  readonly warnings: readonly Problem[];
  /** Set where the file ends too early, or where lines of it were left out: what is shown is what was whole. */
  readonly cut?: Problem;
}

/** Tables that decide which views a profile has. */
export type TableName = 'routines' | 'lines' | 'calls' | 'instrs' | 'jumps' | 'inputs' | 'contexts' | 'steps' | 'processes';

export function hasTable(profile: Profile, table: TableName): boolean {
  // A build has no routines; a trace's names are some.
  if (table === 'routines' && (profile.steps || profile.processes)) return profile.routines.name.length > 0;
  if (table === 'instrs') return profile.lines?.address !== undefined;
  if (table === 'calls') return profile.calls !== undefined || profile.stacks !== undefined || profile.contexts !== undefined;
  // Sampled addresses without debug information have rows, and no line in any of them.
  if (table === 'lines' && profile.stacks) return profile.files.name.length > 0;
  return profile[table] !== undefined;
}

/** What a routine costs with what it calls is known. */
export function hasInclusive(profile: Profile): boolean {
  return (
    profile.calls !== undefined || profile.stacks !== undefined || profile.inputs !== undefined || profile.steps !== undefined
  );
}

/** How often routines were called is known; samples do not say. */
export function hasCounts(profile: Profile): boolean {
  return profile.calls !== undefined || profile.inputs !== undefined || profile.steps !== undefined;
}

/** What a routine costs by itself is known; the oldest reports of aprof do not say. */
export function hasSelf(profile: Profile): boolean {
  return profile.inputs === undefined || profile.inputs.selfSum !== undefined;
}
