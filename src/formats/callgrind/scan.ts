// The reference reader of Callgrind and Cachegrind files, with one function per kind of line. It reads bytes; only names,
// header lines and errors become strings. The digest (digest.ts) is faster but leaves unsupported lines to this reader.
// Specification: Callgrind Profile Format, version 1, section 3.2. Real writers differ from it as follows:
//  - A relative position refers to the last self cost line, never to a call's cost line or a jump's position.
//  - The base of relative positions stays valid across fn= and across parts (Valgrind's dumps in the middle of a call).
//  - `jcnd=taken/executed target` has a slash; with blanks, the line is the specification's `executed taken`.
//  - A line with only the source position follows jump= and jcnd=.
//  - Converters of Python profiles write fi= instead of fl=, and may use the id of an object that was never named.
//  - cob=, cfi= and cfl= apply to one call; jfi= and jfn= apply to one jump.
//  - xdebug writes more positions after calls= than there are columns; Cachegrind may write `.` for a count.
import { FormatError } from '../../base/problem.ts';
import { CallGraphWriter } from '../../model/callgraph/writer.ts';
import type { CostColumns } from '../../model/cost-columns.ts';
import { decodeBytes, startsWithAscii } from '../../model/strings.ts';
import { FileReader } from '../shared/stream.ts';
import {
  cursor,
  type FailFunction,
  failBeyondLimit,
  readNumber,
  readShortNumber,
  skipBlanks,
  withExcerpt,
  wordAt,
} from './numbers.ts';
import { PartReader } from './parts.ts';
import { type CodePosition, readPositions, readTarget } from './positions.ts';
import { countProblem, SpecReader } from './specs.ts';

const BODY_HINT = 'body lines that start with a letter are fl= fi= fe= fn= ob= cfl= cfi= cfn= cob= calls= jump= or jcnd=';

/** A calls= or jump line that waits for its second line: the source position (and, for a call, its inclusive cost). */
interface PendingLine {
  readonly kind: 'call' | 'jump';
  readonly line: number;
}

export class Scanner extends FileReader {
  readonly tables = this.sink.writerFor(CallGraphWriter);
  /** Throws a FormatError about position p of the current line. */
  readonly fail: FailFunction = (p, expected, found, hint) => {
    throw new FormatError(withExcerpt(this.error(this.position, expected, found, hint).problem, this.buf, p));
  };
  readonly parts = new PartReader(this.sink, this.tables, this.path, this.fail, () => this.lineNo);
  readonly specs = new SpecReader(this.sink, this.tables, this.fail, () => this.lineNo);
  /** Position of the last self cost line: the base of relative positions. */
  readonly base: CodePosition = { low: 0, high: 0, bb: 0, line: 0 };
  private readonly at: CodePosition = { low: 0, high: 0, bb: 0, line: 0 };
  private pending: PendingLine | undefined;
  /** Contents of the pending line: its target, counts, mention and target file. */
  private readonly target: CodePosition = { low: 0, high: 0, bb: 0, line: 0 };
  private count = 0;
  private executed = 0;
  private conditional = false;
  private mention = -1;
  private targetFile = -1;
  private buf: Uint8Array = new Uint8Array(0);

  /** True if a calls= or jump= line waits for its second line. */
  get isWaiting(): boolean {
    return this.pending !== undefined;
  }

  /** Scans whole lines: buf[end - 1] is a line end. */
  scan(buf: Uint8Array, p: number, end: number): void {
    this.buf = buf;
    while (p < end) {
      this.lineNo++;
      p = skipBlanks(buf, p);
      if (isPositionStart(buf[p])) p = this.pending ? this.readSecondLine(buf, p, this.pending) : this.readCostLine(buf, p);
      else {
        const eol = buf.indexOf(10, p);
        if (!isBlankOrComment(buf, p, eol)) this.readOtherLine(buf, p, eol);
        p = eol + 1;
      }
    }
  }

  /** Checks at the end of the file that no line is missing. `open`: the last line had no line end. */
  finish(open: boolean): void {
    const { pending, path } = this;
    if (pending) {
      this.lineNo = pending.line;
      const expected = pending.kind === 'call' ? 'a cost line after calls=' : 'a position line after the jump';
      this.sink.cut ??= { path, line: pending.line, expected, found: 'the end of the file' };
      this.pending = undefined;
    }
    this.parts.finish(this.lineNo, open);
    this.specs.finish(path);
  }

  /** Reads a self cost line: positions and counts. Like the other line readers, it returns the start of the next line. */
  private readCostLine(buf: Uint8Array, start: number): number {
    const { parts, at, base } = this;
    const { lines } = this.tables;
    const p = readPositions(buf, start, parts, base, at);
    this.enterSpan(start);
    Object.assign(base, at);
    if (lines.rows === lines.capacity) lines.reserve(lines.capacity * 2);
    const row = lines.rows;
    lines.line[row] = at.line;
    if (lines.address) lines.address[row] = parts.hasInstr ? at.low : at.bb;
    const end = this.readCounts(buf, p, lines.costs, row);
    lines.rows = row + 1;
    return end;
  }

  /** Reads the line after calls= or a jump: the source position and, for a call, its inclusive cost. */
  private readSecondLine(buf: Uint8Array, start: number, { kind }: PendingLine): number {
    const { parts, at } = this;
    let p = readPositions(buf, start, parts, this.base, at);
    this.enterSpan(p);
    this.pending = undefined;
    const address = parts.hasInstr ? at.low : at.bb;
    if (kind === 'call') return this.readCounts(buf, p, this.tables.calls.costs, this.writeCall(at.line, address));
    this.writeJump(at.line, address);
    if (buf[p] === 13) p++;
    if (buf[p] !== 10) this.fail(p, 'nothing after the position of a jump', wordAt(buf, p));
    return p + 1;
  }

  /** Writes a call from this source line and address; returns the row for its costs. */
  private writeCall(line: number, address: number): number {
    const { calls } = this.tables;
    if (this.parts.hasInstr) calls.hasAddress = true;
    return calls.push(this.specs.span, this.mention, line, address, this.count);
  }

  private writeJump(line: number, address: number): void {
    const { specs, parts, target } = this;
    const j = this.tables.jumps;
    const row = j.line.length;
    if (this.mention >= 0) j.targetRoutine.set(row, this.mention);
    if (target.high !== specs.spanHigh) j.targetHigh.set(row, target.high);
    j.span.push(specs.span);
    j.line.push(line);
    j.address.push(address);
    j.targetFile.push(this.targetFile >= 0 ? this.targetFile : specs.file);
    j.targetLine.push(target.line);
    j.targetAddress.push(target.low);
    j.conditional.push(this.conditional ? 1 : 0);
    j.taken.push(this.count);
    j.executed.push(this.executed);
    if (parts.hasInstr) j.hasAddress = true;
  }

  /** Opens a new span if the current span does not apply to this line. */
  private enterSpan(p: number): void {
    const { parts, specs, at } = this;
    if (specs.span >= 0 && at.high === specs.spanHigh) return;
    if (parts.columns.length === 0) parts.failWithoutEvents(p);
    specs.openSpan(p, parts.part, at.high);
    parts.hasBody = true;
  }

  private readCounts(buf: Uint8Array, p: number, into: CostColumns, row: number): number {
    const { columns } = this.parts;
    for (let k = 0; buf[p] !== 10; k++) {
      const v = readShortNumber(buf, p);
      if (v !== undefined && buf[cursor.at] <= 32 && k < columns.length) {
        into.columns[columns[k]][row] = v;
        p = cursor.at;
      } else p = this.readUnusualCount(buf, p, k, into, row);
      p = skipBlanks(buf, p);
    }
    return p + 1;
  }

  /** Reads a count that is hexadecimal, negative, longer than nine digits, a dot, or invalid. Returns the position after it. */
  private readUnusualCount(buf: Uint8Array, p: number, k: number, into: CostColumns, row: number): number {
    const { columns } = this.parts;
    if (buf[p] === 13 && buf[p + 1] === 10) return p + 1;
    let v: number | bigint | undefined = 0;
    if (buf[p] === 46) cursor.at = p + 1;
    else v = readNumber(buf, p, true);
    const end = cursor.at;
    const c = buf[end];
    if (v === undefined && end > p && c <= 32) this.fail(p, 'a count that fits in 64 bits', wordAt(buf, p));
    if (v === undefined || (c !== 10 && c !== 32 && c !== 9 && c !== 13)) this.fail(p, 'a count', wordAt(buf, p));
    if (k >= columns.length) {
      const names = this.parts.eventNames.join(' ');
      this.fail(p, `at most ${columns.length} counts (${names})`, `one more, ${wordAt(buf, p)}`);
    }
    into.set(columns[k], row, this.parts.withSign(v, k));
    return end;
  }

  /** Reads any line that is not a cost line: specification, calls, jump or header. */
  readOtherLine(buf: Uint8Array, p: number, eol: number): void {
    this.buf = buf;
    if (eol - p > this.sink.limits.line) failBeyondLimit(this.fail, p, this.sink.limits, 'line', eol - p);
    let end = eol;
    while (end > p && (buf[end - 1] === 13 || buf[end - 1] === 32 || buf[end - 1] === 9)) end--;
    let eq = p;
    while (eq < end && buf[eq] !== 61 && buf[eq] !== 58) eq++;
    if (this.pending) this.failUnfinished(p, this.pending);
    if (buf[eq] !== 61 || eq === end || eq === p) this.readHeaderLine(buf, p, eq, end);
    else if (hasWordAt(buf, p, eq, 'calls') || hasWordAt(buf, p, eq, 'rcalls')) this.readCallsLine(buf, p, eq);
    else if (hasWordAt(buf, p, eq, 'jump')) this.readJumpLine(buf, eq, false);
    else if (hasWordAt(buf, p, eq, 'jcnd')) this.readJumpLine(buf, eq, true);
    else if (!this.specs.readSpec(buf, p, eq, end)) this.reportUnknownWord(buf, p, eq);
  }

  private readHeaderLine(buf: Uint8Array, p: number, colon: number, end: number): void {
    const { parts, specs } = this;
    if (startsWithAscii(buf, p, '====')) {
      parts.isAppended = parts.hasEvents;
      return;
    }
    if (colon === end)
      this.fail(p, parts.hasBody ? 'a cost line or fn=' : 'a header line (key: value)', wordAt(buf, p), BODY_HINT);
    const opened = parts.readHeader(buf, p, colon, end, this.lineNo);
    if (opened !== 'same') specs.span = -1;
    if (opened === 'run') specs.beginRun();
  }

  /** Reads `calls=COUNT TARGET`: the count, and the target's positions that are given. */
  private readCallsLine(buf: Uint8Array, start: number, eq: number): void {
    const { parts, specs } = this;
    if (parts.columns.length === 0) parts.failWithoutEvents(start);
    const form = 'calls=COUNT TARGET';
    this.count = this.readWholeNumber(buf, eq + 1, form);
    const p = this.readTargetAfterNumber(buf, form);
    if (specs.callee.fn < 0) this.fail(p, 'cfn= before calls=', 'none');
    this.mention = specs.takeCallee();
    this.pending = { kind: 'call', line: this.lineNo };
  }

  private readJumpLine(buf: Uint8Array, eq: number, conditional: boolean): void {
    const form = conditional ? 'jcnd=TAKEN/EXECUTED TARGET' : 'jump=COUNT TARGET';
    this.count = this.executed = this.readWholeNumber(buf, eq + 1, form);
    if (conditional) {
      const slash = buf[cursor.at] === 47;
      const second = this.readWholeNumber(buf, slash ? cursor.at + 1 : cursor.at, form);
      if (slash) this.executed = second;
      else this.count = second;
    }
    this.readTargetAfterNumber(buf, form);
    this.conditional = conditional;
    this.mention = this.specs.takeJumpTarget();
    this.targetFile = this.specs.takeJumpFile();
    this.pending = { kind: 'jump', line: this.lineNo };
  }

  /** Reads the number after the blanks at `start`; sets cursor.at to the position after it. */
  private readWholeNumber(buf: Uint8Array, start: number, form: string): number {
    const p = skipBlanks(buf, start);
    const v = readShortNumber(buf, p) ?? readNumber(buf, p, false);
    if (v === undefined) this.fail(p, form, wordAt(buf, p));
    // Counts of calls and jumps are summed as doubles, which are exact below 2^53.
    if (typeof v === 'bigint') this.fail(p, `${form}, counts below 2^53`, wordAt(buf, p));
    return v;
  }

  /** Reads the target after the last number. Returns where that number ended. */
  private readTargetAfterNumber(buf: Uint8Array, form: string): number {
    const p = cursor.at;
    if (buf[p] > 32) this.fail(p, form, wordAt(buf, p));
    readTarget(buf, p, this.parts, this.base, this.target);
    return p;
  }

  private reportUnknownWord(buf: Uint8Array, p: number, eq: number): void {
    // In a header line with `=`, a colon comes first. Here `=` comes first, so this is an unknown specification word.
    if (!this.parts.hasEvents && !/^[a-z]+$/i.test(new TextDecoder().decode(buf.subarray(p, eq))))
      this.fail(p, 'a header line (key: value)', wordAt(buf, p));
    countProblem(this.specs.unknownWords, decodeBytes(buf, p, Math.min(eq, p + 40)), this.lineNo);
  }

  private failUnfinished(p: number, { kind, line }: PendingLine): never {
    const what =
      kind === 'call' ? `a cost line after the calls= of line ${line}` : `a position line after the jump of line ${line}`;
    this.fail(p, what, wordAt(this.buf, p));
  }
}

/** True if the byte can start a position: a digit, +, - or *. */
const isPositionStart = (c: number): boolean => (c >= 48 && c <= 57) || c === 43 || c === 45 || c === 42;

const isBlankOrComment = (buf: Uint8Array, p: number, eol: number): boolean =>
  p === eol || buf[p] === 35 || (buf[p] === 13 && eol === p + 1);

const hasWordAt = (buf: Uint8Array, p: number, end: number, word: string): boolean =>
  end - p === word.length && startsWithAscii(buf, p, word);
