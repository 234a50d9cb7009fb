// Numbers beyond 2^53, and ratios by zero.
import assert from 'node:assert/strict';
import test from 'node:test';
import { deriveEvent } from '../../src/analysis/answers/events.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { costsByName } from '../../src/columns/costs.ts';
import { exporterForPath } from '../../src/exports/index.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { changes } from '../../src/reports/builds/changes.ts';
import { flame } from '../../src/reports/flame.ts';
import { tree } from '../../src/reports/tree.ts';
import { loadText } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';

const program = (cost: bigint) => loadText(callgrind, `events: Ir Dr\nfl=a.c\nfn=main\n1 ${cost} 0\nfn=other\n2 5 0\n`);

test('one more than 2^60 is a change', async () => {
  const both = compareProfiles(await program(2n ** 60n + 2n), await program(2n ** 60n + 1n), PLAINLY);
  const context = contextOf(both);
  assert.equal([...changes.records(context)].length, 1);
  const out: string[] = [];
  await changes.write('text', context, '0', async (text) => {
    out.push(text);
  });
  assert.match(out.join(''), /1 cost more, 0 cost less/);
});

test('Tree, Flame and exported stacks are as exact as Routines', async () => {
  const cost = 2n ** 53n + 1n;
  const profile = await loadText(
    callgrind,
    `events: Ir\nfl=a.c\nfn=leaf\n1 ${cost}\nfn=main\n2 ${cost}\ncfn=leaf\ncalls=1 1\n3 ${cost}\n`,
  );
  const context = { ...contextOf(profile), routine: undefined };
  for (const report of [tree, flame]) {
    const out: string[] = [];
    await report.write('json', context, '0', async (text) => void out.push(text));
    const [main, leaf] = JSON.parse(out.join('')).rows;
    assert.deepEqual([main.inclusive.Ir, main.self.Ir, leaf.self.Ir], [`${2n * cost}`, `${cost}`, `${cost}`]);
  }
  const folded: string[] = [];
  await exporterForPath('x.folded')?.write(context, '0', async (piece) => void folded.push(piece.toString()));
  assert.deepEqual(folded.join('').trim().split('\n').slice(1), [`main ${cost}`, `main;leaf ${cost}`]);
});

test('a ratio by zero is null', async () => {
  const { analysis } = contextOf(await program(7n));
  assert.deepEqual(costsByName([deriveEvent('R=Ir/Dr', analysis.events)], analysis.totals.self, 0), { R: null });
});
