// All callers and all callees of a routine by its inclusive cost: exact for stacks and contexts, shares that lose nothing for a call graph.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { graphOf } from '../../src/analysis/answers/callgraph/costing.ts';
import type { CostFlow } from '../../src/analysis/answers/callgraph/flow.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { childrenOf, nodeSelf, nodeValue, openTree, type Tree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { compareProfiles } from '../../src/analysis/profiles/compare/compare.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { foldedProfile } from '../support/folded.ts';
import { long, most, some } from '../support/long.ts';
import { PLAINLY } from '../support/versus.ts';

const all = (profile: Profile, off: ReadonlySet<number> = new Set()) => analyse(profile, profile.events, off);

const callersOf = (a: Analysis, routine: number, event = a.events[0]): Tree =>
  openTree(a.costing.routineTree(routine, true), true, event);

const calleesOf = (a: Analysis, routine: number): Tree => openTree(a.costing.routineTree(routine, false), false, a.events[0]);

/** Every path of the tree, as names from the routine on, with its cost. */
function pathsOf(a: Analysis, tree: Tree): Map<string, number> {
  const out = new Map<string, number>();
  const walk = (id: number, above: string): void => {
    const path = `${above}${routineName(a.profile, tree.nodes[id].routine)}`;
    out.set(path, nodeValue(a.events[0], tree.nodes[id]));
    for (const child of childrenOf(tree, id, a.events[0])) walk(child, `${path}<`);
  };
  for (const root of tree.roots) walk(root, '');
  return out;
}

const anyStacks = fc.array(
  fc.tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 8 }).map((names) => names.join(';')),
    fc.integer({ min: 1, max: 50 }),
  ),
  { minLength: 1, maxLength: 25 },
);

test('of stacks, a slow count finds the same callers and callees, whatever recursion', () => {
  fc.assert(
    fc.property(anyStacks, (stacks) => {
      const a = all(foldedProfile(stacks));
      for (let r = 0; r < a.profile.routines.name.length; r++) {
        const name = routineName(a.profile, r);
        const slow = new Map<string, number>();
        for (const [stack, count] of stacks) {
          const names = stack.split(';');
          // Outermost first, so the first of its occurrences.
          for (let k = names.indexOf(name), path = ''; k >= 0; k--) {
            path = path === '' ? names[k] : `${path}<${names[k]}`;
            slow.set(path, (slow.get(path) ?? 0) + count);
          }
        }
        const callees = new Map<string, number>();
        for (const [stack, count] of stacks) {
          const names = stack.split(';');
          for (let k = names.indexOf(name), path = ''; k >= 0 && k < names.length; k++) {
            path = path === '' ? names[k] : `${path}<${names[k]}`;
            callees.set(path, (callees.get(path) ?? 0) + count);
          }
        }
        for (const [tree, wanted] of [
          [callersOf(a, r), slow],
          [calleesOf(a, r), callees],
        ] as const) {
          assert.deepEqual([...pathsOf(a, tree)].sort(), [...wanted].sort());
          assert.equal(tree.roots.length, 1);
          assert.equal(nodeValue(a.events[0], tree.nodes[tree.roots[0]]), a.totals.inclusive[0][r]);
        }
      }
    }),
    { numRuns: 200 },
  );
});

async function fixtures(): Promise<[string, Profile][]> {
  const out: [string, Profile][] = [];
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })) {
    if (!/^(callgrind|gperftools|aprof)\/.*\.(out|prof|aprof)(\.\d+|-\d+)?(\.gz)?$/.test(name)) continue;
    // These two are written by hand, with contexts that claim what their points do not have.
    if (/02-every-tag-contexts|13-contexts-odd/.test(name) || statSync(join(FIXTURES, name)).size > 200_000) continue;
    const profile = await loadProfile([join(FIXTURES, name)]).catch(() => undefined);
    if (profile) out.push([name, profile]);
  }
  return out;
}

const loaded = fixtures();
const MOST_NODES = 200;

/** Looks at the routine's tree, level by level: children never have more than the node above them, and nothing is lost between. */
function checkConserves(what: string, a: Analysis, flow: CostFlow | undefined, routine: number): void {
  const [event] = a.events;
  const tree = callersOf(a, routine);
  const queue = [...tree.roots];
  for (let k = 0; k < queue.length && k < MOST_NODES; k++) {
    const above = tree.nodes[queue[k]];
    const cost = nodeValue(event, above);
    const children = childrenOf(tree, queue[k], event);
    const sum = children.reduce((n, id) => n + nodeValue(event, tree.nodes[id]), 0);
    const near = Math.abs(cost) * 1e-9;
    assert.ok(sum <= cost + near, `${what}: the callers have ${sum} of ${cost}`);
    for (const id of children) assert.ok(nodeValue(event, tree.nodes[id]) >= 0, what);
    // Nothing starts there: all of it came from callers.
    if (flow?.rest.every((column) => column[above.routine] === 0) && children.length > 0)
      assert.ok(Math.abs(cost - sum) <= near, `${what}: ${sum} of ${cost}`);
    queue.push(...children);
  }
}

/** What a routine and its callees cost themselves is at most what it costs. */
function checkCallees(what: string, a: Analysis, routine: number): void {
  const [event] = a.events;
  const tree = calleesOf(a, routine);
  const queue = [...tree.roots];
  for (let k = 0; k < queue.length && k < MOST_NODES; k++) {
    const node = tree.nodes[queue[k]];
    const children = childrenOf(tree, queue[k], event);
    const parts = children.reduce((sum, id) => sum + nodeValue(event, tree.nodes[id]), nodeSelf(event, node));
    const cost = nodeValue(event, node);
    // A call of the routine itself stays in its node.
    assert.ok(parts <= cost * (1 + 1e-9), `${what}: ${routineName(a.profile, node.routine)} has parts of ${parts} of ${cost}`);
    queue.push(...children);
  }
}

function inclusiveOf(a: Analysis, routine: number): number {
  const [event] = a.events;
  // aprof measures a call's own cost and the whole one after another: its totals are of the points, the tree of the contexts.
  if (a.profile.kind !== 'inputs') return eventValue(event, a.totals.inclusive, routine);
  const groupOf = new Int32Array(a.profile.routines.name.length).fill(-1);
  groupOf[routine] = 0;
  const columns = Array.from({ length: a.profile.columns }, (_, c) => c);
  return eventValue(event, a.costing.groups({ groupOf, groups: 1, columns })?.costs ?? [], 0);
}

long('of every fixture: the root has the inclusive cost, and callers never have more than what they called', async () => {
  let tried = 0;
  for (const [name, profile] of some([...(await loaded)])) {
    const a = all(profile);
    if (!a.costing.can.has('calls')) continue;
    const flow = profile.kind === 'callgraph' ? graphOf(profile).now().flow : undefined;
    const routines = profile.routines.name.length;
    for (let r = 0; r < routines; r += Math.max(1, Math.floor(routines / 12))) {
      const what = `${name}, ${routineName(profile, r)}`;
      const { roots, nodes } = callersOf(a, r);
      const found = roots.reduce((sum, id) => sum + nodeValue(a.events[0], nodes[id]), 0);
      assert.equal(found, inclusiveOf(a, r), what);
      assert.ok(roots.length <= 1, what);
      checkConserves(what, a, flow, r);
      const callees = calleesOf(a, r);
      assert.equal(
        callees.roots.reduce((sum, id) => sum + nodeValue(a.events[0], callees.nodes[id]), 0),
        found,
        what,
      );
      checkCallees(what, a, r);
      tried++;
    }
  }
  assert.ok(tried > most(300), `${tried} routines`);
});

long('parts that are off do not count', async () => {
  for (const [name, profile] of await loaded) {
    if (profile.parts.length < 2) continue;
    const a = all(profile, new Set([0]));
    if (!a.costing.can.has('calls') || profile.kind === 'inputs') continue;
    for (let r = 0; r < profile.routines.name.length; r += 7) {
      const { roots, nodes } = callersOf(a, r);
      assert.equal(
        roots.reduce((sum, id) => sum + nodeValue(a.events[0], nodes[id]), 0),
        inclusiveOf(a, r),
        name,
      );
    }
  }
});

test('of two runs, each has its own callers side by side', () => {
  const now = foldedProfile([
    ['main;a;f', 5],
    ['main;b;f', 3],
  ]);
  const before = foldedProfile([
    ['main;a;f;f', 4],
    ['main;c;f', 2],
  ]);
  const profile = compareProfiles(now, before, PLAINLY);
  const a = all(profile);
  const [event] = a.events;
  const sides = (['now', 'before', 'delta'] as const).map((measure) => eventInMeasure(a, event, measure));
  const f = Array.from(profile.routines.name.keys()).find((r) => routineName(profile, r) === 'f') ?? -1;
  const tree = openTree(a.costing.routineTree(f, true), true, sides[2]);
  const said = (id: number) => [
    routineName(profile, tree.nodes[id].routine),
    ...sides.map((side) => nodeValue(side, tree.nodes[id])),
  ];
  assert.deepEqual(tree.roots.map(said), [['f', 8, 6, 2]]);
  const children = childrenOf(tree, tree.roots[0], sides[2]).map(said).sort();
  assert.deepEqual(children, [
    ['a', 5, 4, 1],
    ['b', 3, 0, 3],
    ['c', 0, 2, -2],
  ]);
});
