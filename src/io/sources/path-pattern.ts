// Expands path patterns as a shell does: `*`, `?` and `[...]` in any part. Shells do not expand them in the values of options.
import { existsSync } from 'node:fs';
import { FormatError } from '../../base/problem.ts';
import { formatCount } from '../../base/units.ts';
import { isFolder, namesIn } from '../stat.ts';

/** Maximum number of matches. More are probably a mistake, and loading them would take hours. */
const MAX_HITS = 1000;

/** A token of a pattern: `*` matches any number of characters, a function matches one character. */
type PatternToken = '*' | ((character: string) => boolean);

/** True if a path is a pattern. A path that exists under exactly this name is not a pattern. */
export function isPattern(path: string): boolean {
  return /[*?[]/.test(path) && !existsSync(path);
}

/**
 * The files and folders that a pattern matches, sorted by folder and name. Names that begin with a dot must be asked for with one;
 * `\` makes the next character stand for itself; `**` is no more than `*`. Throws FormatError if nothing matches, or too much.
 */
export function matchingPaths(pattern: string): string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  let found = [pattern.startsWith('/') ? '/' : ''];
  parts.forEach((part, k) => {
    const tokens = patternTokensOf(part);
    const folders = k < parts.length - 1 || pattern.endsWith('/');
    found = found
      .flatMap((folder) => matchingNamesIn(folder, part, tokens).map((name) => joinPath(folder, name)))
      .filter((path) => (folders ? isFolder(path) : existsSync(path)));
    if (found.length > MAX_HITS)
      throw new FormatError({ path: pattern, expected: `at most ${formatCount(MAX_HITS)} files that it matches`, found: 'more' });
  });
  if (found.length > 0) return found;
  throw new FormatError({ path: pattern, expected: 'a file or folder that this pattern matches', found: 'none' });
}

function matchingNamesIn(folder: string, part: string, tokens: readonly PatternToken[]): string[] {
  const plain = plainName(part);
  if (plain !== undefined) return [plain];
  // As in a shell, a folder that cannot be listed has no matches.
  const names = namesIn(folder || '.').filter((name) => !name.startsWith('.') || /^\\?\./.test(part));
  return names.filter((name) => matchesTokens(tokens, [...name])).sort();
}

const joinPath = (folder: string, name: string) => (folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`);

/** The literal name of a pattern part without wildcards; undefined if the part has wildcards. */
function plainName(part: string): string | undefined {
  return /[*?[]/.test(part.replace(/\\./gs, '')) ? undefined : part.replace(/\\(.)/gs, '$1');
}

function patternTokensOf(part: string): PatternToken[] {
  const characters = [...part];
  const out: PatternToken[] = [];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i];
    const set = c === '[' ? parseCharSet(characters, i) : undefined;
    if (set) {
      out.push(set.test);
      i = set.end;
    } else if (c === '*') out.push('*');
    else if (c === '?') out.push(() => true);
    else {
      const itself = c === '\\' && i + 1 < characters.length ? characters[++i] : c;
      out.push((other) => other === itself);
    }
  }
  return out;
}

/** Parses `[abc]`, `[a-z]` or `[!a]`; undefined if it is not closed. A `]` in first position belongs to the set. */
function parseCharSet(characters: readonly string[], open: number): { test: (c: string) => boolean; end: number } | undefined {
  let i = open + 1;
  const inverted = characters[i] === '!' || characters[i] === '^';
  if (inverted) i++;
  const first = i;
  const ranges: (readonly [from: string, to: string])[] = [];
  const next = () => (characters[i] === '\\' && i + 1 < characters.length ? ++i : i);
  for (; i < characters.length; i++) {
    if (characters[i] === ']' && i > first)
      return { test: (c) => ranges.some(([from, to]) => isBetween(from, c, to)) !== inverted, end: i };
    const from = characters[next()];
    const isRange = characters[i + 1] === '-' && i + 2 < characters.length && characters[i + 2] !== ']';
    if (isRange) i += 2;
    ranges.push([from, isRange ? characters[next()] : from]);
  }
  return undefined;
}

/** Compares code points, because string comparison uses UTF-16 code units. */
function isBetween(from: string, c: string, to: string): boolean {
  const code = (character: string) => character.codePointAt(0) ?? 0;
  return code(from) <= code(c) && code(c) <= code(to);
}

/** True if the characters match. Takes at most pattern length times name length, because only the last `*` is retried. */
function matchesTokens(tokens: readonly PatternToken[], characters: readonly string[]): boolean {
  let t = 0;
  let again: { readonly token: number; from: number } | undefined;
  for (let c = 0; c < characters.length; ) {
    const token = tokens.at(t);
    if (token === '*') again = { token: ++t, from: c };
    else if (token?.(characters[c])) {
      t++;
      c++;
    } else if (again) {
      t = again.token;
      c = ++again.from;
    } else return false;
  }
  return tokens.slice(t).every((token) => token === '*');
}
