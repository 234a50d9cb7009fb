// Writes a digest into the sink: columns are copied as they are, ids become functions and files, and the scanner reads the lines
// that the digest only marked. The rows between two marks, a run, belong to one span, unless their addresses differ in the upper
// half; then, or if an id is not defined, the scanner reads the run from its bytes instead.
import type { CallGraphWriter } from '../../model/callgraph/writer.ts';
import { type Digest, FLAG, type LineForm, MARK, MARK_WORDS, WIDE } from './digest.ts';
import type { PartReader } from './parts.ts';
import type { Scanner } from './scan.ts';
import type { SpecReader } from './specs.ts';

export function formOf(parts: PartReader): LineForm {
  return { hasInstr: parts.hasInstr, hasLine: parts.hasLine, events: parts.columns.length };
}

export function sameForm(a: LineForm, b: LineForm): boolean {
  return a.hasInstr === b.hasInstr && a.hasLine === b.hasLine && a.events === b.events;
}

/** Adds the digest of buf[from..], which has the scanner's form, to its tables. Returns the number of bytes read. */
export function applyDigest(scanner: Scanner, digest: Digest, buf: Uint8Array, from: number): number {
  new DigestReader(scanner, digest, buf, from).read();
  return digest.used;
}

class DigestReader {
  private readonly scanner: Scanner;
  private readonly digest: Digest;
  private readonly buf: Uint8Array;
  private readonly from: number;
  private readonly firstLine: number;
  /** Rows of the tables before the digest. */
  private readonly rows: number;
  private readonly calls: number;
  private readonly jumps: number;
  // Where the run that is being looked at starts, in each table and in the bytes.
  private row = 0;
  private call = 0;
  private jump = 0;
  private byte = 0;
  private line = 0;

  constructor(scanner: Scanner, digest: Digest, buf: Uint8Array, from: number) {
    const { tables } = scanner;
    this.scanner = scanner;
    this.digest = digest;
    this.buf = buf;
    this.from = from;
    this.firstLine = scanner.lineNo;
    this.rows = tables.lines.rows;
    this.calls = tables.calls.rows;
    this.jumps = tables.jumps.line.length;
  }

  read(): void {
    const { digest: d, scanner } = this;
    const { tables, parts } = scanner;
    copyRows(tables, d, parts.columns);
    copyCalls(tables, d, parts.columns);
    copyJumps(tables, d);
    this.readMarks(parts.columns);
    tables.lines.costs.sumsTo(tables.lines.rows);
    tables.lines.costs.filled = 0;
    tables.calls.costs.filled = 0;
  }

  private readMarks(columns: readonly number[]): void {
    const { mark, marks } = this.digest;
    for (let w = 0; w < marks * MARK_WORDS; w += MARK_WORDS) {
      this.readRun(w);
      this.row = mark[w + MARK.rows];
      this.call = mark[w + MARK.calls];
      this.jump = mark[w + MARK.jumps];
      this.byte = mark[w + MARK.eol] + 1;
      if (!this.readMarked(w, columns)) return;
    }
    // The last run ends with the digest.
    const w = marks * MARK_WORDS;
    this.readRun(w);
    this.setRows(mark[w + MARK.rows], mark[w + MARK.calls], mark[w + MARK.jumps]);
  }

  /** The run that ends at the mark: as the digest has it where that is sound, else from its bytes. */
  private readRun(w: number): void {
    const { scanner, firstLine } = this;
    const { mark } = this.digest;
    const { specs, base } = scanner;
    if (this.isPlain(w) && this.putRun(w)) {
      const ids = w + MARK.ids;
      specs.callIds(mark[ids], mark[ids + 1], mark[ids + 2]);
      specs.jumpIds(mark[ids + 3], mark[ids + 4]);
      if (mark[w + MARK.flags] & FLAG.known) {
        base.low = mark[w + MARK.base] >>> 0;
        base.high = mark[w + MARK.base + 1] >>> 0;
        base.line = mark[w + MARK.base + 2] >>> 0;
      }
    } else {
      const { buf, from } = this;
      this.setRows(this.row, this.call, this.jump);
      scanner.lineNo = firstLine + this.line;
      scanner.scan(buf, from + this.byte, from + lineStart(buf, from, mark[w + MARK.from]));
    }
    scanner.tables.lines.rows = this.rows + mark[w + MARK.rows];
    this.line = mark[w + MARK.line];
    scanner.lineNo = firstLine + this.line;
  }

  /** Whether the rows up to the mark are of one span, of functions that are defined. */
  private isPlain(w: number): boolean {
    const { digest: d, row, call, jump } = this;
    const { mark } = d;
    const { specs } = this.scanner;
    const flags = mark[w + MARK.flags];
    if (flags & FLAG.mixed || !knowsIds(specs, mark, w + MARK.ids)) return false;
    const endJump = mark[w + MARK.jumps];
    if (!specs.hasFunction && (mark[w + MARK.rows] > row || mark[w + MARK.calls] > call || endJump > jump)) return false;
    return endJump <= jump || !(flags & FLAG.farJumps || specs.jumpsAway) || knowsJumps(specs, d, jump, endJump);
  }

  /** Says which span, callees and jump targets the rows up to the mark have; false where a callee is not known. */
  private putRun(w: number): boolean {
    const { digest: d, scanner, row, call, jump, calls } = this;
    const { mark } = d;
    const { tables, specs, parts } = scanner;
    const endCall = mark[w + MARK.calls];
    const endJump = mark[w + MARK.jumps];
    if (mark[w + MARK.rows] <= row && endCall <= call && endJump <= jump) return true;
    const high = mark[w + MARK.high] >>> 0;
    if (specs.span < 0 || high !== specs.spanHigh) {
      tables.lines.rows = this.rows + row;
      specs.openSpan(0, parts.part, high);
      parts.hasBody = true;
    }
    if (endCall > call) {
      const [, , cfn, cfi, cob] = d.call;
      const { span: callSpan, callee } = tables.calls;
      if (d.form.hasInstr) tables.calls.hasAddress = true;
      const { span } = specs;
      specs.keepCalled();
      for (let i = call; i < endCall; i++) {
        const mention = specs.callee(cfn[i], cfi[i], cob[i]);
        callSpan.data[calls + i] = span;
        callee.data[calls + i] = mention;
        if (mention < 0) {
          specs.takeBackCalled();
          return false;
        }
      }
    }
    if (endJump > jump) putJumps(scanner, d, this.jumps, jump, endJump, (mark[w + MARK.flags] & FLAG.farJumps) !== 0);
    return true;
  }

  /** The line that is marked; false where it changes how the lines after it are read, which are read now. */
  private readMarked(w: number, columns: readonly number[]): boolean {
    const { digest: d, scanner, buf, from } = this;
    const { mark } = d;
    const { tables, parts, specs } = scanner;
    if (mark[w + MARK.names] > 0) {
      const [id, at, end] = [mark[w + MARK.id], from + mark[w + MARK.nameFrom], from + mark[w + MARK.nameEnd]];
      if (specs.readNamed(mark[w + MARK.names], id, buf, at, end)) return true;
    }
    scanner.otherLine(buf, from + mark[w + MARK.from], from + mark[w + MARK.eol]);
    if (!scanner.waiting && sameForm(d.form, formOf(parts)) && columns.every((c, k) => c === parts.columns[k])) return true;
    // The digest read what follows in the old form, or as plain rows (rcalls=): discard that and scan it.
    const { lines, calls } = tables;
    this.setRows(this.row, this.call, this.jump);
    lines.line.fill(0, lines.rows, lines.costs.filled);
    lines.costs.clear(lines.rows);
    calls.costs.clear(calls.rows);
    scanner.scan(buf, from + this.byte, from + d.used);
    return false;
  }

  /** Sets the row counts; rows beyond them are already written, or will be overwritten. */
  private setRows(rows: number, calls: number, jumps: number): void {
    const { tables } = this.scanner;
    tables.lines.rows = this.rows + rows;
    tables.calls.setRows(this.calls + calls);
    tables.jumps.setRows(this.jumps + jumps);
  }
}

/** True if the ids before a mark that nothing has used yet are defined. */
function knowsIds(specs: SpecReader, mark: Int32Array, ids: number): boolean {
  const [cfn, cfi, cob] = [mark[ids], mark[ids + 1], mark[ids + 2]];
  const [jfi, jfn] = [mark[ids + 3], mark[ids + 4]];
  return (cfn & cfi & cob & jfi & jfn) === -1 || (specs.knows(cfn, cfi, cob) && specs.knows(jfn, jfi, -1));
}

/** True if the files of all jumps are known and none goes to another function: that makes a mention, in order with those of calls. */
function knowsJumps(specs: SpecReader, d: Digest, jump: number, end: number): boolean {
  const [, , , , , jfi, jfn] = d.jump;
  if (specs.jumpsOut) return false;
  for (let i = jump; i < end; i++) if (jfn[i] >= 0 || !specs.knows(-1, jfi[i], -1)) return false;
  return true;
}

/** Sets the spans and targets of jumps, from the sink's row `first` on; `far`: some may go to another file or upper half. */
function putJumps({ tables, specs }: Scanner, d: Digest, first: number, jump: number, end: number, far: boolean): void {
  const { span, targetFile, targetHigh } = tables.jumps;
  const [, , , , high, jfi] = d.jump;
  if (d.form.hasInstr) tables.jumps.hasAddress = true;
  if (!far && !specs.jumpsAway) {
    const { span: from, file } = specs;
    for (let i = first + jump; i < first + end; i++) {
      span.data[i] = from;
      targetFile.data[i] = file;
    }
    return;
  }
  for (let i = jump; i < end; i++) {
    specs.jumpIds(jfi[i], -1);
    span.data[first + i] = specs.span;
    if (high[i] >>> 0 !== specs.spanHigh) targetHigh.set(first + i, high[i] >>> 0);
    const file = specs.takeJumpFile();
    targetFile.data[first + i] = file >= 0 ? file : specs.file;
  }
}

/** The start of the line that contains buf[from + at], relative to from: a mark is after the leading blanks of its line. */
function lineStart(buf: Uint8Array, from: number, at: number): number {
  while (at > 0 && buf[from + at - 1] !== 10) at--;
  return at;
}

function copyRows(tables: CallGraphWriter, d: Digest, columns: readonly number[]): void {
  const { lines } = tables;
  const first = lines.rows;
  const end = first + d.rows;
  if (end > lines.capacity) lines.reserve(Math.max(end, lines.capacity * 2));
  // Rows are 0 until written, and untouched pages take no memory: without line numbers this saves a third.
  if (d.lined) lines.line.set(d.line, first);
  if (d.form.hasInstr) lines.address?.set(d.address, first);
  for (const [k, column] of d.costs.entries()) lines.costs.columns[columns[k]].set(column, first);
  lines.costs.filled = end;
  for (const [table, row, k, value] of d.wide) if (table === WIDE.rows) lines.costs.set(columns[k], first + row, value);
}

function copyCalls(tables: CallGraphWriter, d: Digest, columns: readonly number[]): void {
  if (d.calls === 0) return;
  const { calls } = tables;
  const first = calls.rows;
  calls.makeRoom(first + d.calls);
  calls.line.data.set(d.call[0], first);
  if (d.form.hasInstr) calls.address.data.set(d.call[1], first);
  else calls.address.data.fill(0, first, first + d.calls);
  calls.count.put(d.call[5], first);
  for (const [k, column] of d.callCosts.entries()) calls.costs.columns[columns[k]].set(column, first);
  calls.costs.filled = first + d.calls;
  for (const [table, row, k, value] of d.wide) {
    if (table === WIDE.calls) calls.costs.set(columns[k], first + row, value);
    else if (table === WIDE.callCount) calls.count.set(first + row, value);
  }
}

function copyJumps(tables: CallGraphWriter, d: Digest): void {
  if (d.jumps === 0) return;
  const { jumps } = tables;
  const first = jumps.line.length;
  jumps.makeRoom(first + d.jumps);
  jumps.line.data.set(d.jump[0], first);
  if (d.form.hasInstr) jumps.address.data.set(d.jump[1], first);
  else jumps.address.data.fill(0, first, first + d.jumps);
  jumps.targetLine.data.set(d.jump[2], first);
  jumps.targetAddress.data.set(d.jump[3], first);
  jumps.conditional.data.set(d.conditional, first);
  jumps.taken.put(d.jump[7], first);
  jumps.executed.put(d.jump[8], first);
  for (const [table, row, , value] of d.wide) {
    if (table === WIDE.taken) jumps.taken.set(first + row, value);
    else if (table === WIDE.executed) jumps.executed.set(first + row, value);
  }
}
