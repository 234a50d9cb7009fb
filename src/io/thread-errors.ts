// Errors on their way between threads. A copy of an error is of no class any more and has lost its fields, so they travel as data.
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

/** The error again: a FormatError with its problem, or one with the name and the stack that it had on its thread. */
export function unpackError({ name, message, stack, problem }: SentError): Error {
  return problem ? new FormatError(problem) : Object.assign(new Error(message), { name, stack });
}
