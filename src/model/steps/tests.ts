// Results of a test runner.
import { headOf, tailOf } from '../../base/text.ts';

export interface TestResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  /** NaN if it is not known. */
  readonly ms: number;
  /** Why it failed or did not run: Timeout, SEGFAULT, Disabled; '' if nothing is said. */
  readonly reason: string;
  /** The text of the failure, of a test that failed; the middle of a long one is left out. */
  readonly output: string;
  readonly command: string;
  readonly labels: readonly string[];
}

/** The longest text of a failure that is kept, and of all failures together. */
const OUTPUT = 4000;
const ALL_OUTPUT = 1 << 24;

/** Keeps failure texts up to a total size. */
export class KeptOutput {
  private left = ALL_OUTPUT;

  keep(output: string): string {
    const text = output.replaceAll('\r\n', '\n').trimEnd();
    const half = OUTPUT >> 1;
    const kept = text.length <= OUTPUT ? text : `${headOf(text, half)}\n[…]\n${tailOf(text, half)}`;
    this.left -= kept.length;
    return this.left < 0 ? '' : kept;
  }
}
