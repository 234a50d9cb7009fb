// CPU profiles of gperftools for tests: read and written, 64 bit, little endian.

export interface Recorded {
  readonly count: number;
  /** Raw addresses, the innermost first. */
  readonly pcs: readonly bigint[];
}

/** The records of a profile and the text after them. */
export function readRecords(bytes: Buffer): { records: Recorded[]; text: string } {
  const records: Recorded[] = [];
  for (let at = 40; ; ) {
    const [count, length] = [Number(bytes.readBigUInt64LE(at)), Number(bytes.readBigUInt64LE(at + 8))];
    const pcs = Array.from({ length }, (_, i) => bytes.readBigUInt64LE(at + 16 + 8 * i));
    at += 16 + 8 * length;
    if (count === 0) return { records, text: bytes.toString('latin1', at) };
    records.push({ count, pcs });
  }
}

export function writeRecords(records: readonly Recorded[], text: string, version = 0): Buffer {
  const words = [0, 3, version, 4000, 0, ...records.flatMap((r) => [r.count, r.pcs.length, ...r.pcs]), 0, 1, 0].map(BigInt);
  return Buffer.concat([Buffer.from(BigUint64Array.from(words).buffer), Buffer.from(text, 'latin1')]);
}
