// Runs calls whose failure only means that there is no result.

/** Returns the result of `run`, or `otherwise` if it throws. For expected failures, such as missing files. */
export function attempt<T>(run: () => T): T | undefined;
export function attempt<T>(run: () => T, otherwise: T): T;
export function attempt<T>(run: () => T, otherwise?: T): T | undefined {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
