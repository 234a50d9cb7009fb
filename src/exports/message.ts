// Writes protocol buffers, as far as pprof needs them.
import { enlarged } from '../model/column.ts';

const VARINT = 0;
const BYTES = 2;

/** A message that is being written. Fields that are 0 or empty are left out, as the format wants it. */
export class Message {
  private bytes = new Uint8Array(256);
  private used = 0;

  get length(): number {
    return this.used;
  }

  /** The written message; the next one starts empty. */
  take(): Uint8Array<ArrayBuffer> {
    const out = this.bytes.slice(0, this.used);
    this.used = 0;
    return out;
  }

  private room(more: number): void {
    const wanted = this.used + more;
    if (wanted > this.bytes.length) this.bytes = enlarged(this.bytes, Math.max(2 * this.bytes.length, wanted), this.used);
  }

  varint(value: number | bigint): void {
    this.room(10);
    let rest: number | bigint =
      typeof value === 'number' && value >= 0 && value < 2 ** 53 ? value : BigInt.asUintN(64, BigInt(value));
    while (typeof rest === 'bigint' ? rest > 127n : rest > 127) {
      this.bytes[this.used++] = (typeof rest === 'bigint' ? Number(rest & 127n) : rest % 128) | 128;
      rest = typeof rest === 'bigint' ? rest >> 7n : Math.floor(rest / 128);
    }
    this.bytes[this.used++] = Number(rest);
  }

  number(field: number, value: number | bigint): void {
    if (value === 0 || value === 0n) return;
    this.varint(field * 8 + VARINT);
    this.varint(value);
  }

  /** Fields 1, 2 and so on. */
  fields(...values: readonly (number | bigint)[]): void {
    for (const [i, value] of values.entries()) this.number(i + 1, value);
  }

  data(field: number, value: Uint8Array): void {
    this.varint(field * 8 + BYTES);
    this.varint(value.length);
    this.room(value.length);
    this.bytes.set(value, this.used);
    this.used += value.length;
  }

  message(field: number, value: Message): void {
    this.data(field, value.bytes.subarray(0, value.used));
    value.used = 0;
  }

  /** A packed list. */
  numbers(field: number, values: Iterable<number | bigint>): void {
    for (const value of values) SCRATCH.varint(value);
    if (SCRATCH.used > 0) this.message(field, SCRATCH);
  }
}

const SCRATCH = new Message();
