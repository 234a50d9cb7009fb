// One program recorded with different --separate-recs: nothing has changed, whatever the levels are called.
import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from '../../../src/analysis/answers/analyse.ts';
import { eventInMeasure } from '../../../src/analysis/answers/compared/measure.ts';
import { routineName } from '../../../src/analysis/names/names.ts';
import { compareProfiles } from '../../../src/analysis/profiles/compare/compare.ts';
import { callgrind } from '../../../src/formats/callgrind/index.ts';
import { eventValue } from '../../../src/model/head.ts';
import { loadText } from '../../support/load.ts';
import { random as makeRandom } from '../../support/random.ts';
import { PLAINLY } from '../../support/versus.ts';

interface Call {
  readonly fn: string;
  readonly self: number;
  readonly calls: readonly Call[];
}

function makeCall(fn: string, depth: number, random: () => number): Call {
  const count = depth > 7 ? 0 : Math.floor(random() * 3);
  const calls = Array.from({ length: count }, () => makeCall(random() < 0.5 ? 'f' : 'g', depth + 1, random));
  return { fn, self: 1 + Math.floor(random() * 100), calls };
}

/** The file that Callgrind writes for these calls with so many levels and callers, and the inclusive cost of each function, counted once. */
function record(root: Call, levels: number, callers = 0) {
  const self = new Map<string, number>();
  const edges = new Map<string, [count: number, cost: number]>();
  const inclusive = new Map<string, number>();
  const visit = (call: Call, stack: readonly string[]): [name: string, cost: number] => {
    const level = Math.min(levels, 1 + stack.filter((fn) => fn === call.fn).length);
    const nearest = callers > 0 ? stack.slice(-callers).reverse() : [];
    const name = [level > 1 ? `${call.fn}'${level}` : call.fn, ...nearest].join("'");
    self.set(name, (self.get(name) ?? 0) + call.self);
    let cost = call.self;
    for (const inner of call.calls) {
      const [callee, spent] = visit(inner, [...stack, call.fn]);
      const [count, sum] = edges.get(`${name} ${callee}`) ?? [0, 0];
      edges.set(`${name} ${callee}`, [count + 1, sum + spent]);
      cost += spent;
    }
    if (!stack.includes(call.fn)) inclusive.set(call.fn, (inclusive.get(call.fn) ?? 0) + cost);
    return [name, cost];
  };
  visit(root, []);
  const bodies = [...self].map(([name, cost]) => {
    const own = [...edges].filter(([edge]) => edge.split(' ')[0] === name);
    return `fn=${name}\n1 ${cost}\n${own.map(([edge, [count, spent]]) => `cfn=${edge.split(' ')[1]}\ncalls=${count} 1\n2 ${spent}\n`).join('')}`;
  });
  return { text: `events: Ir\nfl=a.c\n${bodies.join('\n')}`, inclusive };
}

test('runs with different levels of recursion are compared by function', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const root: Call = {
      fn: 'main',
      self: 10,
      calls: [makeCall('f', 1, makeRandom(seed)), makeCall('g', 1, makeRandom(seed + 1000))],
    };
    const [one, other] = [2 + (seed % 3), 3 + (seed % 4) * 2];
    const [a, b] = [record(root, one), record(root, other)];
    const now = await loadText(callgrind, b.text);
    const compared = compareProfiles(now, await loadText(callgrind, a.text), PLAINLY);
    const analysis = analyse(compared, compared.events);
    const [event] = analysis.events;
    for (let r = 0; r < compared.routines.name.length; r++) {
      const value = (measure: 'now' | 'before', of: readonly ArrayLike<number>[]) =>
        eventValue(eventInMeasure(analysis, event, measure), of, r);
      const { self, inclusive } = analysis.totals;
      const what = `seed ${seed}, levels ${one} and ${other}, ${routineName(compared, r)}`;
      assert.equal(value('now', self), value('before', self), what);
      assert.ok(Math.abs(value('now', inclusive) - value('before', inclusive)) < 1e-6 * value('now', inclusive), what);
    }
    // Without deep recursion, both options give the same file, and the same levels.
    const highest = (text: string) => Math.max(1, ...Array.from(text.matchAll(/'(\d)/g), ([, level]) => Number(level)));
    const levelled = highest(a.text) !== highest(b.text);
    assert.equal(compared.notes?.some((note) => /levels are merged/.test(note)) ?? false, levelled, `seed ${seed}`);
    if (levelled)
      assert.deepEqual(
        [...compared.routines.name.keys()].map((r) => routineName(compared, r)).sort(),
        [...b.inclusive.keys()].sort(),
      );
  }
});

test('runs with other callers in their names are compared by function', async () => {
  let merged = 0;
  for (let seed = 0; seed < 20; seed++) {
    const root: Call = {
      fn: 'main',
      self: 10,
      calls: [makeCall('f', 1, makeRandom(seed)), makeCall('g', 1, makeRandom(seed + 7))],
    };
    const [before, now] = [record(root, 2, seed % 3), record(root, 2, 3)];
    const compared = compareProfiles(await loadText(callgrind, now.text), await loadText(callgrind, before.text), PLAINLY);
    const analysis = analyse(compared, compared.events);
    const names = [...compared.routines.name.keys()].map((r) => routineName(compared, r));
    if (!compared.notes?.some((note) => /callers in names are merged/.test(note))) continue;
    merged++;
    assert.deepEqual(names.sort(), [...now.inclusive.keys()].sort(), `seed ${seed}`);
    const [event] = analysis.events;
    for (const measure of ['now', 'before'] as const)
      for (let r = 0; r < compared.routines.name.length; r++) {
        const inclusive = eventValue(eventInMeasure(analysis, event, measure), analysis.totals.inclusive, r);
        const is = now.inclusive.get(routineName(compared, r)) ?? 0;
        // Shares of a recursion are estimates.
        if (!analysis.totals.estimated?.inclusive[r]) assert.equal(inclusive, is, `seed ${seed}, ${measure}`);
        const self = eventInMeasure(analysis, event, 'delta');
        assert.equal(eventValue(self, analysis.totals.self, r), 0, `seed ${seed}`);
      }
  }
  assert.ok(merged > 10, `${merged} of 20`);
});

test('runs with the same levels keep them', async () => {
  const text = "events: Ir\nfl=a.c\nfn=f\n1 5\ncfn=f'2\ncalls=1 1\n2 7\nfn=f'2\n1 7\n";
  const compared = compareProfiles(await loadText(callgrind, text), await loadText(callgrind, text), PLAINLY);
  assert.deepEqual(
    [...compared.routines.name.keys()].map((r) => routineName(compared, r)),
    ['f', "f'2"],
  );
});
