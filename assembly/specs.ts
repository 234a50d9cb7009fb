// Specifications: which function, file or object a line names.
import {
  blanks, CFI, CFL, CFN, CLOSE, CLOSE_LINE, COB, EQUALS, FE, FI, FL, FN, isEnd, JFI, JFL, JFN, LINE_FEED, OB, OPEN, QUOTE, RETURN, ZERO,
} from './bytes';
import { BEYOND_NINE, TOP_BITS, valueOf, ZEROS } from './numbers';

/** What named() and plainId() found. */
export let nameId: i32 = 0;
export let nameFrom: usize = 0;
export let nameEnd: usize = 0;

/** Where the line of the last reference() ends. */
export let referenceEnd: usize = 0;

/** The id of `cfn=(12)` with nothing after it, and `referenceEnd` is the line's end; -1 for anything else, and for large ids. */
export function reference(p: usize): i32 {
  p = blanks(p);
  if (load<u8>(p) != OPEN) return -1;
  const from = ++p;
  let v: i32 = 0;
  for (;;) {
    const d = <u32>load<u8>(p) - ZERO;
    if (d > 9) break;
    v = v * 10 + d;
    p++;
  }
  if (p == from || p - from > 8 || load<u8>(p) != CLOSE) return -1;
  if (load<u8>(++p) != LINE_FEED) {
    p = blanks(p);
    if (load<u8>(p) == RETURN) p++;
    if (load<u8>(p) != LINE_FEED) return -1;
  }
  referenceEnd = p;
  return v;
}

/** Which id a line sets, by its first four characters, as in `cfn=`: 1 cfn, 2 cfi or cfl, 3 cob, 4 jfi or jfl, 5 jfn; 0 for others. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function idOf(kind: u32): i32 {
  if (kind >> 24 != EQUALS) return 0;
  const name = kind & 0xffffff;
  return name == CFN ? 1 : name == CFI || name == CFL ? 2 : name == COB ? 3 : name == JFI || name == JFL ? 4 : name == JFN ? 5 : 0;
}

/** Reads `(12)` and the line's end, at most seven digits: sets nameId, returns the next line's start; 0 for anything else. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function plainId(p: usize): usize {
  let t = load<u64>(p + 1) ^ ZEROS;
  const n = <i32>(ctz<u64>(((t + BEYOND_NINE) | t) & TOP_BITS) >> 3);
  if (load<u8>(p) != OPEN || n == 0 || n > 7 || load<u16>(p + 1 + <usize>n) != CLOSE_LINE) return 0;
  nameId = <i32>valueOf(t << (64 - (n << 3)));
  return p + <usize>n + 3;
}

/** The kind of thing a plain line `fn=(12) name` or `fn=(12)` names; 0 for all others. Sets nameId, nameFrom, nameEnd. */
export function named(p: usize, eol: usize): i32 {
  const two = <u32>load<u16>(p);
  const three = load<u32>(p) & 0xffffff;
  let kind = 0;
  if (load<u8>(p, 2) == EQUALS) {
    kind = two == FN ? 1 : two == FL ? 2 : two == FI || two == FE ? 3 : two == OB ? 4 : 0;
    p += 3;
  } else if (load<u8>(p, 3) == EQUALS) {
    kind = three == CFN ? 5 : three == CFI || three == CFL ? 6 : three == COB ? 7
      : three == JFI || three == JFL ? 8 : three == JFN ? 9 : 0;
    p += 4;
  }
  if (kind == 0 || load<u8>(p) != OPEN) return 0;
  const from = ++p;
  nameId = 0;
  for (let d = <u32>load<u8>(p) - ZERO; d <= 9; d = <u32>load<u8>(++p) - 48) nameId = nameId * 10 + d;
  if (p == from || p - from > 8 || load<u8>(p) != CLOSE) return 0;
  p = blanks(p + 1);
  while (eol > p && isEnd(load<u8>(eol - 1))) eol--;
  // A name that consists of ids, or looks as if it did.
  if (p < eol && (load<u8>(p) == OPEN || load<u8>(p) == QUOTE)) return 0;
  nameFrom = p;
  nameEnd = eol;
  return kind;
}
