// Where routines start, for lines whose texts are not at hand.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { firstLines } from '../../../src/analysis/answers/compared/lines-of-files.ts';
import { loadProfile } from '../../../src/io/load.ts';

const startsOf = async (...texts: string[]): Promise<number[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-starts-'));
  try {
    const paths = texts.map((_, i) => join(folder, `callgrind.out.1.${i + 1}`));
    texts.forEach((text, i) => {
      writeFileSync(paths[i], text);
    });
    return [...firstLines(await loadProfile(paths))];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test('without addresses, a routine starts at its first row: what is inlined into it may stand further up', async () => {
  assert.deepEqual(await startsOf('events: Ir\nfl=a.c\nfn=main\n20 7\n5 100\n+16 1\nfn=f\n0 1\n9 1\n8 1\n'), [20, 9]);
});

test('of parts, one that begins inside the routine has its first row further down', async () => {
  const part = (number: number, rows: string) => `pid: 1\npart: ${number}\nevents: Ir\nfl=a.c\nfn=main\n${rows}`;
  assert.deepEqual(await startsOf(part(1, '20 7\n25 1\n5 9\n'), part(2, '25 6\n6 1\n')), [20]);
});

test('with addresses, a routine starts at its first instruction', async () => {
  assert.deepEqual(await startsOf('positions: instr line\nevents: Ir\nfl=a.c\nfn=main\n0x20 5 1\n0x10 20 1\n'), [20]);
});
