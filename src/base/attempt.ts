// Runs calls whose failure only means that there is no result.

type ErrorClass = new (...args: never[]) => Error;

/**
 * Returns the result of `run`, or `otherwise` if it throws. For expected failures, such as missing files. `expected`: errors of other
 * classes are not caught.
 */
export function attempt<T>(run: () => T): T | undefined;
export function attempt<T>(run: () => T, otherwise: T, expected?: ErrorClass): T;
export function attempt<T>(run: () => T, otherwise?: T, expected?: ErrorClass): T | undefined {
  try {
    return run();
  } catch (error) {
    if (expected && !(error instanceof expected)) throw error;
    return otherwise;
  }
}
