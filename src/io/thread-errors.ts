// Sends errors between threads as data: a structured clone of an error loses its class and its fields.
import { FormatError, type Problem } from '../base/problem.ts';

export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The problem of a FormatError. */
  readonly problem?: Problem;
}

/** An error as data that postMessage takes. */
export function packError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined };
  const { name, message, stack } = error;
  return { name, message, stack, ...(error instanceof FormatError ? { problem: error.problem } : {}) };
}

/** Rebuilds the error: a FormatError with its problem, or an Error with its original name and stack. */
export function unpackError({ name, message, stack, problem }: SentError): Error {
  return problem ? new FormatError(problem) : Object.assign(new Error(message), { name, stack });
}
