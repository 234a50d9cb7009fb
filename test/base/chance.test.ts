// Probabilities against tables of R (qt, pt, binom.test), and against sums of terms.
import assert from 'node:assert/strict';
import test from 'node:test';
import { binomialChance, falseDiscoveryLimit, studentChance, studentQuantile } from '../../src/base/chance.ts';

const near = (a: number, b: number, by = 1e-6) => assert.ok(Math.abs(a - b) <= by * Math.abs(b), `${a}, not ${b}`);

test('Student’s t', () => {
  for (const [freedom, t] of [
    [1, 12.70620474],
    [2, 4.30265273],
    [4, 2.776445105],
    [10, 2.228138852],
    [1e6, 1.959966568],
  ])
    near(studentQuantile(freedom), t);
  near(studentChance(2, 5), 0.1019394789);
});

/** Twice the smaller tail, term by term. */
function summed(k: number, n: number, p: number): number {
  const terms: number[] = [(1 - p) ** n];
  for (let i = 1; i <= n; i++) terms.push((terms[i - 1] * (n - i + 1) * p) / (i * (1 - p)));
  const sum = (from: number, to: number) => terms.slice(from, to).reduce((s, t) => s + t, 0);
  return Math.min(1, 2 * Math.min(sum(0, k + 1), sum(k, n + 1)));
}

test('the conditional binomial', () => {
  near(binomialChance(10, 10, 0.5), 2 / 1024);
  near(binomialChance(15, 20, 0.5), 0.04138946533);
  for (const n of [10, 11, 40, 300])
    for (const p of [0.5, 0.3, 0.81])
      for (let k = 0; k <= n; k += 1 + (n >> 4)) near(binomialChance(k, n, p), summed(k, n, p), 1e-7);
  // By the normal distribution: 3 deviations.
  near(binomialChance(5e7 + 15_000, 1e8, 0.5), 0.0027, 0.01);
});

test('of many results, those that count', () => {
  // The example of Benjamini and Hochberg (1995): four of fifteen.
  const chances = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  assert.equal(falseDiscoveryLimit(chances, 0.05), 0.0095);
  assert.ok(falseDiscoveryLimit([0.04, 0.9], 0.05) < 0);
  assert.ok(falseDiscoveryLimit([], 0.05) < 0);
});
