// Every real aprof report against its ground truth: totals, points, fits, contexts.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import {
  type Curve,
  costsOfContexts,
  curveOfContext,
  curveOfRoutine,
  pointValue,
} from '../../src/analysis/answers/inputs/points.ts';
import { CLASS_NAMES } from '../../src/analysis/growth/classes.ts';
import { type CurveFit, fitCurve } from '../../src/analysis/growth/fit.ts';
import { costsOf, routineLaws } from '../../src/analysis/growth/laws.ts';
import { nameInData, routineObject } from '../../src/analysis/names/names.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { exactValue } from '../../src/model/head.ts';
import type { InputField } from '../../src/model/inputs/tables.ts';
import { FIXTURES, readJson } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

type Num = number | string;
interface TruthFit {
  best: string;
  margin?: number | null;
  logLogSlope?: number | null;
  [cls: string]: { r2: number; a: number; b: number } | string | number | null | undefined;
}
interface TruthRoutine {
  id: number;
  name: string;
  image: string;
  mangled: string | null;
  points: number;
  calls?: number;
  rmsMin?: number;
  rmsMax?: number;
  rmsTotal?: Num;
  cost?: Num;
  realCost?: Num;
  selfCost?: Num;
  costMin?: Num;
  costMax?: Num;
  selfMin?: Num;
  selfMax?: Num;
  sqrSum?: string;
  selfSqrSum?: string;
  syscallSum?: number;
  threadSum?: number;
  selfSyscallSum?: number;
  selfThreadSum?: number;
  fitWorstCost?: TruthFit | null;
  fitWorstSelf?: TruthFit | null;
  contexts?: number;
}
interface Truth {
  report: { totalCost: Num; version: number; metric: string; inputMetric: string };
  lines: { routines: number; points: number; contexts: number };
  distinctPoints: number;
  calls: number;
  selfCost: Num;
  top: Record<string, number[]>;
  routines: TruthRoutine[];
  contexts?: {
    nodes: number;
    roots: number[];
    depth: number;
    nodesPerDepth: number[];
    leaves: number;
    withoutPoints: number[];
    sample: {
      id: number;
      parent: number | null;
      depth: number;
      children: number;
      points: number;
      calls: number;
      cost: Num;
      selfCost: Num;
      path: string[] | null;
    }[];
  };
}

const FOLDER = join(FIXTURES, 'aprof');
const REPORTS: [report: string, truth: string][] = [
  ['containers/containers_29655_0_1', 'containers/truth.json'],
  ['matrix-cct/matrix_29657_0_4', 'matrix-cct/truth.json'],
  ['readlog-rms/readlog_29659_0_4', 'readlog-rms/truth.json'],
  ['readlog-drms/readlog_29661_0_4', 'readlog-drms/truth.json'],
  ['readlog-merged/readlog_29669_0_4', 'readlog-merged/truth.json'],
  ['pipeline-drms/pipeline_29663_0_4', 'pipeline-drms/truth-0.json'],
  ['pipeline-drms/pipeline_29663_1_4', 'pipeline-drms/truth-1.json'],
  ['sorts/sorts_29651_0_4', 'sorts/truth.json'],
  ['sorts-cct/sorts_29653_0_4', 'sorts-cct/truth.json'],
];

const load = async (...names: string[]): Promise<Analysis<'inputs'>> => {
  const profile = await loadProfile(names.map((n) => join(FOLDER, `${n}.aprof.gz`)));
  assert.deepEqual(checkProfile(profile), []);
  return analysisOf(profile, 'inputs');
};

const total = (curve: Curve, field: InputField): bigint => {
  let sum = 0n;
  for (let i = 0; i < curve.size.length; i++) sum += BigInt(pointValue(curve, field, i)!);
  return sum;
};
const extreme = (curve: Curve, field: InputField, worse: (a: number, b: number) => boolean): number =>
  Array.from(curve[field]!).reduce((a, b) => (worse(b, a) ? b : a));

function compareRoutine(analysis: Analysis<'inputs'>, r: number, wanted: TruthRoutine): void {
  const curve = curveOfRoutine(analysis, r);
  assert.equal(curve.size.length, wanted.points, wanted.name);
  if (wanted.points === 0) return;
  const { totals, profile } = analysis;
  const [event] = profile.events;
  assert.equal(totals.calls[r], wanted.calls);
  assert.deepEqual([curve.size[0], curve.size.at(-1)], [wanted.rmsMin, wanted.rmsMax]);
  assert.equal(
    curve.size.reduce((sum, n, i) => sum + n * curve.calls![i], 0),
    Number(wanted.rmsTotal),
  );
  assert.equal(String(exactValue(event, totals.inclusive, r)), String(wanted.realCost), wanted.name);
  assert.equal(String(exactValue(event, totals.self, r)), String(wanted.selfCost));
  for (const [field, value] of [
    ['sum', wanted.cost],
    ['sumSquares', wanted.sqrSum],
    ['selfSumSquares', wanted.selfSqrSum],
    ['syscall', wanted.syscallSum],
    ['thread', wanted.threadSum],
    ['selfSyscall', wanted.selfSyscallSum],
    ['selfThread', wanted.selfThreadSum],
  ] as const)
    if (value !== undefined) assert.equal(String(total(curve, field)), String(value), `${wanted.name} ${field}`);
  const less = (a: number, b: number) => a < b;
  const more = (a: number, b: number) => a > b;
  assert.equal(extreme(curve, 'min', less), Number(wanted.costMin));
  assert.equal(extreme(curve, 'max', more), Number(wanted.costMax));
  assert.equal(extreme(curve, 'selfMin', less), Number(wanted.selfMin));
  assert.equal(extreme(curve, 'selfMax', more), Number(wanted.selfMax));
  compareFit(fitCurve(curve.size, costsOf(curve, 'worst')), wanted.fitWorstCost ?? null, wanted.name);
  compareFit(fitCurve(curve.size, costsOf(curve, 'self')), wanted.fitWorstSelf ?? null, `${wanted.name} self`);
}

/** The truth is rounded: r2 to 6 digits behind the point, a and b to 6 digits, the slope to 4 behind the point. */
function compareFit(fit: CurveFit | undefined, wanted: TruthFit | null, name: string): void {
  if (wanted === null) return assert.equal(fit, undefined, name);
  assert.ok(fit, name);
  for (const cls of CLASS_NAMES) {
    const truth = wanted[cls] as { r2: number; a: number; b: number } | undefined;
    const mine: { r2: number; a: number; b: number } | undefined = fit.fits[cls];
    assert.equal(mine === undefined, truth === undefined, `${name} ${cls}`);
    if (!truth || !mine) continue;
    assert.ok(Math.abs(mine.r2 - truth.r2) <= 0.5e-6 + 1e-9, `${name} ${cls} r2 ${mine.r2} ${truth.r2}`);
    const close = (a: number, b: number) => Math.abs(a - b) <= 6e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-6;
    assert.ok(close(mine.b, truth.b), `${name} ${cls} b ${mine.b} ${truth.b}`);
    // Where a is what is left of two nearly equal numbers, its digits are those of the greater.
    if (cls !== 'constant')
      assert.ok(Math.abs(mine.a - truth.a) <= 6e-6 * Math.abs(truth.a) + 1e-3, `${name} ${cls} a ${mine.a} ${truth.a}`);
  }
  if (typeof wanted.margin === 'number') assert.ok(Math.abs(fit.margin! - wanted.margin) <= 1.1e-6, `${name} margin`);
  if (typeof wanted.logLogSlope === 'number')
    assert.ok(Math.abs(fit.power!.slope - wanted.logLogSlope) <= 0.5e-4 + 1e-9, `${name} slope`);
}

const keyed = (analysis: Analysis<'inputs'>) =>
  new Map(
    Array.from(analysis.profile.routines.name, (_, r) => [
      `${nameInData(analysis.profile, r)}\n${routineObject(analysis.profile, r)}`,
      r,
    ]),
  );

for (const [report, file] of REPORTS) {
  const truth = readJson<Truth>(join(FOLDER, file));

  test(`${report}: every routine's totals, extremes and fits are the truth's`, async () => {
    const analysis = await load(report);
    const { profile, totals } = analysis;
    assert.equal(profile.cut, undefined);
    const mine = keyed(analysis);
    assert.equal(mine.size, truth.lines.routines);
    assert.equal(profileOf(profile, 'inputs').inputs.size.length, truth.lines.points);
    assert.equal(profile.events[0].name, truth.report.metric);
    assert.equal(profileOf(profile, 'inputs').inputs.metric, truth.report.inputMetric);
    assert.equal(String(profile.parts[0].summary![0]), String(truth.report.totalCost));
    for (const wanted of truth.routines) {
      const r = mine.get(`${wanted.name}\n${wanted.image}`);
      assert.ok(r !== undefined, wanted.name);
      compareRoutine(analysis, r, wanted);
    }
    assert.equal(
      totals.calls.reduce((a, b) => a + b, 0),
      truth.calls,
    );
    assert.equal(String(exactValue(profile.events[0], totals.total, 0)), String(truth.selfCost));
    assert.equal(
      routineLaws(analysis).reduce((n, l) => n + l.sizes, 0),
      truth.distinctPoints,
    );
  });

  if (truth.contexts) {
    test(`${report}: the calling contexts are the truth's`, async () => {
      const analysis = await load(report);
      const { contexts } = analysis.profile;
      const wanted = truth.contexts!;
      const n = contexts!.id.length;
      assert.equal(n, wanted.nodes);
      const depth = new Int32Array(n);
      const children = new Int32Array(n);
      for (let c = 0; c < n; c++) {
        const p = contexts!.parent[c];
        assert.ok(p < c);
        depth[c] = p < 0 ? 1 : depth[p] + 1;
        if (p >= 0) {
          children[p]++;
          assert.ok(contexts!.end[c] <= contexts!.end[p]);
        }
      }
      const perDepth = wanted.nodesPerDepth.map((_, d) => depth.filter((x) => x === d + 1).length);
      assert.deepEqual(perDepth, wanted.nodesPerDepth);
      const ids = (test: (c: number) => boolean) =>
        Array.from(contexts!.id.keys())
          .filter(test)
          .map((c) => contexts!.id[c])
          .sort((a, b) => a - b);
      assert.deepEqual(
        ids((c) => contexts!.parent[c] < 0),
        wanted.roots,
      );
      assert.equal(children.filter((k) => k === 0).length, wanted.leaves);
      assert.deepEqual(
        ids((c) => curveOfContext(analysis, c).size.length === 0),
        wanted.withoutPoints,
      );
      const rowOf = new Map(Array.from(contexts!.id, (id, c) => [id, c]));
      for (const s of wanted.sample) {
        const c = rowOf.get(s.id)!;
        const curve = curveOfContext(analysis, c);
        assert.equal(depth[c], s.depth);
        assert.equal(children[c], s.children);
        assert.equal(curve.size.length, s.points);
        assert.equal(costsOfContexts(analysis).calls[c], s.calls);
        assert.equal(costsOfContexts(analysis).inclusive[0][c], Number(s.cost));
        assert.equal(costsOfContexts(analysis).self[0][c], Number(s.selfCost));
        const path: string[] = [];
        for (let k = c; k >= 0; k = contexts!.parent[k]) path.unshift(nameInData(analysis.profile, contexts!.routine[k]));
        if (s.path) assert.deepEqual(path, s.path);
      }
    });
  }
}

test('two runs opened together are what aprof-helper merges them into', async () => {
  const both = await load('readlog-merged/inputs/readlog_29669_0_4', 'readlog-merged/inputs/readlog_29672_0_4');
  const truth = readJson<Truth>(join(FOLDER, 'readlog-merged/truth.json'));
  const mine = keyed(both);
  for (const wanted of truth.routines) compareRoutine(both, mine.get(`${wanted.name}\n${wanted.image}`)!, wanted);
  assert.equal(both.profile.parts.length, 2);
});

test('the threads of a run are parts, numbered as their files are', async () => {
  const both = await load('pipeline-drms/pipeline_29663_0_4', 'pipeline-drms/pipeline_29663_1_4');
  assert.deepEqual(
    both.profile.parts.map((p) => [p.pid, p.thread]),
    [
      [29663, 0],
      [29663, 1],
    ],
  );
  const truths = ['truth-0.json', 'truth-1.json'].map((f) => readJson<Truth>(join(FOLDER, 'pipeline-drms', f)));
  assert.equal(
    both.totals.calls.reduce((a, b) => a + b, 0),
    truths[0].calls + truths[1].calls,
  );
  const second = analysisOf(both.profile, 'inputs', new Set([0]));
  assert.equal(second.totals.total[0][0], Number(truths[1].selfCost));
});

test('input that rms does not see is noticed, and drms shows it', async () => {
  const find = async (name: string) => {
    const analysis = await load(name);
    return routineLaws(analysis)
      .filter((l) => l.hidden)
      .map((l) => nameInData(analysis.profile, l.routine));
  };
  assert.ok((await find('readlog-rms/readlog_29659_0_4')).includes('count_lines'));
  assert.ok(!(await find('readlog-drms/readlog_29661_0_4')).includes('count_lines'));
});
