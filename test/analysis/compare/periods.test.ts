// Counts of samples that were taken at different rates are not compared: the time that they stand for is.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { perfScript } from '../../../src/formats/perf-script/index.ts';
import { exactValue } from '../../../src/model/head.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { loadText } from '../../support/load.ts';
import { PLAINLY } from '../../support/versus.ts';
import { runWarm } from '../../support/warm.ts';

test('gperftools at 100 and 1000 Hz: time is compared, samples are named as incomparable', () => {
  const file = (hertz: number) => join(FIXTURES, `gperftools/freq${hertz}.prof.gz`);
  const run = (...args: readonly string[]) => runWarm([file(1000), '--base', file(100), ...args]);
  const { event, base } = JSON.parse(run('--print', 'routines', '--json').out);
  assert.equal(event, 'time');
  assert.deepEqual([base.onlyNow, base.onlyBefore], [['samples every 1 ms'], ['samples every 10 ms']]);
  assert.match(run('--print', 'summary').out, /only this run has samples every 1 ms, which cannot be compared/);
  const limited = run('--fail-if', 'samples > +1%');
  assert.notEqual(limited.code, 0);
  assert.match(limited.err, /no such event as samples; there are time/);
  // Runs at one rate are compared by samples, as before.
  const same = runWarm([file(100), '--base', file(100), '--print', 'routines', '--json']);
  assert.equal(JSON.parse(same.out).event, 'samples');
});

/** Samples of `periods` in two routines, by turns. */
const perfText = (periods: readonly (number | bigint)[]) =>
  periods.map((n, k) => `app 7 ${k + 1}.000000: ${n} cycles:\n\t${k % 2 ? '401000 a' : '402000 b'} (/app)\n`).join('\n');

for (const [now, before, areComparable] of [
  [[1000, 1000, 1000], [1000, 1000], true],
  [[1000, 1000, 1000], [2000, 2000], false],
  // At a given frequency, the period varies with the program.
  [[1000, 1100, 1200], [900, 1000, 1100], true],
  [[1000, 1100, 1200], [9000, 10_000, 11_000], false],
] as const)
  test(`perf: samples of ${now.join(', ')} and of ${before.join(', ')} cycles ${areComparable ? 'can' : 'cannot'} be counted against each other`, async () => {
    const [ours, theirs] = [await loadText(perfScript, perfText(now)), await loadText(perfScript, perfText(before))];
    const { events } = compareProfiles(ours, theirs, PLAINLY);
    assert.equal(
      events.some(({ name }) => name === 'samples'),
      areComparable,
    );
    assert.ok(events.some(({ name }) => name === 'cycles'));
  });

test('perf: periods that a double cannot hold are summed exactly', async () => {
  const profile = await loadText(perfScript, perfText([9007199254740993n, 1000n, 18446744073709551615n]));
  const event = profile.events.find(({ name }) => name === 'cycles');
  assert.ok(event);
  const analysis = analyse(profile, profile.events);
  assert.equal(exactValue(event, analysis.totals.total, 0), 9007199254740993n + 1000n + 18446744073709551615n);
});
