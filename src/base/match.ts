// Filters and searches: letters of a name or /regular expression/; a leading ! inverts either.
import fuzzysort from 'fuzzysort';
import { type BytesScan, type BytesTest, lettersTest, MOST_LETTERS, scanFor } from './letters.ts';

export interface Matcher {
  readonly test: (text: string) => boolean;
  /** Literal substring test, for a filter by letters: if any row passes it, scattered letters are not what the user meant. */
  readonly literal?: (text: string) => boolean;
  /** The test that an inverted filter negates. A row with several texts is excluded if any of them passes it. */
  readonly not?: (text: string) => boolean;
  /** The same tests on undecoded names, for ASCII patterns: decoding a million names would take as long as testing them. */
  readonly bytes?: { readonly literal: BytesScan; readonly letters: BytesTest };
}

/** Whether a row with several texts matches: at least one does or, for an inverted filter, none does. */
export function matchesAny(matcher: Matcher, texts: readonly string[]): boolean {
  const { not, test } = matcher;
  return not ? !texts.some(not) : texts.some(test);
}

/** Selects the rows a filter keeps: those that contain its text or, if no row does, those that match its letters. */
export function taking<T>(matcher: Matcher, rows: Iterable<T>, texts: (row: T) => readonly string[]): (row: T) => boolean {
  const { literal } = matcher;
  if (literal) for (const row of rows) if (texts(row).some(literal)) return (r) => texts(r).some(literal);
  return (row) => matchesAny(matcher, texts(row));
}

/** Thrown for an invalid regular expression. */
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
  // Only literal matches are excluded: scattered letters in a long name are no reason to drop it.
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

/** The choices that match the query, best first; for an empty query all of them, in their original order. */
export function rank<T>(query: string, choices: readonly T[], text: (choice: T) => string): T[] {
  if (query.trim() === '') return [...choices];
  return fuzzysort.go(query, choices as T[], { key: (c: T) => text(c), limit: 0, threshold: 0.2 }).map((r) => r.obj as T);
}
