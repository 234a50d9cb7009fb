// Calls that may fail, and whose failure says no more than that there is nothing.

/** The result; `otherwise` where an error was thrown. For failures that nobody needs to hear of: files that are not there. */
export function attempt<T>(run: () => T): T | undefined;
export function attempt<T>(run: () => T, otherwise: T): T;
export function attempt<T>(run: () => T, otherwise?: T): T | undefined {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
