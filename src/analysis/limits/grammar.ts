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
export type RowSelection = 'any' | { readonly pattern: Pattern } | { readonly name: string };

/** A part of a build that has a duration. */
export type BuildPart = 'step' | 'target' | 'header' | 'test';

export type Subject =
  | { readonly kind: 'total' | 'build' | 'failed' }
  | { readonly kind: 'routine' | 'law' | BuildPart; readonly which: RowSelection };

/** Work: the summed time of steps. Hits and misses: of a compiler cache. */
export type BuildMeasure = 'work' | 'chain' | 'hits' | 'misses';

export type LimitMeasure =
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
  /** Whether the amount has a sign: then it limits the difference from the base, else this run's value. */
  readonly isDifference: boolean;
  /** It is a percentage: of the base's value, or of the total. */
  readonly percentOf: 'base' | 'total' | undefined;
  /** Nanoseconds of the unit it was given in; undefined without one. */
  readonly ns: bigint | undefined;
  /** The amount as the user wrote it. */
  readonly text: string;
}

export interface Comparison {
  readonly measure: LimitMeasure;
  readonly operator: Operator;
  readonly amount: Amount;
}

export interface Limit {
  /** The limit as the user wrote it. */
  readonly expr: string;
  readonly subject: Subject;
  /** Undefined for laws and for failed builds, which have no amount to compare. */
  readonly comparisons: readonly [Comparison, ...Comparison[]] | undefined;
  /** The difference must be more than chance. */
  readonly beyondNoise?: true;
}

/** The amount that compares with the base, as written; undefined if the limit concerns only this run. */
export function baseComparisonText({ subject, comparisons }: Limit): string | undefined {
  if (comparisons === undefined) return subject.kind === 'law' ? 'law worse' : undefined;
  return comparisons.find(({ amount }) => amount.isDifference)?.amount.text;
}

/** Throws ChoiceError, which shows the expected text and the position of the error. */
export function parseLimit(text: string): Limit {
  const reader = new LimitParser(text);
  const subject = parseSubject(reader);
  if (subject.kind === 'law') {
    reader.expect(WORSE, 'worse');
    reader.expectEnd('nothing after worse');
    return { expr: text, subject, comparisons: undefined };
  }
  if (subject.kind === 'failed') {
    reader.expectEnd('nothing after failed');
    return { expr: text, subject, comparisons: undefined };
  }
  const first = parseComparison(reader, parseMeasure(reader, subject));
  const comparisons: [Comparison, ...Comparison[]] = [first];
  while (reader.consume(AND) !== undefined) {
    const before = comparisons[comparisons.length - 1].measure;
    comparisons.push(parseComparison(reader, reader.matchesNext(OPERATOR) ? before : parseMeasure(reader, subject)));
  }
  const noiseStart = reader.position;
  const isBeyond = reader.consume(BEYOND_NOISE) !== undefined;
  if (isBeyond && !first.amount.isDifference)
    reader.fail('beyond noise only after an amount with a sign, as in +5%', 'beyond noise', noiseStart);
  reader.expectEnd(isBeyond ? 'the end' : 'and, beyond noise, or the end');
  return { expr: text, subject, comparisons, ...(isBeyond ? { beyondNoise: true } : {}) };
}

// A keyword ends at a blank or an operator. Event names that are keywords must be quoted.
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

/** Consumes the tokens of an expression from left to right, and skips blanks between them. */
class LimitParser {
  private offset = 0;

  constructor(private readonly text: string) {
    this.skip();
  }

  private skip(): void {
    while (this.offset < this.text.length && this.text[this.offset].trim() === '') this.offset++;
  }

  /** The position of the next token. */
  get position(): number {
    return this.offset;
  }

  matchesNext(piece: RegExp): boolean {
    piece.lastIndex = this.offset;
    return piece.test(this.text);
  }

  consume(piece: RegExp): string | undefined {
    piece.lastIndex = this.offset;
    const found = piece.exec(this.text)?.[0];
    this.offset += found?.length ?? 0;
    this.skip();
    return found;
  }

  expect(piece: RegExp, expected: string): string {
    return this.consume(piece) ?? this.fail(expected);
  }

  /** The text taken since a place. */
  textSince(place: number): string {
    return this.text.slice(place, this.offset).trimEnd();
  }

  expectEnd(expected: string): void {
    if (this.offset < this.text.length) this.fail(expected);
  }

  fail(expected: string, found?: string, at = this.offset): never {
    const rest = this.text.slice(at).trimEnd();
    const what = found ?? (rest === '' ? 'the end' : `"${rest}"`);
    const place = this.text.trim() === '' ? {} : { excerpt: this.text, column: at };
    throw new ChoiceError(formatProblem({ path: '--fail-if', expected, found: what, ...place }));
  }
}

function parseSubject(reader: LimitParser): Subject {
  const isAny = reader.consume(ANY) !== undefined;
  const [kind] = PARTS.find(([, word]) => reader.consume(word) !== undefined) ?? [
    reader.consume(ROUTINE) && ('routine' as const),
  ];
  if (kind) return { kind, which: isAny ? 'any' : parseRowSelection(reader, kind) };
  if (isAny) reader.fail('routine, step, target, header or test after any');
  if (reader.consume(BUILD) !== undefined) return { kind: reader.consume(FAILED) === undefined ? 'build' : 'failed' };
  if (reader.consume(LAW) === undefined) return { kind: 'total' };
  return { kind: 'law', which: reader.matchesNext(WORSE) ? 'any' : parseRowSelection(reader, 'routine') };
}

function parseRowSelection(reader: LimitParser, what: 'routine' | BuildPart): RowSelection {
  const expected = `the name of a ${what}, in quotes if it has blanks, or /regular expression/`;
  const start = reader.position;
  const source = reader.consume(PATTERN);
  if (source === undefined) {
    if (reader.matchesNext(/\/|["']/y) && !reader.matchesNext(QUOTED)) reader.fail(`${expected}, with its end`);
    return { name: parseText(reader, NAME, expected) };
  }
  const end = source.lastIndexOf('/');
  try {
    return { pattern: compilePattern(source.slice(1, end), source.slice(end + 1)) };
  } catch (error) {
    if (error instanceof PatternError) reader.fail('a regular expression', error.message, start);
    throw error;
  }
}

/** A quoted text, with \ before quotes and backslashes; or an unquoted one. */
function parseText(reader: LimitParser, plain: RegExp, expected: string): string {
  const quoted = reader.consume(QUOTED);
  return quoted === undefined ? reader.expect(plain, expected) : quoted.slice(1, -1).replace(/\\(["'\\])/g, '$1');
}

function parseMeasure(reader: LimitParser, { kind }: Subject): LimitMeasure {
  const event = () => parseText(reader, EVENT, 'the name of an event');
  switch (kind) {
    case 'total':
      if (reader.matchesNext(OPERATOR) || reader.matchesNext(/$/y))
        reader.fail('a limit, like Ir > +1%, any routine self Ir > +5% or build duration > +10%');
      return { of: 'total', event: event() };
    case 'routine':
      if (reader.consume(CALLS) !== undefined) return { of: 'calls' };
      return {
        of: reader.expect(SIDE, 'self EVENT, inclusive EVENT or calls') === 'self' ? 'self' : 'inclusive',
        event: event(),
      };
    case 'build': {
      const [of] = BUILD_MEASURES.find(([, word]) => reader.consume(word) !== undefined) ?? [];
      if (of) return { of };
      reader.expect(DURATION, 'duration, work, chain, hits, misses or failed');
      return { of: 'duration' };
    }
    default:
      reader.expect(DURATION, 'duration');
      return { of: 'duration' };
  }
}

function parseComparison(reader: LimitParser, measure: LimitMeasure): Comparison {
  const operator = reader.expect(OPERATOR, 'one of > >= < <=');
  return { measure, operator: operator as Operator, amount: parseAmount(reader, measure) };
}

function parseAmount(reader: LimitParser, measure: LimitMeasure): Amount {
  const start = reader.position;
  const sign = reader.consume(SIGN);
  const [whole, fraction = ''] = reader.expect(NUMBER, 'a number, like 1000, +500 or +5%').replace(/[,_]/g, '').split('.');
  if (whole.length + fraction.length > MOST_DIGITS) reader.fail(`a number of at most ${MOST_DIGITS} digits`, undefined, start);
  const factor = SCALES.get(reader.consume(SCALE) ?? '') ?? 1n;
  const digits = BigInt(whole + fraction) * factor * (sign === undefined || sign === '+' ? 1n : -1n);
  const value = { digits, scale: 10n ** BigInt(fraction.length) };
  if (reader.consume(PERCENT) === undefined) {
    const ns = TIMES.get(reader.consume(TIME) ?? '');
    if (reader.matchesNext(OF_TOTAL)) reader.fail('a percentage before of total', reader.textSince(start), start);
    return { value, isDifference: sign !== undefined, percentOf: undefined, ns, text: reader.textSince(start) };
  }
  const ofTotal = reader.consume(OF_TOTAL) !== undefined;
  const text = reader.textSince(start);
  if (sign === undefined && !ofTotal) reader.fail('a sign before a percentage, as in +5%, or of total after it', text, start);
  if (ofTotal && !('event' in measure))
    reader.fail(`of total only for the costs of an event, not for ${measure.of}`, text, start);
  return { value, isDifference: sign !== undefined, percentOf: ofTotal ? 'total' : 'base', ns: undefined, text };
}
