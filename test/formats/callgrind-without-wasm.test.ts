// Where WebAssembly does not start, as under `ulimit -v`, the scanner reads everything.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { digestPiece, type FilePiece } from '../../src/formats/callgrind/digest.ts';
import { load } from '../../src/formats/callgrind/index.ts';
import { Sink } from '../../src/model/sink.ts';
import { dumpProfile } from '../support/dump.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';

test('without WebAssembly a profile is the same, with threads and without', async (t) => {
  t.mock.method(WebAssembly, 'Instance', () => {
    throw new RangeError('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance');
  });
  const bytes = readMaybeGz(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const run = async (input: unknown) => digestPiece(input as FilePiece).result;
  const dumps = [];
  for (const threads of [undefined, { count: 2, run }]) {
    const sink = new Sink();
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 1 << 14) yield bytes.subarray(at, at + (1 << 14));
    }
    const source = { path: 'test', size: bytes.length, chunks, ...(threads ? { threads } : {}) };
    await load(source, sink, new AbortController().signal, { threadsFromBytes: 1, scannerOnly: false });
    dumps.push([...dumpProfile(sink.finish('callgrind'))].join('\n'));
  }
  assert.ok(dumps[0].length > 100_000);
  assert.equal(dumps[0], dumps[1]);
});
