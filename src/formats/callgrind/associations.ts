// Calls and jumps: a line with count and target, followed by a line with the source position (and, for a call, its inclusive
// cost). The contents of the first line wait here for the second.
import type { CallGraphWriter } from '../../model/callgraph/writer.ts';
import { cursor, type Fail, readNumber, shortNumber, skipBlanks, wordAt } from './numbers.ts';
import type { PartReader } from './parts.ts';
import { type Position, readTarget } from './positions.ts';
import type { SpecReader } from './specs.ts';

export class AssociationReader {
  private count = 0;
  private executed = 0;
  private conditional = false;
  private mention = -1;
  private targetFile = -1;
  private readonly target: Position = { low: 0, high: 0, bb: 0, line: 0 };
  private readonly tables: CallGraphWriter;
  private readonly parts: PartReader;
  private readonly specs: SpecReader;
  private readonly fail: Fail;

  constructor(tables: CallGraphWriter, parts: PartReader, specs: SpecReader, fail: Fail) {
    this.tables = tables;
    this.parts = parts;
    this.specs = specs;
    this.fail = fail;
  }

  private number(buf: Uint8Array, p: number, form: string): number {
    const v = shortNumber(buf, p) ?? readNumber(buf, p, false);
    if (v === undefined) this.fail(p, form, wordAt(buf, p));
    return Number(v);
  }

  /** `calls=COUNT TARGET`: the count, and as many of the target's positions as are given. */
  callsLine(buf: Uint8Array, p: number, base: Readonly<Position>): void {
    const form = 'calls=COUNT TARGET';
    p = skipBlanks(buf, p);
    this.count = this.number(buf, p, form);
    p = cursor.at;
    if (buf[p] > 32) this.fail(p, form, wordAt(buf, p));
    readTarget(buf, p, this.parts, base, this.target, this.fail);
    if (this.specs.calledFn < 0) this.fail(p, 'cfn= before calls=', 'none');
    this.mention = this.specs.takeCallee();
  }

  jumpLine(buf: Uint8Array, p: number, conditional: boolean, base: Readonly<Position>): void {
    const form = conditional ? 'jcnd=TAKEN/EXECUTED TARGET' : 'jump=COUNT TARGET';
    p = skipBlanks(buf, p);
    this.count = this.executed = this.number(buf, p, form);
    p = cursor.at;
    if (conditional) {
      const slash = buf[p] === 47;
      if (slash) p++;
      p = skipBlanks(buf, p);
      const second = this.number(buf, p, form);
      p = cursor.at;
      if (slash) this.executed = second;
      else this.count = second;
    }
    if (buf[p] > 32) this.fail(p, form, wordAt(buf, p));
    readTarget(buf, p, this.parts, base, this.target, this.fail);
    this.conditional = conditional;
    this.mention = this.specs.takeJumpTarget();
    this.targetFile = this.specs.takeJumpFile();
  }

  /** Writes a jump from this line and address. */
  writeJump(line: number, own: number): void {
    const { specs, parts, target } = this;
    const j = this.tables.jumps;
    const row = j.line.length;
    if (this.mention >= 0) j.targetRoutine.set(row, this.mention);
    if (target.high !== specs.spanHigh) j.targetHigh.set(row, target.high);
    j.span.push(specs.span);
    j.line.push(line);
    j.address.push(own);
    j.targetFile.push(this.targetFile >= 0 ? this.targetFile : specs.file);
    j.targetLine.push(target.line);
    j.targetAddress.push(target.low);
    j.conditional.push(this.conditional ? 1 : 0);
    j.taken.push(this.count);
    j.executed.push(this.executed);
    if (parts.hasInstr) j.hasAddress = true;
  }

  /** Writes a call from this line and address; returns the row that its costs go to. */
  writeCall(line: number, own: number): number {
    const { calls } = this.tables;
    if (this.parts.hasInstr) calls.hasAddress = true;
    return calls.push(this.specs.span, this.mention, line, own, this.count);
  }
}
