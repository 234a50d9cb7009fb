// The byte loop of Callgrind files in WebAssembly (AssemblyScript): whole lines in, columns out. It knows cost lines, calls, jumps and
// references like cfn=(12); every other line it only marks, for the scanner in TypeScript (src/formats/callgrind/scan.ts), which is
// the reference: what this loop does not take as it stands makes it refuse the whole piece (-1), and the reference reads it.
// Memory: bytes at IN, ended by the caller with 16 line ends; then the columns below, each of room for its table.

const ROWS: i32 = 1 << 17;
const CALLS: i32 = 1 << 15;
const JUMPS: i32 = 1 << 15;
const MARKS: i32 = 1 << 15;
const WIDE: i32 = 1 << 12;
const EVENTS: i32 = 24;

const IN: usize = 1024;
const IN_SIZE: usize = 1 << 18;
const LINE: usize = IN + IN_SIZE + 64;
const ADDRESS: usize = LINE + <usize>ROWS * 4;
// Of calls, a column each: line, address, target line, cfn, cfi, cob (-1: what the scanner has). Their counts are doubles.
const CALL: usize = ADDRESS + <usize>ROWS * 4;
const CALL_COUNT: usize = CALL + <usize>CALLS * 4 * 6;
// Of jumps: line, address, target line, target address low and high, jfi, jfn, conditional. Taken, then executed, are doubles.
const JUMP: usize = CALL_COUNT + <usize>CALLS * 8;
const JUMP_COUNT: usize = JUMP + <usize>JUMPS * 4 * 8;
// Of marked lines, 16 words a row: start and end in the bytes, line number; rows, calls and jumps so far; the base (address low and
// high, line; word 10 has bit 1 where it is known); high half of the addresses since the mark before (bit 0 of word 10: there are
// several); cfn, cfi, cob, jfi, jfn read since.
const MARK: usize = JUMP_COUNT + <usize>JUMPS * 8 * 2;
// Counts of 2^32 and more: table (0 rows, 1 calls), row, column, 0; and the value as a double.
const WIDES: usize = MARK + <usize>MARKS * 4 * 16;
// Where the digits of a short row go, by its shape: see makeShapes().
const SHAPES: usize = WIDES + <usize>WIDE * 24;
const COSTS: usize = SHAPES + 8 * 16 * 16 * 4 * 16;

/** Where the tables are, and how many rows each has room for; in the order of PLACES in src/formats/callgrind/digest.ts. */
export function place(what: i32): usize {
  switch (what) {
    case 0:
      return IN;
    case 1:
      return IN_SIZE;
    case 2:
      return LINE;
    case 3:
      return ADDRESS;
    case 4:
      return CALL;
    case 5:
      return CALL_COUNT;
    case 6:
      return JUMP;
    case 7:
      return JUMP_COUNT;
    case 8:
      return MARK;
    case 9:
      return WIDES;
    case 10:
      return COSTS;
    case 11:
      return ROWS;
    case 12:
      return CALLS;
    case 13:
      return JUMPS;
    default:
      return EVENTS;
  }
}

// How lines are made, set by the caller.
export let hasInstr: i32 = 0;
export let hasLine: i32 = 1;
export let events: i32 = 0;
// The last self cost line, which positions are relative to. `known` is 0 where the piece's start is not known: a relative
// position before an absolute one makes it refuse.
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
/** Ids since the last mark; -1 where there is none. The callee's stays for further calls, the others are for one. */
export let cfn: i32 = -1;
export let cfi: i32 = -1;
export let cob: i32 = -1;
export let jfi: i32 = -1;
export let jfn: i32 = -1;
// Upper halves of the addresses since the last mark: the one, and whether there is another.
export let segHigh: u32 = 0;
export let segMixed: i32 = 0;
/** Some row has a line number other than 0: without debug information none has. */
export let lined: i32 = 0;
/** Bits of the ids that nothing has used yet: another one in their place would hide that they are not defined. */
let unused: i32 = 0;

/** Where the last number ended; 0 where there was none that this loop takes. */
let at: usize = 0;

function number(p: usize): u64 {
  let v: u64 = 0;
  const first = <u32>load<u8>(p);
  if (first == 48 && (load<u8>(p + 1) | 32) == 120) {
    p += 2;
    const from = p;
    for (;;) {
      const c = <u32>load<u8>(p);
      let d = c - 48;
      if (d > 9) {
        d = (c | 32) - 87;
        if (d < 10 || d > 15) break;
      }
      v = (v << 4) | d;
      p++;
    }
    at = p == from || p - from > 16 ? 0 : p;
    return v;
  }
  const from = p;
  for (;;) {
    const d = <u32>load<u8>(p) - 48;
    if (d > 9) break;
    v = v * 10 + d;
    p++;
  }
  at = p == from || p - from > 18 ? 0 : p;
  return v;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function isEnd(c: u32): bool {
  return c == 32 || c == 10 || c == 13 || c == 9;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function blanks(p: usize): usize {
  while (load<u8>(p) == 32 || load<u8>(p) == 9) p++;
  return p;
}

/** `cfn=(12)` and nothing more: the id, and `at` is the line's end; -1 for everything else, and for ids that are not small. */
function reference(p: usize): i32 {
  p = blanks(p);
  if (load<u8>(p) != 40) return -1;
  const from = ++p;
  let v: i32 = 0;
  for (;;) {
    const d = <u32>load<u8>(p) - 48;
    if (d > 9) break;
    v = v * 10 + d;
    p++;
  }
  if (p == from || p - from > 8 || load<u8>(p) != 41) return -1;
  if (load<u8>(++p) != 10) {
    p = blanks(p);
    if (load<u8>(p) == 13) p++;
    if (load<u8>(p) != 10) return -1;
  }
  at = p;
  return v;
}

/** The line end at or behind p. */
function lineEnd(p: usize): usize {
  let ends = 0;
  while ((ends = i8x16.bitmask(i8x16.eq(v128.load(p), i8x16(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)))) == 0)
    p += 16;
  return p + <usize>ctz<i32>(ends);
}

/** A count of less than 2^53 in decimals, ended by a blank or the line's end. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function count(p: usize): u64 {
  let v: u64 = 0;
  const from = p;
  for (;;) {
    const d = <u32>load<u8>(p) - 48;
    if (d > 9) break;
    v = v * 10 + d;
    p++;
  }
  at = p == from || p - from > 15 ? 0 : p;
  return v;
}

/** The counts of a row up to its line end; the place behind that, 0 where they are not plain counts. */
function costs(p: usize, table: i32, row: i32, into: usize, room: i32): usize {
  let k: i32 = 0;
  while (load<u8>(p) != 10) {
    if (load<u8>(p) == 13 && load<u8>(p + 1) == 10) {
      p++;
      break;
    }
    const v = count(p);
    if (at == 0 || k >= events) return 0;
    p = at;
    if (!isEnd(load<u8>(p))) return 0;
    store<u32>(into + ((<usize>k * room + row) << 2), <u32>v);
    if (v > 0xffffffff) {
      const w = WIDES + <usize>wides * 24;
      store<i32>(w, table);
      store<i32>(w, row, 4);
      store<i32>(w, k, 8);
      store<f64>(w, <f64>v, 16);
      wides++;
    }
    k++;
    p = blanks(p);
  }
  for (; k < events; k++) store<u32>(into + ((<usize>k * room + row) << 2), 0);
  return p + 1;
}

let shaped = false;

/**
 * A short row is `address line count`, or `line count`, with single blanks, at most four digits a position and eight in the
 * count. Its shape are the places where its words end, and whether the positions have signs; it says where each of
 * sixteen places has its digit from: four of the address, four of the line, eight of the count.
 */
function makeShapes(): void {
  for (let a = 0; a < 8; a++) {
    for (let b = 0; b < 16; b++) {
      for (let e = 0; e < 16; e++) {
        for (let signs = 0; signs < 4; signs++) {
          const to = SHAPES + (<usize>((((((a << 4) | b) << 4) | e) << 2) | signs) << 4);
          // Without an address a is 0, and the line starts there.
          const start = a == 0 ? 0 : a + 1;
          fromDigits(to, 4, a - (signs & 1), a, a == 0);
          fromDigits(to + 4, 4, b - start - (signs >> 1), b, false);
          fromDigits(to + 8, 8, e - b - 1, e, false);
        }
      }
    }
  }
}

/** The digits before `end`; what stands there, which is none, where they are too many or too few. */
function fromDigits(to: usize, places: i32, digits: i32, end: i32, none: bool): void {
  const wrong = !none && (digits < 0 || digits > places);
  for (let i = 0; i < places; i++) {
    const from = end - places + i;
    store<u8>(to + <usize>i, wrong ? end : none || i < places - digits ? 255 : from);
  }
}

// What shortRows() goes on from, and leaves.
let nextRow: i32 = 0;
let lastAddress: i64 = 0;
let lastLine: i64 = 0;
let bitsOfLines: i64 = 0;

/** Bits of the characters that a position starts with: * + - and digits. */
const STARTS: u64 = (1 << 42) | (1 << 43) | (1 << 45) | (0x3ff << 48);

/** Reads rows of short numbers, whose addresses have the same upper half; where it stops, at the start of a line. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function shortRows(p: usize, end: usize, withAddress: bool): usize {
  let row = <usize>nextRow << 2;
  let address = lastAddress;
  let line = lastLine;
  let bits = bitsOfLines;
  const ones = i8x16(10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1);
  while (p < end) {
    const text = v128.load(p);
    const e = ctz<i32>(i8x16.bitmask(i8x16.eq(text, i8x16(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10))));
    let gaps = i8x16.bitmask(i8x16.eq(text, i8x16(32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32))) & ((1 << e) - 1);
    let a = 0;
    let start: usize = 0;
    if (withAddress) {
      a = ctz<i32>(gaps);
      gaps &= gaps - 1;
      start = a + 1;
    }
    if (gaps == 0 || (gaps & (gaps - 1)) != 0) break;
    const b = ctz<i32>(gaps);
    const sign = withAddress ? <u32>load<u8>(p) : 42;
    const lineSign = <u32>load<u8>(p + start);
    const signs = withAddress ? <i32>(sign < 48) : 0;
    const lineSigns = <i32>(lineSign < 48);
    const digits = i8x16.swizzle(
      i8x16.sub(text, i8x16(48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48)),
      v128.load(SHAPES + (<usize>(((((a << 4) | b) << 4) | e) << 2 | lineSigns << 1 | signs) << 4)),
    );
    if (a > 7 || v128.any_true(i8x16.gt_u(digits, i8x16(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))) break;
    const fours = i32x4.dot_i16x8_s(
      i16x8.narrow_i32x4_s(
        i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_low_i8x16_u(digits, ones)),
        i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_high_i8x16_u(digits, ones)),
      ),
      i16x8(100, 1, 100, 1, 100, 1, 100, 1),
    );
    const step = <i64>i32x4.extract_lane(fours, 0);
    const lineStep = <i64>i32x4.extract_lane(fours, 1);
    const own = withAddress ? (sign < 48 ? address : 0) + (sign == 45 ? -step : step) : address;
    const ownLine = (lineSign < 48 ? line : 0) + (lineSign == 45 ? -lineStep : lineStep);
    const odd =
      (own ^ address) >> 32 |
      ownLine >> 32 |
      <i64>((~(STARTS >> sign) | ~(STARTS >> lineSign)) & 1) |
      (withAddress ? <i64>((sign == 42) != (a == signs)) : 0) |
      <i64>((lineSign == 42) != (b - <i32>start == lineSigns));
    if (odd != 0) break;
    address = own;
    line = ownLine;
    bits |= ownLine;
    store<u32>(LINE + row, <u32>line);
    store<u32>(ADDRESS + row, <u32>own);
    store<u32>(COSTS + row, i32x4.extract_lane(fours, 2) * 10000 + i32x4.extract_lane(fours, 3));
    row += 4;
    p += <usize>e + 1;
  }
  nextRow = <i32>(row >> 2);
  lastAddress = address;
  lastLine = line;
  bitsOfLines = bits;
  return p;
}

function shortAddressRows(p: usize, end: usize): usize {
  return shortRows(p, end, true);
}

function shortLineRows(p: usize, end: usize): usize {
  return shortRows(p, end, false);
}

/** Of the last word that pairWord() read. */
let word64: i64 = 0;

/** A position relative to `base` or absolute, and the blank behind it: where that ends; 0 where it is nothing plain. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function pairWord(p: usize, base: i64): usize {
  let c = <u32>load<u8>(p);
  let v = base;
  if (c == 42) p++;
  else {
    const signed = c == 43 || c == 45;
    if (signed) p++;
    const from = p;
    let d = <u32>load<u8>(p) - 48;
    if (d > 9) return 0;
    v = 0;
    do {
      v = v * 10 + d;
      d = <u32>load<u8>(++p) - 48;
    } while (d <= 9);
    // 'x' less '0'.
    if (d == 72 && p - from == 1 && v == 0) {
      for (;;) {
        const h = <u32>load<u8>(++p);
        d = h - 48;
        if (d > 9) {
          d = h - 87;
          if (d < 10 || d > 15) break;
        }
        v = (v << 4) | d;
      }
      if (p - from == 2) return 0;
    }
    if (p - from > 15) return 0;
    if (signed) v = c == 43 ? base + v : base - v;
  }
  c = load<u8>(p);
  if (c == 32) p++;
  else if (c != 10) return 0;
  word64 = v;
  return p;
}

/**
 * A call or a jump with its second line, both as Valgrind writes them: the start of the line behind them; 0, and nothing done, where
 * they are not so.
 */
function pair(p: usize, end: usize, high: i64, withInstr: bool, withLine: bool): usize {
  const word = load<u32>(p);
  const isCall = word == 0x6c6c6163 && load<u16>(p, 4) == 0x3d73;
  const conditional = word == 0x646e636a;
  if (!isCall && !((conditional || word == 0x706d756a) && load<u8>(p, 4) == 61)) return 0;
  const taken = count(p + (isCall ? 6 : 5));
  if (at == 0) return 0;
  p = at;
  let executed = taken;
  if (conditional) {
    if (load<u8>(p) != 47) return 0;
    executed = count(p + 1);
    if (at == 0) return 0;
    p = at;
  }
  if (load<u8>(p++) != 32) return 0;
  let target: i64 = 0;
  let targetLine: i64 = 0;
  if (withInstr) {
    p = pairWord(p, lastAddress);
    if (p == 0) return 0;
    target = word64;
  }
  if (withLine) {
    p = pairWord(p, lastLine);
    if (p == 0) return 0;
    targetLine = word64;
  }
  if (load<u8>(p) != 10 || ++p >= end) return 0;
  let own = lastAddress;
  let ownLine = lastLine;
  if (withInstr) {
    p = pairWord(p, own);
    if (p == 0) return 0;
    own = word64;
  }
  if (withLine) {
    p = pairWord(p, ownLine);
    if (p == 0) return 0;
    ownLine = word64;
  }
  if (own >> 32 != high || target < 0 || ((ownLine | targetLine) >> 32) != 0) return 0;
  if (isCall) {
    const r = CALL + (<usize>calls << 2);
    const next = costs(p, 1, calls, COSTS + <usize>ROWS * 4 * events, CALLS);
    if (next == 0) return 0;
    store<u32>(r, <u32>ownLine);
    store<u32>(r, <u32>own, CALLS * 4);
    store<u32>(r, <u32>targetLine, CALLS * 8);
    store<i32>(r, cfn, CALLS * 12);
    store<i32>(r, cfi, CALLS * 16);
    store<i32>(r, cob, CALLS * 20);
    store<f64>(CALL_COUNT + (<usize>calls << 3), <f64>taken);
    cfi = cob = -1;
    unused &= ~14;
    calls++;
    return next;
  }
  if (load<u8>(p) != 10) return 0;
  const r = JUMP + (<usize>jumps << 2);
  store<u32>(r, <u32>ownLine);
  store<u32>(r, <u32>own, JUMPS * 4);
  store<u32>(r, <u32>targetLine, JUMPS * 8);
  store<u32>(r, <u32>target, JUMPS * 12);
  store<u32>(r, <u32>(target >> 32), JUMPS * 16);
  store<i32>(r, jfi, JUMPS * 20);
  store<i32>(r, jfn, JUMPS * 24);
  store<i32>(r, <i32>conditional, JUMPS * 28);
  store<f64>(JUMP_COUNT + (<usize>jumps << 3), <f64>taken);
  store<f64>(JUMP_COUNT + (<usize>jumps << 3), <f64>executed, JUMPS * 8);
  jfi = jfn = -1;
  unused &= ~48;
  jumps++;
  return p + 1;
}

/** Reads lines at IN up to `size` bytes: how many of them, or -1. Stops early, at the start of a line, where a table is full. */
export function digest(size: usize): i32 {
  if (events == 0) return -1;
  rows = calls = jumps = marks = wides = lines = 0;
  cfn = cfi = cob = jfi = jfn = -1;
  unused = 0;
  const end = IN + size;
  let p = IN;
  let pending: i32 = 0;
  let pendingAt: usize = 0;
  let lineNo: i32 = 0;
  let pendingNo: i32 = 0;
  let address: u64 = (<u64>baseHigh << 32) | baseLow;
  let line: u32 = baseLine;
  let knownAddress = known != 0 || hasInstr == 0;
  let knownLine = known != 0 || hasLine == 0;
  let row: i32 = 0;
  const withInstr = hasInstr != 0;
  const withLine = hasLine != 0;
  const single = events == 1;
  const short = single && withLine;
  if (!shaped) {
    makeShapes();
    shaped = true;
  }
  bitsOfLines = 0;
  // A table has no room for one more line.
  let full = false;
  // Upper half of the addresses since the last mark; -1 where there was none yet.
  let runHigh: i64 = -1;
  let mixed: i32 = 0;
  let lineBits: u32 = 0;
  const callCosts: usize = COSTS + <usize>ROWS * 4 * events;
  let targetLow: u32 = 0;
  let targetHigh: u32 = 0;
  let targetLine: u32 = 0;
  let taken: f64 = 0;
  let executed: f64 = 0;
  while (p < end) {
    if (full && pending == 0) break;
    const start = p;
    let c = <u32>load<u8>(p);
    while (c == 32 || c == 9) c = load<u8>(++p);
    if (c > 57 || (c < 48 && c != 43 && c != 45 && c != 42)) {
      lineNo++;
      if (c == 10) {
        p++;
        continue;
      }
      if (c == 35 || (c == 13 && load<u8>(p + 1) == 10)) {
        while (load<u8>(p) != 10) p++;
        p++;
        continue;
      }
      const word = load<u32>(p);
      if (knownAddress && knownLine && pending == 0 && (c == 99 || c == 106)) {
        lastAddress = address;
        lastLine = line;
        const next = pair(p, end, runHigh, withInstr, withLine);
        if (next != 0) {
          p = next;
          lineNo++;
          if (calls == CALLS || jumps == JUMPS || wides > WIDE - EVENTS) full = true;
          continue;
        }
      }
      // "call" "s="
      const isCall = word == 0x6c6c6163 && load<u16>(p, 4) == 0x3d73;
      // "jcnd", "jump" and "="
      const isJump = (word == 0x646e636a || word == 0x706d756a) && load<u8>(p, 4) == 61;
      if (isCall || isJump) {
        if (pending != 0) return -1;
        pendingAt = start;
        pendingNo = lineNo - 1;
        p = blanks(p + (isCall ? 6 : 5));
        executed = taken = <f64>count(p);
        if (at == 0) return -1;
        p = at;
        if (word == 0x646e636a) {
          if (load<u8>(p) != 47) return -1;
          executed = <f64>count(p + 1);
          if (at == 0) return -1;
          p = at;
        }
        if (!isEnd(load<u8>(p))) return -1;
        targetLow = targetHigh = targetLine = 0;
        p = blanks(p);
        if (withInstr && load<u8>(p) > 32) {
          c = load<u8>(p);
          let target = address;
          if (c == 42) at = p + 1;
          else {
            const relative = c == 43 || c == 45;
            const v = number(relative ? p + 1 : p);
            if (at == 0) return -1;
            if (!relative) target = v;
            else if (c == 43) {
              target += v;
              if (target < v) return -1;
            } else {
              if (v > target) return -1;
              target -= v;
            }
          }
          if ((c == 42 || c == 43 || c == 45) && !knownAddress) return -1;
          p = at;
          if (!isEnd(load<u8>(p))) return -1;
          targetLow = <u32>target;
          targetHigh = <u32>(target >> 32);
          p = blanks(p);
        }
        if (withLine && load<u8>(p) > 32) {
          c = load<u8>(p);
          let target: i64 = line;
          if (c == 42) at = p + 1;
          else {
            const relative = c == 43 || c == 45;
            const v = number(relative ? p + 1 : p);
            if (at == 0 || v > 0xffffffff) return -1;
            target = !relative ? <i64>v : c == 43 ? target + <i64>v : target - <i64>v;
          }
          if ((c == 42 || c == 43 || c == 45) && !knownLine) return -1;
          p = at;
          if (!isEnd(load<u8>(p)) || target < 0 || target > 0xffffffff) return -1;
          targetLine = <u32>target;
        }
        while (load<u8>(p) != 10) p++;
        p++;
        pending = isCall ? 1 : word == 0x646e636a ? 3 : 2;
        continue;
      }
      if (pending != 0) return -1;
      // "cfn=" "cfi=" "cfl=" "cob=" "jfi=" "jfl=" "jfn="
      const which: i32 =
        word == 0x3d6e6663 ? 1 : word == 0x3d696663 || word == 0x3d6c6663 ? 2 : word == 0x3d626f63 ? 3
        : word == 0x3d69666a || word == 0x3d6c666a ? 4 : word == 0x3d6e666a ? 5 : 0;
      const id: i32 = which == 0 ? -1 : reference(p + 4);
      if (which != 0) {
        if (unused & (1 << which)) return -1;
        if (id >= 0) unused |= 1 << which;
      }
      if (which == 1) cfn = id;
      else if (which == 2) cfi = id;
      else if (which == 3) cob = id;
      else if (which == 4) jfi = id;
      else if (which == 5) jfn = id;
      const from = p;
      p = id < 0 ? lineEnd(p) : at;
      if (id < 0) {
        const m = MARK + (<usize>marks << 6);
        marks++;
        store<u32>(m, <u32>(from - IN));
        store<u32>(m, <u32>(p - IN), 4);
        store<i32>(m, lineNo, 8);
        store<i32>(m, row, 12);
        store<i32>(m, calls, 16);
        store<i32>(m, jumps, 20);
        store<u32>(m, <u32>address, 24);
        store<u32>(m, <u32>(address >> 32), 28);
        store<u32>(m, line, 32);
        store<u32>(m, <u32>runHigh, 36);
        store<i32>(m, mixed | (knownAddress && knownLine ? 2 : 0), 40);
        store<i32>(m, cfn, 44);
        store<i32>(m, cfi, 48);
        store<i32>(m, cob, 52);
        store<i32>(m, jfi, 56);
        store<i32>(m, jfn, 60);
        cfn = cfi = cob = jfi = jfn = -1;
        unused = 0;
        runHigh = -1;
        mixed = 0;
        if (marks == MARKS - 1) full = true;
      }
      p++;
      continue;
    }

    if (short && pending == 0 && knownAddress && knownLine && <i64>(address >> 32) == runHigh) {
      nextRow = row;
      lastAddress = address;
      lastLine = line;
      const next = withInstr ? shortAddressRows(start, end) : shortLineRows(start, end);
      if (next != start) {
        lineNo += nextRow - row;
        row = nextRow;
        address = lastAddress;
        line = <u32>lastLine;
        p = next;
        continue;
      }
    }

    // A position line: of a cost, a call or a jump.
    let own = address;
    let ownLine = line;
    let fresh = knownAddress;
    let freshLine = knownLine;
    if (withInstr) {
      if (c == 42) {
        if (!knownAddress) return -1;
        p++;
      } else {
        const relative = c == 43 || c == 45;
        if (relative) p++;
        let v: u64 = 0;
        const from = p;
        let d = <u32>load<u8>(p) - 48;
        while (d <= 9) {
          v = v * 10 + d;
          d = <u32>load<u8>(++p) - 48;
        }
        // 'x' or 'X' less '0' is 72 or 40.
        if (p - from > 18 || p == from || d == 72 || d == 40) {
          v = number(from);
          if (at == 0) return -1;
          p = at;
        }
        if (!relative) {
          own = v;
          fresh = true;
        } else if (!knownAddress) return -1;
        else if (c == 43) {
          own += v;
          if (own < v) return -1;
        } else {
          if (v > own) return -1;
          own -= v;
        }
      }
      c = load<u8>(p);
      if (!isEnd(c)) return -1;
      while (c == 32 || c == 9) c = load<u8>(++p);
    }
    if (withLine) {
      if (c == 42) {
        if (!knownLine) return -1;
        p++;
      } else {
        const relative = c == 43 || c == 45;
        if (relative) p++;
        let v: u64 = 0;
        const from = p;
        let d = <u32>load<u8>(p) - 48;
        while (d <= 9) {
          v = v * 10 + d;
          d = <u32>load<u8>(++p) - 48;
        }
        if (p - from > 10 || p == from || d == 72 || d == 40) {
          v = number(from);
          if (at == 0 || p - from > 10) return -1;
          p = at;
        }
        if (v > 0xffffffff) return -1;
        if (!relative) {
          ownLine = <u32>v;
          freshLine = true;
        } else if (!knownLine) return -1;
        else if (c == 43) {
          if (v > 0xffffffff - <u64>line) return -1;
          ownLine += <u32>v;
        } else {
          if (v > line) return -1;
          ownLine -= <u32>v;
        }
      }
      c = load<u8>(p);
      if (!isEnd(c)) return -1;
      while (c == 32 || c == 9) c = load<u8>(++p);
    }
    lineNo++;
    const high = <i64>(own >> 32);
    if (high != runHigh) {
      if (runHigh >= 0) mixed = 1;
      runHigh = high;
    }
    if (pending == 0) {
      address = own;
      line = ownLine;
      knownAddress = fresh;
      knownLine = freshLine;
      lineBits |= ownLine;
      store<u32>(LINE + (<usize>row << 2), ownLine);
      store<u32>(ADDRESS + (<usize>row << 2), <u32>own);
      if (single) {
        // Eight bytes at once: how many of them are digits, and their value, without a branch for each.
        let t = load<u64>(p) ^ 0x3030303030303030;
        const stop = ((t + 0x7676767676767676) | t) & 0x8080808080808080;
        const n = ctz<u64>(stop) >> 3;
        if (stop != 0 && n != 0 && load<u8>(p + <usize>n) == 10) {
          t <<= 64 - (n << 3);
          t = (t * 2561) >> 8;
          t = ((t & 0x00ff00ff00ff00ff) * 6553601) >> 16;
          t = ((t & 0x0000ffff0000ffff) * 42949672960001) >> 32;
          store<u32>(COSTS + (<usize>row << 2), <u32>t);
          if (++row == ROWS) full = true;
          p += <usize>n + 1;
          continue;
        }
      }
      p = costs(p, 0, row, COSTS, ROWS);
      if (p == 0) return -1;
      if (++row == ROWS || wides > WIDE - EVENTS) full = true;
      continue;
    }
    // The base is not known yet: where this call stands relative to the next row would be lost.
    if (!knownAddress || !knownLine) return -1;
    if (pending == 1) {
      const r = CALL + (<usize>calls << 2);
      store<u32>(r, ownLine);
      store<u32>(r, <u32>own, CALLS * 4);
      store<u32>(r, targetLine, CALLS * 8);
      store<i32>(r, cfn, CALLS * 12);
      store<i32>(r, cfi, CALLS * 16);
      store<i32>(r, cob, CALLS * 20);
      store<f64>(CALL_COUNT + (<usize>calls << 3), taken);
      p = costs(p, 1, calls, callCosts, CALLS);
      if (p == 0) return -1;
      cfi = cob = -1;
      // Bits 1, 2 and 3: cfn, cfi, cob.
      unused &= ~14;
      if (++calls == CALLS || wides > WIDE - EVENTS) full = true;
    } else {
      if (c == 13) p++;
      if (load<u8>(p) != 10) return -1;
      p++;
      const r = JUMP + (<usize>jumps << 2);
      store<u32>(r, ownLine);
      store<u32>(r, <u32>own, JUMPS * 4);
      store<u32>(r, targetLine, JUMPS * 8);
      store<u32>(r, targetLow, JUMPS * 12);
      store<u32>(r, targetHigh, JUMPS * 16);
      store<i32>(r, jfi, JUMPS * 20);
      store<i32>(r, jfn, JUMPS * 24);
      store<i32>(r, pending == 3 ? 1 : 0, JUMPS * 28);
      store<f64>(JUMP_COUNT + (<usize>jumps << 3), taken);
      store<f64>(JUMP_COUNT + (<usize>jumps << 3), executed, JUMPS * 8);
      jfi = jfn = -1;
      unused &= ~48;
      if (++jumps == JUMPS) full = true;
    }
    pending = 0;
  }
  // What waits for its second line is read again, with what comes after it.
  if (pending != 0) {
    p = pendingAt;
    lineNo = pendingNo;
  }
  segHigh = <u32>runHigh;
  segMixed = mixed;
  lined = (bitsOfLines | lineBits) == 0 ? 0 : 1;
  rows = row;
  lines = lineNo;
  baseLow = <u32>address;
  baseHigh = <u32>(address >> 32);
  baseLine = line;
  known = knownAddress && knownLine ? 1 : 0;
  return <i32>(p - IN);
}
