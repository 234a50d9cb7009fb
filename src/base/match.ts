// Filters and searches: letters of a name, /regular expression/, and ! before either to invert.
import fuzzysort from 'fuzzysort';
import { type BytesScan, type BytesTest, lettersTest, MOST_LETTERS, scanFor } from './letters.ts';

export interface Matcher {
  readonly test: (text: string) => boolean;
  /** The text as it stands, for a filter by letters: where that is found anywhere, nobody means the scattered letters. */
  readonly literal?: (text: string) => boolean;
  /** Of an inverted filter, what must not match. A row of several texts is left out if any of them does. */
  readonly not?: (text: string) => boolean;
  /** literal and test on names as bytes, where the pattern is ASCII: a million of them in the time that decoding them takes. */
  readonly bytes?: { readonly literal: BytesScan; readonly letters: BytesTest };
}

/** A row of several texts: some of them match, or, inverted, none does. */
export function matchesAny(matcher: Matcher, texts: readonly string[]): boolean {
  const { not, test } = matcher;
  return not ? !texts.some(not) : texts.some(test);
}

/** What a filter takes of some rows: those with the text as it stands; where none has it, those with its letters. */
export function taking<T>(matcher: Matcher, rows: Iterable<T>, texts: (row: T) => readonly string[]): (row: T) => boolean {
  const { literal } = matcher;
  if (literal) for (const row of rows) if (texts(row).some(literal)) return (r) => texts(r).some(literal);
  return (row) => matchesAny(matcher, texts(row));
}

/** Thrown for a regular expression that is none. */
export class PatternError extends Error {}

/** Compiles `text`; empty text matches everything. Throws PatternError. */
export function compileFilter(text: string): Matcher {
  let pattern = text.trim();
  if (pattern === '' || pattern === '!') return { test: () => true };
  const invert = pattern.startsWith('!');
  if (invert) pattern = pattern.slice(1).trim();
  const re = /^\/(.+?)(?:\/([imsu]*))?$/.exec(pattern);
  const plain = pattern.toLowerCase();
  const literal = (s: string) => s.toLowerCase().includes(plain);
  if (re) {
    const test = compileRegExp(re[1], re[2] ?? '');
    return invert ? { test: (s) => !test(s), not: test } : { test };
  }
  // What does not hold the text: letters that could be picked out of a long name are no reason to leave it out.
  if (invert) return { test: (s) => !literal(s), not: literal };
  const code = encoder.encode(plain);
  const wanted = encoder.encode(plain.replace(/\s+/g, ''));
  const scattered = wanted.length <= MOST_LETTERS ? lettersTest(wanted) : undefined;
  const letters = (s: string) => {
    if (!scattered) return false;
    const bytes = encoder.encode(s);
    return scattered(bytes, 0, bytes.length);
  };
  const ascii = code.length === plain.length;
  return {
    test: (s) => literal(s) || letters(s),
    literal,
    ...(ascii ? { bytes: { literal: scanFor(code), letters: scattered ?? (() => false) } } : {}),
  };
}

const encoder = new TextEncoder();

function compileRegExp(source: string, flags: string): (s: string) => boolean {
  try {
    const compiled = new RegExp(source, flags === '' ? 'u' : flags);
    return (s) => compiled.test(s);
  } catch (error) {
    throw new PatternError((error as Error).message.toLowerCase());
  }
}

/** The choices that match the query, best first; all of them, in their order, for an empty one. */
export function rank<T>(query: string, choices: readonly T[], text: (choice: T) => string): T[] {
  if (query.trim() === '') return [...choices];
  return fuzzysort.go(query, choices as T[], { key: (c: T) => text(c), limit: 0, threshold: 0.2 }).map((r) => r.obj as T);
}
