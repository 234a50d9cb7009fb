// Ranges of time as text.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseTimeRange, timeRangeText } from '../../../src/analysis/profiles/transforms/time-range.ts';
import { parseTransform, transformText } from '../../../src/analysis/profiles/transforms/transform.ts';
import { ChoiceError } from '../../../src/base/errors.ts';

const OPEN = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

test('every unit, and ends that are left out', () => {
  const cases: [text: string, fromUs: number, toUs: number][] = [
    ['1.5s..2s', 1_500_000, 2_000_000],
    ['1.5..2', 1_500_000, 2_000_000],
    ['300us..0.5ms', 300, 500],
    ['1s..2min', 1e6, 120e6],
    ['1.5min..', 90e6, OPEN[1]],
    ['1m28s..2h05m', 88e6, 7500e6],
    ['1m0.5s..1h', 60.5e6, 3600e6],
    ['-1m30s..0m', -90e6, 0],
    ['..300ms', OPEN[0], 300_000],
    [' 1s .. 2s ', 1e6, 2e6],
    ['0..1us', 0, 1],
    ['-5ms..-0.001us', -5000, -0.001],
    // No product of doubles has these digits.
    ['0.000001001s..1.000000007s', 1.001, 1_000_000.007],
    ['4.35ms..4.37ms', 4350, 4370],
  ];
  for (const [text, fromUs, toUs] of cases) assert.deepEqual(parseTimeRange(text), { fromUs, toUs }, text);
});

test('what is no range is refused', () => {
  for (const text of [
    '',
    '..',
    ' .. ',
    '1s',
    '1s..2s..3s',
    '1...2',
    '1d..2d',
    '5s1m..9m',
    'a..b',
    '1e3..2e3',
    '.5s..1s',
    '1 s..2s',
    '1s-2s',
  ])
    assert.throws(
      () => parseTimeRange(text),
      (e) => e instanceof ChoiceError && /expected FROM\.\.TO/.test(e.message),
      text,
    );
  for (const text of ['2s..1s', '1s..1s', '1s..1000ms'])
    assert.throws(() => parseTimeRange(text), /does not end after its start/, text);
});

test('as text it is short, and read again the same to the last bit', () => {
  const text = (fromUs: number, toUs: number) => timeRangeText({ fromUs, toUs });
  assert.equal(text(1_500_000, 2_000_000), '1.5s..2s');
  assert.equal(text(OPEN[0], 300_000), '..300ms');
  assert.equal(text(120e6, OPEN[1]), '120s..');
  assert.equal(text(0, 0.25), '0us..0.25us');
  assert.equal(text(-1500, 999), '-1.5ms..999us');
  assert.equal(text(1e21, 1e24), '1000000000000000s..1000000000000000000s');
  const us = fc.oneof(
    fc.double({ min: -(2 ** 62), max: 2 ** 62, noNaN: true }),
    fc.double({ min: -1e7, max: 1e10, noNaN: true }),
    fc.integer({ min: 0, max: 2 ** 40 }).map((ns) => ns / 1000),
    fc.constantFrom(...OPEN),
  );
  fc.assert(
    fc.property(us, us, (a, b) => {
      // Far below a nanosecond, there are more digits than a time needs.
      const [fromUs, toUs] = [a, b].map((t) => (Math.abs(t) < 1e-12 ? 0 : t)).sort((x, y) => x - y);
      if (!(fromUs < toUs) || (fromUs === OPEN[0] && toUs === OPEN[1])) return;
      assert.deepEqual(parseTimeRange(text(fromUs, toUs)), { fromUs, toUs });
      const transform = { word: 'time', fromUs, toUs } as const;
      assert.deepEqual(parseTransform(transformText(transform)), transform);
    }),
    { numRuns: 2000 },
  );
});
