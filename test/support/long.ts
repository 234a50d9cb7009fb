// Tests that take long: sweeps over all fixtures, fuzzing, generated files. `npm run test:long` runs them, and them alone; with
// PROFTUI_TESTS=all they run among the others.
import test, { type TestContext, type TestOptions } from 'node:test';

const which = process.env['PROFTUI_TESTS'];

type Work = (t: TestContext) => void | Promise<void>;

/** A test of a sweep. In `npm test` there is none of it. */
export function long(name: string, ...given: [work: Work] | [options: TestOptions, work: Work]): void {
  const [options, work] = given.length === 2 ? given : [{}, given[0]];
  if (which === 'long') test(name, { ...options, only: true }, work);
  else if (which === 'all') test(name, options, work);
}
