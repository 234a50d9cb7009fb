// Tests that fail and passed in the base, and tests that pass again.
import { isFixed, isNewFailure, type TestPair, testPairs } from '../../../analysis/builds/tests.ts';
import { makeBuildComparingRule, type RuleResult, viewSubject } from '../../rule.ts';
import { asCount, firstNames, type Phrase, say } from '../../say.ts';
import { failureText } from '../tests.ts';

const testNamesText = (pairs: readonly TestPair[]): Phrase =>
  firstNames(pairs, ({ now }) => failureText({ name: now?.name ?? '', reason: now?.reason ?? '' }));

export const testsChangedRule = makeBuildComparingRule({
  id: 'tests-changed',
  question: 'Which tests fail that passed in the base, and which pass again?',
  evidence: 'the results of tests in both runs, matched by name',
  threshold: 'any test',
  requires: ['tests'],
  find({ analysis }, before) {
    if (!before.profile.steps.tests) return [];
    const pairs = testPairs(analysis, before);
    const failed = pairs.filter(({ now }) => now?.status === 'failed');
    const [newFailures, fixed] = [pairs.filter(isNewFailure), pairs.filter(isFixed)];
    const others = failed.filter((pair) => !isNewFailure(pair));
    const why = 'results reported by the test runner';
    const resultsOf = (list: readonly TestPair[], subject: string, sentence: Phrase) =>
      list.slice(0, 1).map(({ now }) => ({ ...sentence, ...viewSubject(subject, 'tests', { row: now?.name ?? '' }), why }));
    const either = say`; ${asCount('others', others.length, 'test')} that fail did not pass there either`;
    const fail = newFailures.length === 1 ? 'fails' : 'fail';
    const broke = say`${asCount('broke', newFailures.length, 'test')} ${fail} that passed in the base: ${testNamesText(newFailures)}`;
    const still = say`${asCount('failed', others.length, 'test')} failed, none of which passed in the base: ${testNamesText(others)}`;
    const pass = fixed.length === 1 ? 'passes' : 'pass';
    const again = say`${asCount('fixed', fixed.length, 'test')} ${pass} that failed in the base: ${testNamesText(fixed)}`;
    return [
      ...(newFailures.length > 0
        ? resultsOf(newFailures, 'failing since', others.length > 0 ? say`${broke}${either}` : broke)
        : resultsOf(others, 'failing since', still)),
      ...resultsOf(fixed, 'passing again', again).map((result): RuleResult => ({ ...result, sign: -1 })),
    ];
  },
});
