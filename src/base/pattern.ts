// A user's regular expression, run by an engine that it cannot keep busy. Both engines give it the same meaning.
// V8 runs it if few ways to match are possible at each position; otherwise re2js runs it in linear time.
import { RE2JS } from 're2js';
import { parsePattern } from './pattern-grammar.ts';

/** Thrown for an invalid or unsupported expression; the message says what to write instead. */
export class PatternError extends Error {}

export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Finds the matches: starts and ends of non-empty matches, in ascending order. */
  readonly ranges: (text: string) => (readonly [from: number, to: number])[];
  /** Replaces the first match in a text; `$1` inserts its first group. undefined without a match. */
  readonly replaceFirst: (text: string, by: string) => string | undefined;
  /** The number of characters of each text that are searched. */
  readonly maxLength: number;
  /** Whether any text was longer than `maxLength`. */
  readonly wasCut: () => boolean;
}

/** The maximum length of an expression, because reading an expression takes time, too. */
const MAX_EXPRESSION_LENGTH = 1000;
/** The maximum steps of V8 from one position of a text. A text of a million characters then takes less than 100 ms. */
const MAX_BACKTRACK_STEPS = 100;
/** The maximum work of re2js: instructions of an expression times characters of a text. At 17 ns each, this takes 100 ms. */
const MAX_RE2_WORK = 5_000_000;
/** The maximum number of matches that re2js finds in a text, because each may take as long as the whole text. */
const MAX_RE2_MATCHES = 50;
/** The maximum number of instructions of a compiled expression, so that 5,000 characters of each text can be searched. */
const MAX_RE2_INSTRUCTIONS = 1000;

/** Compiles an expression in Unicode mode; throws PatternError. `flags`: any of i, m, s and u; u changes nothing. */
export function compilePattern(source: string, flags: string): Pattern {
  if (source.length > MAX_EXPRESSION_LENGTH)
    throw new PatternError(`an expression of ${source.length} characters; at most ${MAX_EXPRESSION_LENGTH} are allowed`);
  // Users may escape punctuation without need, as in \< or \-, which JavaScript refuses.
  const plain = source.replace(/\\([\s\S])/g, (both, c: string) =>
    /[ !"#%&',:;<=>@`~_]/.test(c) ? c : c === '-' ? '\\x2d' : both,
  );
  const kept = [...new Set(flags)].filter((f) => 'ims'.includes(f)).join('');
  const v8 = compileForV8(plain, kept);
  const { steps, re2, unsupported } = parsePattern(plain, kept);
  if (steps <= MAX_BACKTRACK_STEPS) {
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
  return compileLinearPattern(re2, kept, () => parsePattern(plain, kept, true).re2);
}

/** Replaces a match in a text: `$1` is its first group, `$&` the whole match, `$$` a dollar sign. */
function spliceReplacement(text: string, at: number, groups: readonly (string | undefined)[], by: string): string {
  const whole = groups[0] ?? '';
  const replacement = by.replace(/\$(\$|&|\d)/g, (_, what: string) =>
    what === '$' ? '$' : what === '&' ? whole : (groups[Number(what)] ?? ''),
  );
  return text.slice(0, at) + replacement + text.slice(at + whole.length);
}

/** Checks the syntax of an expression for V8, which compiles it on first use. */
function compileForV8(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, '') : String(error); // bounded: an expression
    throw new PatternError(`invalid regular expression: ${why.toLowerCase()}`);
  }
}

/** Compiles an expression for re2js. `withGroups`: returns the same expression with groups for a replacement to use. */
function compileLinearPattern(source: string, flags: string, withGroups: () => string): Pattern {
  const programOf = (text: string) => compileForRe2(flags === '' ? text : `(?${flags})${text}`);
  const program = programOf(source);
  let grouped: RE2JS | undefined;
  const size = program.programSize();
  if (size > MAX_RE2_INSTRUCTIONS)
    throw new PatternError('the expression is too large: use smaller numbers in {n,m}, or fewer of them');
  const most = Math.floor(MAX_RE2_WORK / size);
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
      while (out.length < MAX_RE2_MATCHES && matcher.find())
        if (matcher.end() > matcher.start()) out.push([matcher.start(), matcher.end()]);
      return out;
    },
    // Only whole texts are replaced, because a cut text would lose its end.
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
