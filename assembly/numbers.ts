// Numbers: one at a time for the unusual ones, eight bytes at once for the others.
import { BLANK, isEnd, LINE_FEED, MINUS, PLUS, RETURN, STAR, X, ZERO, blanks } from './bytes';
import { events, wide } from './tables';

/** Eight characters 0: what is left of digits after an exclusive or is their value. */
export const ZEROS: u64 = 0x3030303030303030;
/** Added to eight values, it sets the top bit of those above 9. */
export const BEYOND_NINE: u64 = 0x7676767676767676;
export const TOP_BITS: u64 = 0x8080808080808080;

/** Where the last number ended; 0 if this loop does not accept it. */
export let at: usize = 0;

export function number(p: usize): u64 {
  let v: u64 = 0;
  const first = <u32>load<u8>(p);
  if (first == 48 && (load<u8>(p + 1) | 32) == X) {
    p += 2;
    const from = p;
    for (;;) {
      const c = <u32>load<u8>(p);
      let d = c - ZERO;
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
    const d = <u32>load<u8>(p) - ZERO;
    if (d > 9) break;
    v = v * 10 + d;
    p++;
  }
  at = p == from || p - from > 18 ? 0 : p;
  return v;
}

/** A decimal count of at most 15 digits, so below 2^53; the caller checks what follows it. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function count(p: usize): u64 {
  let v: u64 = 0;
  const from = p;
  for (;;) {
    const d = <u32>load<u8>(p) - ZERO;
    if (d > 9) break;
    v = v * 10 + d;
    p++;
  }
  at = p == from || p - from > 15 ? 0 : p;
  return v;
}

/** What position() read. */
export let positionValue: u64 = 0;

/**
 * Reads a position of any form, which may be relative to `base` if that is known, with its blanks; returns what follows, 0 if it is
 * not plain, or above `most`.
 */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function position(p: usize, base: u64, isKnown: bool, most: u64): usize {
  const c = <u32>load<u8>(p);
  if (c < ZERO && !isKnown) return 0;
  if (c == STAR) {
    positionValue = base;
    p++;
  } else {
    const relative = c == PLUS || c == MINUS;
    if (relative) p++;
    let v: u64 = 0;
    const from = p;
    let d = <u32>load<u8>(p) - ZERO;
    while (d <= 9) {
      v = v * 10 + d;
      d = <u32>load<u8>(++p) - ZERO;
    }
    if (p - from > 18 || p == from || (d + ZERO | 32) == X) {
      v = number(from);
      if (at == 0) return 0;
      p = at;
    }
    const sum = !relative ? v : c == PLUS ? base + v : base - v;
    if (v > most || (relative && (c == PLUS ? sum < v : v > base)) || sum > most) return 0;
    positionValue = sum;
  }
  return isEnd(load<u8>(p)) ? blanks(p) : 0;
}

/** The value of the last word that slowWord() read. */
let wordValue: i64 = 0;

/** Reads a long or hexadecimal position; false if it is not a plain one. */
function slowWord(p: usize, end: usize, base: i64): bool {
  const c = <u32>load<u8>(p);
  const signed = c == PLUS || c == MINUS;
  const v = number(signed ? p + 1 : p);
  if (at != end || v >> 62 != 0) return false;
  wordValue = !signed ? v : c == PLUS ? base + <i64>v : base - <i64>v;
  return true;
}

/** Nonzero once eight() has met a character that is not a digit. */
export let notDigits: u64 = 0;

export function forgetDigits(): void {
  notDigits = 0;
}

/** Bits of the characters that a position may start with: * + - and digits. */
export const STARTS: u64 = (<u64>1 << STAR) | (<u64>1 << PLUS) | (<u64>1 << MINUS) | (<u64>0x3ff << ZERO);

/** A position from p to end, relative to `base` or absolute; -1 if it is not a plain one. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function word(p: usize, end: usize, base: i64): i64 {
  const c = <u32>load<u8>(p);
  const n = <i32>(end - p) - <i32>(c < ZERO);
  if (c == STAR && n == 0) return base;
  if (n < 1 || n > 8 || load<u8>(p + 1) == X) return slowWord(p, end, base) ? wordValue : -1;
  const v = <i64>eight(end, n);
  if ((STARTS >> c & 1) == 0 || c == STAR) return -1;
  return (c < ZERO ? base : 0) + (c == MINUS ? -v : v);
}

/** The value of the n digits, 1 to 8, before `end`; sets notDigits if any of them is not a digit. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function eight(end: usize, n: i32): u64 {
  let t = (load<u64>(end - 8) ^ ZEROS) & (<u64>-1 << (64 - (n << 3)));
  notDigits |= ((t + BEYOND_NINE) | t) & TOP_BITS;
  return valueOf(t);
}

/** The number of eight digits, the first in the lowest byte. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function valueOf(t: u64): u64 {
  t = (t * 2561) >> 8;
  t = ((t & 0x00ff00ff00ff00ff) * 6553601) >> 16;
  return ((t & 0x0000ffff0000ffff) * 42949672960001) >> 32;
}

/**
 * Stores a count of at most seven digits that ends its line; returns the start of the next line, 0 if it is anything else. Eight bytes
 * at once: how many of them are digits, and their value, without a branch for each.
 */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function shortCount(p: usize, into: usize): usize {
  const t = load<u64>(p) ^ ZEROS;
  const stops = ((t + BEYOND_NINE) | t) & TOP_BITS;
  const n = <usize>(ctz<u64>(stops) >> 3);
  if (stops == 0 || n == 0 || load<u8>(p + n) != LINE_FEED) return 0;
  store<u32>(into, <u32>valueOf(t << (64 - (n << 3))));
  return p + n + 1;
}

/** Reads the counts of a row up to its line end; returns the start of the next line, 0 if they are not plain counts. */
export function costs(p: usize, table: i32, row: i32, into: usize, room: i32): usize {
  let k: i32 = 0;
  while (load<u8>(p) != LINE_FEED) {
    if (load<u8>(p) == RETURN && load<u8>(p + 1) == LINE_FEED) {
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
