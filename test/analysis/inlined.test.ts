// Inlined functions of a call graph: costs by function as addr2line and a parser of its own have them, and each stack counted once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import type { Analysis } from '../../src/analysis/answers/analysis.ts';
import { eventInMeasure } from '../../src/analysis/answers/compared/measure.ts';
import { listInstrs } from '../../src/analysis/answers/instr-listing.ts';
import { childrenOf, openTree } from '../../src/analysis/answers/tree.ts';
import { objectName, routineName } from '../../src/analysis/names/names.ts';
import { ROUTINE_GRANULARITY } from '../../src/analysis/profiles/granularity/stacks.ts';
import { buildShownProfile } from '../../src/analysis/profiles/shown.ts';
import { exactPattern, parseTransform } from '../../src/analysis/profiles/transforms/transform.ts';
import { checkProfile } from '../../src/model/check.ts';
import { eventValue } from '../../src/model/head.ts';
import type { ProfileOf } from '../../src/model/profile.ts';
import { claimedTooMuch } from '../support/claims.ts';
import { FIXTURES, readJson } from '../support/fixtures.ts';
import { inlined, type Run, recorded, shop } from '../support/inlined.ts';
import { long } from '../support/long.ts';
import { PLAINLY } from '../support/versus.ts';

type GraphProfile = ProfileOf<'callgraph'>;
const all = (profile: GraphProfile) => analyse(profile, profile.events, new Set());

/** Made by an independent parser and `addr2line -i` (fixtures/compare/README.md). */
interface Truth {
  readonly object: string;
  readonly total: number;
  readonly inlined: number;
  readonly self: Readonly<Record<string, number>>;
  readonly within: Readonly<Record<string, number>>;
}
const truthOf = (version: string) => readJson<Truth>(join(FIXTURES, 'compare', version, 'inlines.json'));

/** The tag of an ABI is no part of the name for addr2line. */
const plain = (name: string) => name.replace(/\[abi:\w+\]/g, '');

/** By name, of the program's own object; rows of one name added up. */
function byName(profile: GraphProfile, object: string, cost: (r: number) => number): Map<string, number> {
  const out = new Map<string, number>();
  for (let r = 0; r < profile.routines.name.length; r++) {
    if (objectName(profile, profile.routines.object[r]) !== object) continue;
    const name = plain(routineName(profile, r));
    out.set(name, (out.get(name) ?? 0) + cost(r));
  }
  return out;
}

for (const version of ['v1', 'v2'] as const)
  test(`${version} of the shop: self cost by function, and within each function, is what addr2line says of the instructions`, async () => {
    const truth = truthOf(version);
    const profile = inlined(await shop(version));
    assert.deepEqual(checkProfile(profile), []);
    const { totals } = all(profile);
    const self = byName(profile, truth.object, (r) => totals.self[0][r]);
    const costly = (costs: Iterable<readonly [string, number]>) =>
      Object.fromEntries(
        [...costs]
          .map(([name, cost]) => [plain(name), cost] as const)
          .filter(([, cost]) => cost !== 0)
          .sort(),
      );
    assert.deepEqual(costly(self), costly(Object.entries(truth.self)));
    // Within a function: its nodes, and those of the chains below them. A chain ends in a recorded routine.
    const { nodes } = profile;
    assert.ok(nodes?.graph.routines.within && nodes.graph.calls);
    const { graph, routineOf } = nodes;
    const of = all(graph);
    const within = new Map<string, number>();
    const root = (n: number) => graph.routines.within?.[n] === -1;
    for (let n = 0; n < routineOf.length; n++) {
      const names = new Set<string>();
      for (let at = n; ; at = of.edges.caller[of.edges.into.order[of.edges.into.from[at]]]) {
        if (objectName(graph, graph.routines.object[at]) === truth.object) names.add(plain(routineName(graph, at)));
        if (root(at)) break;
      }
      for (const name of names) within.set(name, (within.get(name) ?? 0) + of.totals.self[0][n]);
    }
    // The script has no levels and parts of routines in chains: their names are left out.
    const parts = [...within.keys()]
      .filter((name) => /'\d|\[clone/.test(name))
      .map((name) => name.replace(/(?:'\d+| \[clone .*)$/, ''));
    const told = Object.entries(truth.within).filter(([name]) => !parts.some((part) => plain(name).startsWith(part)));
    assert.ok(told.length > 100);
    for (const [name, cost] of told) assert.equal(within.get(plain(name)), cost, name);
  });

test('nothing is lost: totals, recorded routines and their inclusive costs stay, for every event, and no cycle is made', async () => {
  for (const version of ['v1', 'v2'] as const) {
    const before = await shop(version);
    const after = inlined(before);
    const [was, is] = [all(before), all(after)];
    assert.deepEqual(is.totals.total, was.totals.total);
    assert.equal(is.totals.cycles.count, was.totals.cycles.count);
    assert.ok(after.nodes);
    const { graph } = after.nodes;
    const nodes = all(graph);
    const recordedOf = (n: number): number =>
      graph.routines.within?.[n] === -1 ? n : recordedOf(nodes.edges.caller[nodes.edges.into.order[nodes.edges.into.from[n]]]);
    was.totals.self.forEach((column, c) => {
      const sums = new Float64Array(column.length);
      nodes.totals.self[c].forEach((cost, n) => {
        sums[recordedOf(n)] += cost;
      });
      assert.deepEqual(sums, column);
    });
    for (let r = 0; r < before.routines.name.length; r++)
      if (was.totals.estimated?.inclusive[r] !== 1 && is.totals.estimated?.inclusive[r] !== 1)
        assert.ok(is.totals.inclusive[0][r] >= was.totals.inclusive[0][r], routineName(before, r));
  }
});

const VISIT = fc.record({
  routine: fc.integer({ min: 0, max: 6 }),
  chain: fc.array(fc.constantFrom('f0', 'f1', 'f2', 'f3', 'r1', 'r4'), { maxLength: 3 }),
});
/** Routines call those with higher numbers alone; functions are inlined anywhere, some of which are routines elsewhere. */
const RUNS = fc.array(
  fc.record({ visits: fc.array(VISIT, { minLength: 1, maxLength: 6 }), cost: fc.integer({ min: 1, max: 1000 }) }),
  { minLength: 1, maxLength: 25 },
);
function runsOf(
  given: readonly { readonly visits: readonly { routine: number; chain: readonly string[] }[]; cost: number }[],
): Run[] {
  return given.map(({ visits, cost }) => {
    const rising = [...new Map(visits.map((v) => [v.routine, v])).values()].sort((a, b) => a.routine - b.routine);
    const chainOf = (routine: string, chain: readonly string[]) => [...new Set(chain)].filter((name) => name !== routine);
    return { cost, visits: rising.map((v) => ({ routine: `r${v.routine}`, chain: chainOf(`r${v.routine}`, v.chain) })) };
  });
}

/** The functions of a run from the outermost. */
const functionsOf = ({ visits }: Run) => visits.flatMap(({ routine, chain }) => [routine, ...chain]);

function ofFunction(a: Analysis, costs: readonly Float64Array[], name: string): number {
  const rows = Array.from(a.profile.routines.name.keys()).filter((r) => routineName(a.profile, r) === name);
  return rows.reduce((sum, r) => sum + costs[0][r], 0);
}

long(
  'random programs: self costs are exact, inclusive costs are those of the stacks that have a function, unless they are marked',
  async () => {
    await fc.assert(
      fc.asyncProperty(RUNS, async (given) => {
        const runs = runsOf(given);
        const profile = inlined(await recorded(runs));
        assert.deepEqual(checkProfile(profile), []);
        const a = all(profile);
        const total = runs.reduce((sum, { cost }) => sum + cost, 0);
        assert.equal(a.totals.total[0][0], total);
        for (let r = 0; r < profile.routines.name.length; r++) {
          const name = routineName(profile, r);
          const own = runs.filter((run) => functionsOf(run).at(-1) === name).reduce((sum, { cost }) => sum + cost, 0);
          const inclusive = runs.filter((run) => functionsOf(run).includes(name)).reduce((sum, { cost }) => sum + cost, 0);
          assert.equal(ofFunction(a, a.totals.self, name), own, name);
          // A call graph does not know which caller a callee works for: a share of it is an estimate.
          if (a.totals.estimated?.inclusive[r] !== 1)
            assert.ok(
              Math.abs(a.totals.inclusive[0][r] - inclusive) < 1e-6,
              `${name} costs ${inclusive}, not ${a.totals.inclusive[0][r]}`,
            );
          assert.ok(a.totals.inclusive[0][r] <= total * (1 + 1e-9));
        }
        // The tree loses nothing, and gives each function its own cost.
        const tree = openTree(a.costing.tree(false), false, a.events[0]);
        const sums = new Map<string, number>();
        const waiting = [...tree.roots];
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          const { routine, self } = tree.nodes[id];
          sums.set(routineName(profile, routine), (sums.get(routineName(profile, routine)) ?? 0) + self[0]);
          waiting.push(...childrenOf(tree, id, a.events[0]));
        }
        for (const [name, sum] of sums) assert.ok(Math.abs(sum - ofFunction(a, a.totals.self, name)) < 1e-6, name);
      }),
      { numRuns: 300 },
    );
  },
);

test('by hand: g is inlined twice into f and calls h; a routine that is also inlined is one function', async () => {
  const visit = (routine: string, ...chain: string[]) => ({ routine, chain });
  const profile = inlined(
    await recorded([
      { visits: [visit('main')], cost: 1 },
      { visits: [visit('main'), visit('f')], cost: 10 },
      { visits: [visit('main'), visit('f', 'fg')], cost: 100 },
      { visits: [visit('main'), visit('f', 'fg'), visit('h')], cost: 1000 },
      { visits: [visit('main', 'h')], cost: 10_000 },
      { visits: [visit('main', 'fg', 'h')], cost: 100_000 },
    ]),
  );
  const a = all(profile);
  const costs = (columns: readonly Float64Array[]) =>
    Object.fromEntries(['main', 'f', 'fg', 'h'].map((name) => [name, ofFunction(a, columns, name)]));
  assert.deepEqual(costs(a.totals.self), { main: 1, f: 10, fg: 100, h: 111_000 });
  assert.deepEqual(costs(a.totals.inclusive), { main: 111_111, f: 1110, fg: 101_100, h: 111_000 });
  const count = (name: string) =>
    a.totals.calls[Array.from(profile.routines.name.keys()).findIndex((r) => routineName(profile, r) === name)];
  assert.deepEqual([count('f'), count('fg'), count('h')], [1, Number.NaN, 1], 'how often inlined code runs is not recorded');
  const edges = Array.from(
    a.edges.caller,
    (u, e) =>
      `${routineName(profile, u)} ${routineName(profile, a.edges.callee[e])} ${a.edges.costs[0][e]} ${a.edges.inlined?.[e]}`,
  );
  assert.deepEqual(edges.sort(), ['f fg 1100 1', 'fg h 101000 0', 'main f 1110 0', 'main fg 100000 1', 'main h 10000 1']);
});

test('an exact tree stays exact, though a small function is inlined everywhere', async () => {
  const visit = (routine: string, ...chain: string[]) => ({ routine, chain });
  const runs: Run[] = [
    { visits: [visit('main', 'fsize')], cost: 1 },
    { visits: [visit('main'), visit('a', 'fsize')], cost: 2 },
    { visits: [visit('main'), visit('a', 'fsize'), visit('c', 'fsize')], cost: 4 },
    { visits: [visit('main'), visit('b', 'fsize')], cost: 8 },
  ];
  const a = all(inlined(await recorded(runs)));
  const tree = openTree(a.costing.tree(false), false, a.events[0]);
  const waiting = [...tree.roots];
  let nodes = 0;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop(), nodes++) {
    assert.ok(!tree.nodes[id].estimated && !tree.nodes[id].selfEstimated, routineName(a.profile, tree.nodes[id].routine));
    waiting.push(...childrenOf(tree, id, a.events[0]));
  }
  assert.equal(nodes, 8);
  assert.equal(a.totals.cycles.count, 0);
});

test("Instrs has a routine's whole code as recorded, and tells what is its own: both as the truth has them", async () => {
  const recorded = await shop('v1');
  const [before, profile] = [all(recorded), inlined(recorded)];
  const object = truthOf('v1').object;
  const isMain = (of: GraphProfile) => (r: number) =>
    routineName(of, r) === 'main' && objectName(of, of.routines.object[r]) === object;
  const old = [...before.totals.calls.keys()].find(isMain(recorded)) ?? -1;
  const now = [...profile.routines.name.keys()].find(isMain(profile)) ?? -1;
  const { instrs } = listInstrs(all(profile), now, undefined, true);
  const [costs] = instrs.costs;
  const sum = (keep: (row: number) => boolean) => costs.reduce((s, cost, row) => s + (keep(row) ? cost : 0), 0);
  assert.equal(
    sum(() => true),
    before.totals.self[0][old],
  );
  assert.equal(
    sum((row) => instrs.function?.[row] === now),
    truthOf('v1').self['main'],
  );
  assert.ok(new Set(instrs.function).size > 10);
});

test('what is left after focus on a function is its inclusive cost', async () => {
  const loaded = await shop('v1');
  const shaping = { granularity: ROUTINE_GRANULARITY, own: undefined, versus: undefined };
  const whole = all(inlined(loaded));
  const size = (r: number) => whole.totals.inclusive[0][r];
  const routines = Array.from(whole.profile.routines.name.keys()).sort((x, y) => size(y) - size(x));
  for (const r of routines.slice(0, 60).filter((_, k) => k % 4 === 0)) {
    const name = routineName(whole.profile, r);
    const same = routines.filter((other) => routineName(whole.profile, other) === name);
    if (same.length > 1 || whole.totals.estimated?.inclusive[r] === 1) continue;
    const transforms = [parseTransform('inlined'), parseTransform(`focus=${exactPattern('routine', name)}`)];
    const left = buildShownProfile(loaded, { ...shaping, transforms });
    assert.ok(left.kind === 'callgraph');
    const tooMuch = claimedTooMuch(whole);
    assert.ok(
      Math.abs(all(left).totals.total[0][0] - size(r)) <= tooMuch + 1,
      `${name} ${all(left).totals.total[0][0]} ${size(r)} ${tooMuch}`,
    );
  }
});

test('two runs with inlined functions: what is new, gone or costs more is told by function', async () => {
  const [loaded, base] = [await shop('v2'), await shop('v1')];
  const both = buildShownProfile(loaded, {
    granularity: ROUTINE_GRANULARITY,
    own: undefined,
    transforms: [parseTransform('inlined')],
    versus: { loaded: base, options: { ...PLAINLY, noRenames: true }, flags: [], trusted: false },
  });
  const a = analyse(both, both.events, new Set());
  const [now, before] = [truthOf('v2').self, truthOf('v1').self];
  const deltas = new Map<string, number>();
  const [event] = a.events;
  const delta = eventInMeasure(a, event, 'delta');
  for (let r = 0; r < both.routines.name.length; r++) {
    if (!/\/v[12]\/shop$/.test(objectName(both, both.routines.object[r]) ?? '')) continue;
    const name = plain(routineName(both, r));
    deltas.set(name, (deltas.get(name) ?? 0) + eventValue(delta, a.totals.self, r));
  }
  // Code without symbols is matched otherwise.
  for (const name of new Set([...Object.keys(now), ...Object.keys(before)].filter((text) => !text.startsWith('0x'))))
    assert.equal(deltas.get(plain(name)) ?? 0, (now[name] ?? 0) - (before[name] ?? 0), name);

  // The whole code of main in both runs: as recorded, each instruction under its function.
  const main = [...both.routines.name.keys()].find((r) => {
    const object = objectName(both, both.routines.object[r]) ?? '';
    return routineName(both, r) === 'main' && object.endsWith('/shop');
  });
  const { instrs } = listInstrs(a, main ?? -1, undefined, true);
  const recorded = (version: string, of: GraphProfile) => {
    const r = [...of.routines.name.keys()].find(
      (k) => routineName(of, k) === 'main' && objectName(of, of.routines.object[k]) === truthOf(version).object,
    );
    return all(of).totals.self[0][r ?? -1];
  };
  const sums = instrs.low.reduce((sum, _, row) => sum + eventValue(delta, instrs.costs, row), 0);
  assert.equal(sums, recorded('v2', loaded) - recorded('v1', base));
  assert.ok(new Set(instrs.function).size > 10);
});
