// Work in slices between key presses: a generator yields after each slice, so that its caller can stop in time.

/** Rows in a slice, of work that takes some nanoseconds a row: a few milliseconds. */
export const SLICE = 1 << 17;

/** Does rows 0 .. rows-1 in order, one slice at a time; yields after each. */
export function* inSlices(
  rows: number,
  work: (from: number, to: number) => void,
  slice: number = SLICE,
): Generator<undefined, void> {
  for (let from = 0; from < rows; from += slice) {
    work(from, Math.min(rows, from + slice));
    yield;
  }
}

/** inSlices() row by row, for rows that take longer than a function call. */
export function eachInSlices(rows: number, work: (row: number) => void, slice?: number): Generator<undefined, void> {
  const some = (from: number, to: number) => {
    for (let row = from; row < to; row++) work(row);
  };
  return inSlices(rows, some, slice);
}

/** Runs a job to its end without pauses. */
export function runToEnd<T>(job: Generator<undefined, T>): T {
  for (;;) {
    const step = job.next();
    if (step.done) return step.value;
  }
}

type NumericArray = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** Copies the first rows of a column, a slice at a time: fresh memory takes longer than what is written to it. */
export function* copyInSlices<A extends NumericArray>(out: A, column: A, rows: number = column.length): Generator<undefined, A> {
  yield* inSlices(rows, (from, to) => out.set(column.subarray(from, to), from), 4 * SLICE);
  return out;
}
