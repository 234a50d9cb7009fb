// Curves of two runs side by side: contexts by path, points by size, each of both runs once.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { contextsOfRoutine, curveOfContext, curveOfRoutine, EMPTY_CURVE } from '../../src/analysis/answers/inputs/points.ts';
import { type CurvePair, pairedContexts, pairedCurves, pairSizes, pointState } from '../../src/analysis/growth/paired.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { aprof } from '../../src/formats/aprof/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { aprofReport, type Called } from '../support/aprof.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { PLAINLY } from '../support/versus.ts';

type Run = Analysis<'inputs'>;
type Runs = readonly [now: Run, base: Run];

function compared(now: Profile, base: Profile): Runs {
  const analysis = analysisOf(compareProfiles(now, base, PLAINLY), 'inputs');
  assert.ok(analysis.before);
  return [analysis, analysis.before];
}

const report = (...roots: Called[]) => loadText(aprof, aprofReport(roots));

/** A context by the names of its routines from the root, `main/sort`. */
function pathOf(run: Run, context: number): string {
  const { profile } = run;
  const { contexts } = profile;
  if (!contexts || context < 0) return '';
  const name = routineName(profile, contexts.routine[context]);
  return contexts.parent[context] < 0 ? name : `${pathOf(run, contexts.parent[context])}/${name}`;
}

const sizes = (list: readonly number[]) => ({ ...EMPTY_CURVE, size: Float64Array.from(list) });

test('sizes of two curves stand in one list, each once', () => {
  const paired = pairSizes(sizes([1, 3, 4, 9]), sizes([2, 3, 9, 10]));
  assert.deepEqual(Array.from(paired.size), [1, 2, 3, 4, 9, 10]);
  assert.deepEqual(Array.from(paired.now), [0, -1, 1, 2, 3, -1]);
  assert.deepEqual(Array.from(paired.before), [-1, 0, 1, -1, 2, 3]);
  const states = Array.from(paired.size.keys(), (row) => pointState(paired, row));
  assert.deepEqual(states, ['new', 'gone', 'both', 'new', 'both', 'gone']);
  assert.equal(pairSizes(EMPTY_CURVE, EMPTY_CURVE).size.length, 0);
  assert.deepEqual(Array.from(pairSizes(sizes([5]), EMPTY_CURVE).before), [-1]);
});

test('contexts are matched by the routines from the root down, those of one path in order', async () => {
  const leaf = (name: string): Called => ({ name, points: [[1, 1]] });
  const [now, base] = compared(
    await report(
      { name: 'main', calls: [{ name: 'a', calls: [leaf('sort')] }, leaf('sort'), { name: 'fresh', calls: [leaf('sort')] }] },
      { name: 'main', calls: [leaf('sort')] },
    ),
    await report(
      { name: 'main', calls: [leaf('sort'), { name: 'a', calls: [leaf('sort'), leaf('old')] }] },
      { name: 'main', calls: [leaf('sort')] },
    ),
  );
  const { before, removed: gone } = pairedContexts(now, base);
  assert.deepEqual(
    Array.from(before, (b, c) => [pathOf(now, c), pathOf(base, b)]),
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
    [...gone.values()].flat().map((c) => pathOf(base, c)),
    ['main/a/old'],
  );
  // Each at most once: the second main is the second main.
  const paired = Array.from(before).filter((b) => b >= 0);
  assert.equal(new Set(paired).size, paired.length);
  assert.equal(before[6], Array.from(base.profile.contexts?.parent ?? []).lastIndexOf(-1));
});

/** All points of one of two runs as text, with the routine and the context that they belong to. */
function* pointsIn([now, base]: Runs, side: 'now' | 'before', byContext: boolean): Generator<string> {
  for (const routine of now.profile.routines.name.keys())
    for (const pair of pairedCurves(now, base, routine, byContext)) {
      const curve = pair[side];
      const context = side === 'now' ? pair.context : pair.contextBefore;
      for (const row of pair.sizes[side])
        if (row >= 0) yield [routine, context, curve.size[row], curve.calls?.[row], curve.sum?.[row]].join(' ');
    }
}

/** The same of a run by itself. */
function* pointsAlone(run: Run, byContext: boolean): Generator<string> {
  for (const routine of run.profile.routines.name.keys())
    for (const context of byContext ? contextsOfRoutine(run, routine) : [-1]) {
      const { size, calls, sum } = context < 0 ? curveOfRoutine(run, routine) : curveOfContext(run, context);
      for (const row of size.keys()) yield [routine, context, size[row], calls?.[row], sum?.[row]].join(' ');
    }
}

for (const byContext of [false, true])
  test(`each point of both runs stands once, by ${byContext ? 'context' : 'routine'}`, async () => {
    const open = (name: string) => loadProfile([join(FIXTURES, 'aprof', name)]);
    const now = await open('matrix-cct/matrix_29657_0_4.aprof.gz');
    const runs = compared(now, await open('sorts-cct/sorts_29653_0_4.aprof.gz'));
    for (const [side, run] of [['now', runs[0]] as const, ['before', runs[1]] as const]) {
      const alone = Array.from(pointsAlone(run, byContext)).sort();
      assert.ok(alone.length > 100);
      assert.deepEqual(Array.from(pointsIn(runs, side, byContext)).sort(), alone, side);
    }
    // A run against itself: every point is that of the other.
    const [self, same] = compared(now, now);
    for (const routine of now.routines.name.keys())
      for (const { now: a, before: b, sizes } of pairedCurves(self, same, routine, byContext)) {
        assert.deepEqual(a, b);
        assert.deepEqual(sizes.now, sizes.before);
      }
  });

test('the curves of a routine by context: the other run may lack one, or record none at all', async () => {
  const sort = (...points: [number, number][]): Called => ({ name: 'sort', points });
  const now = await report({ name: 'main', calls: [{ name: 'a', calls: [sort([1, 2], [2, 5])] }, sort([2, 7], [4, 9])] });
  const base = await report({
    name: 'main',
    calls: [
      { name: 'a', calls: [sort([2, 3], [8, 4])] },
      { name: 'b', calls: [sort([1, 1])] },
    ],
  });
  const ofSort = ([run, other]: Runs, byContext: boolean): CurvePair[] => {
    const routine = Array.from(run.profile.routines.name.keys()).find((r) => routineName(run.profile, r) === 'sort');
    return Array.from(pairedCurves(run, other, routine ?? -1, byContext));
  };
  const said = (pairs: readonly CurvePair[]) =>
    pairs.map(({ sizes: { size, now: a, before: b } }) => Array.from(size, (n, i) => [n, a[i], b[i]].join(' ')));
  const runs = compared(now, base);
  assert.deepEqual(said(ofSort(runs, true)), [['1 0 -1', '2 1 0', '8 -1 1'], ['2 0 -1', '4 1 -1'], ['1 -1 0']]);
  assert.deepEqual(said(ofSort(runs, false)), [['1 0 0', '2 1 1', '4 2 -1', '8 -1 2']]);
  const alone = await loadText(
    aprof,
    aprofReport([sort([2, 3])])
      .replace(/^x .*\n/gm, '')
      .replace(/^q 1/gm, 'p 0'),
  );
  assert.deepEqual(said(ofSort(compared(now, alone), true)), [['1 0 -1', '2 1 -1'], ['2 0 -1', '4 1 -1'], ['2 -1 0']]);
  assert.deepEqual(said(ofSort(compared(alone, now), true)), [['1 -1 0', '2 0 1', '4 -1 2']]);
});
