// gprof: what is not marked as an estimate is what the stacks of generated programs cost.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { routineName } from '../../src/analysis/names/names.ts';
import { gprof } from '../../src/formats/gprof/index.ts';
import { FIXTURES, readMaybeGz } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { loadBytes, loadText } from '../support/load.ts';

const ROUTINES = 7;

/** A stack without recursion: routines in rising order, from main; its time in hundredths of seconds and its calls. */
const stack = fc.record({
  frames: fc.subarray([1, 2, 3, 4, 5, 6], { minLength: 1 }).map((rest) => [0, ...rest]),
  time: fc.integer({ min: 1, max: 90 }),
  calls: fc.integer({ min: 1, max: 20 }),
});

interface Call {
  count: number;
  truth: number;
  share: number;
}

/** The text of gprof for stacks, with times shared out as gprof does, and the true times of routines and calls. */
function gprofOf(stacks: readonly { frames: readonly number[]; time: number; calls: number }[]) {
  const self = new Float64Array(ROUTINES);
  const truth = new Float64Array(ROUTINES);
  const calls = new Map<string, Call>();
  for (const { frames, time, calls: count } of stacks) {
    self[frames[frames.length - 1]] += time;
    for (const [k, r] of frames.entries()) {
      truth[r] += time;
      if (k === 0) continue;
      const key = `${frames[k - 1]} ${r}`;
      const call = calls.get(key) ?? { count: 0, truth: 0, share: 0 };
      calls.set(key, { ...call, count: call.count + count, truth: call.truth + time });
    }
  }
  const total = self.slice();
  const callsTo = (r: number) => [...calls].filter(([key]) => Number(key.split(' ')[1]) === r);
  for (let r = ROUTINES - 1; r > 0; r--) {
    const all = callsTo(r).reduce((sum, [, { count }]) => sum + count, 0);
    for (const [key, call] of callsTo(r)) {
      call.share = (total[r] * call.count) / all;
      total[Number(key.split(' ')[0])] += call.share;
    }
  }
  const row = (r: number, t: number, rest: number, called: string, indent: string) =>
    `${indent}${t.toFixed(2).padStart(8)} ${rest.toFixed(2).padStart(8)} ${called.padStart(12)} ${indent ? '    ' : ''}r${r} [${r + 1}]`;
  const entries = Array.from(self.keys(), (r) => {
    const below = [...calls].filter(([key]) => Number(key.split(' ')[0]) === r);
    const line = ([, { share, count }]: [string, Call], other: number) =>
      row(other, 0, share / 100, `${count}/${count}`, '             ');
    const above = callsTo(r).map((call) => line(call, Number(call[0].split(' ')[0])));
    const own = `[${r + 1}]${' '.repeat(5)}0.0 ${row(r, self[r] / 100, (total[r] - self[r]) / 100, '1', '')}`;
    return [...above, own, ...below.map((call) => line(call, Number(call[0].split(' ')[1])))].join('\n');
  });
  const head = 'index % time    self  children    called     name';
  return { text: `${head}\n${entries.join(`\n${'-'.repeat(47)}\n`)}\n${'-'.repeat(47)}\n`, truth, calls };
}

test('times without the mark of an estimate are those of the stacks', async () => {
  let [exact, estimated] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(stack, { minLength: 1, maxLength: 6 }), async (stacks) => {
      const { text, truth, calls } = gprofOf(stacks);
      const { totals, edges, profile } = analysisOf(await loadText(gprof, text), 'callgraph');
      const numberOf = (r: number) => Number(routineName(profile, r).slice(1));
      // Shares are rounded to hundredths once per call.
      const near = (us: number, hundredths: number) =>
        assert.ok(Math.abs(us / 1e4 - hundredths) <= 8, `${us} ${hundredths}\n${text}`);
      for (let r = 0; r < totals.inclusive[0].length; r++) {
        if (totals.estimated?.inclusive[r] === 1) continue;
        near(totals.inclusive[0][r], truth[numberOf(r)]);
      }
      for (let e = 0; e < edges.callee.length; e++) {
        const call = calls.get(`${numberOf(edges.caller[e])} ${numberOf(edges.callee[e])}`);
        if (edges.estimated?.[e] === 1) estimated++;
        else if (++exact) near(edges.costs[0][e], call?.truth ?? Number.NaN);
      }
    }),
    { numRuns: 150, seed: 1 },
  );
  assert.ok(exact > 100 && estimated > 100, `${exact} exact, ${estimated} estimated`);
});

test('a call is exact where its callee has no other caller, an estimate where it has', async () => {
  const { totals, edges, profile } = analysisOf(
    await loadBytes(gprof, readMaybeGz(join(FIXTURES, 'gprof', 'shapes.gprof.gz'))),
    'callgraph',
  );
  const calls = Array.from(edges.callee.keys(), (e) => {
    const name = (r: number) => routineName(profile, r).replace(/\(.*/, '');
    return `${name(edges.caller[e])} → ${name(edges.callee[e])} ${edges.estimated?.[e] === 1 ? '≈' : ''}${edges.costs[0][e] / 1e4}`;
  });
  // integrate() is called by three methods; arc() by integrate() only, total() by main() only.
  for (const wanted of [
    'shapes::integrate → shapes::arc 19',
    'main → total[abi:cxx11] 46',
    'shapes::Circle::area → shapes::integrate ≈20',
  ])
    assert.ok(calls.includes(wanted), `${wanted} is not in\n${calls.join('\n')}`);
  const main = Array.from(totals.calls.keys()).find((r) => routineName(profile, r) === 'main') ?? -1;
  assert.equal(totals.estimated?.inclusive[main], 0);
});

test('a share that is rounded to 0 is an estimate, and so is that of the other caller', async () => {
  const entry = (...lines: string[]) => `${lines.join('\n')}\n${'-'.repeat(47)}\n`;
  const text = [
    'index % time    self  children    called     name\n',
    entry(
      '[1]    100.0    0.00     1.00                 main [1]',
      '                0.00     1.00       1/1           often [2]',
      '                0.00     0.00       1/1           once [3]',
    ),
    entry(
      '                0.00     1.00       1/1           main [1]',
      '[2]    100.0    0.00     1.00       1         often [2]',
      '                1.00     0.00     999/1000        work [4]',
    ),
    entry(
      '                0.00     0.00       1/1           main [1]',
      '[3]      0.0    0.00     0.00       1         once [3]',
      '                0.00     0.00       1/1000        work [4]',
    ),
    entry(
      '                0.00     0.00       1/1000        once [3]',
      '                1.00     0.00     999/1000        often [2]',
      '[4]    100.0    1.00     0.00    1000         work [4]',
    ),
  ].join('');
  const { totals, edges, profile } = analysisOf(await loadText(gprof, text), 'callgraph');
  const marked = Array.from(edges.callee.keys()).filter((e) => edges.estimated?.[e] === 1);
  assert.deepEqual(
    marked.map((e) => `${routineName(profile, edges.caller[e])} ${routineName(profile, edges.callee[e])}`).sort(),
    ['main often', 'main once', 'often work', 'once work'],
  );
  const exact = Array.from(totals.calls.keys()).filter((r) => totals.estimated?.inclusive[r] === 0);
  assert.deepEqual(exact.map((r) => routineName(profile, r)).sort(), ['main', 'work']);
});
