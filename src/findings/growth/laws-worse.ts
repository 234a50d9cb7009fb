// Laws that got worse since the base.

import { isOfKind } from '../../analysis/analysis.ts';
import { lawBefore, lawChange } from '../../analysis/inputs/changed.ts';
import { labelOf } from '../../analysis/inputs/classes.ts';
import { routineLaws } from '../../analysis/inputs/laws.ts';
import { ruleFor } from '../rule.ts';
import { named, part, say } from '../say.ts';

const LEAST = 0.01;
const MOST_NAMED = 3;

export const lawsWorse = ruleFor({
  kind: 'inputs',
  id: 'laws-worse',
  group: 'growth',
  question: 'What grows faster than in the base?',
  evidence: 'the law of each routine in both runs',
  threshold: 'neither law fits the sizes of the other run, and the law now grows faster; at least 1 % of the cost now',
  asks: ['inputs'],
  runs: 'two',
  find(e) {
    const { before } = e.analysis;
    const now = e.analysis;
    if (!before || !isOfKind(before, 'inputs')) return [];
    const inclusive = now.totals.inclusive[0];
    const whole = now.totals.whole[0][0];
    return routineLaws(now)
      .filter((law) => inclusive[law.routine] >= LEAST * whole)
      .flatMap((law) => {
        const { routine, fit } = law;
        const then = lawBefore(law, before)?.fit;
        if (!fit?.law || !then?.law || lawChange(fit, then) !== 'worse') return [];
        return {
          ...say`${named(now.profile, routine)} grows as ${labelOf(fit.law)} now, and grew as ${labelOf(then.law)} in the base; it takes ${part('inclusive', inclusive[routine], whole)}`,
          why: 'neither law fits the sizes of the other run',
          subject: `routine ${routine}`,
          share: inclusive[routine] / whole,
          target: { view: 'curve', report: 'curve', routine },
        };
      })
      .sort((a, b) => b.share - a.share)
      .slice(0, MOST_NAMED);
  },
});
