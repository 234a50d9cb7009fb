// Parses the lines of perf script: the first line of a sample, and its frames. See tools/perf/builtin-script.c.
// In real files, command names may have spaces and are aligned to the right. -F may omit addresses, offsets, objects and events.
// Versions of perf differ in the fields that they print by default: CPU, flags, period.

export interface SampleLine {
  readonly command: string;
  readonly pid: number | undefined;
  readonly tid: number;
  /** The CPU that the sample was taken on; undefined if perf did not print it. */
  readonly cpu: number | undefined;
  /** Time in nanoseconds of the machine's clock; undefined if perf did not print it. */
  readonly ns: number | undefined;
  /** Weight of the sample; undefined if perf did not print it. */
  readonly period: number | bigint | undefined;
  /** Name of the event; '' if perf did not print it. */
  readonly event: string;
  /** The rest of the line: fields of a tracepoint, or of -F, and the frame. */
  readonly fields: string;
  /** The frame, if perf printed it on the same line. */
  readonly frame: FrameLine | undefined;
}

export interface FrameLine {
  readonly name: string;
  /** The object file; null if perf did not print it. */
  readonly object: string | null;
  readonly inlined: boolean;
  /** The address; 0 if perf did not print it. */
  readonly address: bigint;
}

const IDS_WORD = /^(?:(-?\d{1,10})\/)?(-?\d{1,10})$/;
const CPU_WORD = /^\[\d{1,6}\]$/;
const TIME_WORD = /^\d{1,12}(?:\.\d{1,9})?:$/;
const PERIOD_WORD = /^\d{1,20}$/;
/** The word of an event, which has a letter and a final colon: `cycles:u:`, `r1a8:`, `{cycles}:S:`. */
const EVENT_WORD = /^[^a-z]{0,9}[a-z].*:$/i;
const ADDRESS_WORD = /^[0-9a-f]{1,16}$/;
/** An address that is not mistaken for a number or a word of a function's name. */
const LONG_ADDRESS_WORD = /^[0-9a-f]{6,16}$/;
/** Maximum words between the ids and the time: a CPU, and flags such as `d..1.`. */
const MAX_WORDS_BEFORE_TIME = 2;

/** Parses the first line of a sample; undefined for a line of another form. */
export function parseSampleLine(text: string): SampleLine | undefined {
  const words: RegExpExecArray[] = [];
  for (const word of text.matchAll(/[^ \t]+/g)) if (words.push(word) === MAX_WORDS) break;
  // A command may contain spaces and numbers: the ids are the first number before a time or an event.
  // Without a command (-F -comm), the line begins with them.
  for (let i = 0; i < words.length; i++) {
    const ids = IDS_WORD.exec(words[i][0]);
    if (!ids) continue;
    const rest = parseAfterIds(text, words, i + 1);
    if (!rest || (i === 0 && rest.ns === undefined)) continue;
    const command = i === 0 ? '' : text.slice(words[0].index, words[i].index).trimEnd();
    return { command, pid: ids[1] === undefined ? undefined : Number(ids[1]), tid: Number(ids[2]), ...rest };
  }
  return undefined;
}

const MAX_WORDS = 40;

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

function parseAfterIds(text: string, words: readonly RegExpExecArray[], i: number) {
  const timed = words.slice(i, i + MAX_WORDS_BEFORE_TIME + 1).findIndex((w) => TIME_WORD.test(w[0]));
  // A number before the time is the ids, and what seemed to be them is of the command.
  if (words.slice(i, i + timed).some((w) => IDS_WORD.test(w[0]))) return undefined;
  const cpuWord = words.slice(i, i + Math.max(timed, 1)).find((w) => CPU_WORD.test(w[0]));
  const cpu = cpuWord && Number(cpuWord[0].slice(1, -1));
  const ns = timed < 0 ? undefined : parseNanoseconds(words[i + timed][0]);
  if (timed >= 0) i += timed + 1;
  else if (i < words.length && CPU_WORD.test(words[i][0])) i++;
  const period = i < words.length && PERIOD_WORD.test(words[i][0]) ? exactPeriod(words[i++][0]) : undefined;
  // An event ends with a colon, and its name may contain other colons.
  const word = words[i];
  const event = word && EVENT_WORD.test(word[0]) ? word[0].slice(0, -1) : '';
  if (event !== '') i++;
  // With --show-task-events and the like, perf prints other records, too.
  if (event.startsWith('PERF_RECORD_')) return undefined;
  if (event === '' && (timed < 0 || i < words.length)) return undefined;
  const fields = words[i] ? text.slice(words[i].index) : '';
  return { cpu, ns, period, event, fields, frame: words[i] ? frameBehindFields(text, words, i) : undefined };
}

/**
 * The frame at the end of a first line: an address and a function, or an address alone. Other fields (-F addr, data_src, weight, insn)
 * come before it: the last word that may be an address, and that a function follows, is the frame's.
 */
function frameBehindFields(text: string, words: readonly RegExpExecArray[], first: number): FrameLine | undefined {
  const usual = ADDRESS_WORD.test(words[first][0]) ? parseFrameLine(text.slice(words[first].index)) : undefined;
  for (let i = words.length - 2; i > first && text.trimEnd().endsWith(')'); i--) {
    if (!LONG_ADDRESS_WORD.test(words[i][0])) continue;
    const frame = parseFrameLine(text.slice(words[i].index));
    if (frame && frame.object !== null && frame.name !== UNKNOWN_FUNCTION) return frame;
  }
  return usual;
}

/** Digits of a number that a double may not hold. */
const MIN_BIG_DIGITS = 16;
const exactPeriod = (digits: string): number | bigint => (digits.length < MIN_BIG_DIGITS ? Number(digits) : BigInt(digits));

/** Converts `12345.678901:` to nanoseconds. */
function parseNanoseconds(text: string): number {
  const [seconds, fraction = ''] = text.slice(0, -1).split('.');
  return Number(seconds) * 1e9 + Number(fraction.padEnd(9, '0'));
}

/** perf's name for a function without a symbol. */
export const UNKNOWN_FUNCTION = '[unknown]';

/** Parses `7f12 name+0x12 (/usr/lib/x.so)` or `7f12 name (inlined)`, where fields may be missing; undefined for an empty line. */
export function parseFrameLine(text: string): FrameLine | undefined {
  let from = 0;
  while (isBlank(text, from)) from++;
  let to = text.length;
  while (to > from && (isBlank(text, to - 1) || text[to - 1] === '\r')) to--;
  let space = from;
  while (space < to && !isBlank(text, space)) space++;
  const first = text.slice(from, space);
  const hasAddress = ADDRESS_WORD.test(first);
  let body = hasAddress ? text.slice(from + first.length, to) : text.slice(from, to);
  const open = openingBracketOfLast(body);
  const inside = open < 0 ? '' : body.slice(open + 1, -1);
  if (open >= 0) body = body.slice(0, open);
  const inlined = inside === 'inlined';
  const object = inlined || inside === '' || inside === '[unknown]' ? null : inside;
  body = body.trim();
  const plus = body.lastIndexOf('+0x');
  if (plus > 0 && /^[0-9a-f]{1,16}$/.test(body.slice(plus + 3))) body = body.slice(0, plus);
  if (body === '' && !hasAddress && object === null) return undefined;
  return { name: body === '' ? UNKNOWN_FUNCTION : body, object, inlined, address: hasAddress ? BigInt(`0x${first}`) : 0n };
}

/** The position of the `(` that matches a final `)` and follows a blank; -1 if there is none. Pairs may nest. */
export function openingBracketOfLast(text: string): number {
  if (!text.endsWith(')')) return -1;
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === ')') depth++;
    else if (text[i] === '(' && --depth === 0) return i === 0 || isBlank(text, i - 1) ? i : -1;
  }
  return -1;
}
