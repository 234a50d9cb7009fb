// The byte loop of Callgrind and Cachegrind files. It reads bytes, never lines as strings; only names, header lines and
// errors become text. Specification: Callgrind Profile Format, version 1, section 3.2. Where writers depart from it:
//  - a relative position is relative to the last self cost line (or the last line of a jump-free row), never to the cost
//    line of a call or the position after a jump; the base holds over fn= and over parts (valgrind's dumps in mid-call);
//  - `jcnd=taken/executed target` with a slash; with blanks it is the specification's `executed taken`;
//  - after jump= and jcnd= comes a line that has only the source position;
//  - cob=, cfi= and cfl= hold for one call, jfi= and jfn= for one jump;
//  - xdebug writes more positions after calls= than there are columns; cachegrind may write `.` for a count.
import { FormatError, type Problem } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { cursor, readNumber, shortNumber, wordAt } from './numbers.ts';
import { PartReader } from './parts.ts';
import { SpecReader } from './specs.ts';

const NONE = 0;
const CALL = 1;
const JUMP = 2;

const BODY_HINT = 'a body line that starts with a letter is fl fi fe fn ob cfl cfi cfn cob calls jump or jcnd';

export class Scanner {
  readonly sink: Sink;
  readonly path: string;
  readonly parts: PartReader;
  readonly specs: SpecReader;
  /** The line being read; 1 is the first. */
  lineNo = 0;
  /** What the next cost line belongs to: nothing, the calls= or the jump= before it. */
  private pending = NONE;
  private pendingLine = 0;
  // The last self cost line: what relative positions are relative to. `low` and `high` are the halves of an address.
  private baseLow = 0;
  private baseHigh = 0;
  private baseBb = 0;
  private baseLine = 0;
  // Positions of the line just read, for calls and jumps.
  private low = 0;
  private high = 0;
  private bb = 0;
  private line = 0;
  // The call or jump that waits for its position.
  private count = 0;
  private executed = 0;
  private conditional = false;
  private mention = -1;
  private targetFile = -1;
  private targetLow = 0;
  private targetHigh = 0;
  private targetLine = 0;
  private buf: Uint8Array = new Uint8Array(0);
  private readonly firstCall: number;
  private readonly firstJump: number;

  constructor(sink: Sink, path: string) {
    this.sink = sink;
    this.path = path;
    this.parts = new PartReader(sink, path, this.fail.bind(this));
    this.specs = new SpecReader(sink, this.fail.bind(this));
    this.firstCall = sink.calls.rows;
    this.firstJump = sink.jumps.line.length;
  }

  /** Throws the problem at p of the line that is being read. */
  fail(p: number, expected: string, found: string, hint?: string): never {
    throw new FormatError(this.problem(p, expected, found, hint));
  }

  private problem(p: number, expected: string, found: string, hint?: string): Problem {
    const { buf } = this;
    let from = p;
    while (from > 0 && buf[from - 1] !== 10) from--;
    let to = p;
    while (to < buf.length && buf[to] !== 10 && to - from < 400) to++;
    const decode = (a: number, b: number) => new TextDecoder().decode(buf.subarray(a, b));
    const excerpt = decode(from, to).replace(/\r$/, '');
    return {
      path: this.path,
      line: this.lineNo,
      expected,
      found,
      ...(hint ? { hint } : {}),
      ...(excerpt === '' ? {} : { excerpt, column: decode(from, p).length }),
    };
  }

  /** Scans whole lines: buf[end - 1] is a line end. */
  scan(buf: Uint8Array, p: number, end: number): void {
    this.buf = buf;
    const { sink, parts, specs } = this;
    const rows = sink.lines;
    let { baseLow, baseHigh, baseBb, baseLine, lineNo, pending } = this;
    let { hasInstr, hasBb, hasLine, columns } = parts;
    let line = rows.line;
    let address = rows.address;
    let costs = rows.costs.columns;
    let row = rows.rows;
    let capacity = rows.capacity;
    let spanHigh = specs.spanHigh;
    let span = specs.span;
    while (p < end) {
      let c = buf[p]!;
      lineNo++;
      while (c === 32 || c === 9) c = buf[++p]!;
      if (c > 57 || (c < 48 && c !== 43 && c !== 45 && c !== 42)) {
        if (c === 10) {
          p++;
          continue;
        }
        let eol = p;
        // Specification lines are short: their end is nearer than a native search would be worth.
        while (buf[eol] !== 10) eol++;
        if (c === 35 || (c === 13 && eol === p + 1)) {
          p = eol + 1;
          continue;
        }
        // No closure over these: it would move them to the heap, at a third of the speed.
        this.baseLow = baseLow;
        this.baseHigh = baseHigh;
        this.baseBb = baseBb;
        this.baseLine = baseLine;
        this.lineNo = lineNo;
        this.pending = pending;
        rows.rows = row;
        this.otherLine(buf, p, eol);
        ({ hasInstr, hasBb, hasLine, columns } = parts);
        pending = this.pending;
        address = rows.address;
        costs = rows.costs.columns;
        span = specs.span;
        spanHigh = specs.spanHigh;
        p = eol + 1;
        continue;
      }

      // A cost line, the cost line of a call, or the position of a jump.
      const start = p;
      let low = baseLow;
      let high = baseHigh;
      let bb = baseBb;
      let at = baseLine;
      if (hasInstr) {
        const sign = c;
        if (c === 42) p++;
        else {
          if (c === 43 || c === 45) p++;
          const from = p;
          let v = 0;
          let d = buf[p]! - 48;
          while (d >= 0 && d <= 9) {
            v = v * 10 + d;
            d = buf[++p]! - 48;
          }
          let vHigh = 0;
          if (p - from > 9 || (v === 0 && (buf[p]! | 32) === 120) || p === from) {
            this.lineNo = lineNo;
            p = this.wideAddress(buf, from);
            v = this.low;
            vHigh = this.high;
          }
          if (sign === 43) {
            low += v;
            high += vHigh;
            if (low >= 0x100000000) {
              low -= 0x100000000;
              high++;
            }
          } else if (sign === 45) {
            low -= v;
            high -= vHigh;
            if (low < 0) {
              low += 0x100000000;
              high--;
            }
            if (high < 0) this.failAt(lineNo, start, 'an address of at least 0', `a step back to ${high * 0x100000000 + low}`);
          } else {
            low = v;
            high = vHigh;
          }
        }
        c = buf[p]!;
        if (c !== 32 && c !== 9 && c !== 10 && c !== 13) this.badPosition(lineNo, p);
        while (c === 32 || c === 9) c = buf[++p]!;
      }
      if (hasBb) {
        this.lineNo = lineNo;
        bb = this.plainPosition(buf, p, baseBb);
        p = cursor.at;
        c = buf[p]!;
      }
      if (hasLine) {
        const sign = c;
        if (c === 42) p++;
        else {
          if (c === 43 || c === 45) p++;
          const from = p;
          let v = 0;
          let d = buf[p]! - 48;
          while (d >= 0 && d <= 9) {
            v = v * 10 + d;
            d = buf[++p]! - 48;
          }
          if (p - from > 9 || (v === 0 && (buf[p]! | 32) === 120) || p === from) {
            this.lineNo = lineNo;
            const wide = readNumber(buf, from, false);
            p = cursor.at;
            if (wide === undefined && p === from) this.missingPosition(lineNo, start, from);
            if (typeof wide !== 'number' || wide > 0xffffffff) this.failAt(lineNo, from, 'a line number below 2^32', wordAt(buf, from));
            v = wide;
          }
          at = sign === 43 ? at + v : sign === 45 ? at - v : v;
          if (at < 0 || at > 0xffffffff) this.failAt(lineNo, start, 'a line number of at least 0', `line number ${at}`);
        }
        c = buf[p]!;
        if (c !== 32 && c !== 9 && c !== 10 && c !== 13) this.badPosition(lineNo, p);
        while (c === 32 || c === 9) c = buf[++p]!;
      }

      if (pending !== NONE) {
        this.lineNo = lineNo;
        this.low = low;
        this.high = high;
        this.bb = bb;
        this.line = at;
        rows.rows = row;
        p = this.finishPending(buf, p, pending);
        pending = NONE;
        span = specs.span;
        spanHigh = specs.spanHigh;
        continue;
      }

      if (span < 0 || high !== spanHigh) {
        this.lineNo = lineNo;
        rows.rows = row;
        if (columns.length === 0) parts.needEvents(start);
        specs.openSpan(start, parts.part, high);
        span = specs.span;
        spanHigh = high;
        parts.hasBody = true;
      }
      if (row === capacity) {
        rows.rows = row;
        rows.reserve(parts.expectedRows);
        ({ line, address, capacity } = rows);
        costs = rows.costs.columns;
      }
      baseLow = low;
      baseHigh = high;
      baseBb = bb;
      baseLine = at;
      line[row] = at;
      if (address !== undefined) address[row] = hasInstr ? low : bb;
      for (let k = 0; c !== 10; k++) {
        const from = p;
        let v = 0;
        let d = c - 48;
        while (d >= 0 && d <= 9) {
          v = v * 10 + d;
          d = buf[++p]! - 48;
        }
        c = d + 48;
        if (p - from > 9 || p === from || (c !== 10 && c !== 32 && c !== 9 && c !== 13) || k >= columns.length) {
          if (p === from && c === 13 && buf[p + 1] === 10) {
            p++;
            break;
          }
          this.lineNo = lineNo;
          p = this.wideCost(buf, from, k, rows.costs, row);
          costs = rows.costs.columns;
          c = buf[p]!;
        } else {
          costs[columns[k]!]![row] = v;
        }
        while (c === 32 || c === 9) c = buf[++p]!;
      }
      row++;
      p++;
    }
    this.baseLow = baseLow;
    this.baseHigh = baseHigh;
    this.baseBb = baseBb;
    this.baseLine = baseLine;
    this.lineNo = lineNo;
    this.pending = pending;
    rows.rows = row;
  }

  /** The end of the file. `open` is true where its last line had no line end. */
  finish(open: boolean): void {
    if (this.pending !== NONE) {
      this.lineNo = this.pendingLine;
      const what = this.pending === CALL ? 'a cost line after calls=' : 'a position line after the jump';
      this.sink.cut ??= { path: this.path, line: this.pendingLine, expected: what, found: 'the end of the file' };
      this.pending = NONE;
    }
    const { callee } = this.sink.calls;
    const routines = this.specs.functions.resolve(this.sink);
    for (let i = this.firstCall; i < this.sink.calls.rows; i++) callee.data[i] = routines[callee.data[i]!]!;
    const target = this.sink.jumps.targetRoutine;
    for (let i = this.firstJump; i < target.length; i++) if (target.data[i]! >= 0) target.data[i] = routines[target.data[i]!]!;
    this.parts.finish(this.lineNo, open);
    this.specs.finish(this.path);
  }

  private failAt(lineNo: number, p: number, expected: string, found: string): never {
    this.lineNo = lineNo;
    this.fail(p, expected, found);
  }

  private badPosition(lineNo: number, p: number): never {
    this.failAt(lineNo, p, `a position (${this.parts.positions.join(' ')})`, wordAt(this.buf, p));
  }

  private missingPosition(lineNo: number, start: number, p: number): never {
    const { positions } = this.parts;
    const got = this.buf[p] === 10 || this.buf[p] === 13 ? positions.length - 1 : 0;
    if (got > 0) this.failAt(lineNo, p, `${positions.length} subpositions (${positions.join(' ')})`, `${got}`);
    this.failAt(lineNo, start, `a position (${positions.join(' ')})`, wordAt(this.buf, p));
  }

  /** An address of more than nine digits, or in hexadecimal, into this.low and this.high; returns where it ends. */
  private wideAddress(buf: Uint8Array, p: number): number {
    const v = shortNumber(buf, p) ?? readNumber(buf, p, false);
    if (v === undefined) this.fail(p, `a position (${this.parts.positions.join(' ')})`, wordAt(buf, p));
    if (typeof v === 'bigint') {
      this.low = Number(v & 0xffffffffn);
      this.high = Number(v >> 32n);
    } else {
      this.low = v % 0x100000000;
      this.high = Math.floor(v / 0x100000000);
    }
    return cursor.at;
  }

  /** A subposition off the fast path, relative to base; cursor.at is at what comes after it and its blanks. */
  private plainPosition(buf: Uint8Array, p: number, base: number): number {
    const c = buf[p]!;
    let value = base;
    if (c === 42) cursor.at = p + 1;
    else {
      const relative = c === 43 || c === 45;
      const from = relative ? p + 1 : p;
      const v = shortNumber(buf, from) ?? readNumber(buf, from, false);
      if (v === undefined) this.missingPosition(this.lineNo, p, p);
      value = Number(v) * (c === 45 ? -1 : 1) + (relative ? base : 0);
    }
    p = cursor.at;
    if (buf[p] !== 32 && buf[p] !== 9 && buf[p] !== 10 && buf[p] !== 13) this.badPosition(this.lineNo, p);
    while (buf[p] === 32 || buf[p] === 9) p++;
    cursor.at = p;
    return value;
  }

  /** A cost that is hexadecimal, negative, longer than nine digits, a dot, or wrong. Returns where it ends. */
  private wideCost(buf: Uint8Array, p: number, k: number, into: Sink['lines']['costs'], row: number): number {
    const { columns } = this.parts;
    if (buf[p] === 13 && buf[p + 1] === 10) return p + 1;
    let v: number | bigint | undefined = 0;
    if (buf[p] === 46) cursor.at = p + 1;
    else v = readNumber(buf, p, true);
    const end = cursor.at;
    const c = buf[end]!;
    if (v === undefined && end > p && c <= 32) this.fail(p, 'a count that fits 64 bits', wordAt(buf, p));
    if (v === undefined || (c !== 10 && c !== 32 && c !== 9 && c !== 13)) this.fail(p, 'a count', wordAt(buf, p));
    if (k >= columns.length) {
      const names = this.parts.eventNames.join(' ');
      this.fail(p, `at most ${columns.length} counts (${names})`, `another one, ${wordAt(buf, p)}`);
    }
    into.set(columns[k]!, row, v);
    return end;
  }

  /** A line that is no cost line: specification, calls, jump or header. */
  private otherLine(buf: Uint8Array, p: number, eol: number): void {
    const { specs, parts } = this;
    let end = eol;
    while (end > p && (buf[end - 1] === 13 || buf[end - 1] === 32 || buf[end - 1] === 9)) end--;
    let eq = p;
    while (eq < end && buf[eq]! !== 61 && buf[eq]! !== 58) eq++;
    if (buf[eq] !== 61 || eq === end) {
      if (this.pending !== NONE) this.unfinished(p);
      if (eq === end) this.fail(p, parts.hasBody ? 'a cost line or fn=' : 'a header line (key: value)', wordAt(buf, p), BODY_HINT);
      if (parts.header(buf, p, eq, end, this.lineNo)) specs.span = -1;
      return;
    }
    const length = eq - p;
    const c0 = buf[p]!;
    const c1 = buf[p + 1]!;
    // calls= rcalls=
    if ((c0 === 99 && c1 === 97 && length === 5) || (c0 === 114 && length === 6 && c1 === 99)) {
      if (this.pending !== NONE) this.unfinished(p);
      if (parts.columns.length === 0) parts.needEvents(p);
      this.callsLine(buf, eq + 1);
      return;
    }
    // jump= jcnd=
    if (c0 === 106 && length === 4) {
      if (this.pending !== NONE) this.unfinished(p);
      this.jumpLine(buf, eq + 1, c1 === 99);
      return;
    }
    if (this.pending !== NONE) this.unfinished(p);
    if (!specs.spec(buf, p, eq, end)) {
      // A name may hold anything, so `key: a=b` has its colon first; here the first of the two is `=` in a word we do not know.
      if (!parts.hasEvents && !/^[a-z]+$/i.test(new TextDecoder().decode(buf.subarray(p, eq)))) {
        this.fail(p, 'a header line (key: value)', wordAt(buf, p));
      }
      specs.unknown(buf, p, eq, this.lineNo);
    }
  }

  private unfinished(p: number): never {
    const what = this.pending === CALL ? `a cost line after the calls= of line ${this.pendingLine}` : `a position line after the jump of line ${this.pendingLine}`;
    this.fail(p, what, wordAt(this.buf, p));
  }

  /** `calls=COUNT TARGET`: the count, and the target's positions as far as they are there. */
  private callsLine(buf: Uint8Array, p: number): void {
    while (buf[p] === 32 || buf[p] === 9) p++;
    const count = shortNumber(buf, p) ?? readNumber(buf, p, false);
    if (count === undefined) this.fail(p, 'calls=COUNT TARGET', wordAt(buf, p));
    this.count = Number(count);
    p = cursor.at;
    if (buf[p]! > 32) this.fail(p, 'calls=COUNT TARGET', wordAt(buf, p));
    this.target(buf, p);
    const { specs } = this;
    if (specs.calledFn < 0) this.fail(p, 'cfn= before calls=', 'none');
    this.mention = specs.takeCallee();
    this.pending = CALL;
    this.pendingLine = this.lineNo;
  }

  private jumpLine(buf: Uint8Array, p: number, conditional: boolean): void {
    const form = conditional ? 'jcnd=TAKEN/EXECUTED TARGET' : 'jump=COUNT TARGET';
    while (buf[p] === 32 || buf[p] === 9) p++;
    const first = shortNumber(buf, p) ?? readNumber(buf, p, false);
    if (first === undefined) this.fail(p, form, wordAt(buf, p));
    p = cursor.at;
    this.count = Number(first);
    this.executed = Number(first);
    if (conditional) {
      const slash = buf[p] === 47;
      if (slash) p++;
      while (buf[p] === 32 || buf[p] === 9) p++;
      const second = shortNumber(buf, p) ?? readNumber(buf, p, false);
      if (second === undefined) this.fail(p, form, wordAt(buf, p));
      p = cursor.at;
      if (slash) this.executed = Number(second);
      else this.count = Number(second);
    }
    if (buf[p]! > 32) this.fail(p, form, wordAt(buf, p));
    this.target(buf, p);
    this.conditional = conditional;
    this.mention = this.specs.takeJumpTarget();
    this.targetFile = this.specs.takeJumpFile();
    this.pending = JUMP;
    this.pendingLine = this.lineNo;
  }

  /** The target's positions, relative to the last self cost line like all others; what is left out is unknown (0). */
  private target(buf: Uint8Array, p: number): void {
    const { parts } = this;
    this.targetLow = this.targetHigh = this.targetLine = 0;
    while (buf[p] === 32 || buf[p] === 9) p++;
    if (parts.hasInstr && buf[p]! > 32) {
      p = this.targetAddress(buf, p);
      while (buf[p] === 32 || buf[p] === 9) p++;
    }
    if (parts.hasBb && buf[p]! > 32) {
      this.plainPosition(buf, p, this.baseBb);
      p = cursor.at;
    }
    if (parts.hasLine && buf[p]! > 32) {
      const v = this.plainPosition(buf, p, this.baseLine);
      if (v < 0 || v > 0xffffffff) this.fail(p, 'a line number of at least 0', `line number ${v}`);
      this.targetLine = v;
    }
  }

  private targetAddress(buf: Uint8Array, p: number): number {
    const c = buf[p]!;
    let low = this.baseLow;
    let high = this.baseHigh;
    if (c === 42) p++;
    else {
      const relative = c === 43 || c === 45;
      const from = relative ? p + 1 : p;
      p = this.wideAddress(buf, from);
      if (!relative) {
        low = this.low;
        high = this.high;
      } else {
        low += c === 45 ? -this.low : this.low;
        high += c === 45 ? -this.high : this.high;
        if (low >= 0x100000000) {
          low -= 0x100000000;
          high++;
        } else if (low < 0) {
          low += 0x100000000;
          high--;
        }
        if (high < 0) this.fail(from, 'an address of at least 0', `a step back to ${high * 0x100000000 + low}`);
      }
    }
    this.targetLow = low;
    this.targetHigh = high;
    return p;
  }

  /** The line after calls= or a jump, its position read: writes the row and returns the start of the next line. */
  private finishPending(buf: Uint8Array, p: number, kind: number): number {
    const { specs, sink, parts } = this;
    if (specs.span < 0 || specs.spanHigh !== this.high) {
      specs.openSpan(p, parts.part, this.high);
      parts.hasBody = true;
    }
    const own = parts.hasInstr ? this.low : this.bb;
    this.pending = NONE;
    if (kind === JUMP) {
      const j = sink.jumps;
      j.span.push(specs.span);
      j.line.push(this.line);
      j.address.push(own);
      j.targetFile.push(this.targetFile >= 0 ? this.targetFile : specs.file);
      j.targetRoutine.push(this.mention);
      j.targetLine.push(this.targetLine);
      j.targetHigh.push(this.targetHigh);
      j.targetAddress.push(this.targetLow);
      j.conditional.push(this.conditional ? 1 : 0);
      j.taken.push(this.count);
      j.executed.push(this.executed);
      if (parts.hasInstr) j.hasAddress = true;
      if (buf[p] === 13) p++;
      if (buf[p] !== 10) this.fail(p, 'only a position after a jump', wordAt(buf, p));
      return p + 1;
    }
    const calls = sink.calls;
    const row = calls.push(specs.span, this.mention, this.line, own, this.targetLine, this.count);
    if (parts.hasInstr) calls.hasAddress = true;
    for (let k = 0; buf[p] !== 10; k++) {
      const v = shortNumber(buf, p);
      if (v !== undefined && buf[cursor.at]! <= 32 && k < parts.columns.length) {
        calls.costs.columns[parts.columns[k]!]![row] = v;
        p = cursor.at;
      } else p = this.wideCost(buf, p, k, calls.costs, row);
      while (buf[p] === 32 || buf[p] === 9) p++;
    }
    return p + 1;
  }
}
