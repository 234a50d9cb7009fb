// Results of a test runner.

export interface TestResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  /** NaN if it is not known. */
  readonly ms: number;
  /** Why it failed or did not run: Timeout, SEGFAULT, Disabled; '' if nothing is said. */
  readonly reason: string;
  readonly command: string;
  readonly labels: readonly string[];
}
