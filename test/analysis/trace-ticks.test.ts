// What counts as the same time follows from what the clock of the file ticks in: milliseconds, microseconds, or fractions of one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { lanesOf } from '../../src/analysis/answers/steps/lanes.ts';
import { activeSteps, isJob, slackUs, stepName } from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Steps } from '../../src/model/steps/tables.ts';
import { unpack } from '../support/bundle.ts';
import { existing, FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

type Slice = readonly [name: string, ts: number, dur: number, tid?: number];

async function opened(slices: readonly Slice[]) {
  const events = slices.map(([name, ts, dur, tid = 1]) => ({ ph: 'X', name, ts, dur, pid: 1, tid }));
  return analysisOf(await loadText(traceEvents, JSON.stringify(events)), 'steps');
}

/** The tolerance without the thousandth that fractions need. */
const ticks = (steps: Steps) => Number((slackUs(steps) / 1.0005).toPrecision(3));

const path = (a: Awaited<ReturnType<typeof opened>>) => criticalPath(a).links.map((l) => stepName(a.profile, l.step));

test('times that are a trace apart are not the same: the tolerance is two ticks of its clock', async () => {
  // c began when a ended; b ended 8 units later.
  const slices: Slice[] = [
    ['a', 0, 10, 1],
    ['b', 0, 18, 2],
    ['c', 10, 20, 1],
  ];
  for (const unit of [1, 0.001, 1000]) {
    const analysis = await opened(slices.map(([name, ts, dur, tid = 1]) => [name, ts * unit, dur * unit, tid]));
    assert.equal(ticks(analysis.profile.steps), 2 * unit);
    assert.deepEqual(path(analysis), ['a', 'c'], `in units of ${unit} µs`);
  }
});

test('the clocks of the fixtures: clang ticks in microseconds, CMake and ninja in milliseconds', async () => {
  const slackOf = async (file: string) => ticks(profileOf(await loadProfile([file]), 'steps').steps);
  for (const name of ['parse.json', 'regexes.json', 'regexes-coarse.json', 'maps.json'])
    assert.equal(await slackOf(existing(join(FIXTURES, 'trace-events/clang-time-trace', name))), 2, name);
  for (const name of ['ninja-accumulated', 'make-failing', 'ninja-hooks'])
    assert.equal(await slackOf(join(unpack(join(FIXTURES, `cmake/tidepool-${name}.json`)), 'build')), 2000, name);
  assert.equal(await slackOf(existing(join(FIXTURES, 'ninja-log/tidepool-ninja-unity/.ninja_log'))), 2000);
});

test('the digits that a double has left are a tick, too: nanoseconds since 1970 are not', async () => {
  const since = 1.8e15;
  const analysis = await opened([
    ['a', since + 0.25, 10.5],
    ['b', since + 11, 5.25],
  ]);
  assert.equal(ticks(analysis.profile.steps), 0.5);
});

test('a slice that ends a rounded tick after the one around it lies inside, and self times are never negative', async () => {
  // 0.1 + 0.7 is 0.7999999999999999, and 0.3 + 0.5 is 0.8.
  const cases: Slice[][] = [
    [
      ['outer', 0.1, 0.7],
      ['inner', 0.3, 0.5],
    ],
    [
      ['outer', 100, 50],
      ['inner', 120, 31],
    ],
    [
      ['outer', 1.001, 9.998],
      ['inner', 5.5, 5.501],
    ],
  ];
  for (const slices of cases) {
    const analysis = await opened(slices);
    const { steps } = analysis.profile;
    assert.equal(steps.parent[1], 0, JSON.stringify(slices));
    assert.deepEqual(
      Array.from(activeSteps(analysis), (i) => isJob(steps, i)),
      [true, false],
    );
    const { self } = analysis.totals;
    assert.ok(self[0].every((us) => us >= 0));
  }
});

test('slices that overlap by a rounded tick follow each other in one lane', async () => {
  const analysis = await opened([
    ['whole', 0, 100],
    ['first', 0, 51],
    ['second', 50, 50],
    ['third', 100, 7],
  ]);
  const { steps } = analysis.profile;
  assert.deepEqual(Array.from(steps.parent), [-1, 0, 0, -1]);
  assert.equal(lanesOf(analysis).count, 2);
  assert.ok(analysis.totals.self[0].every((us) => us >= 0));
});

test('what overlaps by more stays apart, and its sum does not make the self time of what is around it negative', async () => {
  const analysis = await opened([
    ['whole', 0, 100],
    ['first', 0, 60],
    ['second', 40, 60],
  ]);
  assert.equal(lanesOf(analysis).count, 3);
  assert.deepEqual(Array.from(analysis.totals.self[0]), [0, 60, 60]);
});
