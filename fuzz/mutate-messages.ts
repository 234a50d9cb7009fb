// Protocol buffers: fields taken away, doubled and exchanged, and numbers of note and other texts in them, with lengths that fit.
import type { Random } from './random.ts';

interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** Fields of a message; undefined if the bytes are none. */
function fieldsOf(bytes: Uint8Array): Field[] | undefined {
  const out: Field[] = [];
  let at = 0;
  const varint = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; at < bytes.length && shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if (tag === undefined || value === undefined || ![0n, 2n].includes(tag & 7n)) return undefined;
    const number = Number(tag >> 3n);
    if ((tag & 7n) === 0n) out.push({ number, value });
    else {
      if (at + Number(value) > bytes.length) return undefined;
      out.push({ number, value: bytes.slice(at, at + Number(value)) });
      at += Number(value);
    }
  }
  return out;
}

function bytesOf(fields: readonly Field[]): Uint8Array {
  const out: number[] = [];
  const varint = (value: bigint) => {
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
    out.push(Number(rest));
  };
  for (const { number, value } of fields) {
    varint(BigInt(number * 8 + (typeof value === 'bigint' ? 0 : 2)));
    if (typeof value === 'bigint') varint(value);
    else {
      varint(BigInt(value.length));
      for (const byte of value) out.push(byte);
    }
  }
  return Uint8Array.from(out);
}

/** What there is of the samples (field 2), so that `most` bytes remain: all else is needed by those that stay. */
export function fewerMessages(bytes: Uint8Array, most: number, random: Random): Uint8Array {
  const fields = fieldsOf(bytes) ?? [];
  const size = (f: Field) => (typeof f.value === 'bigint' ? 2 : f.value.length + 2);
  const all = fields.filter((f) => f.number === 2).reduce((n, f) => n + size(f), 0);
  const share = Math.min(1, most / Math.max(1, all));
  return bytesOf(fields.filter((f) => f.number !== 2 || random.chance(share)));
}

/** Numbers of note, and small ones, which refer to other parts of the file. */
function numberOf(random: Random, was: bigint): bigint {
  // Most files have parts of these numbers, so what refers to them can still be read.
  if (random.chance(0.8)) return BigInt(random.between(1, 6));
  switch (random.below(6)) {
    case 0:
      return 0n;
    case 1:
      return was + 1n;
    case 2:
      return random.pick([-1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]);
    default:
      return BigInt(random.below(40));
  }
}

/** `text`: what takes the place of a text. `deep`: how far into messages that are fields of others. */
export function mutateMessages(given: Uint8Array, random: Random, text: () => Uint8Array, deep = 0): Uint8Array {
  const fields = fieldsOf(given);
  if (!fields || fields.length === 0) return deep > 0 ? text() : given;
  for (let n = random.chance(0.25) ? random.small(3) : 0; n >= 0; n--) {
    const at = random.below(fields.length);
    const { number, value } = fields[at];
    switch (deep > 0 ? 5 : random.below(16)) {
      case 0:
        // Samples: what is left out of the others, something refers to.
        if (fields.length > 1 && (number === 2 || random.chance(0.2))) fields.splice(at, 1);
        break;
      case 1:
        if (number === 1 && random.chance(0.9)) break;
        fields.splice(random.below(fields.length), 0, ...new Array<Field>(random.small(30)).fill(fields[at]));
        break;
      case 2: {
        if (number === 6 && random.chance(0.8)) break;
        const other = random.below(fields.length);
        [fields[at], fields[other]] = [fields[other], fields[at]];
        break;
      }
      default:
        fields[at] = { number, value: changed(value, random, text, deep) };
    }
  }
  return bytesOf(fields);
}

function changed(value: bigint | Uint8Array, random: Random, text: () => Uint8Array, deep: number): bigint | Uint8Array {
  if (typeof value === 'bigint') return numberOf(random, value);
  return deep < 3 && random.chance(0.8) ? mutateMessages(value, random, text, deep + 1) : text();
}
