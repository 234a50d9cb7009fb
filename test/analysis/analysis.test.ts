// Analyses against brute force on small random profiles, and against the loaded fixtures.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { analyse } from '../../src/analysis/answers/analyse.ts';
import { annotateRoutine } from '../../src/analysis/answers/annotate.ts';
import { deriveEvent, withStandardEvents } from '../../src/analysis/answers/events.ts';
import { orderByNumber } from '../../src/analysis/answers/order.ts';
import { childrenOf, nodeSelf, nodeValue, openTree } from '../../src/analysis/answers/tree.ts';
import { findRoutines, routineName } from '../../src/analysis/names/names.ts';
import { FormatError } from '../../src/base/problem.ts';
import { callgrind } from '../../src/formats/callgrind/index.ts';
import { checkProfile } from '../../src/model/check.ts';
import { parseFormula } from '../../src/model/formula.ts';
import { eventValue } from '../../src/model/head.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { loadAnalysis, loadText } from '../support/load.ts';
import { long } from '../support/long.ts';

const analysisOf = async (text: string) => {
  const profile = await loadText(callgrind, text);
  assert.deepEqual(checkProfile(profile), []);
  return analyse(profile, withStandardEvents(profile.events));
};

/** Random profiles: functions with self costs, and calls between any of them. */
const graph = fc.record({
  selfs: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }),
  calls: fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.nat(5), fc.nat(1000)), { maxLength: 20 }),
});

function text(g: { selfs: number[]; calls: [number, number, number, number][] }): string {
  const n = g.selfs.length;
  const body = g.selfs.map((self, f) => {
    const calls = g.calls
      .filter(([from]) => from % n === f)
      .map(([, to, count, cost]) => `cfn=f${to % n}\ncalls=${count} 1\n${f + 10} ${cost}`);
    return [`fn=f${f}`, `${f + 1} ${self}`, ...calls].join('\n');
  });
  return `events: Ir\nfl=a.c\n${body.join('\n')}\n`;
}

/** Whether no call was counted, or each edge as often as it costs. */
function isOfSamples(calls: readonly [number, number, number, number][], n: number): boolean {
  const edges = new Map<string, [count: number, cost: number]>();
  for (const [from, to, count, cost] of calls) {
    const [counts, costs] = edges.get(`${from % n} ${to % n}`) ?? [0, 0];
    edges.set(`${from % n} ${to % n}`, [counts + count, costs + cost]);
  }
  const all = [...edges.values()];
  return all.every(([count]) => count === 0) || all.every(([count, cost]) => count === cost);
}

long('sums of self are the total, inclusive is never less than self, cycles are the strongly connected routines', async () => {
  await fc.assert(
    fc.asyncProperty(graph, async (g) => {
      const a = await analysisOf(text(g));
      const n = g.selfs.length;
      const id = new Map(Array.from(a.profile.routines.name, (_, r) => [routineName(a.profile, r), r]));
      const unrecorded = a.totals.unrecorded?.[0] ?? new Float64Array(n);
      const selfs = g.selfs.reduce((x, y) => x + y, 0);
      const close = (x: number, y: number, what: string) =>
        assert.ok(Math.abs(x - y) <= 1e-9 * Math.max(1, y), `${what}: ${x}, ${y}`);
      close(
        a.totals.total[0][0],
        unrecorded.reduce((x, y) => x + y, selfs),
        'total',
      );
      const reach = Array.from({ length: n }, () => new Set<number>());
      for (let round = 0; round < n; round++) {
        for (const [from, to] of g.calls) {
          reach[from % n].add(to % n);
          for (const r of reach[to % n]) reach[from % n].add(r);
        }
      }
      const together = (x: number, y: number) => x === y || (reach[x].has(y) && reach[y].has(x));
      for (let f = 0; f < n; f++) {
        const r = id.get(`f${f}`)!;
        assert.equal(a.totals.self[0][r], g.selfs[f]);
        let inclusive = g.selfs[f];
        for (const [from, to, , cost] of g.calls) if (from % n === f && !together(f, to % n)) inclusive += cost;
        const found = a.totals.inclusive[0][r];
        // Members of a cycle have what arrives in them for the first time (recursion.test.ts).
        const whole = a.totals.total[0][0];
        if (a.totals.cycles.of[r] === 0) {
          // What calls cost beyond the body stays inside, unless calls were made of samples: none counted, or each as what it costs.
          const others = g.calls.filter(([from, to]) => from % n !== to % n);
          const sampled = g.calls.length > 0 && isOfSamples(g.calls, n);
          const paid = others.reduce((sum, [, to, , cost]) => sum + (to % n === f ? cost : 0), 0);
          assert.equal(unrecorded[r], sampled ? 0 : Math.max(0, paid - inclusive), `unrecorded in f${f}`);
          inclusive += unrecorded[r];
          assert.equal(found, whole > 0 && inclusive > whole * 1.001 ? whole : inclusive, `inclusive of f${f}`);
        } else
          assert.ok(found >= g.selfs[f] * (1 - 1e-9) && found <= a.totals.total[0][0] * 1.002, `inclusive of f${f}: ${found}`);
        for (let h = 0; h < n; h++) {
          if (h === f) continue;
          const c = a.totals.cycles.of[r];
          assert.equal(c > 0 && c === a.totals.cycles.of[id.get(`f${h}`)!], together(f, h), `f${f} and f${h} in one cycle`);
        }
        assert.equal(
          a.totals.calls[r],
          g.calls.reduce((sum, [, to, count]) => sum + (to % n === f ? count : 0), 0),
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('children of a tree node never cost more than it, and end where a routine comes again', async () => {
  await fc.assert(
    fc.asyncProperty(graph, fc.boolean(), async (g, inverted) => {
      const a = await analysisOf(text(g));
      const event = a.events[0];
      const tree = openTree(a.costing.tree(inverted), inverted, event);
      const queue = [...tree.roots];
      for (let k = 0; k < queue.length && k < 300; k++) {
        const node = tree.nodes[queue[k]];
        const children = childrenOf(tree, node.id, event);
        const sum = children.reduce((s, c) => s + nodeValue(event, tree.nodes[c]), 0) + (inverted ? 0 : nodeSelf(event, node));
        // The roots of a cycle count what leaves it only; what their children have is a share of that.
        if (!node.recursive) assert.ok(sum <= nodeValue(event, node) * (1 + 1e-9) + 1e-6, `${sum} > ${nodeValue(event, node)}`);
        for (const c of children) assert.equal(tree.nodes[c].parent, node.id);
        queue.push(...children);
      }
    }),
  );
});

test('a chain of calls gives exact costs in the tree, a shared callee an estimate', async () => {
  const a = await analysisOf(
    'events: Ir\nfl=a.c\nfn=main\n1 1\ncfn=left\ncalls=1 1\n2 30\ncfn=right\ncalls=1 1\n3 70\nfn=left\n4 10\ncfn=leaf\ncalls=2 1\n5 20\nfn=right\n6 10\ncfn=leaf\ncalls=6 1\n7 60\nfn=leaf\n8 70\ncfn=end\ncalls=1 1\n9 10\nfn=end\n10 10\n',
  );
  const event = a.events[0];
  const tree = openTree(a.costing.tree(false), false, event);
  const [main] = tree.roots;
  assert.equal(tree.nodes[main].estimated, false);
  const right = tree.nodes[childrenOf(tree, main, event)[0]];
  assert.deepEqual(
    [routineName(a.profile, right.routine), nodeValue(event, right), right.estimated, right.calls],
    ['right', 70, false, 1],
  );
  const leaf = tree.nodes[childrenOf(tree, right.id, event)[0]];
  assert.deepEqual([nodeValue(event, leaf), leaf.estimated, leaf.selfEstimated], [60, false, true]);
  const end = tree.nodes[childrenOf(tree, leaf.id, event)[0]];
  assert.equal(end.estimated, true);
  assert.equal(nodeValue(event, end), (60 * 10) / 80);
});

test('a call chain of 100,000 routines is no problem', async () => {
  const depth = 100_000;
  const parts = ['events: Ir\nfl=a.c'];
  for (let i = 0; i < depth; i++)
    parts.push(`fn=(${i}) f${i}\n1 1${i + 1 < depth ? `\ncfn=(${i + 1}) f${i + 1}\ncalls=1 1\n1 ${depth - i - 1}` : ''}`);
  const a = await analysisOf(parts.join('\n') + '\n');
  assert.equal(a.totals.inclusive[0][0], depth);
  const event = a.events[0];
  const tree = openTree(a.costing.tree(false), false, event);
  let node = tree.roots[0];
  for (let i = 0; i < 1500; i++) node = childrenOf(tree, node, event)[0];
  assert.equal(nodeValue(event, tree.nodes[node]), depth - 1500);
  assert.equal(tree.nodes[node].estimated, false);
});

test('parts that are switched off leave every sum', async () => {
  const folder = join(FIXTURES, 'callgrind');
  const paths = ['threads.callgrind.out-01', 'threads.callgrind.out-02', 'threads.callgrind.out-03'].map((p) => join(folder, p));
  const all = await loadAnalysis(...paths);
  const alone = await loadAnalysis(paths[1]);
  const only = analyse(all.profile, all.events, new Set([0, 2]));
  assert.equal(only.totals.total[0][0], alone.totals.total[0][0]);
  for (let r = 0; r < alone.profile.routines.name.length; r++) {
    const [twin] = findRoutines(all.profile, routineName(alone.profile, r)).filter(
      (t) => only.totals.self[0][t] === alone.totals.self[0][r],
    );
    assert.ok(twin !== undefined, routineName(alone.profile, r));
    assert.equal(only.totals.inclusive[0][twin], alone.totals.inclusive[0][r]);
  }
});

test('standard and own events', async () => {
  const a = await loadAnalysis(join(FIXTURES, 'callgrind/cache-branch.callgrind.out.gz'));
  const total = (name: string) => eventValue(a.events.find((e) => e.name === name)!, a.totals.total, 0);
  assert.equal(total('L1m'), total('I1mr') + total('D1mr') + total('D1mw'));
  assert.equal(total('LLm'), total('ILmr') + total('DLmr') + total('DLmw'));
  assert.equal(total('Bm'), total('Bim') + total('Bcm'));
  assert.equal(total('CEst'), total('Ir') + 10 * total('Bm') + 10 * total('L1m') + 100 * total('LLm'));
  const cpi = deriveEvent('CPI = CEst / Ir', a.events);
  assert.equal(eventValue(cpi, a.totals.total, 0), total('CEst') / total('Ir'));
  assert.equal(
    eventValue(deriveEvent('X=2 Ir + 0.5*Dr - Dw', a.events), a.totals.total, 0),
    2 * total('Ir') + 0.5 * total('Dr') - total('Dw'),
  );
  const value = (formula: string) => eventValue(deriveEvent(formula, a.events), a.totals.total, 0);
  assert.equal(value('MPKI = 1000 L1m / Ir'), (1000 * total('L1m')) / total('Ir'));
  assert.equal(value('M = 1000*L1m/Ir'), (1000 * total('L1m')) / total('Ir'));
  assert.equal(value('M = (L1m + 10 LLm) / (Dr + Dw)'), (total('L1m') + 10 * total('LLm')) / (total('Dr') + total('Dw')));
  assert.equal(value('K = Ir / 1000'), total('Ir') / 1000);
  const dashed = [{ name: 'cpu-clock', unit: 'count', terms: [[1, 0]] }] as const;
  assert.equal(eventValue(deriveEvent('T=cpu-clock/4', dashed), [[8]], 0), 2);
  assert.ok(Number.isNaN(value('N = Ir / (Dr - Dr)')), 'a ratio by zero is unknown');
  for (const [formula, why] of [
    ['A = Ir + Dr / Dw', /sums in brackets/],
    ['A = Ir / Dr / Dw', /at most one/],
    ['A = A + Ir', /A depends on itself/],
  ] as const)
    assert.throws(
      () => deriveEvent(formula, a.events),
      (e: unknown) => e instanceof FormatError && why.test(e.message),
    );
  assert.equal(a.events.find((e) => e.name === 'D1mr')?.longName, 'first-level cache misses of data reads');
  assert.throws(
    () => deriveEvent('Y=Nope + Ir', a.events),
    (e: unknown) => e instanceof FormatError && /Nope is not recorded/.test(e.message),
  );
  assert.throws(() => deriveEvent('Ir=Dr', a.events), FormatError);
  assert.throws(() => deriveEvent('no formula', a.events), FormatError);
});

test('formulas', () => {
  assert.deepEqual(parseFormula('Ir + 10 L1m + 100*LLm'), [
    [1, 'Ir'],
    [10, 'L1m'],
    [100, 'LLm'],
  ]);
  assert.deepEqual(parseFormula('2Ir'), [[2, 'Ir']]);
  assert.deepEqual(parseFormula('0x10 Ir'), [[16, 'Ir']]);
  assert.deepEqual(parseFormula('Ir - Dr'), [
    [1, 'Ir'],
    [-1, 'Dr'],
  ]);
  assert.equal(parseFormula(''), undefined);
});

test('orders by number are those of a stable sort', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -5, max: 5 }))),
      fc.boolean(),
      (values, descending) => {
        const expected = values
          .map((_, i) => i)
          .sort((a, b) => (descending ? values[b] - values[a] : values[a] - values[b]) || a - b);
        const finite = values.every(Number.isFinite);
        if (finite) assert.deepEqual([...orderByNumber(values, descending)], expected);
      },
    ),
  );
});

test('lines of a routine with their calls add up to the routine', async () => {
  const a = await loadAnalysis(join(FIXTURES, 'callgrind/default.callgrind.out'));
  for (const name of ['demo::run_calc(int)', 'do_lookup_x', 'main']) {
    const [r] = findRoutines(a.profile, name);
    const files = annotateRoutine(a, r);
    const sum = (key: 'self' | 'inclusive') => files.reduce((n, f) => n + f[key][0].reduce((x, y) => x + y, 0), 0);
    assert.equal(sum('self'), a.totals.self[0][r]);
    assert.equal(sum('inclusive'), a.totals.inclusive[0][r]);
  }
});

test('a name finds its routines', async () => {
  const a = await loadAnalysis(join(FIXTURES, 'callgrind/default.callgrind.out'));
  const names = (wanted: string) => findRoutines(a.profile, wanted).map((r) => routineName(a.profile, r));
  assert.deepEqual(names('main'), ['main']);
  assert.deepEqual(names('mix'), ['mix(int)', 'mix(int)']);
  assert.ok(names('parse_').length > 3);
  assert.deepEqual(names('no such routine'), []);
});
