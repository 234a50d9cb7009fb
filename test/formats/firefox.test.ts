// Processed profiles of the Firefox Profiler: a slow reader of the published description, the recordings that the page itself imported, and
// files that are wrong.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { firefox } from '../../src/formats/firefox.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/event-value.ts';
import type { Profile } from '../../src/model/profile.ts';
import { type Processed, tallied } from '../support/firefox.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { loadBytes, loadText } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'firefox');

/** Costs by name: of functions that have one, in the event that opens. */
function costs(profile: Profile, event = profile.events[0]) {
  const { totals } = analyse(profile, profile.events, new Set());
  const by = (of: typeof totals.self) => {
    const sums = new Map<string, number>();
    for (let r = 0; r < profile.routines.name.length; r++) {
      const cost = eventValue(event, of, r);
      const name = routineName(profile, r).replace(/ \(inl\)$/, '');
      if (cost !== 0) sums.set(name, (sums.get(name) ?? 0) + cost);
    }
    return [...sums].sort();
  };
  return { total: eventValue(event, totals.total, 0), self: by(totals.self), inclusive: by(totals.inclusive) };
}

for (const file of readdirSync(FOLDER).filter((name) => /\.json(\.gz)?$/.test(name)))
  test(`${file}: weights are those of a plain tally`, async () => {
    const bytes = readMaybeGz(join(FOLDER, file));
    const { total, self, inclusive } = tallied(JSON.parse(bytes.toString()) as Processed);
    assert.ok(total > 0);
    const names = (sums: Map<string, number>) => [...sums].sort();
    assert.deepEqual(costs(await loadBytes(firefox, new Uint8Array(bytes))), {
      total,
      self: names(self),
      inclusive: names(inclusive),
    });
  });

test('the same recording as text of perf script: as many samples of each function', async () => {
  const own = await loadProfile([join(FIXTURES, 'perf-script/two-events.perf.gz')]);
  const event = own.events.find((e) => e.name === 'samples');
  const page = new Map(costs(await loadProfile([join(FOLDER, 'two-events.profile.json.gz')])).self);
  const counts = costs(own, event).self.filter(([name]) => !/^0x|unknown/.test(name));
  assert.ok(counts.length > 20);
  for (const [name, count] of counts) assert.equal(page.get(name), count, name);
});

test('CPU time, threads, lines, objects, inlined frames, samples without a stack', async () => {
  const profile = await loadProfile([join(FOLDER, 'threads.json')]);
  assert.deepEqual(
    profile.events.map(({ name, unit }) => [name, unit]),
    [
      ['samples', 'samples'],
      ['cpu', 'ns'],
    ],
  );
  // 250 µs and 200 µs in mix, 50 µs in [idle]; 100 µs in main of the other thread.
  assert.deepEqual(costs(profile, profile.events[1]).self, [
    ['[idle]', 50_000],
    ['main', 100_000],
    ['mix', 450_000],
  ]);
  assert.deepEqual(
    profile.parts.map(({ command, pid, thread, notes }) => [command, pid, thread, ...notes]),
    [
      ['words', 70, 71, '5 samples', 'left out: 1 sample without a stack'],
      ['words: worker', 70, 72, '1 sample'],
    ],
  );
  assert.ok(profile.kind === 'stacks');
  assert.deepEqual(profile.times?.at.length, 9);
});

test('files that are wrong name the place and the fault', async () => {
  const text = readMaybeGz(join(FOLDER, 'shared-last.json')).toString();
  const wrong = (from: string | RegExp, to: string, message: RegExp) =>
    assert.rejects(loadText(firefox, text.replace(from, to)), message);
  await wrong('"stack":[1,2,0]', '"stack":[1,9,0]', /a stack, and its prefix before it, found 9/);
  await wrong('"prefix":[null,0,1]', '"prefix":[null,2,1]', /prefix before it, found 2/);
  await wrong('"stringArray":["run","step",', '"stringArray":["run",7,', /a function that has a name, found 1/);
  await wrong('"weightType":"samples"', '"weightType":"pounds"', /a weightType of samples, tracing-ms, bytes, found "pounds"/);
  await wrong('"shared"', '"other"', /a stackTable in the thread or in shared, found none/);
  await wrong('"samples":{', '"samples":{"schema":{},', /open it in profiler\.firefox\.com/);
  await wrong(/"threads":\[.*\],"shared"/s, '"threads":[],"shared"', /a thread, found none/);
});
