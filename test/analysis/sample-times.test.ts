// When samples were taken: what is exported in order of time, and what a range of it costs, against a reading of the text made here.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { transformProfile } from '../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../src/analysis/profiles/transforms/transform.ts';
import { ChoiceError } from '../../src/base/errors.ts';
import { speedscope as toSpeedscope } from '../../src/exports/speedscope.ts';
import { cpuprofile } from '../../src/formats/cpuprofile.ts';
import { folded } from '../../src/formats/folded.ts';
import { perfScript } from '../../src/formats/perf-script/index.ts';
import { speedscope } from '../../src/formats/speedscope.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { Profile, ProfileOf } from '../../src/model/profile.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';
import { contextOf } from '../support/reports.ts';

interface Sample {
  /** Nanoseconds. */
  readonly at: bigint;
  readonly event: string;
  readonly period: number;
  /** Names of the frames that have one, the innermost first. */
  readonly named: readonly string[];
  readonly depth: number;
}

/** A plain reading of perf script's usual form. */
function samplesOf(text: string): Sample[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .split('\n\n')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [first, ...frames] = part.replace(/^\n+/, '').trimEnd().split('\n');
      const m = / (\d+)\.(\d+): +(\d+) +(\S+): *$/.exec(first);
      assert.ok(m, first);
      const names = frames.map((f) =>
        f
          .trim()
          .replace(/^[0-9a-f]+ /, '')
          .replace(/\+0x[0-9a-f]+ \(.*$/, ''),
      );
      return {
        at: BigInt(m[1]) * 1_000_000_000n + BigInt(m[2].padEnd(9, '0')),
        event: m[4],
        period: Number(m[3]),
        named: names.filter((n) => !n.startsWith('[unknown]')),
        depth: frames.length,
      };
    });
}

const bytes = readMaybeGz(join(FIXTURES, 'perf-script/two-events.perf.gz'));
const truth = samplesOf(new TextDecoder().decode(bytes));
const load = async () => profileOf(await loadBytes(perfScript, bytes), 'stacks');
const stack = (profile: ProfileOf<'stacks'>, s: number): string[] =>
  Array.from(profile.stacks.frame.subarray(profile.stacks.start[s], profile.stacks.start[s + 1]), (f) =>
    routineName(profile, profile.frames.routine[f]),
  );
const apply = (profile: Profile, ...texts: string[]) => transformProfile(profile, texts.map(parseTransform));

async function exported(profile: Profile, event: string): Promise<Buffer> {
  const context = contextOf(profile);
  const chosen = profile.events.find((e) => e.name === event);
  assert.ok(chosen, event);
  const pieces: Buffer[] = [];
  await toSpeedscope.write({ ...context, event: chosen }, '1.0', async (piece) => void pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}

test('samples keep their order and times', async () => {
  const profile = await load();
  const { times } = profile;
  assert.ok(times);
  assert.ok(truth.length > 100);
  assert.equal(times.at.length, truth.length);
  const order = truth.map((_, i) => i).sort((a, b) => Number(truth[a].at - truth[b].at) || a - b);
  order.forEach((k, i) => {
    const { at, period, named, depth } = truth[k];
    assert.equal(times.at[i], Number(at - truth[order[0]].at));
    assert.equal(times.cost[i], period);
    const frames = stack(profile, times.stack[i]);
    assert.equal(frames.length, depth);
    assert.deepEqual(
      frames.filter((name) => !name.startsWith('0x...')),
      named,
    );
  });
});

test("speedscope's time order is the order of the samples, of each event", async () => {
  const profile = await load();
  for (const event of ['cpu-clock', 'task-clock']) {
    const { shared, profiles } = JSON.parse((await exported(profile, event)).toString());
    const wanted = truth.filter((s) => s.event === event);
    assert.deepEqual(
      profiles[0].weights,
      wanted.map((s) => s.period),
    );
    const names = (list: number[]) => list.map((f) => shared.frames[f].name).filter((n: string) => !n.startsWith('0x...'));
    assert.deepEqual(
      profiles[0].samples.map(names),
      wanted.map((s) => [...s.named].reverse()),
    );
  }
  // Read back, they are in that order, too, one behind the other.
  const back = profileOf(await loadBytes(speedscope, new Uint8Array(await exported(profile, 'cpu-clock'))), 'stacks');
  assert.deepEqual(checkProfile(back), []);
  assert.deepEqual(
    Array.from(back.times?.cost ?? []),
    truth.filter((s) => s.event === 'cpu-clock').map((s) => s.period),
  );
});

test('--time: what the samples of a range cost, with other transforms, too', async () => {
  const profile = await load();
  const first = truth.reduce((least, s) => (s.at < least ? s.at : least), truth[0].at);
  const end = Number(truth.reduce((most, s) => (s.at > most ? s.at : most), 0n) - first) / 1e6;
  for (const [from, to] of [
    [0, end / 3],
    [end / 4, end / 2],
    [end / 2, 2 * end],
  ]) {
    const range = `time=${from.toFixed(3)}ms..${to.toFixed(3)}ms`;
    const inside = truth.filter(({ at }) => {
      const ms = Number(at - first) / 1e6;
      return ms >= Number(from.toFixed(3)) && ms < Number(to.toFixed(3));
    });
    for (const more of [[], ['focus=^spin']]) {
      const left = apply(profile, range, ...more);
      assert.deepEqual(checkProfile(left), []);
      const kept = more.length > 0 ? inside.filter((s) => s.named.some((n) => n.startsWith('spin'))) : inside;
      const { totals } = analyse(left, left.events, new Set());
      for (const event of left.events) {
        const wanted =
          event.name === 'samples' ? kept.length : kept.filter((s) => s.event === event.name).reduce((n, s) => n + s.period, 0);
        assert.equal(eventValue(event, totals.total, 0), wanted, `${event.name} ${range} ${more}`);
      }
    }
  }
});

test('--time beside an event whose costs pass 2^53: each event has what its own samples cost', async () => {
  const text = [
    'a 1 0.000000000: 9007199254740993 u:\n\t1 f (o)\n',
    'a 1 1.000000000: 40 c:\n\t2 g (o)\n',
    'a 1 2.000000000: 2 c:\n\t2 h (o)\n',
  ].join('\n');
  const profile = await loadBytes(perfScript, new TextEncoder().encode(text));
  assert.deepEqual(checkProfile(profile), []);
  const left = apply(profile, 'time=500ms..1500ms');
  assert.deepEqual(checkProfile(left), []);
  const { totals } = analyse(left, left.events, new Set());
  const costs = left.events.map((event) => [event.name, eventValue(event, totals.total, 0)] as const);
  assert.deepEqual(
    new Map(costs),
    new Map([
      ['u', 0],
      ['c', 40],
      ['samples', 1],
    ]),
  );
});

test('evented profiles have their times; where a sample has none, there are none', async () => {
  const events = [
    { type: 'O', frame: 0, at: 5 },
    { type: 'O', frame: 1, at: 7 },
    { type: 'C', frame: 1, at: 8 },
    { type: 'C', frame: 0, at: 12 },
  ];
  const evented = { type: 'evented', name: 'x', unit: 'milliseconds', startValue: 5, endValue: 12, events };
  const $schema = 'https://www.speedscope.app/file-format-schema.json';
  const json = JSON.stringify({ $schema, shared: { frames: [{ name: 'a' }, { name: 'b' }] }, profiles: [evented] });
  const profile = profileOf(await loadBytes(speedscope, new TextEncoder().encode(json)), 'stacks');
  const { times } = profile;
  assert.deepEqual(checkProfile(profile), []);
  assert.deepEqual(
    [Array.from(times?.at ?? []), Array.from(times?.cost ?? [])],
    [
      [0, 2e6, 3e6],
      [2, 1, 4],
    ],
  );
  const text = 'a 1 100.5: 1 cycles:\n\t12 f (/a)\n\na 1 1 cycles:\n\t12 f (/a)\n\n';
  assert.equal(profileOf(await loadBytes(perfScript, new TextEncoder().encode(text)), 'stacks').times, undefined);
  const plain = await loadBytes(folded, new TextEncoder().encode('a;b 1\n'));
  assert.throws(
    () => apply(plain, 'time=1s..2s'),
    (e) => e instanceof ChoiceError && /samples with times/.test(e.message),
  );
});

interface V8Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
  readonly startTime: number;
  readonly endTime: number;
}

test('.cpuprofile: a range of time has the samples of the file that are in it, function by function', async () => {
  for (const name of ['sort.cpuprofile.gz', 'fib.cpuprofile.gz', 'back-in-time.cpuprofile']) {
    const text = readMaybeGz(join(FIXTURES, 'cpuprofile', name));
    const said = JSON.parse(new TextDecoder().decode(text)) as V8Profile;
    const whole = profileOf(await loadBytes(cpuprofile, new Uint8Array(text)), 'stacks');
    checkProfile(whole);
    const nameOf = new Map(said.nodes.map((n) => [n.id, n.callFrame.functionName || '(anonymous)']));
    let now = said.startTime;
    const taken = said.samples
      .map((node, i) => ({ name: nameOf.get(node) ?? '', at: (now += said.timeDeltas[i]) }))
      .sort((a, b) => a.at - b.at);
    const origin = taken.find((s) => s.name !== '(root)')?.at ?? 0;
    const span = (taken.at(-1)?.at ?? 0) - origin;
    for (const [from, to] of [
      [0, 0.3],
      [0.2, 0.9],
      [0.5, 2],
    ].map((ends) => ends.map((part) => Math.round(part * span)))) {
      const wanted = new Map<string, number>();
      for (const { name: own, at } of taken)
        if (own !== '(root)' && at - origin >= from && at - origin < to) wanted.set(own, (wanted.get(own) ?? 0) + 1);
      const profile = apply(whole, `time=${from}us..${to}us`);
      const event = profile.events.find((e) => e.name === 'samples');
      assert.ok(event);
      const { totals } = analyse(profile, profile.events, new Set());
      const found = new Map<string, number>();
      for (const r of profile.routines.name.keys()) {
        const cost = eventValue(event, totals.self, r);
        const own = routineName(profile, r);
        if (cost !== 0) found.set(own, (found.get(own) ?? 0) + cost);
      }
      assert.deepEqual([...found].sort(), [...wanted].sort(), `${name} ${from}..${to}`);
    }
  }
});
