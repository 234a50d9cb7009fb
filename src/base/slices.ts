// Work in slices between key presses: a generator yields after each slice, so its caller can stop in time.
import { memo } from './lists.ts';

/** Work in slices: it yields after each, and returns its result. */
export type Sliced<T> = Generator<undefined, T>;

/** The result of a function that works in slices. */
export type SlicedResult<F> = F extends (...args: never) => Sliced<infer T> ? T : never;

/** The number of rows in a slice of work that takes some nanoseconds per row: a slice then takes a few milliseconds. */
export const ROWS_PER_SLICE = 1 << 17;

/** The number of rows in a slice if a row takes longer than a function call. */
export const SLOW_ROWS_PER_SLICE = 1 << 14;

/** The number of rows in a slice if the name of a row is parsed or searched. */
export const NAMES_PER_SLICE = 1000;

/** Processes rows 0 .. rows-1 in order; yields after each slice. */
export function* runInSlices(rows: number, work: (from: number, to: number) => void, slice = ROWS_PER_SLICE): Sliced<void> {
  for (let from = 0; from < rows; from += slice) {
    work(from, Math.min(rows, from + slice));
    yield;
  }
}

/** Like runInSlices(), but calls `work` for each row: for rows that take longer than a function call. */
export function forEachInSlices(rows: number, work: (row: number) => void, slice = SLOW_ROWS_PER_SLICE): Sliced<void> {
  const some = (from: number, to: number) => {
    for (let row = from; row < to; row++) work(row);
  };
  return runInSlices(rows, some, slice);
}

type NumericArray = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** Fills a column with the value of each row, like forEachInSlices(). */
export function* fillInSlices<A extends NumericArray>(
  out: A,
  valueAt: (row: number) => number,
  slice = SLOW_ROWS_PER_SLICE,
): Sliced<A> {
  const fill = (from: number, to: number) => {
    for (let row = from; row < to; row++) out[row] = valueAt(row);
  };
  yield* runInSlices(out.length, fill, slice);
  return out;
}

/** Runs a job to its end without pauses. */
export function runToEnd<T>(job: Sliced<T>): T {
  for (;;) {
    const step = job.next();
    if (step.done) return step.value;
  }
}

/** Copies the first rows of a column in slices, because touching fresh memory is slow. */
export function* copyInSlices<A extends NumericArray>(out: A, column: A, rows: number = column.length): Sliced<A> {
  yield* runInSlices(rows, (from, to) => out.set(column.subarray(from, to), from), 4 * ROWS_PER_SLICE);
  return out;
}

/** A result that is computed in slices between key presses. A caller that cannot wait gets it at once. */
export class Background<T> {
  /** The job, replaced by its result once it has ended, because V8 keeps the variables of an ended generator. */
  private made: { readonly job: Sliced<T> } | { readonly value: T };

  hasBegun = false;

  constructor(job: Sliced<T>) {
    this.made = { job };
  }

  /** The result; undefined until the job has ended. */
  get ready(): T | undefined {
    return 'value' in this.made ? this.made.value : undefined;
  }

  now(): T {
    for (;;) {
      if ('value' in this.made) return this.made.value;
      this.run(Number.POSITIVE_INFINITY);
    }
  }

  /** Works for `ms` milliseconds unless the job has started, so that the first caller finds something. The result if ready. */
  runOnce(ms: number): T | undefined {
    if (!this.hasBegun) this.run(ms);
    return this.ready;
  }

  /** Runs the job as a part of another job, and yields between its slices. */
  *wait(): Sliced<T> {
    while (!this.run(0)) yield;
    return this.now();
  }

  /** Works for about `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    this.hasBegun = true;
    const until = performance.now() + ms;
    while ('job' in this.made) {
      const step = this.made.job.next();
      if (step.done) this.made = { value: step.value };
      else if (performance.now() >= until) return false;
    }
    return true;
  }
}

/** Caches the last results of work in slices by its arguments, like memo(). */
export const memoInBackground = <A extends readonly unknown[], T>(work: (...args: A) => Sliced<T>, keep = 4) =>
  memo((...args: A) => new Background(work(...args)), keep);
