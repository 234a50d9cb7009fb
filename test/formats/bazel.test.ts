// Bazel's profiles as builds: a profile written by hand from the published description ("JSON Trace Profile"), with times that are known.
import assert from 'node:assert/strict';
import test from 'node:test';
import { criticalPath } from '../../src/analysis/answers/steps/critical.ts';
import { jobConcurrency, jobsOf, stepName, stepText, windowOf } from '../../src/analysis/answers/steps/steps.ts';
import { clipped } from '../../src/analysis/profiles/transforms/time.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

const thread = (tid: number, name: string) => ({ name: 'thread_name', ph: 'M', pid: 1, tid, args: { name } });
const slice = (tid: number, cat: string, name: string, ts: number, dur: number, args?: object) => ({
  ...{ cat, name, ph: 'X', ts, dur, pid: 1, tid },
  ...(args ? { args } : {}),
});
const phase = (name: string, ts: number) => ({ cat: 'build phase marker', name, ph: 'i', ts, pid: 1, tid: 9 });

const EVENTS = [
  thread(0, 'Critical Path'),
  thread(9, 'Main Thread'),
  thread(20, 'skyframe-evaluator 1'),
  thread(21, 'skyframe-evaluator 2'),
  thread(30, 'Garbage Collector'),
  slice(9, 'build phase marker', 'Launch Blaze', -500_000, 500_000),
  phase('Initialize command', 0),
  phase('Load and analyze dependencies', 100_000),
  slice(20, 'package creation', 'app', 110_000, 5_000),
  slice(20, 'Starlark repository function call', '//external:zlib', 200_000, 800_000),
  slice(20, 'Starlark repository function call', 'download', 250_000, 700_000),
  phase('Build artifacts', 1_000_000),
  slice(9, 'skyframe evaluator', 'Parallel Evaluator evaluation', 1_000_000, 8_000_000),
  slice(30, 'gc notification', 'minor GC', 1_500_000, 20_000),
  slice(20, 'action processing', 'Compiling app/main.cc', 1_100_000, 3_000_000, { mnemonic: 'CppCompile', target: '//app:main' }),
  slice(20, 'general information', 'ActionContinuation.execute', 1_150_000, 2_900_000),
  slice(20, 'general information', 'subprocess.run', 1_200_000, 2_500_000),
  slice(20, 'remote action cache check', 'check cache hit', 1_160_000, 30_000),
  slice(21, 'action processing', 'Compiling app/util.cc', 1_100_000, 1_000_000, { mnemonic: 'CppCompile', target: '//app:util' }),
  slice(21, 'action processing', 'Linking app/main', 4_200_000, 4_000_000, { mnemonic: 'CppLink', target: '//app:main' }),
  slice(0, 'critical path component', "action 'Compiling app/main.cc'", 1_100_000, 3_000_000),
  slice(0, 'critical path component', "action 'Linking app/main'", 4_200_000, 4_000_000),
  { name: 'action count', ph: 'C', ts: 1_100_000, pid: 1, tid: 9, args: { action: '2.0' } },
  phase('Complete build', 9_000_000),
  phase('Finishing', 9_100_000),
];

const bazel = async (events: readonly object[]) =>
  profileOf(
    await loadText(traceEvents, JSON.stringify({ otherData: { build_id: 'x', output_base: '/o' }, traceEvents: events })),
    'steps',
  );

test('actions and fetches are the jobs, with mnemonic and target; threads of Bazel itself are none', async () => {
  const profile = await bazel(EVENTS);
  assert.deepEqual(checkProfile(profile), []);
  const analysis = analysisOf(profile, 'steps');
  const rows = jobsOf(analysis).map((i) => [
    stepName(profile, i),
    stepText(profile, 'role', i),
    stepText(profile, 'target', i) ?? '',
    profile.steps.durationUs[i] / 1e6,
  ]);
  assert.deepEqual(rows, [
    ['//external:zlib', 'fetch', '', 0.8],
    ['Compiling app/main.cc', 'CppCompile', '//app:main', 3],
    ['Compiling app/util.cc', 'CppCompile', '//app:util', 1],
    ['Linking app/main', 'CppLink', '//app:main', 4],
  ]);
  // Four seconds of compiling, of which one is in two threads; then the linker; and 0.8 s of fetching.
  const { us, running } = jobConcurrency(analysis);
  const at = (level: number) =>
    running.reduce((sum, n, k) => (n === level && k + 1 < us.length ? sum + us[k + 1] - us[k] : sum), 0);
  assert.deepEqual([at(1), at(2)], [6_800_000, 1_000_000]);
  // From the launch to the end, as Bazel's elapsed time.
  const [from, to] = windowOf(analysis);
  assert.equal(to - from, 9_600_000);
  assert.equal(analysis.totals.total[0][0], 8_800_000);
});

test('the critical path is the one that Bazel recorded', async () => {
  const profile = await bazel(EVENTS);
  const { basis, links } = criticalPath(analysisOf(profile, 'steps'));
  assert.equal(basis, 'recorded');
  assert.deepEqual(
    links.map(({ step, before }) => [stepName(profile, step), before < 0 ? '' : stepName(profile, before)]),
    [
      ['Compiling app/main.cc', ''],
      ['Linking app/main', 'Compiling app/main.cc'],
    ],
  );
});

test('what is inside an action is in its details, and what is in no action in those of its phase', async () => {
  const profile = await bazel(EVENTS);
  const more = (name: string) => {
    const step = Array.from(profile.steps.name.keys()).find((i) => stepName(profile, i) === name) ?? -1;
    return JSON.parse(stepText(profile, 'more', step) ?? '{}');
  };
  assert.deepEqual(more('Compiling app/main.cc'), {
    ...{ mnemonic: 'CppCompile', target: '//app:main' },
    ...{ 'subprocess.run (ms)': 2500, 'remote action cache check (ms)': 30 },
  });
  assert.deepEqual(more('//external:zlib'), { 'Starlark repository function call (ms)': 700 });
  assert.deepEqual(more('Load and analyze dependencies'), { 'package creation (ms)': 5 });
  assert.deepEqual(more('Build artifacts'), { 'skyframe evaluator (ms)': 8000, 'gc notification (ms)': 20 });
  assert.deepEqual(
    profile.steps.gauges.map(({ name, value }) => [name, ...value]),
    [['action count.action', 2]],
  );
});

test('of a range of time, the critical path has the steps in it', async () => {
  const left = clipped(await bazel(EVENTS), { fromUs: 4_150_000, toUs: 9_000_000 });
  assert.deepEqual(checkProfile(left), []);
  assert.deepEqual(
    Array.from(left.steps.critical ?? [], (step) => stepName(left, step)),
    ['Linking app/main'],
  );
});

test('a trace with instants, but without phases of a build, is none of Bazel', async () => {
  const profile = await bazel([slice(1, 'work', 'a', 0, 5), { name: 'Initialize command', ph: 'i', ts: 1, pid: 1, tid: 1 }]);
  assert.ok(profile.routines.name.length === 1 && profile.steps.critical === undefined);
  assert.equal(profile.steps.marks.length, 1);
});
