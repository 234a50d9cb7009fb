// Writes Protocol Buffers messages, only the parts that pprof needs.
import { growTo } from '../model/column.ts';

const VARINT = 0;
const BYTES = 2;

/** A message under construction. Number fields of 0 and empty lists are left out, as the format requires. */
export class ProtoMessage {
  private bytes = new Uint8Array(256);
  private used = 0;

  get length(): number {
    return this.used;
  }

  /** The written message; the next one starts empty. */
  takeBytes(): Uint8Array<ArrayBuffer> {
    const out = this.bytes.slice(0, this.used);
    this.used = 0;
    return out;
  }

  private ensureCapacity(byteCount: number): void {
    const wanted = this.used + byteCount;
    if (wanted > this.bytes.length) this.bytes = growTo(this.bytes, Math.max(2 * this.bytes.length, wanted), this.used);
  }

  varint(value: number | bigint): void {
    this.ensureCapacity(10);
    let rest: number | bigint =
      typeof value === 'number' && value >= 0 && value < 2 ** 53 ? value : BigInt.asUintN(64, BigInt(value));
    while (typeof rest === 'bigint' ? rest > 127n : rest > 127) {
      this.bytes[this.used++] = (typeof rest === 'bigint' ? Number(rest & 127n) : rest % 128) | 128;
      rest = typeof rest === 'bigint' ? rest >> 7n : Math.floor(rest / 128);
    }
    this.bytes[this.used++] = Number(rest);
  }

  numberField(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.varint(field * 8 + VARINT);
    this.varint(value);
  }

  /** Writes fields 1, 2, 3 … with these values. */
  numberFields(...values: readonly (number | bigint)[]): void {
    for (const [i, value] of values.entries()) this.numberField(i + 1, value);
  }

  bytesField(field: number, value: Uint8Array): void {
    this.varint(field * 8 + BYTES);
    this.varint(value.length);
    this.ensureCapacity(value.length);
    this.bytes.set(value, this.used);
    this.used += value.length;
  }

  messageField(field: number, value: ProtoMessage): void {
    this.bytesField(field, value.bytes.subarray(0, value.used));
    value.used = 0;
  }

  /** A packed list. */
  packedField(field: number, values: Iterable<number | bigint>): void {
    for (const value of values) SCRATCH.varint(value);
    if (SCRATCH.used > 0) this.messageField(field, SCRATCH);
  }
}

const SCRATCH = new ProtoMessage();
