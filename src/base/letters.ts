// Matches abbreviations, the letters of a name in order: `cprm` finds count_primes, `vecpush` std::vector<int>::push_back.
// A letter comes later in the same word as the letter before it, or starts a word: so users can see why a name matches.
// A byte costs only a few operations: all prefixes of the pattern are tracked at once, one bit each.

/** Tests bytes[from..to), ignoring the case of letters. */
export type BytesTest = (bytes: Uint8Array, from: number, to: number) => boolean;

export const MAX_PATTERN_LETTERS = 30;

const SEPARATOR_BYTE = 0;
const LOWER_CASE_BYTE = 1;
const UPPER_CASE_BYTE = 2;

/** The kind of each byte, for splitting words. Digits and non-ASCII bytes count as lower-case letters, all others separate. */
const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= 65 && c <= 90
    ? UPPER_CASE_BYTE
    : (c >= 97 && c <= 122) || (c >= 48 && c <= 57) || c >= 128
      ? LOWER_CASE_BYTE
      : SEPARATOR_BYTE,
);

/** Compiles a test for a pattern of bytes in lower case, at most MAX_PATTERN_LETTERS of them. */
export function compileLettersTest(pattern: Uint8Array): BytesTest {
  const positions = new Int32Array(256);
  pattern.forEach((c, i) => {
    positions[c] |= 1 << i;
    if (c >= 97 && c <= 122) positions[c - 32] |= 1 << i;
  });
  const last = 1 << (pattern.length - 1);
  return (bytes, from, to) => {
    // Bit i: the first i + 1 letters were found. For `here`, the last of them is in the current word; for `found`, in any word.
    let found = 0;
    let here = 0;
    let before = SEPARATOR_BYTE;
    const end = to | 0;
    for (let k = from | 0; k < end; k++) {
      const c = bytes[k];
      const kind = BYTE_KINDS[c];
      const at = positions[c];
      if (kind === SEPARATOR_BYTE || before === SEPARATOR_BYTE || (kind === UPPER_CASE_BYTE && before === LOWER_CASE_BYTE)) {
        here = ((found << 1) | 1) & at;
      } else if (at !== 0) here |= ((here << 1) | 1) & at;
      found |= here;
      if (found & last) return true;
      before = kind;
    }
    return false;
  };
}

/** The most common bytes in names, most frequent first. All other bytes are rarer. */
const COMMON_BYTES = 'etaoinrslc_:dupmhfgbvy,<> ()1234567890w*&kx';

function rarestByte(pattern: Uint8Array): number {
  let at = 0;
  let most = -1;
  pattern.forEach((c, i) => {
    const place = COMMON_BYTES.indexOf(String.fromCharCode(c));
    const rank = place < 0 ? COMMON_BYTES.length : place;
    if (rank > most) [at, most] = [i, rank];
  });
  return at;
}

/** Marks in `hit` the strings from..to-1 that hold the pattern; string i is bytes[start[i]] .. bytes[start[i + 1] - 1]. */
export type BytesScan = (bytes: Uint8Array, start: Uint32Array, from: number, to: number, hit: Uint8Array) => void;

/** Finds the strings that contain the lower-case pattern in any case, by scanning all bytes for its rarest one. */
export function compileScan(pattern: Uint8Array): BytesScan {
  const key = rarestByte(pattern);
  const small = pattern[key];
  const large = small >= 97 && small <= 122 ? small - 32 : small;
  const length = pattern.length;
  const matchesAt = (bytes: Uint8Array, at: number) => {
    for (let i = 0; i < length; i++) {
      const d = bytes[at + i];
      const p = pattern[i];
      if (d !== p && !(d >= 65 && d <= 90 && d + 32 === p)) return false;
    }
    return true;
  };
  // A mask folds both cases of the rarest byte into one; four bytes are compared at once.
  const mask = Math.imul(small ^ large, 0x01010101);
  const wanted = Math.imul(small | large, 0x01010101);
  return (bytes, start, from, to, hit) => {
    // Indexes are converted to 32-bit integers: with bounds up to 2^32 the loop would use doubles.
    const begin = start[from] | 0;
    const end = start[to] | 0;
    const words =
      bytes.byteOffset % 4 === 0 ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : EMPTY_WORD_VIEW;
    let id = from;
    for (let k = begin; k < end; k++) {
      if ((k & 3) === 0) {
        let w = k >> 2;
        const last = Math.min(words.length, end >> 2);
        while (w < last) {
          const x = (words[w] | mask) ^ wanted;
          // Mycroft's test: some byte of x is 0.
          if (((x - 0x01010101) & ~x & 0x80808080) !== 0) break;
          w++;
        }
        k = w << 2;
        if (k >= end) return;
      }
      const c = bytes[k];
      if (c !== small && c !== large) continue;
      const at = k - key;
      if (at < begin || !matchesAt(bytes, at)) continue;
      while ((start[id + 1] | 0) <= at) id++;
      const next = start[id + 1] | 0;
      // A match must not span two strings.
      if (at + length > next) continue;
      hit[id] = 1;
      k = next - 1;
    }
  };
}

const EMPTY_WORD_VIEW = new Int32Array(0);
