// Writes Protocol Buffers messages, only the parts that pprof needs.
import { growColumn } from '../model/column.ts';

const VARINT_TYPE = 0;
const BYTES_TYPE = 2;

/** A message under construction. Number fields of 0 and empty lists are left out, as the format requires. */
export class ProtoMessage {
  private bytes = new Uint8Array(256);
  private used = 0;

  get length(): number {
    return this.used;
  }

  /** Returns the written message and empties the buffer for the next one. */
  takeBytes(): Uint8Array<ArrayBuffer> {
    const out = this.bytes.slice(0, this.used);
    this.used = 0;
    return out;
  }

  private ensureCapacity(byteCount: number): void {
    const wanted = this.used + byteCount;
    if (wanted > this.bytes.length) this.bytes = growColumn(this.bytes, Math.max(2 * this.bytes.length, wanted), this.used);
  }

  writeVarint(value: number | bigint): void {
    this.ensureCapacity(10);
    let rest: number | bigint =
      typeof value === 'number' && value >= 0 && value < 2 ** 53 ? value : BigInt.asUintN(64, BigInt(value));
    while (typeof rest === 'bigint' ? rest > 127n : rest > 127) {
      this.bytes[this.used++] = (typeof rest === 'bigint' ? Number(rest & 127n) : rest % 128) | 128;
      rest = typeof rest === 'bigint' ? rest >> 7n : Math.floor(rest / 128);
    }
    this.bytes[this.used++] = Number(rest);
  }

  writeNumber(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.writeVarint(field * 8 + VARINT_TYPE);
    this.writeVarint(value);
  }

  /** Writes fields 1, 2, 3 … with these values. */
  writeNumbers(...values: readonly (number | bigint)[]): void {
    for (const [i, value] of values.entries()) this.writeNumber(i + 1, value);
  }

  writeBytes(field: number, value: Uint8Array): void {
    this.writeVarint(field * 8 + BYTES_TYPE);
    this.writeVarint(value.length);
    this.append(value);
  }

  /** Appends fields that are already encoded. */
  append(value: Uint8Array): void {
    this.ensureCapacity(value.length);
    this.bytes.set(value, this.used);
    this.used += value.length;
  }

  writeMessage(field: number, value: ProtoMessage): void {
    this.writeBytes(field, value.bytes.subarray(0, value.used));
    value.used = 0;
  }

  /** Writes a list of numbers in packed form. */
  writePacked(field: number, values: Iterable<number | bigint>): void {
    for (const value of values) SCRATCH_MESSAGE.writeVarint(value);
    if (SCRATCH_MESSAGE.used > 0) this.writeMessage(field, SCRATCH_MESSAGE);
  }
}

const SCRATCH_MESSAGE = new ProtoMessage();
