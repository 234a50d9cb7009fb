// Cost that callers paid and that no body explains is inside the callee, and every view counts it alike.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { childrenOf, openTree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { unrecordedText } from '../../src/columns/unrecorded.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import type { Profile } from '../../src/model/profile.ts';
import { loadBytes } from '../support/load.ts';

const load = (text: string): Promise<Profile> => loadBytes(callgrind, Buffer.from(text));

/** By routine: self, inclusive, and what is recorded nowhere. */
function costs(profile: Profile) {
  const { totals } = analyse(profile, profile.events);
  const rows: Record<string, [self: number, inclusive: number, unrecorded: number]> = {};
  for (const r of profile.routines.name.keys())
    rows[routineName(profile, r)] = [totals.self[0][r], totals.inclusive[0][r], totals.unrecorded?.[0][r] ?? 0];
  return { rows, total: totals.total[0][0], estimated: totals.estimated };
}

test('a callee that the file never defines has what its callers paid for it', async () => {
  const profile = await load('events: Time\nfl=main.c\nfn=main\n1 10\ncfl=lib.c\ncfn=lib_call\ncalls=3 0\n2 90\n');
  const { rows, total, estimated } = costs(profile);
  assert.deepEqual([rows, total, estimated], [{ main: [10, 100, 0], lib_call: [0, 90, 90] }, 100, undefined]);
  const analysis = analyse(profile, profile.events);
  assert.equal(unrecordedText(analysis), '90 Time (90.00%) in 1 routine: lib_call');
  const tree = openTree(analysis.costing.tree(false), false, profile.events[0]);
  assert.deepEqual(
    tree.roots.map((id) => [tree.nodes[id].inclusive[0], tree.nodes[id].estimated]),
    [[100, false]],
  );
  const [child] = childrenOf(tree, tree.roots[0], profile.events[0]);
  assert.deepEqual([tree.nodes[child].inclusive[0], tree.nodes[child].self[0], tree.nodes[child].estimated], [90, 0, false]);
});

test('a name without a file means the one routine of that name that has cost lines, where the caller’s file has none', async () => {
  const body = (file: string, cost: number) => `fl=${file}\nfn=work\n5 ${cost}\n`;
  const caller = 'events: Time\nfl=main.php\nfn=main\n1 10\ncfn=work\ncalls=3 0\n2 90\n';
  assert.deepEqual(costs(await load(caller + body('lib.php', 90))).rows, { main: [10, 100, 0], work: [90, 90, 0] });
  // With two candidates, the callee is a routine of its own.
  const two = await load(`${caller}${body('a.php', 50)}${body('b.php', 40)}`);
  assert.equal(two.routines.name.length, 4);
  // A file that the call names is meant.
  const named = await load(
    `events: Time\nfl=main.php\nfn=main\n1 10\ncfl=other.php\ncfn=work\ncalls=3 0\n2 90\n${body('lib.php', 90)}`,
  );
  assert.equal(named.routines.name.length, 3);
});

test('calls within a recursion leave nothing over; calls from outside of it may', async () => {
  const cycle = (paid: number) =>
    load(
      `events: Ir\nfl=a.c\nfn=main\n1 10\ncfn=a\ncalls=1 1\n2 ${paid}\nfn=a\n1 20\ncfn=b\ncalls=3 1\n2 300\nfn=b\n1 30\ncfn=a\ncalls=2 1\n2 250\n`,
    );
  assert.deepEqual(costs(await cycle(50)).total, 60);
  const { rows, total } = costs(await cycle(70));
  assert.deepEqual([rows.a[2], rows.b[2], total], [20, 0, 80]);
  assert.equal(rows.main[1], 80);
});

test('calls of samples overlap, and miss nothing', async () => {
  const profile = await load(
    'events: Hits\nfl=a.c\nfn=main\n1 1\ncfn=f\ncalls=5 1\n1 5\ncfn=g\ncalls=4 1\n1 4\nfn=f\n1 3\nfn=g\n1 2\n',
  );
  assert.deepEqual([costs(profile).total, costs(profile).rows.f[2]], [6, 0]);
});

test('of any pruned tree of calls, each routine has the cost of the whole tree', async () => {
  const node = fc.record({ self: fc.nat(1000), parent: fc.nat(30), isPruned: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 2, maxLength: 25 }), async (nodes) => {
      const parentOf = (i: number) => nodes[i].parent % i;
      const inclusive = nodes.map(({ self }) => self + 1);
      for (let i = nodes.length - 1; i > 0; i--) inclusive[parentOf(i)] += inclusive[i];
      // Below a pruned routine nothing is written.
      const isGone = nodes.map(() => false);
      for (let i = 1; i < nodes.length; i++) isGone[i] = isGone[parentOf(i)] || (parentOf(i) > 0 && nodes[parentOf(i)].isPruned);
      const lines = ['events: Ir', 'fl=a.c'];
      for (const [i, { self, isPruned }] of nodes.entries()) {
        if (isGone[i] || (isPruned && i > 0)) continue;
        lines.push(`fn=f${i}`, `1 ${self + 1}`);
        for (let k = i + 1; k < nodes.length; k++)
          // More calls than any cost: calls counted as often as they cost would be samples.
          if (parentOf(k) === i) lines.push(`cfn=f${k}`, 'calls=99999 1', `2 ${inclusive[k]}`);
      }
      const { rows, total } = costs(await load(`${lines.join('\n')}\n`));
      for (const [name, [, cost]] of Object.entries(rows)) assert.equal(cost, inclusive[Number(name.slice(1))], name);
      assert.equal(total, inclusive[0]);
    }),
  );
});

test('a small remainder counts if the totals that the file records hold it', async () => {
  const text = (summary: number) => `events: Ir\nfl=a.c\nfn=main\n1 1000\ncfn=b\ncalls=1 1\n2 40\nsummary: ${summary}\n`;
  for (const [summary, whole] of [
    [1000, 1000],
    [1040, 1040],
  ]) {
    const profile = await load(text(summary));
    assert.equal(analyse(profile, profile.events).totals.total[0][0], whole, `summary ${summary}`);
  }
});
