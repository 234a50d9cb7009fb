// Every fixture against itself: no limit on a difference is exceeded, whatever it is of, scaled to equal totals or not.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../../src/analysis/answers/analysis.ts';
import { allEvents } from '../../../src/analysis/answers/events.ts';
import { stepName, stepText } from '../../../src/analysis/answers/steps/steps.ts';
import { checkLimit, parseLimit } from '../../../src/analysis/limits/limits.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { unpack } from '../../support/bundle.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { analysisOf } from '../../support/kinds.ts';
import { long } from '../../support/long.ts';
import { PLAINLY } from '../../support/versus.ts';

/** Paths below fixtures/, and how many profiles of each format there are at least. */
const PROFILES: Readonly<Record<string, readonly [files: RegExp, least: number]>> = {
  callgrind: [/\.callgrind\.out/, 40],
  cachegrind: [/\.cachegrind\.out/, 5],
  gperftools: [/\.prof(\.gz|\.0)?$/, 10],
  aprof: [/\.aprof(\.gz)?$/, 20],
  'ninja-log': [/\.ninja_log(\.gz)?$/, 6],
  'trace-events': [/\.json(\.gz)?$/, 15],
  'build-trace': [/\.trace(\.gz)?$/, 4],
};

function assertKept(analysis: Analysis, name: string): void {
  const { can } = analysis.costing;
  const names = analysis.events.map((e) => JSON.stringify(e.name));
  const subjects = [
    ...names,
    ...(['self', 'inclusive'] as const).flatMap((side) =>
      can.has('routines') && can.has(side) ? names.map((event) => `any routine ${side} ${event}`) : [],
    ),
    ...(can.has('routines') && can.has('counts') ? ['any routine calls'] : []),
    ...(can.has('steps') ? ['build duration', 'any step duration', 'any target duration', 'any test duration'] : []),
    ...(analysis.profile.kind === 'steps' && analysis.profile.steps.compiles ? ['any header duration'] : []),
  ];
  for (const subject of subjects)
    for (const amount of ['> +0%', '< -0'])
      assert.equal(checkLimit(parseLimit(`${subject} ${amount}`), analysis).exceeded, false, `${name}: ${subject} ${amount}`);
  if (can.has('inputs')) assert.equal(checkLimit(parseLimit('law worse'), analysis).exceeded, false, name);
}

async function keepsLimits(path: string): Promise<boolean> {
  // Some are made to be refused.
  const profile = await loadProfile([path]).catch(() => undefined);
  if (!profile) return false;
  for (const normalize of [false, true]) {
    const both = compareProfiles(profile, profile, { ...PLAINLY, normalize });
    assertKept(analyse(both, allEvents(both.events, [])), path);
  }
  return true;
}

for (const [format, [files, least]] of Object.entries(PROFILES))
  long(`${format}: a profile against itself keeps every limit`, async () => {
    let kept = 0;
    for (const name of readdirSync(join(FIXTURES, format), { recursive: true, encoding: 'utf8' }))
      if (files.test(name) && !/truth|expected/.test(name) && (await keepsLimits(join(FIXTURES, format, name)))) kept++;
    assert.ok(kept >= least, String(kept));
  });

test('cmake: a build against itself keeps every limit', async () => {
  for (const name of ['tidepool-ninja-plain', 'tidepool-make-failing', 'tidepool-ninja-incremental'])
    assert.ok(await keepsLimits(join(unpack(join(FIXTURES, `cmake/${name}.json`)), 'build')), name);
});

/** The largest whole number of milliseconds that a limit is exceeded by, of a duration below 100 s. */
function durationOf(subject: string, analysis: Analysis): number {
  const exceeds = (ms: number) => checkLimit(parseLimit(`${subject} duration >= ${ms}`), analysis).exceeded;
  let [low, high] = [-1, 100_000];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (exceeds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

test('targets, tests and headers have the sums of their steps and traces', async () => {
  const build = analysisOf(
    await loadProfile([join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build')]),
    'steps',
  );
  const { profile } = build;
  const { steps } = profile;
  const sums = { target: new Map<string, number>(), test: new Map<string, number>() };
  const add = (of: Map<string, number>, name: string | null, us: number) => {
    if (name !== null) of.set(name, (of.get(name) ?? 0) + us / 1000);
  };
  for (let i = 0; i < steps.name.length; i++) {
    if (steps.kind[i] !== 0 || Number.isNaN(steps.startUs[i])) continue;
    const us = steps.durationUs[i];
    add(sums.target, stepText(profile, 'target', i), us);
    if (stepText(profile, 'role', i) === 'test') add(sums.test, stepName(profile, i), us);
  }
  assert.ok(sums.target.size > 3 && sums.test.size > 5);
  for (const [kind, of] of Object.entries(sums))
    for (const [name, ms] of of) assert.equal(durationOf(`${kind} ${JSON.stringify(name)}`, build), Math.floor(ms), name);
  const traces = analysisOf(await loadProfile([join(FIXTURES, 'clang-traces/whole-build')]), 'steps');
  // As ClangBuildAnalyzer says it: "322 ms: .../bits/stl_algo.h (included 17 times".
  const said = gunzipSync(readFileSync(join(FIXTURES, 'clang-traces/whole-build/ClangBuildAnalyzer.txt.gz'))).toString();
  const headers = [...said.matchAll(/^(\d+) ms: (\/\S*[^.]) \(included/gm)];
  assert.ok(headers.length > 10);
  for (const [, ms, name] of headers) assert.equal(durationOf(`header ${JSON.stringify(name)}`, traces), Number(ms), name);
});
