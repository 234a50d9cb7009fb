// Courses without a step, and with one. bench/README.md has the rates; the seeds here are others than those that the constants were tuned on.
import assert from 'node:assert/strict';
import test from 'node:test';
import { foundIn, NO_STEPS, stepsFound } from '../support/known-courses.ts';

/** Shares of courses in which a step is said at most; of 100 on seed 101. */
const MOST: Readonly<Record<string, number>> = {
  equal: 0.05,
  'noise that grows': 0.15,
  'AR(0.6)': 0.08,
  'AR(0.9)': 0.15,
  'a slow trend': 0,
  'a course that recovered': 0.02,
};

test('a trend, a memory of the machine and a slow time that is over are no change since a build', () => {
  for (const [name, make] of Object.entries(NO_STEPS)) {
    const found = foundIn(make, 101, 100, name === 'a course that recovered');
    assert.ok(found <= 100 * MOST[name], `${name}: ${found} of 100`);
  }
});

test('20 % in 3 % noise is found with five builds a side', () => {
  const found = stepsFound(101, 100);
  assert.ok(found >= 80, `${found} of 100`);
});
