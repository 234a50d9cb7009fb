// The same question, answered by two views, has one number, or one of them is marked as an estimate.
import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import test from 'node:test';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { childrenOf, isOnPath, nodeSelf, nodeValue, openTree, type TreeNode } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { ROUTINE_GRANULARITY } from '../../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../../src/analysis/profiles/shown.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { loadProfile } from '../../src/io/load.ts';
import { eventColumn, eventValue } from '../../src/model/head.ts';
import type { Profile } from '../../src/model/profile.ts';
import { reports } from '../../src/reports/index.ts';
import { FIXTURES, namesIn } from '../support/fixtures.ts';
import { loadText } from '../support/load.ts';
import { some } from '../support/long.ts';
import { asCallgrind, randomProgram, SHAPES } from '../support/random-programs.ts';
import { contextOf } from '../support/reports.ts';

const FOLDERS = [
  'callgrind',
  'folded',
  'gperftools',
  'perf-script',
  'pprof',
  'speedscope',
  'gprof',
  'cpuprofile',
  'massif',
  'dhat',
];
const MOST_NODES = 5000;

const shownAnalysis = (loaded: Profile): Analysis => {
  const shaping = { granularity: ROUTINE_GRANULARITY, transforms: [], own: undefined, versus: undefined };
  const profile = buildShownProfile(loaded, shaping);
  return analyse(profile, profile.events);
};

/** Where two views disagree, as `what: one and other`. */
function contradictions(analysis: Analysis): string[] {
  const { profile, costing, totals } = analysis;
  const [event] = analysis.events;
  if (!event || !costing.can.has('inclusive') || !costing.can.has('trees')) return [];
  const out: string[] = [];
  const total = eventValue(event, totals.total, 0);
  const slack = 1e-9 * Math.abs(total);
  const compare = (what: string, one: number, other: number) => {
    if (Math.abs(one - other) > slack) out.push(`${what}: ${one} and ${other}`);
  };
  const self = Array.from(eventColumn(event, totals.self, profile.routines.name.length));
  const inclusive = Array.from(eventColumn(event, totals.inclusive, profile.routines.name.length));
  const isGuess = (what: 'self' | 'inclusive', r: number) => totals.estimated?.[what][r] === 1;
  const tree = openTree(costing.tree(false), false, event);
  const sum = (nodes: readonly TreeNode[]) => nodes.reduce((all, node) => all + nodeValue(event, node), 0);
  if (self.some((cost) => cost < 0)) return [];
  // Roots never exceed the total.
  if (tree.rootsLeftOut === 0 && !tree.roots.some((id) => tree.nodes[id].estimated))
    compare('roots and total', sum(tree.roots.map((id) => tree.nodes[id])), total);
  else assert.ok(sum(tree.roots.map((id) => tree.nodes[id])) <= total * (1 + 1e-9) + 1, 'roots');
  // The whole tree, if it is small: outermost nodes of a routine add up to its inclusive cost, and all nodes to its self cost.
  const outermost = new Map<number, TreeNode[]>();
  const all = new Map<number, TreeNode[]>();
  const seen: number[] = [...tree.roots];
  for (const id of seen) {
    if (seen.length > MOST_NODES) break;
    const node = tree.nodes[id];
    all.set(node.routine, [...(all.get(node.routine) ?? []), node]);
    if (!isOnPath(tree, tree.nodes[node.parent], node.routine))
      outermost.set(node.routine, [...(outermost.get(node.routine) ?? []), node]);
    seen.push(...childrenOf(tree, id, event));
  }
  if (seen.length <= MOST_NODES) {
    for (const [r, nodes] of outermost)
      if (!isGuess('inclusive', r) && nodes.every((node) => !node.estimated))
        compare(`${routineName(profile, r)} in Tree and Routines`, sum(nodes), inclusive[r]);
    for (const [r, nodes] of all)
      if (!isGuess('self', r) && nodes.every((node) => !node.selfEstimated))
        compare(
          `self of ${routineName(profile, r)} in Tree and Routines`,
          nodes.reduce((cost, node) => cost + nodeSelf(event, node), 0),
          self[r],
        );
  }
  const hottest = Array.from(inclusive.keys()).sort((a, b) => inclusive[b] - inclusive[a]);
  for (const r of hottest.slice(0, 30)) {
    const callers = openTree(costing.routineTree(r, true), true, event);
    const roots = callers.roots.map((id) => callers.nodes[id]);
    if (!isGuess('inclusive', r) && roots.every((node) => !node.estimated))
      compare(`callers of ${routineName(profile, r)} and Routines`, sum(roots), inclusive[r]);
  }
  const { edges } = analysis;
  const of = eventColumn(event, edges.costs, edges.caller.length);
  for (let e = 0; e < edges.caller.length; e++) {
    if (edges.estimated?.[e] === 1) continue;
    for (const r of [edges.caller[e], edges.callee[e]])
      if (!isGuess('inclusive', r) && of[e] > inclusive[r] + slack)
        out.push(`a call of ${routineName(profile, r)}: ${of[e]} and ${inclusive[r]}`);
  }
  return out;
}

test('views of fixtures never contradict each other', async () => {
  const wrong: string[] = [];
  let asked = 0;
  for (const folder of FOLDERS)
    for (const name of some(namesIn(join(FIXTURES, folder), /\.(?:out|gz|prof|folded|perf|json|txt|kcg)$/))) {
      const path = join(FIXTURES, folder, name);
      const loaded = await loadProfile([path]).catch(() => undefined);
      if (!loaded || loaded.events.length === 0) continue;
      asked++;
      wrong.push(...contradictions(shownAnalysis(loaded)).map((what) => `${relative(FIXTURES, path)}: ${what}`));
    }
  assert.deepEqual(wrong, []);
  assert.ok(asked > 10, `${asked} profiles`);
});

test('views of generated programs never contradict each other', async () => {
  const wrong: string[] = [];
  for (const shape of SHAPES)
    for (const levels of [1, 2, 3])
      for (const seed of some([1, 2, 3, 4])) {
        const loaded = await loadText(callgrind, asCallgrind(randomProgram(seed, shape), { levels }));
        wrong.push(...contradictions(shownAnalysis(loaded)).map((what) => `${shape} ${levels} ${seed}: ${what}`));
      }
  assert.deepEqual(wrong, []);
});

test('lines of a routine never cost more than the routine, whatever calls itself', async () => {
  // The answer of the second: call_init has 700 of 700, so the unnamed code that calls it has no more.
  const unnamed = `version: 1
creator: xtree-1
positions: line
events: totB
fl=(1) UnknownFile???
fn=(1) UnknownFn???
0 0
cfi=(2) dl-init.c
cfn=(2) call_init
calls=1 0
0 700
fl=(2)
fn=(2)
0 100
cfi=(1)
cfn=(1)
calls=1 0
0 600
fl=(1)
fn=(1)
0 600
`;
  const profiles = [
    await loadProfile([join(FIXTURES, 'callgrind/xtree-memory.callgrind.out')]),
    await loadProfile([join(FIXTURES, 'callgrind/xtree-leak.callgrind.out')]),
    await loadText(callgrind, unnamed),
  ];
  let lines = 0;
  const source = reports.find(({ name }) => name === 'source');
  for (const profile of profiles)
    for (let routine = 0; routine < profile.routines.name.length; routine++) {
      const context = { ...contextOf(profile), routine };
      const { events, totals } = context.analysis;
      const texts: string[] = [];
      await source?.write('json', context, '0', async (text) => void texts.push(text));
      const event = events.find(({ name }) => name === 'totB' || name === 'DB') ?? events[0];
      const most = eventValue(event, totals.inclusive, routine);
      for (const { line, inclusive } of JSON.parse(texts.join('')).rows) {
        const cost = inclusive?.[event.name] ?? 0;
        // Estimates of one flow differ by what is rounded of it.
        assert.ok(cost <= most * 1.01, `${routineName(profile, routine)}:${line}: ${cost} of ${most}`);
        lines++;
      }
    }
  assert.ok(lines > 50, `${lines}`);
});
