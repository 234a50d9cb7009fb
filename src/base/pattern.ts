// A user's regular expression, run by the engine that cannot be kept busy by it: V8 where the expression has only so many ways to match
// from one place, else re2js, whose time grows with the text alone. Expressions mean the same in both.
import { RE2JS } from 're2js';
import { parsePattern } from './pattern-grammar.ts';

/** Thrown for an invalid or unsupported expression; the message says what to write instead. */
export class PatternError extends Error {}

export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Where it matches: starts and ends, in ascending order; never empty. */
  readonly ranges: (text: string) => (readonly [from: number, to: number])[];
  /** The text with what matches first replaced, `$1` by its first group; undefined where nothing matches. */
  readonly replaceFirst: (text: string, by: string) => string | undefined;
  /** The number of characters of a text that are searched. */
  readonly maxLength: number;
  /** Whether a text was longer than that. */
  readonly wasCut: () => boolean;
}

/** Characters of an expression: reading one of any length would take any time. */
const LONGEST = 1000;
/** Steps that V8 may need from one place of a text: a text of a million characters then takes less than 100 ms. */
const MOST_STEPS = 100;
/** Instructions of a compiled expression times characters of a text, for re2js: at 17 ns each, less than 100 ms. */
const MOST_WORK = 5_000_000;
/** The most matches that re2js looks for in a text: each may take as long as the whole text. */
const MOST_MARKED = 50;
/** The largest compiled expression, in instructions: 5,000 characters of each text can then be searched. */
const LARGEST = 1000;

/** Throws PatternError. `flags`: any of imsu; expressions are always those of Unicode, so `u` changes nothing. */
export function compilePattern(source: string, flags: string): Pattern {
  if (source.length > LONGEST)
    throw new PatternError(`an expression of ${source.length} characters; at most ${LONGEST} are allowed`);
  // Punctuation may be escaped without need, as in \< or \-, which JavaScript refuses.
  const plain = source.replace(/\\([\s\S])/g, (both, c: string) =>
    /[ !"#%&',:;<=>@`~_]/.test(c) ? c : c === '-' ? '\\x2d' : both,
  );
  const kept = [...new Set(flags)].filter((f) => 'ims'.includes(f)).join('');
  const v8 = compileForV8(plain, kept);
  const { steps, re2, unsupported } = parsePattern(plain, kept);
  if (steps <= MOST_STEPS) {
    const all = new RegExp(v8, `${v8.flags}g`);
    const ranges = (text: string) => Array.from(text.matchAll(all), (m): [number, number] => [m.index, m.index + m[0].length]);
    return {
      test: (text) => v8.test(text),
      ranges: (text) => ranges(text).filter(([a, b]) => b > a),
      replaceFirst(text, by) {
        const m = v8.exec(text);
        return m ? spliceReplacement(text, m.index, m, by) : undefined;
      },
      maxLength: Number.POSITIVE_INFINITY,
      wasCut: () => false,
    };
  }
  if (unsupported !== undefined) throw new PatternError(unsupported);
  return linearPattern(re2, kept, () => parsePattern(plain, kept, true).re2);
}

/** The text with a match replaced: `$1` is its first group, `$&` all of it, `$$` a dollar. */
function spliceReplacement(text: string, at: number, groups: readonly (string | undefined)[], by: string): string {
  const whole = groups[0] ?? '';
  const replacement = by.replace(/\$(\$|&|\d)/g, (_, what: string) =>
    what === '$' ? '$' : what === '&' ? whole : (groups[Number(what)] ?? ''),
  );
  return text.slice(0, at) + replacement + text.slice(at + whole.length);
}

/** Only a syntax check: V8 compiles on first use. */
function compileForV8(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : String(error); // bounded: an expression
    throw new PatternError(`invalid regular expression: ${why.toLowerCase()}`);
  }
}

/** `withGroups`: the same expression with the groups that a replacement may name. */
function linearPattern(source: string, flags: string, withGroups: () => string): Pattern {
  const programOf = (text: string) => compileForRe2(flags === '' ? text : `(?${flags})${text}`);
  const program = programOf(source);
  let grouped: RE2JS | undefined;
  const size = program.programSize();
  if (size > LARGEST) throw new PatternError('the expression is too large: use smaller numbers in {n,m}, or fewer of them');
  const most = Math.floor(MOST_WORK / size);
  let cut = false;
  const start = (text: string) => {
    if (text.length <= most) return text;
    cut = true;
    return text.slice(0, most);
  };
  return {
    test: (text) => program.test(start(text)),
    ranges(text) {
      const out: [number, number][] = [];
      const matcher = program.matcher(start(text));
      while (out.length < MOST_MARKED && matcher.find())
        if (matcher.end() > matcher.start()) out.push([matcher.start(), matcher.end()]);
      return out;
    },
    // Replaces only in whole texts: a cut text would lose its end.
    replaceFirst(text, by) {
      if (text.length > most || !program.test(text)) return undefined;
      grouped ??= programOf(withGroups());
      const matcher = grouped.matcher(text);
      if (!matcher.find()) return undefined;
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
      return spliceReplacement(text, matcher.start(), groups, by);
    },
    maxLength: most,
    wasCut: () => cut,
  };
}

function compileForRe2(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (/character class range|\\p/i.test(why))
      throw new PatternError('together with *, + or {n,}, \\p{…} has only short names: \\p{L}, \\p{Lu}, \\p{Script=Greek}');
    if (/repe/i.test(why)) throw new PatternError('a repetition of more than 1000: use smaller numbers in {n,m}');
    throw new PatternError(`together with *, + or {n,} this is not supported: ${why.toLowerCase()}`);
  }
}
