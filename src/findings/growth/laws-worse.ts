// Laws that got worse since the base.

import { isOfKind } from '../../analysis/answers/analysis.ts';
import { lawLabel } from '../../analysis/growth/classes.ts';
import { lawChange, lawsByRoutine, routineLaws } from '../../analysis/growth/laws.ts';
import { makeGrowthRule, routineSubject } from '../rule.ts';
import { asShareOf, routineText, say } from '../say.ts';

const MIN_SHARE = 0.01;
const MAX_NAMED_ROUTINES = 3;

export const lawsWorseRule = makeGrowthRule({
  id: 'laws-worse',
  question: 'Which routine grows faster than in the base?',
  evidence: 'the law of each routine in both runs',
  threshold: 'neither law fits the sizes of the other run, and the law now grows faster; at least 1 % of the cost now',
  runs: 'two',
  find({ analysis, profile, totals }) {
    const { before } = analysis;
    if (!before || !isOfKind(before, 'inputs')) return [];
    const inclusive = totals.inclusive[0];
    const whole = totals.whole[0][0];
    return routineLaws(analysis)
      .filter((law) => inclusive[law.routine] >= MIN_SHARE * whole)
      .flatMap((law) => {
        const { routine, fit } = law;
        const then = lawsByRoutine(before).get(law.routine)?.fit;
        if (!fit?.law || !then?.law || lawChange(fit, then) !== 'worse') return [];
        return {
          ...say`${routineText(profile, routine)} grows as ${lawLabel(fit.law)}, and grew as ${lawLabel(then.law)} in the base; it takes ${asShareOf('inclusive', inclusive[routine], whole)} of the total`,
          why: 'neither law fits the sizes of the other run',
          ...routineSubject(routine, inclusive[routine] / whole, 'curve'),
        };
      })
      .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))
      .slice(0, MAX_NAMED_ROUTINES);
  },
});
