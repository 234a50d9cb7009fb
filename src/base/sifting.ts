// Finds the rows that pass a test, in slices, so that no key press has to wait.
import { type FilterProgress, type Matcher, matchesAny } from './match.ts';

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
  private readonly tests: ((row: T) => boolean)[];

  /** Takes several tests. A test is used only if no row passes the tests before it. */
  constructor(
    readonly rows: readonly T[],
    ...tests: ((row: T) => boolean)[]
  ) {
    this.tests = tests;
    this.hit = new Uint8Array(rows.length);
  }

  /** Progress, from 0 to 1. */
  get share(): number {
    return this.done ? 1 : this.looked / (this.rows.length || 1);
  }

  /** Works for about `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    if (this.done) return true;
    this.version++;
    const until = performance.now() + ms;
    const { rows, hit, tests } = this;
    while (!this.done) {
      while (this.looked < rows.length) {
        if (tests[0]?.(rows[this.looked])) hit[this.looked] = 1;
        this.looked++;
        // The clock is read for each row, because testing one row may take as long as a slice.
        if (performance.now() >= until) return false;
      }
      tests.shift();
      this.done = tests.length === 0 || hit.includes(1);
      this.usesLetters ||= !this.done;
      if (!this.done) this.looked = 0;
    }
    return true;
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
