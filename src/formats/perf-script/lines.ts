// The lines of perf script: the first line of a sample, and its frames.
// perf-script(1); tools/perf/builtin-script.c. Real files: names of commands have spaces, and are aligned to the right; versions differ in
// what is printed unasked (CPU, flags, period); addresses, offsets, objects and events can each be left out with -F.

/** The first line of a sample. */
export interface SampleLine {
  readonly command: string;
  readonly pid: number | undefined;
  readonly tid: number;
  /** Time in nanoseconds of the machine's clock; undefined if not printed. */
  readonly ns: number | undefined;
  /** Weight of the sample; undefined if not printed. */
  readonly period: number | undefined;
  /** Event name; '' if not printed. */
  readonly event: string;
  /** The frame, if it is printed on the same line. */
  readonly frame: FrameLine | undefined;
}

export interface FrameLine {
  readonly name: string;
  /** null if not printed. */
  readonly object: string | null;
  readonly inlined: boolean;
  /** 0 if not printed. */
  readonly address: bigint;
}

const IDS = /^(?:(-?\d{1,10})\/)?(-?\d{1,10})$/;
const CPU = /^\[\d{1,6}\]$/;
const TIME = /^\d{1,12}(?:\.\d{1,9})?:$/;
const PERIOD = /^\d{1,20}$/;
/** Every event has a letter: `cycles:u:`, `r1a8:`, `{cycles}:S:`. */
const EVENT = /^[^a-z]{0,9}[a-z].*:$/i;
const ADDRESS = /^[0-9a-f]{1,16}$/;
/** Words between the ids and the time: a CPU, and flags such as `d..1.`. */
const MOST_BETWEEN = 2;

/** Parses the first line of a sample; undefined for a line of another form. */
export function parseSampleLine(text: string): SampleLine | undefined {
  const words = tokensOf(text);
  // The command may have spaces and numbers in it: the ids are the first number that a time or an event follows.
  for (let i = 1; i < words.length; i++) {
    const ids = IDS.exec(words[i].text);
    if (!ids) continue;
    const rest = parseAfterIds(text, words, i + 1);
    if (!rest) continue;
    const command = text.slice(words[0].from, words[i - 1].to);
    return { command, pid: ids[1] === undefined ? undefined : Number(ids[1]), tid: Number(ids[2]), ...rest };
  }
  return undefined;
}

interface ScriptToken {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Limit of the words before the frame in a sample line. */
const MOST_WORDS = 40;

function tokensOf(text: string): ScriptToken[] {
  const out: ScriptToken[] = [];
  let from = 0;
  while (from < text.length && out.length < MOST_WORDS) {
    while (isBlank(text, from)) from++;
    let to = from;
    while (to < text.length && !isBlank(text, to)) to++;
    if (to > from) out.push({ text: text.slice(from, to), from, to });
    from = to;
  }
  return out;
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

function parseAfterIds(
  text: string,
  words: readonly ScriptToken[],
  first: number,
): Omit<SampleLine, 'command' | 'pid' | 'tid'> | undefined {
  let i = first;
  const timed = words.slice(i, i + MOST_BETWEEN + 1).findIndex((w) => TIME.test(w.text));
  const ns = timed < 0 ? undefined : nanoseconds(words[i + timed].text);
  if (timed >= 0) i += timed + 1;
  else if (i < words.length && CPU.test(words[i].text)) i++;
  const period = i < words.length && PERIOD.test(words[i].text) ? Number(words[i++].text) : undefined;
  // An event ends with a colon; its name may have others in it.
  const word = words[i];
  const event = word && EVENT.test(word.text) ? word.text.slice(0, -1) : '';
  if (event !== '') i++;
  if (timed < 0 && event === '') return undefined;
  if (event === '' && i < words.length) return undefined;
  const rest = words[i];
  const frame = rest && ADDRESS.test(rest.text) ? parseFrameLine(text.slice(rest.from)) : undefined;
  return { ns, period, event, frame };
}

/** `12345.678901:` in nanoseconds. */
function nanoseconds(text: string): number {
  const [seconds, fraction = ''] = text.slice(0, -1).split('.');
  return Number(seconds) * 1e9 + Number(fraction.padEnd(9, '0'));
}

/** Perf's name of a function without a symbol. */
export const UNKNOWN = '[unknown]';

/**
 * `7f12 name+0x12 (/usr/lib/x.so)`, `7f12 name (inlined)`, with or without the address, the name, or the object; undefined for an empty line.
 * Functions of JIT compilers may have no name, and `-F ip,dso` prints none.
 */
export function parseFrameLine(text: string): FrameLine | undefined {
  let from = 0;
  while (isBlank(text, from)) from++;
  let to = text.length;
  while (to > from && (isBlank(text, to - 1) || text[to - 1] === '\r')) to--;
  const space = text.indexOf(' ', from);
  const first = text.slice(from, space < 0 || space > to ? to : space);
  const hasAddress = ADDRESS.test(first);
  let body = hasAddress ? text.slice(from + first.length, to) : text.slice(from, to);
  let object: string | null = null;
  let inlined = false;
  const open = openingBracketOfLast(body);
  if (open >= 0) {
    const inside = body.slice(open + 1, -1);
    body = body.slice(0, open);
    if (inside === 'inlined') inlined = true;
    else if (inside !== '' && inside !== '[unknown]') object = inside;
  }
  body = body.trim();
  const plus = body.lastIndexOf('+0x');
  if (plus > 0 && /^[0-9a-f]{1,16}$/.test(body.slice(plus + 3))) body = body.slice(0, plus);
  if (body === '' && !hasAddress && object === null) return undefined;
  return { name: body === '' ? UNKNOWN : body, object, inlined, address: hasAddress ? BigInt(`0x${first}`) : 0n };
}

/** Index of the `(` that matches a final `)` and follows a blank; -1 if there is none. Pairs may nest: `(/x (deleted))`. */
export function openingBracketOfLast(text: string): number {
  if (!text.endsWith(')')) return -1;
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === ')') depth++;
    else if (text[i] === '(' && --depth === 0) return i === 0 || isBlank(text, i - 1) ? i : -1;
  }
  return -1;
}
