// The graph of build.ninja, what a build would take with other numbers, two builds compared: cases worked out by hand, and a real one.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { mergedCommandsOf } from '../../src/analysis/answers/steps/folds.ts';
import { activeSteps, isJob, stepName, stepText } from '../../src/analysis/answers/steps/steps.ts';
import { changeName, changesOf, chartChanges, stepsBefore } from '../../src/analysis/builds/changes.ts';
import { criticalPath, stepWait } from '../../src/analysis/builds/critical.ts';
import { availableParallelism, narrowWindows, speedups } from '../../src/analysis/builds/narrow.ts';
import { dependenciesOf, longestChain, readyUs } from '../../src/analysis/builds/needs.ts';
import {
  buildUsWithoutStep,
  type Counterfactual,
  simulate,
  simulation,
  simulationWarning,
} from '../../src/analysis/builds/simulate.ts';
import { builtJobs, stagesOf } from '../../src/analysis/builds/stages.ts';
import { GROUPINGS, groupRows } from '../../src/analysis/builds/targets.ts';
import { checkLimit, parseLimit } from '../../src/analysis/limits/limits.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { drawScreen, toPlainText } from '../../src/app/draw.ts';
import { slowerStepsRule } from '../../src/findings/builds/comparing/slower-steps.ts';
import { phraseText } from '../../src/findings/say.ts';
import { readNinjaFile } from '../../src/formats/cmake/ninja-file.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { jobsIn } from '../../src/model/steps/stages.ts';
import { StepPairs, StepWriter } from '../../src/model/steps/writer.ts';
import { Interner } from '../../src/model/strings.ts';
import { evidence, saidBy } from '../findings/cases.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { play } from '../support/keys.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { PLAINLY, versus } from '../support/versus.ts';

test('build.ninja: escapes, variables, long lines, implicit and order-only inputs, includes, validations', () => {
  const files: Record<string, string> = {
    'build.ninja': [
      '# a comment: build not: this',
      'ninja_required_version = 1.5',
      'top = /b/',
      'include rules.ninja',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of ninja's
      'build a.o: CC a.c | a.h ${top}gen.h || order $',
      '    another |@ check',
      '  FLAGS = -O2',
      'build with$ blank co$:lon | extra: CC in$$put $top/x/../y.c',
      'build order: phony gen.h',
      'subninja ../outside.ninja',
    ].join('\n'),
    'rules.ninja': 'rule CC\n  command = cc\nbuild gen.h: GEN\r\n',
    '../outside.ninja': 'build outside: GEN',
  };
  const read = (name: string) => (files[name] === undefined ? undefined : Buffer.from(files[name]));
  const graph = readNinjaFile(read, 'build.ninja', '/b')!;
  assert.deepEqual(Object.fromEntries([...graph.edges].map(([out, e]) => [out, e.inputs])), {
    '/b/a.o': ['/b/a.c', '/b/a.h', '/b/gen.h', '/b/order', '/b/another'],
    '/b/with blank': ['/b/in$put', '/b/y.c'],
    '/b/co:lon': ['/b/in$put', '/b/y.c'],
    '/b/extra': ['/b/in$put', '/b/y.c'],
    '/b/order': ['/b/gen.h'],
    '/b/gen.h': [],
  });
  assert.equal(
    readNinjaFile(() => undefined, 'build.ninja', '/b'),
    undefined,
  );
});

/** Steps as [name, start, duration, names it needs], in ms, inside a whole build with a command, if given. */
function build(
  list: readonly [name: string, start: number, duration: number, ...needs: string[]][],
  command?: string,
): Analysis<'steps'> {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.trackId('1', '1');
  rows.parallel.add(track);
  const at = new Map(list.map(([name], i) => [name, i]));
  for (const [name, start, duration] of list)
    rows.add({ name, role: 'compile', track, part: 0, startUs: start * 1000, durationUs: duration * 1000 });
  if (command !== undefined) {
    const whole = { name: 'cmakeBuild', role: 'cmakeBuild', kind: 'whole', track, part: 0, startUs: 0, command } as const;
    rows.add({ ...whole, durationUs: Math.max(...list.map(([, start, ms]) => start + ms)) * 1000 });
  }
  const pairs = new StepPairs();
  for (const [i, [, , , ...needs]] of list.entries()) for (const name of needs) pairs.push(i, at.get(name)!);
  rows.needs = pairs;
  sink.addPart({
    path: 'test',
    events: ['time'],
  });
  const profile = sink.finish('cmake');
  return analysisOf(profile, 'steps');
}

test('simulation: two jobs, a chain and a long step, by hand', () => {
  // a and b start; c needs a; d needs b and c; e needs nothing.
  const analysis = build([
    ['a', 0, 10],
    ['b', 0, 30],
    ['c', 10, 20, 'a'],
    ['d', 30, 40, 'b', 'c'],
    ['e', 30, 25],
  ]);
  const ms = (jobs: number, free: number[] = []) =>
    simulate(analysis, jobs, { savedUs: new Map(free.map((i) => [i, analysis.profile.steps.durationUs[i]])) })! / 1000;
  assert.equal(ms(1), 125, 'one after the other');
  assert.equal(ms(2), 70, 'as it was');
  assert.equal(ms(3), 70, 'the chain b, d');
  assert.equal(ms(Number.POSITIVE_INFINITY), 70);
  // Without b: a 0-10, c 10-30, e 0-25 beside them, d 30-70.
  assert.equal(ms(2, [1]), 70);
  // Without d: b until 30; a, c until 30; e from 30 to 55.
  assert.equal(ms(2, [3]), 55);
  assert.equal(ms(3, [3]), 30);
  // The work is 125 ms, the longest chain b, d.
  const exceeds = (limit: string) => checkLimit(parseLimit(limit), analysis).exceeded;
  assert.deepEqual(['build work > 124', 'build work > 125', 'build chain > 69', 'build chain > 70'].map(exceeds), [
    true,
    false,
    true,
    false,
  ]);
  const s = simulation(analysis)!;
  assert.equal(s.jobs, 2);
  assert.equal(s.asItWasUs, 70_000);
  assert.equal(buildUsWithoutStep(analysis, 3), 55_000);
});

test('what would gain most, and where it was narrow, by hand', () => {
  // Three places at first; then b and c alone, each needing the one before.
  const analysis = build([
    ['a', 0, 10],
    ['x', 0, 10],
    ['y', 0, 10],
    ['b', 10, 40, 'a'],
    ['c', 50, 10, 'b'],
  ]);
  assert.equal(simulation(analysis)?.asItWasUs, 60_000);
  assert.deepEqual(
    speedups(analysis)
      .now()
      .map((x) => [stepName(analysis.profile, x.step), x.what, x.us / 1000, x.gainUs / 1000]),
    [
      ['b', 'no time', 20, 40],
      ['b', 'two parallel halves', 40, 20],
      // Equal gains: the longest step first.
      ['b', 'not waited for', 50, 10],
      ['a', 'no time', 50, 10],
      ['c', 'no time', 50, 10],
      ['a', 'two parallel halves', 55, 5],
      ['c', 'two parallel halves', 55, 5],
    ],
  );
  assert.equal(availableParallelism(analysis), 3);
  assert.deepEqual(
    narrowWindows(analysis).map((w) => [w.fromUs / 1000, w.toUs / 1000, w.running, stepName(analysis.profile, w.step)]),
    [[10, 60, 1, 'b']],
  );
});

test('a step that starts some time after places became free waited for the one that left the last place', () => {
  // Two places until c ends; the tool takes 90 ms to start d, while b ends, too. What d needs was there at 10.
  const analysis = build([
    ['a', 0, 10],
    ['b', 0, 150],
    ['c', 10, 90],
    ['d', 190, 50, 'a'],
  ]);
  const links = criticalPath(analysis).links.map((l) => [stepName(analysis.profile, l.step), l.waited, l.waitUs / 1000]);
  assert.deepEqual(links.at(-1), ['d', 'place', 90]);
  assert.deepEqual(links.at(-2), ['c', 'place', 0]);
});

test('a long step that started last, though it could have been the first, by hand', () => {
  // Two places. First, e holds one of them from 0 to 30; a, b, c the other; d and f start at 30, and d ends at 40.
  const analysis = build([
    ['a', 0, 10],
    ['b', 0, 10],
    ['c', 10, 10],
    ['d', 10, 10],
    ['e', 20, 30],
    ['f', 50, 5, 'a', 'e'],
  ]);
  assert.equal(simulation(analysis)?.asItWasUs, 55_000);
  const first = speedups(analysis)
    .now()
    .filter((x) => x.what === 'started first');
  assert.deepEqual(
    first.map((x) => [stepName(analysis.profile, x.step), x.us / 1000, x.gainUs / 1000]),
    [['e', 40, 15]],
  );
});

test('a step that is to be the first stays so while it waits for its pool', () => {
  // The pool takes one at a time: a holds it until 10, then b, c or d follow, as they come; e needs d.
  const { profile } = build([
    ['a', 0, 10],
    ['b', 10, 10],
    ['c', 20, 10],
    ['d', 30, 10],
    ['e', 40, 30, 'd'],
  ]);
  const strings = Interner.fromStrings(profile.strings);
  const link = strings.textId('link');
  const pool = Int32Array.from(profile.steps.name, (_, i) => (i < 4 ? link : -1));
  const steps = { ...profile.steps, pool, pools: [{ name: 'link', depth: 1 }] };
  const pooled = analysisOf({ ...profile, strings: strings.finish(), steps }, 'steps');
  assert.equal(simulate(pooled, 4)! / 1000, 70);
  // d first, at once: then e runs beside the others.
  assert.equal(simulate(pooled, 4, { first: 3 })! / 1000, 40);
  // d cannot be before a, which it needs; b and c are ready then, too.
  const { profile: late } = build([
    ['a', 0, 10],
    ['b', 10, 10, 'a'],
    ['c', 20, 10, 'a'],
    ['d', 30, 10, 'a'],
    ['e', 40, 30, 'd'],
    ['x', 0, 15],
  ]);
  const names = Interner.fromStrings(late.strings);
  const one = names.textId('link');
  const inPool = Int32Array.from(late.steps.name, (id) => (['b', 'c', 'd', 'x'].includes(names.text(id)) ? one : -1));
  const waiting = { ...late.steps, pool: inPool, pools: [{ name: 'link', depth: 1 }] };
  const order = analysisOf({ ...late, strings: names.finish(), steps: waiting }, 'steps');
  const d = Array.from(late.steps.name).findIndex((id) => names.text(id) === 'd');
  // x holds the pool until 15; then d until 25, and e until 55.
  assert.equal(simulate(order, 4, { first: d })! / 1000, 55);
});

test('a step in halves takes no longer than whole, and no time is the least, whatever the build', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const below = dice(seed);
    const names = Array.from({ length: 12 }, (_, i) => `s${i}`);
    let at = 0;
    const analysis = build(
      names.map((name, i) => {
        const needs = names.slice(0, i).filter(() => below(4) === 0);
        at += below(3);
        return [name, at * 10, 10 * (1 + below(9)), ...needs] as const;
      }),
    );
    // With places for all, nothing waits for anything but what it needs: then less work never takes longer.
    const took = (otherwise: Counterfactual) => simulate(analysis, 100, otherwise) ?? Number.NaN;
    const whole = took({});
    for (let step = 0; step < names.length; step++) {
      const savedUs = new Map([[step, analysis.profile.steps.durationUs[step]]]);
      const [half, none, unawaited] = [took({ halved: step }), took({ savedUs }), took({ unawaited: step })];
      assert.ok(none <= half && half <= whole && unawaited <= whole, `seed ${seed}, step ${step}: ${none} ${half} ${whole}`);
      assert.equal(half, took({ savedUs: new Map([[step, analysis.profile.steps.durationUs[step] / 2]]) }));
    }
  }
});

/** Small random numbers that are the same in every run. */
function dice(seed: number): (n: number) => number {
  let s = seed * 2654435761;
  return (n) => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return Math.floor((s / 2 ** 32) * n);
  };
}

interface Task {
  readonly ms: number;
  readonly needs: readonly number[];
}

/** When each task starts, ten milliseconds after ten milliseconds: whoever comes first in `order` and needs nothing more gets a free place. */
function schedule(tasks: readonly Task[], order: readonly number[], places: number): number[] {
  const start = tasks.map(() => -1);
  const done = (k: number, now: number) => start[k] >= 0 && start[k] + tasks[k].ms <= now;
  for (let now = 0; start.includes(-1); now += 10) {
    let busy = tasks.filter((_, k) => start[k] >= 0 && !done(k, now)).length;
    for (const k of order) {
      if (busy >= places) break;
      if (start[k] >= 0 || !tasks[k].needs.every((d) => done(d, now))) continue;
      start[k] = now;
      busy++;
    }
  }
  return start;
}

test('200 generated builds: simulated as they were and with other numbers of jobs as scheduled by hand; every link explains its start', () => {
  let [byNeed, byPlace, late] = [0, 0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const roll = dice(seed);
    const tasks: Task[] = Array.from({ length: 5 + roll(35) }, (_, k) => ({
      ms: 10 * (1 + roll(20)),
      needs: [...new Set(Array.from({ length: Math.min(k, roll(3)) }, () => roll(k)))],
    }));
    const places = 1 + roll(4);
    const start = schedule(tasks, [...tasks.keys()], places);
    const end = (k: number) => start[k] + tasks[k].ms;
    const makespan = (at: readonly number[]) => Math.max(...at.map((from, k) => from + tasks[k].ms));
    const analysis = build(
      tasks.map(({ ms, needs }, k) => [`t${k}`, start[k], ms, ...needs.map((d) => `t${d}`)]),
      `cmake --build . -j${places}`,
    );
    const { profile } = analysis;
    assert.equal(simulate(analysis, undefined), makespan(start) * 1000, `seed ${seed}`);
    const task = (i: number) => Number(stepName(profile, i).slice(1));
    const order = Array.from(activeSteps(analysis))
      .filter((i) => isJob(profile.steps, i))
      .map(task);
    for (const other of [1, 2, 3, 5, 100])
      assert.equal(simulate(analysis, other), makespan(schedule(tasks, order, other)) * 1000, `seed ${seed} with ${other}`);
    const { links } = criticalPath(analysis);
    assert.equal(
      links.reduce((sum, l) => sum + profile.steps.durationUs[l.step] / 1000, 0),
      makespan(start),
      'nothing is waited for but what is on the path',
    );
    for (const { step, waited, before } of links) {
      if (waited === 'start') continue;
      const [k, b] = [task(step), task(before)];
      assert.equal(end(b), start[k]);
      const running = tasks.filter((_, o) => start[o] < start[k] && end(o) >= start[k]).length;
      if (waited === 'needs') byNeed++;
      else {
        byPlace++;
        assert.equal(waited, 'place');
        assert.equal(running, places, `seed ${seed}: t${k} had a free place`);
        assert.ok(tasks[k].needs.every((d) => end(d) < start[k]));
      }
      if (waited === 'needs') assert.ok(tasks[k].needs.includes(b));
    }
    // Every step, not only those of the path, by the schedule alone.
    for (const i of activeSteps(analysis)) {
      if (!isJob(profile.steps, i) || tasks[task(i)].needs.length === 0) continue;
      const { ms, needs } = tasks[task(i)];
      const [from, ready] = [start[task(i)], Math.max(...needs.map(end))];
      assert.equal(readyUs(analysis, i), ready * 1000, `${seed}: t${task(i)} of ${ms} ms`);
      const wait = stepWait(analysis, i);
      assert.ok(wait && wait.before >= 0);
      assert.equal(end(task(wait.before)), from);
      if (from === ready) assert.ok(wait.waited === 'needs' && needs.includes(task(wait.before)));
      else assert.equal(wait.waited, 'place', `seed ${seed}: t${task(i)} was ready at ${ready} and started at ${from}`);
      if (from > ready) late++;
    }
    // The longest chain, from the tasks alone.
    const chain: number[] = [];
    for (const { ms, needs } of tasks) chain.push(ms + Math.max(0, ...needs.map((d) => chain[d])));
    assert.equal(
      longestChain(analysis).reduce((sum, i) => sum + profile.steps.durationUs[i], 0),
      Math.max(...chain) * 1000,
    );
  }
  assert.ok(byNeed > 200 && byPlace > 200 && late > 500, `${byNeed}, ${byPlace} and ${late}`);
});

test('places: what the command asks for, else a level that was held; of overlaps of a millisecond none', () => {
  assert.equal(jobsIn('cmake --build b -j2'), 2);
  assert.equal(jobsIn('cmake --build b --parallel 3 -- -k 0'), 3);
  assert.equal(jobsIn('cmake --build b -j 2 -- -j8'), 8);
  assert.equal(jobsIn('ctest --parallel=4'), 4);
  assert.equal(jobsIn('cmake --build b -j -- -k 0'), undefined);
  assert.equal(jobsIn('cmake --build /x-j2/b'), undefined);
  const list: [string, number, number][] = [
    ['a', 0, 500],
    ['b', 0, 500],
    ['c', 499, 500],
    ['d', 500, 500],
  ];
  assert.equal(simulation(build(list))?.jobs, 2);
  const four = simulation(build(list, 'cmake --build b -j4'));
  assert.equal(four?.jobs, 4);
  assert.equal(four?.recorded, true);
});

test('stages follow one another only where they did: what overlapped the build did not wait for its end', () => {
  const stages = (list: readonly [role: string, start: number, ms: number][]) => {
    const sink = new Sink();
    sink.paths.push('test');
    const rows = sink.writerFor(StepWriter);
    const track = rows.trackId('1', '1');
    rows.parallel.add(track);
    for (const [role, start, ms] of list)
      rows.add({ name: role, role, track, part: 0, startUs: start * 1000, durationUs: ms * 1000 });
    rows.needs = new StepPairs();
    sink.addPart({ path: 'test', events: ['time'] });
    const analysis = analysisOf(sink.finish('cmake'), 'steps');
    return [stagesOf(analysis).stages.map((s) => s.units.length), (simulate(analysis, 100) ?? 0) / 1000];
  };
  const apart: [string, number, number][] = [
    ['configure', 0, 50],
    ['generate', 50, 10],
    ['compile', 60, 100],
    ['link', 160, 40],
    ['test', 200, 30],
    ['test', 230, 30],
  ];
  assert.deepEqual(stages(apart), [[1, 1, 2, 2], 50 + 10 + 100 + 30]);
  const together: [string, number, number][] = [
    ['compile', 0, 100],
    ['test', 50, 200],
    ['link', 100, 40],
    ['install', 250, 20],
  ];
  assert.deepEqual(stages(together), [[3, 1], 200 + 20]);
});

test('commands of one rule keep their place: another step cannot come between them', () => {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.trackId('1', '1');
  rows.parallel.add(track);
  const note = (name: string, from: number, to: number, output: string) =>
    rows.add({
      ...{ name, role: 'custom', track, part: 0, startUs: from * 1000, durationUs: (to - from) * 1000 },
      outputs: [{ path: output, bytes: null }],
    });
  // One place: both commands of x, then y. y ended last, and it waited for the place of x, not for its first command.
  note('first', 0, 100, 'x');
  note('second', 105, 200, 'x');
  note('y', 200, 300, 'y');
  rows.needs = new StepPairs();
  rows.needs.push(1, 0);
  sink.addPart({ path: 'test', events: ['time'] });
  const analysis = analysisOf(sink.finish('cmake'), 'steps');
  const links = criticalPath(analysis).links.map((l) => [stepName(analysis.profile, l.step), l.waited]);
  assert.deepEqual(links, [
    ['first', 'start'],
    ['second', 'needs'],
    ['y', 'place'],
  ]);
  assert.equal(simulate(analysis, undefined), 300_000, 'the pause between the commands holds the place too');
  assert.equal(simulate(analysis, 2), 200_000);
});

test('a build file without a dependency is believed; simulations that are far off say so and leave single steps out', () => {
  const none = build([
    ['a', 0, 100],
    ['b', 0, 100],
    ['c', 100, 50],
  ]);
  assert.equal(criticalPath(none).basis, 'ninja');
  assert.equal(simulationWarning(simulation(none)!), '');
  // Nothing says why b began so late.
  const late = build(
    [
      ['a', 0, 100],
      ['b', 80, 100],
    ],
    'cmake --build . -j2',
  );
  const s = simulation(late)!;
  assert.equal(s.asItWasUs, 100_000);
  assert.equal(s.measuredUs, 180_000);
  assert.match(simulationWarning(s), /^the simulated build is 44.44% shorter than measured/);
  assert.equal(buildUsWithoutStep(late, 1), undefined);
  // A step that waited though a place was free did not wait for one.
  assert.deepEqual(
    criticalPath(late).links.map((l) => l.waited),
    ['start'],
  );
});

test('a real build by build.ninja: nothing that a command reads is missing, order-only inputs are there, the simulation is near', async () => {
  const folder = join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build');
  const open = async () => {
    const profile = await loadProfile([folder]);
    return analysisOf(profile, 'steps');
  };
  const byOutputs = await open();
  assert.equal(criticalPath(byOutputs).basis, 'outputs');
  writeFileSync(join(folder, 'build.ninja'), readMaybeGz(join(FIXTURES, 'cmake/tidepool.build.ninja')));
  const analysis = await open();
  const { profile } = analysis;
  assert.equal(criticalPath(analysis).basis, 'ninja');
  const needs = dependenciesOf(analysis).now()!;
  // Two sources for the same truth: words of commands, and the build file. All that the first finds for what ninja ran is in the second.
  let compared = 0;
  for (const [step, found] of dependenciesOf(byOutputs).now()!) {
    if (!['compile', 'link'].includes(stepText(profile, 'role', step) ?? '')) continue;
    for (const d of found) {
      compared++;
      assert.ok(needs.get(step)?.includes(d), `${stepName(profile, step)} needs ${stepName(profile, d)}`);
    }
  }
  assert.ok(compared > 20, `${compared} pairs`);
  const steps = Array.from(activeSteps(analysis));
  const named = (text: string) => steps.find((i) => stepName(profile, i).includes(text))!;
  // parse.cpp names no generated file in its command; the build file makes it wait for the headers all the same.
  assert.ok(needs.get(named('src/parse.cpp'))!.includes(named('gen/waves.cpp 400')));
  assert.equal(dependenciesOf(byOutputs).now()!.get(named('src/parse.cpp')), undefined);
  const s = simulation(analysis)!;
  assert.ok(Math.abs(s.asItWasUs - s.measuredUs) < 0.02 * s.measuredUs, `${s.asItWasUs} for ${s.measuredUs}`);
  const all = builtJobs(analysis).reduce((sum, i) => sum + profileOf(profile, 'steps').steps.durationUs[i], 0);
  assert.ok(simulate(analysis, 1)! >= all, 'with one job nothing overlaps');
  assert.ok(s.unlimitedUs <= s.asItWasUs);
});

test('two builds: the same steps matched, in any order, what is new and what is gone', () => {
  const before = build([
    ['a', 0, 10],
    ['b', 0, 30],
    ['gone', 30, 7],
    ['twice', 40, 1],
    ['twice', 50, 5],
  ]);
  const now = build([
    ['b', 0, 30],
    ['twice', 0, 1],
    ['twice', 5, 2],
    ['a', 10, 25],
    ['new', 40, 4],
  ]);
  const rows = changesOf(now, before).map((c) => [changeName(now, before, c), c.kind, c.changeUs / 1000]);
  assert.deepEqual(rows, [
    ['a', 'slower', 15],
    ['gone', 'gone', -7],
    ['new', 'new', 4],
    ['twice', 'faster', -3],
    ['b', 'same', 0],
    ['twice', 'same', 0],
  ]);
  const { of, removed: gone } = stepsBefore(now, before);
  const name = (a: typeof now, step: number) => (step < 0 ? 'none' : stepName(a.profile, step));
  assert.deepEqual(
    Array.from(activeSteps(now), (i) => [name(now, i), name(before, of(i))]),
    [
      ['b', 'b'],
      ['twice', 'twice'],
      ['twice', 'twice'],
      ['a', 'a'],
      ['new', 'none'],
    ],
  );
  assert.deepEqual(
    gone.map((i) => name(before, i)),
    ['gone'],
  );
  assert.equal(new Set(Array.from(activeSteps(now), of)).size, 5, 'each of the build before once');
  const { beforeUs, isNew, count } = chartChanges(now, before);
  assert.deepEqual(Array.from(beforeUs), [Number.NaN, Number.NaN, 5000, 10_000, Number.NaN]);
  assert.deepEqual(Array.from(isNew), [0, 0, 0, 0, 1]);
  assert.deepEqual(count, { slower: 1, faster: 1, same: 2, new: 1, 'run now': 0, gone: 1, 'not run': 0 });
});

test('what a step takes longer by is noise up to a hundredth of it, and up to ten milliseconds of a long build', () => {
  const of = (extra: number) =>
    build([
      ['long', 0, 10_000 + extra],
      ['short', 20_000, 100 + extra],
    ]);
  const drawn = (extra: number) => Array.from(chartChanges(of(extra), of(0)).beforeUs, (us) => !Number.isNaN(us));
  assert.deepEqual([0, 10, 11, 100, 101, -11, -101].map(drawn), [
    [false, false],
    [false, false],
    [false, true],
    [false, true],
    [true, true],
    [false, true],
    [true, true],
  ]);
});

test('two real builds of one project in other folders: every output that both have is matched once', async () => {
  const open = async (name: string) => {
    const profile = await loadProfile([join(unpack(join(FIXTURES, `cmake/${name}.json`)), 'build')]);
    return analysisOf(profile, 'steps');
  };
  const [now, before] = await Promise.all([open('tidepool-ninja-accumulated'), open('tidepool-ninja-ccache')]);
  const changes = changesOf(now, before);
  const jobs = (a: Analysis<'steps'>) => Array.from(activeSteps(a)).filter((i) => isJob(a.profile.steps, i));
  const of = (key: 'step' | 'before') =>
    changes
      .map((c) => c[key])
      .filter((i) => i >= 0)
      .sort((a, b) => a - b);
  assert.deepEqual(of('step'), jobs(now), 'each step of this build once');
  assert.deepEqual(of('before'), jobs(before), 'each step of the other once');
  const compiles = (a: Analysis<'steps'>) =>
    new Set(
      jobs(a)
        .filter((i) => stepText(a.profile, 'role', i) === 'compile')
        .map((i) => stepText(a.profile, 'target', i) + '/' + stepName(a.profile, i).split('/').at(-1)),
    );
  const both = [...compiles(now)].filter((name) => compiles(before).has(name)).length;
  const matched = changes.filter(
    (c) => c.step >= 0 && c.before >= 0 && stepText(now.profile, 'role', c.step) === 'compile',
  ).length;
  assert.ok(both > 5);
  assert.equal(matched, both);
  // The differences add up to the difference of the sums.
  const sum = (a: Analysis<'steps'>) => jobs(a).reduce((n, i) => n + a.profile.steps.durationUs[i], 0);
  assert.equal(
    changes.reduce((n, c) => n + c.changeUs, 0),
    sum(now) - sum(before),
  );
});

test('groups: every step stands in one group of each kind; labels and tests aside; rm, ar and ranlib of an archive are one row', async () => {
  const analysis = analysisOf(
    await loadProfile([join(unpack(join(FIXTURES, 'cmake/tidepool-ninja-accumulated.json')), 'build')]),
    'steps',
  );
  const { profile } = analysis;
  const { steps } = profile;
  const jobs = Array.from(activeSteps(analysis)).filter((i) => isJob(steps, i));
  const us = (list: readonly number[]) => list.reduce((n, i) => n + steps.durationUs[i], 0);
  for (const by of GROUPINGS) {
    const rows = groupRows(analysis, by);
    const sum = rows.reduce((n, r) => n + r.durationUs, 0);
    if (by === 'test') {
      const tests = jobs.filter((i) => stepText(profile, 'role', i) === 'test');
      assert.ok(tests.length > 3);
      assert.equal(sum, us(tests));
    } else if (by === 'label') assert.ok(sum >= us(jobs), 'a step with two labels counts in both');
    else assert.equal(sum, us(jobs), by);
  }
  const compile = groupRows(analysis, 'role').find((r) => r.target === 'compile')!;
  assert.equal(compile.durationUs, us(jobs.filter((i) => stepText(profile, 'role', i) === 'compile')));
  assert.equal(compile.compileUs, compile.durationUs);
  // libcore.a: cmake -E rm, ar, ranlib; they take 3, 98 and 157 ms.
  const folds = mergedCommandsOf(analysis);
  const core = [...folds.members.values()].filter((list) => stepName(profile, list[0]) === 'link: core');
  assert.equal(core.length, 1);
  assert.deepEqual(
    core[0].map((i) => steps.durationUs[i] / 1000),
    [3, 98, 157],
  );
  assert.deepEqual(
    core[0].map((i) => /-E rm|\bar qc|ranlib/.exec(stepText(profile, 'command', i)!)![0]),
    ['-E rm', 'ar qc', 'ranlib'],
  );
  assert.equal(folds.durationUs[core[0][0]], us(core[0]));
  const leads = jobs.filter((i) => folds.firstStep[i] === i);
  assert.equal(
    leads.reduce((n, i) => n + folds.durationUs[i], 0),
    us(jobs),
    'nothing is lost',
  );
});

/** A build of objects and links, as [output, ms, command]; `builds`: what its build file builds, if there is one. */
function linked(list: readonly [output: string, ms: number, command?: string][], builds?: readonly string[]): Profile {
  const sink = new Sink();
  sink.paths.push('test');
  const rows = sink.writerFor(StepWriter);
  const track = rows.trackId('1', '1');
  rows.parallel.add(track);
  list.forEach(([path, ms, command], k) => {
    const role = command === undefined ? 'compile' : 'link';
    rows.add({
      ...{ name: `${role}: ${path}`, role, target: 'app', track, part: 0, startUs: k * 1e6, durationUs: ms * 1000 },
      ...{ command, directory: '/b', outputs: [{ path, bytes: null }] },
    });
  });
  if (builds) rows.facts.builds = builds;
  sink.addPart({ path: 'test', events: ['time'] });
  return sink.finish('cmake');
}

test('a step that was up to date is not gone: by the build file, else by what was linked; Enter on one that is gone shows the old one', () => {
  const before = linked([
    ['a.o', 10],
    ['b.o', 20],
    ['c.o', 30],
    ['app', 5, 'ld a.o b.o c.o -o app'],
  ]);
  const short: [string, number, string?][] = [
    ['a.o', 12],
    ['app', 5, 'ld a.o b.o -o app'],
  ];
  for (const now of [linked(short, ['a.o', 'b.o', 'app']), linked(short)]) {
    const [analysis, base] = [analysisOf(now, 'steps'), analysisOf(before, 'steps')];
    assert.deepEqual(
      changesOf(analysis, base).map((c) => [changeName(analysis, base, c), c.kind]),
      [
        ['compile: c.o', 'gone'],
        ['compile: b.o', 'not run'],
        ['compile: a.o', 'slower'],
        ['link: app', 'same'],
      ],
    );
    const player = play(now, { width: 80, height: 24, versus: versus(before) }).press('changes', 'g', 'enter');
    const shown = () => toPlainText(drawScreen(player.state));
    assert.match(shown(), /compile: c\.o/);
    assert.match(shown(), /30ms, from/);
    player.press('backspace');
    assert.match(shown(), /\[\d Changes\]/);
    player.press('j', 'j', 'enter');
    assert.match(shown(), /12ms, from/, 'a step of this build is shown in this build');
  }
  // With nothing linked, nothing says that anything is gone.
  const nothing = analysisOf(linked([['z.o', 1]]), 'steps');
  assert.ok(changesOf(nothing, analysisOf(before, 'steps')).every((c) => c.kind !== 'gone'));
});

test('a step that was up to date in the base is not new: by the build file, else by what was linked', () => {
  const now = linked([
    ['a.o', 10],
    ['b.o', 20],
    ['c.o', 30],
    ['app', 5, 'ld a.o b.o c.o -o app'],
    ['tool', 4, 'ld a.o -o tool'],
  ]);
  const short: [string, number, string?][] = [
    ['a.o', 12],
    ['app', 5, 'ld a.o b.o -o app'],
  ];
  const kinds = (base: Profile) => {
    const [build, before] = [analysisOf(now, 'steps'), analysisOf(base, 'steps')];
    assert.equal(
      chartChanges(build, before).isNew.join(''),
      changesOf(build, before)
        .sort((x, y) => x.step - y.step)
        .map((c) => (c.kind === 'new' ? 1 : 0))
        .join(''),
    );
    return Object.fromEntries(changesOf(build, before).map((c) => [changeName(build, before, c).replace(/.*: /, ''), c.kind]));
  };
  const file = linked(short, ['a.o', 'b.o', 'app', 'tool']);
  assert.deepEqual(kinds(file), { 'a.o': 'faster', 'b.o': 'run now', 'c.o': 'new', app: 'same', tool: 'run now' });
  // Without the file, only a base that made all that it linked tells that tool was not there.
  assert.deepEqual(kinds(linked(short)), { 'a.o': 'faster', 'b.o': 'run now', 'c.o': 'new', app: 'same', tool: 'run now' });
  const whole = kinds(linked([['b.o', 20], ...short]));
  assert.deepEqual(whole, { 'a.o': 'faster', 'b.o': 'same', 'c.o': 'new', app: 'same', tool: 'new' });
  const hidden = kinds(
    linked([
      ['a.o', 12],
      ['app', 5, 'ld @app.rsp -o app'],
    ]),
  );
  assert.deepEqual([hidden['b.o'], hidden['c.o'], hidden.tool], ['run now', 'run now', 'run now']);
  const player = play(now, { width: 120, height: 24, versus: versus(file) }).press('changes');
  const shown = () => toPlainText(drawScreen(player.state));
  assert.match(shown(), /0 slower, 1 faster, 1 new, 2 run now, 0 gone/);
  assert.match(shown(), /\+20ms +\S+ +20ms run now +compile +b\.o/);
  player.press('j');
  assert.match(shown(), /compile: b\.o: 20ms from .*not run in the base/);
  // A limit about the difference has nothing to compare such a step with; one about this build alone has.
  const both = compareProfiles(now, file, PLAINLY);
  const analysis = analyse(both, both.events);
  const exceeds = (expr: string) => checkLimit(parseLimit(expr), analysis).exceeded;
  assert.deepEqual(['step b.o duration > +1', 'step c.o duration > +1', 'step b.o duration > 19ms'].map(exceeds), [
    false,
    true,
    true,
  ]);
  const said = saidBy(slowerStepsRule, evidence({ profile: both }))
    .map(phraseText)
    .join('\n');
  assert.match(said, /c\.o took 30.*, where it did not run$/m);
  assert.match(said, /b\.o took 20.*, where it was up to date or not requested$/m);
});

test('builds of custom commands alone, and builds that failed, use the build file that is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-custom-'));
  const data = join(folder, '.cmake/instrumentation/v1/data');
  mkdirSync(data, { recursive: true });
  // Custom commands run in folders of their own, where their outputs are.
  const steps = [
    ['gen', 0, 100, 'gen.txt', '/b/sub', 0],
    ['pack', 100, 50, 'out.txt', '/b', 0],
    ['broken', 150, 20, 'never.txt', '/b', 1],
  ] as const;
  steps.forEach(([command, start, duration, output, workingDir, result], k) => {
    const name = `custom-${String(k).padStart(20, '0')}-2026-01-01T00-00-0${k}-0000.json`;
    const times = { timeStart: 1_700_000_000_000 + start, duration };
    const snippet = { version: 1, role: 'custom', command, workingDir, result, outputs: [output], outputSizes: [0], ...times };
    writeFileSync(join(data, name), JSON.stringify(snippet));
  });
  const open = async () => analysisOf(await loadProfile([folder]), 'steps');
  assert.equal(criticalPath(await open()).basis, 'lanes');
  const file = [
    'cmake_ninja_workdir = /b/',
    'build sub/gen.txt: CUSTOM_COMMAND',
    'build out.txt: CUSTOM_COMMAND sub/gen.txt',
    'build never.txt: CUSTOM_COMMAND || out.txt',
  ];
  writeFileSync(join(folder, 'build.ninja'), file.join('\n'));
  const analysis = await open();
  const path = criticalPath(analysis);
  assert.equal(path.basis, 'ninja');
  assert.deepEqual(
    path.links.map((l) => l.waited),
    ['start', 'needs', 'needs'],
  );
  assert.equal(simulate(analysis, 100), 170_000);
  writeFileSync(join(folder, 'build.ninja'), 'cmake_ninja_workdir = /other/\nbuild x: CUSTOM_COMMAND y');
  assert.equal(criticalPath(await open()).basis, 'lanes', 'the build file of another tree');
});
