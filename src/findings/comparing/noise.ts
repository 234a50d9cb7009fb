// Differences of totals that may be due to chance.

import { makeComparingRule, profileSubject } from '../rule.ts';
import { asCost, asCount, asShareOf, say } from '../say.ts';
import { bothTotals } from './totals.ts';

export const totalNoiseRule = makeComparingRule({
  id: 'noise',
  question: 'Is the difference of the totals more than chance?',
  evidence: 'the totals of two sampled runs, or of several runs of the base',
  threshold:
    'the difference lies within the 95 % interval of two sampled counts, or the 95 % prediction interval of the base runs',
  find(e) {
    const { now, before, chance, ofBaseRuns } = bothTotals(e);
    if (!(before > 0)) return [];
    const differ = say`The totals differ by ${asShareOf('delta', now - before, before)} (${asCost(e, 'now', now)} now, ${asCost(e, 'before', before)} in the base), which`;
    if (chance !== undefined)
      return {
        ...profileSubject('noise'),
        ...say`${differ} may be chance: two runs with this many samples may differ by up to ${asShareOf('noise', chance, before)}`,
        why: '95 % interval of the difference of two sampled counts',
      };
    if (ofBaseRuns)
      return {
        ...profileSubject('noise'),
        ...say`${differ} may be chance: judging by the ${asCount('runs', ofBaseRuns.runs, 'base run')}, a further run lies within ± ${asCost(e, 'noise', ofBaseRuns.half)} of their mean, ${asCost(e, 'mean', ofBaseRuns.mean)}`,
        why: '95 % prediction interval of the base runs’ totals: mean ± t s √(1 + 1/k)',
      };
    return [];
  },
});
