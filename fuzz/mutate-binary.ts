// Mutations of bytes and words: without any grammar, of the words of CPU profiles, and of the headers of ELF files.
import type { Random } from './random.ts';

const bytesOf = (words: readonly number[]) => Uint8Array.from(words);

/** Without knowing any format. */
export function mutateBytes(given: Uint8Array, random: Random, other: () => Uint8Array): Uint8Array {
  const bytes = given.slice();
  if (bytes.length === 0) return bytesOf([random.below(256)]);
  const at = random.below(bytes.length);
  const length = random.small(Math.min(64, bytes.length - at));
  switch (random.below(9)) {
    case 0:
      bytes[at] ^= 1 << random.below(8);
      return bytes;
    case 1:
      bytes[at] = random.pick([0, 1, 9, 10, 13, 27, 32, 34, 40, 45, 48, 57, 92, 127, 128, 155, 255]);
      return bytes;
    case 2:
      return bytes.fill(random.below(256), at, at + length);
    case 3:
      return joined(bytes.subarray(0, at), bytes.subarray(at + length));
    case 4:
      return joined(
        bytes.subarray(0, at),
        Uint8Array.from({ length }, () => random.below(256)),
        bytes.subarray(at),
      );
    case 5:
      return bytes.slice(0, at);
    case 6: {
      const to = random.below(bytes.length);
      return joined(bytes.subarray(0, to), bytes.subarray(at, at + random.small(4096)), bytes.subarray(to));
    }
    case 7: {
      const theirs = other();
      const from = random.below(theirs.length);
      return joined(bytes.subarray(0, at), theirs.subarray(from, from + random.small(4096)), bytes.subarray(at + length));
    }
    default:
      for (let n = random.small(20); n >= 0; n--) bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
  }
}

const joined = (...pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

const WORDS = [
  0n,
  1n,
  2n,
  3n,
  254n,
  255n,
  65536n,
  65537n,
  1n << 20n,
  (1n << 20n) + 1n,
  (1n << 31n) - 1n,
  1n << 31n,
  (1n << 32n) - 1n,
  1n << 32n,
  (1n << 53n) - 1n,
  1n << 53n,
  (1n << 53n) + 1n,
  (1n << 63n) - 1n,
  1n << 63n,
  (1n << 64n) - 1n,
];

function word(random: Random): bigint {
  return random.chance(0.7) ? random.pick(WORDS) : BigInt(random.below(2 ** 31));
}

/** Sets 1, 2, 4 or 8 bytes to a number of note. */
function setWord(bytes: Uint8Array, at: number, size: number, value: bigint, little: boolean): void {
  for (let i = 0; i < size && at + i < bytes.length; i++)
    bytes[at + i] = Number((value >> BigInt(8 * (little ? i : size - 1 - i))) & 255n);
}

/** CPU profiles: words of 8 bytes, the list of mappings after them. */
export function mutateWords(given: Uint8Array, random: Random, other: () => Uint8Array): Uint8Array {
  const bytes = given.slice();
  const size = random.chance(0.9) ? 8 : 4;
  const words = Math.floor(bytes.length / size);
  if (words < 6) return mutateBytes(bytes, random, other);
  const at = random.chance(0.3) ? random.below(5) : random.below(words);
  switch (random.below(7)) {
    case 0:
      bytes.subarray(0, words * size).forEach((_, i) => {
        if (i % size === 0) bytes.subarray(i, i + size).reverse();
      });
      return bytes;
    case 1: {
      // The same words, each of half the size.
      const out = new Uint8Array(words * (size / 2));
      for (let i = 0; i < words; i++) out.set(bytes.subarray(i * size, i * size + size / 2), (i * size) / 2);
      return out;
    }
    case 2:
      return joined(bytes.subarray(0, at * size), bytes.subarray((at + random.between(1, 4)) * size));
    case 3: {
      const block = bytes.subarray(at * size, (at + random.between(1, 12)) * size);
      const times = random.small(random.chance(0.05) ? 3000 : 40);
      return joined(bytes.subarray(0, at * size), ...new Array<Uint8Array>(times).fill(block), bytes.subarray(at * size));
    }
    default:
      for (let n = random.small(4); n >= 0; n--)
        setWord(bytes, (n === 0 ? at : random.below(words)) * size, size, word(random), true);
      return bytes;
  }
}

/** ELF files: header fields, program headers, section headers, symbols and unwind tables, each field with numbers of note. */
export function mutateElf(given: Uint8Array, random: Random, other: () => Uint8Array): Uint8Array {
  if (given.length < 64 || random.chance(0.1)) return mutateBytes(given, random, other);
  const bytes = given.slice();
  const view = new DataView(bytes.buffer);
  const wide = bytes[4] === 2;
  const little = bytes[5] === 1;
  const u16 = (at: number) => view.getUint16(at, little);
  const offset = (at32: number, at64: number) => (wide ? Number(view.getBigUint64(at64, little)) : view.getUint32(at32, little));
  const sections = offset(32, 40);
  const sectionSize = wide ? 64 : 40;
  const sectionAt = sections + random.below(u16(wide ? 60 : 48)) * sectionSize;
  for (let n = random.small(6); n >= 0; n--) {
    const size = random.pick([1, 2, 4, 4, 8, 8]);
    const places = [
      random.below(64),
      offset(28, 32) + random.below(u16(wide ? 56 : 44) * (wide ? 56 : 32)),
      sectionAt + 4 * random.below(sectionSize / 4),
      sectionAt + (wide ? 8 : 4) * random.below(8),
      // In what the section holds.
      insideOf(view, sectionAt, wide, little, random),
      random.below(bytes.length),
    ];
    const at = random.pick(places);
    const value = random.chance(0.2) ? BigInt(random.below(bytes.length * 2)) : word(random);
    if (at >= 0 && at < bytes.length) setWord(bytes, at, size, value, little);
  }
  return random.chance(0.05) ? bytes.slice(0, random.below(bytes.length)) : bytes;
}

function insideOf(view: DataView, section: number, wide: boolean, little: boolean, random: Random): number {
  if (section < 0 || section + 64 > view.byteLength) return 0;
  const from = wide ? Number(view.getBigUint64(section + 24, little)) : view.getUint32(section + 16, little);
  const length = wide ? Number(view.getBigUint64(section + 32, little)) : view.getUint32(section + 20, little);
  // Unwind tables and symbols start with what matters most.
  return from + (random.chance(0.5) ? random.small(Math.min(length, 200)) : random.below(Math.min(length, 1 << 20)));
}
