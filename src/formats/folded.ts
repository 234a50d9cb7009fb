// Folded stacks: a line a stack, outermost frame first, `a;b;c 12`, as flamegraph.pl reads them and stackcollapse-*.pl, inferno, async-profiler,
// py-spy and bpftrace write them. Real files: `_[k]`, `_[i]`, `_[j]` and `_[w]` behind a name mark frames of the kernel, inlined ones, code of a
// JIT compiler, and wakers; two numbers are those of two runs (difffolded.pl); py-spy has `name (file.py:12)`.
import { FormatError } from '../base/problem.ts';
import { GrowableColumn } from '../model/column.ts';
import type { Sink } from '../model/sink.ts';
import type { FrameNames } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader, Source } from './loader.ts';
import { StackReader } from './shared/file-reader.ts';
import { headText, readLines } from './shared/stream.ts';

const SEMICOLON = 59;
const SPACE = 32;
const TAB = 9;

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
const COMMENT = 35;
const RETURN = 13;

/** Number of lines at the start that determine the form. */
const LINES = 50;
const COUNT = /^\d+(?:\.\d*)?$/;

/** A split line: the end of the frames, and one or two counts. */
interface LineParts {
  readonly end: number;
  readonly counts: readonly number[];
}

/** The last word of bytes[from..to) as a count, and the end of the text before it; undefined if it is not a number. */
function lastCount(bytes: Uint8Array, from: number, to: number): { readonly count: number; readonly end: number } | undefined {
  let at = to;
  while (at > from && !isBlank(bytes[at - 1]) && to - at < MOST_DIGITS) at--;
  const count = at === from ? undefined : (wholeCount(bytes, at, to) ?? decimalCount(bytes, at, to));
  if (count === undefined) return undefined;
  let end = at;
  while (end > from && isBlank(bytes[end - 1])) end--;
  return end === at ? undefined : { count, end };
}

/** A count of at most 15 digits; undefined for other forms. */
function wholeCount(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (to - from > EXACT_DIGITS) return undefined;
  let count = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at] - 48;
    if (digit < 0 || digit > 9) return undefined;
    count = 10 * count + digit;
  }
  return count;
}

function decimalCount(bytes: Uint8Array, from: number, to: number): number | undefined {
  const text = String.fromCharCode(...bytes.subarray(from, to));
  return COUNT.test(text) ? Number(text) : undefined;
}

const EXACT_DIGITS = 15;

const MOST_DIGITS = 32;

/** Splits a line into frames and counts. `both`: the line must have two counts. */
function splitLine(bytes: Uint8Array, from: number, to: number, both: boolean): LineParts | undefined {
  const last = lastCount(bytes, from, to);
  if (!last || !both) return last && { end: last.end, counts: [last.count] };
  const before = lastCount(bytes, from, last.end);
  return before && { end: before.end, counts: [before.count, last.count] };
}

function detect(head: Uint8Array, path: string): Detection {
  const text = headText(head);
  const lines = text.split('\n');
  if (lines.length > 1) lines.pop();
  const stacks = lines.slice(0, LINES).filter((l) => l.trim() !== '' && !l.startsWith('#'));
  const fits = stacks.every((line) => {
    const at = line.trimEnd().lastIndexOf(' ');
    return at >= 0 && COUNT.test(line.slice(at + 1).trimEnd()) && (at === 0 || !/^\s/.test(line));
  });
  if (!fits || stacks.length === 0) return 'no';
  if (stacks.some((l) => /[^;\s];[^;\s]/.test(l))) return 'yes';
  return /\.(folded|collapsed)$/.test(path) ? 'maybe' : 'no';
}

/** Suffixes of names, as written by stackcollapse-perf.pl --all. */
const MARKS: Readonly<Record<string, Partial<FrameNames>>> = {
  k: { object: '[kernel]' },
  j: { object: '[jit]' },
  i: { inlined: true },
  w: {},
};

/** `name (file.py:12)`, `name_[k]`, or a name alone. */
function frameNames(text: string): FrameNames {
  const mark = text.endsWith(']') && text.slice(-4, -2) === '_[' ? MARKS[text.slice(-2, -1)] : undefined;
  const plain = mark ? text.slice(0, -4) : text;
  if (plain.endsWith(')')) {
    const open = plain.lastIndexOf(' (');
    const colon = plain.lastIndexOf(':');
    const line = plain.slice(colon + 1, -1);
    if (open > 0 && colon > open + 2 && /^\d{1,9}$/.test(line))
      return { name: plain.slice(0, open), file: plain.slice(open + 2, colon), line: Number(line), ...mark };
  }
  return { name: plain, ...mark };
}

class FoldedReader extends StackReader {
  /** The frame of each string of the sink. */
  private readonly frameOf: number[] = [];
  private readonly stack = new GrowableColumn(Uint32Array);
  /** Whether lines have two counts. */
  private hasTwoCounts = false;
  private waiting: Uint8Array[] | undefined = [];
  private lines = 0;
  private stacks = 0;

  /** Keeps the first lines until the number of counts is known: a name may also end in a number. */
  readLine(bytes: Uint8Array, from: number, to: number): void {
    if (this.waiting) {
      this.waiting.push(bytes.slice(from, to));
      if (this.waiting.length >= LINES) this.decideCounts();
      return;
    }
    this.readOrThrow(bytes, from, to);
  }

  private readOrThrow(bytes: Uint8Array, from: number, to: number): void {
    this.lines++;
    if (!this.readStack(bytes, from, to)) throw new FormatError(this.problemOf(bytes, from, to));
  }

  /** Decides whether lines have one or two counts. `last`: an unterminated line, used if it is the only one. */
  private decideCounts(last: Uint8Array = new Uint8Array(0)): void {
    const { waiting = [] } = this;
    this.waiting = undefined;
    const isDouble = (line: Uint8Array) => (splitLine(line, 0, this.endOf(line, 0, line.length) ?? 0, true)?.end ?? 0) > 0;
    const stacks = (waiting.length > 0 ? waiting : [last]).filter((line) => this.endOf(line, 0, line.length) !== undefined);
    this.hasTwoCounts = stacks.length > 0 && stacks.every(isDouble);
    for (const line of waiting) this.readOrThrow(line, 0, line.length);
  }

  /** The end of a stack line without trailing blanks; undefined for comments and empty lines. */
  private endOf(bytes: Uint8Array, from: number, to: number): number | undefined {
    let end = to;
    while (end > from && (isBlank(bytes[end - 1]) || bytes[end - 1] === RETURN)) end--;
    const isComment = bytes[from] === COMMENT && (end === from + 1 || isBlank(bytes[from + 1]));
    return end === from || isComment ? undefined : end;
  }

  private problemOf(bytes: Uint8Array, from: number, to: number) {
    return {
      path: this.path,
      line: this.lines,
      expected: this.hasTwoCounts
        ? 'frames with ; between them, and two counts as in the first line'
        : 'frames with ; between them, and a count',
      found: `"${decodeBytes(bytes, from, Math.min(to, from + 100))}"`,
    };
  }

  /** Reads a line; false if it is not a stack. */
  private readStack(bytes: Uint8Array, start: number, stop: number): boolean {
    let from = start;
    const to = this.endOf(bytes, start, stop);
    if (to === undefined) return true;
    const parts = splitLine(bytes, from, to, this.hasTwoCounts);
    if (!parts) return false;
    const { stack } = this;
    stack.length = 0;
    for (; from <= parts.end; ) {
      let next = bytes.indexOf(SEMICOLON, from);
      if (next < 0 || next > parts.end) next = parts.end;
      // Empty frames are skipped: some writers end stacks with a semicolon.
      if (next > from) stack.push(this.frameAt(bytes, from, next));
      from = next + 1;
    }
    // py-spy also writes samples without a stack.
    if (stack.length === 0) stack.push(this.writer.frame('(no stack)'));
    stack.done().reverse();
    this.addStack(parts.counts);
    return true;
  }

  private frameAt(bytes: Uint8Array, from: number, to: number): number {
    const { sink, frameOf, writer } = this;
    const { limits } = sink;
    if (to - from > limits.name)
      throw new FormatError({
        path: this.path,
        line: this.lines,
        expected: `names of at most ${limits.name} bytes`,
        found: `${to - from}`,
        hint: `--max name=${to - from} reads it anyway`,
      });
    const id = sink.strings.bytesId(bytes, from, to);
    return (frameOf[id] ??= writer.frameOf(frameNames(sink.strings.text(id))));
  }

  private addStack(counts: readonly number[]): void {
    const { writer, part } = this;
    const row = writer.row(part, this.stack.data, this.stack.length);
    const count = counts[counts.length - 1];
    writer.addTo(0, row, count);
    if (this.hasTwoCounts) {
      writer.addTo(1, row, counts[0]);
      writer.addTo(2, row, count - counts[0]);
    }
    this.stacks++;
  }

  /** `rest`: the last line, if it has no end. */
  finish(rest: Uint8Array): void {
    const { sink, path } = this;
    if (this.waiting) this.decideCounts(rest);
    if (rest.length > 0) {
      this.lines++;
      if (!this.readStack(rest, 0, rest.length)) {
        const problem = this.problemOf(rest, 0, rest.length);
        if (this.stacks === 0) throw new FormatError(problem);
        sink.cut ??= { ...problem, hint: 'the file was cut off: only whole lines are shown' };
      }
    }
    if (this.stacks === 0) throw this.error({ line: 1 }, 'a stack', 'none');
    const types = this.hasTwoCounts ? TWO_RUNS : ONE_RUN;
    const before = this.writer.types;
    if (this.part > 0 && before.length !== types.length)
      throw this.error({ line: 1 }, `lines with ${before.length > 1 ? 'two counts' : 'one count'} like the first file`, 'others');
    this.writer.types = types;
    sink.addPart({ path, events: types.map((t) => t.name), notes: [`folded stacks: ${this.lines} lines`] });
  }
}

/** The file does not name the unit of its counts: samples, microseconds, bytes. */
const ONE_RUN = [{ name: 'samples', unit: 'count', longName: 'counts of stacks', column: 0 }] as const;
const TWO_RUNS = [
  { name: 'samples', unit: 'count', longName: 'second count of each stack', column: 0 },
  { name: 'before', unit: 'count', longName: 'first count of each stack', column: 1 },
  { name: 'delta', unit: 'count', longName: 'second count minus the first', column: 2 },
] as const;

async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const reader = new FoldedReader(sink, source.path);
  const { rest } = await readLines(source, sink.limits, signal, (bytes, from, to) => reader.readLine(bytes, from, to));
  reader.finish(rest);
}

export const folded: Loader = {
  name: 'folded',
  title: 'folded stacks (stackcollapse-*.pl, inferno, async-profiler, py-spy, bpftrace), of one run or two',
  provides: ['routines', 'calls', 'trees', 'lines'],
  isSelfContained: true,
  make: 'stackcollapse-perf.pl perf.txt > out.folded',
  fileNames: /\.(folded|collapsed)(\.gz)?$/,
  detect,
  load,
};
