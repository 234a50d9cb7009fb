// Recognizes out-of-memory errors, and explains what the user can do about them.
import type { Problem } from './problem.ts';

/** Messages of V8 and Node for memory that cannot be allocated, or for a length above the maximum. */
const ALLOCATION_FAILURE =
  /^(Array buffer allocation failed|Invalid (string|array buffer|array|typed array) length|(Map|Set) maximum size exceeded|Cannot create a (string longer|Buffer larger) than|Data cannot be cloned, out of memory|WebAssembly\.Memory|Failed to allocate memory)/;
const HEAP_EXHAUSTED = /JS heap out of memory|reaching memory limit/;

/** The problem of `path` if the error means that memory ran out; undefined for every other error. */
export function memoryProblem(error: unknown, path: string): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const expected = 'a profile that fits into memory';
  if (HEAP_EXHAUSTED.test(error.message)) {
    const hint = 'NODE_OPTIONS=--max-old-space-size=8192 proftui ... lets Node take 8 GiB';
    return { path, expected, found: "one that needs more than Node's default heap", hint };
  }
  if (!ALLOCATION_FAILURE.test(error.message) && !('code' in error && error.code === 'ENOMEM')) return undefined;
  const hint = 'close other programs, raise the limit (ulimit -v), or record a smaller part of the run';
  return { path, expected, found: 'one that needs more', hint };
}
