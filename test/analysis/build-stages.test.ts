// Stages, pools and the order of make's targets, in builds recorded with CMake 4.3.1, ninja 1.11.1 and GNU Make 4.3
// (fixtures/cmake/tools/pools.sh): eight seconds lie between configure and build, and all links share a pool of depth 1.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { buildDurationUs, endUs, stageSpansOf, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { longestChain } from '../../src/analysis/builds/needs.ts';
import { simulate, simulation, simulationErrorShare } from '../../src/analysis/builds/simulate.ts';
import { checkLimit, limitLines, parseLimit } from '../../src/analysis/limits/limits.ts';
import { stepsFailedRule } from '../../src/findings/builds/failed-steps.ts';
import { idleBetweenStagesRule } from '../../src/findings/builds/idle-between.ts';
import { failedTestsRule } from '../../src/findings/builds/tests.ts';
import { phraseText } from '../../src/findings/say.ts';
import { BuildSummary } from '../../src/formats/cmake/about.ts';
import { stageOf } from '../../src/formats/cmake/snippet.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { idleBetween, stageSpans } from '../../src/model/steps/stages.ts';
import { evidence, saidBy } from '../findings/cases.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';

const TREES = unpack(join(FIXTURES, 'cmake/pools.json'));
/** The kept builds of a tree, the oldest first. */
const kept = (tree: string): string[] =>
  readdirSync(join(TREES, tree, '.proftui'))
    .sort()
    .map((name) => join(TREES, tree, '.proftui', name));

async function open(path: string): Promise<Analysis<'steps'>> {
  const profile = await loadProfile([path]);
  assert.deepEqual(checkProfile(profile), []);
  return analysisOf(profile, 'steps');
}

interface Snippet {
  readonly role: string;
  readonly timeStart: number;
  readonly duration: number;
}

/** What CMake wrote, read without the program. */
const snippetsOf = (path: string): Snippet[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .slice(2)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).value)
    .filter((value): value is Snippet => typeof value?.role === 'string');

const [BUILT, TESTED, FAILED] = kept('ninja-4');

test('duration: the stages without the time between them, in the profile, its summary and its history', async () => {
  const snippets = snippetsOf(BUILT);
  const of = (role: string) => snippets.find((s) => s.role === role)!;
  const [configure, generate, build] = ['configure', 'generate', 'cmakeBuild'].map(of);
  const configured = generate.timeStart + generate.duration;
  const ms = configured - configure.timeStart + build.duration;
  const idleMs = build.timeStart - configured;
  assert.ok(idleMs > 8000);
  const analysis = await open(BUILT);
  assert.equal(buildDurationUs(analysis) / 1000, ms);
  assert.deepEqual(
    idleBetween(stageSpansOf(analysis)).map((i) => [i.after, i.before, i.us / 1000]),
    [['configure', 'build', idleMs]],
  );
  assert.equal(checkLimit(parseLimit('build duration > 1'), analysis).now, ms);
  const about = JSON.parse(gunzipSync(readFileSync(BUILT)).toString().split('\n', 1)[0]).about;
  assert.deepEqual([about.durationMs, about.idleMs], [ms, idleMs]);
  const said = saidBy(idleBetweenStagesRule, evidence({ profile: analysis.profile })).map(phraseText);
  assert.match(said.join(), /^The build was idle for 8\.0\ds between configure and build;/);
  const [alone] = kept('make-1');
  assert.equal((await open(alone)).profile.steps.history?.builds.length, 1);
});

test('what-if: the kept record says the same as the log of ninja, at any number of jobs and depth of the pool', async () => {
  for (const tree of ['ninja-1', 'ninja-4']) {
    const [record, log] = [await open(kept(tree)[0]), await open(join(TREES, tree, '.ninja_log'))];
    for (const jobs of [undefined, 1, 2, 8, 16, Number.POSITIVE_INFINITY])
      for (const depth of [1, 2, 100]) {
        const us = (a: Analysis<'steps'>) => simulate(a, jobs, { depths: new Map([['link', depth]]) })!;
        const [a, b] = [us(record), us(log)];
        assert.ok(Math.abs(a - b) < 0.03 * b, `${tree} with ${jobs} jobs and a depth of ${depth}: ${a} and ${b}`);
      }
  }
});

test('-j1: recorded as such; what is between two steps is the start-up of the second', async () => {
  for (const tree of ['ninja-1', 'make-1']) {
    const [path] = kept(tree);
    const s = simulation(await open(path))!;
    assert.deepEqual([s.jobs, s.recorded], [1, true]);
    const jobs = snippetsOf(path).filter(({ role }) => ['compile', 'link', 'custom'].includes(role));
    const ends = jobs.map((j) => j.timeStart + j.duration);
    const ms = Math.max(...ends) - Math.min(...jobs.map((j) => j.timeStart));
    assert.deepEqual([s.measuredUs / 1000, s.asItWasUs / 1000], [ms, ms], tree);
  }
  const make = await open(kept('make-1')[0]);
  const chain = longestChain(make).reduce((sum, i) => sum + make.profile.steps.durationUs[i] / 1000, 0);
  const any = simulation(make)!.unlimitedUs / 1000;
  assert.ok(any >= chain && any < 1.03 * chain, `${any} with any number of jobs, ${chain} in the longest chain`);
});

test('pools: their steps by build.ninja, in the simulation, and as what a link of the critical path waited for', async () => {
  for (const path of [BUILT, join(TREES, 'ninja-4/.ninja_log')]) {
    const analysis = await open(path);
    const { profile } = analysis;
    const { steps } = profile;
    const pooled = Array.from(steps.name.keys()).filter((i) => stepText(profile, 'pool', i) === 'link');
    assert.ok(pooled.length >= 6 && pooled.every((i) => stepText(profile, 'role', i) === 'link'), path);
    assert.equal(steps.pools?.find(({ name }) => name === 'link')?.depth, 1);
    const s = simulation(analysis)!;
    assert.ok(Math.abs(simulationErrorShare(s)) < 0.02, `${simulationErrorShare(s)}`);
    assert.ok(simulate(analysis, undefined, { depths: new Map([['link', 100]]) })! < 0.95 * s.asItWasUs);
    assert.ok(s.withDepths.length > 0 && s.withDepths.every((w) => w.pool === 'link' && w.us < s.asItWasUs));
    const links = criticalPath(analysis).links.filter((l) => l.waited === 'pool');
    assert.ok(links.length >= 3);
    for (const { step, before, poolUs = 0 } of links) {
      assert.ok(pooled.includes(step) && pooled.includes(before));
      assert.ok(endUs(steps, before) <= steps.startUs[step] + 2000 && poolUs > 1e6);
    }
  }
});

test('make: simulated as it was, within 10 % of what was measured at -j1, -j4 and -j16; a target waits for those it depends on', async () => {
  for (const tree of ['make-1', 'make-4', 'make-16']) {
    const analysis = await open(kept(tree)[0]);
    assert.equal(criticalPath(analysis).basis, 'make');
    const s = simulation(analysis)!;
    assert.ok(Math.abs(simulationErrorShare(s)) <= 0.1, `${tree}: ${simulationErrorShare(s)}`);
    const { profile } = analysis;
    const { step, of } = profile.steps.targetNeeds!;
    const pairs = Array.from(step, (i, k) => [i, of[k]].map((x) => stepText(profile, 'target', x)).join(' after '));
    assert.deepEqual(
      [...new Set(pairs)].sort(),
      ['cat', 'cut', 'join', 'paste', 'sort'].map((t) => `${t} after base`),
    );
  }
});

test('the tests of a kept build, by what CTest left beside it', async () => {
  const ended = Math.max(...snippetsOf(TESTED).map((s) => s.timeStart + s.duration)) / 1000;
  utimesSync(join(TREES, 'ninja-4/Testing/Temporary/LastTest.log'), ended, ended);
  const analysis = await open(TESTED);
  assert.deepEqual(
    analysis.profile.steps.tests?.map((t) => [t.name, t.status]),
    [
      ['cat-runs', 'passed'],
      ['sort-fails', 'failed'],
    ],
  );
  const said = saidBy(failedTestsRule, evidence({ profile: analysis.profile }));
  assert.match(said.map(phraseText).join(), /^1 of 2 tests failed: sort-fails/);
  assert.equal((await open(BUILT)).profile.steps.tests, undefined, 'another record of the tree');
});

test('a build that failed: its limit, and every limit of durations; one step, though the whole failed with it', async () => {
  const lines = (limit: string, a: Analysis) => limitLines([checkLimit(parseLimit(limit), a)]).join();
  const failed = await open(FAILED);
  assert.equal(
    lines('build failed', failed),
    'build failed: exceeded: the build failed in compile: /opt/proftui-demo/pools/sort.cpp',
  );
  assert.match(lines('build duration > 60min', failed), /the build failed in compile/);
  assert.match(lines('any step duration > 60min', failed), /the build failed in compile/);
  assert.equal(lines('build failed', await open(BUILT)), '');
  assert.equal(lines('build failed', await open(TESTED)), '', 'a test that fails is no build that failed');
  const log = await open(join(TREES, 'ninja-4/.ninja_log'));
  assert.throws(() => checkLimit(parseLimit('build failed'), log), /does not say whether the build failed/);
  const snippets = snippetsOf(FAILED).map((s) => ({ ...s, result: 'result' in s ? s.result : 0 }));
  assert.equal(snippets.filter((s) => s.result !== 0).length, 2, 'the step and the whole');
  const summary = new BuildSummary();
  for (const s of snippets) summary.add(s);
  const { failed: isFailed, failures } = summary.buildInfo('postCMakeBuild');
  assert.deepEqual([isFailed, failures], [true, 1]);
});

test('a build that was interrupted: its limits and its finding, where the record can say so', async () => {
  const limits = (a: Analysis) =>
    ['build failed', 'build duration > 60min', 'any step duration > 60min'].map((limit) => {
      const { exceeded, text, doubt } = checkLimit(parseLimit(limit), a);
      return exceeded ? text : (doubt ?? 'kept');
    });
  const said = async (a: Analysis<'steps'>) => saidBy(stepsFailedRule, evidence({ profile: a.profile })).map(phraseText);
  const all = (text: string) => Array<string>(3).fill(text);
  // Interrupted by SIGINT; CMake 4.3 has written no step of the whole. No hook was there: ninja alone would have left the same.
  const tree = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-interrupted.json')), 'build');
  const unknown = await open(tree);
  assert.deepEqual(limits(unknown), all('the file does not say whether the build came to its end'));
  assert.deepEqual(await said(unknown), []);
  // A query for the ends of builds.
  const query = join(tree, '.cmake/instrumentation/v1/query/proftui.json');
  writeFileSync(query, JSON.stringify({ version: 1, hooks: ['postBuild', 'postCMakeBuild'] }));
  const cut = await open(tree);
  assert.deepEqual(limits(cut), all('the build did not come to its end'));
  assert.deepEqual(await said(cut), ['The build did not come to its end: it was interrupted, or still ran']);
  // CMake 4.5 (data version 1.2) writes the step of the whole, with the signal.
  const data = join(tree, '.cmake/instrumentation/v1/data');
  const [startMs] = cut.profile.steps.startUs.map((us) => ((cut.profile.steps.originUs ?? 0) + us) / 1000);
  const whole = { version: { major: 1, minor: 2 }, role: 'cmakeBuild', command: 'cmake --build .', workingDir: tree };
  writeFileSync(
    join(data, 'cmakeBuild-0123456789abcdef0123-2026-11-21T02-00-00-0000.json'),
    JSON.stringify({ ...whole, result: null, interruptSignal: 2, timeStart: startMs - 10, duration: 60_000 }),
  );
  const signalled = await open(tree);
  assert.deepEqual(limits(signalled), all('the build failed'));
  assert.deepEqual(await said(signalled), ['The build failed in 1 step: cmakeBuild (interrupted by signal 2)']);
  const summary = new BuildSummary();
  summary.add({ role: 'cmakeBuild', timeStart: 5, duration: 5, result: null, interruptSignal: 2 });
  assert.equal(summary.buildInfo('postCMakeBuild').failed, true);
  const pending = new BuildSummary();
  pending.add({ role: 'compile', timeStart: 5, duration: 5, result: 0 });
  assert.equal(pending.buildInfo('postCMakeBuild').failed, true, 'kept with the next build');
  assert.equal(pending.buildInfo('postCTest').failed, false, 'a target of the build runs the tests: its end is in the next set');
});

test('spans: a step inside another stage is of that; without a whole, a long gap ends a stage', () => {
  const at = (role: string, start: number, end: number, isWhole = false) => ({
    ...{ ...stageOf(role), isWhole, part: 0 },
    ...{ startUs: start * 1000, endUs: end * 1000 },
  });
  const spans = (...steps: Parameters<typeof stageSpans>[0]) =>
    stageSpans(steps).map((s) => [s.name, s.startUs / 1000, s.endUs / 1000]);
  assert.deepEqual(
    spans(
      at('cmakeBuild', 5000, 9000, true),
      at('configure', 0, 50),
      at('generate', 51, 60),
      at('configure', 5010, 5200),
      at('link', 8000, 8999),
    ),
    [
      ['configure', 0, 60],
      ['build', 5000, 9000],
    ],
  );
  const orphans = [0, 110, 220, 330, 5000].map((start) => at('compile', start, start + 100));
  assert.deepEqual(spans(...orphans), [
    ['build', 0, 430],
    ['build', 5000, 5100],
  ]);
  assert.deepEqual(spans(at('cmakeBuild', 0, 100, true), at('ctest', 99, 200, true), at('test', 120, 130)), [
    ['build', 0, 100],
    ['test', 99, 200],
  ]);
});
