// Profiles of pprof against what `go tool pprof` says of them, against another reader of the format, and made-up ones.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Function as Func, Label, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { routineName } from '../../src/analysis/names/names.ts';
import { transformProfile } from '../../src/analysis/profiles/transforms/apply.ts';
import { parseTransform } from '../../src/analysis/profiles/transforms/transform.ts';
import { FormatError } from '../../src/base/problem.ts';
import { withoutArguments } from '../../src/base/text.ts';
import { pprof } from '../../src/formats/pprof/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { Profile as Loaded, ProfileOf } from '../../src/model/profile.ts';
import { stringAt } from '../../src/model/strings.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';

const FOLDER = join(FIXTURES, 'pprof');
const bytesOf = (name: string) => gunzipSync(readFileSync(join(FOLDER, name)));

/** Self and inclusive cost by name, as pprof's -top shows them. */
function costsByName(profile: Loaded, event: string): Map<string, [number, number]> {
  const analysis = analysisOf(profile, 'stacks');
  const wanted = profile.events.find((e) => e.name === event);
  assert.ok(wanted, `${event} of ${profile.events.map((e) => e.name)}`);
  const out = new Map<string, [number, number]>();
  for (let r = 0; r < profile.routines.name.length; r++) {
    const name = routineName(profile, r);
    const [self, all] = out.get(name) ?? [0, 0];
    const { totals } = analysis;
    out.set(name, [self + eventValue(wanted, totals.self, r), all + eventValue(wanted, totals.inclusive, r)]);
  }
  return out;
}

const SECONDS: Readonly<Record<string, number>> = { '': 1, B: 1, ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Rows of -top: name, flat, cum, and how much rounding has taken away. */
function* topRows(text: string) {
  for (const line of text.split('\n')) {
    const row = /^ *(-?[\d.]+)([a-zA-Z]*) +\S+% +\S+% +(-?[\d.]+)([a-zA-Z]*) +\S+% {2}(.*?)(?: \((?:partial-)?inline\))?$/.exec(
      line,
    );
    if (!row) continue;
    const value = (digits: string, unit: string) => ({
      is: Number(digits) * SECONDS[unit],
      // Half of the last digit.
      within: SECONDS[unit] === 1 ? 0 : 0.5 * SECONDS[unit] * 10 ** -(digits.split('.')[1]?.length ?? 0),
    });
    yield { name: row[5], flat: value(row[1], row[2]), cum: value(row[3], row[4]) };
  }
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.pb.gz'))) {
  const name = file.replace('.pb.gz', '');
  for (const top of readdirSync(FOLDER).filter((f) => new RegExp(`^${name}\\.\\w+\\.top\\.txt$`).test(f))) {
    const type = top.split('.')[1];
    test(`${name}, ${type}: flat and cum of every function are those of go tool pprof`, async () => {
      const profile = await loadBytes(pprof, bytesOf(file));
      assert.deepEqual(checkProfile(profile), []);
      const ours = costsByName(profile, type);
      let rows = 0;
      for (const { name: routine, flat, cum } of topRows(readFileSync(join(FOLDER, top), 'utf8'))) {
        rows++;
        const [self, all] = ours.get(routine) ?? [Number.NaN, Number.NaN];
        assert.ok(Math.abs(self - flat.is) <= flat.within, `${routine}: self ${self}, flat ${flat.is}`);
        assert.ok(Math.abs(all - cum.is) <= cum.within, `${routine}: inclusive ${all}, cum ${cum.is}`);
      }
      assert.ok(rows > 0);
      assert.equal([...ours.values()].filter(([self, all]) => self !== 0 || all !== 0).length, rows);
    });
  }
  test(`${name}: another reader finds the same samples, stacks, lines and labels`, async () => {
    const bytes = bytesOf(file);
    const profile = profileOf(await loadBytes(pprof, bytes), 'stacks');
    assert.deepEqual(tallyOf(profile), tallyOfOther(Profile.decode(bytes)));
  });
}

const FILTERS: Readonly<Record<string, string>> = {
  'focus-insert': 'focus=insert',
  'ignore-runtime': 'ignore=^runtime',
  'hide-runtime': 'hide=^runtime\\.',
  'show-main': 'show=^main\\.',
  'show_from-main': 'show-from=^main\\.',
  'prune_from-runtime': 'prune-from=^runtime\\.',
  'tagfocus-worker1': 'tag-focus=worker=[1]',
};

for (const [file, filter] of Object.entries(FILTERS))
  test(`cpu with ${filter}: what is left is what pprof leaves`, async () => {
    const whole = await loadBytes(pprof, bytesOf('cpu.pb.gz'));
    const left = transformProfile(whole, [parseTransform(filter)]);
    assert.deepEqual(checkProfile(left), []);
    const ours = costsByName(left, 'samples');
    const theirs = new Map(
      [...topRows(readFileSync(join(FOLDER, `cpu.${file}.top.txt`), 'utf8'))].map((r) => [r.name, [r.flat.is, r.cum.is]]),
    );
    assert.deepEqual(new Map([...ours].filter(([, [self, all]]) => self + all > 0).sort()), new Map([...theirs].sort()));
  });

/** Values by part of what a sample says, in words. */
type Tally = Record<string, number[]>;

function add(tally: Tally, key: string, values: readonly number[]): void {
  const sums = (tally[key] ??= values.map(() => 0));
  values.forEach((v, i) => {
    sums[i] += v;
  });
}

function tallyOf(profile: ProfileOf<'stacks'>): Tally {
  const { stacks, frames, strings, files, labels, events } = profile;
  // In the order of the file.
  const order = events.map((e) => e.terms[0][1]).sort((a, b) => a - b);
  const out: Tally = {};
  for (let s = 0; s < stacks.part.length; s++) {
    const list = Array.from(stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]), (f) => {
      const file = frames.file[f] < 0 ? '' : stringAt(strings, files.name[frames.file[f]]);
      return `${routineName(profile, frames.routine[f])} ${file}:${frames.line[f]}`;
    });
    const said: string[] = [];
    const set = labels?.set[s] ?? 0;
    for (let row = labels?.start[set] ?? 0; labels && row < labels.start[set + 1]; row++)
      said.push(
        `${stringAt(strings, labels.key[row])}=${labels.value[row] < 0 ? labels.number[row] : stringAt(strings, labels.value[row])}`,
      );
    add(
      out,
      [...list, ...said].join('\n'),
      order.map((c) => stacks.costs[c][s]),
    );
  }
  return out;
}

function tallyOfOther(profile: Profile): Tally {
  const text = (i: number | bigint) => profile.stringTable.strings[Number(i)];
  const locations = new Map(profile.location.map((l) => [`${l.id}`, l]));
  const functions = new Map(profile.function.map((f) => [`${f.id}`, f]));
  const out: Tally = {};
  for (const sample of profile.sample) {
    const frames = sample.locationId.flatMap((id) =>
      (locations.get(`${id}`)?.line ?? []).map((line) => {
        const f = functions.get(`${line.functionId}`);
        return `${text(f?.name ?? 0)} ${text(f?.filename ?? 0)}:${line.line}`;
      }),
    );
    const labels = sample.label.map((l) => `${text(l.key)}=${Number(l.str) === 0 ? l.num : text(l.str)}`);
    add(
      out,
      [...frames, ...labels].join('\n'),
      // That reader takes all numbers for unsigned.
      sample.value.map((v) => Number(BigInt.asIntN(64, BigInt(v)))),
    );
  }
  return out;
}

// --- made-up profiles

interface MadeSample {
  readonly stack: readonly string[];
  readonly values: readonly (number | bigint)[];
  readonly labels?: Readonly<Record<string, string | number>>;
}

/** `stack`: names, the innermost first; `a+b` are functions inlined at one location, a into b. */
function made(
  types: readonly (readonly [string, string])[],
  samples: readonly MadeSample[],
  more: Readonly<Record<string, string | number>> = {},
): Uint8Array {
  const strings = new StringTable();
  const functions = new Map<string, Func>();
  const locations = new Map<string, Location>();
  const functionOf = (name: string) => {
    let f = functions.get(name);
    if (!f)
      functions.set(name, (f = new Func({ id: functions.size + 1, name: strings.dedup(name), filename: strings.dedup('a.c') })));
    return f;
  };
  const locationOf = (names: string) => {
    let l = locations.get(names);
    if (!l) {
      const line = names === '' ? [] : names.split('+').map((n, i) => new Line({ functionId: functionOf(n).id, line: i + 1 }));
      locations.set(names, (l = new Location({ id: locations.size + 1, line })));
    }
    return l;
  };
  const sample = samples.map(
    ({ stack, values, labels = {} }) =>
      new Sample({
        locationId: stack.map((names) => locationOf(names).id),
        value: [...values],
        label: Object.entries(labels).map(
          ([key, value]) =>
            new Label({
              key: strings.dedup(key),
              ...(typeof value === 'number' ? { num: value } : { str: strings.dedup(value) }),
            }),
        ),
      }),
  );
  return new Profile({
    sampleType: types.map(([type, unit]) => new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) })),
    sample,
    location: [...locations.values()],
    function: [...functions.values()],
    ...Object.fromEntries(Object.entries(more).map(([key, v]) => [key, typeof v === 'string' ? strings.dedup(v) : v])),
    stringTable: strings,
  }).encode();
}

const CPU = [['cpu', 'nanoseconds']] as const;
const loadMade = async (...args: Parameters<typeof made>) => profileOf(await loadBytes(pprof, made(...args)), 'stacks');
const stacksOf = (p: ProfileOf<'stacks'>) =>
  Array.from({ length: p.stacks.part.length }, (_, s) =>
    Array.from(p.stacks.frame.subarray(p.stacks.start[s], p.stacks.start[s + 1]), (f) =>
      routineName(p, p.frames.routine[f]),
    ).join(' '),
  );

test('the default type opens, else the last; units that are multiples are scaled', async () => {
  const types = [
    ['wall', 'milliseconds'],
    ['cpu', 'seconds'],
    ['mem', 'kilobytes'],
    ['things', 'widgets'],
  ] as const;
  const sample = [{ stack: ['f'], values: [3, 2, 5, 7] }];
  const last = await loadMade(types, sample);
  assert.deepEqual(
    last.events.map((e) => [e.name, e.unit, eventValue(e, last.stacks.costs, 0)]),
    [
      ['things', 'count', 7],
      ['wall', 'ns', 3e6],
      ['cpu', 'ns', 2e9],
      ['mem', 'bytes', 5120],
    ],
  );
  const chosen = await loadMade(types, sample, { defaultSampleType: 'cpu' });
  assert.deepEqual(
    chosen.events.map((e) => e.name),
    ['cpu', 'wall', 'mem', 'things'],
  );
});

test('numbers beyond 2^53 and below 0 are exact', async () => {
  const p = await loadMade(CPU, [
    { stack: ['f'], values: [9007199254740993n] },
    { stack: ['f'], values: [2n ** 62n] },
    { stack: ['g'], values: [-5] },
  ]);
  assert.deepEqual(checkProfile(p), []);
  const { totals } = analysisOf(p, 'stacks');
  const { exactValue } = await import('../../src/model/head.ts');
  assert.equal(exactValue(p.events[0], totals.total, 0), 9007199254740993n + 2n ** 62n - 5n);
});

test('samples without a location keep their cost', async () => {
  const p = await loadMade(CPU, [
    { stack: [], values: [7] },
    { stack: ['f'], values: [1] },
  ]);
  assert.deepEqual(stacksOf(p), ['(no stack)', 'f']);
});

test('drop_frames and keep_frames as in RemoveUninteresting of profile/prune.go', async () => {
  const drop = (stack: string[], extra = {}) =>
    loadMade(CPU, [{ stack, values: [1] }], { dropFrames: 'malloc|new_.*', keepFrames: 'new_user', ...extra }).then(stacksOf);
  assert.deepEqual(await drop(['page', 'malloc', 'f', 'main']), ['f main']);
  assert.deepEqual(await drop(['page', 'new_user', 'f', 'main']), ['page new_user f main']);
  // In front of the first frame that stays, nothing is dropped.
  assert.deepEqual(await drop(['page', 'malloc']), ['page malloc']);
  assert.deepEqual(await drop(['malloc']), ['malloc']);
  // Inlined into f: f itself stays.
  assert.deepEqual(await drop(['page', 'malloc+f', 'main']), ['f main']);
  assert.deepEqual(await drop(['page', 'malloc(unsigned long)', 'main']), ['main']);
  const p = await loadMade(CPU, [{ stack: ['f'], values: [1] }], { dropFrames: '(' });
  assert.match(p.warnings[0].found, /no frame is left out/);
});

test('names without their arguments, as pprof compares them', () => {
  assert.equal(withoutArguments('std::vector<int>::push_back(int&&)'), 'std::vector<int>::push_back');
  assert.equal(withoutArguments('(anonymous namespace)::run(int)'), '(anonymous namespace)::run');
  assert.equal(withoutArguments('Fn::operator()(int)'), 'Fn::operator()');
  assert.equal(withoutArguments('.f'), 'f');
});

test('tag-focus and tag-ignore take keys, ranges with units, and lists', async () => {
  const p = await loadMade(CPU, [
    { stack: ['a'], values: [1], labels: { worker: 'one', bytes: 16 } },
    { stack: ['b'], values: [2], labels: { worker: 'two', bytes: 2048 } },
    { stack: ['c'], values: [4], labels: { bytes: 1 << 20 } },
    { stack: ['d'], values: [8] },
  ]);
  const left = (filter: string) => {
    const q = profileOf(transformProfile(p, [parseTransform(filter)]), 'stacks');
    assert.deepEqual(checkProfile(q), []);
    return stacksOf(q).join(' ');
  };
  assert.equal(left('tag-focus=worker=one|two'), 'a b');
  assert.equal(left('tag-focus=worker=t'), 'b');
  assert.equal(left('tag-focus=worker:one'), 'a');
  assert.equal(left('tag-focus=one,two'), '');
  assert.equal(left('tag-focus=worker=one,two'), 'a b');
  assert.equal(left('tag-focus=bytes=1kb:'), 'b c');
  assert.equal(left('tag-focus=bytes=:2kb'), 'a b');
  assert.equal(left('tag-focus=bytes=2kb:1mb'), 'b c');
  assert.equal(left('tag-focus=16'), 'a');
  assert.equal(left('tag-ignore=bytes='), 'd');
  assert.equal(left('tag-ignore=worker='), 'c d');
  assert.equal(left('tag-root=worker'), 'a worker=one b worker=two c worker=? d worker=?');
  assert.equal(
    left('tag-leaf=worker,bytes').split(' c ')[0],
    'bytes=16 bytes worker=one a bytes=2048 bytes worker=two b bytes=1048576 bytes worker=?',
  );
  assert.throws(() => left('tag-root=nobody'), /no label is called nobody/);
});

test('any profile: the tally is that of another reader, and sums of self are totals', async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd+e', 'b+a');
  const sample = fc.record({
    stack: fc.array(name, { maxLength: 6 }),
    values: fc.tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.nat()),
    labels: fc.dictionary(
      fc.constantFrom('k', 'l'),
      fc.oneof(
        fc.nat({ max: 3 }).map((n) => n + 1),
        fc.constantFrom('x', 'y'),
      ),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { maxLength: 12 }), async (samples) => {
      const bytes = made([...CPU, ['n', 'count']], samples);
      const profile = profileOf(await loadBytes(pprof, bytes, 7), 'stacks');
      assert.deepEqual(checkProfile(profile), []);
      const theirs = tallyOfOther(Profile.decode(bytes));
      const ours = Object.fromEntries(
        Object.entries(tallyOf(profile)).map(([key, v]) => [key.replace(/^\(no stack\) :0\n?/, ''), v]),
      );
      assert.deepEqual(ours, theirs);
    }),
    { numRuns: 200 },
  );
});

test('what refers to nothing is refused', async () => {
  const strings = new StringTable();
  const type = new ValueType({ type: strings.dedup('cpu'), unit: strings.dedup('ns') });
  const encode = (more: object) => new Profile({ sampleType: [type], stringTable: strings, ...more }).encode();
  const refused = async (bytes: Uint8Array, found: RegExp) =>
    assert.rejects(
      loadBytes(pprof, bytes),
      (e) => e instanceof FormatError && found.test(`${e.problem.expected} ${e.problem.found}`),
    );
  await refused(encode({ sample: [new Sample({ locationId: [9], value: [1] })] }), /every location/);
  await refused(
    encode({
      sample: [new Sample({ locationId: [1], value: [1] })],
      location: [new Location({ id: 1, line: [new Line({ functionId: 4, line: 1 })] })],
    }),
    /every function/,
  );
  await refused(encode({ sample: [new Sample({ locationId: [1], value: [1, 2] })] }), /a sample with 1 value.*2/);
  await refused(encode({ dropFrames: 99 }), /string 99/);
  const many = Array.from({ length: 1001 }, () => type);
  await refused(encode({ sampleType: many }), /at most 1000 events of a profile more/);
  const wide = new Sample({ locationId: [1], value: many.map(() => 1) });
  // Samples may come before their types.
  await refused(new Uint8Array([...new Profile({ sample: [wide] }).encode()]), /at most 1000 events of a profile more/);
  await refused(new Uint8Array([0x0a, 0x04, 0x08, 0x01, 0x10]), /the end of the file inside/);
});
