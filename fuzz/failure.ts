// What is wrong with what the program did with an input, and by what two failures are the same.

export interface Failure {
  /** exception, message, invariant, control, width, text, json, differs, slow, memory, hang, abort */
  readonly kind: string;
  /** What was done: `load`, `report tree json`, `keys`. */
  readonly step: string;
  /** What is the same of all failures of one cause, beside kind and step. */
  readonly cause: string;
  /** For people: the message with its stack, or what was expected and what there was. */
  readonly detail: string;
}

/** Failures with the same key are one find. */
export const keyOf = ({ kind, step, cause }: Failure): string => {
  // Exceptions are told apart by their place: the same one may show in several reports.
  const where = kind === 'exception' || kind === 'slow' ? '' : ` in ${kind === 'differs' ? 'load' : step}`;
  return `${kind}${where}: ${cause}`;
};

const SOURCE = /\/src\/[\w/.-]+\.tsx?/;

/** `function (src/file.ts)` of the innermost frame that is of the program itself; '' if there is none. */
export function topFrame(stack: string): string {
  const frame = stack.split('\n').find((line) => /^\s*at /.test(line) && SOURCE.test(line));
  if (frame === undefined) return '';
  const name = /at (?:async )?(?:new )?([^\s(]+) \(/.exec(frame)?.[1] ?? '';
  return `${name} (${SOURCE.exec(frame)?.[0].slice(1)})`;
}

/** Without what differs from input to input: numbers and quoted texts. */
export const normal = (text: string): string =>
  text
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '"…"')
    .replace(/-?\d[\d.e+]*/g, 'N')
    .slice(0, 160);

export function exceptionOf(step: string, error: unknown): Failure {
  if (!(error instanceof Error)) return { kind: 'exception', step, cause: normal(String(error)), detail: String(error) };
  const stack = error.stack ?? String(error);
  const message = normal(error.message.split('\n')[0]);
  return { kind: 'exception', step, cause: `${error.name} in ${topFrame(stack) || message}`, detail: stack.slice(0, 3000) };
}
