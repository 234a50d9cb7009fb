// Checks what callers pass, who may write JavaScript: a wrong argument is a TypeError that names it, before any work is done.
import { Readable } from 'node:stream';
import { CLUSTER_KEYS } from '../analysis/answers/neighbours.ts';
import { COST_UNITS } from '../reports/options.ts';

type Check = readonly [expected: string, holds: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isListOf = (holds: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(holds);

const TEXT: Check = ['a string', isText];
const TEXTS: Check = ['an array of strings', isListOf(isText)];
const AMOUNT: Check = ['a number of 0 or more', isAmount];
const oneOf = (words: readonly unknown[]): Check => [words.join(', '), (value) => words.includes(value)];

/** All options of the library by name: a name means the same in each function. */
const OPTIONS: Readonly<Record<string, Check>> = {
  ...{ format: TEXT, name: TEXT, binary: TEXT, log: TEXT, event: TEXT, filter: TEXT },
  ...{ symbolPath: TEXTS, compilers: TEXTS, apply: TEXTS, derive: TEXTS, sourceDir: TEXTS },
  ...{ limit: AMOUNT, threshold: AMOUNT, cluster: oneOf(CLUSTER_KEYS), unit: oneOf(COST_UNITS) },
  parts: ["an array of numbers, or 'all'", (value) => value === 'all' || isListOf(isAmount)(value)],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  base: ['a profile that load() made', isObject],
  inverted: ['true or false', (value) => typeof value === 'boolean'],
  sort: ['{ column, descending }', (value) => isObject(value) && 'column' in value && isText(value.column)],
  routine: ['a number of 0 or more, or a name', (value) => isAmount(value) || isText(value)],
  by: ['a string, or an array of strings', (value) => isText(value) || (isListOf(isText)(value) && `${value}` !== '')],
  depth: ['a whole number from 1', (value) => Number.isInteger(value) && Number(value) > 0],
  context: ['a whole number of 0 or more', (value) => Number.isInteger(value) && isAmount(value)],
  coverage: ['a percentage from 0 to 100', (value) => isAmount(value) && Number(value) <= 100],
};

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The names of the options that are given and not false. Throws TypeError if `options` is no object, or one has a wrong type. */
export function checkOptions(where: string, options: unknown): ReadonlySet<string> {
  if (!isObject(options)) throw new TypeError(`${where}: expected an object of options, found ${describe(options)}`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const [expected, holds] = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : ['no such option', () => false];
    if (!holds(value)) throw new TypeError(`${where}: option ${name}: expected ${expected}, found ${describe(value)}`);
  }
  return new Set(given.flatMap(([name, value]) => (value === false ? [] : [name])));
}

/** Throws TypeError if there is nothing to load in `from`. */
export function checkInput(from: unknown): void {
  const isStream = from instanceof Readable || (isObject(from) && Symbol.asyncIterator in from);
  const isPaths = isText(from) || (isListOf(isText)(from) && Array.isArray(from) && from.length > 0);
  if (isPaths || isStream || from instanceof Uint8Array) return;
  throw new TypeError(`load: expected a path, an array of paths, bytes, or a stream; found ${describe(from)}`);
}

/** Converts errors of `choose` to RangeError, with the message of the command line but without the dashes of flags. */
export function withRangeError<T>(choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    throw error instanceof Error && !(error instanceof TypeError)
      ? new RangeError(error.message.replace(/--(?=[a-z])/g, ''), { cause: error })
      : error;
  }
}
