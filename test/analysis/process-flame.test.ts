// Trees of processes by program against a slow count: each process is counted on its way up, one after the other.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { processAt } from '../../src/analysis/answers/processes/processes.ts';
import { childrenOf, openTree, type TreeSource } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { programName } from '../../src/base/paths.ts';
import { buildTrace } from '../../src/formats/build-trace.ts';
import { loadProfile } from '../../src/io/load.ts';
import type { Profile } from '../../src/model/profile.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

async function traces(): Promise<[name: string, profile: Profile][]> {
  const folder = join(FIXTURES, 'build-trace');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.trace(\.gz)?$/.test(name));
  const found: [string, Profile][] = [];
  for (const name of names) {
    // Some are made to be refused.
    const profile = await loadProfile([join(folder, name)]).catch(() => undefined);
    if (profile) found.push([name, profile]);
  }
  assert.ok(found.length > 30, `${found.length} traces`);
  return found;
}

/** Programs of a process and those above it, from itself up. */
function pathUp({ profile }: Analysis<'processes'>, process: number): string[] {
  const out: string[] = [];
  for (let i = process; i >= 0; i = profile.processes.parent[i]) out.push(programName(processAt(profile, i).executable) || '???');
  return out;
}

type Sums = Record<string, readonly [self: number, inclusive: number, calls: number]>;

function add(sums: Sums, path: readonly string[], self: number, inclusive: number, calls: number): void {
  const key = path.join(' > ');
  const [a, b, c] = sums[key] ?? [0, 0, 0];
  sums[key] = [a + self, b + inclusive, c + calls];
}

/** All nodes, by their path from the root of the tree. */
function nodesOf(analysis: Analysis<'processes'>, source: TreeSource, inverted: boolean): Sums {
  const [event] = analysis.events;
  const tree = openTree(source, inverted, event);
  const sums: Sums = {};
  const open = tree.roots.map((id): [number, string[]] => [id, []]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [id, above] = next;
    const node = tree.nodes[id];
    const path = [...above, routineName(analysis.profile, node.routine)];
    assert.equal(sums[path.join(' > ')], undefined, 'each path once');
    assert.equal(node.context, undefined);
    sums[path.join(' > ')] = [node.self[0], node.inclusive[0], node.calls];
    for (const child of childrenOf(tree, id, event)) open.push([child, path]);
  }
  return sums;
}

/** Paths of thousands of programs have too many beginnings to be written out. */
const shallow = (paths: readonly string[][]) => paths.every((path) => path.length < 50);

long('every build trace: trees, totals and groups are what a count of the processes gives', async () => {
  let tried = 0;
  for (const [name, profile] of await traces()) {
    const a = analysisOf(profile, 'processes');
    const paths = Array.from(a.profile.processes.id.keys(), (i) => pathUp(a, i));
    const programs = profile.routines.name.length;
    const self = new Float64Array(programs);
    const inclusive = new Float64Array(programs);
    const byName = new Map(Array.from({ length: programs }, (_, r) => [routineName(profile, r), r]));
    const numberOf = (program: string) => byName.get(program) ?? assert.fail(`${name}: no program ${program}`);
    for (const path of paths) {
      self[numberOf(path[0])]++;
      for (const program of new Set(path)) inclusive[numberOf(program)]++;
    }
    const { totals, costing } = a;
    assert.deepEqual([totals.total[0][0], totals.whole[0][0]], [paths.length, paths.length], name);
    assert.deepEqual([totals.self, totals.inclusive, totals.calls], [[self], [inclusive], self], name);
    const groupOf = Int32Array.from(self.keys(), (r) => (r % 3) - 1);
    const some = paths.filter((path) => path.some((p) => groupOf[numberOf(p)] === 0)).length;
    assert.equal(costing.groups({ groupOf, groups: 2, columns: [0] })?.costs[0][0], some, name);
    if (!shallow(paths)) continue;
    tried++;
    const down: Sums = {};
    const up: Sums = {};
    for (const path of paths) {
      const fromRoot = [...path].reverse();
      fromRoot.forEach((_, k) => {
        const last = k === fromRoot.length - 1 ? 1 : 0;
        add(down, fromRoot.slice(0, k + 1), last, 1, last);
      });
      path.forEach((_, k) => {
        // Only roots of the inverted tree say how often.
        add(up, path.slice(0, k + 1), 1, 1, k === 0 ? 1 : 0);
      });
    }
    for (const [key, [own, all, calls]] of Object.entries(up)) if (calls === 0) up[key] = [own, all, -1];
    assert.deepEqual(nodesOf(a, costing.tree(false), false), down, name);
    assert.deepEqual(nodesOf(a, costing.tree(true), true), up, `${name}, inverted`);
    for (const program of byName.keys()) {
      const callers: Sums = {};
      for (const path of paths) {
        // The outermost one; below it all is its own.
        const at = path.lastIndexOf(program);
        if (at < 0) continue;
        path.slice(at).forEach((_, k) => {
          add(callers, path.slice(at, at + k + 1), 1, 1, 0);
        });
      }
      const found = nodesOf(a, costing.routineTree(numberOf(program), true), true);
      const costs = (sums: Sums) => Object.fromEntries(Object.entries(sums).map(([key, [own, all]]) => [key, [own, all]]));
      assert.deepEqual(costs(found), costs(callers), `${name}, callers of ${program}`);
    }
  }
  assert.ok(tried > 30, `${tried} traces`);
});

const line = (id: number, parent: number, executable: string) =>
  `{"id": ${id}, "parent_id": ${parent}, "work_dir": "/w", "executable": "${executable}", "args": ["x"]}\n`;

test('a program is its executable without folder and .exe; equal names are one, whatever their folder', async () => {
  const text =
    '{"version": "101"}\n' +
    line(1, -1, '/usr/bin/make') +
    line(2, 1, '/bin/sh') +
    line(3, 1, '/usr/bin/sh') +
    line(4, 3, 'C:\\\\tools\\\\CL.EXE') +
    line(5, 2, '/opt/bin/') +
    line(6, 2, 'sh');
  const a = analysisOf(await loadText(buildTrace, text), 'processes');
  assert.deepEqual(nodesOf(a, a.costing.tree(false), false), {
    make: [1, 6, 1],
    'make > sh': [2, 5, 2],
    'make > sh > CL': [1, 1, 1],
    'make > sh > ???': [1, 1, 1],
    'make > sh > sh': [1, 1, 1],
  });
  // A shell below a shell is not counted twice.
  const shell = Array.from(a.profile.routines.name.keys()).find((r) => routineName(a.profile, r) === 'sh') ?? -1;
  assert.equal(a.totals.inclusive[0][shell], 5);
  assert.deepEqual(
    [...a.profile.routines.file, ...a.profile.routines.object].filter((of) => of !== -1),
    [],
  );
});

test('parts that are off have no processes in the tree', async () => {
  const profile = await loadText(buildTrace, `{"version": "101"}\n${line(1, -1, 'make')}${line(2, 1, 'sh')}`);
  const a = analysisOf(profile, 'processes', new Set([0]));
  assert.deepEqual(nodesOf(a, a.costing.tree(false), false), {});
  assert.deepEqual([a.totals.total[0][0], ...a.totals.self[0], ...a.totals.inclusive[0]], [0, 0, 0, 0, 0]);
});
