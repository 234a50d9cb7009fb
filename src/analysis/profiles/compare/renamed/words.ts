// How much two names have in common: words of the last identifier, and words of the scopes before it.
import { getOrMake } from '../../../../base/lists.ts';
import type { Strings } from '../../../../model/strings.ts';
import { NameScan } from '../../../names/grammar.ts';

const isDigit = (c: number) => c >= 48 && c <= 57;
const isUpper = (c: number) => c >= 65 && c <= 90;
const isLower = (c: number) => (c >= 97 && c <= 122) || c >= 128;

/** Words as hashes, sorted. `parse_line`, `parseLine` and `ParseLine` have the same. */
function hashWords(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const out: number[] = [];
  let hash = 0;
  const endWord = () => {
    if (hash !== 0) out.push(hash);
    hash = 0;
  };
  for (let i = from; i < to; i++) {
    const c = bytes[i];
    const before = i > from ? bytes[i - 1] : 0;
    const inWord = isDigit(c) || isUpper(c) || isLower(c);
    // HTTPServer: http, server.
    const startsWord = isUpper(c) && (!isUpper(before) || (i + 1 < to && isLower(bytes[i + 1])));
    if (!inWord || startsWord || isDigit(c) !== isDigit(before)) endWord();
    if (inWord) hash = Math.imul((hash ^ (isUpper(c) ? c + 32 : c)) + 1, 0x01000193) >>> 0;
  }
  endWord();
  return Uint32Array.from(out).sort();
}

interface NameWords {
  /** A hash of the last identifier. */
  readonly own: Uint32Array;
  /** Also the words of scopes and their arguments. */
  readonly all: Uint32Array;
}

/** Dice coefficient of two sorted lists: twice the size of the common part, divided by the sum of the sizes. */
function diceCoefficient(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    const [x, y] = [a[i], b[k]];
    if (x === y) common++;
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return common > 0 ? (2 * common) / (a.length + b.length) : 0;
}

export class NameSimilarity {
  private readonly known = new Map<number, NameWords>();
  private readonly scanner = new NameScan();
  constructor(private readonly strings: Strings) {}

  /** 0 for names that have no word in common, 1 for the same; arguments and parameters do not count. */
  similarity(a: number, b: number): number {
    const [x, y] = [this.wordsOf(a), this.wordsOf(b)];
    return (diceCoefficient(x.own, y.own) + diceCoefficient(x.all, y.all)) / 2;
  }

  private wordsOf(id: number): NameWords {
    return getOrMake(this.known, id, () => {
      const { bytes, start } = this.strings;
      const { scanner } = this;
      scanner.scan(bytes, start[id], start[id + 1]);
      const { own, identFrom, identTo, resultTo } = scanner;
      return { own: hashWords(bytes, identFrom[own], identTo[own]), all: hashWords(bytes, resultTo, identTo[own]) };
    });
  }
}
