// The language of --fail-if:
//
//   LIMIT       SUBJECT COMPARISON [and COMPARISON ...] [beyond noise]
//               all of them must hold of the same row; beyond noise: only if the first difference is more than chance
//               law [WHICH] worse                          a routine grows faster than before
//   build failed                               a step of the build failed
//   SUBJECT     nothing: the whole profile; build; routine, step, target, header or test WHICH; any routine, step, ...
//   WHICH       /regular expression/imsu, or a name; in quotes if it has blanks
//   COMPARISON  [MEASURE] OPERATOR AMOUNT                  without a measure: that of the comparison before
//   MEASURE     EVENT (whole profile); self EVENT, inclusive EVENT, calls (routine); duration, durationMs (all of a build); work, chain, hits, misses (build)
//   OPERATOR    >  >=  <  <=
//   AMOUNT      1000 now; +500, -500 more or less than in the base; +5%, -5% of the base; 5% of total, +5% of total
//
// Numbers are like 1500000, 1_500_000, 1,500,000 or 1.5M (k, M, G, T); times may end in ns, us, ms, s, min.
import { ChoiceError } from '../../base/errors.ts';
import { compilePattern, type Pattern, PatternError } from '../../base/pattern.ts';
import { formatProblem } from '../../base/problem.ts';

/** Rows that a limit is about: all, those that match, or the one that is named. */
export type Which = 'any' | { readonly pattern: Pattern } | { readonly name: string };

/** A part of a build that has a duration. */
export type BuildPart = 'step' | 'target' | 'header' | 'test';

export type Subject =
  | { readonly kind: 'total' | 'build' | 'failed' }
  | { readonly kind: 'routine' | 'law' | BuildPart; readonly which: Which };

/** Work: the summed time of steps. Hits and misses: of a compiler cache. */
export type BuildMeasure = 'work' | 'chain' | 'hits' | 'misses';

export type Measure =
  | { readonly of: 'total' | 'self' | 'inclusive'; readonly event: string }
  | { readonly of: 'calls' | 'duration' | BuildMeasure };

export type Operator = '>' | '>=' | '<' | '<=';

/** A decimal number, exact: digits / scale. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: bigint;
}

export interface Amount {
  readonly value: Decimal;
  /** It has a sign: it is about how this run differs from the base, else about this run. */
  readonly differs: boolean;
  /** It is a percentage: of the base's value, or of the total. */
  readonly percentOf: 'base' | 'total' | undefined;
  /** Nanoseconds of the unit it was given in; undefined without one. */
  readonly ns: bigint | undefined;
  /** As it was written. */
  readonly text: string;
}

export interface Comparison {
  readonly measure: Measure;
  readonly operator: Operator;
  readonly amount: Amount;
}

export interface Limit {
  /** As it was written. */
  readonly expr: string;
  readonly subject: Subject;
  /** A law has none: it is worse, or not; nor has a build that failed. */
  readonly comparisons: readonly [Comparison, ...Comparison[]] | undefined;
  /** The difference must be more than chance. */
  readonly beyondNoise?: true;
}

/** The comparison with the base in a limit, as it was written; undefined if it is about this run alone. */
export function comparedPart({ subject, comparisons }: Limit): string | undefined {
  if (comparisons === undefined) return subject.kind === 'law' ? 'law worse' : undefined;
  return comparisons.find(({ amount }) => amount.differs)?.amount.text;
}

/** Throws ChoiceError, which says what was expected and shows where. */
export function parseLimit(text: string): Limit {
  const reader = new Reader(text);
  const subject = subjectIn(reader);
  if (subject.kind === 'law') {
    reader.need(WORSE, 'worse');
    reader.end('nothing after worse');
    return { expr: text, subject, comparisons: undefined };
  }
  if (subject.kind === 'failed') {
    reader.end('nothing after failed');
    return { expr: text, subject, comparisons: undefined };
  }
  const first = comparisonIn(reader, measureIn(reader, subject));
  const comparisons: [Comparison, ...Comparison[]] = [first];
  while (reader.take(AND) !== undefined) {
    const before = comparisons[comparisons.length - 1].measure;
    comparisons.push(comparisonIn(reader, reader.sees(OPERATOR) ? before : measureIn(reader, subject)));
  }
  const place = reader.place;
  const isBeyond = reader.take(BEYOND_NOISE) !== undefined;
  if (isBeyond && !first.amount.differs)
    reader.fail('beyond noise only after an amount with a sign, as in +5%', 'beyond noise', place);
  reader.end(isBeyond ? 'the end' : 'and, beyond noise, or the end');
  return { expr: text, subject, comparisons, ...(isBeyond ? { beyondNoise: true } : {}) };
}

// A word ends where a blank or an operator begins; an event that has such a name is written in quotes.
const ROUTINE = /routine(?![^\s<>])/y;
const BUILD = /build(?![^\s<>])/y;
const FAILED = /failed(?!\S)/y;
const LAW = /law(?![^\s<>])/y;
const ANY = /any(?![^\s<>])/y;
const WORSE = /worse(?!\S)/y;
const AND = /and(?![^\s<>])/y;
const PARTS: readonly (readonly [BuildPart, RegExp])[] = [
  ['step', /step(?![^\s<>])/y],
  ['target', /target(?![^\s<>])/y],
  ['header', /header(?![^\s<>])/y],
  ['test', /test(?![^\s<>])/y],
];
const SIDE = /(?:self|inclusive)(?![^\s<>])/y;
const CALLS = /calls(?![^\s<>])/y;
const DURATION = /duration(?:Ms)?(?![^\s<>])/y;
const BUILD_MEASURES: readonly (readonly [BuildMeasure, RegExp])[] = [
  ['work', /work(?![^\s<>])/y],
  ['chain', /chain(?![^\s<>])/y],
  ['hits', /hits(?![^\s<>])/y],
  ['misses', /misses(?![^\s<>])/y],
];
const OPERATOR = /[<>]=?/y;
const EVENT = /[^\s<>"']+/y;
const NAME = /\S+/y;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const PATTERN = /\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[imsu]*(?!\S)/sy;
const SIGN = /[+\-−]/y;
const NUMBER = /(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?(?![\d,_.])/y;
const SCALE = /[kKMGT](?![a-zA-Z])/y;
const PERCENT = /%/y;
const TIME = /(?:ns|us|µs|ms|s|min)(?![a-zA-Z])/y;
const BEYOND_NOISE = /beyond\s+noise(?!\S)/y;
const OF_TOTAL = /of\s+total(?!\S)/y;

const SCALES: ReadonlyMap<string, bigint> = new Map([
  ['k', 1000n],
  ['K', 1000n],
  ['M', 10n ** 6n],
  ['G', 10n ** 9n],
  ['T', 10n ** 12n],
]);
const TIMES: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['ms', 10n ** 6n],
  ['s', 10n ** 9n],
  ['min', 60n * 10n ** 9n],
]);

/** No cost has more, and sums with them are still quick. */
const MOST_DIGITS = 40;

/** Takes an expression to pieces, from left to right; blanks may stand before each. */
class Reader {
  private at = 0;

  constructor(private readonly text: string) {
    this.skip();
  }

  private skip(): void {
    while (this.at < this.text.length && this.text[this.at].trim() === '') this.at++;
  }

  /** Where the next piece begins. */
  get place(): number {
    return this.at;
  }

  sees(piece: RegExp): boolean {
    piece.lastIndex = this.at;
    return piece.test(this.text);
  }

  take(piece: RegExp): string | undefined {
    piece.lastIndex = this.at;
    const found = piece.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    this.skip();
    return found;
  }

  need(piece: RegExp, expected: string): string {
    return this.take(piece) ?? this.fail(expected);
  }

  /** The text taken since a place. */
  since(place: number): string {
    return this.text.slice(place, this.at).trimEnd();
  }

  end(expected: string): void {
    if (this.at < this.text.length) this.fail(expected);
  }

  fail(expected: string, found?: string, at = this.at): never {
    const rest = this.text.slice(at).trimEnd();
    const what = found ?? (rest === '' ? 'the end' : `"${rest}"`);
    const place = this.text.trim() === '' ? {} : { excerpt: this.text, column: at };
    throw new ChoiceError(formatProblem({ path: '--fail-if', expected, found: what, ...place }));
  }
}

function subjectIn(reader: Reader): Subject {
  const isAny = reader.take(ANY) !== undefined;
  const [kind] = PARTS.find(([, word]) => reader.take(word) !== undefined) ?? [reader.take(ROUTINE) && ('routine' as const)];
  if (kind) return { kind, which: isAny ? 'any' : whichIn(reader, kind) };
  if (isAny) reader.fail('routine, step, target, header or test after any');
  if (reader.take(BUILD) !== undefined) return { kind: reader.take(FAILED) === undefined ? 'build' : 'failed' };
  if (reader.take(LAW) === undefined) return { kind: 'total' };
  return { kind: 'law', which: reader.sees(WORSE) ? 'any' : whichIn(reader, 'routine') };
}

function whichIn(reader: Reader, what: 'routine' | BuildPart): Which {
  const expected = `the name of a ${what}, in quotes if it has blanks, or /regular expression/`;
  const place = reader.place;
  const source = reader.take(PATTERN);
  if (source === undefined) {
    if (reader.sees(/\/|["']/y) && !reader.sees(QUOTED)) reader.fail(`${expected}, with its end`);
    return { name: textIn(reader, NAME, expected) };
  }
  const end = source.lastIndexOf('/');
  try {
    return { pattern: compilePattern(source.slice(1, end), source.slice(end + 1)) };
  } catch (error) {
    if (error instanceof PatternError) reader.fail('a regular expression', error.message, place);
    throw error;
  }
}

/** A text in quotes, where \ stands before quotes and itself; or one without. */
function textIn(reader: Reader, plain: RegExp, expected: string): string {
  const quoted = reader.take(QUOTED);
  return quoted === undefined ? reader.need(plain, expected) : quoted.slice(1, -1).replace(/\\(["'\\])/g, '$1');
}

function measureIn(reader: Reader, { kind }: Subject): Measure {
  const event = () => textIn(reader, EVENT, 'the name of an event');
  switch (kind) {
    case 'total':
      if (reader.sees(OPERATOR) || reader.sees(/$/y))
        reader.fail('a limit, like Ir > +1%, any routine self Ir > +5% or build duration > +10%');
      return { of: 'total', event: event() };
    case 'routine':
      if (reader.take(CALLS) !== undefined) return { of: 'calls' };
      return { of: reader.need(SIDE, 'self EVENT, inclusive EVENT or calls') === 'self' ? 'self' : 'inclusive', event: event() };
    case 'build': {
      const [of] = BUILD_MEASURES.find(([, word]) => reader.take(word) !== undefined) ?? [];
      if (of) return { of };
      reader.need(DURATION, 'duration, work, chain, hits, misses or failed');
      return { of: 'duration' };
    }
    default:
      reader.need(DURATION, 'duration');
      return { of: 'duration' };
  }
}

function comparisonIn(reader: Reader, measure: Measure): Comparison {
  const operator = reader.need(OPERATOR, 'one of > >= < <=');
  return { measure, operator: operator as Operator, amount: amountIn(reader, measure) };
}

function amountIn(reader: Reader, measure: Measure): Amount {
  const place = reader.place;
  const sign = reader.take(SIGN);
  const [whole, fraction = ''] = reader.need(NUMBER, 'a number, like 1000, +500 or +5%').replace(/[,_]/g, '').split('.');
  if (whole.length + fraction.length > MOST_DIGITS) reader.fail(`a number of at most ${MOST_DIGITS} digits`, undefined, place);
  const factor = SCALES.get(reader.take(SCALE) ?? '') ?? 1n;
  const digits = BigInt(whole + fraction) * factor * (sign === undefined || sign === '+' ? 1n : -1n);
  const value = { digits, scale: 10n ** BigInt(fraction.length) };
  if (reader.take(PERCENT) === undefined) {
    const ns = TIMES.get(reader.take(TIME) ?? '');
    if (reader.sees(OF_TOTAL)) reader.fail('a percentage before of total', reader.since(place), place);
    return { value, differs: sign !== undefined, percentOf: undefined, ns, text: reader.since(place) };
  }
  const ofTotal = reader.take(OF_TOTAL) !== undefined;
  const text = reader.since(place);
  if (sign === undefined && !ofTotal) reader.fail('a sign before a percentage, as in +5%, or of total after it', text, place);
  if (ofTotal && !('event' in measure))
    reader.fail(`of total only for the costs of an event, not for ${measure.of}`, text, place);
  return { value, differs: sign !== undefined, percentOf: ofTotal ? 'total' : 'base', ns: undefined, text };
}
