// Transforms let keys be heard: their work comes in slices, and so does that of the frame after them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse, prepareAnalysis } from '../../../src/analysis/answers/analyse.ts';
import { counterpartsOf } from '../../../src/analysis/answers/counterparts.ts';
import { routineLocation, routineName } from '../../../src/analysis/names/names.ts';
import { transformInSlices, transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { drawScreen } from '../../../src/app/draw.ts';
import { initialState } from '../../../src/app/first-state.ts';
import { update } from '../../../src/app/update.ts';
import { ROWS_PER_SLICE, runInSlices } from '../../../src/base/slices.ts';
import { loadProfile } from '../../../src/io/load.ts';
import type { Profile } from '../../../src/model/profile.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { fullStacks } from '../../support/stacks.ts';

const pauses = (job: Iterable<undefined>) => [...job].length;
const graph = () => loadProfile([join(FIXTURES, 'callgrind', 'default.callgrind.out')]);
const apply = (profile: Profile, text: string) => transformProfile(profile, [parseTransform(text)]);

test('slices are all rows, in order, each followed by a pause', () => {
  const seen: [number, number][] = [];
  assert.equal(pauses(runInSlices(25, (from, to) => seen.push([from, to]), 10)), 3);
  assert.deepEqual(seen, [
    [0, 10],
    [10, 20],
    [20, 25],
  ]);
  assert.equal(pauses(runInSlices(0, () => assert.fail('there is nothing to do'))), 0);
});

test('half a million frames are never worked on without a pause: at the beginning and at the end neither', () => {
  const stacks = fullStacks(10, 5);
  const one = pauses(transformInSlices(stacks, [parseTransform('focus=routine_1')]));
  const slices = Math.ceil(500_000 / ROWS_PER_SLICE);
  // Frames are copied, transformed, numbered and renumbered, stacks are looked at for what they cost.
  assert.ok(one >= 3 * slices, `${one} pauses`);
});

for (const text of ['focus=sort', 'ignore=sort', 'hide=sort', 'merge=sort', 'collapse=chains', 'only-own'])
  test(`${text} of a call graph pauses between its parts`, async () => {
    const many = pauses(transformInSlices(await graph(), [parseTransform(text)]));
    assert.ok(many >= 12, `${many} pauses`);
  });

test('the frame after a transform finds its sums worked out', async () => {
  for (const profile of [fullStacks(4, 4), await graph()]) {
    let [state] = update(initialState(profile, { width: 100, height: 30, timeBudgetMs: 0 }), { type: 'none' });
    [state] = update(state, { type: 'transform', text: 'focus=.' });
    assert.ok(state.reshaping, 'it goes on between keys');
    while (state.reshaping) [state] = update(state, { type: 'work' });
    assert.notEqual(state.analysis.profile, profile);
    assert.equal(pauses(prepareAnalysis(state.analysis.profile, state.analysis.partsOff)), 0, 'nothing is left to prepare');
    drawScreen(state);
  }
});

test('what is known of a profile is not worked out again, but for other parts', () => {
  const profile = fullStacks(3, 3);
  const sums = (off: readonly number[]) => analyse(profile, profile.events, new Set(off)).totals.inclusive;
  assert.equal(sums([]), sums([]));
  assert.notEqual(sums([0]), sums([]));
  assert.ok(sums([0])[0].every((cost) => cost === 0));
});

test('routines are found again by name and place once others are gone', async () => {
  const from = await graph();
  const to = apply(from, 'hide=sort');
  const [there, back] = [counterpartsOf(from, to), counterpartsOf(to, from)];
  const same = (a: number, b: number) =>
    assert.deepEqual([routineName(to, b), routineLocation(to, b)], [routineName(from, a), routineLocation(from, a)]);
  let gone = 0;
  for (let r = 0; r < from.routines.name.length; r++) {
    const [twin] = there(r);
    if (twin === undefined) gone++;
    else same(r, twin);
  }
  assert.ok(gone > 0 && gone < from.routines.name.length, `${gone} are gone`);
  for (let r = 0; r < to.routines.name.length; r++) same(back(r)[0] ?? -1, r);
  assert.deepEqual(there(-1), []);
});
