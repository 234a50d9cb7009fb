// Processed profiles of the Firefox Profiler: a slow reader of the published description, the recordings that the page itself imported, and
// files that are wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { isOfKind } from '../../src/analysis/answers/analysis.ts';
import { tagRows } from '../../src/analysis/answers/stacks/tags.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { phaseCosts, samplesAsPhases } from '../../src/analysis/profiles/phases.ts';
import { firefox } from '../../src/formats/firefox/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { type Processed, tallied } from '../support/firefox.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { loadAnalysis, loadBytes, loadText } from '../support/load.ts';

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

test('categories are labels: those of the kernel are the samples that perf has in it', async () => {
  for (const name of ['two-events', 'inlined']) {
    const text = gunzipSync(readFileSync(join(FIXTURES, `perf-script/${name}.perf.gz`))).toString();
    const leaves = text.split('\n\n').flatMap((sample) => sample.split('\n').slice(1, 2));
    const inKernel = leaves.filter((line) => line.includes('kernel')).length;
    const analysis = await loadAnalysis(join(FOLDER, `${name}.profile.json.gz`));
    assert.ok(isOfKind(analysis, 'stacks'));
    const { tags, costs } = tagRows(analysis.profile, new Set());
    const categories = tags.filter(({ key }) => key === 'category');
    const said = Object.fromEntries(categories.map((tag) => [`${tag.key}=${tag.value}`, costs[0][tag.row]]));
    assert.deepEqual(said, { 'category=User': leaves.length - inKernel, 'category=Kernel': inKernel }, name);
  }
});

test('a frame without a category has that of its caller', async () => {
  const analysis = await loadAnalysis(join(FOLDER, 'markers.json'));
  assert.ok(isOfKind(analysis, 'stacks'));
  const { tags, costs } = tagRows(analysis.profile, new Set());
  const categories = tags.filter(({ key }) => key === 'category');
  const said = Object.fromEntries(categories.map((tag) => [tag.value, costs[0][tag.row]]));
  assert.deepEqual(said, { Layout: 4, Graphics: 4, Other: 1 });
});

test('markers: intervals, moments, and halves of which one may be missing', async () => {
  const analysis = await loadAnalysis(join(FOLDER, 'markers.json'));
  assert.ok(isOfKind(analysis, 'stacks'));
  const { markers, strings } = analysis.profile;
  assert.ok(markers);
  const said = Array.from(markers.name, (name, i) => [stringAt(strings, name), markers.from[i] / 1e6, markers.to[i] / 1e6]);
  assert.deepEqual(said, [
    // An end by itself lasts from time 0; times count from the first sample.
    ['Idle', -100, 1],
    ['Frame: one', 0, 4],
    ['Load', 2, 6],
    ['VSync', 3, 3],
    ['Frame: two', 4, 8],
    ['Save', 8, 9],
  ]);
  const { profile } = analysis;
  assert.ok(profile.times);
  const phases = samplesAsPhases(profile, profile.times, profile.events[0]);
  const costsOf = phaseCosts(profile, profile.times, profile.events[0], phases);
  const rows = Array.from(phases.steps.name.keys()).filter((i) => phases.steps.routine[i] < 0);
  // The samples from 100 up to 104 ms, and from 104 up to 108.
  assert.deepEqual(
    rows.map((i) => [stringAt(strings, phases.steps.name[i]), costsOf[i].total]),
    [
      ['Idle', 1],
      ['Frame: one', 4],
      ['Load', 4],
      ['VSync', 0],
      ['Frame: two', 4],
      ['Save', 0],
    ],
  );
});

test('a column of samples that is shorter than the others is told', async () => {
  const thread = (samples: object) =>
    JSON.stringify({
      meta: { version: 27, preprocessedProfileVersion: 57, product: 'x' },
      libs: [],
      shared: {
        stringArray: ['main'],
        stackTable: { frame: [0], prefix: [null], length: 1 },
        frameTable: { func: [0], length: 1 },
        funcTable: { name: [0], length: 1 },
      },
      threads: [{ name: 'x', pid: '7', tid: 7, samples }],
    });
  const warned = async (samples: object) => (await loadText(firefox, thread(samples))).warnings.map((w) => w.found);
  assert.deepEqual(await warned({ stack: [0, 0, 0], time: [1, 2, 3], weight: [1, 1, 1] }), []);
  assert.deepEqual(await warned({ stack: [0, 0], time: [1, 2, 3] }), ['samples whose columns differ: 2 of stack, 3 of time']);
  assert.deepEqual(await warned({ stack: [0, 0], time: [1] }), ['samples whose columns differ: 2 of stack, 1 of time']);
});

test('addresses are named by the symbols that samply wrote beside the profile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'samply-'));
  const debugIds = ['A14CAFD390A2E0C8CA5F4E6B5D7E7D3D0', 'B14CAFD390A2E0C8CA5F4E6B5D7E7D3D1'];
  const addresses = [0x1010, 0x2020, 0x2020, 0x3030, 0x4040];
  const libOf = [0, 0, 1, 1, 1];
  const profile = {
    meta: { interval: 1, preprocessedProfileVersion: 57 },
    libs: debugIds.map((breakpadId, i) => ({ name: `lib${i}`, path: `/nowhere/lib${i}`, breakpadId, codeId: '' })),
    shared: {
      stackTable: { frame: [0, 1, 2, 3, 4], prefix: [null, 0, 1, null, null] },
      frameTable: { address: addresses, func: [0, 1, 2, 3, 4], inlineDepth: [0, 0, 0, 0, 0] },
      funcTable: { name: [0, 1, 2, 3, 4], resource: libOf },
      resourceTable: { lib: [0, 1], name: [5, 6], type: [1, 1] },
      stringArray: [...addresses.map((a) => `0x${a.toString(16)}`), 'lib0', 'lib1'],
    },
    threads: [{ name: 't', pid: '7', tid: 7, samples: { stack: [2, 2, 1, 3, 4], timeDeltas: [1, 1, 1, 1, 1] } }],
  };
  const symbols = {
    string_table: ['UNKNOWN', 'main', 'work(int)', 'inlined', 'a.cpp', 'other'],
    data: [
      {
        ...{ debug_name: 'lib1', debug_id: 'b14cafd3-90a2-e0c8-ca5f-4e6b5d7e7d3d-1', code_id: '' },
        symbol_table: [
          {
            rva: 0x2000,
            size: 64,
            symbol: 5,
            frames: [
              { function: 3, file: 4, line: 7 },
              { function: 5, file: 4, line: 9 },
            ],
          },
        ],
        known_addresses: [
          [0x2020, 0],
          [0x4040, 99],
        ],
      },
      {
        ...{ debug_name: 'lib0', debug_id: 'a14cafd3-90a2-e0c8-ca5f-4e6b5d7e7d3d', code_id: '' },
        symbol_table: [
          { rva: 0x1000, symbol: 1 },
          { rva: 0x2000, symbol: 2, frames: [] },
        ],
        known_addresses: [
          [0x1010, 0],
          [0x2020, 1],
        ],
      },
    ],
  };
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile));
  const nameless = costs(await loadProfile([join(folder, 'profile.json')]));
  assert.deepEqual(
    nameless.self.map(([name]) => name),
    ['0x... [lib0]', '0x... [lib1]'],
  );
  writeFileSync(join(folder, 'profile.json.syms.json'), JSON.stringify(symbols));
  const own = await loadProfile([join(folder, 'profile.json')]);
  assert.deepEqual(costs(own), {
    total: 5,
    self: [
      ['0x... [lib1]', 2],
      ['inlined', 2],
      ['work(int)', 1],
    ],
    inclusive: [
      ['0x... [lib1]', 2],
      ['inlined', 2],
      ['main', 3],
      ['other', 2],
      ['work(int)', 3],
    ],
  });
  assert.ok(
    own.notes?.some((note) => note === 'profile.json.syms.json names 3 addresses'),
    own.notes?.join('\n'),
  );
  // Its own name for the same file, and one that is no JSON.
  rmSync(join(folder, 'profile.json.syms.json'));
  writeFileSync(join(folder, 'profile.syms.json'), JSON.stringify(symbols));
  assert.deepEqual(costs(await loadProfile([join(folder, 'profile.json')])), costs(own));
  writeFileSync(join(folder, 'profile.syms.json'), '{"string_table":');
  const cut = await loadProfile([join(folder, 'profile.json')]);
  assert.deepEqual(costs(cut), nameless);
  assert.deepEqual(
    cut.warnings.map((w) => w.expected),
    ['symbols in profile.syms.json', 'names for most samples'],
  );
});
