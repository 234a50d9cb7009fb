// Translates a valid regular expression of JavaScript in Unicode mode for RE2, and bounds the steps that a backtracking engine
// may need.
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/**
 * A part of an expression. `ways`: in how many ways it can match from one place, at most. `steps`: how many characters an engine
 * that tries all of them compares, at most. In a sequence, every way of a part is followed by all steps of the next, so
 * steps(AB) = steps(A) + ways(A) × steps(B) and ways(AB) = ways(A) × ways(B); alternatives add up; A{n,m} is the sequence of m
 * times A that may end after n. Nothing else backtracks, so the sum bounds the time from one place, and it is finite only if
 * all repetition is bounded.
 */
interface PatternPart {
  readonly ways: number;
  readonly steps: number;
  readonly re2: string;
}

const NOT_WITH_REPETITION = 'is not supported together with *, + or {n,}';
const UNSUPPORTED_SYNTAX: Readonly<Record<string, string>> = {
  '(?=': `(?=…) ${NOT_WITH_REPETITION}; for two texts in any order write /one.*two|two.*one/`,
  '(?!': `(?!…) ${NOT_WITH_REPETITION}; to exclude matches, filter by !/…/`,
  '(?<=': `(?<=…) ${NOT_WITH_REPETITION}; write the preceding text as part of the expression`,
  '(?<!': `(?<!…) ${NOT_WITH_REPETITION}; to exclude matches, filter by !/…/`,
  '(?i': `flags inside of the expression are not supported together with *, + or {n,}; write them at its end, as in /…/i`,
};

const LONG_S_AND_KELVIN = '\\x{17F}\\x{212A}';
const RE2_LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';

/** The characters of a set, as members of a class of RE2. */
const SET_MEMBERS: Readonly<Record<string, string>> = {
  d: '0-9',
  D: '\\x00-/:-\\x{10FFFF}',
  // JavaScript's white space and line ends, which include more characters than RE2's.
  s: '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}',
  S: '\\x00-\\x08\\x0E-\\x1F!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}',
  w: '0-9A-Za-z_',
  // Excludes the long s and the Kelvin sign, which are equal to s and K if case is ignored.
  W: '\\x00-/:-@\\[-\\^`{-\\x{17E}\\x{180}-\\x{2129}\\x{212B}-\\x{10FFFF}',
};

/**
 * Parses an expression. `groups`: keeps its groups as groups of RE2, which makes RE2 slower. `steps`: how many an engine takes from one position
 * of a text, at most; Infinity if repetition is unbounded. `unsupported`: syntax that RE2 lacks, and what to write instead.
 */
export function parsePattern(source: string, flags: string, groups = false) {
  const translator = new Translator(flags, groups);
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const { steps, re2 } = translator.alternatives(pattern.alternatives);
  return { steps, re2, unsupported: translator.lacks };
}

class Translator {
  lacks: string | undefined;
  private readonly anyCase: boolean;
  private readonly dotAll: boolean;

  constructor(
    flags: string,
    private readonly groups: boolean,
  ) {
    this.anyCase = flags.includes('i');
    this.dotAll = flags.includes('s');
  }

  alternatives(all: readonly AST.Alternative[]): PatternPart {
    const parts = all.map(({ elements }) => this.sequence(elements));
    const sum = (of: 'ways' | 'steps') => parts.reduce((n, part) => n + part[of], 0);
    return { ways: sum('ways'), steps: sum('steps'), re2: parts.map(({ re2 }) => re2).join('|') };
  }

  private sequence(elements: readonly AST.Element[]): PatternPart {
    let [ways, steps, re2] = [1, 0, ''];
    for (const element of elements) {
      const next = this.element(element);
      steps += ways * next.steps;
      ways *= next.ways;
      re2 += next.re2;
    }
    return { ways, steps, re2 };
  }

  private element(element: AST.Element): PatternPart {
    switch (element.type) {
      case 'Quantifier':
        return repeat(this.element(element.element), element);
      case 'Group':
      case 'CapturingGroup': {
        const { ways, steps, re2 } = this.alternatives(element.alternatives);
        if (element.type === 'Group' && element.modifiers) this.lacks ??= UNSUPPORTED_SYNTAX['(?i'];
        const open = this.groups && element.type === 'CapturingGroup' ? '(' : '(?:';
        return { ways, steps: steps + 1, re2: `${open}${re2})` };
      }
      case 'Assertion': {
        if (!('alternatives' in element)) return singleCharacter(element.raw);
        // Lookarounds are tried once: they cannot match in another way later.
        const { steps } = this.alternatives(element.alternatives);
        this.lacks ??= UNSUPPORTED_SYNTAX[/^\(\?<?[=!]/.exec(element.raw)?.[0] ?? ''];
        return { ways: 1, steps: steps + 1, re2: '' };
      }
      case 'Backreference':
        // A back reference may be as long as the text, so its number of steps is unbounded.
        this.lacks ??= `${element.raw} is not supported; write the text that is repeated`;
        return { ways: 1, steps: Number.POSITIVE_INFINITY, re2: '' };
      case 'CharacterClass':
        return singleCharacter(this.characterClass(element));
      case 'CharacterSet':
        if (element.kind === 'any') return singleCharacter(this.dotAll ? '.' : `[^${RE2_LINE_ENDS}]`);
        return singleCharacter(element.kind === 'property' ? this.member(element) : `[${this.member(element)}]`);
      case 'Character':
        return singleCharacter(hexEscape(element.value));
      default:
        throw new Error(`a ${element.type} is of the flag v`);
    }
  }

  private characterClass({ negate, elements }: AST.CharacterClass): string {
    if (elements.length === 0) return negate ? '[\\x00-\\x{10FFFF}]' : '[^\\x00-\\x{10FFFF}]';
    return `[${negate ? '^' : ''}${elements.map((element) => this.member(element)).join('')}]`;
  }

  /** A character, range or set as members of an RE2 class. */
  private member(element: AST.CharacterClassElement): string {
    if (element.type === 'Character') return hexEscape(element.value);
    if (element.type === 'CharacterClassRange') return `${hexEscape(element.min.value)}-${hexEscape(element.max.value)}`;
    const { raw } = element;
    if (/^\\p/i.test(raw)) {
      // With case folding, RE2 negates categories wrongly for some characters.
      if (raw[1] === 'P' && this.anyCase) this.lacks ??= `\\P{…} with the flag i ${NOT_WITH_REPETITION}; write [^\\p{…}]`;
      return raw.replace(/\{(?:sc|Script|scx|Script_Extensions|gc|General_Category)=/, '{');
    }
    return SET_MEMBERS[raw[1]] + (raw[1] === 'W' && !this.anyCase ? LONG_S_AND_KELVIN : '');
  }
}

function repeat(part: PatternPart, { min, max, raw, element }: AST.Quantifier): PatternPart {
  const re2 = `(?:${part.re2})${raw.slice(element.raw.length)}`;
  if (max === Number.POSITIVE_INFINITY) return { ways: max, steps: max, re2 };
  let [ways, steps, each] = [min === 0 ? 1 : 0, 1, 1];
  // The loop stops early, because a million steps are already too many.
  for (let k = 1; k <= max && steps < 1e6; k++) {
    steps += each * Math.max(1, part.steps);
    each *= part.ways;
    if (k >= min) ways += each;
  }
  return { ways: Math.max(1, ways), steps, re2 };
}

const singleCharacter = (re2: string): PatternPart => ({ ways: 1, steps: 1, re2 });
const hexEscape = (code: number) => `\\x{${code.toString(16)}}`;
