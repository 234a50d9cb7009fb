// Tests that take long: sweeps over all fixtures, fuzzing, generated files. `npm run test:long` runs them, and them alone; with
// PROFTUI_TESTS=all, before a change lands, those that take seconds run among the others, those that take minutes do not, and sweeps have a seventh of their cases.
import test, { type TestContext, type TestOptions } from 'node:test';

const which = process.env['PROFTUI_TESTS'];

type Work = (t: TestContext) => void | Promise<void>;

/** A test of a sweep. In `npm test` there is none of it. */
export function long(name: string, ...given: [work: Work] | [options: TestOptions, work: Work]): void {
  const [options, work] = given.length === 2 ? given : [{}, given[0]];
  if (which === 'long') test(name, { ...options, only: true }, work);
  else if (which === 'all') test(name, options, work);
}

const isWhole = which === 'long';

/** One case of so many is tried with PROFTUI_TESTS=all. */
const PART = 7;

/** So many cases of a sweep; a seventh of them with PROFTUI_TESTS=all, all in `npm run test:long`. */
export const most = (cases: number): number => (isWhole ? cases : Math.ceil(cases / PART));

/** The cases of a sweep; every seventh of them with PROFTUI_TESTS=all, all in `npm run test:long`. */
export const some = <T>(cases: readonly T[]): readonly T[] => (isWhole ? cases : cases.filter((_, i) => i % PART === 0));

/** A test of many random inputs, of which a test with fewer runs elsewhere. */
export function longest(name: string, work: Work): void {
  if (which === 'long') test(name, { only: true }, work);
}
