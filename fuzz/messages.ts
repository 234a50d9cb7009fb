// What the runner and its worker, a process of its own, say to each other.
import type { Failure } from './failure.ts';
import type { Trial } from './oracle.ts';

export type Request =
  /** Inputs [from, to) of a target; keys of failures that are known are not reported again. */
  | {
      readonly type: 'run';
      readonly target: string;
      readonly seed: string;
      readonly from: number;
      readonly to: number;
      readonly known: readonly string[];
      /** Ends here, wall-clock milliseconds since 1970, though inputs are left. */
      readonly until: number;
    }
  | { readonly type: 'judge'; readonly trial: Trial };

export type Reply =
  | { readonly type: 'find'; readonly input: number; readonly failure: Failure }
  /** The run is over: the number of the first input that was not run, and how many of them could be read. */
  | { readonly type: 'done'; readonly next: number; readonly loaded: number }
  /** The fuzzer itself is wrong. */
  | { readonly type: 'broken'; readonly stack: string }
  | { readonly type: 'judged'; readonly failures: readonly Failure[] };
