// What is exported, read back: by our own loaders, by another reader of the format, or as plain JSON and text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Profile as OtherProfile } from 'pprof-format';
import { analyse as analyseParts } from '../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { allEvents } from '../../src/analysis/answers/events.ts';
import { fileName, nameInData, objectName } from '../../src/analysis/names/names.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { transformProfile } from '../../src/analysis/profiles/transforms/apply.ts';
import { contextsAsStacks } from '../../src/analysis/profiles/transforms/of-contexts.ts';
import { parseTransform } from '../../src/analysis/profiles/transforms/transform.ts';
import { runToEnd } from '../../src/base/slices.ts';
import type { Exporter } from '../../src/exports/exporter.ts';
import { exporterForPath, exporters } from '../../src/exports/index.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue, exactValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES, ROOT } from '../support/fixtures.ts';
import { loadBytes } from '../support/load.ts';
import { long } from '../support/long.ts';
import { contextOf as reportContext } from '../support/reports.ts';
import { PLAINLY } from '../support/versus.ts';

const analyse = (profile: Profile, off: ReadonlySet<number> = new Set()) => analyseParts(profile, profile.events, off);
const load = (...names: string[]) => loadProfile(names.map((name) => join(FIXTURES, name)));
const only = (format: string) => loaders.find((l) => l.name === format) ?? loaders[0];
const named = (name: string): Exporter => {
  const found = exporters.find((e) => e.name === name);
  assert.ok(found, name);
  return found;
};

const PROFILES: Readonly<Record<string, readonly string[]>> = {
  'a call graph': ['callgrind/default.callgrind.out'],
  'instructions and jumps': ['callgrind/instr-jumps.callgrind.out.gz'],
  'samples with addresses': ['gperftools/pie-g.prof.gz'],
  'samples with labels': ['pprof/cpu.pb.gz'],
  'samples of threads': ['perf-script/two-events.perf.gz'],
  'recorded contexts': ['aprof/sorts-cct/sorts_29653_0_4.aprof.gz'],
  'slices of a trace': ['trace-events/hand/complete-object.json'],
};

async function exported(profile: Profile, name: string, more: object = {}): Promise<Buffer> {
  const context = { ...reportContext(profile), ...more };
  const exporter = named(name);
  assert.equal(exporter.refusal(context), undefined);
  const pieces: Buffer[] = [];
  await exporter.write(context, '1.0', async (piece) => void pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}

async function again(bytes: Buffer, format: string): Promise<Profile> {
  const loader = loaders.find((l) => l.name === format);
  assert.ok(loader);
  assert.equal(loader.detect(new Uint8Array(bytes.subarray(0, 4096)), 'unknown'), 'yes');
  const profile = await loadBytes(loader, new Uint8Array(bytes));
  assert.deepEqual(checkProfile(profile), []);
  assert.deepEqual(profile.warnings, []);
  return profile;
}

/** How each export is read back, and the test file that does it: a new one needs a line, and a test. */
const READ_BACK: Readonly<Record<string, string>> = {
  pprof: 'exports/round-trip.test.ts',
  speedscope: 'exports/round-trip.test.ts',
  folded: 'exports/round-trip.test.ts',
  callgrind: 'exports/round-trip.test.ts',
  firefox: 'exports/firefox.test.ts',
  trace: 'reports/spans.test.ts',
  otlp: 'reports/spans.test.ts',
  dot: 'reports/hostile.test.ts',
};

test('every export is read back by a test', () => {
  assert.deepEqual(exporters.map((e) => e.name).sort(), Object.keys(READ_BACK).sort());
  const table = /const READ_BACK[\s\S]*?\n};/;
  for (const [name, file] of Object.entries(READ_BACK)) {
    const text = readFileSync(join(ROOT, 'test', file), 'utf8').replace(table, '');
    assert.match(text, new RegExp(`\\b${name}\\b`), `${file} reads ${name} back`);
  }
});

/** Costs of an event by what `key` says of a row, without what costs nothing. */
type Sums = Map<string, number>;
const sumBy = (rows: number, key: (row: number) => string, value: (row: number) => number): Sums => {
  const out: Sums = new Map();
  for (let r = 0; r < rows; r++) if (value(r) !== 0) out.set(key(r), (out.get(key(r)) ?? 0) + value(r));
  return new Map([...out].filter(([, v]) => v !== 0).sort());
};

const placeOf = (profile: Profile, r: number) =>
  `${nameInData(profile, r)} ${fileName(profile, profile.routines.file[r]) ?? '???'} ${objectName(profile, profile.routines.object[r]) ?? '???'}`;

const selves = (profile: Profile, event: string, key = (r: number) => placeOf(profile, r)): Sums => {
  const { totals } = analyse(profile);
  const found = profile.events.find((e) => e.name === event);
  return sumBy(profile.routines.name.length, key, (r) => (found ? eventValue(found, totals.self, r) : 0));
};

for (const [what, paths] of Object.entries(PROFILES)) {
  test(`${what}: an event by a formula, which no file has recorded, is the one that is exported if it is shown`, async () => {
    const profile = await load(...paths);
    const [recorded] = profile.events;
    const [event] = allEvents(profile.events, [`HALF=1.5 ${recorded.name}`, 'X=2 HALF']).slice(-1);
    const { totals } = analyse(profile);
    let self = 0;
    for (let r = 0; r < profile.routines.name.length; r++) self += eventValue(recorded, totals.self, r);
    for (const format of ['pprof', 'speedscope', 'folded', 'callgrind']) {
      const back = await again(await exported(profile, format, { event }), format);
      const [first] = back.events;
      if (format === 'pprof' || format === 'callgrind') assert.equal(first.name, 'X');
      let found = 0;
      for (let r = 0; r < back.routines.name.length; r++) found += eventValue(first, analyse(back).totals.self, r);
      assert.ok(Math.abs(found - 3 * self) <= 1, `${format}: ${found}, and three times ${self}`);
    }
  });

  const isExact = what !== 'a call graph' && what !== 'instructions and jumps';

  test(`${what}: pprof has the same self costs of every event, and names the one that is shown`, async () => {
    const profile = await load(...paths);
    const bytes = await exported(profile, 'pprof');
    const back = await again(bytes, 'pprof');
    assert.equal(back.events[0].name, profile.events[0].name);
    if (!isExact) return;
    for (const event of profile.events.filter((e) => !e.per))
      assert.deepEqual(selves(back, event.name), selves(profile, event.name), event.name);
    // Another reader finds the same number of samples, and the same total: the last type is the default.
    const other = OtherProfile.decode(bytes);
    const total = other.sample.reduce((n, s) => n + Number(BigInt.asIntN(64, BigInt(s.value.at(-1) ?? 0))), 0);
    assert.equal(total, Math.round(Number(exactValue(profile.events[0], analyse(profile).totals.total, 0))));
  });

  test(`${what}: speedscope and folded add up to the total`, async () => {
    const profile = await load(...paths);
    const total = Math.round(Number(exactValue(profile.events[0], analyse(profile).totals.total, 0)));
    for (const format of ['speedscope', 'folded']) {
      const back = await again(await exported(profile, format), format);
      assert.equal(Number(exactValue(back.events[0], analyse(back).totals.total, 0)), total, format);
      if (isExact) {
        const byName = (p: Profile) => (r: number) => nameInData(p, r).replaceAll(';', ':');
        const [ours, theirs] = [
          selves(profile, profile.events[0].name, byName(profile)),
          selves(back, back.events[0].name, byName(back)),
        ];
        assert.deepEqual(theirs, new Map([...ours].filter(([, v]) => Math.round(v) !== 0)), format);
      }
    }
  });

  test(`${what}: Callgrind has the same self costs, lines and edges`, async () => {
    const profile = await load(...paths);
    const back = await again(await exported(profile, 'callgrind'), 'callgrind');
    // What contexts cost in all is summed from what each costs by itself, as it is written.
    const [a, b] = [analyse(profile.kind === 'inputs' ? runToEnd(contextsAsStacks(profile)) : profile), analyse(back)];
    for (const [e, event] of profile.events.filter((x) => x.formula === undefined).entries()) {
      const of = (p: Profile) => p.events[p === profile ? profile.events.indexOf(event) : e];
      assert.deepEqual(selves(back, of(back).name), selves(profile, event.name), event.name);
      const edges = (p: Profile) => {
        const { edges: all } = p === profile ? a : b;
        return sumBy(
          all.caller.length,
          (k) => `${placeOf(p, all.caller[k])} > ${placeOf(p, all.callee[k])}`,
          (k) => Math.round(eventValue(of(p), all.recorded ?? all.costs, k)),
        );
      };
      assert.deepEqual(edges(back), edges(profile), event.name);
      if (!('lines' in profile) || !('lines' in back)) continue;
      const lines = (p: Profile) => {
        if (!('lines' in p)) return new Map();
        const { spans, lines: rows } = p;
        const span = new Uint32Array(rows.line.length);
        for (let s = 0; s < spans.routine.length; s++) span.fill(s, spans.start[s], spans.start[s + 1]);
        const file = (s: number) => fileName(p, spans.file[s] < 0 ? p.routines.file[spans.routine[s]] : spans.file[s]) ?? '???';
        return sumBy(
          rows.line.length,
          (k) =>
            `${placeOf(p, spans.routine[span[k]])} ${file(span[k])}:${rows.line[k]} ${rows.address ? `${spans.high[span[k]]} ${rows.address[k]}` : ''}`,
          (k) => eventValue(of(p), rows.costs, k),
        );
      };
      assert.deepEqual(lines(back), lines(profile), event.name);
    }
    if (profile.kind === 'callgraph' && back.kind === 'callgraph') {
      assert.equal(back.jumps?.taken.length, profile.jumps?.taken.length);
      const taken = (p: typeof profile) => Array.from(p.jumps?.taken ?? []).reduce((n, t) => n + t, 0);
      assert.equal(taken(back), taken(profile));
    }
  });
}

test('pprof keeps when a profile was taken and for how long, and no system names', async () => {
  const profile = await load('pprof/cpu.pb.gz');
  assert.ok(profile.taken && profile.taken.atNs > 0n);
  const bytes = await exported(profile, 'pprof');
  assert.deepEqual((await again(bytes, 'pprof')).taken, profile.taken);
  const other = OtherProfile.decode(bytes);
  assert.equal(BigInt(other.timeNanos), profile.taken.atNs);
  assert.ok(other.function.every((f) => Number(f.systemName) === 0 && Number(f.name) > 0));
});

test('calls are counted as the profile counts them, and as one where it does not', async () => {
  const countsIn = async (...names: string[]) => {
    const profile = await load(...names);
    const back = analyse(await again(await exported(profile, 'callgrind'), 'callgrind'));
    const key = (p: Profile, a: number, b: number) => `${placeOf(p, a)} > ${placeOf(p, b)}`;
    const counts = (a: ReturnType<typeof analyse>) =>
      new Map(Array.from(a.edges.caller, (caller, e) => [key(a.profile, caller, a.edges.callee[e]), a.edges.count[e]] as const));
    return [counts(analyse(profile)), counts(back)];
  };
  const [contexts, written] = await countsIn('aprof/sorts-cct/sorts_29653_0_4.aprof.gz');
  assert.ok(written.size > 5);
  for (const [edge, count] of written) assert.equal(count, contexts.get(edge), edge);
  const [, samples] = await countsIn('pprof/cpu.pb.gz');
  assert.ok(samples.size > 5);
  for (const [edge, count] of samples) assert.ok(count >= 1, edge);
});

test('stacks of a call graph are estimates, say so, and add up at any threshold', async () => {
  const profile = await load('callgrind/default.callgrind.out');
  const total = eventValue(profile.events[0], analyse(profile).totals.total, 0);
  for (const threshold of [undefined, 0.5, 20, 100]) {
    const text = (await exported(profile, 'folded', { threshold })).toString();
    assert.match(
      text,
      /^# ≈ stacks are estimated from a call graph: self costs are exact, and stacks below [\d.]+ % of Ir are merged/,
    );
    const sum = text
      .trim()
      .split('\n')
      .slice(1)
      .reduce((n, line) => n + Number(line.split(' ').at(-1)), 0);
    assert.equal(sum, total);
  }
  const { profiles, name } = JSON.parse((await exported(profile, 'speedscope')).toString());
  assert.match(name, /≈/);
  assert.equal(
    profiles[0].weights.reduce((n: number, w: number) => n + w, 0),
    total,
  );
  assert.ok(OtherProfile.decode(await exported(profile, 'pprof')).comment.length > 1);
});

long('in stacks of a recursive program, the inclusive costs of routines outside of cycles are those of the file', async () => {
  const profile = await load('callgrind/real-python.callgrind.out.gz');
  const { totals } = analyse(profile);
  const [ir] = profile.events;
  const total = eventValue(ir, totals.total, 0);
  const inFile = new Map(
    Array.from(profile.routines.name, (_, r) => r)
      .filter((r) => totals.cycles.of[r] === 0 && eventValue(ir, totals.inclusive, r) >= total / 100)
      .map((r) => [nameInData(profile, r), eventValue(ir, totals.inclusive, r)]),
  );
  assert.ok(inFile.size > 20);
  for (const threshold of [undefined, 0.5, 20]) {
    const inStacks = new Map<string, number>();
    const lines = (await exported(profile, 'folded', { threshold })).toString().trim().split('\n').slice(1);
    for (const [, stack, cost] of lines.map((line) => /^(.*) (\d+)$/.exec(line) ?? assert.fail(line)))
      for (const name of new Set(stack.split(';'))) inStacks.set(name, (inStacks.get(name) ?? 0) + Number(cost));
    for (const [name, cost] of inFile) {
      const found = (inStacks.get(name) ?? 0) / cost;
      const off = threshold === undefined ? 0.03 : 0.1;
      assert.ok(Math.abs(found - 1) < off, `${name} at ${threshold}: ${found}`);
    }
  }
});

test('of two runs, pprof has the differences, folded both counts, and the others refuse', async () => {
  const [before, now] = [await load('gperftools/pie-g.prof.gz'), await load('gperftools/threads.prof.gz')];
  const profile = compareProfiles(now, before, PLAINLY);
  const context = { ...reportContext(profile) };
  const pieces: Buffer[] = [];
  await named('pprof').write(context, '1.0', async (piece) => void pieces.push(Buffer.from(piece)));
  const back = await again(Buffer.concat(pieces), 'pprof');
  const analysis = analyse(profile);
  const delta = eventInMeasure(analysis, profile.events[0], 'delta');
  const ours = sumBy(
    profile.routines.name.length,
    (r) => nameInData(profile, r),
    (r) => eventValue(delta, analysis.totals.self, r),
  );
  assert.deepEqual(
    selves(back, 'samples', (r) => nameInData(back, r)),
    ours,
  );
  const text: string[] = [];
  await named('folded').write(context, '1.0', async (piece) => void text.push(piece.toString()));
  const sums = [0, 0];
  for (const line of text.join('').trim().split('\n'))
    line
      .split(' ')
      .slice(-2)
      .forEach((n, i) => {
        sums[i] += Number(n);
      });
  const total = (p: Profile) => eventValue(p.events[0], analyse(p).totals.total, 0);
  assert.deepEqual(sums, [total(before), total(now)]);
  for (const name of ['speedscope', 'callgrind']) assert.match(named(name).refusal(context) ?? '', /negative costs/);
});

test('what is exported is what counts, of the parts that are on', async () => {
  const whole = await load('perf-script/two-events.perf.gz');
  const left = transformProfile(whole, [parseTransform('focus=spin')]);
  const back = await again(await exported(left, 'folded'), 'folded');
  assert.deepEqual(
    selves(back, 'samples', (r) => nameInData(back, r)),
    selves(left, left.events[0].name, (r) => nameInData(left, r)),
  );
  const analysis = analyse(whole, new Set([0, 1]));
  const part = await again(await exported(whole, 'folded', { analysis }), 'folded');
  assert.equal(eventValue(part.events[0], analyse(part).totals.total, 0), eventValue(whole.events[0], analysis.totals.total, 0));
});

test('labels are exported with their units; formats are known by the endings of names', async () => {
  const heap = await load('pprof/heap.pb.gz');
  const back = await again(await exported(heap, 'pprof'), 'pprof');
  assert.ok(back.kind === 'stacks' && heap.kind === 'stacks');
  assert.deepEqual([...(back.labels?.number ?? [])].sort(), [...(heap.labels?.number ?? [])].sort());
  const names = [
    'a.pb.gz',
    'b.speedscope.json',
    'b.firefox.json',
    'c.folded',
    'callgrind.out.12',
    'd.trace.json',
    'e.otlp.json',
    'f.dot',
    'g.txt',
  ];
  assert.deepEqual(
    names.map((n) => exporterForPath(n)?.name),
    ['pprof', 'speedscope', 'firefox', 'folded', 'callgrind', 'trace', 'otlp', 'dot', undefined],
  );
});

test('what has no stacks is refused, with the reason', async () => {
  const processes = await load('build-trace/mbedtls-make.trace.gz');
  const log = await load('ninja-log/tidepool-ninja-failing/.ninja_log');
  for (const name of ['pprof', 'speedscope', 'folded', 'callgrind', 'trace', 'otlp', 'dot'])
    assert.ok(named(name).refusal(reportContext(processes)), name);
  assert.match(named('dot').refusal(reportContext(log)) ?? '', /it needs calls/);
  assert.equal(named('trace').refusal(reportContext(log)), undefined);
});

test('negative costs go to pprof alone; names that end in a number, or begin like a comment, stay what they are', async () => {
  const diff = await load('cachegrind/diff.cachegrind.out.gz');
  const total = eventValue(diff.events[0], analyse(diff).totals.total, 0);
  assert.ok(total < 0);
  const back = await again(await exported(diff, 'pprof'), 'pprof');
  assert.equal(eventValue(back.events[0], analyse(back).totals.total, 0), total);
  for (const name of ['folded', 'speedscope']) assert.match(named(name).refusal(reportContext(diff)) ?? '', /negative costs/);
  const odd = await loadBytes(
    only('folded'),
    new TextEncoder().encode('main;level 0 5\n#hash;level 1 7\nmain;GET /item 8 3\nmain;x 1\n'),
  );
  const round = await again(await exported(odd, 'folded'), 'folded');
  const names = (p: Profile) => selves(p, 'samples', (r) => nameInData(p, r).replaceAll('\u00a0', ' '));
  assert.deepEqual(names(round), names(odd));
  assert.deepEqual([...names(odd)].length, 4);
});

test('nested slices stay nested in a trace; a build without calls is no stacks', async () => {
  const trace = await load('trace-events/hand/complete-object.json');
  const back = await again(await exported(trace, 'trace'), 'trace-events');
  const total = (p: Profile) => eventValue(p.events[0], analyse(p).totals.total, 0);
  assert.equal(total(back), total(trace));
  const log = await load('ninja-log/tidepool-ninja-failing/.ninja_log');
  for (const name of ['pprof', 'speedscope', 'folded', 'callgrind'])
    assert.match(named(name).refusal(reportContext(log)) ?? '', /build steps have no stacks/, name);
});
