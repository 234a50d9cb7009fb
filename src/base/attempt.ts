// Calls whose failure only means that there is no result.

/** The result, or `otherwise` if an error was thrown. For expected failures, such as missing files. */
export function attempt<T>(run: () => T): T | undefined;
export function attempt<T>(run: () => T, otherwise: T): T;
export function attempt<T>(run: () => T, otherwise?: T): T | undefined {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
