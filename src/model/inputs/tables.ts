// Cost by input size: points, and the calling contexts that they may belong to.
import type { Head } from '../head.ts';
import type { Invariants } from '../invariants.ts';

/** The fields of a point besides its size, in our own order. A field that the file's version lacks has no column. */
export const INPUT_FIELDS = [
  ...['calls', 'min', 'max', 'sum', 'sumSquares', 'real'],
  ...['selfSum', 'selfMin', 'selfMax', 'selfSumSquares'],
  ...['syscall', 'thread', 'selfSyscall', 'selfThread'],
] as const;
export type InputField = (typeof INPUT_FIELDS)[number];

/**
 * Cost by input size: one row per routine (or calling context: context >= 0) and size, as recorded; sizes are unsorted and
 * may repeat. min, max, sum and sumSquares are over the inclusive costs of single calls; real is the sum without calls nested
 * in another call of the same routine. A column that the file's version lacks is absent; it is NaN in rows whose part lacks it.
 * `counted` is 0 for a context's row if its routine also has rows without a context: they describe the same calls.
 * Values beyond 2^53 are also in `beyond`, exact, by row.
 */
export type Inputs = {
  /** The metric of the sizes, as named in the file. */
  readonly metric: string;
  /** Input that the metric does not count, and how to record it; absent if all input is counted. */
  readonly misses?: string;
  readonly routine: Uint32Array;
  readonly context: Int32Array;
  readonly part: Uint32Array;
  readonly size: Float64Array;
  readonly counted: Uint8Array;
  readonly beyond: ReadonlyMap<InputField, ReadonlyMap<number, bigint>>;
} & { readonly [F in InputField]?: Float64Array };

/** Calling contexts, depth first: parent[i] < i, the subtree of i is [i, end[i]). `id` is the file's own. */
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

export function checkInputs({ inputs, contexts, routines, parts }: Head & InputCosts, to: Invariants): void {
  if (contexts) {
    const n = contexts.id.length;
    to.checkTable('contexts', contexts, { routine: routines.name.length });
    to.checkRows(n, (c) => {
      const p = contexts.parent[c];
      return p >= c || p < -1 || !(contexts.end[c] > c) || (p >= 0 && contexts.end[c] > contexts.end[p])
        ? `context ${c} does not lie within its parent ${p}`
        : undefined;
    });
  }
  const n = inputs.size.length;
  const { routine, context } = inputs;
  to.checkTable('inputs', inputs, { routine: routines.name.length, context: contexts?.id.length ?? 0, part: parts.length });
  to.checkRows(n, (i) =>
    context[i] >= 0 && contexts?.routine[context[i]] !== routine[i]
      ? `point ${i} belongs to a different routine than its context`
      : undefined,
  );
}
