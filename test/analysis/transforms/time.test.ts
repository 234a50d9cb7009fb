// Steps in a range of time, over every timeline of the fixtures: rules that hold for any range.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { percentageBase } from '../../../src/analysis/answers/analysis.ts';
import {
  correspondingStep,
  endUs,
  hasRun,
  isJob,
  slackUs,
  stepName,
  timeWindowOf,
  uncutTimes,
} from '../../../src/analysis/answers/steps/steps.ts';
import { criticalPath, waitReasonText } from '../../../src/analysis/builds/critical.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { clipSteps, startOfTimes } from '../../../src/analysis/profiles/transforms/time.ts';
import type { TimeRange } from '../../../src/analysis/profiles/transforms/time-range.ts';
import { traceEvents } from '../../../src/formats/trace-events/index.ts';
import { checkProfile } from '../../../src/model/check.ts';
import type { ProfileOf } from '../../../src/model/profile.ts';
import { Sink } from '../../../src/model/sink.ts';
import { StepWriter } from '../../../src/model/steps/writer.ts';
import { dumpProfile } from '../../support/dump.ts';
import { analysisOf, profileOf } from '../../support/kinds.ts';
import { loadText } from '../../support/load.ts';
import { long } from '../../support/long.ts';
import { timelines } from '../../support/timelines.ts';

type Timeline = ProfileOf<'steps'>;

const ALL = await timelines();
const EVERYTHING: TimeRange = { fromUs: Number.NEGATIVE_INFINITY, toUs: Number.POSITIVE_INFINITY };

/** Two moments of a timeline: often those at which a step starts or ends. */
function ranges(profile: Timeline): fc.Arbitrary<TimeRange> {
  const [from, to] = timeWindowOf(analysisOf(profile, 'steps'));
  const { steps } = profile;
  const edges = Array.from(steps.name.keys()).flatMap((i) => (hasRun(steps, i) ? [steps.startUs[i], endUs(steps, i)] : []));
  const moment = fc.oneof(
    fc.constantFrom(...edges, 0),
    // Where a step crosses 0, a sum of doubles is not exact to 1e-324: less than a nanosecond is 0.
    fc.double({ min: from - 10, max: to + 10, noNaN: true, noDefaultInfinity: true }).map((us) => (Math.abs(us) < 1e-3 ? 0 : us)),
  );
  return fc.tuple(moment, moment).map(([a, b]) => ({ fromUs: Math.min(a, b), toUs: Math.max(a, b) }));
}

/** Rows by the whole timeline's, in microseconds. */
const rowsOf = ({ steps }: Timeline) =>
  Array.from(steps.name.keys(), (i) => [steps.clip?.row[i] ?? i, steps.startUs[i], steps.durationUs[i]] as const);

const near = (a: number, b: number, scale: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(scale));

test('there are timelines of every kind', () => {
  assert.ok(ALL.size > 40, `${ALL.size}`);
});

long('the whole range has the same rows, without what never ran and sums', () => {
  for (const [path, profile] of ALL) {
    const [from, to] = timeWindowOf(analysisOf(profile, 'steps'));
    for (const range of [EVERYTHING, { fromUs: from, toUs: 2 * Math.abs(to) + 1 }]) {
      const all = clipSteps(profile, range);
      const { steps } = profile;
      const place = (i: number) => Array.from(all.steps.clip?.row ?? []).indexOf(i);
      const dumped = [...dumpProfile(profile)].filter((line) => line.startsWith('step '));
      const expected = dumped
        .filter((_, i) => hasRun(steps, i))
        .map((line) => line.replace(/ parent (\d+) /, (_, p: string) => ` parent ${place(Number(p))} `));
      assert.deepEqual(
        [...dumpProfile(all)].filter((line) => line.startsWith('step ')),
        expected,
        path,
      );
      if (range === EVERYTHING) assert.deepEqual(all.steps.gauges, steps.gauges, path);
      assert.equal(slackUs(all.steps), slackUs(steps));
      for (const i of all.steps.name.keys()) assert.equal(uncutTimes(all.steps, i), undefined, path);
    }
  }
});

test('of any range: tables agree, all lies inside, and a range of a range is their intersection', () => {
  for (const [path, profile] of ALL) {
    const two = fc.tuple(ranges(profile), ranges(profile));
    fc.assert(
      fc.property(two, ([a, b]) => {
        const first = clipSteps(profile, a);
        assert.deepEqual(checkProfile(first), [], path);
        const { steps } = first;
        for (const i of steps.name.keys()) {
          assert.ok(steps.startUs[i] >= a.fromUs && steps.startUs[i] <= a.toUs && endUs(steps, i) <= a.toUs, path);
          assert.equal(correspondingStep(steps, steps.clip?.row[i] ?? -1, profile.steps), i);
          assert.equal(correspondingStep(profile.steps, i, steps), steps.clip?.row[i]);
        }
        const both = clipSteps(first, b);
        assert.deepEqual(checkProfile(both), [], path);
        const direct = clipSteps(profile, { fromUs: Math.max(a.fromUs, b.fromUs), toUs: Math.min(a.toUs, b.toUs) });
        assert.deepEqual(
          rowsOf(both).map(([row]) => row),
          rowsOf(direct).map(([row]) => row),
          path,
        );
        rowsOf(both).forEach(([, start, us], i) => {
          const [, start2, us2] = rowsOf(direct)[i];
          assert.ok(start === start2 && near(us, us2, start), `${path}: ${start} ${us}, ${start2} ${us2}`);
        });
        const isEmpty = Math.max(a.fromUs, b.fromUs) >= Math.min(a.toUs, b.toUs);
        if (!isEmpty) assert.deepEqual(both.steps.gauges, direct.steps.gauges, path);
      }),
      { numRuns: profile.steps.name.length > 500 ? 3 : 25, seed: 7 },
    );
  }
});

test('work, and time by routine, self and inclusive, add up over any parts of the time', () => {
  let routines = 0;
  for (const [path, profile] of ALL) {
    const whole = analysisOf(profile, 'steps').totals;
    const cuts = fc.array(ranges(profile), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(cuts, (list) => {
        const moments = [...new Set(list.flatMap((r) => [r.fromUs, r.toUs]))].sort((a, b) => a - b);
        const edges = [EVERYTHING.fromUs, ...moments, EVERYTHING.toUs];
        const parts = edges.slice(1).map((toUs, k) => analysisOf(clipSteps(profile, { fromUs: edges[k], toUs }), 'steps').totals);
        const sum = (of: (t: typeof whole) => number) => parts.reduce((all, part) => all + of(part), 0);
        const scale = whole.total[0][0] + Math.max(0, ...moments.map(Math.abs));
        assert.ok(
          near(
            sum((t) => t.total[0][0]),
            whole.total[0][0],
            scale,
          ),
          `${path}: work`,
        );
        for (const what of ['self', 'inclusive'] as const)
          for (const r of profile.routines.name.keys()) {
            routines++;
            const parted = sum((t) => t[what][0][r]);
            assert.ok(near(parted, whole[what][0][r], scale), `${path}: ${what} of ${r}: ${parted}, not ${whole[what][0][r]}`);
          }
      }),
      { numRuns: profile.steps.name.length > 500 ? 2 : 15, seed: 11 },
    );
  }
  assert.ok(routines > 5_000, `${routines}`);
});

test('a step that is cut says so, and what a part of it took on the CPU is unknown', async () => {
  const trace = (ts: number, dur: number, tid: number, more = {}) => ({
    ph: 'X',
    name: `t${tid}`,
    ts,
    dur,
    pid: 1,
    tid,
    ...more,
  });
  const events = [trace(0, 10, 1, { tdur: 7 }), trace(20, 10, 1, { tdur: 6 }), trace(0, 100, 2, { tdur: 50 }), trace(30, 0, 3)];
  const profile = profileOf(await loadText(traceEvents, JSON.stringify(events)), 'steps');
  const { steps } = clipSteps(profile, { fromUs: 5, toUs: 30 });
  assert.deepEqual(
    Array.from(steps.name.keys(), (i) => [stepName(profile, steps.clip?.row[i] ?? -1), steps.startUs[i], steps.durationUs[i]]),
    [
      ['t2', 5, 25],
      ['t1', 5, 5],
      ['t1', 20, 10],
    ],
  );
  assert.deepEqual([...steps.cpuUs], [Number.NaN, Number.NaN, 6]);
  assert.deepEqual(
    Array.from(steps.name.keys(), (i) => uncutTimes(steps, i)),
    [{ startUs: 0, durationUs: 100 }, { startUs: 0, durationUs: 10 }, undefined],
  );
  // What has no length is where it begins.
  assert.equal(clipSteps(profile, { fromUs: 30, toUs: 31 }).steps.name.length, 2);
});

test('the last value of a gauge before the range holds in it', () => {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.trackId('1', '1');
  rows.add({ name: 'a', track, part: 0, startUs: 0, durationUs: 100 });
  for (const [name, us, value] of [
    ['m', 10, 1],
    ['n', 5, 7],
    ['m', 30, 3],
    ['m', 20, 2],
    ['m', 50, 5],
  ] as const)
    rows.gauges.add(name, undefined, '', us, value);
  sink.addPart({ path: 'test', events: ['time'] });
  const profile = profileOf(sink.finish('trace-events'), 'steps');
  const { gauges } = clipSteps(profile, { fromUs: 25, toUs: 40 }).steps;
  assert.deepEqual(
    gauges.map((g) => [g.name, ...g.us, ...g.value]),
    [
      ['m', 20, 30, 2, 3],
      ['n', 5, 7],
    ],
  );
});

test('percentages stay shares of the whole, and times count from where they did', () => {
  for (const [path, profile] of ALL) {
    const whole = analysisOf(profile, 'steps');
    const [from, to] = timeWindowOf(whole);
    if (!(to > from)) continue;
    const middle = (from + to) / 2;
    const start = startOfTimes(profile);
    const half = transformProfile(profile, [{ word: 'time', fromUs: from - start, toUs: middle - start }]);
    const analysis = analyse(half, half.events, new Set());
    assert.equal(percentageBase(analysis, half.events[0]), percentageBase(whole, profile.events[0]), path);
    assert.deepEqual(timeWindowOf(analysisOf(half, 'steps')), [from, middle], path);
  }
});

test('what ran when the range began waited for nothing in it', () => {
  let said = 0;
  for (const [path, profile] of ALL) {
    const [from, to] = timeWindowOf(analysisOf(profile, 'steps'));
    const half = analysisOf(clipSteps(profile, { fromUs: (from + to) / 2, toUs: to }), 'steps');
    for (const link of criticalPath(half).links) {
      if (link.waited !== 'start') continue;
      assert.match(waitReasonText(half.profile, link), /^nothing/, path);
      said++;
    }
    // Jobs stay jobs, and nothing else becomes one.
    const { steps } = half.profile;
    for (const i of steps.name.keys()) assert.equal(isJob(steps, i), isJob(profile.steps, steps.clip?.row[i] ?? -1), path);
  }
  assert.ok(said > 20, `${said}`);
});
