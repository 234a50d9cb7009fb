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
// Numbers are like 1500000, 1_500_000, 1,500,000 or 1.5M (k, M, G, T); times may end in ns, us, ms, s, min, memory in B, KiB, MiB, GiB.
import { ChoiceError } from '../../base/errors.ts';
import { compilePattern, type Pattern, PatternError } from '../../base/pattern.ts';
import { formatProblem } from '../../base/problem.ts';
import { unitFactor } from '../../base/units.ts';

/** Rows that a limit is about: all, those that match, or the one that is named. */
export type RowSelection = 'any' | { readonly pattern: Pattern } | { readonly name: string };

const BUILD_PARTS = ['step', 'target', 'header', 'test'] as const;
export type BuildPart = (typeof BUILD_PARTS)[number];

export type LimitSubject =
  | { readonly kind: 'total' | 'build' | 'failed' }
  | { readonly kind: 'routine' | 'law' | BuildPart; readonly which: RowSelection };

/** Work: the summed time of steps. Hits and misses: of a compiler cache. */
const BUILD_MEASURES = ['work', 'chain', 'hits', 'misses'] as const;

export type LimitMeasure =
  | { readonly of: 'total' | 'self' | 'inclusive'; readonly event: string }
  | { readonly of: 'calls' | 'duration' | (typeof BUILD_MEASURES)[number] };

export type CompareOperator = '>' | '>=' | '<' | '<=';

export interface LimitAmount {
  /** A decimal number, exact: digits / scale. */
  readonly value: Readonly<Record<'digits' | 'scale', bigint>>;
  /** Whether the amount has a sign: then it limits the difference from the base, else this run's value. */
  readonly isDifference: boolean;
  /** It is a percentage: of the base's value, or of the total. */
  readonly percentOf: 'base' | 'total' | undefined;
  /** The unit of a time or an amount of memory: its nanoseconds or bytes. */
  readonly unit: { readonly of: 'ns' | 'bytes'; readonly factor: bigint } | undefined;
  readonly text: string;
}

export interface LimitComparison {
  readonly measure: LimitMeasure;
  readonly operator: CompareOperator;
  readonly amount: LimitAmount;
}

export interface Limit {
  readonly expr: string;
  readonly subject: LimitSubject;
  /** Undefined for laws and for failed builds, which have no amount to compare. */
  readonly comparisons: readonly [LimitComparison, ...LimitComparison[]] | undefined;
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
  if (subject.kind === 'law' || subject.kind === 'failed') {
    if (subject.kind === 'law') reader.expect(WORSE_TOKEN, 'worse');
    reader.expectEnd(`nothing after ${subject.kind === 'law' ? 'worse' : 'failed'}`);
    return { expr: text, subject, comparisons: undefined };
  }
  const first = parseComparison(reader, parseMeasure(reader, subject));
  const comparisons: [LimitComparison, ...LimitComparison[]] = [first];
  while (reader.keyword('and')) {
    const before = comparisons[comparisons.length - 1].measure;
    comparisons.push(parseComparison(reader, reader.matchesNext(OPERATOR_TOKEN) ? before : parseMeasure(reader, subject)));
  }
  const noiseStart = reader.position;
  const isBeyond = reader.consume(BEYOND_NOISE_TOKEN) !== undefined;
  if (isBeyond && !first.amount.isDifference)
    reader.fail('beyond noise only after an amount with a sign, as in +5%', 'beyond noise', noiseStart);
  reader.expectEnd(isBeyond ? 'the end' : 'and, beyond noise, or the end');
  return { expr: text, subject, comparisons, ...(isBeyond ? { beyondNoise: true } : {}) };
}

const FAILED_TOKEN = /failed(?!\S)/y;
const WORSE_TOKEN = /worse(?!\S)/y;
const OPERATOR_TOKEN = /[<>]=?/y;
const EVENT_TOKEN = /[^\s<>"']+/y;
const NAME_TOKEN = /\S+/y;
const QUOTED_TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const PATTERN_TOKEN = /\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[imsu]*(?!\S)/sy;
const SIGN_TOKEN = /[+\-−]/y;
const NUMBER_TOKEN = /(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?(?![\d,_.])/y;
const SCALE_TOKEN = /[kKMGT](?![a-zA-Z])/y;
const PERCENT_TOKEN = /%/y;
const UNIT_TOKEN = /(?:ns|us|µs|ms|s|min|B|[KMG]i?B|kB)(?![a-zA-Z])/y;
const BEYOND_NOISE_TOKEN = /beyond\s+noise(?!\S)/y;
const OF_TOTAL_TOKEN = /of\s+total(?!\S)/y;

const SCALE_FACTORS: Readonly<Record<string, bigint>> = { k: 1000n, K: 1000n, M: 10n ** 6n, G: 10n ** 9n, T: 10n ** 12n };

/** The maximum digits of a number. No cost has more digits, and sums of such numbers are still quick. */
const MAX_DIGITS = 40;

/** Consumes the tokens of an expression from left to right, and skips blanks between them. */
class LimitParser {
  position = 0;

  constructor(private readonly text: string) {
    this.skip();
  }

  private skip(): void {
    while (this.position < this.text.length && this.text[this.position].trim() === '') this.position++;
  }

  matchesNext(piece: RegExp): boolean {
    piece.lastIndex = this.position;
    return piece.test(this.text);
  }

  consume(piece: RegExp): string | undefined {
    piece.lastIndex = this.position;
    const found = piece.exec(this.text)?.[0];
    this.position += found?.length ?? 0;
    this.skip();
    return found;
  }

  /** Consumes one of the keywords, which end at a blank or an operator. Event names that are keywords must be quoted. */
  keyword<T extends string>(...words: readonly T[]): T | undefined {
    const [next] = this.text.slice(this.position).split(/[\s<>]/, 1);
    const found = words.find((word) => word === next);
    this.position += found?.length ?? 0;
    this.skip();
    return found;
  }

  expect(piece: RegExp, expected: string): string {
    return this.consume(piece) ?? this.fail(expected);
  }

  textSince(place: number): string {
    return this.text.slice(place, this.position).trimEnd();
  }

  expectEnd(expected: string): void {
    if (this.position < this.text.length) this.fail(expected);
  }

  fail(expected: string, found?: string, at = this.position): never {
    const rest = this.text.slice(at).trimEnd();
    const what = found ?? (rest === '' ? 'the end' : `"${rest}"`);
    const place = this.text.trim() === '' ? {} : { excerpt: this.text, column: at };
    throw new ChoiceError(formatProblem({ path: '--fail-if', expected, found: what, ...place }));
  }
}

function parseSubject(reader: LimitParser): LimitSubject {
  const isAny = reader.keyword('any') !== undefined;
  const kind = reader.keyword('routine', ...BUILD_PARTS);
  if (kind) return { kind, which: isAny ? 'any' : parseRowSelection(reader, kind) };
  if (isAny) reader.fail('routine, step, target, header or test after any');
  if (reader.keyword('build')) return { kind: reader.consume(FAILED_TOKEN) === undefined ? 'build' : 'failed' };
  if (!reader.keyword('law')) return { kind: 'total' };
  return { kind: 'law', which: reader.matchesNext(WORSE_TOKEN) ? 'any' : parseRowSelection(reader, 'routine') };
}

function parseRowSelection(reader: LimitParser, what: 'routine' | BuildPart): RowSelection {
  const expected = `the name of a ${what}, in quotes if it has blanks, or /regular expression/`;
  const start = reader.position;
  const source = reader.consume(PATTERN_TOKEN);
  if (source === undefined) {
    if (reader.matchesNext(/\/|["']/y) && !reader.matchesNext(QUOTED_TOKEN)) reader.fail(`${expected}, with its end`);
    return { name: parseText(reader, NAME_TOKEN, expected) };
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
  const quoted = reader.consume(QUOTED_TOKEN);
  return quoted === undefined ? reader.expect(plain, expected) : quoted.slice(1, -1).replace(/\\(["'\\])/g, '$1');
}

function parseMeasure(reader: LimitParser, { kind }: LimitSubject): LimitMeasure {
  const event = () => parseText(reader, EVENT_TOKEN, 'the name of an event');
  switch (kind) {
    case 'total':
      if (reader.matchesNext(OPERATOR_TOKEN) || reader.matchesNext(/$/y))
        reader.fail('a limit, like Ir > +1%, any routine self Ir > +5% or build duration > +10%');
      return { of: 'total', event: event() };
    case 'routine':
      if (reader.keyword('calls')) return { of: 'calls' };
      return { of: reader.keyword('self', 'inclusive') ?? reader.fail('self EVENT, inclusive EVENT or calls'), event: event() };
    default: {
      const of = kind === 'build' ? reader.keyword(...BUILD_MEASURES) : undefined;
      if (!of && !reader.keyword('duration', 'durationMs'))
        reader.fail(kind === 'build' ? 'duration, work, chain, hits, misses or failed' : 'duration');
      return { of: of ?? 'duration' };
    }
  }
}

function parseComparison(reader: LimitParser, measure: LimitMeasure): LimitComparison {
  const operator = reader.expect(OPERATOR_TOKEN, 'one of > >= < <=');
  return { measure, operator: operator as CompareOperator, amount: parseAmount(reader, measure) };
}

function parseAmount(reader: LimitParser, measure: LimitMeasure): LimitAmount {
  const start = reader.position;
  const sign = reader.consume(SIGN_TOKEN);
  const [whole, fraction = ''] = reader.expect(NUMBER_TOKEN, 'a number, like 1000, +500 or +5%').replace(/[,_]/g, '').split('.');
  if (whole.length + fraction.length > MAX_DIGITS) reader.fail(`a number of at most ${MAX_DIGITS} digits`, undefined, start);
  const factor = SCALE_FACTORS[reader.consume(SCALE_TOKEN) ?? ''] ?? 1n;
  const digits = BigInt(whole + fraction) * factor * (sign === undefined || sign === '+' ? 1n : -1n);
  const value = { digits, scale: 10n ** BigInt(fraction.length) };
  if (reader.consume(PERCENT_TOKEN) === undefined) {
    const known = unitFactor(reader.consume(UNIT_TOKEN) ?? '');
    const unit = known && { of: known.of, factor: BigInt(known.factor) };
    if (reader.matchesNext(OF_TOTAL_TOKEN)) reader.fail('a percentage before of total', reader.textSince(start), start);
    return { value, isDifference: sign !== undefined, percentOf: undefined, unit, text: reader.textSince(start) };
  }
  const ofTotal = reader.consume(OF_TOTAL_TOKEN) !== undefined;
  const text = reader.textSince(start);
  if (sign === undefined && !ofTotal) reader.fail('a sign before a percentage, as in +5%, or of total after it', text, start);
  if (ofTotal && !('event' in measure))
    reader.fail(`of total only for the costs of an event, not for ${measure.of}`, text, start);
  return { value, isDifference: sign !== undefined, percentOf: ofTotal ? 'total' : 'base', unit: undefined, text };
}
