// --print routine: all events of one routine, against the rows of --print routines and the sums of parts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { panelRows } from '../../src/app/panels.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { runWarm } from '../support/warm.ts';

type Costs = Readonly<Record<string, number>>;
interface Listed {
  readonly routine: string;
  readonly self: Costs;
  readonly inclusive: Costs;
  readonly calls: number;
  readonly base?: { readonly self: Costs };
}
interface Row {
  readonly part: string | null;
  readonly event: string;
  readonly self: number;
  readonly inclusive: number;
  readonly base?: { readonly self: number };
}
const rowsOf = <T>(...args: string[]): T[] => {
  const { code, out, err } = runWarm([...args, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out).rows;
};

for (const file of [
  'callgrind/combined-threads-parts.callgrind.out.gz',
  'callgrind/cache-branch.callgrind.out.gz',
  'pprof/heap.pb.gz',
])
  test(`the events of the hottest routines of ${file}`, () => {
    const path = join(FIXTURES, file);
    for (const of of rowsOf<Listed>(path, '--print', 'routines', '--sort', 'inclusive').slice(0, 3)) {
      const rows = rowsOf<Row>(path, '--print', 'routine', '--routine', of.routine);
      const all = rows.filter(({ part }) => part === null);
      assert.deepEqual(Object.fromEntries(all.map(({ event, self }) => [event, self])), of.self);
      assert.deepEqual(Object.fromEntries(all.map(({ event, inclusive }) => [event, inclusive])), of.inclusive);
      for (const word of ['part', 'thread']) {
        const some = rows.filter(({ part, event }) => part?.startsWith(word) && event === all[0].event);
        if (some.length > 0)
          assert.equal(
            some.reduce((sum, { self }) => sum + self, 0),
            all[0].self,
            word,
          );
      }
    }
  });

test('both runs of a comparison', () => {
  const [base, now] = ['v1', 'v2'].map((of) => join(FIXTURES, `compare/${of}/shop.callgrind.out.gz`));
  const listed = rowsOf<Listed>('--base', base, now, '--print', 'routines').find(({ routine }) => routine.startsWith('score('));
  const rows = rowsOf<Row>('--base', base, now, '--print', 'routine', '--routine', 'score');
  assert.ok(rows.length > 5);
  for (const { event, self, base: before } of rows)
    assert.deepEqual([self, before?.self], [listed?.self[event], listed?.base?.self[event]], event);
});

test('the routine has to be named', () => {
  const { code, err } = runWarm([join(FIXTURES, 'callgrind/args.callgrind.out'), '--print', 'routine']);
  assert.equal(code, 2);
  assert.match(err, /--print routine needs --routine NAME/);
  const other = runWarm([
    join(FIXTURES, 'callgrind/args.callgrind.out'),
    '--print',
    'routine',
    '--routine',
    'main',
    '--event',
    'Ir',
  ]);
  assert.equal(other.code, 2);
  assert.match(other.err, /--event: routine has all of them side by side/);
});

test('the menu of events has all events of the routine under the cursor, as --print routine', async () => {
  const path = join(FIXTURES, 'callgrind/cache-branch.callgrind.out.gz');
  const p = play(await loadProfile([path]), { width: 100, height: 40 });
  p.press('routines');
  for (const of of rowsOf<Listed>(path, '--print', 'routines').slice(0, 4)) {
    const rows = panelRows(p.press('v').state).filter(({ action }) => action?.type === 'event');
    const shown = rows.map(({ cells }) => ['self', 'inclusive'].map((what) => Number(cells[what].replace(/[,≈]/g, ''))));
    assert.deepEqual(
      shown,
      Object.keys(of.self).map((event) => [of.self[event], of.inclusive[event]]),
    );
    p.press('esc', 'down');
  }
});
