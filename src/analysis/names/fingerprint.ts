// A hash of the parts that all short forms of a name keep: the last identifier and its scope. It is much simpler than the
// grammar, because a million names are hashed at once. Where both disagree, a name is merely shortened less.
import { codeUnits, isWordByte, matchesWord, startsNote, startsSuffix } from './brackets.ts';

const [GT, OPEN, MINUS, BLANK, COLON, DOT, SLASH, QUOTE, AT] = codeUnits(">(- :./'@");
const QUALIFIERS = [' const', ' volatile', ' noexcept'].map(codeUnits);

const WORD_BYTE = 0;
const OPENING_BYTE = 1;
const CLOSING_BYTE = 2;
const OTHER_BYTE = 3;
const BYTE_KINDS = new Uint8Array(256).fill(OTHER_BYTE);
for (let c = 0; c < 256; c++) if (isWordByte(c)) BYTE_KINDS[c] = WORD_BYTE;
for (const c of codeUnits('<([{')) BYTE_KINDS[c] = OPENING_BYTE;
for (const c of codeUnits('>)]}')) BYTE_KINDS[c] = CLOSING_BYTE;

const HASH_PRIME = 0x01000193;
const mixHash = (a: number, b: number) => {
  const h = Math.imul(a ^ (b >>> 15) ^ 0x9e3779b1, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  return h ^ (h >>> 13);
};

export class Fingerprint {
  /** A hash of scope and last identifier. */
  group = 0;
  /** A hash of the first three bytes of the scope and the last three of the identifier. */
  ends = 0;
  /** The start of the scope, and the end of the identifier. */
  from = 0;
  to = 0;

  compute(bytes: Uint8Array, from: number, to: number): void {
    let scope = 0;
    let scopeFrom = -1;
    let hash = 0;
    let wordFrom = -1;
    let wordTo = from;
    let start = from;
    // Set after parameters, which only qualifiers follow.
    let closed = false;
    for (let i = from; i < to; ) {
      const c = bytes[i];
      const kind = BYTE_KINDS[c];
      if (kind === WORD_BYTE) {
        if (!closed) {
          if (wordFrom < 0) wordFrom = i;
          hash = Math.imul(hash ^ c, HASH_PRIME) + 1;
          wordTo = i + 1;
        }
        i++;
      } else if (kind === OPENING_BYTE) {
        if (i === start) hash = c === OPEN ? 0 : mixHash(scope, c);
        else if (c === OPEN) closed = true;
        i = endOfBracket(bytes, i, to);
      } else if (
        (c === COLON && i + 1 < to && bytes[i + 1] === COLON) ||
        c === SLASH ||
        (c === DOT && !closed && !startsSuffix(bytes, i, to))
      ) {
        scope = hash;
        scopeFrom = wordFrom;
        hash = 0;
        wordFrom = -1;
        closed = false;
        i += c === COLON ? 2 : 1;
        start = i;
      } else if (i > start && isNameEnd(bytes, i, to, closed)) break;
      else if (c === BLANK && !(closed && QUALIFIERS.some((w) => matchesWord(bytes, i, to, w)))) {
        scope = hash = 0;
        scopeFrom = wordFrom = -1;
        closed = false;
        start = ++i;
      } else i++;
    }
    this.group = mixHash(scope, hash);
    this.from = scopeFrom < 0 ? wordFrom : scopeFrom;
    this.to = wordTo;
    this.ends = mixHash(packThreeBytes(bytes, this.from, wordTo, 1), packThreeBytes(bytes, wordTo - 1, wordFrom, -1));
  }
}

function packThreeBytes(bytes: Uint8Array, from: number, to: number, step: 1 | -1): number {
  let out = 0;
  for (let k = 0, i = from; k < 3 && i >= 0 && (step > 0 ? i < to : i >= to); k++, i += step) out = (out << 8) | bytes[i];
  return out;
}

/** The position after the bracket that opens at `i`. */
function endOfBracket(bytes: Uint8Array, i: number, to: number): number {
  let depth = 1;
  let k = i + 1;
  while (k < to && depth > 0) {
    const kind = BYTE_KINDS[bytes[k]];
    if (kind === OPENING_BYTE) depth++;
    else if (kind === CLOSING_BYTE && !(bytes[k] === GT && bytes[k - 1] === MINUS)) depth--;
    k++;
  }
  return k;
}

/** Whether a name ends here: before `'2`, `@plt`, ` [clone .cold]`, ` (.cold)`, or `.cold` after parameters. */
function isNameEnd(bytes: Uint8Array, i: number, to: number, closed: boolean): boolean {
  const c = bytes[i];
  if (c === QUOTE || c === AT) return true;
  if (c === DOT) return closed || startsSuffix(bytes, i, to);
  return startsNote(bytes, i, to);
}
