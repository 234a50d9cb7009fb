// Trace events in any order, as the format allows them: pairs, flows, counters of several processes, several files on one clock.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { lanesOf } from '../../src/analysis/answers/steps/lanes.ts';
import { stepName } from '../../src/analysis/answers/steps/steps.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { traceEvents } from '../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { existing, FIXTURES, readJson } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';

type Event = Record<string, unknown>;

async function opened(events: readonly Event[]): Promise<ProfileOf<'steps'>> {
  const profile = await loadText(traceEvents, JSON.stringify(events));
  assert.deepEqual(checkProfile(profile), []);
  return profileOf(profile, 'steps');
}

/** `name start+duration < parent`, by start. */
function slices(profile: ProfileOf<'steps'>): string[] {
  const { steps } = profile;
  return Array.from(steps.startUs, (start, i) => {
    const parent = steps.parent[i] < 0 ? '' : ` < ${stepName(profile, steps.parent[i])}`;
    return `${stepName(profile, i)} ${start}+${steps.durationUs[i]}${parent}`;
  });
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

function shuffled<T>(list: readonly T[], below: (n: number) => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

/** Nested slices on a few threads; no two times of a thread are equal. */
function nest(seed: number, what: 'B' | 'b'): { events: Event[]; expected: string[] } {
  const below = random(seed);
  const events: Event[] = [];
  const expected: { start: number; text: string }[] = [];
  const end = what === 'B' ? 'E' : 'e';
  let us = 0;
  for (let tid = 1; tid <= 3; tid++) {
    const open: { name: string; start: number; at: number }[] = [];
    for (let k = 0; k < 40 || open.length > 0; k++) {
      us += 1 + below(9);
      const top = open.at(-1);
      if (k < 40 && (top === undefined || below(2) === 0)) {
        const name = `t${tid} ${k}`;
        events.push({ ph: what, name, ts: us, pid: 1, tid, ...(what === 'b' ? { id: k, cat: 'c' } : {}) });
        open.push({ name, start: us, at: k });
      } else if (top) {
        open.pop();
        const above = what === 'B' && open.length > 0 ? ` < ${open[open.length - 1].name}` : '';
        // Half of the ends have no name, which the format allows for slices of threads.
        const named = what === 'b' || below(2) === 0 ? { name: top.name } : {};
        events.push({ ph: end, ...named, ts: us, pid: 1, tid, ...(what === 'b' ? { id: top.at, cat: 'c' } : {}) });
        expected.push({ start: top.start, text: `${top.name} ${top.start}+${us - top.start}${above}` });
      }
    }
  }
  return { events, expected: expected.sort((a, b) => a.start - b.start).map((e) => e.text) };
}

test('begin and end events in any order are the slices that they are in the order of time', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    for (const what of ['B', 'b'] as const) {
      const { events, expected } = nest(seed, what);
      for (const list of [events, [...events].reverse(), shuffled(events, random(seed))]) {
        const profile = await opened(list);
        assert.deepEqual(slices(profile), expected, `${what} ${seed}`);
        assert.deepEqual(profile.warnings, []);
      }
    }
  }
});

test('an end closes the slice that it names; one that names none, the innermost', async () => {
  const at = { pid: 1, tid: 1 };
  // The next slice begins when this one ends, and is written first.
  assert.deepEqual(
    slices(
      await opened([
        { ph: 'B', name: 'first', ts: 0, ...at },
        { ph: 'B', name: 'next', ts: 10, ...at },
        { ph: 'E', name: 'first', ts: 10, ...at },
        { ph: 'E', name: 'next', ts: 30, ...at },
      ]),
    ),
    ['first 0+10', 'next 10+20'],
  );
  assert.deepEqual(
    slices(
      await opened([
        { ph: 'B', name: 'outer', ts: 0, ...at },
        { ph: 'B', name: 'inner', ts: 10, ...at },
        { ph: 'E', ts: 20, ...at },
        { ph: 'E', name: 'nobody', ts: 30, ...at },
      ]),
    ),
    ['outer 0+30', 'inner 10+10 < outer'],
  );
});

test('of slices with the same times, the one that begins first in the file is the outer one', async () => {
  const at = { pid: 1, tid: 1 };
  assert.deepEqual(
    slices(
      await opened([
        { ph: 'B', name: 'outer', ts: 0, ...at },
        { ph: 'B', name: 'inner', ts: 0, ...at },
        { ph: 'E', ts: 10, ...at },
        { ph: 'E', ts: 10, ...at },
      ]),
    ),
    ['outer 0+10', 'inner 0+10 < outer'],
  );
});

test('what an end says is added to what the begin said', async () => {
  const at = { pid: 1, tid: 1 };
  const { steps, strings } = await opened([
    { ph: 'E', ts: 10, args: { lines: 3 }, ...at },
    { ph: 'B', name: 'read', ts: 0, args: { detail: 'a.h' }, ...at },
  ]);
  assert.equal(steps.durationUs[0], 10);
  const text = (id: number) => new TextDecoder().decode(strings.bytes.subarray(strings.start[id], strings.start[id + 1]));
  assert.deepEqual(JSON.parse(text(steps.more[0])), { detail: 'a.h', lines: 3 });
  assert.equal(text(steps.target[0]), 'a.h');
});

test('flows in any order connect the slices that hold them, begun and ended or complete', async () => {
  const slice = (name: string, ts: number, dur: number, tid: number): Event[] => [
    { ph: 'B', name, ts, pid: 1, tid },
    { ph: 'E', ts: ts + dur, pid: 1, tid },
  ];
  const events: Event[] = [
    ...slice('ask', 0, 20, 1),
    { ph: 's', id: 1, name: 'f', ts: 5, pid: 1, tid: 1 },
    { ph: 'X', name: 'pass on', ts: 10, dur: 20, pid: 1, tid: 2 },
    { ph: 't', id: 1, name: 'f', ts: 15, pid: 1, tid: 2 },
    ...slice('answer', 30, 10, 3),
    ...slice('inside', 32, 6, 3),
    { ph: 'f', id: 1, name: 'f', ts: 35, pid: 1, tid: 3 },
  ];
  for (let seed = 1; seed <= 10; seed++) {
    const profile = await opened(shuffled(events, random(seed)));
    const { steps } = profile;
    assert.deepEqual(
      Array.from(steps.linkFrom, (f, k) => `${stepName(profile, f)} > ${stepName(profile, steps.linkTo[k])}`),
      ['ask > pass on', 'pass on > inside'],
    );
  }
});

test('a counter belongs to its process: those of two processes stay apart, and say whose they are', async () => {
  const { steps } = await opened([
    { ph: 'C', name: 'memory', ts: 0, pid: 1, args: { MiB: 1 } },
    { ph: 'C', name: 'memory', ts: 1, pid: 2, args: { MiB: 500 } },
    { ph: 'C', name: 'memory', ts: 2, pid: 1, args: { MiB: 2 } },
    { ph: 'C', name: 'only here', ts: 3, pid: 2, args: { n: 7 } },
    { ph: 'M', name: 'process_name', pid: 1, args: { name: 'compiler' } },
    { ph: 'X', name: 'work', ts: 0, dur: 5, pid: 1, tid: 1 },
  ]);
  assert.deepEqual(
    steps.gauges.flatMap((g) => Array.from(g.value, (value) => [g.name, value])),
    [
      ['compiler memory.MiB', 1],
      ['compiler memory.MiB', 2],
      ['pid 2 memory.MiB', 500],
      ['only here.n', 7],
    ],
  );
});

const CLANG = join(FIXTURES, 'trace-events/clang-time-trace');

test('several traces of clang lie on one clock, whatever their order: each by the time at which it began', async () => {
  const names = ['parse.json', 'regexes.json', 'maps.json'];
  const truth = readJson<Record<string, { beginningOfTime: number; realSpans: number; endUs: number }>>(
    join(CLANG, 'truth.json'),
  );
  const began = Math.min(...names.map((n) => truth[n].beginningOfTime));
  for (const order of [names, [...names].reverse(), [names[1], names[0], names[2]]]) {
    const profile = profileOf(await loadProfile(order.map((n) => existing(join(CLANG, n)))), 'steps');
    const { steps, warnings } = profile;
    assert.deepEqual(warnings, []);
    assert.equal(steps.originUs, began);
    const { titles } = lanesOf(analysisOf(profile, 'steps'));
    assert.deepEqual(titles.filter((t) => t !== '').sort(), order.map((n) => existing(join(CLANG, n)).split('/').at(-1)).sort());
    order.forEach((name, part) => {
      const ends = Array.from(steps.startUs.keys())
        .filter((i) => steps.part[i] === part && steps.kind[i] === 0)
        .map((i) => steps.startUs[i] + steps.durationUs[i]);
      assert.equal(ends.length, truth[name].realSpans);
      assert.equal(Math.max(...ends), truth[name].endUs + truth[name].beginningOfTime - began, name);
    });
  }
});

test('traces that do not say when they began are not aligned, and the profile says so', async () => {
  const { writeFileSync, mkdtempSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const folder = mkdtempSync(join(tmpdir(), 'proftui-clock-'));
  const write = (name: string, value: object) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const event = (name: string) => [
    { ph: 'X', name, ts: 100, dur: 10, pid: 1, tid: 1 },
    { ph: 'C', name: 'n', ts: 100, pid: 1, args: { v: 1 } },
  ];
  const paths = [
    write('late.json', { traceEvents: event('late'), beginningOfTime: 5000 }),
    write('none.json', { traceEvents: event('none') }),
    write('early.json', { traceEvents: event('early'), beginningOfTime: 2000 }),
  ];
  const profile = profileOf(await loadProfile(paths), 'steps');
  assert.deepEqual(slices(profile), ['none 100+10', 'early 100+10', 'late 3100+10']);
  // Counters are on the same clock as the slices.
  assert.deepEqual(
    profile.steps.gauges.flatMap((g) => [...g.us]),
    [100, 100, 3100],
  );
  assert.deepEqual(
    profile.warnings.map((w) => [w.path, w.found]),
    [[paths[1], 'none: its times cannot be aligned with those of the other files']],
  );
});

test('samples of stacks are slices, from the first sample of a frame to the next one without it', async () => {
  // Also frames in a circle, and of nobody; a thread that sleeps lasts for 10 times the usual distance of 10.
  const path = join(FIXTURES, 'trace-events/samples/samples.json');
  const profile = await loadProfile([path]);
  const slices = analysisOf(profile, 'steps').profile.steps;
  assert.deepEqual(
    Array.from(slices.name, (id, k) => [
      stringAt(profile.strings, id),
      slices.startUs[k],
      slices.durationUs[k],
      slices.parent[k],
    ]),
    [
      ['main', 10, 130, -1],
      ['parse', 10, 20, 0],
      ['read', 20, 10, 1],
      ['parse', 40, 100, 0],
      ['main', 1000, 10, -1],
      ['parse', 1000, 10, 4],
    ],
  );
  assert.deepEqual(
    profile.warnings.map(({ found }) => found),
    ['samples without a time or a known stack: 3', 'samples of other events: 1'],
  );
  const slice = { ph: 'X', ts: 0, dur: 5, name: 'x' };
  const both = await loadText(traceEvents, JSON.stringify({ ...readJson<object>(path), traceEvents: [slice] }));
  assert.deepEqual(
    both.warnings.map(({ found }) => found),
    ['slices and 9 samples of stacks; samples left out'],
  );
  assert.equal(analysisOf(both, 'steps').profile.steps.name.length, 1);
});

test('samples of a deep stack cost their frames once', async () => {
  const deep = 20_000;
  const stackFrames = Object.fromEntries(
    Array.from({ length: deep }, (_, k) => [k, { name: `f${k}`, ...(k > 0 ? { parent: k - 1 } : {}) }]),
  );
  const samples = Array.from({ length: 20_000 }, (_, k) => ({ tid: 1, ts: k, name: 'cycles', sf: deep - 1 - (k % 2) }));
  const profile = await loadText(traceEvents, JSON.stringify({ traceEvents: [], stackFrames, samples }));
  const { steps } = analysisOf(profile, 'steps').profile;
  assert.equal(steps.name.length, deep - 1 + samples.length / 2);
  assert.equal(steps.durationUs[0], samples.length);
});

test('a cut within a member beside the events is not called the end of an event', async () => {
  const events = '{"traceEvents":[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]';
  for (const [text, expected] of [
    [`${events},"stackFrames":{"1":{"na`, 'the end of a member beside the events'],
    ['{"traceEvents":[{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":1},{"name":"b","p', 'the end of an event'],
  ] as const)
    assert.equal((await loadText(traceEvents, text)).cut?.expected, expected);
});

test('a file of asynchronous spans alone has their times in every view; beside slices, they only span them', async () => {
  const profile = profileOf(await loadProfile([join(FIXTURES, 'trace-events/async-only.json')]), 'steps');
  const { totals } = analyse(profile, profile.events);
  assert.equal(totals.total[0][0], 50_000);
  assert.deepEqual([...totals.self[0]], [50_000]);
  const span = (ph: string, name: string, id: number, ts: number) => ({ ph, name, id, cat: 'c', pid: 1, tid: 1, ts });
  // b within a of one id is nested; c of another id is not, although it lies within a.
  const events = [
    ...[span('b', 'a', 1, 0), span('b', 'b', 1, 10), span('e', 'b', 1, 30), span('e', 'a', 1, 100)],
    ...[span('b', 'c', 2, 20), span('e', 'c', 2, 60)],
  ];
  const own = async (more: object[]) => {
    const read = await loadText(traceEvents, JSON.stringify([...events, ...more]));
    const { self, total } = analyse(read, read.events).totals;
    return [total[0][0], ...self[0]];
  };
  assert.deepEqual(await own([]), [140, 80, 20, 40]);
  assert.deepEqual((await own([{ ph: 'X', name: 'x', pid: 1, tid: 1, ts: 0, dur: 7 }]))[0], 7);
});

test('chunks of a CPU profile are samples of a track of their own', async () => {
  const profile = profileOf(await loadProfile([join(FIXTURES, 'trace-events/profile-chunks.json')]), 'steps');
  const { totals } = analyse(profile, profile.events);
  const names = Array.from(profile.routines.name, (_, r) => routineName(profile, r));
  assert.equal(totals.self[0][names.indexOf('hotJs')], 2000);
  assert.equal(totals.self[0][names.indexOf('FunctionCall')], 3000);
  assert.deepEqual(profile.warnings, []);
  const chunk = (cpuProfile: object, timeDeltas: number[]) => ({
    ...{ ph: 'P', name: 'ProfileChunk', id: '0x1', pid: 1, tid: 9, ts: 0 },
    args: { data: { cpuProfile, timeDeltas, endTime: 1000 } },
  });
  const node = (id: number, functionName: string, parent?: number) => ({ id, parent, callFrame: { functionName } });
  // The second chunk goes on where the first one ended, and adds a callee of a node of the first.
  const events = [
    { ph: 'P', name: 'Profile', id: '0x1', pid: 1, tid: 4, ts: 90, args: { data: { startTime: 100 } } },
    chunk({ nodes: [node(1, '(root)'), node(2, 'f', 1)], samples: [2, 2] }, [100, 200]),
    chunk({ nodes: [node(3, 'g', 2)], samples: [3, 2] }, [200, 200]),
    { ...chunk({ nodes: [], samples: [9] }, [1]), id: '0x2' },
  ];
  const two = await loadText(traceEvents, JSON.stringify(events));
  const { self, inclusive } = analyse(two, two.events).totals;
  // Samples at 200 and 400 of f, at 600 of g, at 800 of f; the profile ends at 1000.
  assert.deepEqual([...self[0]], [600, 200]);
  assert.deepEqual([...inclusive[0]], [800, 200]);
  assert.match(two.warnings[0].found, /chunks or samples of a CPU profile without its start or nodes: 1/);
});
