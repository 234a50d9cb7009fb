// A result that is worked out a slice at a time between keys. Whoever cannot wait gets it at once.
import { atOnce } from './slices.ts';

export class Background<T> {
  private readonly job: Generator<undefined, T>;
  private made: { readonly value: T } | undefined;

  constructor(job: Generator<undefined, T>) {
    this.job = job;
  }

  /** Undefined until it is there. */
  get ready(): T | undefined {
    return this.made?.value;
  }

  now(): T {
    this.made ??= { value: atOnce(this.job) };
    return this.made.value;
  }

  /** For another job: works, and yields as often as this one does. */
  *wait(): Generator<undefined, T> {
    while (!this.run(0)) yield;
    return this.now();
  }

  /** Works for about `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    const until = performance.now() + ms;
    while (!this.made) {
      const step = this.job.next();
      if (step.done) this.made = { value: step.value };
      else if (performance.now() >= until) return false;
    }
    return true;
  }
}
