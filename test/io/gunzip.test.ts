// Gzip data as the world writes them: several members, padding, other bytes behind them, cut anywhere. Node's gunzip is the reference.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { DEFAULT_LIMITS } from '../../src/base/limits.ts';
import { FormatError, type Problem } from '../../src/base/problem.ts';
import { openFolder } from '../../src/io/folder.ts';
import { detectLoader, loadProfile } from '../../src/io/load.ts';
import { gunzipChunks, UnpackBudget } from '../../src/io/sources/gunzip.ts';
import { openBytes } from '../../src/io/sources/source.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { long } from '../support/long.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpack(packed: Uint8Array, size: number, budget = new UnpackBudget()) {
  const pieces: Uint8Array[] = [];
  let found: { readonly isCut: boolean; readonly problem: Problem } | undefined;
  for await (const piece of gunzipChunks(inPieces(packed, size), 'x.gz', budget, (problem, isCut) => {
    found = { isCut, problem };
  }))
    pieces.push(Uint8Array.from(piece));
  return { text: Buffer.concat(pieces).toString('latin1'), found };
}

const LINES = Array.from({ length: 1500 }, (_, n) => `main;f${n % 71};g${(n * 7919) % 131} ${n}\n`).join('');
const [FIRST, SECOND] = [LINES.slice(0, 12_000), LINES.slice(12_000)];
/** A member with all optional fields of RFC 1952. */
const withFields = (text: string): Buffer => {
  const plain = gzipSync(text);
  const header = Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 3]);
  const fields = Buffer.concat([Buffer.from([3, 0, 1, 0, 2]), Buffer.from('name\0comment\0')]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc32(Buffer.concat([header, fields])) & 0xffff);
  return Buffer.concat([header, fields, checksum, plain.subarray(10)]);
};
const SIZES = [13, 512, 1 << 20];

test('members are read one after the other, in pieces of any size, with or without padding', async () => {
  for (const packed of [
    gzipSync(LINES),
    Buffer.concat([gzipSync(FIRST), gzipSync(SECOND)]),
    Buffer.concat([withFields(FIRST), gzipSync(''), withFields(SECOND)]),
    Buffer.concat([gzipSync(LINES), Buffer.alloc(700)]),
  ]) {
    assert.equal(gunzipSync(packed).toString('latin1'), LINES);
    for (const size of SIZES) assert.deepEqual(await unpack(packed, size), { text: LINES, found: undefined }, `${size}`);
  }
});

test('other bytes after the data leave the data whole', async () => {
  for (const behind of ['\n', 'x', 'a signature of 40 bytes and some more text', '\0\0\0rest'])
    for (const size of SIZES) {
      const { text, found } = await unpack(Buffer.concat([gzipSync(FIRST), gzipSync(SECOND), Buffer.from(behind)]), size);
      assert.equal(text, LINES);
      assert.equal(found?.isCut, false);
      assert.match(found?.problem.found ?? '', /other bytes after it/);
    }
});

test('data that end anywhere but at the end of a member are cut', async () => {
  const first = gzipSync(FIRST);
  const packed = Buffer.concat([first, gzipSync(SECOND)]);
  for (const length of [
    first.length - 9,
    first.length - 8,
    first.length - 1,
    first.length + 2,
    first.length + 9,
    packed.length - 1,
  ]) {
    const { text, found } = await unpack(packed.subarray(0, length), 1000);
    assert.equal(found?.isCut, true, `${length}`);
    assert.ok(LINES.startsWith(text) && text.length > 0, `${length}`);
  }
  assert.equal((await unpack(first, 1000)).found, undefined);
  const damaged = Buffer.from(packed);
  damaged[first.length - 6] ^= 1;
  assert.match((await unpack(damaged, 1000)).found?.problem.found ?? '', /incorrect data check/);
  await assert.rejects(unpack(packed.subarray(0, 14), 1000), FormatError);
});

test('compressed data of one profile share one budget', async () => {
  const budget = new UnpackBudget({ ...DEFAULT_LIMITS, expansion: 2 });
  const bomb = gzipSync(Buffer.alloc(100 << 20));
  await unpack(bomb, 1 << 20, budget);
  await unpack(bomb, 1 << 20, budget);
  await assert.rejects(unpack(bomb, 1 << 20, budget), /unpacks to more than 256/);
  const path = mkdtempSync(join(tmpdir(), 'proftui-'));
  for (const name of ['a', 'b', 'c']) writeFileSync(join(path, name), bomb);
  const folder = openFolder(path, new UnpackBudget());
  assert.equal(folder.read('a')?.length, 100 << 20);
  assert.equal(folder.read('b')?.length, 100 << 20);
  assert.throws(() => folder.read('c'), /unpacks to more than 256/);
});

const JUNIT = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><testsuite><testcase name="Größe – ü" time="1.5"/></testsuite>`;
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

test('a declared encoding and UTF-16 are decoded, compressed or not, in a file and in a folder', async () => {
  const latin = (text: string) => Buffer.from(text.replace('–', '\x96'), 'latin1');
  for (const bytes of [
    latin(JUNIT('windows-1252')),
    Buffer.from(JUNIT('utf-8')),
    Buffer.from('\ufeff' + JUNIT('UTF-16'), 'utf16le'),
    Buffer.from(JUNIT('UTF-16'), 'utf16le'),
    bigEndian('\ufeff' + JUNIT('UTF-16')),
    bigEndian(JUNIT('UTF-16BE')),
  ])
    for (const stored of [bytes, gzipSync(bytes)]) {
      const profile = await loadProfile(['junit.xml'], { bytes: stored });
      assert.ok(profile.kind === 'steps');
      assert.deepEqual(
        profile.steps.tests?.map((t) => [t.name, t.ms]),
        [['Größe – ü', 1500]],
      );
    }
  const perf = 'a 1 1.5: 1 cycles:\n\t10 main (/a)\n\n'.repeat(3);
  const shell = await loadProfile(['p.perf'], { bytes: Buffer.from(`\ufeff${perf}`, 'utf16le') });
  assert.equal(shell.kind, 'stacks');
});

test('bytes after the data are a warning of the profile', async () => {
  const folded = Buffer.concat([gzipSync(LINES), Buffer.from('trailing')]);
  const { warnings, cut } = await loadProfile(['x.folded.gz'], { bytes: folded });
  assert.equal(cut, undefined);
  assert.ok(warnings.some((w: Problem) => /other bytes/.test(w.found)));
  assert.equal((await openBytes(folded, 'x')).head.length, 4096);
});

long('every format says of a compressed file that it is cut', async () => {
  const byLoader = new Map<string, string>();
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(FIXTURES, name);
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > 300_000 || stat.size < 500) continue;
    const bytes = readMaybeGz(path);
    const loader = detectLoader(bytes.subarray(0, 4096), path);
    if (loader && !loader.loadFolder) byLoader.set(loader.name, byLoader.get(loader.name) ?? path);
  }
  assert.ok(byLoader.size >= 18, [...byLoader.keys()].join(' '));
  for (const [name, path] of byLoader) {
    const packed = gzipSync(readMaybeGz(path));
    for (const length of [packed.length - 8, packed.length - 20, Math.floor(packed.length * 0.6)]) {
      const loaded = await loadProfile([basename(path)], { bytes: packed.subarray(0, length), format: name }).catch(
        (error: unknown) => error,
      );
      const isTold =
        loaded instanceof FormatError || (typeof loaded === 'object' && loaded !== null && 'cut' in loaded && loaded.cut);
      assert.ok(isTold, `${path}, ${length} of ${packed.length} bytes`);
    }
  }
});
