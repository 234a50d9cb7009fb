// The library as programs see it: the built package, by its own name.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Library, Profile } from '../../src/library/types.ts';
import { FIXTURES, ROOT, readMaybeGz } from '../support/fixtures.ts';

// By its name, a package finds itself.
const name: string = 'proftui';
const { load, analyse, number, report, reports, exporters, formats, FormatError, version }: Library = await import(name);
const DEFAULT = join(FIXTURES, 'callgrind/default.callgrind.out');
const only = <T>(list: readonly T[], is: (item: T) => boolean): T => {
  const found = list.find(is);
  assert.ok(found);
  return found;
};

test('files, several files and bytes are loaded; what is wrong is said with its place', async () => {
  assert.equal(version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
  const profile = await load(DEFAULT);
  assert.equal(profile.format, 'callgrind');
  const same = await load(new Uint8Array(readMaybeGz(DEFAULT)), { name: 'mine.out' });
  assert.deepEqual(same.paths, ['mine.out']);
  assert.deepEqual(analyse(same).totals(), analyse(profile).totals());
  await assert.rejects(load(new TextEncoder().encode('events: Ir\nfn=x\n1 y\n'), { name: 'bad.out' }), /bad\.out:3: /);
  await assert.rejects(load(join(FIXTURES, 'nothing-there')), /nothing-there/);
});

test('totals, routines, edges, lines and the tree hold together', async () => {
  const analysis = analyse(await load(DEFAULT));
  const total = Number(analysis.totals()['Ir']);
  const routines = [...analysis.routines()];
  const sum = (list: Iterable<{ readonly self: Readonly<Record<string, number | bigint>> }>) => {
    let all = 0;
    for (const { self } of list) all += Number(self['Ir']);
    return all;
  };
  assert.equal(sum(routines), total);
  assert.equal(sum(analysis.lines()), total);
  const dearest = routines.reduce((a, b) => (Number(b.self['Ir']) > Number(a.self['Ir']) ? b : a));
  assert.equal(dearest.name, '_dl_lookup_symbol_x');
  assert.equal(sum(analysis.lines(dearest.id)), Number(dearest.self['Ir']));
  // Its callers' edges say how often it was called.
  const calls = [...analysis.edges()].filter((e) => e.callee === dearest.id).reduce((n, e) => n + (e.calls ?? 0), 0);
  assert.equal(calls, dearest.calls);
  const [root] = analysis.tree({ threshold: 10 });
  assert.equal(root.depth, 0);
  assert.ok([...analysis.tree({ threshold: 10 })].every((n) => Number(n.inclusive['Ir']) >= total / 10));
});

test('transforms, parts, derived events and a base', async () => {
  const profile = await load(join(FIXTURES, 'perf-script/two-events.perf.gz'));
  const whole = Number(analyse(profile).totals()['samples']);
  const left = Number(analyse(profile, { apply: ['focus=spin'] }).totals()['samples']);
  const without = Number(analyse(profile, { apply: ['ignore=spin'] }).totals()['samples']);
  assert.equal(left + without, whole);
  const parts = profile.parts.map((_, part) => Number(analyse(profile, { parts: [part] }).totals()['samples']));
  assert.equal(
    parts.reduce((a, b) => a + b),
    whole,
  );
  assert.equal(analyse(profile, { derive: ['Twice=2 samples'] }).totals()['Twice'], 2 * whole);
  assert.throws(() => analyse(profile, { apply: ['focus=('] }), /invalid regular expression/);
  const rows = await only(reports, (r) => r.name === 'routines').rows(analyse(profile, { base: profile }), { limit: 1 });
  assert.equal(rows[0]['state'], 'both');
});

test('reports are rows, exports bytes that can be loaded again', async () => {
  const analysis = analyse(await load(DEFAULT));
  const rows = await only(reports, (r) => r.name === 'routines').rows(analysis, { filter: 'fib', limit: 3 });
  assert.ok(rows.length > 0 && rows.every((row) => /fib/.test(String(row['routine']))));
  await assert.rejects(only(reports, (r) => r.name === 'gantt').rows(analysis), /it needs steps/);
  const bytes = await only(exporters, (e) => e.name === 'callgrind').write(analysis);
  assert.deepEqual(analyse(await load(bytes)).totals(), analysis.totals());
  const packed = await only(exporters, (e) => e.name === 'pprof').write(analysis);
  assert.deepEqual([...packed.subarray(0, 2)], [0x1f, 0x8b]);
});

test('it works in a worker, and a profile may be posted from there', async () => {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import('proftui').then(async ({ load }) => parentPort.postMessage(await load(workerData)));`;
  const worker = new Worker(code, { eval: true, workerData: DEFAULT });
  const profile = await new Promise<Profile>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  assert.deepEqual(analyse(profile).totals(), analyse(await load(DEFAULT)).totals());
});

test('of two runs, what a routine costs in the base is what that run says', async () => {
  const [now, then] = [await load(join(FIXTURES, 'callgrind/recs1.callgrind.out.gz')), await load(DEFAULT)];
  const both = [...analyse(now, { base: then }).routines()];
  const total = (of: Profile) => number(analyse(of).totals()['Ir'] ?? 0);
  const sum = (costs: readonly (number | bigint | undefined)[]) =>
    costs.reduce<number>((all, cost) => all + number(cost ?? 0), 0);
  assert.equal(sum(both.map(({ self }) => self['Ir'])), total(now));
  assert.equal(sum(both.map(({ base }) => base?.self['Ir'])), total(then));
  for (const { state, self, base } of both) {
    if (state === 'new') assert.equal(base, null);
    if (state === 'gone') assert.equal(self['Ir'], 0);
  }
  assert.ok(both.some(({ state }) => state === 'both'));
  assert.ok([...analyse(now).routines()].every(({ state, base }) => state === null && base === null));
});

test('stacks, labels, steps, findings and nodes of trees are those of the reports', async () => {
  const rowsOf = async (of: ReturnType<typeof analyse>, name: string) => only(reports, (r) => r.name === name).rows(of);
  const samples = analyse(await load(join(FIXTURES, 'pprof/cpu.pb.gz')));
  const [event = ''] = samples.events;
  const total = number(samples.totals()[event] ?? 0);
  assert.equal(
    [...samples.stacks()].reduce((n, { costs }) => n + number(costs[event] ?? 0), 0),
    total,
  );
  assert.equal(
    [...samples.tree()].reduce((n, { self }) => n + number(self[event] ?? 0), 0),
    total,
  );
  const labels = [...samples.labels()].map(({ label, value, costs }) => [label, value, number(costs[event] ?? 0)]);
  const shown = (await rowsOf(samples, 'labels')) as { label: string; value: string | null; cost: Record<string, number> }[];
  assert.deepEqual(labels.sort(), shown.map(({ label, value, cost }) => [label, value ?? '', cost[event]]).sort());
  assert.deepEqual(
    [...samples.findings()].map(({ text }) => text),
    (await rowsOf(samples, 'findings')).map((row) => row['finding']),
  );
  const build = analyse(await load(join(FIXTURES, 'ninja-log/tidepool-ninja-unity/.ninja_log')));
  assert.deepEqual(
    [...build.steps()].map(({ durationMs }) => durationMs).sort(),
    (await rowsOf(build, 'steps')).map((row) => row['durationMs']).sort(),
  );
  assert.deepEqual([[...build.stacks()], [...build.labels()], [...samples.steps()]], [[], [], []]);
});

test('bytes go in and out in pieces; errors are of an exported class and say nothing of flags', async () => {
  const bytes = new Uint8Array(readMaybeGz(DEFAULT));
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
  };
  const analysis = analyse(await load(pieces(), { name: 'mine.out' }));
  assert.deepEqual(analysis.totals(), analyse(await load(DEFAULT)).totals());
  const folded = only(exporters, (e) => e.name === 'folded');
  const streamed: Uint8Array[] = [];
  for await (const piece of folded.stream(analysis)) streamed.push(piece);
  assert.deepEqual(Buffer.concat(streamed), Buffer.from(await folded.write(analysis)));
  // A reader that stops ends the writing.
  for await (const _ of folded.stream(analysis)) break;
  assert.ok(formats.some(({ name, title }) => name === 'callgrind' && title !== ''));
  const wrong = await load(join(FIXTURES, 'nothing-there')).catch((error: unknown) => error);
  assert.ok(wrong instanceof FormatError);
  assert.match(wrong.problem.path, /nothing-there/);
  assert.throws(() => analyse(analysis.profile, { derive: ['x'] }), { name: 'RangeError', message: /^derive: / });
  const routines = only(reports, (r) => r.name === 'routines');
  await assert.rejects(routines.rows(analysis, { sort: { column: 'x' } }), { name: 'RangeError', message: /^sort x: / });
});

test('a wrong argument is a TypeError that names it', async () => {
  // JavaScript checks no types: JSON.parse gives what a caller without them may pass.
  const wrong = (json: string) => JSON.parse(json);
  for (const from of ['5', '{}', '[]', '[5]', 'null'])
    await assert.rejects(load(wrong(from)), { name: 'TypeError', message: /^load: / });
  for (const options of ['null', '{"format":5}', '{"symbolPath":"x"}', '{"signal":5}', '{"nonsense":1}'])
    await assert.rejects(load(DEFAULT, wrong(options)), { name: 'TypeError', message: /^load: (?:expected an object|option )/ });
  const profile = await load(DEFAULT);
  for (const options of ['{"parts":5}', '{"apply":"focus=main"}', '{"derive":[5]}', '{"base":5}'])
    assert.throws(() => analyse(profile, wrong(options)), { name: 'TypeError', message: /^analyse: option / });
  const analysis = analyse(profile);
  const routines = only(reports, (r) => r.name === 'routines');
  for (const options of ['{"limit":-4}', '{"routine":true}', '{"sort":"self"}'])
    await assert.rejects(routines.rows(analysis, wrong(options)), { name: 'TypeError', message: /^routines: option / });
  assert.throws(() => analysis.tree(wrong('{"threshold":"x"}')), { name: 'TypeError', message: /^tree: option threshold/ });
  const notANumber = { name: 'TypeError', message: 'tree: option threshold: expected a number of 0 or more, found NaN' };
  assert.throws(() => analysis.tree({ threshold: Number.NaN }), notANumber);
  assert.throws(() => analyse(wrong('null')), { name: 'TypeError' });
});

test('report() has the rows of a report, and refuses an unknown name', async () => {
  const analysis = analyse(await load(DEFAULT));
  const rows = await report('routines').rows(analysis, { limit: 3 });
  assert.deepEqual(rows, await only(reports, (r) => r.name === 'routines').rows(analysis, { limit: 3 }));
  assert.equal(rows.length, 3);
  assert.throws(() => report('nothing'), /^RangeError: no report is called nothing$/);
});
