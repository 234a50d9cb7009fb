// Measures how rare a value is among those of all routines.

/** Logarithms are counted in steps of 0.01 (1 %), from -30 on. */
const STEPS_PER_LOG_UNIT = 100;
const LOWEST_LOG = -30;
const STEP_COUNT = 120 * STEPS_PER_LOG_UNIT;

export class Rarity {
  /** By step: the number of values below it. */
  private readonly below = new Float64Array(STEP_COUNT + 1);

  /** Values of 0 and less are left out. */
  constructor(values: ArrayLike<number>) {
    const { below } = this;
    for (let i = 0; i < values.length; i++) if (values[i] > 0) below[this.stepOf(Math.log(values[i])) + 1]++;
    for (let k = 0; k < STEP_COUNT; k++) below[k + 1] += below[k];
  }

  private stepOf(log: number): number {
    return Math.min(STEP_COUNT - 1, Math.max(0, Math.floor((log - LOWEST_LOG) * STEPS_PER_LOG_UNIT)));
  }

  /** The evidence, in bits, that two routines have values within `width` of `at`. Both are logarithms. */
  bits(at: number, width: number): number {
    const { below } = this;
    const within = below[this.stepOf(at + width) + 1] - below[this.stepOf(at - width)];
    return Math.log2(below[STEP_COUNT] / Math.max(1, within - 1));
  }
}
