// Work that the base did not do: steps that are new, and steps that were up to date there.
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { type ChangeKind, changesOf } from '../../analysis/answers/steps/changes.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { jobTotal } from '../../columns/times.ts';
import { comparingRule, type Remark } from '../rule.ts';
import { count, cutName, part, say, time } from '../say.ts';

const LEAST = 0.05;
const FEWEST = 3;

export const stepsAdded = comparingRule({
  kind: 'steps',
  id: 'steps-added',
  question: 'How much work is new, or was up to date in the base?',
  evidence: 'the steps that only this build ran, and the outputs in the base’s build file',
  threshold: `at least ${FEWEST} steps with at least 5 % of all work in the base`,
  asks: ['steps'],
  find(e) {
    const { before } = e.analysis;
    if (!before || !isOfKind(before, 'steps')) return [];
    const whole = jobTotal(before);
    if (!(whole > 0)) return [];
    const changes = changesOf(e.analysis, before);
    return (['run now', 'new'] as const).flatMap((kind: ChangeKind): Remark[] => {
      const list = changes.filter((c) => c.kind === kind);
      const us = list.reduce((sum, c) => sum + c.afterUs, 0);
      if (list.length < FEWEST || us < LEAST * whole) return [];
      const longest = cutName(shortStepName(e.analysis.profile, list[0].step));
      const what = kind === 'new' ? 'are new' : 'ran that were up to date or not requested in the base';
      return [
        {
          ...say`${count('steps', list.length, 'step')} ${what}: ${time('work', us)} of work, ${part('share', us, whole)} of all work in the base; the longest is ${longest} (${time('longest', list[0].afterUs)})`,
          why: 'no step of the base has the same output, target and role',
          share: us / whole,
          sign: 1,
          subject: `steps ${kind}`,
          target: { view: 'changes', report: 'changes', step: list[0].step },
        },
      ];
    });
  },
});
