// Groups a profile's names by fingerprint, so that comparing a few names shows whether a short form is unique.
import { memo } from '../../base/lists.ts';
import { type Index, indexBy, rowsOfKey } from '../../model/column.ts';
import type { Head } from '../../model/head.ts';
import { decodeBytes, type Strings, stringCount } from '../../model/strings.ts';
import { isWordByte } from './brackets.ts';
import { Fingerprint } from './fingerprint.ts';
import { NameScan } from './grammar.ts';

/** The maximum number of names with equal ends to compare. Larger sets are numbered by their position in the file. */
const MAX_COMPARED_NAMES = 5000;

export class NameGroups {
  private readonly strings: Strings;
  /** The fingerprints by string id; only names of routines have them. */
  private readonly group: Int32Array;
  private readonly ends: Int32Array;
  private readonly byGroup: Index;
  private readonly byEnds: () => Index;
  /** A bucket is the upper bits of a hash. */
  private readonly shift: number;
  private readonly fingerprint = new Fingerprint();
  private readonly scanner = new NameScan();
  private keyBuffer = new Uint8Array(1 << 10);

  constructor({ strings, routines }: Head) {
    this.strings = strings;
    const n = stringCount(strings);
    const isName = new Uint8Array(n);
    this.group = new Int32Array(n);
    this.ends = new Int32Array(n);
    for (const id of routines.name) {
      if (isName[id] === 1) continue;
      this.fingerprint.compute(strings.bytes, strings.start[id], strings.start[id + 1]);
      isName[id] = 1;
      this.group[id] = this.fingerprint.group;
      this.ends[id] = this.fingerprint.ends;
    }
    this.shift = Math.max(8, 31 - Math.ceil(Math.log2(n + 1)));
    const bucketOf = (hash: number, id: number) => (isName[id] === 1 ? hash >>> this.shift : -1);
    this.byGroup = indexBy(this.group.map(bucketOf), 2 ** (32 - this.shift));
    this.byEnds = memo(() => indexBy(this.ends.map(bucketOf), 2 ** (32 - this.shift)));
  }

  private bucket(index: Index, hash: number): Uint32Array {
    return rowsOfKey(index, hash >>> this.shift);
  }

  /** All names whose short forms may look like those of this name, in file order. */
  groupOf(id: number): Uint32Array {
    const { group } = this;
    return this.bucket(this.byGroup, group[id]).filter((other) => group[other] === group[id]);
  }

  /** Whether a text can only look like short forms of names in this name's group. */
  fitsGroup(id: number, text: Uint8Array): boolean {
    this.fingerprint.compute(text, 0, text.length);
    return this.fingerprint.group === this.group[id];
  }

  /** Writes the parts that all short forms of a name keep into `keyBuffer` and returns their length. */
  private writeKey(id: number): number {
    const { strings, scanner } = this;
    const [from, to] = [strings.start[id], strings.start[id + 1]];
    if (to - from > this.keyBuffer.length) this.keyBuffer = new Uint8Array((to - from) * 2);
    scanner.scan(strings.bytes, from, to);
    return scanner.writeKey(this.keyBuffer);
  }

  keyOf(id: number): string {
    const length = this.writeKey(id);
    return decodeBytes(this.keyBuffer, 0, length);
  }

  /** The minimum number of bytes that a cut keeps at the end of the key; undefined if its fingerprint does not cover its ends. */
  leastTail(id: number): number | undefined {
    const length = this.writeKey(id);
    const { fingerprint } = this;
    fingerprint.compute(this.keyBuffer, 0, length);
    return fingerprint.from === 0 && fingerprint.ends === this.ends[id] ? length - fingerprint.to + 3 : undefined;
  }

  /**
   * The names whose keys share the first `head` and the last `tail` bytes with this name's key, in file order. Both are at least
   * 3, and `tail` at least leastTail(). Undefined if too many names would have to be compared.
   */
  namesWithSameEnds(id: number, head: number, tail: number): number[] | undefined {
    const { ends } = this;
    const others = this.bucket(this.byEnds(), ends[id]);
    if (others.length > MAX_COMPARED_NAMES) return undefined;
    const length = this.writeKey(id);
    const own = this.keyBuffer.slice(0, length);
    this.fingerprint.compute(own, 0, length);
    const ownTo = this.fingerprint.to;
    const out: number[] = [];
    for (const other of others) {
      if (ends[other] !== ends[id] || this.differs(other, own, ownTo, head, tail - (length - ownTo))) continue;
      const n = this.writeKey(other);
      const { keyBuffer } = this;
      if (n < Math.max(head, tail)) continue;
      let k = 0;
      while (k < head && keyBuffer[k] === own[k]) k++;
      if (k < head) continue;
      k = 1;
      while (k <= tail && keyBuffer[n - k] === own[length - k]) k++;
      if (k > tail) out.push(other);
    }
    return out;
  }

  /** A quick look, without the grammar: whether the identifiers differ within `head` or `tail` bytes. */
  private differs(id: number, own: Uint8Array, ownTo: number, head: number, tail: number): boolean {
    const { strings, fingerprint } = this;
    const { bytes } = strings;
    fingerprint.compute(bytes, strings.start[id], strings.start[id + 1]);
    const { from, to } = fingerprint;
    // An identifier is as long in the key as in the name; the text after it may differ.
    for (let k = 0; k < head && from + k < to && (isWordByte(own[k]) || isWordByte(bytes[from + k])); k++)
      if (own[k] !== bytes[from + k]) return true;
    for (let k = 1; k <= tail && to - k >= from && (isWordByte(own[ownTo - k]) || isWordByte(bytes[to - k])); k++)
      if (own[ownTo - k] !== bytes[to - k]) return true;
    return false;
  }
}
