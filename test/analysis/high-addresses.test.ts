// Addresses of a kernel, beyond 2^53: the gap between two instructions is exact, and neighbours have keys of their own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { pairKey } from '../../src/analysis/answers/lines.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { reports } from '../../src/reports/index.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';

for (const base of [0x401000n, 0xffffffff8158e000n])
  test(`gaps between instructions at 0x${base.toString(16)}`, async () => {
    const lines = [0x3e0n, 0x3e4n, 0x3e9n, 0x7f0n, 0x7f4n].map((at, k) => `0x${(base + at).toString(16)} ${k + 1} ${k + 1}`);
    const profile = await loadText(callgrind, `positions: instr line\nevents: Ir\nfn=walk\n${lines.join('\n')}\n`);
    const texts: string[] = [];
    await reports
      .find((r) => r.name === 'instrs')
      ?.write('text', contextOf(profile), '0', async (piece) => {
        texts.push(piece);
      });
    const [gap, ...more] = texts.join('').match(/[\d,]+ bytes to/g) ?? [];
    assert.equal(gap, `${(0x7f0 - 0x3e9).toLocaleString('en')} bytes to`);
    assert.deepEqual(more, []);
  });

test('keys of addresses differ where the addresses do', () => {
  const keys = [0x1fffff, 0x200000, 0xffffffff].flatMap((high) =>
    [0, 1, 2, 0x8158e3e0, 0x8158e3e4].map((low) => pairKey(high, low)),
  );
  assert.equal(new Set(keys).size, 15);
  assert.equal(pairKey(3, 5), 3 * 2 ** 32 + 5);
});
