// Sampled stacks: sums, edges, trees and granularities against slow and obvious computations, on random stacks.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { annotateFile } from '../../src/analysis/answers/annotate.ts';
import { childrenOf, nodeSelf, nodeValue, openTree } from '../../src/analysis/answers/tree.ts';
import { routineName } from '../../src/analysis/names/names.ts';
import { GRANULARITY_NAMES, regroup } from '../../src/analysis/profiles/granularity/stacks.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import type { Profile } from '../../src/model/profile.ts';
import { Sink } from '../../src/model/sink.ts';
import { AddressStackWriter, NamedStackWriter } from '../../src/model/stacks/writer.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';

type Stack = { count: number; part: number; places: number[] };

/** Place p is function `f(p % 4)`, line p; place 7 is f3 inlined into f0; place 9 has no name. */
function profileOfStacks(stacks: readonly Stack[]): Profile {
  const sink = new Sink();
  const { samples, periods } = sink.writerFor(AddressStackWriter);
  sink.paths.push('test');
  for (const part of [0, 1]) {
    periods.push(1_000_000);
    samples.mappings.push([{ start: 0n, end: 0x1000n, offset: 0n, executable: true, path: '/bin/test' }]);
    sink.addPart({
      path: 'test',
      part,
      events: ['samples'],
    });
  }
  for (const { count, part, places } of stacks) {
    const ids = Uint32Array.from(places, (p) => samples.addressId(part, 0, p));
    samples.stacks.add(part, ids, ids.length, count);
  }
  const named = (p: number) => ({ name: `f${p % 4}`, file: p % 4 === 2 ? null : `dir/f${p % 4}.c`, line: p });
  for (let id = 0; id < samples.addresses.size; id++) {
    const p = samples.addresses.low.data[id];
    if (p === 9) continue;
    samples.names[id] = p === 7 ? [named(7), named(4)] : [named(p)];
  }
  return sink.finish('test');
}

const stacksOf = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 50 }),
    part: fc.integer({ min: 0, max: 1 }),
    places: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** The frames of a stack, the innermost first. */
const framesOf = (s: Stack) => s.places.flatMap((p) => (p === 9 ? ['0x... [test]'] : p === 7 ? ['f3', 'f0'] : [`f${p % 4}`]));

test('flat, cumulative and edge counts are those of a slow count, whatever recursion and parts', () => {
  fc.assert(
    fc.property(stacksOf, fc.boolean(), (stacks, onlyFirst) => {
      const profile = profileOfStacks(stacks);
      assert.deepEqual(checkProfile(profile), []);
      const analysis = analysisOf(profile, 'stacks', new Set(onlyFirst ? [1] : []));
      const seen = stacks.filter((s) => !onlyFirst || s.part === 0);
      const sum = (which: (frames: string[]) => boolean) =>
        seen.filter((s) => which(framesOf(s))).reduce((n, s) => n + s.count, 0);
      for (let r = 0; r < profile.routines.name.length; r++) {
        const name = routineName(profile, r);
        assert.equal(
          analysis.totals.self[0][r],
          sum((f) => f[0] === name),
        );
        assert.equal(
          analysis.totals.inclusive[0][r],
          sum((f) => f.includes(name)),
        );
      }
      assert.equal(
        analysis.totals.total[0][0],
        sum(() => true),
      );
      const { edges } = analysis;
      const wanted = new Map<string, number>();
      for (const s of seen) {
        const f = framesOf(s);
        for (const pair of new Set(f.slice(1).map((caller, k) => `${caller} ${f[k]}`)))
          wanted.set(pair, (wanted.get(pair) ?? 0) + s.count);
      }
      const mine = new Map(
        Array.from(edges.caller, (c, e) => [
          `${routineName(profile, c)} ${routineName(profile, edges.callee[e])}`,
          edges.costs[0][e],
        ]),
      );
      assert.deepEqual(mine, wanted);
      // Call sites of an edge together are no less than the edge.
      const sites = analysis.costing.callSites('all')!;
      for (const [pair, cost] of wanted) {
        const of = Array.from(sites.caller, (c, i) => ({
          pair: `${routineName(profile, c)} ${routineName(profile, sites.callee[i])}`,
          cost: sites.costs[0][i],
        }));
        const those = of.filter((o) => o.pair === pair).map((o) => o.cost);
        assert.ok(Math.max(...those) <= cost && those.reduce((a, b) => a + b, 0) >= cost);
      }
      // A site is a line: of a routine with several addresses in it, a sample counts once.
      const { frames, places, stacks: all } = profileOf(profile, 'stacks');
      const lineOf = (f: number) => `${frames.routine[f]} ${frames.file[f]} ${frames.line[f]}`;
      const counted = new Map<string, { cost: number; at: Set<string> }>();
      for (let s = 0; s < all.part.length; s++) {
        if (onlyFirst && all.part[s] === 1) continue;
        const met = new Set<string>();
        for (let k = all.start[s] + 1; k < all.start[s + 1]; k++) {
          const f = all.frame[k];
          const key = `${lineOf(f)} ${frames.routine[all.frame[k - 1]]}`;
          const site = counted.get(key) ?? { cost: 0, at: new Set() };
          counted.set(key, site);
          site.at.add(`${places?.ownHigh[places.ofFrame[f]]} ${places?.ownLow[places.ofFrame[f]]}`);
          if (!met.has(key)) site.cost += all.costs[0][s];
          met.add(key);
        }
      }
      const got = Array.from(sites.caller, (r, i) => [
        `${r} ${sites.file[i]} ${sites.line[i]} ${sites.callee[i]}`,
        { cost: sites.costs[0][i], spread: sites.spread?.[i] === 1 },
      ]);
      assert.deepEqual(
        new Map(got as [string, object][]),
        new Map([...counted].map(([key, { cost, at }]) => [key, { cost, spread: at.size > 1 }])),
      );
      assert.equal(got.length, counted.size);
    }),
    { numRuns: 200 },
  );
});

test('every way through the tree is a way of the stacks, exact, both ways up', () => {
  fc.assert(
    fc.property(stacksOf, fc.boolean(), (stacks, inverted) => {
      const profile = profileOfStacks(stacks);
      const analysis = analysisOf(profile, 'stacks');
      const event = profile.events[0];
      const tree = openTree(analysis.costing.tree(inverted), inverted, event);
      const ways = new Map<string, number>();
      for (const s of stacks) {
        const f = framesOf(s);
        // Code without names that calls more of it is one node.
        const way = (inverted ? f : [...f].reverse()).filter((name, k, all) => !name.startsWith('0x...') || name !== all[k - 1]);
        for (let k = 1; k <= way.length; k++) {
          const key = way.slice(0, k).join('/');
          ways.set(key, (ways.get(key) ?? 0) + s.count);
        }
      }
      const mine = new Map<string, number>();
      const walk = [...tree.roots].map((id) => ({ id, above: '' }));
      let self = 0;
      while (walk.length > 0) {
        const { id, above } = walk.pop()!;
        const node = tree.nodes[id];
        const way = above + routineName(profile, node.routine);
        mine.set(way, nodeValue(event, node));
        self += nodeSelf(event, node);
        assert.equal(node.estimated || node.selfEstimated, false);
        for (const child of childrenOf(tree, id, event)) walk.push({ id: child, above: `${way}/` });
      }
      assert.deepEqual(mine, ways);
      if (!inverted) assert.equal(self, analysis.totals.total[0][0]);
    }),
    { numRuns: 150 },
  );
});

test('at every granularity no sample is lost, and every invariant holds', () => {
  fc.assert(
    fc.property(
      stacksOf,
      fc.constantFrom(...GRANULARITY_NAMES),
      fc.constantFrom('object' as const, 'address' as const),
      (stacks, grain, unknowns) => {
        const profile = profileOfStacks(stacks);
        const other = regroup(profile, { name: grain, unknowns });
        assert.deepEqual(checkProfile(other), []);
        const { totals } = analysisOf(other, 'stacks');
        assert.equal(
          totals.total[0][0],
          stacks.reduce((n, s) => n + s.count, 0),
        );
        assert.equal(
          Array.from(totals.self[0]).reduce((a, b) => a + b, 0),
          totals.total[0][0],
        );
        const names = Array.from(other.routines.name, (_, r) => routineName(other, r));
        if (grain === 'object') assert.deepEqual(names, ['/bin/test']);
        if (grain === 'address') assert.equal(names.length, new Set(stacks.flatMap((s) => s.places)).size);
        if (grain === 'line') for (const n of names) assert.match(n, /^(f\d \S*:\d|0x\S+ \[test\])$/);
        if (grain === 'routine' && unknowns === 'address') assert.ok(!names.includes('0x... [test]'));
      },
    ),
    { numRuns: 150 },
  );
});

test('samples by line: those of the line, and those that have it in their stack', () => {
  // f1 at line 1, called by f0 at line 4, called by f0 at line 8 (recursion), called by f0 at line 4 again.
  const profile = profileOfStacks([{ count: 5, part: 0, places: [1, 4, 8, 4] }]);
  const analysis = analysisOf(profile, 'stacks');
  const file = Array.from(profile.files.name.keys()).find((f) => annotateFile(analysis, f).line.includes(4))!;
  const lines = annotateFile(analysis, file);
  assert.deepEqual(Array.from(lines.line), [4, 8]);
  assert.deepEqual(Array.from(lines.self[0]), [0, 0]);
  assert.deepEqual(Array.from(lines.inclusive[0]), [5, 5]);
});

test("the profiler's own signal handler is left out and counted", async () => {
  const sink = new Sink();
  const { samples, periods } = sink.writerFor(AddressStackWriter);
  periods.push(1e6);
  samples.mappings.push([]);
  sink.addPart({
    path: 'x',
    events: ['samples'],
  });
  const names = ['work()', 'ProfileHandler::SignalHandler(int, siginfo_t*, void*)', '__restore_rt', 'main'];
  const ids = Uint32Array.from(names, (_, i) => samples.addressId(0, 0, 100 + i));
  names.forEach((name, i) => {
    samples.names[i] = [{ name, file: null, line: 0 }];
  });
  samples.stacks.add(0, ids, 4, 3);
  samples.hidden = { names: /^ProfileHandler::|^__restore_rt$/ };
  const profile = profileOf(sink.finish('test'), 'stacks');
  const { stacks, frames } = profile;
  assert.deepEqual(
    Array.from(stacks.frame, (f) => routineName(profile, frames.routine[f])),
    ['work()', 'main'],
  );
  assert.match(profile.notes!.join(), /2 frames of the profiler's own signal handler left out, in \d+ samples?/);
});

test('several profiles of a run are merged and told apart; time keeps the rate of each', async () => {
  const folder = join(FIXTURES, 'gperftools');
  const symbols = { binaries: [], dirs: [], maps: [['/', '/nowhere/'] as const] };
  const paths = ['freq100.prof.gz', 'freq1000.prof.gz'].map((n) => join(folder, n));
  const both = await loadProfile(paths, { symbols });
  assert.deepEqual(checkProfile(both), []);
  const time = both.events.find((e) => e.name === 'time')!;
  const total = (p: Profile, off: number[], column: number) => analysisOf(p, 'stacks', new Set(off)).totals.total[column][0];
  const [a, b] = await Promise.all(paths.map((p) => loadProfile([p], { symbols })));
  assert.equal(total(both, [1], 0), total(a, [], 0));
  assert.equal(total(both, [0], 0), total(b, [], 0));
  assert.equal(total(both, [1], time.terms[0][1]), total(a, [], 0) * 10_000_000);
  assert.equal(total(both, [0], time.terms[0][1]), total(b, [], 0) * 1_000_000);
});

test('stacks of names alone are as good as stacks of addresses', () => {
  const sink = new Sink();
  const writer = sink.writerFor(NamedStackWriter);
  writer.periods.push(0);
  sink.paths.push('folded.txt');
  sink.addPart({
    path: 'folded.txt',
    events: ['samples'],
  });
  // As Brendan Gregg's stackcollapse writes them: outermost first.
  const folded: [string, number][] = [
    ['main;parse;read', 5],
    ['main;parse;parse;read', 3],
    ['main;draw', 2],
    ['main', 1],
    ['main;draw', 4],
  ];
  for (const [stack, count] of folded)
    writer.add(
      0,
      stack
        .split(';')
        .map((name) => writer.frame(name))
        .reverse(),
      count,
    );
  const analysis = analysisOf(sink.finish('folded'), 'stacks');
  const { profile, totals } = analysis;
  assert.deepEqual(checkProfile(profile), []);
  assert.deepEqual(
    profile.events.map((e) => e.name),
    ['samples'],
  );
  const of = (costs: readonly Float64Array[]) =>
    Object.fromEntries(Array.from(profile.routines.name.keys(), (r) => [routineName(profile, r), costs[0][r]]));
  assert.deepEqual(of(totals.self), { main: 1, parse: 0, read: 8, draw: 6 });
  assert.deepEqual(of(totals.inclusive), { main: 15, parse: 8, read: 8, draw: 6 });
  assert.equal(profile.stacks.part.length, 4, 'equal stacks are one');
  // No addresses, no lines: no views of them.
  assert.deepEqual([...analysis.costing.can].sort(), ['calls', 'inclusive', 'routines', 'samples', 'self', 'stacks', 'trees']);
  const [event] = profile.events;
  const tree = openTree(analysis.costing.tree(false), false, event);
  const [main] = tree.roots;
  assert.equal(nodeValue(event, tree.nodes[main]), 15);
  assert.deepEqual(
    childrenOf(tree, main, event).map((id) => {
      const node = tree.nodes[id];
      return [routineName(profile, node.routine), nodeValue(event, node), nodeSelf(event, node)];
    }),
    [
      ['parse', 8, 0],
      ['draw', 6, 6],
    ],
  );
  // By line, the same profile has names still: no frame says a line.
  for (const grain of GRANULARITY_NAMES)
    assert.deepEqual(checkProfile(regroup(profile, { name: grain, unknowns: 'object' })), [], grain);
});
