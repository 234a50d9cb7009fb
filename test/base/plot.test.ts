// Ticks of an axis.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { plotCells, roundTicks } from '../../src/base/plot.ts';
import { columnFormat } from '../../src/base/units.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test('ticks end for every range, and lie within it', () => {
  const near = (n: number) => fc.integer({ min: -4096, max: 4096 }).map((by) => n + by);
  const number = fc.oneof(
    finite,
    near(2 ** 53),
    near(2 ** 60),
    near(-(2 ** 53)),
    near(0),
    fc.constantFrom(5e-324, 1e308, -1e308, 0),
  );
  fc.assert(
    fc.property(number, number, fc.boolean(), fc.integer({ min: 0, max: 40 }), (a, b, log, most) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const found = roundTicks([from, to], log, most);
      assert.ok(found.length <= 2 * most + 2, `${found.length} ticks`);
      const slack = (to - from) * 1e-6 + Math.abs(to) * 1e-9;
      for (const t of found)
        assert.ok(!Number.isFinite(slack) || (t >= from - slack && t <= to + slack), `${t} of ${from} .. ${to}`);
    }),
    { numRuns: 5000 },
  );
});

test('ticks are round', () => {
  assert.deepEqual(roundTicks([0, 10], false, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(roundTicks([1, 1000], true, 5), [1, 10, 100, 1000]);
  assert.deepEqual(roundTicks([0, 10], true, 5), [0]);
});

test('ticks of a plot are as many cells apart, and what is at one is in its row and column', () => {
  for (const most of [7, 19_712, 241, 0.37, 1.2e9])
    for (const [width, height] of [
      [80, 24],
      [40, 8],
      [133, 41],
    ]) {
      const to: [number, number] = [0, most];
      const axes = { x: to, y: to, xLog: false, yLog: false };
      const at = { name: 'a', x: [0, most], y: [0, most], mark: '*', dots: false };
      const plot = plotCells([at], axes, width, height);
      const rows = plot.labels.flatMap((label, row) => (label === undefined ? [] : [row]));
      const columns = [...plot.axis.slice(plot.gutter + 1)].flatMap((cell, k) => (cell === '┬' ? [k] : []));
      for (const places of [rows, columns]) {
        assert.ok(places.length > 1, `${most} at ${width} by ${height}`);
        assert.equal(new Set(places.slice(1).map((place, k) => place - places[k])).size, 1, places.join(' '));
      }
      assert.equal(Number.parseFloat(plot.labels[plot.rows - 1] ?? ''), 0, 'the axis begins at 0');
      assert.equal(plot.glyphs[(plot.rows - 1) * plot.columns], '*', '0 is in the corner');
      assert.ok(plot.axes.y[1] >= most && plot.axes.x[1] >= most);
      // A point at each tick of y lies in the tick's row.
      const step = (plot.axes.y[1] * (rows[1] - rows[0])) / plot.rows;
      const ys = rows.map((_, k) => k * step).filter((y) => y <= most);
      const zeros = ys.map(() => 0);
      const points = plotCells([{ ...at, x: [...zeros, most], y: [...ys, most] }], axes, width, height);
      for (let k = 0; k < ys.length; k++)
        assert.equal(points.glyphs[(points.rows - 1 - k * (rows[1] - rows[0])) * points.columns], '*');
    }
});

test('values of a column have one unit and as many decimals', () => {
  const texts = (values: number[], cells: number) => values.map(columnFormat(values, cells));
  assert.deepEqual(texts([0, 5000, 10_000, 15_000], 8), ['0', '5,000', '10,000', '15,000']);
  assert.deepEqual(texts([0, 500_000, 1_500_000], 6), ['0.0M', '0.5M', '1.5M']);
  assert.deepEqual(texts([1234, 1.5], 9), ['1,234.0', '1.5']);
  assert.deepEqual(texts([12_345_678.25, 2], 10), ['12,345,678', '2']);
  assert.deepEqual(texts([0.0012, 0.5], 8), ['0.001', '0.500']);
  assert.deepEqual(texts([0.001, 0.002], 8), ['0.001', '0.002']);
  assert.deepEqual(texts([-3, Number.NaN], 4), ['-3', '?']);
});
