// Work that goes on between keys: a generator does a slice of it at a time and yields after each, so that whoever runs it can stop in time.

/** Rows in a slice, of work that takes some nanoseconds a row: a few milliseconds. */
export const SLICE = 1 << 17;

/** Does rows 0 .. rows-1 in order, so many at a time, and yields after each slice. */
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

/** The same row by row, where a row takes longer than a call. */
export function eachInSlices(rows: number, work: (row: number) => void, slice?: number): Generator<undefined, void> {
  const some = (from: number, to: number) => {
    for (let row = from; row < to; row++) work(row);
  };
  return inSlices(rows, some, slice);
}

/** All of the work at once. */
export function atOnce<T>(job: Generator<undefined, T>): T {
  for (;;) {
    const step = job.next();
    if (step.done) return step.value;
  }
}

type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** Copies the first rows of a column, a slice at a time: fresh memory takes longer than what is written to it. */
export function* copiedTo<A extends Numbers>(out: A, column: A, rows: number = column.length): Generator<undefined, A> {
  yield* inSlices(rows, (from, to) => out.set(column.subarray(from, to), from), 4 * SLICE);
  return out;
}
