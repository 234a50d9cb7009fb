// Work that the base did not do: new steps, and steps that were up to date in the base.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { shortStepName } from '../../../analysis/answers/steps/step-names.ts';
import { type ChangeKind, changesOf } from '../../../analysis/builds/changes.ts';
import { memo } from '../../../base/lists.ts';
import { totalJobUs } from '../../../columns/builds/times.ts';
import { type RuleResult, viewSubject } from '../../rule.ts';
import { asCount, asShareOf, asTime, cutName, EMPTY_PHRASE, say } from '../../say.ts';
import { makeWholeBuildsRule } from './whole-builds.ts';

const MIN_WORK_SHARE = 0.05;
const MIN_STEPS = 3;

/** Steps that only this build ran, grouped by kind, longest first. Kinds with too few steps for a finding are left out. */
export const addedSteps = memo((analysis: Analysis<'steps'>, before: Analysis<'steps'>) => {
  const whole = totalJobUs(before);
  if (!(whole > 0)) return [];
  const kinds: readonly ChangeKind[] = ['run now', 'new'];
  return kinds.flatMap((kind) => {
    const list = changesOf(analysis, before).filter((c) => c.kind === kind);
    const us = list.reduce((sum, c) => sum + c.afterUs, 0);
    return list.length < MIN_STEPS || us < MIN_WORK_SHARE * whole ? [] : [{ kind, list, us }];
  });
});

export const stepsAddedRule = makeWholeBuildsRule({
  id: 'steps-added',
  question: 'How much work is new, or was up to date in the base?',
  evidence: 'the steps that only this build ran, and the outputs in the base’s build file',
  threshold: `at least ${MIN_STEPS} steps with at least 5 % of all work in the base`,
  find(e, before) {
    const whole = totalJobUs(before);
    return addedSteps(e.analysis, before).map(({ kind, list, us }): RuleResult => {
      const longest = cutName(shortStepName(e.analysis.profile, list[0].step));
      const what = kind === 'new' ? 'are new' : 'ran that were up to date or not requested in the base';
      const removed = changesOf(e.analysis, before).filter((c) => c.kind === (kind === 'new' ? 'gone' : 'not run'));
      const removedUs = removed.reduce((sum, c) => sum + c.beforeUs, 0);
      const gone = kind === 'new' ? `${removed.length === 1 ? 'is' : 'are'} gone` : 'of the base did not run';
      const rest = say`; ${asCount('gone', removed.length, 'step')} with ${asTime('goneWork', removedUs)} ${gone}`;
      const instead = removedUs >= MIN_WORK_SHARE * whole ? rest : EMPTY_PHRASE;
      return {
        ...say`${asCount('steps', list.length, 'step')} ${what}: ${asTime('work', us)} of work, ${asShareOf('share', us, whole)} of all work in the base; the longest is ${longest} (${asTime('longest', list[0].afterUs)})${instead}`,
        why:
          kind === 'new'
            ? 'no step of the base has the same output, target and role'
            : 'the log or build file of the base has them, but the base did not run them',
        share: us / whole,
        sign: 1,
        ...viewSubject(`steps ${kind}`, 'changes', { step: list[0].step }),
      };
    });
  },
});
