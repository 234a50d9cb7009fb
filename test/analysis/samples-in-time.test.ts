// Calls in time against the samples that they were made of: at each sample, the calls of its thread are the frames of its stack.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { samplesAsSteps } from '../../src/analysis/profiles/samples-in-time.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

/** Microseconds by which the sum of a start and a duration may be off. */
const ROUNDING = 1e-4;

function callsOf(profile: ProfileOf<'stacks'>): ProfileOf<'steps'> {
  const { times, events } = profile;
  const calls = times && samplesAsSteps(profile, times, events[0]);
  assert.ok(calls);
  return calls;
}

for (const file of [
  'perf-script/two-events.perf.gz',
  'perf-script/header.perf.gz',
  'perf-script/inlined.perf.gz',
  'speedscope/gil.speedscope.json',
  'firefox/two-events.profile.json.gz',
])
  test(`${file}: at each sample, what runs is its stack`, async () => {
    const profile = profileOf(await loadProfile([join(FIXTURES, file)]), 'stacks');
    const calls = callsOf(profile);
    assert.deepEqual(checkProfile(calls), []);
    const { times, stacks, frames, events } = profile;
    assert.ok(times);
    const columns = new Set(events[0].terms.map(([, column]) => column));
    const { startUs, durationUs, track, routine, parent } = calls.steps;
    const depthOf = (i: number): number => (parent[i] < 0 ? 0 : 1 + depthOf(parent[i]));
    let compared = 0;
    for (const [i, at] of times.at.entries()) {
      const stack: number = times.stack[i];
      // Of two samples at one moment, the last one is seen.
      const isLast = !times.at.some((other, k) => k > i && other === at && stacks.part[times.stack[k]] === stacks.part[stack]);
      if (!columns.has(times.column[i]) || !isLast) continue;
      const us = at / 1e3;
      const running = Array.from(startUs.keys())
        .filter(
          (k) =>
            track[k] === stacks.part[stack] && startUs[k] <= us && us < startUs[k] + Math.max(durationUs[k], 1e-3) - ROUNDING,
        )
        .sort((a, b) => depthOf(a) - depthOf(b))
        .map((k) => routine[k]);
      const own: number[] = Array.from(
        stacks.frame.subarray(stacks.start[stack], stacks.start[stack + 1]),
        (f) => frames.routine[f],
      );
      assert.deepEqual(running, own.reverse(), `sample ${i}`);
      compared++;
    }
    assert.ok(compared > 2);
  });

test('neighbouring samples are one call; a pause ends it', async () => {
  const samples: [ms: number, ...frames: string[]][] = [
    [0, 'leaf', 'main'],
    [1, 'leaf', 'main'],
    [2, 'other', 'main'],
    [3, 'other', 'main'],
    [50, 'other', 'main'],
  ];
  const text = samples.map(
    ([ms, ...frames]) =>
      `a 1/1 ${(ms / 1000).toFixed(6)}: 1000000 cpu-clock:\n${frames.map((f) => `\t10 ${f}+0x0 (/bin/a)\n`).join('')}\n`,
  );
  const { steps, routines, strings } = callsOf(profileOf(await loadText(perfScript, text.join('')), 'stacks'));
  const name = (i: number) => {
    const id = routines.name[steps.routine[i]];
    return new TextDecoder().decode(strings.bytes.subarray(strings.start[id], strings.start[id + 1]));
  };
  assert.deepEqual(
    Array.from(steps.startUs, (start, i) => `${name(i)} ${start / 1e3}+${steps.durationUs[i] / 1e3}`),
    ['main 0+4', 'leaf 0+2', 'other 2+2', 'main 50+1', 'other 50+1'],
  );
});
