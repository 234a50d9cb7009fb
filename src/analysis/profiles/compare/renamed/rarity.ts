// How rare a value is among those of all routines.

/** Logarithms are counted in steps of a hundredth, 1 %: values from e^-30 on. */
const STEPS = 100;
const LOWEST = -30;
const COUNT = 120 * STEPS;

export class Rarity {
  /** By step: how many values are below it. */
  private readonly below = new Float64Array(COUNT + 1);

  /** Values of 0 and less are left out. */
  constructor(values: ArrayLike<number>) {
    const { below } = this;
    for (let i = 0; i < values.length; i++) if (values[i] > 0) below[this.stepOf(Math.log(values[i])) + 1]++;
    for (let k = 0; k < COUNT; k++) below[k + 1] += below[k];
  }

  private stepOf(log: number): number {
    return Math.min(COUNT - 1, Math.max(0, Math.floor((log - LOWEST) * STEPS)));
  }

  /** The evidence, in bits, that two routines have values within `width` of `at`. Both are logarithms. */
  bits(at: number, width: number): number {
    const { below } = this;
    const within = below[this.stepOf(at + width) + 1] - below[this.stepOf(at - width)];
    return Math.log2(below[COUNT] / Math.max(1, within - 1));
  }
}
