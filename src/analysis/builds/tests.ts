// Results of tests: their steps, and their changes since another run.
import { memo, pairByKey, type RunPair, withFirst } from '../../base/lists.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import type { Analysis } from '../answers/analysis.ts';
import { recordedName, stepFailed, stepText } from '../answers/steps/steps.ts';

const testsOf = ({ profile }: Analysis<'steps'>): readonly TestResult[] => profile.steps.tests ?? [];

/**
 * The steps of tests and their results, by name. Of a test that ran more than once, first those that ended alike: CMake also writes 0 for
 * tests that crashed.
 */
const stepsAndTests = memo((analysis: Analysis<'steps'>) => {
  const { profile } = analysis;
  const { steps } = profile;
  const rows = Array.from(steps.name.keys()).filter((i) => stepText(profile, 'role', i) === 'test');
  const tests = testsOf(analysis);
  const name = (k: number, isTest: boolean) => (isTest ? `test: ${tests[k].name}` : recordedName(profile, k));
  const hasFailed = (k: number, isTest: boolean) => (isTest ? tests[k].status === 'failed' : stepFailed(steps, k));
  const alike = pairByKey(rows, [...tests.keys()], (k, isTest) => `${name(k, isTest)}\n${hasFailed(k, isTest)}`);
  const others = pairByKey(alike.alone, alike.left, name);
  const pairs = [...alike.pairs, ...others.pairs].map(([step, k]) => [step, tests[k]] as const);
  return { ofStep: new Map(pairs), ofTest: new Map(pairs.map(([step, test]) => [test, step])) };
}, 4);

/** The step that ran a test; -1 if there is none. */
export const stepOfTest = (analysis: Analysis<'steps'>, test: TestResult): number =>
  stepsAndTests(analysis).ofTest.get(test) ?? -1;

export const testOfStep = (analysis: Analysis<'steps'>, step: number): TestResult | undefined =>
  stepsAndTests(analysis).ofStep.get(step);

export type TestPair = RunPair<TestResult>;

/** How a test ended and why: `failed, Timeout`. */
export const statusText = ({ status, reason }: TestResult): string => status + (reason === '' ? '' : `, ${reason}`);

export const isNewFailure = ({ now, before }: TestPair): boolean => now?.status === 'failed' && before?.status === 'passed';
export const isFixed = ({ now, before }: TestPair): boolean => now?.status === 'passed' && before?.status === 'failed';

export const statusRank = ({ status }: TestResult): number => (status === 'failed' ? 2 : status === 'not run' ? 1 : 0);

/** The tests in order: those that fail since the base come first, those that only the base has come last. */
export const testPairs = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'> | undefined): readonly TestPair[] => {
  // Failed first, then tests that did not run, then the slowest.
  const sorted = (of: Analysis<'steps'>) =>
    [...testsOf(of)].sort((a, b) => statusRank(b) - statusRank(a) || (b.ms || 0) - (a.ms || 0) || (a.name < b.name ? -1 : 1));
  const tests = sorted(analysis);
  const { pairs, left } = pairByKey(tests, base ? sorted(base) : [], ({ name }) => name);
  const before = new Map(pairs);
  const all = tests.map((now): TestPair => ({ now, before: before.get(now) }));
  if (!base) return all;
  return [...withFirst(all, isNewFailure), ...left.map((removed): TestPair => ({ now: undefined, before: removed }))];
}, 4);
