// The hand-made reports: what a correct reader yields, and the lines that must be named.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { type Curve, curveOfContext, curveOfRoutine, pointValue } from '../../src/analysis/answers/inputs/points.ts';
import { callVariances } from '../../src/analysis/growth/laws.ts';
import { nameInData, routineName, routineObject } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { exactValue } from '../../src/model/head.ts';
import type { InputField } from '../../src/model/inputs/tables.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

type Num = number | string;
type Point = { rms: number } & Record<string, Num>;
interface Expected {
  refuse?: boolean;
  either?: string[];
  report?: { totalCost?: Num | null; metric?: string; inputMetric?: string; commandLine?: string | null; version?: number };
  routines?: { id: number; name: string; image: string; mangled?: string; fullName?: string; points: Point[] }[];
  contexts?: { id: number; routine: number; parent: number | null; depth: number; points: Point[] }[];
  totals?: { calls?: number; realSum?: Num; selfSum?: Num; distinctPoints?: number };
  problems: { line: number | null; severity: string; about: string }[];
}

const FOLDER = join(FIXTURES, 'aprof/edge');
const FIELDS: Record<string, InputField> = {
  min: 'min',
  max: 'max',
  sum: 'sum',
  sqrSum: 'sumSquares',
  calls: 'calls',
  realSum: 'real',
  selfSum: 'selfSum',
  selfMin: 'selfMin',
  selfMax: 'selfMax',
  selfSqrSum: 'selfSumSquares',
  syscallSum: 'syscall',
  threadSum: 'thread',
  selfSyscallSum: 'selfSyscall',
  selfThreadSum: 'selfThread',
};

function comparePoints(curve: Curve, wanted: readonly Point[], what: string): void {
  assert.deepEqual(
    Array.from(curve.size),
    wanted.map((p) => p.rms),
    what,
  );
  wanted.forEach((point, i) => {
    for (const [key, field] of Object.entries(FIELDS)) {
      const mine = pointValue(curve, field, i);
      assert.equal(
        mine === undefined ? 'absent' : String(mine),
        point[key] === undefined ? 'absent' : String(point[key]),
        `${what} ${point.rms} ${key}`,
      );
    }
  });
}

for (const file of namesIn(FOLDER, /\.expected\.json$/)) {
  const name = file.replace('.expected.json', '');
  const expected = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Expected;
  const path = join(FOLDER, `${name}.aprof`);

  if (expected.refuse) {
    test(`${name}: refused, or taken for what it is`, async () => {
      if (name.startsWith('23')) assert.equal((await loadProfile([path])).format, 'callgrind');
      await assert.rejects(loadProfile([path], { format: 'aprof' }), FormatError);
      if (name.startsWith('21')) await assert.rejects(loadProfile([path]), /found an empty file/);
    });
    continue;
  }

  test(`${name}: as expected, with its problems named`, async () => {
    const profile = await loadProfile([path]);
    assert.equal(profile.format, 'aprof');
    assert.deepEqual(checkProfile(profile), []);
    const analysis = analysisOf(profile, 'inputs');
    const { report = {} } = expected;
    if (report.metric) assert.equal(profile.events[0].name, report.metric);
    if (report.totalCost !== undefined && !name.startsWith('30'))
      assert.equal(String(profile.parts[0].summary?.[0] ?? null), String(report.totalCost));
    if (report.inputMetric) assert.equal(profileOf(profile, 'inputs').inputs.metric, report.inputMetric.split(' ')[0]);
    if (report.commandLine) assert.equal(profile.command, report.commandLine);
    const routineOf = new Map<number, number>();
    for (const wanted of expected.routines ?? []) {
      const r = Array.from(profile.routines.name.keys()).find(
        (k) => nameInData(profile, k) === wanted.name && routineObject(profile, k) === wanted.image,
      );
      assert.ok(r !== undefined, wanted.name);
      routineOf.set(wanted.id, r);
      // The point of a context that no x line names is given to the routine above it: the expectation allows it.
      if (!(name.startsWith('13') && wanted.id === 0)) comparePoints(curveOfRoutine(analysis, r), wanted.points, wanted.name);
    }
    for (const wanted of expected.contexts ?? []) {
      const { contexts } = analysis.profile;
      const c = contexts!.id.indexOf(wanted.id);
      assert.ok(c >= 0, `context ${wanted.id}`);
      assert.equal(contexts!.parent[c] < 0 ? null : contexts!.id[contexts!.parent[c]], wanted.parent);
      let depth = 1;
      for (let k = contexts!.parent[c]; k >= 0; k = contexts!.parent[k]) depth++;
      assert.equal(depth, wanted.depth);
      if (routineOf.has(wanted.routine)) assert.equal(contexts!.routine[c], routineOf.get(wanted.routine));
      comparePoints(curveOfContext(analysis, c), wanted.points, `context ${wanted.id}`);
    }
    const { totals } = expected;
    const event = profile.events[0];
    const sum = (columns: readonly Float64Array[]) => {
      let out = 0n;
      for (let r = 0; r < profile.routines.name.length; r++) out += BigInt(exactValue(event, columns, r));
      return String(out);
    };
    if (totals?.calls !== undefined)
      assert.equal(
        analysis.totals.calls.reduce((a, b) => a + b, 0),
        totals.calls,
      );
    if (totals?.realSum !== undefined) assert.equal(sum(analysis.totals.inclusive), String(totals.realSum));
    if (totals?.selfSum !== undefined) assert.equal(sum(analysis.totals.self), String(totals.selfSum));
    const errors = [...(profile.cut ? [profile.cut] : []), ...profile.warnings];
    for (const problem of expected.problems) {
      assert.ok(
        errors.some((e) => e.line === problem.line),
        `line ${problem.line}: ${problem.about}; named are ${errors.map((e) => e.line)}`,
      );
      // A line that does not count is no success.
      if (problem.severity === 'error') assert.ok(profile.cut);
    }
    if (!expected.problems.some((p) => p.severity === 'error')) assert.equal(profile.cut, undefined);
  });
}

test('a variance that cannot be is shown as none', async () => {
  for (const [file, row] of [
    ['25-inconsistent', 4],
    ['15-big-numbers', 0],
  ] as const) {
    const profile = await loadProfile([join(FOLDER, `${file}.aprof`)]);
    const curve = curveOfRoutine(analysisOf(profile, 'inputs'), 0);
    assert.ok(Number.isNaN(callVariances(curve)[row]), file);
  }
});

test('a crashed report shows what is whole, and says that it is not', async () => {
  const profile = await loadProfile([join(FIXTURES, 'aprof/pipeline-crashed/pipeline_29666_0_4.aprof.gz')]);
  assert.deepEqual(checkProfile(profile), []);
  assert.deepEqual([profile.cut?.line, profile.cut?.sign], [712, 'CUT OFF']);
  assert.equal(profileOf(profile, 'inputs').inputs.size.length, 510);
  assert.equal(profileOf(profile, 'inputs').contexts, undefined);
  const contextWarnings = profile.warnings.filter((w) => /contexts/.test(w.found));
  assert.equal(contextWarnings.length, 1);
  assert.match(contextWarnings[0].found, /^510 points/);
  const analysis = analysisOf(profile, 'inputs');
  for (const [name, calls, sizes] of [
    ['put', 400, 6],
    ['get', 400, 5],
    ['produce_batch', 28, 7],
  ] as const) {
    const r = Array.from(profile.routines.name.keys()).find((k) => routineName(profile, k) === name)!;
    assert.deepEqual([analysis.totals.calls[r], curveOfRoutine(analysis, r).size.length], [calls, sizes], name);
  }
});
