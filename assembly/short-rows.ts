// Rows of short numbers, sixteen bytes at once.
import { MINUS, PLUS, STAR, ZERO } from './bytes';
import { ADDRESS, COSTS, LINE, SHAPES, SPLATS } from './layout';
import { STARTS } from './numbers';

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
export let nextRow: i32 = 0;
export let lastAddress: u64 = 0;
export let lastLine: i64 = 0;
export let bitsOfLines: i64 = 0;

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
      // One digit at least, and six with the sign at most: there are shapes for seven.
      if (load<u8>(p) != PLUS || <u32>(a - 2) > 5) break;
    }
    // Exactly one blank may be left, before the count.
    if (gaps == 0 || (gaps & (gaps - 1)) != 0) break;
    const b = ctz<i32>(gaps);
    const c = <u32>load<u8>(p + start);
    const sign = <i32>(c < ZERO);
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
    const ownLine = (c < ZERO ? line : 0) + <i64>(c == MINUS ? -step : step);
    // `*` alone, + or - before digits, or a digit.
    const isFirst = <i32>(STARTS >> c) & ((c == STAR ? 1 : 0) ^ (b - <i32>start == sign ? 1 : 0) ^ 1);
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

export function shortAddressRows(p: usize, end: usize): usize {
  return shortRows(p, end, true);
}

export function shortLineRows(p: usize, end: usize): usize {
  return shortRows(p, end, false);
}

/** Before the first row of a digest. */
export function startShortRows(): void {
  if (!shaped) makeShapes();
  shaped = true;
  bitsOfLines = 0;
}

/** The row before those that are read next. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function setLast(row: i32, address: u64, line: u32): void {
  nextRow = row;
  lastAddress = address;
  lastLine = line;
}
