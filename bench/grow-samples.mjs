// Grows a real CPU profile to any number of records: `node bench/grow-samples.mjs 1000000 OUT`. Stacks of the fixture, their two
// innermost addresses varied, so that nearly all are different and have their real depth.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const [count, out] = [Number(process.argv[2]), process.argv[3]];
const bytes = gunzipSync(readFileSync(new URL('../fixtures/gperftools/plug.prof.gz', import.meta.url)));
const records = [];
let at = 40;
for (; bytes.readBigUInt64LE(at) !== 0n; ) {
  const n = Number(bytes.readBigUInt64LE(at + 8));
  records.push(bytes.subarray(at, at + 16 + 8 * n));
  at += 16 + 8 * n;
}
let seed = 1;
const random = (n) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n;
const code = records[0].readBigUInt64LE(16) & ~0xfffn;
const file = openSync(out, 'w');
writeSync(file, bytes.subarray(0, 40));
for (let i = 0; i < count; i += 10_000) {
  const piece = Array.from({ length: Math.min(10_000, count - i) }, () => {
    const record = Buffer.from(records[random(records.length)]);
    for (const p of [16, 24]) if (p < record.length) record.writeBigUInt64LE(code + BigInt(random(0xa00)), p);
    return record;
  });
  writeSync(file, Buffer.concat(piece));
}
writeSync(file, bytes.subarray(at));
closeSync(file);
