// Routines with input that the size metric does not count.
import { routineLaws } from '../../analysis/growth/laws.ts';
import { makeGrowthRule, routineSubject } from '../rule.ts';
import { asCost, asCount, asShare, routineText, say } from '../say.ts';

const MIN_SHARE = 0.01;

export const hiddenInputRule = makeGrowthRule({
  id: 'hidden-input',
  question: 'Does a routine read input that the size metric does not count?',
  evidence: 'the number of sizes and calls, and the lowest and highest cost of a call',
  threshold:
    'at most 3 sizes in 20 or more calls; at one of them the most expensive call costs more than twice the cheapest, and the others more than 1.1 times it on average; at least 1 % of the cost',
  find(e) {
    const { analysis, profile, totals, whole } = e;
    const { metric, misses } = profile.inputs;
    if (misses === undefined) return [];
    const [law] = routineLaws(analysis)
      .filter((l) => l.hidden && totals.inclusive[0][l.routine] >= MIN_SHARE * whole)
      .sort((a, b) => totals.inclusive[0][b.routine] - totals.inclusive[0][a.routine]);
    if (!law) return [];
    const { routine, sizes, calls, best, worst } = law;
    return {
      ...say`${routineText(profile, routine)} costs ${asCost(e, 'best', best)} to ${asCost(e, 'worst', worst)} per call although ${metric} sees only ${asCount('sizes', sizes, 'input size')} in ${asCount('calls', calls, 'call')}; it takes ${asShare(e, 'inclusive', totals.inclusive[0][routine])} of the total`,
      why: misses,
      ...routineSubject(routine, totals.inclusive[0][routine] / whole, 'curve'),
    };
  },
});
