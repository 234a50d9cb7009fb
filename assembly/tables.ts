// What has been read so far, and the tables it goes to.
import { CALL_AT, CALLS, CONDITIONAL, EVENTS, IN, JUMP_AT, JUMPS, MARK, MARK_BYTES, WIDE, WIDES } from './layout';
import { nameEnd, nameFrom, nameId, named } from './specs';

// The form of the lines, set by the caller.
export let hasInstr: i32 = 0;
export let hasLine: i32 = 1;
export let events: i32 = 0;
// The last self cost line, the base of relative positions. `known` is 0 if the base at the piece's start is unknown: then a
// relative position before an absolute one makes the loop refuse.
export let baseLow: u32 = 0;
export let baseHigh: u32 = 0;
export let baseLine: u32 = 0;
export let known: i32 = 1;
// What was read.
export let rows: i32 = 0;
export let calls: i32 = 0;
export let jumps: i32 = 0;
export let marks: i32 = 0;
export let wides: i32 = 0;
export let lines: i32 = 0;
/** Ids since the last mark; -1 if there is none. cfn applies to all further calls, the others to a single call or jump. */
export let cfn: i32 = -1;
export let cfi: i32 = -1;
export let cob: i32 = -1;
export let jfi: i32 = -1;
export let jfn: i32 = -1;
// Upper half of the addresses since the last mark, and whether there were several.
export let segHigh: u32 = 0;
export let segMixed: i32 = 0;
/** 4 if a jump since the last mark goes to another function, file or upper half. */
export let farJumps: i32 = 0;
/** Whether any row has a line number other than 0; without debug information none does. */
export let lined: i32 = 0;
/** Bits of the ids not used yet: replacing such an id would hide that it is undefined. */
export let unused: i32 = 0;


/** Stores a count that does not fit into 32 bits. */
export function wide(table: i32, row: i32, column: i32, v: u64): void {
  const w = WIDES + <usize>wides * 24;
  store<i32>(w, table);
  store<i32>(w, row, 4);
  store<i32>(w, column, 8);
  store<f64>(w, <f64>v, 16);
  wides++;
}

export function putCall(line: u32, address: u32, taken: u64): void {
  const r = CALL_AT + (<usize>calls << 2);
  store<u32>(r, line);
  store<u32>(r, address, CALLS * 4);
  store<i32>(r, cfn, CALLS * 8);
  store<i32>(r, cfi, CALLS * 12);
  store<i32>(r, cob, CALLS * 16);
  store<u32>(r, <u32>taken, CALLS * 20);
  if (taken > 0xffffffff) wide(2, calls, 0, taken);
  cfi = cob = -1;
  // Bits 1, 2 and 3: cfn, cfi, cob.
  unused &= ~14;
  calls++;
}

export function putJump(line: u32, own: u64, targetLine: u32, target: u64, conditional: bool, taken: u64, executed: u64): void {
  const r = JUMP_AT + (<usize>jumps << 2);
  store<u32>(r, line);
  store<u32>(r, <u32>own, JUMPS * 4);
  store<u32>(r, targetLine, JUMPS * 8);
  store<u32>(r, <u32>target, JUMPS * 12);
  store<u32>(r, <u32>(target >> 32), JUMPS * 16);
  store<i32>(r, jfi, JUMPS * 20);
  store<i32>(r, jfn, JUMPS * 24);
  store<u32>(r, <u32>taken, JUMPS * 28);
  store<u32>(r, <u32>executed, JUMPS * 32);
  store<u8>(CONDITIONAL + <usize>jumps, <u8>conditional);
  if (taken > 0xffffffff) wide(3, jumps, 0, taken);
  if (executed > 0xffffffff) wide(4, jumps, 0, executed);
  if (jfi >= 0 || jfn >= 0 || (own ^ target) >> 32 != 0) farJumps = 4;
  jfi = jfn = -1;
  unused &= ~48;
  jumps++;
}

export function isFull(): bool {
  return calls == CALLS || jumps == JUMPS || wides > WIDE - EVENTS - 2;
}

/** Sets an id by its number: 1 cfn, 2 cfi, 3 cob, 4 jfi, 5 jfn. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function setId(which: i32, id: i32): void {
  unused |= 1 << which;
  if (which == 1) cfn = id;
  else if (which == 2) cfi = id;
  else if (which == 3) cob = id;
  else if (which == 4) jfi = id;
  else jfn = id;
}

export function forgetId(which: i32): void {
  if (which == 1) cfn = -1;
  else if (which == 2) cfi = -1;
  else if (which == 3) cob = -1;
  else if (which == 4) jfi = -1;
  else jfn = -1;
}

/** Marks a line for the scanner, and starts anew with ids and jumps. */
export function putMark(from: usize, to: usize, lineNo: i32, row: i32, address: u64, line: u32, high: i64, flags: i32): void {
  const m = MARK + <usize>marks * MARK_BYTES;
  marks++;
  store<u32>(m, <u32>(from - IN));
  store<u32>(m, <u32>(to - IN), 4);
  store<i32>(m, lineNo, 8);
  store<i32>(m, row, 12);
  store<i32>(m, calls, 16);
  store<i32>(m, jumps, 20);
  store<u32>(m, <u32>address, 24);
  store<u32>(m, <u32>(address >> 32), 28);
  store<u32>(m, line, 32);
  store<u32>(m, <u32>high, 36);
  store<i32>(m, flags | farJumps, 40);
  store<i32>(m, cfn, 44);
  store<i32>(m, cfi, 48);
  store<i32>(m, cob, 52);
  store<i32>(m, jfi, 56);
  store<i32>(m, jfn, 60);
  store<i32>(m, named(from, to), 64);
  store<i32>(m, nameId, 68);
  store<u32>(m, <u32>(nameFrom - IN), 72);
  store<u32>(m, <u32>(nameEnd - IN), 76);
  forgetIds();
}

/** Before the first line, and after each mark. */
export function forgetIds(): void {
  cfn = cfi = cob = jfi = jfn = -1;
  unused = farJumps = 0;
}

/** What a digest starts with. */
export function startTables(): void {
  rows = calls = jumps = marks = wides = lines = 0;
  forgetIds();
}

/** What the caller reads when a digest has ended. */
export function endTables(row: i32, lineNo: i32, high: i64, mixed: i32, anyLine: bool, address: u64, line: u32, isKnown: bool): void {
  segHigh = <u32>high;
  segMixed = mixed;
  lined = anyLine ? 1 : 0;
  rows = row;
  lines = lineNo;
  baseLow = <u32>address;
  baseHigh = <u32>(address >> 32);
  baseLine = line;
  known = isKnown ? 1 : 0;
}
