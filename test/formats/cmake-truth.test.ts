// Every recorded build against its ground truth: steps, roles, times, concurrency, targets, failures; and the hand-made cases.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { lanesOf } from '../../src/analysis/answers/steps/lanes.ts';
import {
  activeSteps,
  concurrencyOf,
  endUs,
  hasRun,
  isJob,
  jobConcurrency,
  stepFailed,
  stepName,
  stepText,
  timeWindowOf,
  weightedUs,
} from '../../src/analysis/answers/steps/steps.ts';
import { criticalPath } from '../../src/analysis/builds/critical.ts';
import { groupRows, NO_TARGET } from '../../src/analysis/builds/targets.ts';
import { FormatError } from '../../src/base/problem.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { WHOLE_KIND } from '../../src/model/steps/tables.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

interface Truth {
  steps: number;
  byRole: Record<string, { count: number; totalMs: number; maxMs: number }>;
  neverRan: string[];
  window?: { startMs: number; endMs: number; makespanMs: number };
  leaf?: { count: number; totalMs: number };
  concurrency?: { max: number; msAtLevel: Record<string, number>; changes?: [number, number][] };
  buildConcurrency?: { max: number; msAtLevel: Record<string, number> };
  slowest?: { role: string; durationMs: number }[];
  targets: Record<string, { totalMs: number }>;
  noTarget: { count: number; totalMs: number };
  languages: Record<string, number>;
  failed: { role: string; durationMs: number; result: number }[];
  resultNull: string[];
  memoryUsedKiB: { min: number; max: number } | null;
  trace?: { file: string; events: number; tidFollowsTheRuleInFileOrder: boolean; byCat: Record<string, number> };
}

const FOLDER = join(FIXTURES, 'cmake');

const load = async (path: string): Promise<Analysis<'steps'>> => {
  const profile = await loadProfile([path]);
  assert.equal(profile.format, 'cmake');
  assert.deepEqual(checkProfile(profile), []);
  return analysisOf(profile, 'steps');
};
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(b)), `${a} ${b}`);

function compare(analysis: Analysis<'steps'>, truth: Truth): void {
  const { profile } = analysis;
  const steps = profileOf(profile, 'steps').steps;
  const all = Array.from(activeSteps(analysis));
  assert.equal(all.length, truth.steps);
  const byRole: Truth['byRole'] = {};
  for (const i of all) {
    const role = stepText(profile, 'role', i)!;
    const r = (byRole[role] ??= { count: 0, totalMs: 0, maxMs: 0 });
    r.count++;
    if (!hasRun(steps, i)) continue;
    r.totalMs += steps.durationUs[i] / 1000;
    r.maxMs = Math.max(r.maxMs, steps.durationUs[i] / 1000);
  }
  assert.deepEqual(byRole, truth.byRole);
  const never = all.filter((i) => !hasRun(steps, i));
  assert.equal(never.length, truth.neverRan.length);
  for (const i of never) assert.equal(steps.durationUs[i], 0);
  if (truth.window) {
    const [from, to] = timeWindowOf(analysis);
    assert.equal((to - from) / 1000, truth.window.makespanMs);
    assert.equal((steps.originUs! + from) / 1000, truth.window.startMs);
    const leaf = all.filter((i) => hasRun(steps, i) && steps.kind[i] !== WHOLE_KIND);
    assert.deepEqual({ count: leaf.length, totalMs: leaf.reduce((s, i) => s + steps.durationUs[i] / 1000, 0) }, truth.leaf);
    const atLevel = (c: { atLevel: Float64Array }) =>
      Object.fromEntries(Array.from(c.atLevel, (us, n) => [String(n), us / 1000]).filter(([, ms]) => ms !== 0));
    const known = (levels: Record<string, number>) => Object.fromEntries(Object.entries(levels).filter(([, ms]) => ms !== 0));
    const jobs = jobConcurrency(analysis);
    assert.equal(jobs.most, truth.concurrency!.max);
    assert.deepEqual(atLevel(jobs), known(truth.concurrency!.msAtLevel));
    if (truth.concurrency!.changes)
      assert.deepEqual(
        Array.from(jobs.us, (us, k) => [(us - from) / 1000, jobs.running[k]]),
        truth.concurrency!.changes,
      );
    if (truth.buildConcurrency) {
      const build = concurrencyOf(
        steps,
        leaf.filter((i) => ['compile', 'link', 'custom'].includes(stepText(profile, 'role', i)!)),
      );
      assert.equal(build.most, truth.buildConcurrency.max);
      assert.deepEqual(atLevel(build), known(truth.buildConcurrency.msAtLevel));
    }
    const slowest = leaf.map((i) => steps.durationUs[i] / 1000).sort((a, b) => b - a);
    assert.deepEqual(
      slowest.slice(0, 10),
      truth.slowest!.map((s) => s.durationMs),
    );
    // Weighted durations add up to the time in which anything ran.
    near(
      weightedUs(analysis).reduce((a, b) => a + b, 0) / 1000,
      Object.entries(truth.concurrency!.msAtLevel).reduce((s, [n, ms]) => s + (n === '0' ? 0 : ms), 0),
    );
  }
  const targets = Object.fromEntries(
    groupRows(analysis, 'target')
      .filter((t) => t.target !== NO_TARGET)
      .map((t) => [t.target, t.durationUs / 1000]),
  );
  assert.deepEqual(targets, Object.fromEntries(Object.entries(truth.targets).map(([k, v]) => [k, v.totalMs])));
  const none = groupRows(analysis, 'target').find((t) => t.target === NO_TARGET);
  assert.deepEqual({ count: none?.steps ?? 0, totalMs: (none?.durationUs ?? 0) / 1000 }, truth.noTarget);
  const languages: Record<string, number> = {};
  for (const i of all) {
    const language = stepText(profile, 'language', i);
    if (language !== null && hasRun(steps, i) && stepText(profile, 'role', i) === 'compile')
      languages[language] = (languages[language] ?? 0) + 1;
  }
  assert.deepEqual(languages, truth.languages);
  const bad = all.filter((i) => stepFailed(steps, i)).map((i) => `${stepText(profile, 'role', i)} ${steps.result[i]}`);
  assert.deepEqual(bad.sort(), truth.failed.map((f) => `${f.role} ${f.result}`).sort());
  const memory = steps.gauges.filter((g) => g.name === 'host memory').flatMap((g) => [...g.value]);
  if (truth.memoryUsedKiB && truth.neverRan.length === 0)
    assert.deepEqual({ min: Math.min(...memory), max: Math.max(...memory) }, truth.memoryUsedKiB);
  lanesNeverOverlap(analysis);
  pathIsAChain(analysis);
}

function lanesNeverOverlap(analysis: Analysis<'steps'>): void {
  const steps = analysis.profile.steps;
  const lanes = lanesOf(analysis);
  let placed = 0;
  for (const lane of lanes.steps) {
    let end = Number.NEGATIVE_INFINITY;
    for (const i of lane) {
      assert.ok(steps.startUs[i] >= end);
      end = Math.max(end, endUs(steps, i));
      placed++;
    }
  }
  assert.equal(placed, Array.from(activeSteps(analysis)).filter((i) => hasRun(steps, i)).length);
}

function pathIsAChain(analysis: Analysis<'steps'>): void {
  const steps = analysis.profile.steps;
  const { links } = criticalPath(analysis);
  const jobs = Array.from(activeSteps(analysis)).filter((i) => isJob(steps, i));
  assert.equal(links.length > 0, jobs.length > 0);
  if (links.length === 0) return;
  // Configure, tests and installs are stages of their own.
  const role = (i: number) => stepText(analysis.profile, 'role', i)!;
  const isBuilt = (i: number) =>
    !['configure', 'generate', 'test', 'install'].includes(role(i)) ||
    (steps.parent[i] >= 0 && /uild$/.test(role(steps.parent[i])));
  const built = jobs.filter(isBuilt);
  const ends = (built.length > 0 ? built : jobs).map((i) => endUs(steps, i));
  assert.equal(endUs(steps, links.at(-1)!.step), Math.max(...ends));
  // Each begins when the one before has ended, but for what a clock of milliseconds cannot tell.
  for (let k = 1; k < links.length; k++) assert.ok(steps.startUs[links[k].step] >= endUs(steps, links[k - 1].step) - 2000);
}

let sets = 0;
for (const file of namesIn(FOLDER, /\.json\.gz$/)) {
  const name = file.replace('.json.gz', '');
  if (name === 'edge') continue;
  test(`${name}: every set of it is the truth's`, async () => {
    const folder = unpack(join(FOLDER, `${name}.json`));
    if (!existsSync(join(folder, 'truth.json'))) return;
    const truths = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Record<string, Truth>;
    for (const [set, truth] of Object.entries(truths)) {
      if (!existsSync(join(folder, set))) continue;
      // git keeps no empty folders.
      mkdirSync(join(folder, set, '.cmake/instrumentation/v1/data'), { recursive: true });
      const analysis = await load(join(folder, set));
      sets++;
      if (truth.steps === 0 && truth.trace) assert.equal(analysis.profile.steps.name.length, truth.trace.events, set);
      else compare(analysis, truth);
      if (truth.trace) await compareTrace(join(folder, set, '.cmake/instrumentation/v1/data', truth.trace.file), truth.trace);
    }
  });
}
test('there were sets to compare', () => assert.ok(sets > 40, `${sets}`));

/** A trace alone is a whole profile; its lanes follow CMake's rule. */
async function compareTrace(path: string, truth: NonNullable<Truth['trace']>): Promise<void> {
  const profile = profileOf(await loadProfile([path]), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  const { steps } = profile;
  assert.equal(steps.name.length, truth.events);
  const byCat: Record<string, number> = {};
  for (let i = 0; i < steps.name.length; i++)
    byCat[stepText(profile, 'role', i)!] = (byCat[stepText(profile, 'role', i)!] ?? 0) + 1;
  assert.deepEqual(byCat, truth.byCat);
  const events = JSON.parse(readFileSync(path, 'utf8')) as {
    tid: number;
    args: { role: string; timeStart: number; duration: number };
  }[];
  const whole = new Set(['cmakeBuild', 'build', 'cmakeInstall', 'ctest']);
  const lanes = cmakeLanes(
    events.map((e) => ({ startMs: e.args.timeStart, durationMs: e.args.duration, whole: whole.has(e.args.role) })),
  );
  assert.deepEqual(
    lanes,
    events.map((e) => e.tid),
  );
}

const EDGE = unpack(join(FOLDER, 'edge.json'));
for (const name of readdirSync(EDGE).sort()) {
  const expected = JSON.parse(readFileSync(join(EDGE, name, 'expected.json'), 'utf8')) as {
    steps?: number | string;
    totalMs?: number;
    makespanMs?: number;
    maxConcurrency?: number;
    problems?: number;
    neverRan?: number;
    refused?: string[];
    missing?: string[];
    unreadable?: string[];
    targets?: Record<string, number>;
    stepsOfFirst?: number;
    leafMs?: number;
  };
  test(`edge ${name}: ${(expected as { what?: string }).what}`, async () => {
    mkdirSync(join(EDGE, name, '.cmake/instrumentation/v1/data'), { recursive: true });
    if (name === 'version-2') {
      await assert.rejects(load(join(EDGE, name)), (e) => e instanceof FormatError && /version 2/.test(e.problem.found));
      return;
    }
    const analysis = await load(join(EDGE, name));
    const { profile } = analysis;
    const steps = profileOf(profile, 'steps').steps;
    const all = Array.from(activeSteps(analysis));
    const wanted = typeof expected.steps === 'number' ? expected.steps : undefined;
    if (wanted !== undefined) assert.equal(all.length, wanted);
    if (expected.stepsOfFirst !== undefined) assert.deepEqual([profile.parts.length, all.length], [2, 2]);
    const ranJobs = all.filter((i) => isJob(steps, i));
    const total = ranJobs.reduce((s, i) => s + steps.durationUs[i] / 1000, 0);
    if (expected.totalMs !== undefined && expected.leafMs === undefined) assert.equal(total, expected.totalMs);
    const [from, to] = timeWindowOf(analysis);
    if (expected.makespanMs !== undefined) assert.equal((to - from) / 1000, expected.makespanMs);
    if (expected.maxConcurrency !== undefined) assert.equal(jobConcurrency(analysis).most, expected.maxConcurrency);
    if (expected.neverRan !== undefined) assert.equal(all.filter((i) => !hasRun(steps, i)).length, expected.neverRan);
    const said = profile.warnings.map((w) => `${w.path} ${w.found}`).join('\n');
    for (const given of [...(expected.refused ?? []), ...(expected.missing ?? []), ...(expected.unreadable ?? [])])
      assert.ok(said.includes(given), `${given} in ${said}`);
    if (expected.targets)
      assert.deepEqual(Object.fromEntries(groupRows(analysis, 'target').map((t) => [t.target, t.durationUs / 1000])), {
        ...expected.targets,
        // One step of the case has no target at all.
        ...(name === 'hostile-text' ? { [NO_TARGET]: 5 } : {}),
      });
    if (expected.problems === 0) assert.equal(profile.warnings.filter((w) => !/^none: nothing/.test(w.found)).length, 0);
    for (const i of all) assert.ok(Number.isFinite(steps.durationUs[i]) && stepName(profile, i) !== undefined);
    lanesNeverOverlap(analysis);
    pathIsAChain(analysis);
  });
}

test('any part of a build tree opens: .cmake, instrumentation, v1, data, an index, one snippet, a trace', async () => {
  const folder = unpack(join(FOLDER, 'tidepool-ninja-hooks.json'));
  const set = join(folder, 'kept/07-postBuild');
  const v1 = join(set, '.cmake/instrumentation/v1');
  const count = async (path: string) => profileOf(await loadProfile([path]), 'steps').steps.name.length;
  const steps = await count(set);
  assert.ok(steps > 5);
  for (const part of ['.cmake', '.cmake/instrumentation', '.cmake/instrumentation/v1', '.cmake/instrumentation/v1/data'])
    assert.equal(await count(join(set, part)), steps, part);
  const [index] = readdirSync(join(v1, 'data/index'));
  assert.equal(await count(join(v1, 'data/index', index)), steps);
  const snippet = readdirSync(join(v1, 'data')).find((n) => n.startsWith('compile-'))!;
  assert.equal(await count(join(v1, 'data', snippet)), 1);
});

/**
 * The lanes that CMake 4.3 gives its own traces: in order of end, latest first, whole builds on 0, every other step on the first
 * of 1, 2, ... whose earliest start so far is not before its end. Rows in the order given.
 */
function cmakeLanes(rows: readonly { startMs: number; durationMs: number; whole: boolean }[]): number[] {
  const earliest: number[] = [];
  return rows.map((s) => {
    if (s.whole) return 0;
    const end = s.startMs + s.durationMs;
    let lane = earliest.findIndex((start) => start >= end);
    if (lane < 0) lane = earliest.length;
    earliest[lane] = s.startMs;
    return lane + 1;
  });
}

test('of each target, the time from its last object to its link is that of the snippets of the folder', async () => {
  const folder = join(unpack(join(FOLDER, 'tidepool-ninja-unity.json.gz')), 'build');
  const data = join(folder, '.cmake/instrumentation/v1/data');
  const ends = new Map<string, number>();
  const links = new Map<string, number>();
  for (const name of readdirSync(data).filter((file) => /^(compile|link)-/.test(file))) {
    const { role, target, timeStart, duration } = JSON.parse(readFileSync(join(data, name), 'utf8'));
    if (role === 'compile') ends.set(target, Math.max(ends.get(target) ?? 0, timeStart + duration));
    else links.set(target, Math.min(links.get(target) ?? Number.POSITIVE_INFINITY, timeStart));
  }
  const expected = Object.fromEntries(
    [...ends].map(([target, end]) => [target, links.has(target) ? Math.max(0, links.get(target)! - end) : null]),
  );
  const rows = groupRows(await load(folder), 'target').filter((row) => row.lastObject >= 0);
  assert.deepEqual(
    Object.fromEntries(rows.map((row) => [row.target, Number.isNaN(row.waitedUs) ? null : Math.round(row.waitedUs / 1000)])),
    expected,
  );
  assert.equal(expected['app'], 9426);
});
