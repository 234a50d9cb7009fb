// Tests that fail and passed in the base, and tests that pass again.
import { isFixed, isNewFailure, type TestPair, testPairs } from '../../../analysis/builds/tests.ts';
import { makeBuildComparingRule, type RuleResult, viewSubject } from '../../rule.ts';
import { asCount, EMPTY_PHRASE, firstNames, type Phrase, say } from '../../say.ts';
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
    const resultOf = (list: readonly TestPair[], subject: string) => ({
      ...viewSubject(subject, 'tests', { row: list[0].now?.name ?? '' }),
      why: 'results reported by the test runner',
    });
    const out: RuleResult[] = [];
    if (newFailures.length > 0) {
      const more =
        others.length > 0 ? say`; ${asCount('others', others.length, 'test')} that fail did not pass there either` : EMPTY_PHRASE;
      const fail = newFailures.length === 1 ? 'fails' : 'fail';
      out.push({
        ...say`${asCount('broke', newFailures.length, 'test')} ${fail} that passed in the base: ${testNamesText(newFailures)}${more}`,
        ...resultOf(newFailures, 'failing since'),
      });
    } else if (others.length > 0)
      out.push({
        ...say`${asCount('failed', others.length, 'test')} failed, none of which passed in the base: ${testNamesText(others)}`,
        ...resultOf(others, 'failing since'),
      });
    if (fixed.length > 0)
      out.push({
        ...say`${asCount('fixed', fixed.length, 'test')} ${fixed.length === 1 ? 'passes' : 'pass'} that failed in the base: ${testNamesText(fixed)}`,
        ...{ ...resultOf(fixed, 'passing again'), sign: -1 },
      });
    return out;
  },
});
