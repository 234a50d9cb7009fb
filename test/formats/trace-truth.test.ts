// Trace Event files and ninja logs against their ground truth, and the hand-made traces.

import assert from 'node:assert/strict';
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { lanesOf } from '../../src/analysis/answers/steps/lanes.ts';
import {
  activeSteps,
  endUs,
  hasRun,
  jobConcurrency,
  recordedName as stepName,
  timeWindowOf,
} from '../../src/analysis/answers/steps/steps.ts';
import { nameInData } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { totalJobUs } from '../../src/columns/builds/times.ts';
import { ninjaLog } from '../../src/formats/ninja-log.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { ASYNC_KIND, SUM_KIND } from '../../src/model/steps/tables.ts';
import { stringAt } from '../../src/model/strings.ts';
import { unpack } from '../support/bundle.ts';
import { existing, FIXTURES, readJson, readMaybeGz } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';
import { long } from '../support/long.ts';

const TRACES = join(FIXTURES, 'trace-events');

const open = async (path: string): Promise<Analysis<'steps'>> => {
  const profile = await loadProfile([existing(path)]);
  assert.equal(profile.format, 'trace-events');
  assert.deepEqual(checkProfile(profile), []);
  return analysisOf(profile, 'steps');
};

/** [count, total, self] of spans by name, a span inside one of its own name counted again. */
function byName(analysis: Analysis<'steps'>): Map<string, [number, number, number]> {
  const { profile, totals } = analysis;
  const steps = profileOf(profile, 'steps').steps;
  const total = new Map<string, number>();
  for (const i of activeSteps(analysis))
    if (hasRun(steps, i) && steps.kind[i] !== ASYNC_KIND)
      total.set(stepName(profile, i), (total.get(stepName(profile, i)) ?? 0) + steps.durationUs[i]);
  return new Map(
    Array.from(profile.routines.name, (_, r) => [
      nameInData(profile, r),
      [totals.calls[r], total.get(nameInData(profile, r))!, totals.self[0][r]],
    ]),
  );
}

interface TimeTrace {
  events: number;
  realSpans: number;
  totalsEvents: number;
  depth: number;
  beginningOfTime: number;
  endUs: number;
  byName: Record<string, { count: number; totalUs: number; selfUs: number }>;
  longest: { name: string; us: number; detail: string }[];
  clangsOwnTotalsUs: Record<string, number>;
}

const clang = readJson<Record<string, TimeTrace>>(join(TRACES, 'clang-time-trace/truth.json'));
for (const [file, truth] of Object.entries(clang)) {
  test(`clang -ftime-trace ${file}: spans, names, self times, depth are the truth's; its sums stand apart`, async () => {
    const analysis = await open(join(TRACES, 'clang-time-trace', file));
    const { profile } = analysis;
    const steps = profileOf(profile, 'steps').steps;
    const spans = Array.from(activeSteps(analysis));
    assert.equal(spans.length, truth.realSpans);
    assert.equal(Array.from(steps.kind).filter((k) => k === SUM_KIND).length, truth.totalsEvents);
    assert.equal(steps.originUs, truth.beginningOfTime);
    assert.equal(timeWindowOf(analysis)[1], truth.endUs);
    const mine = byName(analysis);
    assert.deepEqual(
      new Map([...mine].map(([n, [c, t, s]]) => [n, { count: c, totalUs: t, selfUs: s }])),
      new Map([...mine.keys()].map((n) => [n, truth.byName[n]])),
    );
    assert.equal(mine.size, Object.keys(truth.byName).length);
    let deepest = 0;
    for (const i of spans) {
      let depth = 1;
      for (let k = steps.parent[i]; k >= 0; k = steps.parent[k]) depth++;
      deepest = Math.max(deepest, depth);
    }
    assert.equal(deepest, truth.depth);
    assert.deepEqual(
      spans
        .map((i) => steps.durationUs[i])
        .sort((a, b) => b - a)
        .slice(0, 10),
      truth.longest.map((l) => l.us),
    );
  });
}

interface Hand {
  what: string;
  spans?: number;
  byName?: Record<string, [number, number, number]>;
  lanes?: number;
  startUs?: number;
  endUs?: number;
  warn?: boolean;
  error?: boolean;
  names?: Record<string, string>;
  order?: string[];
  instants?: number;
  counters?: Record<string, number[]>;
  async?: Record<string, [number, number]>;
  asyncOpen?: string[];
  flows?: number;
  matched?: Record<string, number>;
  open?: string[];
  totals?: Record<string, number>;
  mustHave?: Record<string, number>;
  skipped?: number;
  depth?: number;
  offCpuUs?: Record<string, number>;
}

for (const [file, expected] of Object.entries(readJson<Record<string, Hand>>(join(TRACES, 'hand/expected.json')))) {
  long(`${file}: ${expected.what}`, async () => {
    const path = join(TRACES, 'hand', file);
    if (expected.error)
      return void (await assert.rejects(loadProfile([existing(path)], { format: 'trace-events' }), FormatError));
    const analysis = await open(path);
    const { profile } = analysis;
    const steps = profileOf(profile, 'steps').steps;
    const all = Array.from(activeSteps(analysis)).filter((i) => hasRun(steps, i));
    // Where a file has nothing but async spans, they are its steps.
    const onlyAsync = expected.async !== undefined && !all.some((i) => steps.kind[i] === ASYNC_KIND);
    const asyncs = all.filter((i) => onlyAsync || steps.kind[i] === ASYNC_KIND);
    const spans = all.filter((i) => !asyncs.includes(i));
    if (expected.spans !== undefined) assert.equal(spans.length, expected.spans);
    const mine = byName(analysis);
    for (const [name, numbers] of Object.entries(expected.byName ?? {})) assert.deepEqual(mine.get(name), numbers, name);
    for (const [name, total] of Object.entries(expected.totals ?? {}))
      assert.ok(Math.abs(mine.get(name)![1] - total) < 1e-9 || name === 'd', name);
    for (const [, [, , self]] of mine) assert.ok(self >= 0);
    if (expected.lanes !== undefined) assert.equal(new Set(spans.map((i) => steps.track[i])).size, expected.lanes);
    if (expected.startUs !== undefined) assert.deepEqual(timeWindowOf(analysis), [expected.startUs, expected.endUs]);
    if (expected.warn) assert.ok(profile.warnings.length > 0 || profile.cut);
    const said = profile.warnings.map((w) => w.found).join('\n');
    for (const [key, name] of Object.entries(expected.names ?? {})) {
      const [pid, tid] = key.split('/');
      const track = steps.tracks.find((t) => t.pid === pid && (tid === undefined || t.tid === tid))!;
      assert.ok((tid === undefined ? track.processName : track.name)!.startsWith(name));
    }
    if (expected.order) {
      const lanes = lanesOf(analysis);
      assert.deepEqual(
        lanes.steps.map((l) => {
          const t = steps.tracks[steps.track[l[0]]];
          return `${t.pid}/${t.tid}`;
        }),
        expected.order,
      );
    }
    // Instants have no length, so no timeline shows them; but they are known.
    if (expected.instants !== undefined) assert.deepEqual([said, all.length], ['', expected.spans]);
    for (const [name, values] of Object.entries(expected.counters ?? {}))
      assert.deepEqual(
        steps.gauges.filter((g) => g.name === name).flatMap((g) => [...g.value]),
        values,
        name,
      );
    if (expected.async) {
      const sums = new Map<string, [number, number]>();
      for (const i of asyncs) {
        const [n, us] = sums.get(stepName(profile, i)) ?? [0, 0];
        sums.set(stepName(profile, i), [n + 1, us + steps.durationUs[i]]);
      }
      assert.deepEqual(Object.fromEntries(sums), expected.async);
      for (const name of expected.asyncOpen!) assert.ok(said.includes(name));
    }
    if (expected.flows !== undefined) {
      assert.match(profile.parts[0].notes[0], new RegExp(`${expected.flows} whole flow`));
      assert.deepEqual(
        Array.from(steps.linkFrom, (f, k) => `${stepName(profile, f)} > ${stepName(profile, steps.linkTo[k])}`),
        ['ask > pass on', 'pass on > answer'],
      );
    }
    for (const [name, us] of Object.entries({ ...expected.matched, ...expected.mustHave }))
      assert.equal(steps.durationUs[spans.find((i) => stepName(profile, i) === name)!], us, name);
    for (const name of expected.open ?? []) assert.ok(said.includes(name), name);
    if (expected.skipped !== undefined) assert.match(said, new RegExp(`^${expected.skipped} events of phases`, 'm'));
    for (const [name, us] of Object.entries(expected.offCpuUs ?? {})) {
      const i = spans.find((k) => stepName(profile, k) === name)!;
      assert.equal(steps.durationUs[i] - steps.cpuUs[i], us);
    }
    if (expected.depth !== undefined) assert.equal(lanesOf(analysis).count, expected.depth);
    for (const i of all) assert.ok(Number.isFinite(steps.startUs[i]) && Number.isFinite(steps.durationUs[i]));
    for (const lane of lanesOf(analysis).steps)
      for (let k = 1; k < lane.length; k++) assert.ok(steps.startUs[lane[k]] >= endUs(steps, lane[k - 1]));
  });
}

long('traces are the same in chunks of any size, and every prefix is a profile or a FormatError', async () => {
  for (const name of ['complete-object.json', 'begin-end-array.json', 'async.json']) {
    const bytes = readMaybeGz(join(TRACES, 'hand', name));
    const shape = (p: Awaited<ReturnType<typeof loadBytes>>) =>
      JSON.stringify([
        Array.from(profileOf(p, 'steps').steps.startUs),
        Array.from(profileOf(p, 'steps').steps.durationUs),
        Array.from(profileOf(p, 'steps').steps.parent),
      ]);
    const whole = shape(await loadBytes(traceEvents, bytes));
    for (const chunk of [1, 7, 64]) assert.equal(shape(await loadBytes(traceEvents, bytes, chunk)), whole, `${name} ${chunk}`);
    for (let length = 0; length <= bytes.length; length += 3) {
      try {
        assert.deepEqual(checkProfile(await loadBytes(traceEvents, bytes.subarray(0, length))), []);
      } catch (error) {
        assert.ok(error instanceof FormatError, `${name} ${length}: ${error}`);
      }
    }
  }
});

interface NinjaLog {
  lines: number;
  commands: number;
  endGoesBack: number;
  sumOfCommandsMs: number;
  slowest: { ms: number; outputs: string[] }[];
}

for (const [file, truth] of Object.entries(readJson<Record<string, NinjaLog>>(join(FIXTURES, 'ninja-log/truth.json')))) {
  test(`${file}: commands, their sum and the slowest are the truth's; runs are told apart`, async () => {
    const profile = await loadProfile([existing(join(FIXTURES, 'ninja-log', file))]);
    assert.equal(profile.format, 'ninja-log');
    assert.deepEqual(checkProfile(profile), []);
    const steps = profileOf(profile, 'steps').steps;
    // The truth takes equal times of two runs for one command, and every line of a rewritten log for a run of its own.
    if (truth.endGoesBack > 5) {
      assert.ok(profile.warnings.some((w) => /rewritten/.test(w.found)));
      assert.ok(profile.parts.length < 6);
      assert.ok(steps.name.length >= truth.commands);
      assert.equal(steps.outputPath.length, truth.lines);
      return;
    }
    assert.equal(steps.name.length, truth.commands);
    assert.equal(steps.outputPath.length, truth.lines);
    assert.equal(profile.parts.length, truth.endGoesBack + 1);
    assert.equal(steps.durationUs.reduce((a, b) => a + b, 0) / 1000, truth.sumOfCommandsMs);
    const slowest = Array.from(steps.durationUs)
      .map((us) => us / 1000)
      .sort((a, b) => b - a);
    assert.deepEqual(
      slowest.slice(0, truth.slowest.length),
      truth.slowest.map((s) => s.ms),
    );
    const { of, count } = lanesOf(analysisOf(profile, 'steps'));
    assert.ok(count > 0 && of.every((l) => l >= 0));
  });
  test(`${file}: no command is part of another, whatever the times; of several runs the last one is on`, async () => {
    const profile = await loadProfile([existing(join(FIXTURES, 'ninja-log', file))]);
    const { steps } = profileOf(profile, 'steps');
    assert.ok(steps.parent.every((p) => p === -1));
    const { atLevel } = jobConcurrency(analysisOf(profile, 'steps'));
    const work = atLevel.reduce((sum, us, n) => sum + n * us, 0);
    assert.equal(Math.round(work), Math.round(steps.durationUs.reduce((a, b) => a + b, 0)), 'all work counts');
    assert.deepEqual(
      profile.parts.map((p) => p.older ?? false),
      profile.parts.map((_, k) => k < profile.parts.length - 1),
    );
    const shown = play(profile, { width: 80, height: 24 }).state.analysis;
    assert.deepEqual([...shown.partsOff], Array.from(profile.parts.keys()).slice(0, -1));
  });
}

const log = (...lines: [start: number, end: number, output: string, hash?: string][]) =>
  Buffer.from(`# ninja log v5\n${lines.map(([s, e, o, h = o]) => `${s}\t${e}\t1\t${o}\t${h}\n`).join('')}`);

test('a command that runs while another does is beside it: both are work, on two lanes', async () => {
  const profile = await loadBytes(ninjaLog, log([100, 200, 'b.o'], [0, 1000, 'a.o']));
  const analysis = analysisOf(profile, 'steps');
  assert.deepEqual(Array.from(profileOf(profile, 'steps').steps.parent), [-1, -1]);
  assert.equal(totalJobUs(analysis), 1_100_000);
  assert.equal(jobConcurrency(analysis).most, 2);
  assert.equal(lanesOf(analysis).count, 2);
});

test('runs of a log: told apart by ends that go back and by outputs made again; older lines in no order are one part', async () => {
  const parts = async (...lines: Parameters<typeof log>) => {
    const profile = await loadBytes(ninjaLog, log(...lines));
    const { steps } = profileOf(profile, 'steps');
    const names = profile.parts.map((): string[] => []);
    for (const [i, p] of steps.part.entries()) names[p].push(stepName(profileOf(profile, 'steps'), i));
    return names.map((list) => list.sort());
  };
  assert.deepEqual(await parts([0, 5, 'a'], [5, 9, 'b'], [0, 20, 'c']), [['a', 'b', 'c']], 'nothing says otherwise');
  assert.deepEqual(await parts([0, 5, 'a'], [5, 9, 'b'], [0, 3, 'c']), [['a', 'b'], ['c']]);
  assert.deepEqual(await parts([0, 5, 'a'], [0, 9, 'a']), [['a'], ['a']], 'one run makes an output once');
  assert.deepEqual(await parts([0, 5, 'a', 'h'], [5, 9, 'c'], [0, 5, 'b', 'h']), [['a', 'c'], ['b']]);
  const shuffled = [7, 3, 9, 1, 8, 2, 6, 4, 10, 5].map((k): [number, number, string] => [k * 10, k * 10 + 10, `o${k}`]);
  const older = shuffled.map(([, , o]) => o).sort();
  const got = await parts(...shuffled, [0, 4, 'o3'], [4, 9, 'o9'], [0, 3, 'o1']);
  assert.deepEqual(got, [older, ['o3', 'o9'], ['o1']]);
});

test('tidepool-ninja-incremental: the last run of the rewritten log is the last build that CMake recorded', async () => {
  const profile = profileOf(
    await loadProfile([existing(join(FIXTURES, 'ninja-log/tidepool-ninja-incremental/.ninja_log'))]),
    'steps',
  );
  const cmake = profileOf(
    await loadProfile([join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-incremental.json')), 'build')]),
    'steps',
  );
  const role = (i: number) => stringAt(cmake.strings, cmake.steps.role[i]);
  const builds = Array.from(cmake.steps.name.keys()).filter((i) => role(i) === 'cmakeBuild');
  const output = (p: typeof profile, i: number) => stringAt(p.strings, p.steps.outputPath[p.steps.outputStart[i]]);
  const compiled = (p: typeof profile, list: readonly number[]) =>
    list
      .map((i) => output(p, i))
      .filter((o) => o.endsWith('.o'))
      .sort();
  const theirs = Array.from(cmake.steps.name.keys()).filter(
    (i) => cmake.steps.parent[i] === builds.at(-1) && role(i) === 'compile',
  );
  const mine = Array.from(profile.steps.name.keys()).filter((i) => profile.steps.part[i] === profile.parts.length - 1);
  assert.ok(theirs.length > 5);
  assert.deepEqual(compiled(profile, mine), compiled(cmake, theirs));
});

test('build.ninja beside the log: rules, targets, needs; what is missing, changed or newer is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-log-'));
  const path = join(folder, '.ninja_log');
  writeFileSync(
    path,
    log([0, 40, 'CMakeFiles/app.dir/a.cpp.o'], [0, 60, 'gen.h'], [60, 80, 'app'], [0, 60, '/b/gen.h', 'gen.h']),
  );
  const open = async () => profileOf(await loadProfile([path]), 'steps');
  assert.match((await open()).steps.needsCaveat ?? '', /no build.ninja beside the log/);
  const build = [
    'cmake_ninja_workdir = /b/',
    'build CMakeFiles/app.dir/a.cpp.o: CXX_COMPILER__app_unscanned_Debug /src/a.cpp || order',
    '  OBJECT_DIR = CMakeFiles/app.dir',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of ninja's
    'build gen.h | ${cmake_ninja_workdir}gen.h: CUSTOM_COMMAND gen.py',
    'build order: phony',
    'build app: CXX_EXECUTABLE_LINKER__app_Debug CMakeFiles/app.dir/a.cpp.o | gen.h',
    '  OBJECT_DIR = CMakeFiles/app.dir',
  ];
  const buildFile = join(folder, 'build.ninja');
  writeFileSync(buildFile, build.join('\n'));
  const old = new Date('2026-01-01');
  utimesSync(buildFile, old, old);
  const { strings, steps, parts } = await open();
  assert.equal(parts.length, 2, 'the end goes back');
  assert.equal(steps.needsCaveat, undefined);
  const say = (ids: Int32Array) => Array.from(ids, (id) => (id < 0 ? null : stringAt(strings, id)));
  assert.deepEqual(say(steps.role), ['custom', 'compile', 'link', 'custom']);
  assert.deepEqual(say(steps.target), [null, 'app', 'app', null]);
  assert.deepEqual(say(steps.source), [null, '/src/a.cpp', null, null]);
  assert.deepEqual(say(steps.language), [null, 'CXX', 'CXX', null]);
  assert.deepEqual(steps.targets, [{ name: 'app', type: 'EXECUTABLE', labels: [] }]);
  const pairs = Array.from(steps.needs?.step ?? [], (s, k) => [s, steps.needs?.of[k]]);
  assert.deepEqual(pairs.sort(), [
    [2, 0],
    [2, 1],
  ]);
  utimesSync(path, old, new Date('2025-01-01'));
  assert.match((await open()).steps.needsCaveat ?? '', /newer than the log/);
  writeFileSync(buildFile, build.slice(0, 3).join('\n'));
  assert.match((await open()).steps.needsCaveat ?? '', /has changed since: it builds 1 of 4 commands/);
  writeFileSync(buildFile, 'build other: phony');
  const none = await open();
  assert.match(none.steps.needsCaveat ?? '', /builds none of its outputs/);
  assert.equal(none.steps.needs, undefined);
});

test('several logs: each has its parts, laid one after the other', async () => {
  const paths = ['unity', 'interrupted'].map((n) => existing(join(FIXTURES, `ninja-log/tidepool-ninja-${n}/.ninja_log`)));
  const { steps, parts } = profileOf(await loadProfile(paths), 'steps');
  const span = (path: string) => {
    const own = Array.from(steps.name.keys()).filter((i) => parts[steps.part[i]].path === path);
    return [Math.min(...own.map((i) => steps.startUs[i])), Math.max(...own.map((i) => endUs(steps, i)))];
  };
  assert.ok(span(paths[1])[0] >= span(paths[0])[1]);
});

test('a ninja log of another version, or with a broken line', async () => {
  await assert.rejects(loadBytes(ninjaLog, Buffer.from('# ninja log v4\n')), FormatError);
  const profile = await loadBytes(
    ninjaLog,
    Buffer.from('# ninja log v7\n0\t10\t1\ta.o\tff\nnonsense\n10\t5\t1\tb.o\tee\n10\t30\t1\tc\tdd\n'),
  );
  assert.equal(profileOf(profile, 'steps').steps.name.length, 2);
  assert.deepEqual(
    profile.warnings.map((w) => w.line),
    [3, 4],
  );
});
