// Phases of sampled threads, against a program that printed when its functions began and ended, and against the samples themselves.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { computeActivity, phaseCosts, samplesAsPhases } from '../../src/analysis/profiles/phases.ts';
import { clipSamples } from '../../src/analysis/profiles/transforms/time.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';

const loaded = async (file: string) => profileOf(await loadProfile([join(FIXTURES, file)]), 'stacks');
const timesOf = ({ times }: ProfileOf<'stacks'>) => {
  assert.ok(times);
  return times;
};
const phasesOf = (profile: ProfileOf<'stacks'>, event = profile.events[0]) => samplesAsPhases(profile, timesOf(profile), event);

/** Milliseconds between samples, and until a thread that is ready gets one of two processors. */
const LATE = 12;

test('phases begin and end when the program says', async () => {
  const profile = await loaded('perf-script/phases.perf.gz');
  const { steps, parts } = phasesOf(profile);
  const rows = Array.from(steps.name.keys(), (i) => ({
    thread: parts[steps.part[i]].thread,
    name: stringAt(profile.strings, steps.name[i]).replace(/\(.*$/, ''),
    from: steps.startUs[i] / 1e3,
    to: (steps.startUs[i] + steps.durationUs[i]) / 1e3,
  }));
  const threads: Readonly<Record<string, number>> = { main: 15125, w0: 15127, w1: 15128, w2: 15129 };
  const inside: Readonly<Record<string, readonly string[]>> = {
    parse: ['parse'],
    sort_chunk: ['sort_chunk', 'compare', 'swap_rows'],
    index_chunk: ['index_chunk'],
    write_out: ['write_out'],
  };
  // The first sample of the recording.
  const origin = 72476.098907;
  const truth = readFileSync(join(FIXTURES, 'perf-script/phases.truth.txt'), 'utf8').trim().split('\n').slice(1);
  assert.equal(truth.length, 8);
  for (const line of truth) {
    const [who, name, start, end] = line.split(' ');
    const [from, to] = [start, end].map((s) => (Number(s) - origin) * 1e3);
    const own = rows.filter((r) => r.thread === threads[who] && r.to > from + LATE && r.from < to - LATE);
    assert.ok(own.length > 0, line);
    for (const r of own) assert.ok(inside[name].includes(r.name), `${line}: ${r.name}`);
    assert.ok(Math.abs(own[0].from - from) < LATE && Math.abs(own[own.length - 1].to - to) < LATE, line);
    const covered = own.reduce((sum, r) => sum + Math.min(r.to, to) - Math.max(r.from, from), 0);
    assert.ok(covered > 0.95 * (to - from), `${line}: ${covered} ms`);
  }
  // Between its two functions, w1 sleeps 200 ms.
  const asleep = rows.filter((r) => r.thread === threads['w1'] && r.from < 1090 && r.to > 920);
  assert.deepEqual(asleep, []);
});

test('processors at work: one, then two of three threads, then one', async () => {
  const profile = await loaded('perf-script/phases.perf.gz');
  const gauge = computeActivity(profile, timesOf(profile), profile.events[0], new Set());
  assert.equal(gauge?.name, 'CPUs');
  const mean = (from: number, to: number) => {
    const own = Array.from(gauge?.value ?? []).filter(
      (_, k) => (gauge?.us[k] ?? 0) >= from * 1e3 && (gauge?.us[k] ?? 0) < to * 1e3,
    );
    return own.reduce((sum, v) => sum + v, 0) / own.length;
  };
  for (const [from, to, cpus] of [
    [20, 480, 1],
    // perf and the others on the machine need some of the two.
    [540, 1040, 1.85],
    [1320, 1580, 1],
  ])
    assert.ok(Math.abs(mean(from, to) - cpus) < 0.08 * cpus, `${from} to ${to} ms: ${mean(from, to)}`);
});

const SAMPLED = ['perf-script', 'cpuprofile', 'firefox', 'speedscope'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder))
    .filter((file) => /\.(perf|json|cpuprofile)(\.gz)?$/.test(file))
    .map((file) => `${folder}/${file}`),
);

let withTimes = 0;
for (const file of SAMPLED)
  test(`${file}: phases hold every sample, and none overlaps another of its thread`, async () => {
    const whole = await loadProfile([join(FIXTURES, file)]).catch(() => undefined);
    if (whole?.kind !== 'stacks' || !whole.times) return;
    withTimes++;
    const { times, stacks, frames } = whole;
    for (const event of whole.events) {
      const phases = phasesOf(whole, event);
      assert.deepEqual(checkProfile(phases), []);
      const { steps } = phases;
      const ends = new Map<number, number>();
      for (let i = 0; i < steps.name.length; i++) {
        if (steps.routine[i] < 0) continue;
        assert.ok(steps.startUs[i] >= (ends.get(steps.part[i]) ?? 0) - 1e-6, `phase ${i} of ${event.name}`);
        ends.set(steps.part[i], steps.startUs[i] + steps.durationUs[i]);
      }
      const costs = phaseCosts(whole, times, event, phases);
      const sum = costs.reduce((all, { total }, i) => all + (steps.routine[i] < 0 ? 0 : total), 0);
      const total = stacks.part.reduce((all, _, s) => all + eventValue(event, stacks.costs, s), 0);
      // Samples of other events have no phase of their own, and cost nothing.
      assert.ok(Math.abs(sum - total) <= 1e-9 * Math.abs(total), `${event.name}: ${sum} of ${total}`);
      const last = new Map<number, number>();
      let [held, all, next] = [0, 0, 0];
      for (let i = 0; i < times.at.length; i++) {
        for (; next < steps.name.length && steps.startUs[next] <= times.at[i] / 1e3; next++)
          if (steps.routine[next] >= 0) last.set(steps.part[next], next);
        const s = times.stack[i];
        if (!event.terms.some(([, column]) => column === times.column[i])) continue;
        const own = frames.routine.slice
          .call(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]))
          .map((f) => frames.routine[f]);
        all++;
        held += own.includes(steps.routine[last.get(stacks.part[s]) ?? -1]) ? 1 : 0;
      }
      // Programs without frame pointers leave stacks that share no routine with their neighbours.
      const least = file.endsWith('/commands.perf.gz') ? 0.9 : 0.97;
      assert.ok(held >= least * all, `${event.name}: the routine of a phase is on the stacks of ${held} of ${all} samples`);
    }
  });

test('enough of these files say when their samples were taken', () => assert.ok(withTimes >= 12, `${withTimes}`));

test('the routines of a phase cost what a range of time says', async () => {
  const profile = await loaded('cpuprofile/words.cpuprofile.gz');
  const [event] = profile.events;
  const times = timesOf(profile);
  const phases = phasesOf(profile);
  const { startUs, durationUs } = phases.steps;
  assert.equal(profile.parts.length, 1);
  for (const [i, { total, self }] of phaseCosts(profile, times, event, phases).entries()) {
    const part = runToEnd(clipSamples(profile, times, { fromUs: startUs[i], toUs: startUs[i] + durationUs[i] }));
    const { totals } = analyse(part, part.events);
    assert.ok(Math.abs(eventValue(event, totals.total, 0) - total) < 1e-6, `phase ${i}`);
    for (let r = 0; r < part.routines.name.length; r++) {
      const name = part.routines.name[r];
      const ours = [...self]
        .filter(([routine]) => profile.routines.name[routine] === name)
        .reduce((sum, [, cost]) => sum + cost, 0);
      const theirs = Array.from(part.routines.name.keys())
        .filter((k) => part.routines.name[k] === name)
        .reduce((sum, k) => sum + eventValue(event, totals.self, k), 0);
      assert.ok(Math.abs(ours - theirs) < 1e-6, `phase ${i}: ${stringAt(profile.strings, name)}`);
    }
  }
});

test('threads that wait are not called processors at work', async () => {
  const profile = await loaded('perf-script/waits.perf.gz');
  const names = profile.events.map((event) => computeActivity(profile, timesOf(profile), event, new Set())?.name);
  assert.ok(names.includes('waiting'), names.join(', '));
  assert.deepEqual(
    profile.events.filter(({ name }, k) => names[k] === 'CPUs' && !/^(cpu|task)/.test(name)),
    [],
  );
});
