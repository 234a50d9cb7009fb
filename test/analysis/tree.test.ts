// The roots of every tree: what they add up to, and which they are.
import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { childrenOf, nodeSelf, nodeValue, openTree, type Tree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { loaders } from '../../src/formats/index.ts';
import { eventValue } from '../../src/model/head.ts';
import { loadText } from '../support/load.ts';
import { long, most } from '../support/long.ts';
import { fixturesWithCalls } from '../support/with-calls.ts';

const callgrind = loaders.find((l) => l.name === 'callgrind');
assert.ok(callgrind);

function rootsOf(a: Analysis, tree: Tree): Record<string, number> {
  return Object.fromEntries(
    tree.roots.map((id) => [routineName(a.profile, tree.nodes[id].routine), nodeValue(a.events[0], tree.nodes[id])]),
  );
}

async function treeOf(text: string, inverted = false): Promise<{ a: Analysis; tree: Tree }> {
  assert.ok(callgrind);
  const profile = await loadText(callgrind, text);
  const a = analyse(profile, profile.events, new Set());
  return { a, tree: openTree(a.costing.tree(inverted), inverted, a.events[0]) };
}

long('the roots add up to the totals, for every event of every fixture with calls', async () => {
  let tried = 0;
  for await (const { name, a } of fixturesWithCalls()) {
    const { profile } = a;
    for (const event of profile.events) {
      // These two are written by hand, with contexts that claim what their points do not have.
      if (/02-every-tag-contexts|13-contexts-odd/.test(name)) continue;
      const tree = openTree(a.costing.tree(false), false, event);
      const sum = tree.roots.reduce((s, id) => s + nodeValue(event, tree.nodes[id]), 0);
      const total = eventValue(event, a.totals.total, 0);
      tried++;
      // aprof measures a call's own cost and the whole one after another: they differ by up to 1 %.
      const most = profile.kind === 'inputs' ? 0.01 : 0.001;
      assert.ok(Math.abs(sum - total) <= Math.abs(total) * most, `${name}, ${event.name}: roots have ${sum} of ${total}`);
    }
  }
  assert.ok(tried > most(100), `${tried} trees`);
});

const THREAD = `events: Ir
fn=main
1 1000
cfn=clone
calls=1 0
2 54
fn=clone
3 54
4 4900
cfn=worker
calls=1 0
5 4000
fn=worker
6 4000
`;

test('a thread that starts in a routine that is also called is a root, with what its callers do not pay', async () => {
  const { a, tree } = await treeOf(THREAD);
  assert.deepEqual(rootsOf(a, tree), { clone: 8900, main: 1054 });
  const clone = tree.nodes[tree.roots[0]];
  assert.equal(clone.estimated, false, 'the rest of a balanced file is exact');
  const [worker] = childrenOf(tree, clone.id, a.events[0]).map((id) => tree.nodes[id]);
  assert.equal(worker.estimated, true, 'which of its calls were in the thread is not recorded');
});

test('inverted, what no caller pays ends at the routine', async () => {
  const { a, tree } = await treeOf(THREAD, true);
  const [clone] = tree.roots.map((id) => tree.nodes[id]).filter((n) => routineName(a.profile, n.routine) === 'clone');
  assert.equal(nodeSelf(a.events[0], clone), 4954);
  const [main] = childrenOf(tree, clone.id, a.events[0]).map((id) => tree.nodes[id]);
  // main pays 54 of the 8954 that clone has with what it calls.
  assert.ok(Math.abs(nodeValue(a.events[0], main) - (4954 * 54) / 8954) < 1e-9);
  assert.equal(main.estimated, true);
});

test('a cycle that is entered and started is a root once, with the rest', async () => {
  const { a, tree } = await treeOf(
    'events: Ir\nfn=main\n1 10\ncfn=f\ncalls=1 0\n2 100\nfn=f\n3 300\ncfn=g\ncalls=5 0\n4 500\nfn=g\n5 400\ncfn=f\ncalls=4 0\n6 700\n',
  );
  const roots = Object.values(rootsOf(a, tree)).sort((x, y) => y - x);
  assert.deepEqual(roots, [600, 110]);
});

test('where calls made of samples claim more than a routine has, their shares shrink and are estimates', async () => {
  const { a, tree } = await treeOf(
    'events: Ir\nfn=main\n1 10\ncfn=f\ncalls=0 0\n2 300\ncfn=g\ncalls=0 0\n3 20\nfn=g\n4 20\ncfn=f\ncalls=0 0\n5 300\nfn=f\n6 200\n',
  );
  // f has 200, of which its two callers claim 300 each: 100 each. main then has 10 + 100 + 20, but claims no more of g than 20.
  assert.deepEqual(rootsOf(a, tree), { main: 130, g: 100 });
  const [main] = tree.roots.map((id) => tree.nodes[id]);
  assert.equal(main.estimated, true);
  const f = childrenOf(tree, main.id, a.events[0]).map((id) => tree.nodes[id])[0];
  assert.equal(nodeValue(a.events[0], f), 100);
  assert.equal(f.estimated, true);
});

test('what counted calls cost beyond the body of their callee stays inside it', async () => {
  const { a, tree } = await treeOf(
    'events: Ir\nfn=main\n1 10\ncfn=f\ncalls=1 0\n2 300\ncfn=g\ncalls=1 0\n3 20\nfn=g\n4 20\ncfn=f\ncalls=1 0\n5 300\nfn=f\n6 200\n',
  );
  // f was paid 600 and has 200. main has 10 + 300 + 20; g was paid 20 of its 320.
  assert.equal(a.totals.total[0][0], 10 + 20 + 600);
  assert.deepEqual(rootsOf(a, tree), { main: 330, g: 300 });
  const [main] = tree.roots.map((id) => tree.nodes[id]);
  assert.ok(!main.estimated);
});
