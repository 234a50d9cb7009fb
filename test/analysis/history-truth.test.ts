// Courses without a step, and with one. bench/README.md has the rates; the seeds here are others than those that the constants were tuned on.
import assert from 'node:assert/strict';
import test from 'node:test';
import { saidOf, stepsFound } from '../support/known-courses.ts';

/** Shares of courses in which a step is said at most; of 100 on seed 101. */
const MOST: Readonly<Record<string, number>> = {
  equal: 0.05,
  'noise that grows': 0.09,
  'noise that shrinks': 0.09,
  'a host that is busy in a third of the builds': 0.05,
  'AR(0.6)': 0.08,
  'AR(0.9)': 0.12,
  'a slow trend': 0,
  'a course that recovered': 0.02,
};

test('a trend, a memory of the machine and a slow time that is over are no change since a build', () => {
  for (const name of Object.keys(MOST)) {
    const { step, drift } = saidOf(name, 101, 100);
    assert.ok(step <= 100 * MOST[name], `${name}: ${step} of 100`);
    if (name === 'a slow trend') assert.ok(drift >= 95, `${drift} of 100 trends are told as drifts`);
    else assert.ok(drift <= 8, `${name}: ${drift} of 100 drift`);
  }
});

test('20 % in 3 % noise is found with five builds a side', () => {
  const found = stepsFound(101, 100);
  assert.ok(found >= 80, `${found} of 100`);
});
