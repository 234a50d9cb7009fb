// Loads folded stacks, one per line with the outermost frame first (`a;b;c 12`), as written for flamegraph.pl by many tools.
// In real files, the suffixes `_[k]`, `_[i]`, `_[j]` and `_[w]` mark frames of the kernel, inlined, JIT-compiled and of wakers.
// Two counts on a line are those of two runs (difffolded.pl). py-spy writes names as `name (file.py:12)`.
import { GrowableColumn } from '../model/column.ts';
import { KERNEL_OBJECT } from '../model/stacks/samples.ts';
import type { FrameNames } from '../model/stacks/writer.ts';
import { decodeBytes } from '../model/strings.ts';
import type { Detection, Loader } from './loader.ts';
import { headText, makeLineLoader, StackReader, wholeNumberIn } from './shared/stream.ts';
import { parseFileLine } from './shared/valgrind-frame.ts';

const SEMICOLON = 59;
const SPACE = 32;
const TAB = 9;
/** The frame `-`, which bcc's tools write between code of the user and of the kernel. */
const DELIMITER = 45;

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB;
const COMMENT_MARK = 35;
const CARRIAGE_RETURN = 13;

/** Number of lines at the start of the file that determine its form. */
const MAX_FORM_LINES = 50;
const COUNT_PATTERN = /^\d+(?:\.\d*)?$/;

/** The last word of bytes[from..to) as a count, and the end of the text before it; undefined if it is not a number. */
function lastCount(bytes: Uint8Array, from: number, to: number): { readonly count: number; readonly end: number } | undefined {
  let at = to;
  while (at > from && !isBlank(bytes[at - 1]) && to - at < MAX_COUNT_DIGITS) at--;
  const count = at === from ? undefined : (wholeNumberIn(bytes, at, to, MAX_EXACT_DIGITS) ?? parseDecimalCount(bytes, at, to));
  if (count === undefined) return undefined;
  let end = at;
  while (end > from && isBlank(bytes[end - 1])) end--;
  return end === at ? undefined : { count, end };
}

function parseDecimalCount(bytes: Uint8Array, from: number, to: number): number | undefined {
  const text = String.fromCharCode(...bytes.subarray(from, to));
  return COUNT_PATTERN.test(text) ? Number(text) : undefined;
}

/** Without a stack in as many lines, the file has none. */
const MAX_LINES_BEFORE_STACKS = 1000;
const MAX_EXACT_DIGITS = 15;

const MAX_COUNT_DIGITS = 32;

/** The end of a line's frames, and its one or two counts. If `both` is true, the line must have two. */
function splitLine(bytes: Uint8Array, from: number, to: number, both: boolean): { end: number; counts: number[] } | undefined {
  const last = lastCount(bytes, from, to);
  if (!last || !both) return last && { end: last.end, counts: [last.count] };
  const before = lastCount(bytes, from, last.end);
  return before && { end: before.end, counts: [before.count, last.count] };
}

/** A process and a thread as the first frames, as Austin writes them (austin.ts). */
const AUSTIN_SAMPLE = /^P\d{1,15};T[\w:]{1,40}[; ]/;

/** A head that is all of one line, and the number of frames from which that line may be a deep stack. */
const [LONG_HEAD, MIN_FRAMES_IN_HEAD] = [4096, 8];

/** Whether texts between semicolons are names: statements and data have assignments, strings and blocks. */
const isLikeFrames = (frames: readonly string[]): boolean =>
  frames.length >= MIN_FRAMES_IN_HEAD && frames.filter((f) => f === '' || /[="']|[{}]$/.test(f)).length < frames.length / 10;

function detect(head: Uint8Array, path: string): Detection {
  const lines = headText(head).split('\n');
  if (lines.length > 1) lines.pop();
  else if (head.length >= LONG_HEAD && isLikeFrames(lines[0].split(';'))) return 'maybe';
  const stacks = lines.slice(0, MAX_FORM_LINES).filter((l) => l.trim() !== '' && !l.startsWith('#'));
  if (AUSTIN_SAMPLE.test(stacks[0] ?? '')) return 'no';
  const good = stacks.filter((line) => {
    const at = line.trimEnd().lastIndexOf(' ');
    return at >= 0 && COUNT_PATTERN.test(line.slice(at + 1).trimEnd()) && (at === 0 || !/^\s/.test(line));
  });
  const bad = stacks.length - good.length;
  if (good.length <= bad) return 'no';
  // Among lines of other programs, most stacks have several frames.
  const deep = good.filter((l) => /[^;\s];[^;\s]/.test(l)).length;
  if (deep > (bad > 0 ? good.length / 2 : 0)) return 'yes';
  return bad === 0 && /\.(folded|collapsed)$/.test(path) ? 'maybe' : 'no';
}

/** Suffixes of names that describe the frame, as written by stackcollapse-perf.pl --all. */
const NAME_SUFFIXES: Readonly<Record<string, Partial<FrameNames>>> = {
  k: { object: KERNEL_OBJECT },
  j: {},
  i: { inlined: true },
  w: {},
  0: {},
  1: {},
};

/** Parses `name (file.py:12)`, `name_[k]`, or a plain name. */
function parseFrameName(text: string): FrameNames {
  const mark = text.endsWith(']') && text.slice(-4, -2) === '_[' ? NAME_SUFFIXES[text.slice(-2, -1)] : undefined;
  const plain = mark ? text.slice(0, -4) : text;
  if (plain.endsWith(')')) {
    const open = plain.lastIndexOf(' (');
    const at = open > 0 ? parseFileLine(plain.slice(open + 2, -1)) : undefined;
    if (at && at.file !== '') return { name: plain.slice(0, open), ...at, ...mark };
  }
  return { name: plain, ...mark };
}

/** The start of a line, for messages. */
const quotableText = (bytes: Uint8Array, from: number, to: number) => decodeBytes(bytes, from, Math.min(to, from + 100));

class FoldedReader extends StackReader {
  /** By string id of the sink: its frame. */
  private readonly frameOf: number[] = [];
  private readonly kernelFrameOf: number[] = [];
  private readonly stack = new GrowableColumn(Uint32Array);
  private hasTwoCounts = false;
  private waiting: Uint8Array[] | undefined = [];
  private stacks = 0;

  /** Reads a line. The first lines are kept until the number of counts is known, since a name may also end in a number. */
  readLine(bytes: Uint8Array, from: number, to: number): void {
    if (this.waiting) {
      this.waiting.push(bytes.slice(from, to));
      if (this.waiting.length >= MAX_FORM_LINES) this.decideCounts();
      return;
    }
    this.readOrSkip(bytes, from, to);
  }

  /** Other programs write between stacks, too: such lines are left out and counted, unless no line is a stack. */
  private readOrSkip(bytes: Uint8Array, from: number, to: number): void {
    this.lineNo++;
    if (this.readStack(bytes, from, to)) return;
    this.countOtherLine(quotableText(bytes, from, to));
    if (this.stacks === 0 && this.others > MAX_LINES_BEFORE_STACKS) throw this.otherLineError(this.expectedLine);
  }

  /** Decides whether lines have one or two counts. `last`: an unterminated line, used if the file has no other line. */
  private decideCounts(last: Uint8Array = new Uint8Array(0)): void {
    const { waiting = [] } = this;
    this.waiting = undefined;
    const isDouble = (line: Uint8Array) => (splitLine(line, 0, this.stackEndOf(line, 0, line.length) ?? 0, true)?.end ?? 0) > 0;
    const stacks = (waiting.length > 0 ? waiting : [last]).filter((line) => {
      const end = this.stackEndOf(line, 0, line.length);
      return end !== undefined && splitLine(line, 0, end, false) !== undefined;
    });
    this.hasTwoCounts = stacks.length > 0 && stacks.every(isDouble);
    for (const line of waiting) this.readOrSkip(line, 0, line.length);
  }

  /** The end of a stack line without trailing blanks; undefined for comments and empty lines. */
  private stackEndOf(bytes: Uint8Array, from: number, to: number): number | undefined {
    let end = to;
    while (end > from && (isBlank(bytes[end - 1]) || bytes[end - 1] === CARRIAGE_RETURN)) end--;
    const isComment = bytes[from] === COMMENT_MARK && (end === from + 1 || isBlank(bytes[from + 1]));
    return end === from || isComment ? undefined : end;
  }

  private get expectedLine(): string {
    return `frames with ; between them, and ${this.hasTwoCounts ? 'two counts as in the first line' : 'a count'}`;
  }

  /** Reads a stack; returns false if the line is not a stack. */
  private readStack(bytes: Uint8Array, start: number, stop: number): boolean {
    let from = start;
    const to = this.stackEndOf(bytes, start, stop);
    if (to === undefined) return true;
    const parts = splitLine(bytes, from, to, this.hasTwoCounts);
    if (!parts) return false;
    const { stack } = this;
    stack.length = 0;
    let inKernel = false;
    for (; from <= parts.end; ) {
      let next = bytes.indexOf(SEMICOLON, from);
      if (next < 0 || next > parts.end) next = parts.end;
      // Empty frames are skipped: some writers end stacks with a semicolon.
      if (next === from + 1 && bytes[from] === DELIMITER) inKernel = !inKernel;
      else if (next > from) stack.push(this.frameAt(bytes, from, next, inKernel));
      from = next + 1;
    }
    // py-spy also writes samples without a stack.
    if (stack.length === 0) stack.push(this.writer.frame('(no stack)'));
    stack.done().reverse();
    this.addStack(parts.counts);
    return true;
  }

  private frameAt(bytes: Uint8Array, from: number, to: number, inKernel: boolean): number {
    const { sink, writer } = this;
    const frameOf = inKernel ? this.kernelFrameOf : this.frameOf;
    this.checkLimit('name', to - from, this.position);
    const id = sink.strings.bytesId(bytes, from, to);
    return (frameOf[id] ??= writer.frameOf({
      ...parseFrameName(sink.strings.text(id)),
      ...(inKernel ? NAME_SUFFIXES['k'] : {}),
    }));
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

  finish(rest: Uint8Array): void {
    const { sink, path } = this;
    if (this.waiting) this.decideCounts(rest);
    if (rest.length > 0) {
      this.lineNo++;
      if (!this.readStack(rest, 0, rest.length)) {
        const error = this.error(this.position, this.expectedLine, `"${quotableText(rest, 0, rest.length)}"`);
        if (this.stacks === 0) throw error;
        sink.cut ??= { ...error.problem, hint: 'the file was cut off: only whole lines are shown' };
      }
    }
    if (this.stacks === 0)
      throw this.others > 0 ? this.otherLineError(this.expectedLine) : this.error({ line: 1 }, 'a stack', 'none');
    this.warnOfOtherLines(this.expectedLine);
    const types = this.hasTwoCounts ? TYPES_OF_TWO_RUNS : TYPES_OF_ONE_RUN;
    const before = this.writer.types;
    if (this.part > 0 && before.length !== types.length)
      throw this.error({ line: 1 }, `lines with ${before.length > 1 ? 'two counts' : 'one count'} like the first file`, 'others');
    this.writer.types = types;
    sink.addPart({ path, events: types.map((t) => t.name), notes: [`folded stacks: ${this.lineNo} lines`] });
  }
}

/** The type for counts of one run. The file does not record their unit, which may be samples, microseconds or bytes. */
const TYPES_OF_ONE_RUN = [{ name: 'samples', unit: 'count', longName: 'counts of stacks', column: 0 }] as const;
const TYPES_OF_TWO_RUNS = [
  { name: 'samples', unit: 'count', longName: 'second count of each stack', column: 0 },
  { name: 'before', unit: 'count', longName: 'first count of each stack', column: 1 },
  { name: 'delta', unit: 'count', longName: 'second count minus the first', column: 2 },
] as const;

export const folded: Loader = {
  name: 'folded',
  title: 'folded stacks (stackcollapse-*.pl, inferno, async-profiler, py-spy, bpftrace), of one run or two',
  provides: ['routines', 'calls', 'trees', 'lines'],
  make: 'stackcollapse-perf.pl perf.txt > out.folded',
  fileNames: /\.(folded|collapsed)(\.gz)?$/,
  detect,
  load: makeLineLoader(FoldedReader),
};
