// Cachegrind profiles against their ground truth.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { fileName, nameInData, routineFile } from '../../src/analysis/names/names.ts';
import { cachegrind } from '../../src/formats/callgrind/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { existing, FIXTURES, namesIn, readJson, readMaybeGz } from '../support/fixtures.ts';
import { loadAnalysis, loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

interface Truth {
  readonly events: string[];
  readonly totalSelf: number[];
  readonly functions: { name: string; file: string; self: number[] }[];
  readonly lines: [file: string, fn: string, line: number, cost: number[]][];
}

const FOLDER = join(FIXTURES, 'cachegrind');
const names = namesIn(FOLDER, /\.truth\.json(\.gz)?$/).map((n) => n.replace(/\.cachegrind\.truth\.json(\.gz)?$/, ''));
assert.equal(names.length, 6);

for (const name of names) {
  test(`${name} equals its ground truth`, async () => {
    const truth = readJson<Truth>(join(FOLDER, `${name}.cachegrind.truth.json`));
    const a = await loadAnalysis(existing(join(FOLDER, `${name}.cachegrind.out`)));
    const { profile, totals } = a;
    assert.equal(profile.format, 'cachegrind');
    assert.deepEqual(checkProfile(profile), []);
    const columns = truth.events.map((e) => profile.events.find((x) => x.name === e)!.terms[0][1]);
    assert.deepEqual(
      columns.map((c) => totals.total[c][0]),
      truth.totalSelf,
    );
    const sums = byEntry(profile);
    assert.equal(sums.size, truth.functions.length);
    for (const f of truth.functions) {
      const entry = sums.get(`${f.file}\n${f.name}`);
      assert.deepEqual(
        columns.map((c) => entry?.[c]),
        f.self,
        f.name,
      );
    }
    const routines = routinesByEntry(profile);
    for (const [file, fn, line, cost] of truth.lines) {
      const routine = routines.get(`${file}\n${fn}`);
      assert.ok(routine !== undefined);
      const l = a.costing.lines({ routine });
      const row = l.line.findIndex((n, i) => n === line && fileName(profile, l.file[i]) === file);
      assert.deepEqual(
        columns.map((c) => l.costs[c][row]),
        cost,
        `${file}:${line}`,
      );
    }
  });
}

/** The sums of the lines of each file and function, as the file has them. */
function byEntry(profile: Profile): ReadonlyMap<string, number[]> {
  assert.ok(profile.kind === 'callgraph');
  const { spans, lines } = profile;
  const sums = new Map<string, number[]>();
  for (const [s, r] of spans.routine.entries()) {
    const key = `${fileName(profile, spans.file[s])}\n${nameInData(profile, r)}`;
    const sum = sums.get(key) ?? lines.costs.map(() => 0);
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) for (let c = 0; c < sum.length; c++) sum[c] += lines.costs[c][i];
    sums.set(key, sum);
  }
  return sums;
}

function routinesByEntry(profile: Profile): ReadonlyMap<string, number> {
  assert.ok(profile.kind === 'callgraph');
  const { spans } = profile;
  return new Map([...spans.routine].map((r, s) => [`${fileName(profile, spans.file[s])}\n${nameInData(profile, r)}`, r]));
}

/** Self costs of routines by name, the largest first; those that cost nothing left out. */
async function selfByName(path: string): Promise<ReadonlyMap<string, number[]>> {
  const { profile, totals } = await loadAnalysis(path);
  const out = new Map<string, number[]>();
  for (let r = 0; r < profile.routines.name.length; r++) {
    const cost = totals.self[0][r];
    if (cost > 0)
      out.set(
        nameInData(profile, r),
        [...(out.get(nameInData(profile, r)) ?? []), cost].sort((p, q) => q - p),
      );
  }
  return out;
}

test('a routine costs what Callgrind counted for it in the same program, in as many rows', async () => {
  const counted = await selfByName(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const here = await selfByName(existing(join(FOLDER, 'demo.cachegrind.out')));
  let [all, alike] = [0, 0];
  for (const [name, costs] of counted) {
    const own = here.get(name);
    // Cachegrind names what has no symbol otherwise, and a recursion has no levels there.
    if (!own || counted.has(`${name}'2`) || name.endsWith("'2")) continue;
    for (const [k, cost] of costs.entries()) {
      all += cost;
      // Two runs differ in what the loader and the C library do with their environment.
      if (own.length === costs.length && Math.abs(own[k] - cost) <= 0.05 * cost) alike += cost;
    }
  }
  assert.ok(alike > 0.96 * all, `${((100 * alike) / all).toFixed(2)} % of ${all}`);
});

const rowsOf = async (...entries: readonly [file: string, fn: string, cost: number][]) => {
  const body = entries.map(([file, fn, cost]) => `fl=${file}\nfn=${fn}\n1 ${cost}\n`).join('');
  const { profile, totals } = analyse(
    await loadText(cachegrind, `desc: I1 cache: none\ncmd: ./p\nevents: Ir\n${body}summary: 0\n`),
    [],
  );
  assert.deepEqual(checkProfile(profile), []);
  return Array.from(profile.routines.name, (_, r) => `${routineFile(profile, r)} ${nameInData(profile, r)} ${totals.self[0][r]}`);
};

test('inlined code of headers belongs to the function; functions that are static in two sources are two', async () => {
  const inlined = rowsOf(['a.c', 'work', 5], ['/usr/include/x.h', 'work', 7], ['a.c', 'other', 1]);
  assert.deepEqual(await inlined, ['a.c work 12', 'a.c other 1']);
  const twoStatic = rowsOf(['a.c', 'usage', 5], ['b.c', 'usage', 6], ['u.h', 'usage', 7]);
  assert.deepEqual(await twoStatic, ['a.c usage 5', 'b.c usage 6', 'u.h usage 7']);
  const anonymous = rowsOf(['a.cc', '(anonymous namespace)::f(int)', 5], ['b.cc', '(anonymous namespace)::f(int)', 6]);
  assert.equal((await anonymous).length, 2);
  const withArgument = rowsOf(['a.cc', 'f(n::T)', 5], ['b.cc', 'f(n::T)', 6]);
  assert.equal((await withArgument).length, 2);
});

test('a name with a scope is one function, in the source with most of its cost, and without sources in such a header', async () => {
  const scoped = rowsOf(['a.cc', 'n::T<m::U>::f(int)', 5], ['b.cc', 'n::T<m::U>::f(int)', 6], ['u.h', 'n::T<m::U>::f(int)', 70]);
  assert.deepEqual(await scoped, ['b.cc n::T<m::U>::f(int) 81']);
  const headers = rowsOf(['vector', 'f(int)', 5], ['t.hpp', 'f(int)', 6]);
  assert.deepEqual(await headers, ['t.hpp f(int) 11']);
});

test('code without a file is of another object, and code without a name is no function', async () => {
  assert.equal((await rowsOf(['a.h', '???', 5], ['b.h', '???', 6])).length, 2);
  assert.deepEqual(await rowsOf(['???', 'strlen', 5], ['strlen.S', 'strlen', 6]), ['??? strlen 5', 'strlen.S strlen 6']);
});

long('a file that ends before its summary is cut off, and a summary that is not the sum is a warning', async () => {
  const text = readMaybeGz(existing(join(FOLDER, 'diff.cachegrind.out'))).toString('latin1');
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index + 1);
  const body = text.search(/^\d/m);
  assert.ok(text.lastIndexOf('\nsummary:') === (ends.at(-2) ?? 0) - 1);
  for (const end of ends
    .slice(0, -1)
    .filter((e) => e > body)
    .slice(-400)) {
    for (const cut of [text.slice(0, end), text.slice(0, end - 1)]) assert.ok((await loadText(cachegrind, cut)).cut, `at ${end}`);
  }
  const whole = await loadText(cachegrind, text);
  assert.deepEqual([whole.cut, whole.warnings], [undefined, []]);
  const said = text.replace(/^summary: .*/m, 'summary: 5');
  const [warning] = (await loadText(cachegrind, said)).warnings;
  assert.match(warning.found, /^summary: 5, while the cost lines add up to -?\d+$/);
});
