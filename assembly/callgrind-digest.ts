// The byte loop for Callgrind files in WebAssembly (AssemblyScript): whole lines in, columns out. It handles cost lines, calls, jumps
// and references like cfn=(12); all other lines it only marks for the TypeScript scanner (src/formats/callgrind/scan.ts), which is
// the reference: if this loop meets anything unusual, it refuses the whole piece (-1), and the reference reads it.
// Memory: bytes at IN, padded by the caller with 16 line ends; then the columns below, each sized for its table.

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
// Calls, one column each: line, address, target line, cfn, cfi, cob (-1: use the scanner's current one), count.
const CALL: usize = ADDRESS + <usize>ROWS * 4;
// Jumps, likewise: line, address, target line, target address low and high, jfi, jfn, taken, executed. Conditional is a byte.
const JUMP: usize = CALL + <usize>CALLS * 4 * 7;
const CONDITIONAL: usize = JUMP + <usize>JUMPS * 4 * 9;
// Marked lines, by word:
//  0..2 start and end in the bytes, line number; 3..5 rows, calls and jumps so far; 6..8 the base: address low and high, line
//  9 high half of the addresses since the previous mark
//  10 bit 0: several high halves occurred; bit 1: the base is known; bit 2: a jump goes to another function, file or half
//  11..15 cfn, cfi, cob, jfi, jfn read since
//  16 what a plain `fn=(12) name` or `fn=(12)` names, see named(), else 0; 17 the id; 18, 19 start and end of the name
const MARK: usize = CONDITIONAL + <usize>JUMPS;
const MARK_BYTES: usize = 80;
// Values of 2^32 and more: table (0 costs of rows, 1 costs of calls, 2 counts of calls, 3 taken, 4 executed), row, column, 0; and the
// value as a double.
const WIDES: usize = MARK + <usize>MARKS * MARK_BYTES;
// Swizzle masks that place the digits of a short row, by its shape: see makeShapes().
const SHAPES: usize = WIDES + <usize>WIDE * 24;
// 16-byte constants for shortRows(): V8 would rebuild inline constants at every use, with three instructions each.
const SPLATS: usize = SHAPES + 8 * 16 * 16 * 2 * 16;
const COSTS: usize = SPLATS + 96;

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
      return JUMP;
    case 6:
      return CONDITIONAL;
    case 7:
      return MARK;
    case 8:
      return WIDES;
    case 9:
      return COSTS;
    case 10:
      return ROWS;
    case 11:
      return CALLS;
    case 12:
      return JUMPS;
    default:
      return EVENTS;
  }
}

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
let unused: i32 = 0;

/** Where the last number ended; 0 if this loop does not accept it. */
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

/** The id of `cfn=(12)` with nothing after it, and `at` is the line's end; -1 for anything else, and for large ids. */
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

/** The line end at or after p. */
function lineEnd(p: usize): usize {
  let ends = 0;
  while ((ends = i8x16.bitmask(i8x16.eq(v128.load(p), i8x16(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)))) == 0)
    p += 16;
  return p + <usize>ctz<i32>(ends);
}

/** A decimal count of at most 15 digits, so below 2^53; the caller checks what follows it. */
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

/** Stores a count that does not fit into 32 bits. */
function wide(table: i32, row: i32, column: i32, v: u64): void {
  const w = WIDES + <usize>wides * 24;
  store<i32>(w, table);
  store<i32>(w, row, 4);
  store<i32>(w, column, 8);
  store<f64>(w, <f64>v, 16);
  wides++;
}

function putCall(line: u32, address: u32, targetLine: u32, taken: u64): void {
  const r = CALL + (<usize>calls << 2);
  store<u32>(r, line);
  store<u32>(r, address, CALLS * 4);
  store<u32>(r, targetLine, CALLS * 8);
  store<i32>(r, cfn, CALLS * 12);
  store<i32>(r, cfi, CALLS * 16);
  store<i32>(r, cob, CALLS * 20);
  store<u32>(r, <u32>taken, CALLS * 24);
  if (taken > 0xffffffff) wide(2, calls, 0, taken);
  cfi = cob = -1;
  // Bits 1, 2 and 3: cfn, cfi, cob.
  unused &= ~14;
  calls++;
}

function putJump(line: u32, own: u64, targetLine: u32, target: u64, conditional: bool, taken: u64, executed: u64): void {
  const r = JUMP + (<usize>jumps << 2);
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

/** Reads the counts of a row up to its line end; returns the start of the next line, 0 if they are not plain counts. */
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
    if (v > 0xffffffff) wide(table, row, k, v);
    k++;
    p = blanks(p);
  }
  for (; k < events; k++) store<u32>(into + ((<usize>k * room + row) << 2), 0);
  return p + 1;
}

let shaped = false;

/**
 * A short row is `+step line count`, or `line count`, with single blanks, at most four digits per position and eight in the
 * count. Its shape is where its words end and whether the line has a sign; that determines which byte each of sixteen digits
 * comes from: four of the step, four of the line, eight of the count.
 */
function makeShapes(): void {
  for (let i: usize = 0; i < 16; i++) {
    store<u8>(SPLATS + i, 10);
    store<u8>(SPLATS + i, 32, 16);
    store<u8>(SPLATS + i, 48, 32);
    store<u8>(SPLATS + i, 118, 48);
    store<u8>(SPLATS + i, i & 1 ? 1 : 10, 64);
    store<u8>(SPLATS + i, i & 1 ? 0 : i & 2 ? 1 : 100, 80);
  }
  for (let a = 0; a < 8; a++) {
    for (let b = 0; b < 16; b++) {
      for (let e = 0; e < 16; e++) {
        for (let sign = 0; sign < 2; sign++) {
          const to = shapeAt(a, b, e, sign);
          // Without an address a is 0, and the line starts there.
          fromDigits(to, 4, a - 1, a, a == 0);
          fromDigits(to + 4, 4, b - (a == 0 ? 0 : a + 1) - sign, b, false);
          fromDigits(to + 8, 8, e - b - 1, e, false);
        }
      }
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function shapeAt(a: i32, b: i32, e: i32, sign: i32): usize {
  return SHAPES + (<usize>((((((a << 4) | b) << 4) | e) << 1) | sign) << 4);
}

/** Picks the digits before `end`; if there are too many or too few, the byte at `end` itself, which is not a digit. */
function fromDigits(to: usize, places: i32, digits: i32, end: i32, none: bool): void {
  const wrong = !none && (digits < 0 || digits > places);
  for (let i = 0; i < places; i++) {
    const from = end - places + i;
    store<u8>(to + <usize>i, wrong ? end : none || i < places - digits ? 255 : from);
  }
}

// The state that shortRows() starts from and updates.
let nextRow: i32 = 0;
let lastAddress: u64 = 0;
let lastLine: i64 = 0;
let bitsOfLines: i64 = 0;

/** Bits of the characters that a position may start with: * + - and digits. */
const STARTS: u64 = (1 << 42) | (1 << 43) | (1 << 45) | (0x3ff << 48);

/** Reads rows of short numbers whose addresses share an upper half; returns the line start where it stops. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function shortRows(p: usize, end: usize, withAddress: bool): usize {
  let row = <usize>nextRow << 2;
  let address = lastAddress;
  let line = lastLine;
  let bits = bitsOfLines;
  while (p < end) {
    const text = v128.load(p);
    const e = ctz<i32>(i8x16.bitmask(i8x16.eq(text, v128.load(SPLATS, 0))));
    let gaps = i8x16.bitmask(i8x16.eq(text, v128.load(SPLATS, 16))) & ((1 << e) - 1);
    let a = 0;
    let start: usize = 0;
    if (withAddress) {
      a = ctz<i32>(gaps);
      gaps &= gaps - 1;
      start = a + 1;
      // One digit at least, and five with the sign at most: there are shapes for seven.
      if (load<u8>(p) != 43 || a - 2 > 5) break;
    }
    // Exactly one blank may be left, before the count.
    if (gaps == 0 || (gaps & (gaps - 1)) != 0) break;
    const b = ctz<i32>(gaps);
    const c = <u32>load<u8>(p + start);
    const sign = <i32>(c < 48);
    const digits = i8x16.swizzle(
      i8x16.sub(text, v128.load(SPLATS, 32)),
      v128.load(shapeAt(a, b, e, sign)),
    );
    // Bytes of ten and more now have their top bit set.
    const checked = i8x16.add_sat_u(digits, v128.load(SPLATS, 48));
    if (i8x16.bitmask(checked) != 0) break;
    const fours = i32x4.dot_i16x8_s(
      i16x8.narrow_i32x4_s(
        i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_low_i8x16_u(digits, v128.load(SPLATS, 64))),
        i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_high_i8x16_u(digits, v128.load(SPLATS, 64))),
      ),
      v128.load(SPLATS, 80),
    );
    const own = withAddress ? address + <u64>i32x4.extract_lane(fours, 0) : address;
    const step = i32x4.extract_lane(fours, 1);
    // In 64 bits, so that overflow of the line's 32 bits shows.
    const ownLine = (c < 48 ? line : 0) + <i64>(c == 45 ? -step : step);
    // `*` alone, + or - before digits, or a digit.
    const isFirst = <i32>(STARTS >> c) & ((c == 42 ? 1 : 0) ^ (b - <i32>start == sign ? 1 : 0) ^ 1);
    if ((<u32>(own >> 32) ^ <u32>(address >> 32)) | <u32>(ownLine >> 32) | (isFirst & 1 ^ 1)) break;
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

/** The value of the last word that slowWord() read. */
let wordValue: i64 = 0;

/** Reads a long or hexadecimal position; false if it is not a plain one. */
function slowWord(p: usize, end: usize, base: i64): bool {
  const c = <u32>load<u8>(p);
  const signed = c == 43 || c == 45;
  const v = number(signed ? p + 1 : p);
  if (at != end || v >> 62 != 0) return false;
  wordValue = !signed ? v : c == 43 ? base + <i64>v : base - <i64>v;
  return true;
}

/** Nonzero once eight() has met a character that is not a digit. */
let notDigits: u64 = 0;

/** A position from p to end, relative to `base` or absolute; -1 if it is not a plain one. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function word(p: usize, end: usize, base: i64): i64 {
  const c = <u32>load<u8>(p);
  const n = <i32>(end - p) - <i32>(c < 48);
  if (c == 42 && n == 0) return base;
  if (n < 1 || n > 8 || load<u8>(p + 1) == 120) return slowWord(p, end, base) ? wordValue : -1;
  const v = <i64>eight(end, n);
  if ((STARTS >> c & 1) == 0 || c == 42) return -1;
  return (c < 48 ? base : 0) + (c == 45 ? -v : v);
}

/** The value of the n digits, 1 to 8, before `end`; sets notDigits if any of them is not a digit. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function eight(end: usize, n: i32): u64 {
  let t = (load<u64>(end - 8) ^ 0x3030303030303030) & (<u64>-1 << (64 - (n << 3)));
  notDigits |= ((t + 0x7676767676767676) | t) & 0x8080808080808080;
  return valueOf(t);
}

/** The number of eight digits, the first in the lowest byte. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function valueOf(t: u64): u64 {
  t = (t * 2561) >> 8;
  t = ((t & 0x00ff00ff00ff00ff) * 6553601) >> 16;
  return ((t & 0x0000ffff0000ffff) * 42949672960001) >> 32;
}

/** A bit for each blank or line end among sixteen bytes. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function stopsAt(p: usize): i32 {
  return i8x16.bitmask(i8x16.lt_u(v128.load(p), i8x16(33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33)));
}

/**
 * Stores a count of at most seven digits that ends its line; returns the start of the next line, 0 if it is anything else. Eight bytes
 * at once: how many of them are digits, and their value, without a branch for each.
 */
// @ts-ignore: a decorator of AssemblyScript
@inline
function shortCount(p: usize, into: usize): usize {
  const t = load<u64>(p) ^ 0x3030303030303030;
  const stops = ((t + 0x7676767676767676) | t) & 0x8080808080808080;
  const n = <usize>(ctz<u64>(stops) >> 3);
  if (stops == 0 || n == 0 || load<u8>(p + n) != 10) return 0;
  store<u32>(into, <u32>valueOf(t << (64 - (n << 3))));
  return p + n + 1;
}

/** Reads the costs of the next call; returns the start of the next line, 0 if they are not plain. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function callCosts(p: usize): usize {
  const into = COSTS + <usize>ROWS * 4 * events;
  if (events == 1) {
    const next = shortCount(p, into + (<usize>calls << 2));
    if (next != 0) return next;
  }
  return costs(p, 1, calls, into, CALLS);
}

/** How many lines associations() has read. */
let readLines: i32 = 0;

/**
 * Reads calls and jumps with their second lines, and the ids before them, as Valgrind writes them (`cfn=(12)`, `jcnd=1/5 +23 0 `
 * and `* 0 `). Returns where they end; p if the first is written differently.
 */
function associations(p: usize, end: usize, high: i64): usize {
  readLines = 0;
  while (p < end && !isFull()) {
    const c = load<u8>(p);
    if (c != 99 && c != 106) break;
    const kind = load<u32>(p);
    const which = idOf(kind);
    if (which != 0) {
      const next = plainId(p + 4);
      if (next == 0 || unused & (1 << which)) break;
      setId(which, nameId);
      readLines++;
      p = next;
    } else {
      const next = pair(p, end, high);
      if (next == 0) break;
      readLines += 2;
      p = next;
    }
  }
  return p;
}

/** Which id a line sets, by its first four characters, as in `cfn=`: 1 cfn, 2 cfi or cfl, 3 cob, 4 jfi or jfl, 5 jfn; 0 for others. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function idOf(kind: u32): i32 {
  return kind == 0x3d6e6663 ? 1 : kind == 0x3d696663 || kind == 0x3d6c6663 ? 2 : kind == 0x3d626f63 ? 3
    : kind == 0x3d69666a || kind == 0x3d6c666a ? 4 : kind == 0x3d6e666a ? 5 : 0;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function setId(which: i32, id: i32): void {
  unused |= 1 << which;
  if (which == 1) cfn = id;
  else if (which == 2) cfi = id;
  else if (which == 3) cob = id;
  else if (which == 4) jfi = id;
  else jfn = id;
}

function forgetId(which: i32): void {
  if (which == 1) cfn = -1;
  else if (which == 2) cfi = -1;
  else if (which == 3) cob = -1;
  else if (which == 4) jfi = -1;
  else jfn = -1;
}

/** Reads `(12)` and the line's end, at most seven digits: sets nameId, returns the next line's start; 0 for anything else. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function plainId(p: usize): usize {
  let t = load<u64>(p + 1) ^ 0x3030303030303030;
  const n = <i32>(ctz<u64>(((t + 0x7676767676767676) | t) & 0x8080808080808080) >> 3);
  // ")\n"
  if (load<u8>(p) != 40 || n == 0 || n > 7 || load<u16>(p + 1 + <usize>n) != 0x0a29) return 0;
  nameId = <i32>valueOf(t << (64 - (n << 3)));
  return p + <usize>n + 3;
}

/** Reads a call or jump with its second line; returns the start of the next line, or 0, storing nothing, if they are not plain. */
function pair(p: usize, end: usize, high: i64): usize {
  const withInstr = hasInstr != 0;
  const withLine = hasLine != 0;
  const kind = load<u32>(p);
  const isCall = kind == 0x6c6c6163 && load<u16>(p, 4) == 0x3d73;
  const conditional = kind == 0x646e636a;
  if (!isCall && !((conditional || kind == 0x706d756a) && load<u8>(p, 4) == 61)) return 0;
  p += isCall ? 6 : 5;
  notDigits = 0;
  let stops = stopsAt(p) | (stopsAt(p + 16) << 16);
  let stop = p + <usize>ctz(stops);
  let from = p;
  let digits = <i32>(stop - p);
  let taken: u64 = 0;
  if (conditional) {
    const slash = ctz<i32>(i8x16.bitmask(i8x16.eq(v128.load(p), i8x16(47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47))));
    if (slash == 0 || slash > 8) return 0;
    taken = eight(p + <usize>slash, slash);
    digits -= slash + 1;
  }
  if (digits < 1 || digits > 8) return 0;
  const executed = eight(stop, digits);
  if (!conditional) taken = executed;
  let target: i64 = 0;
  let targetLine: i64 = 0;
  let others: u32 = 0;
  if (withInstr) {
    others = <u32>load<u8>(stop) ^ 32;
    from = stop + 1;
    stops &= stops - 1;
    stop = p + <usize>ctz(stops);
    target = word(from, stop, lastAddress);
  }
  if (withLine) {
    others |= <u32>load<u8>(stop) ^ 32;
    from = stop + 1;
    stops &= stops - 1;
    stop = p + <usize>ctz(stops);
    targetLine = word(from, stop, lastLine);
  }
  // All stops must be within the 32 bytes, and those between words must be blanks.
  if (stops == 0 || others != 0) return 0;
  if (load<u8>(stop) == 32) stop++;
  if (load<u8>(stop) != 10 || stop + 1 >= end) return 0;
  p = stop + 1;
  stops = stopsAt(p);
  let own: i64 = lastAddress;
  let ownLine = lastLine;
  if (withInstr) {
    stop = p + <usize>ctz(stops);
    own = word(p, stop, own);
    stops &= stops - 1;
    others = withLine ? <u32>load<u8>(stop) ^ 32 : 0;
    from = stop + 1;
  } else from = p;
  if (withLine) {
    stop = p + <usize>ctz(stops);
    ownLine = word(from, stop, ownLine);
  }
  if (stops == 0 || others != 0 || notDigits != 0 || own >> 32 != high || target < 0 || ((ownLine | targetLine) >> 32) != 0) return 0;
  if (load<u8>(stop) == 32) stop++;
  if (isCall) {
    const next = callCosts(stop);
    if (next != 0) putCall(<u32>ownLine, <u32>own, <u32>targetLine, taken);
    return next;
  }
  if (load<u8>(stop) != 10) return 0;
  putJump(<u32>ownLine, own, <u32>targetLine, target, conditional, taken, executed);
  return stop + 1;
}

/** The kind of thing a plain line `fn=(12) name` or `fn=(12)` names; 0 for all others. Sets nameId, nameFrom, nameEnd. */
function named(p: usize, eol: usize): i32 {
  const two = <u32>load<u16>(p);
  const three = load<u32>(p) & 0xffffff;
  let kind = 0;
  if (load<u8>(p, 2) == 61) {
    // fn fl fi fe ob
    kind = two == 0x6e66 ? 1 : two == 0x6c66 ? 2 : two == 0x6966 || two == 0x6566 ? 3 : two == 0x626f ? 4 : 0;
    p += 3;
  } else if (load<u8>(p, 3) == 61) {
    // cfn cfi cfl cob jfi jfl jfn
    kind = three == 0x6e6663 ? 5 : three == 0x696663 || three == 0x6c6663 ? 6 : three == 0x626f63 ? 7
      : three == 0x69666a || three == 0x6c666a ? 8 : three == 0x6e666a ? 9 : 0;
    p += 4;
  }
  if (kind == 0 || load<u8>(p) != 40) return 0;
  const from = ++p;
  nameId = 0;
  for (let d = <u32>load<u8>(p) - 48; d <= 9; d = <u32>load<u8>(++p) - 48) nameId = nameId * 10 + d;
  if (p == from || p - from > 8 || load<u8>(p) != 41) return 0;
  p = blanks(p + 1);
  while (eol > p && isEnd(load<u8>(eol - 1))) eol--;
  // A name that consists of ids, or looks as if it did.
  if (p < eol && (load<u8>(p) == 40 || load<u8>(p) == 39)) return 0;
  nameFrom = p;
  nameEnd = eol;
  return kind;
}

let nameId: i32 = 0;
let nameFrom: usize = 0;
let nameEnd: usize = 0;

function isFull(): bool {
  return calls == CALLS || jumps == JUMPS || wides > WIDE - EVENTS - 2;
}

/** Reads up to `size` bytes of lines at IN; returns how many it read, or -1. Stops early, at a line start, if a table is full. */
export function digest(size: usize): i32 {
  if (events == 0) return -1;
  rows = calls = jumps = marks = wides = lines = 0;
  cfn = cfi = cob = jfi = jfn = -1;
  unused = farJumps = 0;
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
  // Some table has no room for another line.
  let full = false;
  // Upper half of the addresses since the last mark; -1 where there was none yet.
  let runHigh: i64 = -1;
  let mixed: i32 = 0;
  let lineBits: u32 = 0;
  const callCosts: usize = COSTS + <usize>ROWS * 4 * events;
  let targetLow: u32 = 0;
  let targetHigh: u32 = 0;
  let targetLine: u32 = 0;
  let taken: u64 = 0;
  let executed: u64 = 0;
  while (p < end) {
    if (full && pending == 0) break;
    const start = p;
    let c = <u32>load<u8>(p);
    if (pending == 0 && knownAddress && knownLine && <i64>(address >> 32) == runHigh) {
      lastAddress = address;
      lastLine = line;
      if (c == 99 || c == 106) {
        p = associations(p, end, runHigh);
        lineNo += readLines;
      } else if (short) {
        nextRow = row;
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
      // "call" "s="
      const isCall = word == 0x6c6c6163 && load<u16>(p, 4) == 0x3d73;
      // "jcnd", "jump" and "="
      const isJump = (word == 0x646e636a || word == 0x706d756a) && load<u8>(p, 4) == 61;
      if (isCall || isJump) {
        if (pending != 0) return -1;
        pendingAt = start;
        pendingNo = lineNo - 1;
        p = blanks(p + (isCall ? 6 : 5));
        executed = taken = count(p);
        if (at == 0) return -1;
        p = at;
        if (word == 0x646e636a) {
          if (load<u8>(p) != 47) return -1;
          executed = count(p + 1);
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
      const which = idOf(word);
      const id: i32 = which == 0 ? -1 : reference(p + 4);
      if (which != 0) {
        if (unused & (1 << which)) return -1;
        if (id >= 0) setId(which, id);
        else forgetId(which);
      }
      const from = p;
      p = id < 0 ? lineEnd(p) : at;
      if (id < 0) {
        const m = MARK + <usize>marks * MARK_BYTES;
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
        store<i32>(m, mixed | (knownAddress && knownLine ? 2 : 0) | farJumps, 40);
        store<i32>(m, cfn, 44);
        store<i32>(m, cfi, 48);
        store<i32>(m, cob, 52);
        store<i32>(m, jfi, 56);
        store<i32>(m, jfn, 60);
        store<i32>(m, named(from, p), 64);
        store<i32>(m, nameId, 68);
        store<u32>(m, <u32>(nameFrom - IN), 72);
        store<u32>(m, <u32>(nameEnd - IN), 76);
        cfn = cfi = cob = jfi = jfn = -1;
        unused = farJumps = 0;
        runHigh = -1;
        mixed = 0;
        if (marks == MARKS - 1) full = true;
      }
      p++;
      continue;
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
        const next = shortCount(p, COSTS + (<usize>row << 2));
        if (next != 0) {
          if (++row == ROWS) full = true;
          p = next;
          continue;
        }
      }
      p = costs(p, 0, row, COSTS, ROWS);
      if (p == 0) return -1;
      if (++row == ROWS || isFull()) full = true;
      continue;
    }
    // The base is still unknown: the position of this call relative to the next row would be lost.
    if (!knownAddress || !knownLine) return -1;
    if (pending == 1) {
      p = costs(p, 1, calls, callCosts, CALLS);
      if (p == 0) return -1;
      putCall(ownLine, <u32>own, targetLine, taken);
    } else {
      if (c == 13) p++;
      if (load<u8>(p) != 10) return -1;
      p++;
      putJump(ownLine, own, targetLine, (<u64>targetHigh << 32) | targetLow, pending == 3, taken, executed);
    }
    pending = 0;
    if (isFull()) full = true;
  }
  // A call or jump still waiting for its second line is read again with the next piece.
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
