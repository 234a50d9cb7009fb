// Differences of the totals that may be chance.

import { comparingRule, profileSubject } from '../rule.ts';
import { cost, count, part, say } from '../say.ts';
import { bothTotals } from './totals.ts';

export const noise = comparingRule({
  id: 'noise',
  question: 'Is the difference of the totals more than chance?',
  evidence: 'the totals of two sampled runs, or of several runs of the base',
  threshold:
    'the difference lies within the 95 % interval of two sampled counts, or the 95 % prediction interval of the base runs',
  find(e) {
    const { now, before, chance, ofBaseRuns } = bothTotals(e);
    if (!(before > 0)) return [];
    const differ = say`The totals differ by ${part('delta', now - before, before)} (${cost(e, 'now', now)} now, ${cost(e, 'before', before)} in the base), which`;
    if (chance !== undefined)
      return {
        ...profileSubject('noise'),
        ...say`${differ} may be chance: two runs with this many samples may differ by up to ${part('noise', chance, before)}`,
        why: '95 % interval of the difference of two sampled counts',
      };
    if (ofBaseRuns)
      return {
        ...profileSubject('noise'),
        ...say`${differ} may be chance: judging by the ${count('runs', ofBaseRuns.runs, 'base run')}, a further run lies within ± ${cost(e, 'noise', ofBaseRuns.half)} of their mean, ${cost(e, 'mean', ofBaseRuns.mean)}`,
        why: '95 % prediction interval of the base runs’ totals: mean ± t s √(1 + 1/k)',
      };
    return [];
  },
});
