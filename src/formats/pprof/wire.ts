// Reads the wire format of protocol buffers, as far as pprof needs it: fields with numbers, whose values are varints or bytes.
// https://protobuf.dev/programming-guides/encoding/

export const VARINT = 0;
const FIXED64 = 1;
export const BYTES = 2;
const FIXED32 = 5;

/** Thrown if the bytes are not a valid message. `at`: offset of the problem. */
export class WireError extends Error {
  constructor(
    readonly at: number,
    readonly expected: string,
    found: string,
  ) {
    super(found);
  }
}

/** Reads the fields of a message. After each next(), `field`, `type` and the value describe the current field. */
export class WireReader {
  field = 0;
  type = 0;
  /** The lower and upper half of a varint. */
  low = 0;
  high = 0;
  /** The byte range [from, to) of a field's value. */
  from = 0;
  to = 0;

  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
    readonly end: number,
  ) {}

  /** Reads a field; false at the end, or at an incomplete field, where `at` is its start. Throws WireError for invalid bytes. */
  next(): boolean {
    const start = this.at;
    if (start >= this.end) return false;
    if (!this.readVarint()) return this.rewindTo(start);
    const tag = this.low;
    this.field = tag >>> 3;
    this.type = tag & 7;
    if (this.high !== 0 || this.field === 0) throw new WireError(start, 'the number of a field', `the number ${tag}`);
    if (this.type === VARINT) return this.readVarint() || this.rewindTo(start);
    if (this.type === BYTES) {
      if (!this.readVarint()) return this.rewindTo(start);
      if (this.high !== 0) throw new WireError(start, 'a field that fits in memory', 'one of more than 4 GiB');
      // Set the range even if the field is incomplete: checkOpenField() needs its length.
      this.from = this.at;
      this.to = this.at + this.low;
    } else if (this.type !== FIXED64 && this.type !== FIXED32)
      throw new WireError(start, 'a field of type 0, 1, 2 or 5', `type ${this.type}`);
    const to = this.type === BYTES ? this.to : this.at + (this.type === FIXED64 ? 8 : 4);
    if (to > this.end) return this.rewindTo(start);
    this.at = to;
    return true;
  }

  private rewindTo(start: number): false {
    this.at = start;
    return false;
  }

  /** Reads a varint into `low` and `high`; false if the bytes end within it. Throws WireError beyond ten bytes. */
  readVarint(): boolean {
    const { bytes, end } = this;
    let { at } = this;
    if (at >= end) return false;
    let byte = bytes[at++];
    if (byte < 128) {
      this.low = byte;
      this.high = 0;
      this.at = at;
      return true;
    }
    let low = byte & 127;
    let high = 0;
    for (let shift = 7; ; shift += 7) {
      if (at >= end) return false;
      byte = bytes[at++];
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) break;
      if (shift >= 63) throw new WireError(this.at, 'a number of at most ten bytes', 'a longer one');
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
    this.at = at;
    return true;
  }

  get unsigned(): number | bigint {
    return this.high < 0x200000 ? this.high * 2 ** 32 + this.low : (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** The last varint as an int64. */
  get signed(): number | bigint {
    const { high, low } = this;
    if (high < 0x200000) return high * 2 ** 32 + low;
    const whole = ((high | 0) >= 0 ? high : high - 2 ** 32) * 2 ** 32 + low;
    return Number.isSafeInteger(whole) ? whole : BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
  }

  message(): WireReader {
    return new WireReader(this.bytes, this.from, this.to);
  }

  /** Calls `each` for every number of a repeated field, packed or not. */
  forEachNumber(each: (wire: WireReader) => void): void {
    if (this.type === VARINT) return each(this);
    if (this.type !== BYTES) throw new WireError(this.at, 'numbers', `a field of type ${this.type}`);
    const packed = this.message();
    while (packed.at < packed.end) {
      if (!packed.readVarint()) throw new WireError(packed.at, 'a number', 'the end of the list inside it');
      each(packed);
    }
  }

  /** The number in the current field. Throws WireError if the field is not a varint. */
  readNumber(): number | bigint {
    if (this.type !== VARINT) throw new WireError(this.at, `a number as field ${this.field}`, `a field of type ${this.type}`);
    return this.signed;
  }
}

/** Calls `each` for every field of a complete message. */
export function forEachField(wire: WireReader, each: (wire: WireReader) => void): void {
  while (wire.next()) each(wire);
  if (wire.at < wire.end) throw new WireError(wire.at, 'a whole field', 'the end of the message inside it');
}
