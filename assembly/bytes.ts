// Characters of the format, and the words that lines begin with, as the numbers that a load of their bytes gives.

export const TAB: u32 = 9;
export const LINE_FEED: u32 = 10;
export const RETURN: u32 = 13;
export const BLANK: u32 = 32;
export const HASH: u32 = 35;
export const QUOTE: u32 = 39;
export const OPEN: u32 = 40;
export const CLOSE: u32 = 41;
export const STAR: u32 = 42;
export const PLUS: u32 = 43;
export const MINUS: u32 = 45;
export const SLASH: u32 = 47;
export const ZERO: u32 = 48;
export const NINE: u32 = 57;
export const EQUALS: u32 = 61;
const A: u32 = 97;
const B: u32 = 98;
export const C: u32 = 99;
const D: u32 = 100;
const E: u32 = 101;
const F: u32 = 102;
const I: u32 = 105;
export const J: u32 = 106;
const L: u32 = 108;
const M: u32 = 109;
const N: u32 = 110;
const O: u32 = 111;
const P: u32 = 112;
const S: u32 = 115;
const U: u32 = 117;
export const X: u32 = 120;

/** `calls=`: its first four characters, and the other two. */
export const CALL: u32 = C | (A << 8) | (L << 16) | (L << 24);
export const S_EQUALS: u32 = S | (EQUALS << 8);
/** `jump` and `jcnd`, with an `=` after them. */
export const JUMP: u32 = J | (U << 8) | (M << 16) | (P << 24);
export const JCND: u32 = J | (C << 8) | (N << 16) | (D << 24);

/** The words of specifications, without their `=`. */
export const FN: u32 = F | (N << 8);
export const FL: u32 = F | (L << 8);
export const FI: u32 = F | (I << 8);
export const FE: u32 = F | (E << 8);
export const OB: u32 = O | (B << 8);
export const CFN: u32 = C | (FN << 8);
export const CFI: u32 = C | (FI << 8);
export const CFL: u32 = C | (FL << 8);
export const COB: u32 = C | (OB << 8);
export const JFI: u32 = J | (FI << 8);
export const JFL: u32 = J | (FL << 8);
export const JFN: u32 = J | (FN << 8);

/** `)` and a line feed. */
export const CLOSE_LINE: u32 = CLOSE | (LINE_FEED << 8);

// @ts-ignore: a decorator of AssemblyScript
@inline
export function isEnd(c: u32): bool {
  return c == BLANK || c == LINE_FEED || c == RETURN || c == TAB;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function blanks(p: usize): usize {
  while (load<u8>(p) == BLANK || load<u8>(p) == TAB) p++;
  return p;
}

/** The line end at or after p. */
export function lineEnd(p: usize): usize {
  let ends = 0;
  while ((ends = i8x16.bitmask(i8x16.eq(v128.load(p), i8x16(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)))) == 0)
    p += 16;
  return p + <usize>ctz<i32>(ends);
}

/** A bit for each blank or line end among sixteen bytes. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function stopsAt(p: usize): i32 {
  return i8x16.bitmask(i8x16.lt_u(v128.load(p), i8x16(33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33)));
}
