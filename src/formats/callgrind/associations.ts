// Calls and jumps: a line that says how often and where to, and after it the line with the source position (and, for a call,
// its inclusive cost). What the first line says waits here for the second.
import type { Sink } from '../../model/sink.ts';
import { cursor, type Fail, readNumber, shortNumber, wordAt } from './numbers.ts';
import type { PartReader } from './parts.ts';
import { address64, readAddress, readPosition } from './positions.ts';
import type { SpecReader } from './specs.ts';

/** The last self cost line, which targets are relative to. */
export interface Base {
  readonly low: number;
  readonly high: number;
  readonly bb: number;
  readonly line: number;
}

export class AssociationReader {
  private count = 0;
  private executed = 0;
  private conditional = false;
  private mention = -1;
  private targetFile = -1;
  private targetLow = 0;
  private targetHigh = 0;
  private targetLine = 0;
  private readonly sink: Sink;
  private readonly parts: PartReader;
  private readonly specs: SpecReader;
  private readonly fail: Fail;

  constructor(sink: Sink, parts: PartReader, specs: SpecReader, fail: Fail) {
    this.sink = sink;
    this.parts = parts;
    this.specs = specs;
    this.fail = fail;
  }

  private number(buf: Uint8Array, p: number, form: string): number {
    const v = shortNumber(buf, p) ?? readNumber(buf, p, false);
    if (v === undefined) this.fail(p, form, wordAt(buf, p));
    return Number(v);
  }

  /** `calls=COUNT TARGET`: the count, and the target's positions as far as they are there. */
  callsLine(buf: Uint8Array, p: number, base: Base): void {
    const form = 'calls=COUNT TARGET';
    while (buf[p] === 32 || buf[p] === 9) p++;
    this.count = this.number(buf, p, form);
    p = cursor.at;
    if (buf[p] > 32) this.fail(p, form, wordAt(buf, p));
    this.target(buf, p, base);
    if (this.specs.calledFn < 0) this.fail(p, 'cfn= before calls=', 'none');
    this.mention = this.specs.takeCallee();
  }

  jumpLine(buf: Uint8Array, p: number, conditional: boolean, base: Base): void {
    const form = conditional ? 'jcnd=TAKEN/EXECUTED TARGET' : 'jump=COUNT TARGET';
    while (buf[p] === 32 || buf[p] === 9) p++;
    this.count = this.executed = this.number(buf, p, form);
    p = cursor.at;
    if (conditional) {
      const slash = buf[p] === 47;
      if (slash) p++;
      while (buf[p] === 32 || buf[p] === 9) p++;
      const second = this.number(buf, p, form);
      p = cursor.at;
      if (slash) this.executed = second;
      else this.count = second;
    }
    if (buf[p] > 32) this.fail(p, form, wordAt(buf, p));
    this.target(buf, p, base);
    this.conditional = conditional;
    this.mention = this.specs.takeJumpTarget();
    this.targetFile = this.specs.takeJumpFile();
  }

  /** The target's positions, relative to the last self cost line like all others; what is left out is unknown (0). */
  private target(buf: Uint8Array, p: number, base: Base): void {
    const { parts } = this;
    this.targetLow = this.targetHigh = this.targetLine = 0;
    while (buf[p] === 32 || buf[p] === 9) p++;
    if (parts.hasInstr && buf[p] > 32) {
      p = this.targetAddress(buf, p, base);
      while (buf[p] === 32 || buf[p] === 9) p++;
    }
    if (parts.hasBb && buf[p] > 32) {
      readPosition(buf, p, base.bb, parts.positions, this.fail);
      p = cursor.at;
    }
    if (parts.hasLine && buf[p] > 32) {
      const v = readPosition(buf, p, base.line, parts.positions, this.fail);
      if (v < 0 || v > 0xffffffff) this.fail(p, 'a line number of at least 0', `line number ${v}`);
      this.targetLine = v;
    }
  }

  private targetAddress(buf: Uint8Array, p: number, base: Base): number {
    const c = buf[p];
    let { low, high } = base;
    if (c === 42) p++;
    else {
      const relative = c === 43 || c === 45;
      const from = relative ? p + 1 : p;
      p = readAddress(buf, from, this.parts.positions, this.fail);
      if (!relative) {
        low = address64.low;
        high = address64.high;
      } else {
        low += c === 45 ? -address64.low : address64.low;
        high += c === 45 ? -address64.high : address64.high;
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

  /** A jump from this line and address. */
  writeJump(line: number, own: number): void {
    const { sink, specs, parts } = this;
    const j = sink.jumps;
    const row = j.line.length;
    if (this.mention >= 0) j.targetRoutine.set(row, this.mention);
    if (this.targetHigh !== specs.spanHigh) j.targetHigh.set(row, this.targetHigh);
    j.span.push(specs.span);
    j.line.push(line);
    j.address.push(own);
    j.targetFile.push(this.targetFile >= 0 ? this.targetFile : specs.file);
    j.targetLine.push(this.targetLine);
    j.targetAddress.push(this.targetLow);
    j.conditional.push(this.conditional ? 1 : 0);
    j.taken.push(this.count);
    j.executed.push(this.executed);
    if (parts.hasInstr) j.hasAddress = true;
  }

  /** A call from this line and address; the row that its costs go to. */
  writeCall(line: number, own: number): number {
    const { calls } = this.sink;
    if (this.parts.hasInstr) calls.hasAddress = true;
    return calls.push(this.specs.span, this.mention, line, own, this.targetLine, this.count);
  }
}
