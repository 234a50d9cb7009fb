// A result that is computed in slices between key presses. A caller that cannot wait gets it at once.
import { memo } from './memo.ts';
import type { Sliced } from './slices.ts';

export class Background<T> {
  /** The job, replaced by its result once it has ended, because V8 keeps the variables of an ended generator. */
  private made: { readonly job: Sliced<T> } | { readonly value: T };

  private hasBegun = false;

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
