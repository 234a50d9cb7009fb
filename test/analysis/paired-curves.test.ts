// Curves of two runs side by side: routines by name, contexts by path, points by size, each of both runs once.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/analysis.ts';
import { sameRoutine } from '../../src/analysis/inputs/laws.ts';
import { contextPair, pairedContexts, pairedPoints, pairSizes, routinePair, stateOf } from '../../src/analysis/inputs/paired.ts';
import { NO_POINTS } from '../../src/analysis/inputs/points.ts';
import { routineName } from '../../src/analysis/names.ts';
import { aprof } from '../../src/formats/aprof/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { aprofReport, type Called } from '../support/aprof.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

type Run = Analysis<'inputs'>;
const runOf = async (...roots: Called[]) => analysisOf(await loadText(aprof, aprofReport(roots)), 'inputs');
const open = async (name: string) => analysisOf(await loadProfile([join(FIXTURES, 'aprof', name)]), 'inputs');

/** A context by the names of its routines from the root, `main/sort`. */
function pathOf(run: Run, context: number): string {
  const { profile } = run;
  const { contexts } = profile;
  if (!contexts || context < 0) return '';
  const name = routineName(profile, contexts.routine[context]);
  return contexts.parent[context] < 0 ? name : `${pathOf(run, contexts.parent[context])}/${name}`;
}

const sizes = (list: readonly number[]) => ({ ...NO_POINTS, size: Float64Array.from(list) });

test('sizes of two curves stand in one list, each once', () => {
  const paired = pairSizes(sizes([1, 3, 4, 9]), sizes([2, 3, 9, 10]));
  assert.deepEqual(Array.from(paired.size), [1, 2, 3, 4, 9, 10]);
  assert.deepEqual(Array.from(paired.now), [0, -1, 1, 2, 3, -1]);
  assert.deepEqual(Array.from(paired.before), [-1, 0, 1, -1, 2, 3]);
  const states = Array.from(paired.size.keys(), (row) => stateOf(paired, row));
  assert.deepEqual(states, ['new', 'gone', 'both', 'new', 'both', 'gone']);
  assert.equal(pairSizes(NO_POINTS, NO_POINTS).size.length, 0);
  assert.deepEqual(Array.from(pairSizes(sizes([5]), NO_POINTS).before), [-1]);
});

test('contexts are matched by the routines from the root down, those of one path in order', async () => {
  const leaf = (name: string): Called => ({ name, points: [[1, 1]] });
  const now = await runOf(
    { name: 'main', calls: [{ name: 'a', calls: [leaf('sort')] }, leaf('sort'), { name: 'fresh', calls: [leaf('sort')] }] },
    { name: 'main', calls: [leaf('sort')] },
  );
  const base = await runOf(
    { name: 'main', calls: [leaf('sort'), { name: 'a', calls: [leaf('sort'), leaf('old')] }] },
    { name: 'main', calls: [leaf('sort')] },
  );
  const { of, gone } = pairedContexts(now, base);
  assert.deepEqual(
    Array.from(of, (b, c) => [pathOf(now, c), pathOf(base, b)]),
    [
      ['main', 'main'],
      ['main/a', 'main/a'],
      ['main/a/sort', 'main/a/sort'],
      ['main/sort', 'main/sort'],
      ['main/fresh', ''],
      // What is below a new context is new, though routines of these names are called elsewhere.
      ['main/fresh/sort', ''],
      ['main', 'main'],
      ['main/sort', 'main/sort'],
    ],
  );
  assert.deepEqual(
    gone.map((c) => pathOf(base, c)),
    ['main/a/old'],
  );
  // Each at most once: the second main is the second main.
  const paired = Array.from(of).filter((b) => b >= 0);
  assert.equal(new Set(paired).size, paired.length);
  assert.equal(of[6], Array.from(base.profile.contexts?.parent ?? []).lastIndexOf(-1));
});

test('of routines of one name, no two have the same one before', async () => {
  const both = (cost: number) =>
    runOf(
      { name: 'first', object: '/usr/lib/x.so', points: [[1, cost]] },
      { name: 'first', object: '/opt/x.so', points: [[1, cost]] },
    );
  const [now, base] = [await both(5), await both(50)];
  const named = Array.from(now.profile.routines.name.keys()).filter((r) => routineName(now.profile, r) === 'first');
  assert.equal(named.length, 2);
  const same = named.map((r) => sameRoutine(now, r, base));
  assert.ok(same[0] >= 0 && same[1] >= 0 && same[0] !== same[1], String(same));
});

/** All points of a run as text, with the routine or the path they belong to. */
function* pointsIn(run: Run, side: 'now' | 'before', base: Run, byContext: boolean): Generator<string> {
  for (const pair of pairedPoints(...(side === 'now' ? ([run, base] as const) : ([base, run] as const)), byContext)) {
    const curve = pair[side];
    const [routine, context] = side === 'now' ? [pair.routine, pair.context] : [pair.routineBefore, pair.contextBefore];
    for (const row of pair.sizes[side])
      if (row >= 0) yield [routine, context, curve.size[row], curve.calls?.[row], curve.sum?.[row]].join(' ');
  }
}

for (const byContext of [false, true])
  test(`each point of both runs stands once, by ${byContext ? 'context' : 'routine'}`, async () => {
    const [now, base] = [await open('matrix-cct/matrix_29657_0_4.aprof.gz'), await open('sorts-cct/sorts_29653_0_4.aprof.gz')];
    // A run against itself has them all, in the same rows.
    for (const run of [now, base]) {
      const alone = Array.from(pointsIn(run, 'now', run, byContext));
      assert.ok(alone.length > 100);
      assert.deepEqual(Array.from(pointsIn(run, 'before', run, byContext)), alone);
      for (const { now: a, before: b, sizes } of pairedPoints(run, run, byContext)) {
        assert.deepEqual(a, b);
        assert.deepEqual(sizes.now, sizes.before);
      }
    }
    const all = (run: Run) => new Set(pointsIn(run, 'now', run, byContext));
    assert.deepEqual(new Set(pointsIn(now, 'now', base, byContext)), all(now));
    assert.deepEqual(new Set(pointsIn(base, 'before', now, byContext)), all(base));
  });

test('a pair of one routine or of one context; the other run may lack it', async () => {
  const sort = (...points: [number, number][]): Called => ({ name: 'sort', points });
  const now = await runOf({ name: 'main', calls: [{ name: 'a', calls: [sort([1, 2], [2, 5])] }, sort([2, 7], [4, 9])] });
  const base = await runOf({ name: 'main', calls: [{ name: 'a', calls: [sort([2, 3], [8, 4])] }] });
  const context = (run: Run, path: string) =>
    Array.from(run.profile.contexts?.id.keys() ?? []).findIndex((c) => pathOf(run, c) === path);
  const under = contextPair(now, context(now, 'main/a/sort'), base);
  assert.deepEqual(Array.from(under.sizes.size), [1, 2, 8]);
  assert.deepEqual(Array.from(under.before.sum ?? []), [3, 4]);
  const fresh = contextPair(now, context(now, 'main/sort'), base);
  assert.deepEqual([fresh.contextBefore, fresh.before.size.length, fresh.sizes.size.length], [-1, 0, 2]);
  const whole = routinePair(now, now.profile.contexts?.routine[context(now, 'main/sort')] ?? -1, base);
  assert.deepEqual(Array.from(whole.sizes.size), [1, 2, 4, 8]);
  assert.deepEqual(Array.from(whole.sizes.before), [-1, 0, -1, 1]);
});
