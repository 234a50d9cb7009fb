// Finds the rows that pass a test, in slices, so that no key press has to wait.

import { type FilterProgress, type Matcher, matchesAny } from './match.ts';
import { Background, type Sliced } from './slices.ts';

/** A filter that works in slices: run() works for about `ms` milliseconds and returns true once done. */
export interface SlicedFilter extends FilterProgress {
  run(ms: number): boolean;
}

export class IncrementalFilter<T> implements SlicedFilter {
  /** 1 for rows known to pass so far. */
  readonly hit: Uint8Array;
  /** The number of slices so far. Anything derived from `hit` in an earlier slice is stale. */
  version = 0;
  done = false;
  /** Whether no row passes the first test, so that the second one is used. */
  usesLetters = false;
  /** Why no row passes: conditions that cannot be tested. */
  readonly wrong?: string | undefined;
  private looked = 0;
  private readonly job: Background<void>;

  /** Takes several tests. A test is used only if no row passes the tests before it. */
  constructor(
    readonly rows: readonly T[],
    ...tests: ((row: T) => boolean)[]
  ) {
    this.hit = new Uint8Array(rows.length);
    this.job = new Background(this.testRows(tests));
  }

  private *testRows(tests: readonly ((row: T) => boolean)[]): Sliced<void> {
    const { rows, hit } = this;
    for (const [k, test] of tests.entries()) {
      this.usesLetters = k > 0;
      for (this.looked = 0; this.looked < rows.length; this.looked++) {
        if (test(rows[this.looked])) hit[this.looked] = 1;
        // Testing one row may take as long as a slice.
        yield;
      }
      if (hit.includes(1)) return;
    }
  }

  /** Progress, from 0 to 1. */
  get share(): number {
    return this.done ? 1 : this.looked / (this.rows.length || 1);
  }

  /** Works for about `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    if (this.done) return true;
    this.version++;
    this.done = this.job.run(ms);
    return this.done;
  }

  /** Runs for `ms` milliseconds if it has not started yet, so that the first caller finds rows. */
  runOnce(ms: number): this {
    if (this.version === 0) this.run(ms);
    return this;
  }

  /** The rows known to pass so far. */
  passingRows(): T[] {
    return this.rows.filter((_, i) => this.hit[i] === 1);
  }
}

/** The rows a filter keeps: those that contain its text or, if no row does, those that match its letters. */
export function incrementalFilter<T>(
  matcher: Matcher,
  rows: readonly T[],
  texts: (row: T) => readonly string[],
): IncrementalFilter<T> {
  const { literal } = matcher;
  const whole = (row: T) => matchesAny(matcher, texts(row));
  return literal ? new IncrementalFilter(rows, (row: T) => texts(row).some(literal), whole) : new IncrementalFilter(rows, whole);
}
