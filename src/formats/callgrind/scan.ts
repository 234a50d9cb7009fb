// The byte loop of Callgrind and Cachegrind files. It reads bytes, never lines as strings; only names, header lines and
// errors become text. Specification: Callgrind Profile Format, version 1, section 3.2. Where writers depart from it:
//  - a relative position is relative to the last self cost line (or the last line of a jump-free row), never to the cost
//    line of a call or the position after a jump; the base holds over fn= and over parts (valgrind's dumps in mid-call);
//  - `jcnd=taken/executed target` with a slash; with blanks it is the specification's `executed taken`;
//  - after jump= and jcnd= comes a line that has only the source position;
//  - cob=, cfi= and cfl= hold for one call, jfi= and jfn= for one jump;
//  - xdebug writes more positions after calls= than columns; cachegrind may write `.` for a count.
import { FormatError } from '../../base/problem.ts';
import type { Sink } from '../../model/sink.ts';
import { AssociationReader } from './associations.ts';
import { cursor, type Fail, problemAt, readNumber, shortNumber, wordAt } from './numbers.ts';
import { PartReader } from './parts.ts';
import { address64, missingPosition, readAddress, readPosition } from './positions.ts';
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
  private readonly associations: AssociationReader;
  /** The line being read; 1 is the first. */
  lineNo = 0;
  /** What the next cost line belongs to: nothing, the calls= or the jump= before it. */
  private pending = NONE;
  private pendingLine = 0;
  // The last self cost line: what relative positions are relative to. `low` and `high` are the halves of an address.
  readonly base = { low: 0, high: 0, bb: 0, line: 0 };
  // Positions of the line just read, for calls and jumps.
  private low = 0;
  private high = 0;
  private bb = 0;
  private line = 0;
  private buf: Uint8Array = new Uint8Array(0);

  constructor(sink: Sink, path: string) {
    this.sink = sink;
    this.path = path;
    this.parts = new PartReader(sink, path, this.fail);
    this.specs = new SpecReader(sink, this.fail);
    this.associations = new AssociationReader(sink, this.parts, this.specs, this.fail);
  }

  /** A calls= or jump= line waits for its second line. */
  get waiting(): boolean {
    return this.pending !== NONE;
  }

  /** Throws the problem at p of the line that is being read. */
  readonly fail: Fail = (p, expected, found, hint) => {
    throw new FormatError(problemAt({ path: this.path, line: this.lineNo }, this.buf, p, { expected, found, hint }));
  };

  /** Scans whole lines: buf[end - 1] is a line end. */
  scan(buf: Uint8Array, p: number, end: number): void {
    this.buf = buf;
    const { sink, parts, specs, base } = this;
    const rows = sink.lines;
    let { low: baseLow, high: baseHigh, bb: baseBb, line: baseLine } = this.base;
    let { lineNo, pending } = this;
    let { hasInstr, hasBb, hasLine, columns } = parts;
    let line = rows.line;
    let address = rows.address;
    let costs = rows.costs.columns;
    let first = costs[columns[0] ?? 0];
    let row = rows.rows;
    let capacity = rows.capacity;
    let spanHigh = specs.spanHigh;
    let span = specs.span;
    while (p < end) {
      let c = buf[p];
      lineNo++;
      while (c === 32 || c === 9) c = buf[++p];
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
        base.low = baseLow;
        base.high = baseHigh;
        base.bb = baseBb;
        base.line = baseLine;
        this.lineNo = lineNo;
        this.pending = pending;
        rows.rows = row;
        this.otherLine(buf, p, eol);
        ({ hasInstr, hasBb, hasLine, columns } = parts);
        pending = this.pending;
        address = rows.address;
        costs = rows.costs.columns;
        first = costs[columns[0] ?? 0];
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
          let d = buf[p] - 48;
          while (d >= 0 && d <= 9) {
            v = v * 10 + d;
            d = buf[++p] - 48;
          }
          let vHigh = 0;
          if (p - from > 9 || (v === 0 && (buf[p] | 32) === 120) || p === from) {
            this.lineNo = lineNo;
            p = readAddress(buf, from, parts.positions, this.fail);
            v = address64.low;
            vHigh = address64.high;
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
        c = buf[p];
        if (c !== 32 && c !== 9 && c !== 10 && c !== 13) this.badPosition(lineNo, p);
        while (c === 32 || c === 9) c = buf[++p];
      }
      if (hasBb) {
        this.lineNo = lineNo;
        bb = readPosition(buf, p, baseBb, parts.positions, this.fail);
        p = cursor.at;
        c = buf[p];
      }
      if (hasLine) {
        const sign = c;
        if (c === 42) p++;
        else {
          if (c === 43 || c === 45) p++;
          const from = p;
          let v = 0;
          let d = buf[p] - 48;
          while (d >= 0 && d <= 9) {
            v = v * 10 + d;
            d = buf[++p] - 48;
          }
          if (p - from > 9 || (v === 0 && (buf[p] | 32) === 120) || p === from) {
            this.lineNo = lineNo;
            const wide = readNumber(buf, from, false);
            p = cursor.at;
            if (wide === undefined && p === from) missingPosition(buf, from, parts.positions, this.fail);
            if (typeof wide !== 'number' || wide > 0xffffffff)
              this.failAt(lineNo, from, 'a line number below 2^32', wordAt(buf, from));
            v = wide;
          }
          at = sign === 43 ? at + v : sign === 45 ? at - v : v;
          if (at < 0 || at > 0xffffffff) this.failAt(lineNo, start, 'a line number of at least 0', `line number ${at}`);
        }
        c = buf[p];
        if (c !== 32 && c !== 9 && c !== 10 && c !== 13) this.badPosition(lineNo, p);
        while (c === 32 || c === 9) c = buf[++p];
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
        rows.reserve(rows.capacity * 2);
        ({ line, address, capacity } = rows);
        costs = rows.costs.columns;
        first = costs[columns[0]];
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
          d = buf[++p] - 48;
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
          first = costs[columns[0]];
          c = buf[p];
        } else if (k === 0) first[row] = v;
        else costs[columns[k]][row] = v;
        while (c === 32 || c === 9) c = buf[++p];
      }
      row++;
      p++;
    }
    base.low = baseLow;
    base.high = baseHigh;
    base.bb = baseBb;
    base.line = baseLine;
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

  /** A cost that is hexadecimal, negative, longer than nine digits, a dot, or wrong. Returns where it ends. */
  private wideCost(buf: Uint8Array, p: number, k: number, into: Sink['lines']['costs'], row: number): number {
    const { columns } = this.parts;
    if (buf[p] === 13 && buf[p + 1] === 10) return p + 1;
    let v: number | bigint | undefined = 0;
    if (buf[p] === 46) cursor.at = p + 1;
    else v = readNumber(buf, p, true);
    const end = cursor.at;
    const c = buf[end];
    if (v === undefined && end > p && c <= 32) this.fail(p, 'a count that fits 64 bits', wordAt(buf, p));
    if (v === undefined || (c !== 10 && c !== 32 && c !== 9 && c !== 13)) this.fail(p, 'a count', wordAt(buf, p));
    if (k >= columns.length) {
      const names = this.parts.eventNames.join(' ');
      this.fail(p, `at most ${columns.length} counts (${names})`, `another one, ${wordAt(buf, p)}`);
    }
    into.set(columns[k], row, v);
    return end;
  }

  /** A line that is no cost line: specification, calls, jump or header. */
  otherLine(buf: Uint8Array, p: number, eol: number): void {
    this.buf = buf;
    const { specs, parts } = this;
    let end = eol;
    while (end > p && (buf[end - 1] === 13 || buf[end - 1] === 32 || buf[end - 1] === 9)) end--;
    let eq = p;
    while (eq < end && buf[eq] !== 61 && buf[eq] !== 58) eq++;
    if (buf[eq] !== 61 || eq === end) {
      if (this.pending !== NONE) this.unfinished(p);
      if (eq === end)
        this.fail(p, parts.hasBody ? 'a cost line or fn=' : 'a header line (key: value)', wordAt(buf, p), BODY_HINT);
      if (parts.header(buf, p, eq, end, this.lineNo)) specs.span = -1;
      return;
    }
    const length = eq - p;
    const c0 = buf[p];
    const c1 = buf[p + 1];
    // calls= rcalls=
    if ((c0 === 99 && c1 === 97 && length === 5) || (c0 === 114 && length === 6 && c1 === 99)) {
      if (this.pending !== NONE) this.unfinished(p);
      if (parts.columns.length === 0) parts.needEvents(p);
      this.associations.callsLine(buf, eq + 1, this.base);
      this.pending = CALL;
      this.pendingLine = this.lineNo;
      return;
    }
    // jump= jcnd=
    if (c0 === 106 && length === 4) {
      if (this.pending !== NONE) this.unfinished(p);
      this.associations.jumpLine(buf, eq + 1, c1 === 99, this.base);
      this.pending = JUMP;
      this.pendingLine = this.lineNo;
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
    const what =
      this.pending === CALL
        ? `a cost line after the calls= of line ${this.pendingLine}`
        : `a position line after the jump of line ${this.pendingLine}`;
    this.fail(p, what, wordAt(this.buf, p));
  }

  /** The line after calls= or a jump, its position read: writes the row and returns the start of the next line. */
  private finishPending(buf: Uint8Array, p: number, kind: number): number {
    const { specs, parts } = this;
    if (specs.span < 0 || specs.spanHigh !== this.high) {
      specs.openSpan(p, parts.part, this.high);
      parts.hasBody = true;
    }
    const own = parts.hasInstr ? this.low : this.bb;
    this.pending = NONE;
    if (kind === JUMP) {
      this.associations.writeJump(this.line, own);
      if (buf[p] === 13) p++;
      if (buf[p] !== 10) this.fail(p, 'only a position after a jump', wordAt(buf, p));
      return p + 1;
    }
    const { costs } = this.sink.calls;
    const row = this.associations.writeCall(this.line, own);
    for (let k = 0; buf[p] !== 10; k++) {
      const v = shortNumber(buf, p);
      if (v !== undefined && buf[cursor.at] <= 32 && k < parts.columns.length) {
        costs.columns[parts.columns[k]][row] = v;
        p = cursor.at;
      } else p = this.wideCost(buf, p, k, costs, row);
      while (buf[p] === 32 || buf[p] === 9) p++;
    }
    return p + 1;
  }
}
