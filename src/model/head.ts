// The head that all profiles have: their source, names, parts and events. The value of an event at a row of a table is the sum of its
// terms over the raw cost columns.
import type { Problem } from '../base/problem.ts';
import type { Exact, Unit } from '../base/units.ts';
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
  /** The formula as written in the file or by the user; absent for recorded events. */
  readonly formula?: string;
  readonly terms: readonly Term[];
  /** The numbers of the parts that record the event, if not all do. */
  readonly onlyIn?: string;
  readonly exact?: { readonly high: readonly Term[]; readonly low: readonly Term[] };
  /**
   * The divisor of a ratio, such as cycles per instruction: its value is sum(terms) / sum(per), or a cost per call of the row. Ratios have
   * no percentages.
   */
  readonly per?: readonly Term[] | 'calls';
  /** The mean cost of a sample. Absent if costs are not sums of samples, or the number of samples is unknown. */
  readonly each?: number;
  /** Samples have different costs. `each` is their mean. */
  readonly uneven?: true;
  /** In a comparison: the event in each run, over that run's own columns. */
  readonly pair?: readonly [now: Event, before: Event];
  /** In a comparison: which run the event shows, or the difference. Absent: this run. */
  readonly measure?: Measure;
  /** The base of percentages, if it is not the event's own total. */
  readonly whole?: readonly Term[];
}

/** Measures of a comparison: this run, the base, the difference of a cost, and the difference as a share of the base. */
export const MEASURES = ['delta', 'now', 'before', 'percent'] as const;
export type Measure = (typeof MEASURES)[number];

/** Whether an event is the difference of two runs, as a cost or in percent. */
export const isChange = ({ measure }: Event): boolean => measure === 'delta' || measure === 'percent';

/** A dump, thread or process, which can be switched on and off. `summary` and `totals` are in the order of `events`. */
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
  /** Off when the screen opens, because a later run replaced the part, or another moment is selected. */
  readonly older?: boolean;
}

/** Routines, identified by name, file and object (-1 if unknown). Routines equal in all three, such as lambdas, have a line. */
export interface Routines {
  readonly name: Uint32Array;
  readonly file: Int32Array;
  readonly object: Int32Array;
  /** The first line of routines that share name, file and object with others; 0 for other routines. Absent if there are none. */
  readonly line?: Uint32Array;
  /** The recorded name of routines with another displayed name; -1 for other routines. Absent if there are none. */
  readonly recorded?: Int32Array;
  /** The number of routines that differ in their recorded names only, from 1; 0 for other routines. Absent if there are none. */
  readonly number?: Uint32Array;
  /** In the graph of nodes (profile.ts): the name of the recorded routine around an inlined function; -1 for recorded ones. */
  readonly within?: Int32Array;
}

/** Tables and facts that decide which views a profile has, and what their columns can show. */
export type Question =
  | 'routines'
  | 'lines'
  | 'calls'
  /** The profile has a tree of calls or processes with costs. */
  | 'trees'
  | 'instrs'
  | 'jumps'
  | 'inputs'
  | 'contexts'
  | 'steps'
  /** The profile has the work of a build's compilers. */
  | 'compiles'
  /** It is known which units are compiled again when a header changes. */
  | 'rebuilds'
  /** The durations of steps in previous builds were kept. */
  | 'history'
  /** The profile has the results of a test runner. */
  | 'tests'
  | 'processes'
  /** The command lines of compiles are recorded. */
  | 'commands'
  /** Routines have self cost, inclusive cost and calls. */
  | 'self'
  | 'inclusive'
  | 'counts'
  /** Whole stacks were sampled: a line's inclusive cost is counted directly, not summed from calls. */
  | 'stacks'
  /** The stacks are those of one run, so that each distinct one can be listed. */
  | 'samples'
  | 'labels'
  | 'times'
  /** The profile has memory use at several moments of the run. */
  | 'snapshots';

/** The time when a profile was recorded, in nanoseconds since 1970, and its duration; 0 if unknown. */
export type RecordingTime = Readonly<Record<'atNs' | 'forNs', bigint>>;

/** The folders of the user's own code. */
export interface OwnPaths {
  /** The folders, as absolute paths. */
  readonly folders: readonly string[];
  /** Prefixes of recorded paths, and the folders that replace them here. */
  readonly maps: readonly (readonly [from: string, to: string])[];
  /** Whether one of the folders has a file at this relative path. */
  readonly hasFile: (relative: string) => boolean;
}

/** Names of settings that decide whether runs can be compared: the cells that sizes of input count, and the period of samples. */
export const [CELLS_SETTING, PERIOD_SETTING] = ['cells', 'a sample every'];

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
  readonly files: Pick<Routines, 'name'>;
  readonly objects: Pick<Routines, 'name'>;
  /** Routines of processes are their programs, not code. Build steps have none. */
  readonly routines: Routines;
  /** The meaning of each row of `routines`, if not a routine: a line, an address, a file or an object. */
  readonly granularity?: string;
  /** By routine, if routines are split by file: the original routine. */
  readonly wholes?: Uint32Array;
  /** When the first file was recorded. Absent if no file records a time. */
  readonly taken?: RecordingTime;
  /** Notes for Info on how the file was read. */
  readonly notes?: readonly string[];
  /** Recorded settings that the costs depend on, by name: the size of a simulated cache, the period of samples. */
  readonly settings?: ReadonlyMap<string, string>;
  /** Tables that the format supports but this file lacks, and the tool's option that records them. */
  readonly lacks?: readonly { readonly table: Question; readonly option?: string }[];
  readonly warnings: readonly Problem[];
  /** Set if the file ends too early or lines were skipped: only the intact part is shown. */
  readonly cut?: Problem;
  /** Absent if the user's folders are unknown: then paths alone tell own code. */
  readonly own?: OwnPaths | undefined;
}

export type CostTable = readonly ArrayLike<number>[];

/** How often the rows of a table were called; of tables of routines and of calls. */
const callsOfRows = new WeakMap<CostTable, ArrayLike<number>>();

/** Makes the calls of the rows of a table known, for costs per call. */
export function withCalls<T extends CostTable>(costs: T, calls: ArrayLike<number>): T {
  callsOfRows.set(costs, calls);
  return costs;
}

/** The recorded costs that a ratio divides by. */
export const divisorTerms = ({ per }: Event): readonly Term[] => (per === 'calls' ? [] : (per ?? []));

/** The value as a number, rounded beyond 2^53; NaN for a ratio by zero. Used for sorting, shares and bars. */
export function eventValue(event: Event, costs: CostTable, row: number): number {
  const { terms } = event;
  if (event.per) {
    const above = sumTerms(terms, costs, row);
    const below = event.per === 'calls' ? (callsOfRows.get(costs)?.[row] ?? 0) : sumTerms(event.per, costs, row);
    if (below !== 0) return above / below;
    // A change from 0 is infinite, so it sorts above all others. A change from 0 to 0 is 0.
    if (event.measure === 'percent') return above === 0 ? 0 : above * Number.POSITIVE_INFINITY;
    return Number.NaN;
  }
  if (terms.length === 1 && terms[0][0] === 1) return costs[terms[0][1]][row];
  return sumTerms(terms, costs, row);
}

/** The value of an event in rows together. A ratio is that of the sums. */
export function eventSum(event: Event, costs: CostTable, rows: readonly number[]): number {
  if (!event.per) return rows.reduce((all, row) => all + eventValue(event, costs, row), 0);
  const sum = (column: ArrayLike<number>) => [rows.reduce((all, row) => all + column[row], 0)];
  return eventValue(event, withCalls(costs.map(sum), sum(callsOfRows.get(costs) ?? [])), 0);
}

function sumTerms(terms: readonly Term[], costs: CostTable, row: number): number {
  let value = 0;
  for (const [factor, column] of terms) value += factor * costs[column][row];
  return value;
}

/** The exact value: a bigint beyond 2^53. */
export function exactValue(event: Event, costs: CostTable, row: number): Exact {
  if (!event.exact) return eventValue(event, costs, row);
  const [high, low] = [sumTerms(event.exact.high, costs, row), sumTerms(event.exact.low, costs, row)];
  // If the other run has fractions, the value is not exact.
  if (!Number.isInteger(high) || !Number.isInteger(low)) return eventValue(event, costs, row);
  const value = BigInt(high) * 0x100000000n + BigInt(low);
  return value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** All values of an event. The raw column itself is returned if the event is just that column. */
export function eventColumn(event: Event, costs: CostTable, rows: number): ArrayLike<number> {
  const { terms } = event;
  if (!event.per && terms.length === 1 && terms[0][0] === 1) return costs[terms[0][1]];
  const out = new Float64Array(rows);
  if (event.per) {
    for (let i = 0; i < rows; i++) out[i] = eventValue(event, costs, i);
    return out;
  }
  for (const [factor, column] of terms) {
    const from = costs[column];
    for (let i = 0; i < rows; i++) out[i] += factor * from[i];
  }
  return out;
}

/** Makes `count` columns of `rows` zeros. */
export const zeroCosts = (count: number, rows: number): Float64Array[] =>
  Array.from({ length: count }, () => new Float64Array(rows));
