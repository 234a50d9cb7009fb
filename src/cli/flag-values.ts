// Parses and checks flag values. Each function throws UsageError.

import { baseComparisonText, type Limit, parseLimit } from '../analysis/limits/grammar.ts';
import { UsageError } from '../base/errors.ts';
import { DEFAULT_LIMITS, type Limits, limitNames } from '../base/limits.ts';
import { revisionProblem, whyRevisionIsMissing } from '../io/sources/git.ts';

/** Minimum of --width: narrower text leaves no space for names. */
export const MIN_TEXT_WIDTH = 40;

export const splitAtCommas = (list: string | undefined): readonly string[] =>
  (list ?? '').split(',').flatMap((name) => name.trim() || []);
export const splitAtColons = (lists: readonly string[]): readonly string[] =>
  lists.flatMap((list) => list.split(':').filter((d) => d !== ''));
export const parseEach =
  <T>(parse: (text: string) => T) =>
  (texts: readonly string[]): readonly T[] =>
    texts.map(parse);

export function parseSort(text: string | undefined) {
  if (text === undefined) return undefined;
  const m = /^(.+?)(?::(asc|desc))?$/.exec(text);
  if (!m) throw new UsageError('--sort takes COLUMN, COLUMN:asc or COLUMN:desc');
  return { column: m[1], descending: m[2] === undefined ? undefined : m[2] === 'desc' };
}

export function checkRevision(given: string | undefined): string | undefined {
  const refused = given === undefined ? undefined : (revisionProblem(given) ?? whyRevisionIsMissing(given));
  if (refused !== undefined) throw new UsageError(`--base-rev ${given}: ${refused}`);
  return given;
}

const SIZE_SUFFIXES = new Map(Object.entries({ '': 1, K: 1 << 10, M: 1 << 20, G: 1 << 30 }));

/** Parses `NAME=N`, where N may end in K, M or G. The last value for a name counts. */
export function parseLimits(texts: readonly string[]): Limits {
  const limits: Record<keyof Limits, number> = { ...DEFAULT_LIMITS };
  for (const text of texts) {
    const m = /^([a-z]+)=(\d{1,15})([KMG]?)$/.exec(text);
    const name = limitNames.find((n) => n === m?.[1]);
    const value = Number(m?.[2]) * (SIZE_SUFFIXES.get(m?.[3] ?? '') ?? 1);
    if (name === undefined || !(value > 0))
      throw new UsageError(
        `--max ${text}: takes NAME=N, where NAME is ${limitNames.join(', ')} and N a number above 0 (K, M, G)`,
      );
    limits[name] = value;
  }
  return limits;
}

/** Parses `OBJECT=PATH`; `PATH` without an object names the program. */
export function parseBinary(text: string): readonly [string | null, string] {
  const eq = text.indexOf('=');
  if (eq === 0 || eq === text.length - 1 || text === '') throw new UsageError('--binary takes PATH or OBJECT=PATH');
  return eq < 0 ? [null, text] : [text.slice(0, eq), text.slice(eq + 1)];
}

export function parsePathMap(text: string): readonly [string, string] {
  const eq = text.indexOf('=');
  if (eq < 1) throw new UsageError('--path-map takes FROM=TO');
  return [text.slice(0, eq), text.slice(eq + 1)];
}

/** Parses --fail-if. Throws ChoiceError for an invalid limit, and UsageError for a limit that needs --base if that is missing. */
export function parseFailIf(exprs: readonly string[], compares: boolean): Limit[] {
  const limits = exprs.map(parseLimit);
  const compared = compares ? undefined : limits.map(baseComparisonText).find((text) => text !== undefined);
  if (compared !== undefined) throw new UsageError(`--fail-if: ${compared} needs --base, which names the run to compare with`);
  return limits;
}
