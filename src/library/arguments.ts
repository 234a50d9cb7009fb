// Checks what callers pass, who may write JavaScript: a wrong argument is a TypeError that names it, before any work is done.
import { Readable } from 'node:stream';

type Check = readonly [expected: string, holds: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isListOf = (holds: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(holds);

const TEXT: Check = ['a string', isText];
const TEXTS: Check = ['an array of strings', isListOf(isText)];
const AMOUNT: Check = ['a number of 0 or more', isAmount];

/** All options of the library by name: a name means the same in each function. */
const OPTIONS: Readonly<Record<string, Check>> = {
  ...{ format: TEXT, name: TEXT, binary: TEXT, event: TEXT, filter: TEXT },
  ...{ symbolPath: TEXTS, compilers: TEXTS, apply: TEXTS, derive: TEXTS },
  ...{ limit: AMOUNT, threshold: AMOUNT, routine: AMOUNT },
  parts: ["an array of numbers, or 'all'", (value) => value === 'all' || isListOf(isAmount)(value)],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  base: ['a profile that load() made', isObject],
  inverted: ['true or false', (value) => typeof value === 'boolean'],
  sort: ['{ column, descending }', (value) => isObject(value) && 'column' in value && isText(value.column)],
};

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Throws TypeError if the options of `where` are no object, or one has a wrong type. */
export function checkOptions(where: string, options: unknown): void {
  if (options === undefined) return;
  if (!isObject(options)) throw new TypeError(`${where}: expected an object of options, found ${describe(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const [expected, holds] = OPTIONS[name] ?? ['no such option', () => false];
    if (value !== undefined && !holds(value))
      throw new TypeError(`${where}: option ${name}: expected ${expected}, found ${describe(value)}`);
  }
}

/** Throws TypeError if there is nothing to load in `from`. */
export function checkInput(from: unknown): void {
  const isStream = from instanceof Readable || (isObject(from) && Symbol.asyncIterator in from);
  const isPaths = isText(from) || (isListOf(isText)(from) && Array.isArray(from) && from.length > 0);
  if (isPaths || isStream || from instanceof Uint8Array) return;
  throw new TypeError(`load: expected a path, an array of paths, bytes, or a stream; found ${describe(from)}`);
}
