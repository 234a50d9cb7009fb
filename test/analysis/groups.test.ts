// The inclusive cost of groups of routines, against slow and obvious computations.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { childrenOf, nodeSelf, openTree } from '../../src/analysis/answers/tree.ts';
import { functionOf } from '../../src/analysis/names/parts.ts';
import { loaders } from '../../src/formats/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';

const found = loaders.find((l) => l.name === 'callgrind');
assert.ok(found);
const callgrind = found;

/** What runs in or below the group, by unfolding the whole tree. */
function bySlowTree(a: Analysis, inGroup: (routine: number) => boolean): number {
  const [event] = a.events;
  const tree = openTree(a.costing.tree(false), false, event);
  let sum = 0;
  const queue = tree.roots.map((id) => ({ id, below: false }));
  for (let at = queue.pop(); at; at = queue.pop()) {
    const node = tree.nodes[at.id];
    const below = at.below || inGroup(node.routine);
    if (below) sum += nodeSelf(event, node);
    for (const id of childrenOf(tree, at.id, event)) queue.push({ id, below });
  }
  return sum;
}

/** A profile of a random graph without cycles, whose numbers balance: routine i calls only later ones. */
const graphs = fc
  .integer({ min: 2, max: 9 })
  .chain((n) =>
    fc.tuple(
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: n, maxLength: n }),
      fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
    ),
  );

function profileText(self: readonly number[], weights: readonly (readonly number[])[]): string {
  const n = self.length;
  // What arrives at a routine is split among its callers by weight; callees first, so that what they have is known.
  const has = [...self];
  const paid: number[][] = self.map(() => self.map(() => 0));
  for (let callee = n - 1; callee > 0; callee--) {
    const callers = weights.slice(0, callee).map((w) => w[callee]);
    const all = callers.reduce((s, w) => s + w, 0);
    if (all === 0) continue;
    let left = has[callee];
    callers.forEach((w, caller) => {
      const cost = caller === callers.findLastIndex((x) => x > 0) ? left : Math.floor((has[callee] * w) / all);
      if (w === 0) return;
      left -= cost;
      paid[caller][callee] = cost;
      has[caller] += cost;
    });
  }
  const lines = ['events: Ir'];
  self.forEach((cost, r) => {
    lines.push(`fn=f${r}`, `1 ${cost}`);
    paid[r].forEach((c, callee) => {
      if (weights[r][callee] > 0 && callee > r) lines.push(`cfn=f${callee}`, 'calls=1 1', `2 ${c}`);
    });
  });
  return `${lines.join('\n')}\n`;
}

test('a group costs what runs in it or below it, once: as the whole tree has it', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 510 }), async ([self, weights], members) => {
      const profile = await loadText(callgrind, profileText(self, weights));
      const a = analyse(profile, profile.events, new Set());
      const inGroup = (r: number) => ((members >> r) & 1) === 1;
      const groupOf = Int32Array.from(a.totals.calls, (_, r) => (inGroup(r) ? 0 : -1));
      const groups = a.costing.groups({ groupOf, groups: 1, columns: [0] });
      if (!groups) return assert.doesNotMatch(profileText(self, weights), /calls=/);
      const slow = bySlowTree(a, inGroup);
      // Calls of a routine without cost have no share to split.
      const [[fast]] = groups.costs;
      assert.ok(Math.abs(fast - slow) <= 1e-6 * (1 + slow), `${fast} against ${slow}`);
    }),
    { numRuns: 200 },
  );
});

test('a group of one routine costs what the routine costs, and a group of all the total, in every fixture with calls', async () => {
  for (const name of [
    'callgrind/default.callgrind.out',
    'callgrind/threads.callgrind.out-02',
    'gperftools/pie-g.prof.gz',
    'aprof/sorts-cct/sorts_29653_0_4.aprof.gz',
  ]) {
    const profile = await loadProfile([join(FIXTURES, name)]);
    const a = analyse(profile, profile.events, new Set());
    const n = a.totals.calls.length;
    const all = a.costing.groups({ groupOf: new Int32Array(n), groups: 1, columns: [0] });
    const total = a.totals.total[0][0];
    assert.ok(Math.abs((all?.costs[0][0] ?? 0) - total) <= total * 0.01, `${name}: ${all?.costs[0][0]} of ${total}`);
    const single = a.costing.groups({ groupOf: Int32Array.from({ length: n }, (_, r) => r), groups: n, columns: [0] });
    for (let r = 0; r < Math.min(n, 300); r++) {
      if (a.totals.cycles.of[r] > 0) continue;
      const own = a.totals.inclusive[0][r];
      const got = single?.costs[0][r] ?? 0;
      // Below a routine that others call too, shares are estimates: never more than the total.
      if (single?.estimated[r] === 1) assert.ok(got <= total && got >= a.totals.self[0][r]);
      else if (profile.kind !== 'inputs')
        assert.ok(Math.abs(got - own) <= Math.max(2, own * 0.001), `${name}: ${got} for ${own}`);
    }
  }
});

test('the function of a routine', () => {
  for (const [name, wanted] of [
    ["fib'2", 'fib'],
    ["hop'main'(below main)", 'hop'],
    ["geo::KdTree<float>::count(float, int) const'2", 'geo::KdTree<float>::count(float, int) const'],
    ["main::'lambda'(int)::operator()(int) const", "main::'lambda'(int)::operator()(int) const"],
    ["f<(char)'a'>(int)'3", "f<(char)'a'>(int)"],
    ["operator->'2", 'operator->'],
    ['plain', 'plain'],
  ])
    assert.equal(functionOf(name), wanted);
});
