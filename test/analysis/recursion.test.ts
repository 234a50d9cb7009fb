// Costs in cycles of the call graph: one answer everywhere. Checked against slow sums over paths, and against the same program recorded with
// other levels of recursion.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { graphOf } from '../../src/analysis/answers/callgraph/costing.ts';
import { Elimination, planElimination } from '../../src/analysis/answers/callgraph/elimination.ts';
import { splitLevel } from '../../src/analysis/answers/callgraph/levels.ts';
import { childrenOf, openTree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { transformProfile } from '../../src/analysis/profiles/transforms/apply.ts';
import { exactPattern, parseTransform } from '../../src/analysis/profiles/transforms/transform.ts';
import { runToEnd } from '../../src/base/slices.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { exactValue } from '../../src/model/head.ts';
import { claimedTooMuch } from '../support/claims.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { loadAnalysis, loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

const FOLDER = join(FIXTURES, 'callgrind');
const named = ({ profile }: Analysis, name: string): number => {
  const found = Array.from(profile.routines.name.keys()).filter((r) => routineName(profile, r) === name);
  assert.equal(found.length, 1, name);
  return found[0];
};

const weights = fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.integer({ min: 1, max: 1000 })), { minLength: 1, maxLength: 40 });

test('elimination solves what going round and round comes to', () => {
  fc.assert(
    fc.property(weights, fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 12, maxLength: 12 }), (edges, leaves) => {
      const inner = edges.filter(([i, j]) => i !== j);
      const [tail, head, weight] = [0, 1, 2].map((k) => Uint32Array.from(inner, (edge) => edge[k]));
      const pattern = runToEnd(planElimination(12, tail, head));
      assert.ok(pattern);
      const solved = new Elimination(pattern);
      runToEnd(solved.run(tail, head, weight, leaves));
      const out = leaves.slice();
      inner.forEach(([i, , w]) => {
        out[i] += w;
      });
      /** x M = r by going round: what arrives in each is what was put there, and what the others pass on. */
      const round = (put: readonly number[]) => {
        let x = put.map((p, i) => p / out[i]);
        for (let k = 0; k < 5000; k++) {
          const next = put.slice();
          for (const [i, j, w] of inner) next[j] += x[i] * w;
          x = next.map((n, i) => n / out[i]);
        }
        return x;
      };
      const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b) + 1e-300, `${a}, not ${b}`);
      const slow = round(leaves);
      for (const [i, x] of solved.solveLeft(leaves).entries()) near(x, slow[i]);
      const ones = solved.solve(leaves);
      // Whatever starts somewhere leaves somewhere: M 1 = leaves.
      for (const x of ones) near(x, 1);
      const inverse = runToEnd(solved.inverse());
      for (let i = 0; i < 3; i++) {
        const row = round(leaves.map((_, k) => Number(k === i)));
        near(inverse(i, i), row[i]);
        for (const [a, b] of inner) if (a === i) near(inverse(i, b), row[b]);
      }
    }),
    { numRuns: 100 },
  );
});

test('levels are numbers behind a quote, before other callers', () => {
  assert.deepEqual(splitLevel("parse(int)'2"), ['parse(int)', 2]);
  assert.deepEqual(splitLevel("parse'12'main"), ["parse'main", 12]);
  for (const name of ['parse', "parse'main", "f'1", "operator'", "a::'lambda0'::b", "f'2x"])
    assert.deepEqual(splitLevel(name), [name, 1]);
});

test('what a routine costs that can recur is near to what its first level costs in a recording with levels', async () => {
  const levels = await loadAnalysis(join(FOLDER, 'uncompressed.callgrind.out.gz'));
  const none = await loadAnalysis(join(FOLDER, 'recs1.callgrind.out.gz'));
  const share = (a: Analysis, name: string) => a.totals.inclusive[0][named(a, name)] / a.totals.total[0][0];
  for (const name of ['demo::parse_term(demo::Cursor&)', 'demo::parse_factor(demo::Cursor&)']) {
    const [exact, estimate] = [share(levels, name), share(none, name)];
    assert.ok(Math.abs(estimate / exact - 1) < 0.1, `${name}: ${estimate}, not ${exact}`);
    assert.equal(none.totals.estimated?.inclusive[named(none, name)], 1, name);
    assert.equal(levels.totals.estimated?.inclusive[named(levels, name)], 0, name);
  }
});

test('a level before the last is on a stack at most once: its cost is exact, as recorded', async () => {
  const a = await loadAnalysis(join(FOLDER, 'real-python.callgrind.out.gz'));
  const eval1 = named(a, '_PyEval_EvalFrameDefault');
  const eval2 = named(a, "_PyEval_EvalFrameDefault'2");
  // callgrind_annotate --inclusive=yes prints the recorded sums.
  assert.equal(a.totals.inclusive[0][eval1], a.totals.recorded?.[0][eval1]);
  assert.equal(a.totals.estimated?.inclusive[eval1], 0);
  assert.equal(a.totals.estimated?.inclusive[eval2], 1);
  assert.ok(a.totals.inclusive[0][eval2] < a.totals.inclusive[0][eval1]);
});

/** By routine, the self costs of all nodes whose cost is worth it, and of what is not unfolded. */
function unfolded(a: Analysis, least: number) {
  const event = a.events[0];
  const [, column] = event.terms[0];
  const tree = openTree(a.costing.tree(false), false, event);
  const self = new Float64Array(a.totals.calls.length);
  let cut = 0;
  const queue = [...tree.roots];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const node = tree.nodes[id];
    self[node.routine] += node.self[column];
    if (node.inclusive[column] >= least) queue.push(...childrenOf(tree, id, event));
    else cut += node.inclusive[column] - node.self[column];
  }
  return { self, cut };
}

test('no recursion is a dead end: self costs of all nodes of a routine add up to its own, roots to the total', async () => {
  for (const name of ['default.callgrind.out', 'recs1.callgrind.out.gz', 'contexts.callgrind.out.gz']) {
    const a = await loadAnalysis(join(FOLDER, name));
    const [total] = a.totals.total[0];
    const { self, cut } = unfolded(a, total * 2e-5);
    const missing = a.totals.self[0].reduce((sum, cost, r) => sum + Math.max(0, cost - self[r]), 0);
    assert.ok(missing <= cut + 1, `${name}: ${missing} missing, ${cut} cut`);
    assert.ok(cut < total * 0.02, `${name}: ${cut} cut`);
    self.forEach((cost, r) => {
      assert.ok(cost <= a.totals.self[0][r] * (1 + 1e-9) + 1e-6, `${name}: ${routineName(a.profile, r)}`);
    });
    const tree = openTree(a.costing.tree(false), false, a.events[0]);
    const roots = tree.roots.reduce((sum, id) => sum + tree.nodes[id].inclusive[0], 0);
    assert.ok(Math.abs(roots - total) <= 1e-9 * total, `${name}: roots have ${roots} of ${total}`);
  }
});

const recursive = namesIn(FOLDER, /callgrind\.out(\.\d+|-\d+)?(\.gz)?$/);

for (const name of recursive)
  long(`${name}: focus on a routine leaves its inclusive cost`, async () => {
    const a = await loadAnalysis(join(FOLDER, name)).catch(() => undefined);
    if (a?.profile.kind !== 'callgraph' || !a.profile.calls) return;
    const { profile, totals } = a;
    const noise = claimedTooMuch(a) + 1e-6 * totals.total[0][0] + 0.5;
    const { flow } = graphOf(profile).now();
    const inCycles = Array.from(totals.calls.keys()).filter((r) => totals.cycles.of[r] > 0);
    const every = Math.max(1, Math.floor(totals.calls.length / 8));
    const some = Array.from(totals.calls.keys()).filter((r) => r % every === 0 && flow.scaled[r] === 0);
    for (const r of [...inCycles.filter((_, k) => k % Math.ceil(inCycles.length / 40) === 0), ...some]) {
      const text = routineName(profile, r);
      const same = Array.from(totals.calls.keys()).filter((k) => routineName(profile, k) === text);
      if (same.length > 1) continue;
      const left = transformProfile(profile, [parseTransform(`focus=${exactPattern('routine', text)}`)]);
      const { total } = analyse(left, left.events).totals;
      const off = Math.abs(total[0][0] - totals.inclusive[0][r]);
      assert.ok(off <= noise, `${text}: ${total[0][0]} left, not ${totals.inclusive[0][r]}`);
    }
  });

test('a cycle too large to be solved ends, and self costs stay exact', async () => {
  // One more than fit the table of links, in a ring: 17,888 do.
  const n = 17_900;
  const ring = Array.from({ length: n }, (_, k) => `fn=f${k}\n1 1\ncfn=f${(k + 1) % n}\ncalls=1 0\n1 ${n - k}\n`).join('');
  const text = `events: Ir\nfl=a.c\nfn=main\n1 5\ncfn=f0\ncalls=1 0\n1 ${n}\n${ring}`;
  const profile = await loadText(callgrind, text);
  const analysis = analyse(profile, profile.events);
  const { totals } = analysis;
  const main = named(analysis, 'main');
  assert.equal(totals.total[0][0], n + 5);
  assert.equal(totals.inclusive[0][main], n + 5);
  assert.ok(totals.self[0].every((cost, r) => cost === (r === main ? 5 : 1)));
  assert.ok(totals.inclusive[0].every((cost) => cost >= 1 && cost <= n + 5));
});

test('no routine costs more than the program, and halves of large counts are judged by the counts', async () => {
  const [large, off] = [2n ** 60n, 2n ** 60n - 1n];
  const lines = [
    'events: Ir Jr',
    'fn=main',
    '1 1 5',
    'cfn=f',
    'calls=0 1',
    `2 ${off} 5`,
    'fn=f',
    `5 ${large} 2`,
    'cfn=g',
    'calls=0 1',
    '6 0 40',
  ];
  const profile = await loadText(callgrind, `${[...lines, 'fn=g', '7 0 3'].join('\n')}\n`);
  const a = analyse(profile, profile.events);
  const row = (name: string) => Array.from(a.profile.routines.name.keys()).find((r) => routineName(a.profile, r) === name)!;
  const [ir, jr] = a.events;
  // A call that is one less than its callee has a lower half above that of the total.
  assert.equal(BigInt(exactValue(ir, a.totals.inclusive, row('main'))), off + 1n);
  assert.equal(BigInt(exactValue(ir, a.totals.total, 0)), large + 1n);
  // g has 3, its caller (whose calls no one counted) says 40; all of the program is 10.
  assert.equal(Number(exactValue(jr, a.totals.inclusive, row('f'))), 10);
  assert.equal(a.totals.estimated?.inclusive[row('f')], 1);
  assert.equal(Number(exactValue(jr, a.totals.inclusive, row('main'))), 10);
  assert.equal(a.totals.estimated?.inclusive[row('main')], 0);
});
