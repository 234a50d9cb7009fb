// Fits against laws that are known, and the invariants of plots.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { curveOfRoutine } from '../../src/analysis/answers/inputs/points.ts';
import { GROWTH_CLASSES } from '../../src/analysis/growth/classes.ts';
import { fitCurve, lawText, robustFit, tenfoldGrowth } from '../../src/analysis/growth/fit.ts';
import { routineLaws } from '../../src/analysis/growth/laws.ts';
import { movingAverage, plottedCurve } from '../../src/analysis/growth/plots.ts';
import { predict } from '../../src/analysis/growth/predict.ts';
import { toAscii } from '../../src/base/ascii.ts';
import { parseConditions } from '../../src/base/conditions.ts';
import { axisRangeOf, plotCells, roundTicks } from '../../src/base/plot.ts';
import { testOfConditions } from '../../src/columns/conditions.ts';
import { lawTable } from '../../src/columns/growth/laws.ts';
import { loadProfile } from '../../src/io/load.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf } from '../support/kinds.ts';
import { contextOf } from '../support/reports.ts';

test('a cost that follows a class is found to, with its numbers', () => {
  for (const c of GROWTH_CLASSES) {
    const sizes = Array.from({ length: 40 }, (_, i) => 3 + i * 7);
    const costs = sizes.map((n) => 12 + 3.5 * c.of(n));
    const fit = fitCurve(sizes, costs)!;
    assert.equal(fit.best, c.name);
    const { a, b, r2 } = fit.fits[c.name]!;
    assert.ok(Math.abs(a - 12) < 1e-5 && Math.abs(b - 3.5) < 1e-9 && r2 > 1 - 1e-12, c.name);
    assert.ok(fit.runnerUp !== null && fit.margin! > 0);
    const p = predict(fit, sizes, costs, 1000)!;
    assert.ok(Math.abs(p.cost - (12 + 3.5 * c.of(1000))) <= 1e-6 * p.cost);
    assert.ok(p.low <= p.cost && p.cost <= p.high);
    assert.ok(Math.abs(tenfoldGrowth(fit, 276)! - (12 + 3.5 * c.of(2760)) / (12 + 3.5 * c.of(276))) < 1e-6);
  }
});

test('too few sizes have no law; equal costs are constant; falling costs are none', () => {
  assert.equal(fitCurve([1, 2, 3, 4], [1, 2, 3, 4]), undefined);
  assert.equal(fitCurve([1, 2, 3, 4, 5], [7, 7, 7, 7, 7])!.best, 'constant');
  assert.equal(lawText(fitCurve([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])), 'none');
  assert.equal(fitCurve([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])!.best, 'n');
  assert.equal(fitCurve([1, 2, 3, 4, 5], [Number.NaN, 2, 3, 4, 5]), undefined);
});

test('one first call that costs much misleads least squares, but neither the law nor the robust line', () => {
  const sizes = Array.from({ length: 30 }, (_, i) => 10 + i);
  const costs = sizes.map((n, i) => (i === 0 ? 50_000 : 100 + 20 * n));
  const fit = fitCurve(sizes, costs)!;
  assert.ok(fit.fits.n!.b < 0);
  assert.deepEqual([fit.best, fit.undecided, fit.outliers], ['n', false, 1]);
  assert.ok(Math.abs(fit.law!.b - 20) < 1e-3);
  const robust = robustFit(sizes, costs)!;
  assert.equal(robust.best, 'n');
  assert.ok(Math.abs(robust.b - 20) < 1e-9);
});

test('plots keep within their box, whatever the points, and put every finite point in it', () => {
  const number = fc.oneof(fc.double({ noNaN: false }), fc.integer({ min: 0, max: 1e6 }));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number, number), { maxLength: 60 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 8, max: 120 }),
      fc.integer({ min: 3, max: 40 }),
      (points, xLog, yLog, ascii, width, height) => {
        const x = points.map(([a]) => Math.min(1e15, Math.abs(a)));
        const y = points.map(([, b]) => Math.min(1e15, Math.abs(b)));
        const axes = { x: axisRangeOf([x], xLog), y: axisRangeOf([y], yLog), xLog, yLog };
        const cells = plotCells([{ x, y, mark: '*', dots: !ascii }], axes, width, height);
        assert.equal(cells.glyphs.length, cells.columns * cells.rows);
        assert.ok(cells.glyphs.every((g) => g.length === 1));
        const shown = points.filter(
          (_, i) => Number.isFinite(x[i]) && Number.isFinite(y[i]) && (!xLog || x[i] > 0) && (!yLog || y[i] > 0),
        );
        assert.equal(
          cells.series.some((s) => s >= 0),
          shown.length > 0,
        );
        if (ascii) assert.match(toAscii(cells.glyphs.join('') + cells.axis), /^[\x20-\x7e]*$/);
      },
    ),
    { numRuns: 300 },
  );
});

test('ticks are round and within the range', () => {
  assert.deepEqual(roundTicks([0, 252], false, 4), [0, 100, 200]);
  assert.deepEqual(roundTicks([3, 4000], true, 5), [10, 100, 1000]);
  assert.deepEqual(roundTicks([0, 1], false, 2), [0, 0.5, 1]);
  // Where doubles are further apart than the ticks.
  assert.ok(roundTicks([1.5e17, 1.5e17 + 64], false, 1000).length <= 1001);
});

test('buckets merge points, a moving average smooths them', async () => {
  const profile = await loadProfile([join(FIXTURES, 'aprof/sorts/sorts_29651_0_4.aprof.gz')]);
  const analysis = analysisOf(profile, 'inputs');
  const law = routineLaws(analysis).find((l) => l.sizes === 50 && l.calls === 150)!;
  const whole = curveOfRoutine(analysis, law.routine);
  const buckets = plottedCurve(analysis, law.routine, -1, 2);
  // Sizes 7 to 252 in cells of powers of two.
  assert.deepEqual(Array.from(buckets.size), [4, 8, 16, 32, 64, 128]);
  const sum = (a: Float64Array) => a.reduce((x, y) => x + y, 0);
  assert.equal(sum(buckets.calls!), sum(whole.calls!));
  assert.equal(sum(buckets.sum!), sum(whole.sum!));
  assert.equal(Math.max(...buckets.max!), Math.max(...whole.max!));
  assert.deepEqual(Array.from(movingAverage([1, 2, 9, Number.NaN], 1)), [1.5, 4, 5.5, 9]);
});

test('conditions on laws', async () => {
  const profile = await loadProfile([join(FIXTURES, 'aprof/sorts/sorts_29651_0_4.aprof.gz')]);
  const analysis = analysisOf(profile, 'inputs');
  const laws = routineLaws(analysis);
  const c = { ...contextOf(profile), analysis };
  const count = (text: string) => {
    const conditions = parseConditions(text);
    assert.ok(conditions, text);
    return laws.filter(testOfConditions(conditions, lawTable.columns(c), c, () => [])).length;
  };
  assert.equal(count('sizes>=5'), 18);
  assert.equal(count('sizes>=0'), laws.length);
  assert.ok(count('law=n2 r2>0.99') >= 2);
  assert.ok(count('inclusive>50% calls=1') >= 4);
  assert.equal(count('object=nowhere'), 0);
  assert.throws(() => count('size>5'), /size>5: no such column; there are .*did you mean sizes\?$/);
});
