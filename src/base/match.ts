// Filters and searches: fuzzy text, /regular expression/, and ! before either to invert.
import fuzzysort from 'fuzzysort';

export interface Matcher {
  readonly test: (text: string) => boolean;
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
  const test = compileOne(pattern);
  return { test: invert ? (s) => !test(s) : test };
}

function compileOne(pattern: string): (s: string) => boolean {
  const re = /^\/(.+?)(?:\/([imsu]*))?$/.exec(pattern);
  if (re) {
    try {
      const compiled = new RegExp(re[1]!, re[2] === undefined || re[2] === '' ? 'u' : re[2]);
      return (s) => compiled.test(s);
    } catch (error) {
      throw new PatternError((error as Error).message.toLowerCase());
    }
  }
  const plain = pattern.toLowerCase();
  return (s) => {
    // What holds the text as it stands always matches: a fuzzy score falls with a name's length.
    if (s.toLowerCase().includes(plain)) return true;
    const found = fuzzysort.single(pattern, s);
    return found !== null && found.score >= THRESHOLD;
  };
}

/** The choices that match the query, best first; all of them, in their order, for an empty one. */
export function rank<T>(query: string, choices: readonly T[], text: (choice: T) => string): T[] {
  if (query.trim() === '') return [...choices];
  return fuzzysort.go(query, choices as T[], { key: (c: T) => text(c), limit: 0, threshold: 0.2 }).map((r) => r.obj as T);
}
