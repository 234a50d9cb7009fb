// Every real profile of the fixtures against its ground truth, all numbers of all rows.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';

import { nameInData, routineFile, routineObject } from '../../src/analysis/names/names.ts';
import { checkProfile } from '../../src/model/check.ts';
import { stringAt } from '../../src/model/strings.ts';
import { existing, FIXTURES, namesIn, readJson, readMaybeGz } from '../support/fixtures.ts';
import { profileOf } from '../support/kinds.ts';
import { loadAnalysis } from '../support/load.ts';

interface Truth {
  readonly events: string[];
  readonly totalSelf: number[];
  readonly parts: { part: number | null; thread: number | null; summary: number[] | null; totals: number[] | null }[];
  readonly counts: Record<string, number>;
  readonly functions: {
    name: string;
    file: string;
    object: string;
    self: number[];
    callsIn: number;
    outToOthers: number[];
    cycle: number | null;
  }[];
  readonly calls: [caller: number, callee: number, count: number, cost: number[]][];
  readonly lines: [fn: number, file: string, line: number, cost: number[]][];
  readonly jumps: [
    kind: string,
    fn: number,
    file: string,
    from: number[],
    taken: number,
    executed: number,
    targetFile: string,
    to: number[],
  ][];
}

const FOLDER = join(FIXTURES, 'callgrind');
const names = namesIn(FOLDER, /\.truth\.json(\.gz)?$/).map((n) => n.replace(/\.truth\.json(\.gz)?$/, ''));

function pathsOf(name: string): string[] {
  const at = (n: string) => existing(join(FOLDER, n));
  if (name === 'parts-all') return [at('parts.callgrind.out.1'), at('parts.callgrind.out')];
  if (name === 'parts.1') return [at('parts.callgrind.out.1')];
  if (name === 'threads-all') return ['1', '2', '3'].map((n) => at(`threads.callgrind.out-0${n}`));
  const thread = /^threads-(\d\d)$/.exec(name);
  return [at(thread ? `threads.callgrind.out-${thread[1]}` : `${name}.callgrind.out`)];
}

const UNKNOWN = '???';
const place = (name: string, file: string | null, object: string | null) => `${name}\n${file ?? UNKNOWN}\n${object ?? UNKNOWN}`;

function routineKey(a: Analysis, r: number): string {
  return place(nameInData(a.profile, r), routineFile(a.profile, r), routineObject(a.profile, r));
}

function addTo(map: Map<string, number[]>, key: string, values: readonly number[]): void {
  const old = map.get(key);
  map.set(key, old ? old.map((v, i) => v + values[i]) : [...values]);
}

assert.ok(names.length > 40, 'the ground truth is there');

for (const name of names) {
  test(`${name} equals its ground truth`, async () => {
    const truth = readJson<Truth>(join(FOLDER, `${name}.truth.json`));
    const a = await loadAnalysis(...pathsOf(name));
    const { profile, totals, edges } = a;
    assert.deepEqual(checkProfile(profile), []);
    const columns = truth.events.map((e) => profile.events.find((x) => x.name === e)!.terms[0][1]);
    const at = (costs: readonly ArrayLike<number>[], row: number) => columns.map((c) => costs[c][row]);
    assert.deepEqual(at(totals.total, 0), truth.totalSelf);
    assert.deepEqual(
      // A summary may have fewer numbers than there are events; the truth has zeros for the rest.
      profile.parts.map((p) => [
        p.part,
        p.thread,
        p.summary && p.events.map((_, k) => p.summary![k] ?? 0),
        p.totals && p.events.map((_, k) => p.totals![k] ?? 0),
      ]),
      truth.parts.map((p) => [p.part, p.thread, p.summary, p.totals]),
    );
    assert.equal(profile.routines.name.length, truth.functions.length);

    const routines = new Map(truth.functions.map((_, r) => [routineKey(a, r), r]));
    const rows = truth.functions.map((f) => {
      const r = routines.get(place(f.name, f.file, f.object));
      assert.ok(r !== undefined, `no routine ${f.name} ${f.file} ${f.object}`);
      return r;
    });
    const cycleTwin = new Map<number, number>();
    truth.functions.forEach((f, i) => {
      const r = rows[i];
      assert.deepEqual(at(totals.self, r), f.self, `self of ${f.name}`);
      assert.equal(totals.calls[r], f.callsIn, `calls of ${f.name}`);
      const cycle = totals.cycles.of[r];
      assert.equal(cycle > 0, f.cycle !== null, `cycle of ${f.name}`);
      if (f.cycle !== null) {
        assert.equal(cycleTwin.get(f.cycle) ?? cycle, cycle, `members of the cycle of ${f.name}`);
        cycleTwin.set(f.cycle, cycle);
      } else {
        const claimed = f.self.map((v, k) => v + f.outToOthers[k]);
        // More than the whole program no routine costs, whatever its calls claim.
        const most = claimed.map((cost, k) => (cost > truth.totalSelf[k] * 1.001 ? truth.totalSelf[k] : cost));
        assert.deepEqual(at(totals.inclusive, r), most, `inclusive of ${f.name}`);
        if (most.some((cost, k) => cost !== claimed[k])) assert.equal(totals.estimated?.inclusive[r], 1, f.name);
      }
    });
    assert.equal(totals.cycles.count, truth.counts['cycles']);

    const mine = new Map<string, number[]>();
    for (let e = 0; e < edges.caller.length; e++)
      mine.set(`${edges.caller[e]} ${edges.callee[e]}`, [edges.count[e], ...at(edges.recorded ?? edges.costs, e)]);
    const theirs = new Map<string, number[]>();
    for (const [caller, callee, count, cost] of truth.calls) addTo(theirs, `${rows[caller]} ${rows[callee]}`, [count, ...cost]);
    assert.deepEqual(mine, theirs);

    const lines = new Map<string, number[]>();
    const wanted = new Set(truth.lines.map(([fn]) => rows[fn]));
    const name2 = (file: number) => (file < 0 ? UNKNOWN : stringAt(profile.strings, profile.files.name[file]));
    for (const r of wanted) {
      const l = a.costing.lines({ routine: r });
      for (let i = 0; i < l.line.length; i++) addTo(lines, `${r} ${name2(l.file[i])} ${l.line[i]}`, at(l.costs, i));
    }
    for (const [fn, file, line, cost] of truth.lines)
      assert.deepEqual(lines.get(`${rows[fn]} ${file} ${line}`), cost, `${file}:${line}`);

    assert.equal(profileOf(profile, 'callgraph').jumps?.span.length ?? 0, truth.counts['jumpLines'] + truth.counts['jcndLines']);
    if (truth.jumps.length > 0) compareJumps(a, truth, rows);
  });
}

function compareJumps(a: Analysis, truth: Truth, rows: readonly number[]): void {
  const { profile } = a;
  const fileOf = (f: number) => (f < 0 ? UNKNOWN : stringAt(profile.strings, profile.files.name[f]));
  const positions = profile.parts[0].positions;
  const mine = new Map<string, number[]>();
  const theirs = new Map<string, number[]>();
  for (const r of new Set(truth.jumps.map(([, fn]) => rows[fn]))) {
    for (const j of a.costing.jumps(r)) {
      const from = positions.map((p) => (p === 'instr' ? j.high * 2 ** 32 + j.low : j.line));
      const to = positions.map((p) => (p === 'instr' ? j.targetHigh * 2 ** 32 + j.targetLow : j.targetLine));
      addTo(mine, `${j.conditional ? 'jcnd' : 'jump'} ${r} ${fileOf(j.file)} ${from} ${fileOf(j.targetFile)} ${to}`, [
        j.taken,
        j.executed,
      ]);
    }
  }
  for (const [kind, fn, file, from, taken, executed, targetFile, to] of truth.jumps) {
    addTo(theirs, `${kind} ${rows[fn]} ${file} ${from} ${targetFile} ${to}`, [taken, executed]);
  }
  // The truth has the jumps in the sources of our own programs; all are counted above.
  for (const [key, counts] of theirs) assert.deepEqual(mine.get(key), counts, key);
}

// KCachegrind's engine: inclusive cost wherever the numbers of the file balance (what a routine pays is what is paid for it).
test('inclusive cost is that of KCachegrind where the file balances', async () => {
  let compared = 0;
  for (const name of [
    'args',
    'heat',
    'threads-01',
    'real-git',
    'real-python',
    'stripped',
    'toggle',
    'contexts',
    'xtree-leak',
    'heat32',
  ]) {
    const a = await loadAnalysis(...pathsOf(name));
    const routines = new Map(Array.from(a.profile.routines.name, (_, r) => [routineKey(a, r).replaceAll(UNKNOWN, ''), r]));
    const text = readMaybeGz(join(FOLDER, `${name}.kcachegrind.tsv`)).toString('utf8');
    for (const line of text.split('\n')) {
      if (!line.startsWith('fn\t')) continue;
      const [, inclusive, self, called, , , fn, file, object] = line.split('\t');
      const r = routines.get(place(fn, file, object).replaceAll(UNKNOWN, ''));
      assert.ok(r !== undefined, `${name}: ${fn}`);
      // KCachegrind leaves out the calls inside a cycle.
      if (a.totals.cycles.of[r] === 0)
        assert.equal(a.totals.inclusive[0][r], Number(inclusive.split(',')[0]), `${name}: inclusive of ${fn}`);
      assert.equal(a.totals.self[0][r], Number(self.split(',')[0]));
      assert.equal(a.totals.calls[r], Number(called));
      compared++;
    }
  }
  assert.ok(compared > 3000);
});
