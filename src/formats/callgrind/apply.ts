// Writes a digest into the sink: columns are copied, ids become functions and files, and the scanner reads marked lines.
// The rows between two marks form a run. A run belongs to one span, unless the upper halves of its addresses differ.
// If the upper halves of the addresses differ or an id is undefined, the scanner reads the run from its bytes instead.
import type { CallGraphWriter } from '../../model/callgraph/writer.ts';
import { type Digest, type LineForm, MARK_FLAG, MARK_WORD, WIDE_TABLE, WORDS_PER_MARK } from './digest.ts';
import type { PartReader } from './parts.ts';
import type { Scanner } from './scan.ts';
import type { SpecReader } from './specs.ts';

export const lineFormOf = (parts: PartReader): LineForm => ({
  hasInstr: parts.hasInstr,
  hasLine: parts.hasLine,
  events: parts.columns.length,
});

export const isSameForm = (a: LineForm, b: LineForm): boolean =>
  a.hasInstr === b.hasInstr && a.hasLine === b.hasLine && a.events === b.events;

/** Adds the digest of buf[from..] to the scanner's tables; both have the same line form. Returns the bytes read. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: in functions of their own, its parts cost a small file 20 % more CPU (bench: print summary)
export function applyDigest(scanner: Scanner, d: Digest, buf: Uint8Array, from: number): number {
  const { tables, parts, specs } = scanner;
  const { mark } = d;
  const { columns } = parts;
  const firstLine = scanner.lineNo;
  const before = { rows: tables.lines.rows, calls: tables.calls.rows, jumps: tables.jumps.line.length };
  copyRows(tables, d, columns);
  copyCalls(tables, d, columns);
  copyJumps(tables, d);
  const { span: callSpan, callee } = tables.calls;
  const [, , cfn, cfi, cob] = d.call;
  // Start of the current run: its first row in each table, its first byte and its first line.
  let row = 0;
  let call = 0;
  let jump = 0;
  let byte = 0;
  let line = 0;
  for (let m = 0; m <= d.marks; m++) {
    const w = m * WORDS_PER_MARK;
    const endRow = mark[w + MARK_WORD.rows];
    const endCall = mark[w + MARK_WORD.calls];
    const endJump = mark[w + MARK_WORD.jumps];
    const flags = mark[w + MARK_WORD.flags];
    const start = mark[w + MARK_WORD.from];
    const hasRows = endRow > row || endCall > call || endJump > jump;
    let plain =
      (flags & MARK_FLAG.mixed) === 0 && (!hasRows || specs.fn >= 0) && areMarkIdsDefined(specs, mark, w + MARK_WORD.ids);
    if (plain && endJump > jump && (flags & MARK_FLAG.farJumps || specs.hasJumpTarget))
      plain = areJumpsDefined(specs, d, jump, endJump);
    if (plain && hasRows) {
      const high = mark[w + MARK_WORD.high] >>> 0;
      if (specs.span < 0 || high !== specs.spanHigh) {
        tables.lines.rows = before.rows + row;
        specs.openSpan(0, parts.part, high);
        parts.hasBody = true;
      }
      if (endCall > call) {
        if (d.form.hasInstr) tables.calls.hasAddress = true;
        const { span } = specs;
        const saved = { ...specs.callee };
        for (let i = call; i < endCall && plain; i++) {
          const mention = specs.resolveCallee(cfn[i], cfi[i], cob[i]);
          if (mention < 0) plain = false;
          callSpan.data[before.calls + i] = span;
          callee.data[before.calls + i] = mention;
        }
        if (!plain) Object.assign(specs.callee, saved);
      }
      if (plain && endJump > jump) writeJumps(scanner, d, before.jumps, jump, endJump, (flags & MARK_FLAG.farJumps) !== 0);
    }
    if (plain) {
      const ids = w + MARK_WORD.ids;
      specs.setCalleeIds(mark[ids], mark[ids + 1], mark[ids + 2]);
      specs.setJumpIds(mark[ids + 3], mark[ids + 4]);
    } else {
      setRowCounts(tables, before.rows + row, before.calls + call, before.jumps + jump);
      scanner.lineNo = firstLine + line;
      scanner.scan(buf, from + byte, from + lineStart(buf, from, start));
    }
    tables.lines.rows = before.rows + endRow;
    if (plain && flags & MARK_FLAG.known) {
      scanner.base.low = mark[w + MARK_WORD.base] >>> 0;
      scanner.base.high = mark[w + MARK_WORD.base + 1] >>> 0;
      scanner.base.line = mark[w + MARK_WORD.base + 2] >>> 0;
    }
    line = mark[w + MARK_WORD.line];
    scanner.lineNo = firstLine + line;
    if (m === d.marks) {
      setRowCounts(tables, before.rows + endRow, before.calls + endCall, before.jumps + endJump);
      break;
    }
    row = endRow;
    call = endCall;
    jump = endJump;
    const eol = mark[w + MARK_WORD.eol];
    byte = eol + 1;
    const names = mark[w + MARK_WORD.names];
    if (names > 0) {
      const [id, at, end] = [mark[w + MARK_WORD.id], from + mark[w + MARK_WORD.nameFrom], from + mark[w + MARK_WORD.nameEnd]];
      if (specs.readSplitSpec(names, id, buf, at, end)) continue;
    }
    scanner.readOtherLine(buf, from + start, from + eol);
    if (scanner.isWaiting || !isSameForm(d.form, lineFormOf(parts)) || columns.some((c, k) => c !== parts.columns[k])) {
      // The digest used the old line form for the lines after the mark: discard those rows and scan the lines.
      setRowCounts(tables, before.rows + endRow, before.calls + endCall, before.jumps + endJump);
      tables.lines.line.fill(0, before.rows + endRow, tables.lines.costs.filled);
      tables.lines.costs.clear(before.rows + endRow);
      tables.calls.costs.clear(before.calls + endCall);
      scanner.scan(buf, from + byte, from + d.used);
      break;
    }
  }
  tables.lines.costs.sumsTo(tables.lines.rows);
  tables.lines.costs.filled = 0;
  tables.calls.costs.filled = 0;
  return d.used;
}

/** True if the ids pending at a mark (of cfn, cfi, cob, jfi and jfn lines) are defined. */
function areMarkIdsDefined(specs: SpecReader, mark: Int32Array, ids: number): boolean {
  const [cfn, cfi, cob] = [mark[ids], mark[ids + 1], mark[ids + 2]];
  const [jfi, jfn] = [mark[ids + 3], mark[ids + 4]];
  return (cfn & cfi & cob & jfi & jfn) === -1 || (specs.areIdsDefined(cfn, cfi, cob) && specs.areIdsDefined(jfn, jfi, -1));
}

/** True if the files of all jumps are defined and no jump names a function. A named function would add a mention out of order. */
function areJumpsDefined(specs: SpecReader, d: Digest, jump: number, end: number): boolean {
  const [, , , , , jfi, jfn] = d.jump;
  if (specs.jumpFn >= 0) return false;
  for (let i = jump; i < end; i++) if (jfn[i] >= 0 || !specs.areIdsDefined(-1, jfi[i], -1)) return false;
  return true;
}

/** Sets spans and targets of the jumps from row `first` on. `far`: a jump may lead to another file or upper address half. */
function writeJumps({ tables, specs }: Scanner, d: Digest, first: number, jump: number, end: number, far: boolean): void {
  const { span, targetFile, targetHigh } = tables.jumps;
  const [, , , , high, jfi] = d.jump;
  if (d.form.hasInstr) tables.jumps.hasAddress = true;
  if (!far && !specs.hasJumpTarget) {
    const { span: from, file } = specs;
    for (let i = first + jump; i < first + end; i++) {
      span.data[i] = from;
      targetFile.data[i] = file;
    }
    return;
  }
  for (let i = jump; i < end; i++) {
    specs.setJumpIds(jfi[i], -1);
    span.data[first + i] = specs.span;
    if (high[i] >>> 0 !== specs.spanHigh) targetHigh.set(first + i, high[i] >>> 0);
    const file = specs.takeJumpFile();
    targetFile.data[first + i] = file >= 0 ? file : specs.file;
  }
}

/** Start of the line that contains buf[from + at], relative to `from`. A mark points after the leading blanks of its line. */
function lineStart(buf: Uint8Array, from: number, at: number): number {
  while (at > 0 && buf[from + at - 1] !== 10) at--;
  return at;
}

/** Sets the row counts of the tables. Rows beyond the old counts are already written or will be overwritten. */
function setRowCounts(tables: CallGraphWriter, rows: number, calls: number, jumps: number): void {
  tables.lines.rows = rows;
  tables.calls.setRows(calls);
  tables.jumps.setRows(jumps);
}

function copyRows({ lines }: CallGraphWriter, d: Digest, columns: readonly number[]): void {
  const first = lines.rows;
  const end = first + d.rows;
  if (end > lines.capacity) lines.reserve(Math.max(end, lines.capacity * 2));
  // Rows are 0 until written, and untouched pages take no memory: without line numbers, this saves a third of the memory.
  if (d.lined) lines.line.set(d.line, first);
  if (d.form.hasInstr) lines.address?.set(d.address, first);
  for (const [k, column] of d.costs.entries()) lines.costs.columns[columns[k]].set(column, first);
  lines.costs.filled = end;
  for (const [table, row, k, value] of d.wide) if (table === WIDE_TABLE.rows) lines.costs.set(columns[k], first + row, value);
}

function copyCalls(tables: CallGraphWriter, d: Digest, columns: readonly number[]): void {
  if (d.calls === 0) return;
  const { calls } = tables;
  const first = calls.rows;
  calls.reserveRows(first + d.calls);
  calls.line.data.set(d.call[0], first);
  if (d.form.hasInstr) calls.address.data.set(d.call[1], first);
  else calls.address.data.fill(0, first, first + d.calls);
  calls.count.writeBits(d.call[5], first);
  for (const [k, column] of d.callCosts.entries()) calls.costs.columns[columns[k]].set(column, first);
  calls.costs.filled = first + d.calls;
  for (const [table, row, k, value] of d.wide) {
    if (table === WIDE_TABLE.calls) calls.costs.set(columns[k], first + row, value);
    else if (table === WIDE_TABLE.callCount) calls.count.set(first + row, value);
  }
}

function copyJumps(tables: CallGraphWriter, d: Digest): void {
  if (d.jumps === 0) return;
  const { jumps } = tables;
  const first = jumps.line.length;
  jumps.reserveRows(first + d.jumps);
  jumps.line.data.set(d.jump[0], first);
  if (d.form.hasInstr) jumps.address.data.set(d.jump[1], first);
  else jumps.address.data.fill(0, first, first + d.jumps);
  jumps.targetLine.data.set(d.jump[2], first);
  jumps.targetAddress.data.set(d.jump[3], first);
  jumps.conditional.data.set(d.conditional, first);
  jumps.taken.writeBits(d.jump[7], first);
  jumps.executed.writeBits(d.jump[8], first);
  for (const [table, row, , value] of d.wide) {
    if (table === WIDE_TABLE.taken) jumps.taken.set(first + row, value);
    else if (table === WIDE_TABLE.executed) jumps.executed.set(first + row, value);
  }
}
