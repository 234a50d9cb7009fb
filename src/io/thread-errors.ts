// Sends errors between threads as plain data, because a structured clone of an error loses its class and its fields.
import { FormatError, isSystemError } from '../base/problem.ts';

export type SentError = ReturnType<typeof packError>;

/** An error as data that postMessage takes. `system`: fields of a system error, such as its code. */
export function packError(error: unknown) {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined };
  const { name, message, stack } = error;
  if (error instanceof FormatError) return { name, message, stack, problem: error.problem };
  if (!isSystemError(error)) return { name, message, stack };
  const { code = '', syscall = '', path = '' } = error;
  return { name, message, stack, system: { code, syscall, path } };
}

/** Rebuilds the error: a FormatError with its problem, or an Error with its original name and stack. */
export const unpackError = ({ name, message, stack, problem, system }: SentError): Error =>
  problem ? new FormatError(problem) : Object.assign(new Error(message), { name, stack, ...system });
