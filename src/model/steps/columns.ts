// Steps that are being written, a column each: a trace has millions of them.
import { Grow } from '../column.ts';
import type { Steps } from './tables.ts';

/** A column that most files leave empty: it takes memory from the first value on. */
export class Sparse<A extends Int32Array | Float64Array> {
  private data: A | undefined;
  private readonly make: new (
    length: number,
  ) => A;

  /** `none`: what rows without a value have. */
  constructor(
    make: new (length: number) => A,
    private readonly none: number,
  ) {
    this.make = make;
  }

  get(row: number): number {
    return this.data !== undefined && row < this.data.length ? this.data[row] : this.none;
  }

  set(row: number, value: number): void {
    const { data } = this;
    if (data !== undefined && row < data.length) data[row] = value;
    else if (value !== this.none && !Number.isNaN(value)) this.enlarged(row + 1)[row] = value;
  }

  private enlarged(rows: number): A {
    const next = new this.make(Math.max(256, 2 * rows));
    const had = this.data?.length ?? 0;
    if (this.data) next.set(this.data);
    next.fill(this.none, had);
    this.data = next;
    return next;
  }

  /** The first rows; `empty` where no row has a value. */
  done(rows: number, empty: A): A {
    if (this.data === undefined) return empty;
    const data = this.data.length < rows ? this.enlarged(rows) : this.data;
    return data.subarray(0, rows) as A;
  }
}

/** The texts that a step may have beside its name: those of which there are few, such as targets, and the others. */
export const WORDS = ['role', 'caveat', 'target', 'language', 'config', 'directory', 'traceCaveat', 'pool', 'cache'] as const;
export const TEXTS = ['detail', 'source', 'command', 'more', 'trace'] as const;
export type TextName = (typeof WORDS)[number] | (typeof TEXTS)[number];
/** By name of a text. */
export const byText = <T>(of: (name: TextName) => T): Record<TextName, T> =>
  Object.fromEntries([...WORDS, ...TEXTS].map((name) => [name, of(name)])) as Record<TextName, T>;

/** The columns with a value for each step. */
export function stepRows(steps: Steps) {
  const { name, kind, track, part, parent, startUs, durationUs, cpuUs, result, routine } = steps;
  return { name, kind, track, part, parent, startUs, durationUs, cpuUs, result, routine, ...byText((text) => steps[text]) };
}

export class StepColumns {
  readonly name = new Grow(Uint32Array);
  /** Index into KINDS. */
  readonly kind = new Grow(Uint8Array);
  readonly track = new Grow(Uint32Array);
  readonly part = new Grow(Uint32Array);
  /** Microseconds; NaN for what never ran. */
  readonly startUs = new Grow(Float64Array);
  readonly durationUs = new Grow(Float64Array);
  readonly cpuUs = new Sparse(Float64Array, Number.NaN);
  readonly result = new Sparse(Float64Array, Number.NaN);
  /** String ids; -1 where the file does not say. */
  readonly text = byText(() => new Sparse(Int32Array, -1));
  /** Outputs in the order of their steps: the step, the path as a string id, and the bytes, NaN if unknown. */
  readonly outputStep = new Grow(Uint32Array);
  readonly outputPath = new Grow(Uint32Array);
  readonly outputBytes = new Grow(Float64Array);

  get rows(): number {
    return this.name.length;
  }

  endUs(row: number): number {
    return this.startUs.data[row] + this.durationUs.data[row];
  }

  neverRan(row: number): boolean {
    return Number.isNaN(this.startUs.data[row]);
  }

  /** By start, then longest first, then as written; undefined if they are written in this order. What never ran has time 0. */
  order(): Uint32Array | undefined {
    const start = this.startUs.done().map((us) => us || 0);
    return merged(start, this.durationUs.done());
  }
}

/**
 * The rows in order; undefined if they are in order. Merges the runs that are there, of which a trace has few: one for each of its threads,
 * or many short ones where it was written as slices ended.
 */
export function merged(start: Float64Array, duration: Float64Array): Uint32Array | undefined {
  const rows = start.length;
  // Rows of one run, and earlier runs, come first: merging is stable.
  const after = (a: number, b: number): boolean => start[a] > start[b] || (start[a] === start[b] && duration[a] < duration[b]);
  let bounds = [0];
  for (let i = 1; i < rows; i++) if (after(i - 1, i)) bounds.push(i);
  if (bounds.length === 1) return undefined;
  bounds.push(rows);
  let from = Uint32Array.from({ length: rows }, (_, i) => i);
  let to = new Uint32Array(rows);
  while (bounds.length > 2) {
    const next = [0];
    for (let b = 0; b + 1 < bounds.length; b += 2) {
      const [first, middle] = [bounds[b], bounds[b + 1]];
      const end = bounds[b + 2] ?? middle;
      let [i, k, at] = [first, middle, first];
      while (i < middle && k < end) to[at++] = after(from[i], from[k]) ? from[k++] : from[i++];
      while (i < middle) to[at++] = from[i++];
      while (k < end) to[at++] = from[k++];
      next.push(end);
    }
    [from, to] = [to, from];
    bounds = next;
  }
  return from;
}
