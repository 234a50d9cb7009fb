// Ticks of an axis.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { ticks } from '../../src/base/plot.ts';

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
      const found = ticks([from, to], log, most);
      assert.ok(found.length <= 2 * most + 2, `${found.length} ticks`);
      const slack = (to - from) * 1e-6 + Math.abs(to) * 1e-9;
      for (const t of found)
        assert.ok(!Number.isFinite(slack) || (t >= from - slack && t <= to + slack), `${t} of ${from} .. ${to}`);
    }),
    { numRuns: 5000 },
  );
});

test('ticks are round', () => {
  assert.deepEqual(ticks([0, 10], false, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks([1, 1000], true, 5), [1, 10, 100, 1000]);
  assert.deepEqual(ticks([0, 10], true, 5), [0]);
});
