// Filters and searches: fuzzy text, /regular expression/, and ! before either to invert.
import fuzzysort from 'fuzzysort';

export interface Matcher {
  readonly test: (text: string) => boolean;
  /** The text as it stands, for a fuzzy filter: where that is found anywhere, nobody means the scattered letters. */
  readonly literal?: (text: string) => boolean;
  /** Of an inverted filter, what must not match. A row of several texts is left out if any of them does. */
  readonly not?: (text: string) => boolean;
}

/** A row of several texts: some of them match, or, inverted, none does. */
export function matchesAny(matcher: Matcher, texts: readonly string[]): boolean {
  const { not, test } = matcher;
  return not ? !texts.some(not) : texts.some(test);
}

/** Thrown for a regular expression that is none. */
export class PatternError extends Error {}

// Fuzzysort scores from 0 to 1; below this the letters are spread so thinly over a long C++ name that nobody meant it.
const THRESHOLD = 0.28;

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
    const test = compileRegExp(re[1]!, re[2] ?? '');
    return invert ? { test: (s) => !test(s), not: test } : { test };
  }
  // What does not hold the text: letters that could be picked out of a long name are no reason to leave it out.
  if (invert) return { test: (s) => !literal(s), not: literal };
  const fuzzy = (s: string) => {
    const found = fuzzysort.single(pattern, s);
    return found !== null && found.score >= THRESHOLD;
  };
  return { test: (s) => literal(s) || fuzzy(s), literal };
}

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
