// Results of a test runner.
import { firstCodeUnits, lastCodeUnits } from '../../base/text.ts';

export interface TestResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  /** Set if the test counts as failed because it could not run. */
  readonly isWanting?: boolean;
  /** The duration in milliseconds; NaN if unknown. */
  readonly ms: number;
  /** The exit code of a failed test; absent if unknown. */
  readonly exit?: number | undefined;
  /** Why the test failed or did not run: Timeout, SEGFAULT, Disabled; '' if no reason is recorded. */
  readonly reason: string;
  /** The output of a failed test. The middle of a long output is left out. */
  readonly output: string;
  readonly command: string;
  readonly labels: readonly string[];
}

/** The maximum kept output of one failed test, and of all failed tests together. */
const MAX_OUTPUT_LENGTH = 4000;
const MAX_TOTAL_OUTPUT = 1 << 24;

/** Keeps the outputs of failed tests up to a total size. */
export class KeptOutput {
  private left = MAX_TOTAL_OUTPUT;

  keep(output: string): string {
    const text = output.replaceAll('\r\n', '\n').trimEnd();
    const half = MAX_OUTPUT_LENGTH >> 1;
    const kept = text.length <= MAX_OUTPUT_LENGTH ? text : `${firstCodeUnits(text, half)}\n[…]\n${lastCodeUnits(text, half)}`;
    this.left -= kept.length;
    return this.left < 0 ? '' : kept;
  }
}
