// The history of kept builds: what is collected comes back, courses add up, and changes are found where they were made.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { findChangePoint } from '../../src/analysis/builds/change-point.ts';
import { historyRows } from '../../src/analysis/builds/history.ts';
import { checkedOutCommit, collectBuild, readBuildOrigin, readCacheHits } from '../../src/io/builds/cmake-builds.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { Sink } from '../../src/model/sink.ts';
import type { KeptBuild, KeptBuildInfo } from '../../src/model/steps/history.ts';
import { StepWriter } from '../../src/model/steps/writer.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { long } from '../support/long.ts';
import { gauss, random } from '../support/random.ts';

/** Numbers between 0 and 1, and of a normal distribution, that are the same in every run. */
function chance(seed: number) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { uniform, normal: () => Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform()) };
}

long('of seeded courses, changes are found within one build in 88 %, and where there is none, hardly ever', () => {
  const { uniform, normal } = chance(99);
  for (const [builds, ratio, noise] of [
    [12, 1.3, 0.05],
    [20, 0.8, 0.05],
    [40, 1.3, 0.05],
    [100, 1.5, 0.1],
  ]) {
    let [near, wrong] = [0, 0];
    const TRIALS = 300;
    for (let t = 0; t < TRIALS; t++) {
      const at = 3 + Math.floor(uniform() * (builds - 6));
      const course = (from: number) =>
        Array.from({ length: builds }, (_, b) => 1000 * Math.exp(noise * normal()) * (b >= from ? ratio : 1));
      const found = findChangePoint(course(at));
      if (found && Math.abs(found.at - at) <= 1) near++;
      if (findChangePoint(course(builds))) wrong++;
    }
    // Steps within four builds of an end are the ones that values with a memory may explain as well.
    assert.ok(near >= 0.88 * TRIALS, `${near} of ${TRIALS} with ${builds} builds`);
    assert.ok(wrong <= 0.075 * TRIALS, `${wrong} of ${TRIALS} false with ${builds} builds`);
  }
});

test('a slow run, equal times, few builds: no change', () => {
  const { normal } = chance(5);
  const noise = () => 1000 * Math.exp(0.03 * normal());
  const spike = Array.from({ length: 20 }, (_, b) => (b === 12 ? 9000 : noise()));
  assert.equal(findChangePoint(spike), undefined);
  assert.equal(findChangePoint(Array.from({ length: 20 }, () => 7)), undefined);
  assert.equal(findChangePoint([1, 1, 1, 9, 9]), undefined);
  assert.deepEqual(findChangePoint([10, 10, 10, 10, 10, 20, 20, 20, 20, 20]), {
    ...{ kind: 'step', at: 5, before: 10, after: 20, chance: 0 },
  });
  assert.equal(findChangePoint([]), undefined);
  // A drift behind a step is none of the whole course: the step remains.
  const risen = Array.from({ length: 26 }, (_, b) => (b < 12 ? 500 + (b % 3) : 1000 * 1.04 ** (b - 12) + (b % 3)));
  const found = findChangePoint(risen);
  assert.deepEqual([found?.kind, found?.at], ['step', 12]);
});

/** A tree with builds of three steps; the second takes twice as long from build 6 on, the third runs in every other build. */
async function tree(): Promise<string> {
  const build = mkdtempSync(join(tmpdir(), 'proftui-history-'));
  const data = join(build, '.cmake/instrumentation/v1/data');
  mkdirSync(join(data, 'index'), { recursive: true });
  for (let b = 0; b < 12; b++) {
    const steps = [
      ['a.cpp', 1000 + b],
      ['b.cpp', b < 6 ? 500 + b : 1000 + b],
      ...(b % 2 === 0 ? [['c.cpp', 300] as const] : []),
    ] as const;
    const snippets = steps.map(([source, duration], k) => {
      const name = `compile-${`${b}${k}`.padStart(20, '0')}-2026-11-22T08-00-00-0000.json`;
      writeFileSync(
        join(data, name),
        JSON.stringify({
          ...{ version: 1, role: 'compile', source, target: source === 'a.cpp' ? 'app' : 'lib', outputs: [`${source}.o`] },
          ...{ command: 'c++', language: 'C++', workingDir: build, result: b === 3 && k === 0 ? 1 : 0 },
          ...{ timeStart: 1.79e12 + b * 3.6e6 + k * 10, duration },
        }),
      );
      return name;
    });
    const index = join(data, `index/index-2026-11-22T08-${10 + b}-00-0000.json`);
    writeFileSync(index, JSON.stringify({ version: 1, hook: 'postBuild', snippets }));
    assert.ok(await collectBuild(index));
    rmSync(index);
  }
  return build;
}

test('builds that were kept: what each was, the course of steps and targets, and since when one takes longer', async () => {
  const build = await tree();
  const kept = readdirSync(join(build, '.proftui')).sort();
  const profile = profileOf(await loadProfile([join(build, '.proftui', kept[4])]), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  const analysis = analysisOf(profile, 'steps');
  const builds = historyRows(analysis, 'builds');
  assert.deepEqual(
    builds.map((row) => row.build?.buildInfo.failures),
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
  );
  assert.deepEqual([builds[0].build?.buildInfo.jobs, builds[1].build?.buildInfo.jobs], [2, 3]);
  assert.equal(builds[11].build?.buildInfo.workMs, 1000 + 500 + 300);
  const steps = new Map(historyRows(analysis, 'steps').map((row) => [row.name, row]));
  assert.deepEqual(
    [...steps].map(([name, row]) => [name, row.runs, row.lastMs]),
    [
      ['compile lib b.cpp', 12, 1011],
      // It failed once, and took no time for its work then.
      ['compile app a.cpp', 11, 1011],
      ['compile lib c.cpp', 6, 300],
    ],
  );
  const { chance = 1, ...change } = steps.get('compile lib b.cpp')?.change ?? {};
  assert.deepEqual(change, { kind: 'step', at: 6, before: 502.5, after: 1008.5, build: 6 });
  assert.ok(chance < 1e-9);
  assert.equal(steps.get('compile app a.cpp')?.change, undefined);
  assert.deepEqual(steps.get('compile lib c.cpp')?.ms[0], 300);
  assert.ok(Number.isNaN(steps.get('compile lib c.cpp')?.ms[1]));
  const targets = new Map(historyRows(analysis, 'targets').map((row) => [row.name, row.ms]));
  assert.deepEqual(targets.get('lib')?.slice(0, 2), [800, 501]);
});

/** Builds whose steps, of one target, took so many milliseconds: of each step, in all builds. */
function keptBuilds(builds: readonly KeptBuild[], ms: readonly number[]) {
  const sink = new Sink();
  const rows = sink.writerFor(StepWriter);
  const steps = ms.length / builds.length;
  rows.facts.history = {
    builds,
    key: Uint32Array.from({ length: steps }, (_, k) => rows.textId(`step ${k}`)),
    target: new Int32Array(steps).fill(rows.textId('lib')),
    ms: Float64Array.from(ms),
  };
  sink.addPart({ path: 'test', events: ['time'] });
  return analysisOf(profileOf(sink.finish('cmake'), 'steps'), 'steps');
}

test('of many steps that did not change, hardly one is told; one that did is, and so is one that drifts', () => {
  const r = random(101);
  const BUILDS = 12;
  const builds: readonly KeptBuild[] = Array.from({ length: BUILDS }, (_, b) => ({
    path: `/b/${b}`,
    buildInfo: { what: 'build', hook: 'postBuild', startMs: 1e12 + b },
  }));
  const told = (steps: number, factor: (step: number, build: number) => number) => {
    const ms = Array.from({ length: steps * BUILDS }, (_, k) => {
      return 1000 * Math.exp(0.03 * gauss(r)) * factor(Math.floor(k / BUILDS), k % BUILDS);
    });
    return historyRows(keptBuilds(builds, ms), 'steps').flatMap(({ name, change }) => (change ? [`${change.kind} ${name}`] : []));
  };
  // 40 steps are large, 400 are small; each tree by itself has a false one in at most 4 % of cases.
  let trees = 0;
  for (let t = 0; t < 50; t++) if (told(t % 5 === 0 ? 400 : 40, () => 1).length > 0) trees++;
  assert.ok(trees <= 5, `${trees} of 50 trees`);
  const changed = (s: number, b: number) => (s === 7 && b >= 6 ? 1.5 : s === 9 ? 1.05 ** b : 1);
  assert.deepEqual(told(40, changed), ['drift step 9', 'step step 7']);
  // A drift of whole builds began in none of them.
  const drifting = builds.map(
    ({ path, buildInfo: about }, b): KeptBuild => ({ path, buildInfo: { ...about, jobs: 1, durationMs: 1000 * 1.05 ** b } }),
  );
  const rows = historyRows(
    keptBuilds(
      drifting,
      Array.from(drifting, () => 1000),
    ),
    'builds',
  );
  assert.deepEqual([rows.length, rows.filter(({ change }) => change).length], [BUILDS, 0]);
});

test('builds, steps and targets are compared with their like: full builds, of one host, with one -j', () => {
  // 8 builds of four steps in one target, of which the last four compiled one step alone; the duration is their sum.
  const full = [400, 402, 398, 401, 400, 399, 403, 400];
  const ms = [0, 1, 2, 3].flatMap((step) =>
    [...full, 100, 101, 99, 100].map((sum, b) => (b < 8 ? sum / 4 : step === 0 ? sum : Number.NaN)),
  );
  const about = (b: number, more: Partial<KeptBuildInfo>): KeptBuild => ({
    path: `/b/build-${b}.json.gz`,
    buildInfo: { what: 'build', hook: 'postBuild', jobs: b < 8 ? 4 : 1, startMs: 1e12 + b, ...more },
  });
  const changes = (more: (b: number) => Partial<KeptBuildInfo>, factor: (b: number) => number) => {
    const builds = Array.from({ length: 12 }, (_, b) =>
      about(b, { ...more(b), durationMs: (b < 8 ? full[b] : 100) * factor(b) }),
    );
    const analysis = keptBuilds(
      builds,
      ms.map((value, k) => value * factor(k % 12)),
    );
    return (['builds', 'steps', 'targets'] as const).map(
      (table) => historyRows(analysis, table).filter((row) => row.change).length,
    );
  };
  const none = () => ({});
  assert.deepEqual(
    changes(none, () => 1),
    [0, 0, 0],
    'fewer steps are no gain',
  );
  // The same change is one among alike builds, and none where another host, or another -j, made it.
  const slower = (b: number) => (b >= 4 ? 1.5 : 1);
  assert.deepEqual(changes(none, slower), [1, 4, 1]);
  assert.deepEqual(
    changes((b) => ({ host: b >= 4 ? 'new' : 'old' }), slower),
    [0, 0, 0],
  );
  assert.deepEqual(
    changes((b) => ({ parallel: b >= 4 ? 2 : 16 }), slower),
    [0, 0, 0],
  );
  assert.deepEqual(
    changes((b) => ({ configs: [b >= 4 ? 'Debug' : 'Release'] }), slower),
    [0, 0, 0],
  );
});

test('hits of a compiler cache are those since the build before', () => {
  const tree = mkdtempSync(join(tmpdir(), 'proftui-cache-'));
  const log = join(tree, 'stats.log');
  const hits = (environment: NodeJS.ProcessEnv) => readCacheHits(tree, '.proftui', environment)?.use;
  assert.equal(hits({}), undefined);
  assert.equal(hits({ CCACHE_STATSLOG: log }), undefined, 'it is not there yet');
  writeFileSync(log, '# a.c\ndirect_cache_hit\n# b.c\ncache_miss\n# c.c\npreprocessed_cache_hit\n');
  assert.deepEqual(hits({ CCACHE_STATSLOG: log }), { hits: 2, misses: 1 });
  appendFileSync(log, '# d.c\ncache_miss\n');
  assert.deepEqual(hits({ CCACHE_STATSLOG: log }), { hits: 0, misses: 1 });
  writeFileSync(log, '# e.c\ndirect_cache_hit\n');
  assert.deepEqual(hits({ CCACHE_STATSLOG: log }), { hits: 1, misses: 0 }, 'it has begun anew');
});

test('compiles that ccache cannot serve are counted, links are not: the same from both of its logs', () => {
  const tree = mkdtempSync(join(tmpdir(), 'proftui-cache-'));
  // As ccache 4.7.5 writes them for a miss, a hit, -save-temps twice, and a link.
  const results = [
    ['cache_miss', 'direct_cache_miss', 'local_storage_miss', 'local_storage_write', 'preprocessed_cache_miss'],
    ['direct_cache_hit', 'local_storage_hit', 'local_storage_read_hit'],
    ...[['unsupported_compiler_option'], ['unsupported_compiler_option'], ['called_for_link']],
  ];
  const [stats, log] = [join(tree, 'stats.log'), join(tree, 'log')];
  writeFileSync(stats, results.map((lines) => `# a.c\n${lines.join('\n')}\n`).join(''));
  writeFileSync(
    log,
    results.map((lines) => lines.map((word) => `[2026-11-25T02:21:42.385315 9328 ] Result: ${word}\n`).join('')).join(''),
  );
  const expected = { hits: 1, misses: 1, uncached: 2, reason: 'unsupported_compiler_option' };
  assert.deepEqual(readCacheHits(tree, '.proftui', { CCACHE_STATSLOG: stats })?.use, expected);
  assert.deepEqual(readCacheHits(tree, '.proftui', { CCACHE_LOGFILE: log })?.use, expected);
});

test('git and the job of a build: from files alone, and none where there are none', () => {
  const source = mkdtempSync(join(tmpdir(), 'proftui-source-'));
  assert.equal(checkedOutCommit(source), undefined);
  const commit = '0123456789abcdef0123456789abcdef01234567';
  mkdirSync(join(source, '.git/refs/heads'), { recursive: true });
  writeFileSync(join(source, '.git/HEAD'), `${commit}\n`);
  assert.equal(checkedOutCommit(source), commit);
  writeFileSync(join(source, '.git/HEAD'), 'ref: refs/heads/main\n');
  assert.equal(checkedOutCommit(source), undefined);
  writeFileSync(join(source, '.git/packed-refs'), `# pack-refs\n${commit} refs/heads/main\n`);
  assert.equal(checkedOutCommit(source), commit);
  writeFileSync(join(source, '.git/refs/heads/main'), `${commit.replace('0', 'f')}\n`);
  assert.equal(checkedOutCommit(source), commit.replace('0', 'f'));
  writeFileSync(join(source, '.git/HEAD'), 'ref: refs/../../etc/passwd\n');
  assert.equal(checkedOutCommit(source), undefined);
  assert.deepEqual(readBuildOrigin('/not/there', { BUILD_NUMBER: '7' }), { job: '7', host: hostname() });
});
