// Reads a valid regular expression of JavaScript in Unicode mode, and translates it for RE2.
// It also bounds the steps that a backtracking engine may need.

export interface ParsedPattern {
  /** The maximum number of steps from one position of a text; Infinity if repetition is unbounded. */
  readonly steps: number;
  readonly re2: string;
  /** Syntax that RE2 lacks, and what to write instead. */
  readonly unsupported: string | undefined;
}

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

/** The characters of an escape, as members of a class of RE2. */
const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  t: '\\t',
  n: '\\n',
  v: '\\v',
  f: '\\f',
  r: '\\r',
  b: '\\x08',
  '0': '\\x00',
  d: '0-9',
  D: '\\x00-/:-\\x{10FFFF}',
  // JavaScript's white space and line ends, which include more characters than RE2's.
  s: '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}',
  S: '\\x00-\\x08\\x0E-\\x1F!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}',
  w: '0-9A-Za-z_',
  // Excludes the long s and the Kelvin sign, which are equal to s and K if case is ignored.
  W: '\\x00-/:-@\\[-\\^`{-\\x{17E}\\x{180}-\\x{2129}\\x{212B}-\\x{10FFFF}',
};

/** Parses an expression. `groups`: keeps its groups as groups of RE2, which makes RE2 slower. */
export function parsePattern(source: string, flags: string, groups = false): ParsedPattern {
  const reader = new PatternParser(source, flags, groups);
  const { steps, re2 } = reader.parseAlternatives();
  return { steps, re2, unsupported: reader.lacks };
}

class PatternParser {
  lacks: string | undefined;
  private at = 0;
  private readonly anyCase: boolean;
  private readonly dotAll: boolean;

  constructor(
    private readonly text: string,
    flags: string,
    private readonly groups: boolean,
  ) {
    this.anyCase = flags.includes('i');
    this.dotAll = flags.includes('s');
  }

  /** Consumes `wanted` if it comes next. */
  private consume(wanted: string): boolean {
    if (!this.text.startsWith(wanted, this.at)) return false;
    this.at += wanted.length;
    return true;
  }

  /** Consumes the next match of a sticky expression. */
  private consumeMatch(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    const m = sticky.exec(this.text);
    if (m) this.at += m[0].length;
    return m ?? undefined;
  }

  /** Parses alternatives, up to the end or a closing parenthesis. */
  parseAlternatives(): PatternPart {
    let { ways, steps, re2 } = this.parseSequence();
    while (this.consume('|')) {
      const next = this.parseSequence();
      ways += next.ways;
      steps += next.steps;
      re2 += `|${next.re2}`;
    }
    return { ways, steps, re2 };
  }

  private parseSequence(): PatternPart {
    let ways = 1;
    let steps = 0;
    let re2 = '';
    while (this.at < this.text.length && this.text[this.at] !== '|' && this.text[this.at] !== ')') {
      const next = this.parseRepetition(this.parseAtom());
      steps += ways * next.steps;
      ways *= next.ways;
      re2 += next.re2;
    }
    return { ways, steps, re2 };
  }

  private parseRepetition(part: PatternPart): PatternPart {
    const m = this.consumeMatch(/([*+?]|\{(\d+)(,(\d*))?\})(\??)/y);
    if (!m) return part;
    const [, sign, least, more, greatest] = m;
    const re2 = `(?:${part.re2})${m[0]}`;
    const max =
      sign === '?'
        ? 1
        : sign === '*' || sign === '+' || greatest === ''
          ? Number.POSITIVE_INFINITY
          : Number(more ? greatest : least);
    const min = sign === '?' ? 0 : Number(least ?? 0);
    if (max === Number.POSITIVE_INFINITY) return { ways: max, steps: max, re2 };
    let ways = min === 0 ? 1 : 0;
    let steps = 1;
    let each = 1;
    // The loop stops early, because a million steps are already too many.
    for (let k = 1; k <= max && steps < 1e6; k++) {
      steps += each * Math.max(1, part.steps);
      each *= part.ways;
      if (k >= min) ways += each;
    }
    return { ways: Math.max(1, ways), steps, re2 };
  }

  private parseAtom(): PatternPart {
    const c = this.text[this.at];
    if (c === '(') return this.parseGroup();
    if (c === '[') return singleCharacter(this.parseClass());
    if (c === '\\') return this.parseEscape();
    this.at += (this.text.codePointAt(this.at) ?? 0) > 0xffff ? 2 : 1;
    if (c === '.') return singleCharacter(this.dotAll ? '.' : `[^${RE2_LINE_ENDS}]`);
    return singleCharacter(this.text.slice(this.at - (c >= '\ud800' && c <= '\udbff' ? 2 : 1), this.at));
  }

  private parseGroup(): PatternPart {
    const open = this.consumeMatch(/\((?:\?(?:<?[=!]|<[^>]*>|:|[a-z-]+:))?/y)?.[0] ?? '';
    const part = this.parseAlternatives();
    this.at++;
    const isLookaround = /^\(\?<?[=!]$/.test(open);
    if (isLookaround || /^\(\?[a-z-]/.test(open)) this.lacks ??= UNSUPPORTED_SYNTAX[isLookaround ? open : '(?i'];
    // Lookarounds are tried once: they cannot match in another way later.
    const captures = this.groups && (open === '(' || /^\(\?<[^=!]/.test(open));
    return { ways: isLookaround ? 1 : part.ways, steps: part.steps + 1, re2: `${captures ? '(' : '(?:'}${part.re2})` };
  }

  private parseEscape(): PatternPart {
    const m = this.consumeMatch(/\\(?:[1-9]\d*|k<[^>]*>|[bB])/y);
    if (m) {
      if (/b/i.test(m[0])) return singleCharacter(m[0]);
      // A back reference may be as long as the text, so its number of steps is unbounded.
      this.lacks ??= `${m[0]} is not supported; write the text that is repeated`;
      return { ways: 1, steps: Number.POSITIVE_INFINITY, re2: '' };
    }
    const inClass = this.parseMember();
    return singleCharacter(inClass.startsWith('\\p') || inClass.startsWith('\\P') ? inClass : `[${inClass}]`);
  }

  private parseClass(): string {
    this.at++;
    const negated = this.consume('^');
    let members = '';
    while (!this.consume(']')) {
      members += this.parseMember();
      if (this.text[this.at] === '-' && this.text[this.at + 1] !== ']') {
        this.at++;
        members += `-${this.parseMember()}`;
      }
    }
    if (members === '') return negated ? '[\\x00-\\x{10FFFF}]' : '[^\\x00-\\x{10FFFF}]';
    return `[${negated ? '^' : ''}${members}]`;
  }

  /** Parses a character or an escape as a member of an RE2 class. */
  private parseMember(): string {
    if (this.text[this.at] !== '\\') {
      const code = this.text.codePointAt(this.at) ?? 0;
      this.at += code > 0xffff ? 2 : 1;
      return hexEscape(code);
    }
    const category = this.consumeMatch(/\\([pP])\{(?:(?:sc|Script|scx|Script_Extensions|gc|General_Category)=)?([^}]*)\}/y); // bounded: an expression
    if (category) {
      // With case folding, RE2 negates categories wrongly for some characters.
      if (category[1] === 'P' && this.anyCase) this.lacks ??= `\\P{…} with the flag i ${NOT_WITH_REPETITION}; write [^\\p{…}]`;
      return `\\${category[1]}{${category[2]}}`;
    }
    const number = this.consumeMatch(/\\(?:u([dD][89abAB]..)\\u([dD][c-fC-F]..)|u\{([^}]*)\}|u(....)|x(..)|c([A-Za-z]))/y);
    if (number) {
      const [, high, low, braced, four, two, control] = number;
      if (high) return hexEscape(0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff));
      return hexEscape(control ? control.charCodeAt(0) & 31 : Number.parseInt(braced ?? four ?? two, 16));
    }
    this.at += 2;
    const c = this.text[this.at - 1];
    const members = CLASS_ESCAPES[c] ?? hexEscape(c.charCodeAt(0));
    return c === 'W' && !this.anyCase ? members + LONG_S_AND_KELVIN : members;
  }
}

const singleCharacter = (re2: string): PatternPart => ({ ways: 1, steps: 1, re2 });
const hexEscape = (code: number) => `\\x{${code.toString(16)}}`;
