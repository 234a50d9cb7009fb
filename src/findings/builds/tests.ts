// Rules about tests: those that failed, and those that take most of the work.

import { type Analysis, isOfKind } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { activeSteps, stepFailed, stepText, workStepsOf } from '../../analysis/answers/steps/steps.ts';
import { runsTests } from '../../analysis/builds/stages.ts';
import { totalJobUs } from '../../columns/builds/times.ts';
import type { TestResult } from '../../model/steps/tests.ts';
import { makeBuildRule, stepSubject, viewSubject } from '../rule.ts';
import { asCount, asShareOf, asTime, cutName, EMPTY_PHRASE, firstNames, type Phrase, say } from '../say.ts';

// Tests that failed, and tests that failed only sometimes.

/** The name of a test, and why it failed, if that is recorded: `parser (Timeout)`. */
export const failureText = ({ name, reason }: Pick<TestResult, 'name' | 'reason'>): Phrase =>
  say`${cutName(name)}${reason === '' ? EMPTY_PHRASE : say` (${cutName(reason)})`}`;

export const failedTestsRule = makeBuildRule({
  id: 'failed-tests',
  question: 'Which tests failed?',
  evidence: 'the results of the tests',
  threshold: 'any test that failed and never passed',
  requires: ['tests'],
  runs: 'any',
  find({ analysis, profile }) {
    // Another rule says what changed between two runs with tests.
    if (analysis.before && isOfKind(analysis.before, 'steps') && analysis.before.profile.steps.tests) return [];
    const tests = profile.steps.tests ?? [];
    const passed = new Set(tests.filter((t) => t.status === 'passed').map((t) => t.name));
    // A test may have run more than once.
    const failures = [
      ...new Map(tests.filter((t) => t.status === 'failed' && !passed.has(t.name)).map((t) => [t.name, t])).values(),
    ];
    const all = new Set(tests.map((t) => t.name)).size;
    if (failures.length === 0) return [];
    return {
      ...say`${asCount('failed', failures.length)} of ${asCount('tests', all, 'test')} failed: ${firstNames(failures, failureText, 'among them ')}`,
      why: 'results reported by the test runner',
      ...viewSubject('failed tests', 'tests', { row: failures[0].name }),
    };
  },
});

/** Tests that ended with another exit code than 0, and the first of them, if any did; undefined without tests. */
function exitCodesOfTests(analysis: Analysis<'steps'>): { readonly phrase: Phrase; readonly first?: number } | undefined {
  const { profile } = analysis;
  const tests = Array.from(activeSteps(analysis)).filter((i) => stepText(profile, 'role', i) === 'test');
  const failed = tests.filter((i) => stepFailed(profile.steps, i));
  if (tests.length === 0) return undefined;
  if (failed.length === 0)
    return {
      phrase: say`none of ${asCount('tests', tests.length, 'test')} is recorded with another exit code than 0, which a crash or a timeout may have`,
    };
  const nameTest = (i: number, k: number) =>
    say`${cutName(shortStepName(profile, i))} (${asCount(`code${k + 1}`, profile.steps.result[i])})`;
  const phrase = say`${asCount('failed', failed.length)} of ${asCount('tests', tests.length, 'test')} ended with an exit code other than 0: ${firstNames(failed, nameTest)}`;
  return { phrase, first: failed[0] };
}

export const testRunFailedRule = makeBuildRule({
  id: 'test-run-failed',
  question: 'Did a run of the tests fail?',
  evidence: 'the exit code of the test runner, or else of the tests, where no results of single tests are recorded',
  threshold: 'any exit code other than 0; with results of single tests, only if none of them failed',
  runs: 'any',
  find({ analysis, profile }) {
    const { tests } = profile.steps;
    if (tests?.some(({ status }) => status === 'failed')) return [];
    const runs = Array.from(activeSteps(analysis)).filter((i) => runsTests(analysis, i));
    const failed = runs.filter((i) => stepFailed(profile.steps, i));
    const [run] = failed;
    // Exit codes of tests belong to the run only if there is one.
    const codes = tests || runs.length > 1 ? undefined : exitCodesOfTests(analysis);
    const subject = viewSubject('test run', 'steps', { step: codes?.first ?? run });
    const why = 'exit codes; expected failures and skipped tests have one other than 0, too, and a crash or a timeout may have 0';
    if (runs.length === 0) return codes?.first === undefined ? [] : { ...codes.phrase, why, ...subject };
    if (run === undefined) return [];
    const several = say`${asCount('failedRuns', failed.length)} of ${asCount('runs', runs.length)} runs of the tests failed`;
    const which = runs.length > 1 ? several : 'Tests failed';
    return {
      ...say`${which}: the test runner ended with exit code ${asCount('code', profile.steps.result[run])}${codes ? say`; ${codes.phrase}` : EMPTY_PHRASE}${tests ? say`, but none of the ${asCount('tests', tests.length, 'result')} recorded is a failure` : EMPTY_PHRASE}${failed.at(-1) === runs.at(-1) ? '' : '; the last run did not fail'}`,
      why,
      try: 'run the tests again with --rerun-failed --output-on-failure',
      ...subject,
    };
  },
});

export const flakyTestsRule = makeBuildRule({
  id: 'flaky-tests',
  question: 'Which tests both failed and passed?',
  evidence: 'the results of tests that ran more than once',
  threshold: 'any test that failed in one run and passed in another',
  requires: ['tests'],
  find({ profile }) {
    const tests = profile.steps.tests ?? [];
    const failures = new Set(tests.filter((t) => t.status === 'failed').map((t) => t.name));
    const flaky = [...new Set(tests.filter((t) => t.status === 'passed' && failures.has(t.name)).map((t) => t.name))];
    if (flaky.length === 0) return [];
    return {
      ...say`${asCount('flaky', flaky.length, 'test')} both failed and passed: ${firstNames(flaky, cutName)}`,
      why: 'results of the same test in several runs',
      ...viewSubject('flaky tests', 'tests', { row: flaky[0] }),
    };
  },
});

// Tests that take most of a build's work, and the longest of these tests.

const MIN_WORK_SHARE = 0.5;

export const testTimeRule = makeBuildRule({
  id: 'test-time',
  question: 'Do tests take most of the work, and which one takes longest?',
  evidence: 'the durations of tests and of all other steps',
  threshold: 'tests take at least half of all work, beside other steps',
  find({ analysis, profile }) {
    const { durationUs } = profile.steps;
    const work = workStepsOf(analysis);
    const tests = work.filter((i) => stepText(profile, 'role', i) === 'test');
    const all = totalJobUs(analysis);
    const sum = tests.reduce((us, i) => us + durationUs[i], 0);
    if (sum === 0 || tests.length === work.length || sum < MIN_WORK_SHARE * all) return [];
    const longest = tests.reduce((most, i) => (durationUs[i] > durationUs[most] ? i : most));
    const names = new Set(tests.map((i) => shortStepName(profile, i))).size;
    const runs = names < tests.length ? say` in ${asCount('runs', tests.length, 'run')}` : EMPTY_PHRASE;
    return {
      ...say`${asCount('tests', names, 'test')}${runs} took ${asShareOf('share', sum, all)} of all work (${asTime('took', sum)}); the longest, ${cutName(shortStepName(profile, longest))}, took ${asTime('longest', durationUs[longest])}`,
      why: 'durations of all steps',
      ...stepSubject(longest, sum / all, 'steps'),
    };
  },
});
