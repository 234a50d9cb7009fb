// Calls and jumps with their second lines, as Valgrind writes them.
import { BLANK, blanks, C, CALL, EQUALS, isEnd, J, JCND, JUMP, LINE_FEED, lineEnd, S_EQUALS, SLASH, stopsAt } from './bytes';
import { CALLS, COSTS, ROWS } from './layout';
import { at, costs, count, eight, forgetDigits, notDigits, position, positionValue, shortCount, word } from './numbers';
import { lastAddress, lastLine } from './short-rows';
import { idOf, nameId, plainId } from './specs';
import { calls, events, hasInstr, hasLine, isFull, putCall, putJump, setId, unused } from './tables';

/** What a line of two lines is. */
export enum PAIR {
  NONE,
  CALL,
  JUMP,
  JCND,
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function pairKind(p: usize): PAIR {
  const word = load<u32>(p);
  if (word == CALL && load<u16>(p, 4) == S_EQUALS) return PAIR.CALL;
  if (load<u8>(p, 4) != EQUALS) return PAIR.NONE;
  return word == JCND ? PAIR.JCND : word == JUMP ? PAIR.JUMP : PAIR.NONE;
}

// What openPair() read.
export let taken: u64 = 0;
export let executed: u64 = 0;
export let target: u64 = 0;
export let targetLine: u32 = 0;

/** Reads the first line of a call or jump, however it is written; returns the start of the next line, 0 if it is not plain. */
export function openPair(p: usize, kind: PAIR, address: u64, line: u32, knownAddress: bool, knownLine: bool): usize {
  p = blanks(p + (kind == PAIR.CALL ? 6 : 5));
  executed = taken = count(p);
  if (at == 0) return 0;
  p = at;
  if (kind == PAIR.JCND) {
    if (load<u8>(p) != SLASH) return 0;
    executed = count(p + 1);
    if (at == 0) return 0;
    p = at;
  }
  if (!isEnd(load<u8>(p))) return 0;
  target = targetLine = 0;
  p = blanks(p);
  if (hasInstr != 0 && load<u8>(p) > BLANK) {
    p = position(p, address, knownAddress, u64.MAX_VALUE);
    if (p == 0) return 0;
    target = positionValue;
  }
  if (hasLine != 0 && load<u8>(p) > BLANK) {
    p = position(p, line, knownLine, u32.MAX_VALUE);
    if (p == 0) return 0;
    targetLine = <u32>positionValue;
  }
  return lineEnd(p) + 1;
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
export let readLines: i32 = 0;

/**
 * Reads calls and jumps with their second lines, and the ids before them, as Valgrind writes them (`cfn=(12)`, `jcnd=1/5 +23 0 `
 * and `* 0 `). Returns where they end; p if the first is written differently.
 */
export function associations(p: usize, end: usize, high: i64): usize {
  readLines = 0;
  while (p < end && !isFull()) {
    const c = load<u8>(p);
    if (c != C && c != J) break;
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

/** Reads a call or jump with its second line; returns the start of the next line, or 0, storing nothing, if they are not plain. */
function pair(p: usize, end: usize, high: i64): usize {
  const withInstr = hasInstr != 0;
  const withLine = hasLine != 0;
  const kind = pairKind(p);
  if (kind == PAIR.NONE) return 0;
  const isCall = kind == PAIR.CALL;
  const conditional = kind == PAIR.JCND;
  p += isCall ? 6 : 5;
  forgetDigits();
  let stops = stopsAt(p) | (stopsAt(p + 16) << 16);
  let stop = p + <usize>ctz(stops);
  let from = p;
  let digits = <i32>(stop - p);
  let often: u64 = 0;
  if (conditional) {
    const slash = ctz<i32>(i8x16.bitmask(i8x16.eq(v128.load(p), i8x16(47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47, 47))));
    if (slash == 0 || slash > 8) return 0;
    often = eight(p + <usize>slash, slash);
    digits -= slash + 1;
  }
  if (digits < 1 || digits > 8) return 0;
  const all = eight(stop, digits);
  if (!conditional) often = all;
  let to: i64 = 0;
  let toLine: i64 = 0;
  let others: u32 = 0;
  if (withInstr) {
    others = <u32>load<u8>(stop) ^ BLANK;
    from = stop + 1;
    stops &= stops - 1;
    stop = p + <usize>ctz(stops);
    to = word(from, stop, lastAddress);
  }
  if (withLine) {
    others |= <u32>load<u8>(stop) ^ BLANK;
    from = stop + 1;
    stops &= stops - 1;
    stop = p + <usize>ctz(stops);
    toLine = word(from, stop, lastLine);
  }
  // All stops must be within the 32 bytes, and those between words must be blanks.
  if (stops == 0 || others != 0) return 0;
  if (load<u8>(stop) == BLANK) stop++;
  if (load<u8>(stop) != LINE_FEED || stop + 1 >= end) return 0;
  p = stop + 1;
  stops = stopsAt(p);
  let own: i64 = lastAddress;
  let ownLine = lastLine;
  if (withInstr) {
    stop = p + <usize>ctz(stops);
    own = word(p, stop, own);
    stops &= stops - 1;
    others = withLine ? <u32>load<u8>(stop) ^ BLANK : 0;
    from = stop + 1;
  } else from = p;
  if (withLine) {
    stop = p + <usize>ctz(stops);
    ownLine = word(from, stop, ownLine);
  }
  if (stops == 0 || others != 0 || notDigits != 0 || own >> 32 != high || to < 0 || ((ownLine | toLine) >> 32) != 0) return 0;
  if (load<u8>(stop) == BLANK) stop++;
  if (isCall) {
    const next = callCosts(stop);
    if (next != 0) putCall(<u32>ownLine, <u32>own, often);
    return next;
  }
  if (load<u8>(stop) != LINE_FEED) return 0;
  putJump(<u32>ownLine, own, <u32>toLine, to, conditional, often, all);
  return stop + 1;
}
