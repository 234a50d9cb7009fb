// Recorded contexts and slices of a trace as stacks: every routine costs by itself what it did.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { percentageBase } from '../../../src/analysis/answers/analysis.ts';
import { inputTotals } from '../../../src/analysis/answers/inputs/points.ts';
import { totalsInSlices } from '../../../src/analysis/answers/stacks/stacks.ts';
import { childrenOf, nodeSelf, nodeValue, openTree } from '../../../src/analysis/answers/tree.ts';
import { routineName } from '../../../src/analysis/names/names.ts';
import { transformProfile } from '../../../src/analysis/profiles/transforms/apply.ts';
import { contextsAsStacks, stepsAsStacks } from '../../../src/analysis/profiles/transforms/of-contexts.ts';
import { parseTransform } from '../../../src/analysis/profiles/transforms/transform.ts';
import { runToEnd } from '../../../src/base/slices.ts';
import { traceEvents } from '../../../src/formats/trace-events/index.ts';
import { loadProfile } from '../../../src/io/load.ts';
import { checkProfile } from '../../../src/model/check.ts';
import type { Profile } from '../../../src/model/profile.ts';
import { FIXTURES } from '../../support/fixtures.ts';
import { analysisOf, profileOf } from '../../support/kinds.ts';
import { loadText } from '../../support/load.ts';

const at = (...names: readonly string[]) => join(FIXTURES, ...names);

for (const name of ['sorts-cct/sorts_29653_0_4.aprof.gz', 'matrix-cct/matrix_29657_0_4.aprof.gz', 'edge/13-contexts-odd.aprof'])
  test(`${name}: stacks of contexts cost what the routines cost by themselves`, async () => {
    const profile = profileOf(await loadProfile([at('aprof', name)]), 'inputs');
    const stacks = runToEnd(contextsAsStacks(profile));
    assert.deepEqual(checkProfile(stacks), []);
    const [was, now] = [inputTotals(profile, undefined), runToEnd(totalsInSlices(stacks, undefined))];
    assert.deepEqual(now.total, was.total);
    assert.deepEqual(now.self, was.self);
    assert.deepEqual(stacks.stacks.costs[0].indexOf(0), -1, 'only contexts that cost something');
  });

const HAND = at('trace-events', 'hand');
/** Slices of one thread overlap in it: a slice inside another ends after it, or two inside it share time. */
const OVERLAPS = 'overlap.json';
const traces = [
  ...readdirSync(HAND)
    .filter((name) => name !== 'expected.json' && /\.json/.test(name))
    .map((name) => join(HAND, name)),
  ...['parse.json.gz', 'regexes.json.gz', 'maps.json.gz'].map((name) => at('trace-events', 'clang-time-trace', name)),
];

const near = (a: number, b: number, what: string) =>
  assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)), `${what}: ${a}, not ${b}`);

for (const path of traces)
  test(`${path.slice(FIXTURES.length + 1)}: stacks and the tree cost what the names do`, async () => {
    let loaded: Profile;
    try {
      loaded = await loadProfile([path]);
    } catch {
      return; // What is no trace is tested elsewhere.
    }
    if (loaded.kind !== 'steps' || loaded.routines.name.length === 0) return;
    const analysis = analysisOf(loaded, 'steps');
    const stacks = runToEnd(stepsAsStacks(loaded));
    assert.deepEqual(checkProfile(stacks), []);
    const totals = runToEnd(totalsInSlices(stacks, undefined));
    const overlaps = path.endsWith(OVERLAPS);
    loaded.routines.name.forEach((_, r) => {
      const name = routineName(loaded, r);
      near(totals.self[0][r], analysis.totals.self[0][r], `self of ${name}`);
      if (!overlaps) near(totals.inclusive[0][r], analysis.totals.inclusive[0][r], `inclusive of ${name}`);
    });
    const tree = openTree(analysis.costing.tree(false), false, loaded.events[0]);
    const self = new Float64Array(loaded.routines.name.length);
    const open = [...tree.roots];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      assert.equal('context' in tree.nodes[id], false);
      self[tree.nodes[id].routine] += nodeSelf(loaded.events[0], tree.nodes[id]);
      open.push(...childrenOf(tree, id, loaded.events[0]));
    }
    self.forEach((cost, r) => {
      near(cost, analysis.totals.self[0][r], `self of ${routineName(loaded, r)} in the tree`);
    });
  });

const TRACE = JSON.stringify(
  [
    ['main', 0, 100],
    ['f', 0, 60],
    ['f', 10, 20],
    ['g', 12, 8],
    ['g', 70, 10],
    ['g', 85, 10],
  ].map(([name, ts, dur]) => ({ ph: 'X', pid: 1, tid: 1, name, ts, dur })),
);

test('a trace has calls, callers and groups: a slice inside one of its own name is not counted again', async () => {
  const analysis = analysisOf(await loadText(traceEvents, TRACE), 'steps');
  const { profile, edges, costing } = analysis;
  const found = Array.from(edges.caller, (caller, e) => [
    ...[routineName(profile, caller), routineName(profile, edges.callee[e])],
    ...[edges.count[e], edges.costs[0][e]],
  ]);
  assert.deepEqual(found.sort(), [
    ['f', 'f', 1, 20],
    ['f', 'g', 1, 8],
    ['main', 'f', 1, 60],
    ['main', 'g', 2, 20],
  ]);
  assert.equal(costing.callSites('all')?.caller.length, 4);
  const groupOf = Int32Array.from(profile.routines.name, (_, r) => (routineName(profile, r) === 'main' ? -1 : 0));
  assert.deepEqual(costing.groups({ groupOf, groups: 1, columns: [0] })?.costs, [Float64Array.of(80)]);
  const up = openTree(costing.tree(true), true, profile.events[0]);
  const [g] = up.roots.filter((id) => routineName(profile, up.nodes[id].routine) === 'g');
  const callers = childrenOf(up, g, profile.events[0]).map((id) => up.nodes[id]);
  assert.deepEqual(
    callers.map((node) => [routineName(profile, node.routine), nodeValue(profile.events[0], node)]),
    [
      ['main', 20],
      ['f', 8],
    ],
  );
});

test('a part that is off has no calls, and equal paths of two parts are one in the tree', async () => {
  const path = at('trace-events', 'hand', 'complete-object.json');
  const loaded = await loadProfile([path, path]);
  const both = analysisOf(loaded, 'steps');
  const one = analysisOf(loaded, 'steps', new Set([1]));
  const roots = (analysis: typeof both) => openTree(analysis.costing.tree(false), false, loaded.events[0]).nodes;
  assert.equal(loaded.parts.length, 2);
  assert.deepEqual(
    roots(both).map((node) => [node.routine, node.calls, node.inclusive[0]]),
    roots(one).map((node) => [node.routine, 2 * node.calls, 2 * node.inclusive[0]]),
  );
  assert.equal(new Set(runToEnd(stepsAsStacks(profileOf(loaded, 'steps'))).stacks.part).size, 2);
});

test('a trace of 1,000 slices in each other, a thousand times over, has few paths; percentages stay those of the whole', async () => {
  const rows: unknown[] = [];
  for (let time = 0; time < 100; time++)
    for (let depth = 0; depth < 1000; depth++)
      rows.push({ ph: 'X', pid: 1, tid: 1, name: `f${depth % 50}`, ts: time * 4000 + depth, dur: 3000 - 2 * depth });
  const profile = profileOf(await loadText(traceEvents, JSON.stringify(rows)), 'steps');
  const stacks = runToEnd(stepsAsStacks(profile));
  assert.equal(stacks.stacks.part.length, 1000);
  const left = transformProfile(profile, [parseTransform('prune-from=^f40$')]);
  const [before, after] = [analysisOf(profile, 'steps'), analysisOf(left, 'stacks')];
  assert.equal(percentageBase(after, left.events[0]), percentageBase(before, profile.events[0]));
  const cut = transformProfile(profile, ['ignore=^f0$', 'hide=f1'].map(parseTransform));
  assert.equal(analysisOf(cut, 'stacks').totals.total[0][0], 0);
  assert.equal(analysisOf(cut, 'stacks').totals.whole[0][0], before.totals.whole[0][0]);
});

test('paths that are too many and too deep are refused, and their tree is still there', async () => {
  const rows = Array.from({ length: 20_010 }, (_, k) => ({ ph: 'X', pid: 1, tid: 1, name: 'f', ts: k, dur: 50_000 - 2 * k }));
  const profile = profileOf(await loadText(traceEvents, JSON.stringify(rows)), 'steps');
  assert.throws(() => runToEnd(stepsAsStacks(profile)), /20,010 paths of calls have 200,210,055 frames/);
  const { costing } = analysisOf(profile, 'steps');
  assert.equal(openTree(costing.tree(false), false, profile.events[0]).roots.length, 1);
  assert.equal(costing.edges().count[0], 20_009);
});
