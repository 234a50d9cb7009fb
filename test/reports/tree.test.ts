// A tree that is unfolded from a call graph ends somewhere: where it costs least, and the report says where.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import { tree } from '../../src/reports/tree.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';
import { contextOf } from '../support/reports.ts';

interface Row {
  readonly id: number;
  readonly parent: number | null;
  readonly inclusive: { readonly Ir: number };
  readonly closed?: true;
}

/** Routines that all call each other, one less than the last: the tree of it has no end. */
function entangled(routines: number): string {
  const lines = ['events: Ir', 'fn=main', '1 1'];
  const call = (k: number, cost: number) => [`cfn=r${k}`, 'calls=1 1', `2 ${cost}`];
  for (let k = 0; k < routines; k++) lines.push(...call(k, 1_000_000 * (k + 1)));
  for (let k = 0; k < routines; k++) {
    lines.push(`fn=r${k}`, `1 ${1_000_000 * (k + 1)}`);
    for (let other = 0; other < routines; other++) if (other !== k) lines.push(...call(other, 1_000_000));
  }
  return `${lines.join('\n')}\n`;
}

test('a circle that nothing enters, and that costs nothing itself, is shown once', async () => {
  // What is left of a cut text of gprof: two routines that call each other, and 800 ms that go round.
  const context = contextOf(await loadProfile([join(FIXTURES, 'finds/gprof.text.screen-routines-nan')], { format: 'gprof' }));
  let out = '';
  await tree.write('json', { ...context, routine: 1, threshold: 0, limit: Number.POSITIVE_INFINITY }, '0', async (text) => {
    out += text;
  });
  const rows: readonly { readonly parent: number | null; readonly inclusive: { readonly time: number } }[] = JSON.parse(out).rows;
  assert.deepEqual(
    rows.map(({ parent, inclusive }) => [parent, inclusive.time]),
    [
      [null, 800_000],
      [0, 800_000],
      [1, 800_000],
    ],
  );
});

long('of more nodes than are unfolded, those that cost most are', async () => {
  const context = contextOf(await loadText(callgrind, entangled(12)));
  let out = '';
  await tree.write('json', { ...context, threshold: 0, limit: Number.POSITIVE_INFINITY }, '0', async (text) => {
    out += text;
  });
  const rows: readonly Row[] = JSON.parse(out).rows;
  assert.ok(rows.length >= 100_000 && rows.length < 101_000, `${rows.length} rows`);
  const closed = rows.filter((row) => row.closed);
  assert.ok(closed.length > 0);
  const opened = new Set(rows.map((row) => row.parent));
  const least = rows.reduce((min, row) => (opened.has(row.id) ? Math.min(min, row.inclusive.Ir) : min), Number.POSITIVE_INFINITY);
  // Costs of estimates are rounded in rows.
  for (const row of closed) assert.ok(row.inclusive.Ir <= least + 1, `${row.inclusive.Ir}, but ${least} is unfolded`);
});

test('a ratio with divisor 0 is unknown in the tree, as it is in routines', async () => {
  const profile = await loadText(callgrind, 'events: A B\nfn=main\n1 4 0\ncfn=f\ncalls=1 2\n1 6 3\nfn=f\n2 6 3\n');
  const plain = contextOf(profile);
  const ratio = allEvents(profile.events, ['r=A/B']);
  const context = { ...plain, analysis: analyse(profile, ratio), routine: undefined };
  const self = async (name: string) => {
    let text = '';
    await reports.find((r) => r.name === name)?.write('json', context, '0', async (piece) => void (text += piece));
    const rows: { routine: string; self: { r: number | null } }[] = JSON.parse(text).rows;
    return new Map(rows.map((row) => [row.routine, row.self.r]));
  };
  const [tree, routines] = [await self('tree'), await self('routines')];
  assert.deepEqual([...tree].sort(), [...routines].sort());
  assert.equal(tree.get('main'), null);
  assert.equal(tree.get('f'), 2);
});
