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
    for (let i = 0; i < values.length; i++) if (values[i] > 0) below[this.step(Math.log(values[i])) + 1]++;
    for (let k = 0; k < COUNT; k++) below[k + 1] += below[k];
  }

  private step(log: number): number {
    return Math.min(COUNT - 1, Math.max(0, Math.floor((log - LOWEST) * STEPS)));
  }

  /** The bits that it says of two routines to have values so near; all are logarithms. */
  bits(at: number, width: number): number {
    const { below } = this;
    const within = below[this.step(at + width) + 1] - below[this.step(at - width)];
    return Math.log2(below[COUNT] / Math.max(1, within - 1));
  }
}
