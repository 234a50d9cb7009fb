// Bazel's profiles as builds: a profile written by hand from the published description ("JSON Trace Profile"), with times that are known.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { jobConcurrency, jobsOf, stepName, stepText, timeWindowOf } from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { clipSteps } from '../../src/analysis/profiles/transforms/time.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { WHOLE_KIND } from '../../src/model/steps/tables.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

const build = async () => profileOf(await loadProfile([join(FIXTURES, 'trace-events/bazel/build.profile.json')]), 'steps');

test('actions and fetches are the jobs, with mnemonic and target; threads of Bazel itself are none', async () => {
  const profile = await build();
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
  const [from, to] = timeWindowOf(analysis);
  assert.equal(to - from, 9_600_000);
  assert.equal(analysis.totals.total[0][0], 8_800_000);
});

test('the critical path is the one that Bazel recorded', async () => {
  const profile = await build();
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
  const profile = await build();
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
  const left = clipSteps(await build(), { fromUs: 4_150_000, toUs: 9_000_000 });
  assert.deepEqual(checkProfile(left), []);
  assert.deepEqual(
    Array.from(left.steps.critical ?? [], (step) => stepName(left, step)),
    ['Linking app/main'],
  );
  // Phases of the range are kept, cut to it.
  const phases = Array.from(left.steps.name.keys()).filter((i) => left.steps.kind[i] === WHOLE_KIND);
  assert.deepEqual(
    phases.map((i) => [stepName(left, i), left.steps.startUs[i], left.steps.durationUs[i]]),
    [['Build artifacts', 4_150_000, 4_850_000]],
  );
});

test('phases begin at the instants of their file, on the clock of all files', async () => {
  const phase = { cat: 'build phase marker', pid: 1, tid: 1 };
  const traceOf = (name: string, beginningOfTime: number) => ({
    traceEvents: [
      { ...phase, name: 'Launch', ph: 'X', ts: 0, dur: 100 },
      { ...phase, name: 'end', ph: 'i', ts: 150 },
      { ...phase, name, ph: 'i', ts: 100 },
    ],
    beginningOfTime,
  });
  const folder = mkdtempSync(join(tmpdir(), 'proftui-bazel-'));
  const paths = [traceOf('late', 5000), traceOf('early', 2000)].map((trace, k) => {
    const path = join(folder, `${k}.json`);
    writeFileSync(path, JSON.stringify(trace));
    return path;
  });
  const profile = profileOf(await loadProfile(paths), 'steps');
  assert.deepEqual(
    Array.from(profile.steps.startUs, (us, i) => `${stepName(profile, i)} ${us}+${profile.steps.durationUs[i]}`),
    ['Launch 0+100', 'early 100+50', 'Launch 3000+100', 'late 3100+50'],
  );
});

test('a trace with instants, but without phases of a build, is none of Bazel', async () => {
  const events = [
    { cat: 'work', name: 'a', ph: 'X', ts: 0, dur: 5, pid: 1, tid: 1 },
    { name: 'Initialize command', ph: 'i', ts: 1, pid: 1, tid: 1 },
  ];
  const profile = profileOf(await loadText(traceEvents, JSON.stringify({ traceEvents: events })), 'steps');
  assert.ok(profile.routines.name.length === 1 && profile.steps.critical === undefined);
  assert.equal(profile.steps.name.length, 1);
});
