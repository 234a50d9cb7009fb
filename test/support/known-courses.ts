// Courses of times over builds whose truth is known. For test/analysis/history-truth.test.ts and `npm run bench:truth`. Constants of
// change-point.ts were tuned on seeds 1 to 3.
import { findChangePoint } from '../../src/analysis/builds/change-point.ts';
import { gauss, type Random, random } from './random.ts';

const BUILDS = 40;

/** Noise in which each value remembers its predecessor. */
function remembering(r: Random, by: number): number[] {
  const out: number[] = [];
  for (let i = 0, x = gauss(r); i < BUILDS; i++, x = by * x + Math.sqrt(1 - by * by) * gauss(r)) out.push(x);
  return out;
}

const course = (r: Random, log: (build: number) => number) =>
  Array.from({ length: BUILDS }, (_, b) => 1000 * Math.exp(0.03 * gauss(r) + log(b)));

const RECOVERED = 'a course that recovered';

/** Without a step: by name, courses in which none should be found. */
export const NO_STEPS: Readonly<Record<string, (r: Random) => number[]>> = {
  equal: (r) => course(r, () => 0),
  'noise that grows': (r) => Array.from({ length: BUILDS }, (_, b) => 1000 * Math.exp(0.005 * (1 + b / 2) * gauss(r))),
  'noise that shrinks': (r) =>
    Array.from({ length: BUILDS }, (_, b) => 1000 * Math.exp(0.005 * (1 + (BUILDS - b) / 2) * gauss(r))),
  'a host that is busy in a third of the builds': (r) => course(r, () => (r() < 1 / 3 ? 0.3 : 0)),
  'AR(0.6)': (r) => remembering(r, 0.6).map((x) => 1000 * Math.exp(0.05 * x)),
  'AR(0.9)': (r) => remembering(r, 0.9).map((x) => 1000 * Math.exp(0.05 * x)),
  'a slow trend': (r) => course(r, (b) => 0.008 * b),
  [RECOVERED]: (r) => course(r, (b) => (b >= 12 && b < 26 ? 0.25 : 0)),
};

/** Of so many courses, those in which a step, or a drift, is said; of the recovered one, a step that made it slower. */
export function saidOf(name: string, seed: number, courses: number): { readonly step: number; readonly drift: number } {
  const r = random(seed);
  const said = { step: 0, drift: 0 };
  for (let k = 0; k < courses; k++) {
    const change = findChangePoint(NO_STEPS[name](r));
    if (change && (name !== RECOVERED || change.after > change.before)) said[change.kind]++;
  }
  return said;
}

/** Of so many courses with five builds before and after a step of 20 % in 3 % noise, those in which it is found within a build. */
export function stepsFound(seed: number, courses: number): number {
  const r = random(seed);
  let found = 0;
  for (let k = 0; k < courses; k++) {
    const values = Array.from({ length: 10 }, (_, b) => 1000 * Math.exp(0.03 * gauss(r)) * (b >= 5 ? 1.2 : 1));
    const change = findChangePoint(values);
    if (change?.kind === 'step' && Math.abs(change.at - 5) <= 1) found++;
  }
  return found;
}
