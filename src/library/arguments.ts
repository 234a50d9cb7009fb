// Checks what callers pass, who may write JavaScript: a wrong argument is a TypeError that names it, before any work is done.
import { Readable } from 'node:stream';
import { CLUSTER_KEYS } from '../analysis/answers/neighbours.ts';
import { COST_UNITS } from '../reports/options.ts';

type Check = readonly [expected: string, holds: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isListOf = (holds: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(holds);
const isIn = (words: readonly unknown[]) => (value: unknown) => words.includes(value);

const TEXT: Check = ['a string', isText];
const TEXTS: Check = ['an array of strings', isListOf(isText)];
const AMOUNT: Check = ['a number of 0 or more', isAmount];
const FLAG: Check = ['true or false', isIn([true, false])];

/** The options by function. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  load: {
    ...{ format: TEXT, name: TEXT, binary: TEXT, log: TEXT, symbolPath: TEXTS, compilers: TEXTS },
    signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  },
  analyse: {
    ...{ apply: TEXTS, derive: TEXTS },
    parts: ["an array of numbers, or 'all'", (value) => value === 'all' || isListOf(isAmount)(value)],
    base: ['a profile that load() made', isObject],
  },
  tree: { event: TEXT, inverted: FLAG, threshold: AMOUNT },
  export: { event: TEXT, threshold: AMOUNT },
  rows: {
    ...{ event: TEXT, filter: TEXT, inverted: FLAG, threshold: AMOUNT, limit: AMOUNT, sourceDir: TEXTS },
    sort: ['{ column, descending }', (value) => isObject(value) && 'column' in value && isText(value.column)],
    routine: ['a number of 0 or more, or a name', (value) => isAmount(value) || isText(value)],
    by: ['a string, or an array of strings', (value) => isText(value) || (isListOf(isText)(value) && `${value}` !== '')],
    depth: ['a whole number from 1', (value) => Number.isInteger(value) && Number(value) > 0],
    cluster: [CLUSTER_KEYS.join(' or '), isIn(CLUSTER_KEYS)],
    context: ['a whole number of 0 or more', (value) => Number.isInteger(value) && isAmount(value)],
    coverage: ['a percentage from 0 to 100', (value) => isAmount(value) && Number(value) <= 100],
    unit: [COST_UNITS.join(', '), isIn(COST_UNITS)],
  },
};

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** The names of the options that are given and not false. Throws TypeError if `options` is no object, or if `of` has no such option. */
export function checkOptions(where: string, options: unknown, of = where): ReadonlySet<string> {
  if (!isObject(options)) throw new TypeError(`${where}: expected an object of options, found ${describe(options)}`);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const [expected, holds] = OPTIONS[of][name] ?? ['no such option', () => false];
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
