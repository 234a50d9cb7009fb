// The byte loop for Callgrind files in WebAssembly (AssemblyScript): whole lines in, columns out. It handles cost lines, calls, jumps
// and references like cfn=(12); all other lines it only marks for the TypeScript scanner (src/formats/callgrind/scan.ts), which is
// the reference: if this loop meets anything unusual, it refuses the whole piece (-1), and the reference reads it.
import { blanks, C, HASH, J, LINE_FEED, lineEnd, MINUS, NINE, PLUS, RETURN, STAR, ZERO } from './bytes';
import { CALLS, COSTS, IN, LINE, ADDRESS, MARKS, ROWS } from './layout';
import { costs, position, positionValue, shortCount } from './numbers';
import { associations, executed, openPair, pairKind, PAIR, readLines, taken, target, targetLine } from './pairs';
import { bitsOfLines, lastAddress, lastLine, nextRow, setLast, shortAddressRows, shortLineRows, startShortRows } from './short-rows';
import { idOf, reference, referenceEnd } from './specs';
import {
  baseHigh, baseLine, baseLow, calls, endTables, events, forgetId, hasInstr, hasLine, isFull, known, marks, putCall, putJump, putMark, setId,
  startTables, unused,
} from './tables';

export { place } from './layout';
export {
  baseHigh, baseLine, baseLow, calls, cfi, cfn, cob, events, farJumps, hasInstr, hasLine, jfi, jfn, jumps, known, lined, lines, marks, rows,
  segHigh, segMixed, wides,
} from './tables';

/** Reads up to `size` bytes of lines at IN; returns how many it read, or -1. Stops early, at a line start, if a table is full. */
export function digest(size: usize): i32 {
  if (events == 0) return -1;
  startTables();
  startShortRows();
  const withInstr = hasInstr != 0;
  const withLine = hasLine != 0;
  const single = events == 1;
  const callCosts: usize = COSTS + <usize>ROWS * 4 * events;
  const end = IN + size;
  let p = IN;
  let row: i32 = 0;
  let lineNo: i32 = 0;
  let address: u64 = (<u64>baseHigh << 32) | baseLow;
  let line: u32 = baseLine;
  let knownAddress = known != 0 || !withInstr;
  let knownLine = known != 0 || !withLine;
  // The call or jump that waits for its second line, and where it starts.
  let pending: i32 = PAIR.NONE;
  let pendingAt: usize = 0;
  let pendingNo: i32 = 0;
  // Some table has no room for another line.
  let full = false;
  // Upper half of the addresses since the last mark; -1 if there was none yet.
  let runHigh: i64 = -1;
  let mixed: i32 = 0;
  let lineBits: u32 = 0;
  while (p < end) {
    if (full && pending == PAIR.NONE) break;
    const start = p;
    if (pending == PAIR.NONE && knownAddress && knownLine && <i64>(address >> 32) == runHigh) {
      setLast(row, address, line);
      const first = <u32>load<u8>(p);
      if (first == C || first == J) {
        p = associations(p, end, runHigh);
        lineNo += readLines;
      } else if (single && withLine) {
        p = withInstr ? shortAddressRows(p, end) : shortLineRows(p, end);
        lineNo += nextRow - row;
        row = nextRow;
        address = lastAddress;
        line = <u32>lastLine;
      }
      if (p != start) {
        if (isFull()) full = true;
        continue;
      }
    }
    p = blanks(p);
    let c = <u32>load<u8>(p);
    if (c > NINE || (c < ZERO && c != PLUS && c != MINUS && c != STAR)) {
      lineNo++;
      if (c == LINE_FEED || c == HASH || (c == RETURN && load<u8>(p + 1) == LINE_FEED)) {
        p = lineEnd(p) + 1;
        continue;
      }
      const kind = pairKind(p);
      if (kind != PAIR.NONE) {
        if (pending != PAIR.NONE) return -1;
        pending = kind;
        pendingAt = start;
        pendingNo = lineNo - 1;
        p = openPair(p, kind, address, line, knownAddress, knownLine);
        if (p == 0) return -1;
        continue;
      }
      if (pending != PAIR.NONE) return -1;
      const which = idOf(load<u32>(p));
      if (which != 0 && unused & (1 << which)) return -1;
      const id: i32 = which == 0 ? -1 : reference(p + 4);
      if (id >= 0) {
        setId(which, id);
        p = referenceEnd + 1;
        continue;
      }
      forgetId(which);
      const eol = lineEnd(p);
      putMark(p, eol, lineNo, row, address, line, runHigh, mixed | (knownAddress && knownLine ? 2 : 0));
      runHigh = -1;
      mixed = 0;
      if (marks == MARKS - 1) full = true;
      p = eol + 1;
      continue;
    }

    // A position line: of a cost, a call or a jump.
    let own = address;
    let ownLine = line;
    if (withInstr) {
      p = position(p, address, knownAddress, u64.MAX_VALUE);
      if (p == 0) return -1;
      own = positionValue;
    }
    if (withLine) {
      p = position(p, line, knownLine, u32.MAX_VALUE);
      if (p == 0) return -1;
      ownLine = <u32>positionValue;
    }
    lineNo++;
    const high = <i64>(own >> 32);
    if (high != runHigh) {
      if (runHigh >= 0) mixed = 1;
      runHigh = high;
    }
    if (pending == PAIR.NONE) {
      address = own;
      line = ownLine;
      knownAddress = knownLine = true;
      lineBits |= ownLine;
      store<u32>(LINE + (<usize>row << 2), ownLine);
      store<u32>(ADDRESS + (<usize>row << 2), <u32>own);
      const next = single ? shortCount(p, COSTS + (<usize>row << 2)) : 0;
      p = next != 0 ? next : costs(p, 0, row, COSTS, ROWS);
      if (p == 0) return -1;
      if (++row == ROWS || isFull()) full = true;
      continue;
    }
    // The base is still unknown: the position of this call relative to the next row would be lost.
    if (!knownAddress || !knownLine) return -1;
    if (pending == PAIR.CALL) {
      p = costs(p, 1, calls, callCosts, CALLS);
      if (p == 0) return -1;
      putCall(ownLine, <u32>own, taken);
    } else {
      if (load<u8>(p) == RETURN) p++;
      if (load<u8>(p) != LINE_FEED) return -1;
      p++;
      putJump(ownLine, own, targetLine, target, pending == PAIR.JCND, taken, executed);
    }
    pending = PAIR.NONE;
    if (isFull()) full = true;
  }
  // A call or jump still waiting for its second line is read again with the next piece.
  if (pending != PAIR.NONE) {
    p = pendingAt;
    lineNo = pendingNo;
  }
  endTables(row, lineNo, runHigh, mixed, (bitsOfLines | lineBits) != 0, address, line, knownAddress && knownLine);
  return <i32>(p - IN);
}
