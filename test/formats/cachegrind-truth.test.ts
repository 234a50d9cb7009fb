// Cachegrind profiles against their ground truth.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { fileName, routineFile, routineName } from '../../src/analysis/names/names.ts';
import { checkProfile } from '../../src/model/check.ts';
import { existing, FIXTURES, namesIn, readJson } from '../support/fixtures.ts';
import { loadAnalysis } from '../support/load.ts';

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
    assert.equal(profile.routines.name.length, truth.functions.length);
    const routines = new Map(truth.functions.map((_, r) => [`${routineFile(profile, r)}\n${routineName(profile, r)}`, r]));
    for (const f of truth.functions) {
      const r = routines.get(`${f.file}\n${f.name}`)!;
      assert.deepEqual(
        columns.map((c) => totals.self[c][r]),
        f.self,
        f.name,
      );
    }
    for (const [file, fn, line, cost] of truth.lines) {
      const l = a.costing.lines({ routine: routines.get(`${file}\n${fn}`)! });
      const row = l.line.findIndex((n, i) => n === line && fileName(profile, l.file[i]) === file);
      assert.deepEqual(
        columns.map((c) => l.costs[c][row]),
        cost,
        `${file}:${line}`,
      );
    }
  });
}
