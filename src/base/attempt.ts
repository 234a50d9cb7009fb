// Runs calls whose failure only means that there is no result.

type ErrorClass = new (...args: never[]) => Error;

/** The result of `run`; `otherwise` if it throws. For expected failures (missing files): other classes than `expected` pass. */
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
