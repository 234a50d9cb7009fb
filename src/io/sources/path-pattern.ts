// Expands path patterns as a shell does: `*`, `?` and `[...]` in any part. Shells do not expand them in the values of options.
import { existsSync } from 'node:fs';
import { compilePattern } from '../../base/pattern.ts';
import { FormatError } from '../../base/problem.ts';
import { formatCount } from '../../base/units.ts';
import { isFolder, namesIn } from '../stat.ts';

/** Maximum number of matches. More are probably a mistake, and loading them would take hours. */
const MAX_HITS = 1000;

/** True if a path is a pattern. A path that exists under exactly this name is not a pattern. */
export const isPattern = (path: string): boolean => /[*?[]/.test(path) && !existsSync(path);

/**
 * The files and folders that a pattern matches, sorted by folder and name. Names that begin with a dot must be asked for with one;
 * `\` makes the next character stand for itself; `**` is no more than `*`. Throws FormatError if nothing matches, or too much.
 */
export function matchingPaths(pattern: string): string[] {
  const parts = pattern.split('/').filter((part) => part !== '');
  let found = [pattern.startsWith('/') ? '/' : ''];
  parts.forEach((part, k) => {
    const folders = k < parts.length - 1 || pattern.endsWith('/');
    found = found
      .flatMap((folder) => matchingNamesIn(folder, part).map((name) => joinPath(folder, name)))
      .filter((path) => (folders ? isFolder(path) : existsSync(path)));
    if (found.length > MAX_HITS)
      throw new FormatError({ path: pattern, expected: `at most ${formatCount(MAX_HITS)} files that it matches`, found: 'more' });
  });
  if (found.length > 0) return found;
  throw new FormatError({ path: pattern, expected: 'a file or folder that this pattern matches', found: 'none' });
}

function matchingNamesIn(folder: string, part: string): string[] {
  const plain = literalName(part);
  if (plain !== undefined) return [plain];
  // As in a shell, a folder that cannot be listed has no matches.
  const names = namesIn(folder || '.').filter((name) => !name.startsWith('.') || /^\\?\./.test(part));
  return names.filter(compilePattern(`^${expressionOf(part)}$`, 's').test).sort();
}

const joinPath = (folder: string, name: string) => (folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`);

/** The literal name of a pattern part without wildcards; undefined if the part has wildcards. */
const literalName = (part: string): string | undefined =>
  /[*?[]/.test(part.replace(/\\./gs, '')) ? undefined : part.replace(/\\(.)/gs, '$1');

/** The regular expression of a part of a pattern. A `]` in first position belongs to its set; a set that is not closed is text. */
function expressionOf(part: string): string {
  return part.replace(
    /\\(.)|\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]|\*+|./gsu, // bounded: a path
    (one, escaped?: string, not?: string, members?: string) => {
      if (members) return `[${not ? '^' : ''}${members.replace(/\\?(.)(?:-\\?(.))?/gsu, rangeOf)}]`;
      return escaped ? codePoint(escaped) : one.startsWith('*') ? '.*' : one === '?' ? '.' : codePoint(one);
    },
  );
}

/** A member of a set, or a range, which is empty if it ends before it begins. */
const rangeOf = (_: string, from: string, to: string = from): string =>
  (from.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0) ? `${codePoint(from)}-${codePoint(to)}` : '';

const codePoint = (c: string): string => (/\w/.test(c) ? c : `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
