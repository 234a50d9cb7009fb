// Cost by input size: points, and the calling contexts that they may belong to.

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
  /** What sizes are, by its name in the file. */
  readonly metric: string;
  /** What of the input the metric does not count, and how to record it; absent where it counts all of it. */
  readonly misses?: string;
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

export interface InputCosts {
  readonly kind: 'inputs';
  readonly inputs: Inputs;
  readonly contexts?: Contexts;
}
