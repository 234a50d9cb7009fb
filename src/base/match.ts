// Filters and searches: the letters of a name, or /regular expression/. A leading ! inverts either.

import fuzzysort from 'fuzzysort';
import { attempt } from './attempt.ts';
import { type FilterConditions, parseConditions } from './conditions.ts';
import { type BytesScan, type BytesTest, compileLettersTest, compileScan, MAX_PATTERN_LETTERS } from './letters.ts';
import { memo } from './lists.ts';
import { compilePattern, type Pattern, PatternError } from './pattern.ts';
import { Background, type Sliced } from './slices.ts';

/** Finds where a text matches: starts and ends, in ascending order. */
export type FindRanges = (text: string) => readonly (readonly [from: number, to: number])[];

export interface Matcher {
  readonly test: (text: string) => boolean;
  /** Finds the matches in a text that passes. Absent if nothing is marked: an inverted filter. */
  readonly ranges?: FindRanges;
  /** The substring test of a filter by letters. If any row passes it, matches of scattered letters do not count. */
  readonly literal?: (text: string) => boolean;
  /** The test that an inverted filter negates. A row with several texts is excluded if any of them passes it. */
  readonly not?: (text: string) => boolean;
  /** The parts of a regular expression. */
  readonly pattern?: Pattern;
  /** Conditions on columns, which the texts of a row do not tell: `test` passes all rows. */
  readonly conditions?: FilterConditions;
  /** The same tests on undecoded names, for ASCII patterns: decoding a million names would take as long as testing them. */
  readonly bytes?: { readonly literal: BytesScan; readonly letters: BytesTest };
}

/** Whether a row with several texts matches: at least one does or, for an inverted filter, none does. */
export const matchesAny = ({ not, test }: Matcher, texts: readonly string[]): boolean =>
  not ? !texts.some(not) : texts.some(test);

/** The note that a filter matched scattered letters, because no name contains its text. */
export const BY_LETTERS_NOTE = 'by letters: no name has the text itself';

/**
 * The progress of a filter from 0 to 1, and whether it matches scattered letters because no name contains its text. `wrong`: why its
 * conditions cannot be tested, so that nothing passes.
 */
export interface FilterProgress {
  readonly usesLetters: boolean;
  readonly done: boolean;
  readonly share: number;
  readonly wrong?: string | undefined;
}

/** The end of a view's status text: the progress of its filter, and how it matched. Empty without a filter. */
export function filterStatusText(matcher: Matcher | undefined, found: FilterProgress | undefined): string {
  const progressText = found && !found.done ? `, ${Math.floor(100 * found.share)}% searched` : '';
  if (found?.wrong !== undefined) return `, filter ${found.wrong.split(';')[0]}`;
  return `${progressText}${found?.usesLetters ? `, ${BY_LETTERS_NOTE}` : ''}${matcher ? searchCutNote(matcher) : ''}`;
}

/** The note that long texts were searched only up to a limit. */
export const searchCutNote = ({ pattern }: Pick<Matcher, 'pattern'>) =>
  pattern?.wasCut() ? `, long names only to character ${pattern.maxLength}` : '';

export { PatternError };

/** Compiles `text`; empty text matches everything. Throws PatternError, and ChoiceError for conditions. */
export function compileFilter(text: string, columns?: () => readonly string[]): Matcher {
  let pattern = text.trim();
  const conditions = parseConditions(pattern, columns);
  // A word that is no pattern is refused here, not where rows are tested.
  for (const term of conditions?.flat() ?? []) if ('word' in term) compileFilter(term.word);
  if (conditions) return { test: () => true, conditions };
  if (pattern === '' || pattern === '!') return { test: () => true };
  const invert = pattern.startsWith('!');
  if (invert) pattern = pattern.slice(1).trim();
  const re = /^\/(.+?)(?:\/([imsu]*))?$/.exec(pattern); // bounded: what follows a slash is looked at once
  const plain = pattern.toLowerCase();
  const literal = (s: string) => s.toLowerCase().includes(plain);
  if (re) {
    const pattern = compilePattern(re[1], re[2] ?? '');
    const { test, ranges } = pattern;
    return invert ? { test: (s) => !test(s), not: test, pattern } : { test, ranges, pattern };
  }
  // Only literal matches are excluded: scattered letters in a long name are no reason to drop it.
  if (invert) return { test: (s) => !literal(s), not: literal };
  const code = encoder.encode(plain);
  const scattered = lettersTest(plain);
  const isAscii = code.length === plain.length;
  const scans = isAscii ? { bytes: { literal: compileScan(code), letters: scattered } } : {};
  return { test: (s) => literal(s) || testBytes(scattered, s), literal, ranges: literalRanges(plain, true), ...scans };
}

/** The test for the letters of an abbreviation, in order (letters.ts); nothing passes it if they are too many. */
function lettersTest(text: string): BytesTest {
  const wanted = encoder.encode(text.toLowerCase().replace(/\s+/g, ''));
  return wanted.length > 0 && wanted.length <= MAX_PATTERN_LETTERS ? compileLettersTest(wanted) : () => false;
}

function testBytes(test: BytesTest, text: string): boolean {
  const bytes = encoder.encode(text);
  return test(bytes, 0, bytes.length);
}

/** How well a text matches a search, best first; a search for a regular expression has only INSIDE. */
export const MATCH_RANKS = { WHOLE: 0, START: 1, WORD_START: 2, INSIDE: 3, BY_LETTERS: 4 } as const;
type MatchRank = (typeof MATCH_RANKS)[keyof typeof MATCH_RANKS];

/** A search for a /regular expression/ or a literal text. As with vim's smartcase, a text without capitals ignores case. */
export interface CompiledSearch {
  readonly test: (text: string) => boolean;
  readonly ranges: FindRanges;
  /** How well a text matches; undefined if it does not. Parameters do not count: `malloc` is the whole of `malloc(unsigned)`. */
  readonly rank: (text: string, alsoByLetters: boolean) => MatchRank | undefined;
  /** The text to search for; absent for a regular expression. */
  readonly literal?: string;
  /** Tests undecoded names for the letters of the text, in order. Such a match counts only where no name has the text itself. */
  readonly letters?: BytesTest;
  readonly pattern?: Pattern;
}

/** Compiles a search; undefined while the text is not a valid regular expression. */
export const tryCompileSearch = (text: string): CompiledSearch | undefined =>
  attempt<CompiledSearch | undefined>(() => compileSearch(text), undefined, PatternError);

/** Compiles a search; throws PatternError. Equal texts give the same functions, so results can be cached by them. */
export const compileSearch = memo((text: string): CompiledSearch => {
  const re = /^\/(.+)\/([imsu]*)$/.exec(text); // bounded: what follows a slash is looked at once
  if (re) {
    const pattern = compilePattern(re[1], re[2]);
    const { test, ranges } = pattern;
    return { test, ranges, rank: (s) => (test(s) ? MATCH_RANKS.INSIDE : undefined), pattern };
  }
  const anyCase = text === text.toLowerCase();
  const inCase = (s: string) => (anyCase ? s.toLowerCase() : s);
  const letters = lettersTest(text);
  const rank = (s: string, alsoByLetters: boolean) =>
    literalRank(inCase(s), text) ?? (alsoByLetters && text !== '' && testBytes(letters, s) ? MATCH_RANKS.BY_LETTERS : undefined);
  return { test: (s) => inCase(s).includes(text), ranges: literalRanges(text, anyCase), rank, literal: text, letters };
});

function literalRank(name: string, text: string): MatchRank | undefined {
  const at = name.indexOf(text);
  if (at < 0) return undefined;
  const { WHOLE, START, WORD_START, INSIDE } = MATCH_RANKS;
  if (at === 0) return name.length === text.length || name[text.length] === '(' ? WHOLE : START;
  for (let i = at; i >= 0; i = name.indexOf(text, i + 1)) if (!/[\p{L}\p{N}]/u.test(name[i - 1])) return WORD_START;
  return INSIDE;
}

function literalRanges(text: string, anyCase: boolean): FindRanges {
  return (s) => {
    const within = anyCase ? s.toLowerCase() : s;
    const out: [number, number][] = [];
    // A few characters change their length when their case changes. Then positions would be wrong.
    if (text === '' || within.length !== s.length) return out;
    for (let at = within.indexOf(text); at >= 0; at = within.indexOf(text, at + text.length)) out.push([at, at + text.length]);
    return out;
  };
}

const encoder = new TextEncoder();

const MAX_TYPING_ERRORS = 2;

/** `; did you mean routines?` if a choice is close to the word; else ''. */
export function suggestionFor(word: string, choices: readonly string[]): string {
  const most = Math.min(MAX_TYPING_ERRORS, word.length >> 1);
  const [best] = choices
    .map((choice) => ({ choice, errors: typingErrors(word.toLowerCase(), choice.toLowerCase()) }))
    .sort((a, b) => a.errors - b.errors);
  return best && best.errors <= most ? `; did you mean ${best.choice}?` : '';
}

/** `no such view; there are summary, routines; did you mean routines?` */
export const noSuchText = (noun: string, word: string, choices: readonly string[]): string =>
  `no such ${noun}; there are ${choices.join(', ')}${suggestionFor(word, choices)}`;

/** The number of letters inserted, left out, replaced or swapped with their neighbour (optimal string alignment). */
function typingErrors(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (isSame ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}

/** The choices that match the query, best first; for an empty query all of them, in their original order. */
export function rankChoices<T>(query: string, choices: readonly T[], text: (choice: T) => string, threshold = 0.2): T[] {
  if (query.trim() === '') return [...choices];
  return fuzzysort.go(query, choices as T[], { key: (c: T) => text(c), limit: 0, threshold }).map((r) => r.obj as T);
}

/** A filter that works in slices, so that no key press has to wait: run() works for about `ms` milliseconds and returns true once done. */
export interface SlicedFilter extends FilterProgress {
  run(ms: number): boolean;
}

export class IncrementalFilter<T> implements SlicedFilter {
  /** 1 for rows known to pass so far. */
  readonly hit: Uint8Array;
  done = false;
  /** Whether no row passes the first test, so that the second one is used. */
  usesLetters = false;
  /** Why no row passes: conditions that cannot be tested. */
  readonly wrong?: string | undefined;
  private looked = 0;
  private passing: readonly T[] | undefined;
  private readonly job: Background<void>;

  /** Takes several tests. A test is used only if no row passes the tests before it. */
  constructor(
    readonly rows: readonly T[],
    ...tests: ((row: T) => boolean)[]
  ) {
    this.hit = new Uint8Array(rows.length);
    this.job = new Background(this.testRows(tests));
  }

  private *testRows(tests: readonly ((row: T) => boolean)[]): Sliced<void> {
    const { rows, hit } = this;
    for (const [k, test] of tests.entries()) {
      this.usesLetters = k > 0;
      for (this.looked = 0; this.looked < rows.length; this.looked++) {
        if (test(rows[this.looked])) hit[this.looked] = 1;
        // Testing one row may take as long as a slice.
        yield;
      }
      if (hit.includes(1)) return;
    }
  }

  /** Progress, from 0 to 1. */
  get share(): number {
    return this.done ? 1 : this.looked / (this.rows.length || 1);
  }

  /** Works for about `ms` milliseconds; true once done. */
  run(ms: number): boolean {
    if (this.done) return true;
    this.passing = undefined;
    this.done = this.job.run(ms);
    return this.done;
  }

  /** Runs for `ms` milliseconds if it has not started yet, so that the first caller finds rows. */
  runOnce(ms: number): this {
    if (!this.job.hasBegun) this.run(ms);
    return this;
  }

  /** The rows known to pass so far: one and the same list until the next slice. */
  passingRows(): readonly T[] {
    this.passing ??= this.rows.filter((_, i) => this.hit[i] === 1);
    return this.passing;
  }
}

/** The rows a filter keeps: those that contain its text or, if no row does, those that match its letters. */
export function incrementalFilter<T>(matcher: Matcher, rows: readonly T[], texts: (row: T) => readonly string[]) {
  const { literal } = matcher;
  const whole = (row: T) => matchesAny(matcher, texts(row));
  return literal ? new IncrementalFilter(rows, (row: T) => texts(row).some(literal), whole) : new IncrementalFilter(rows, whole);
}
