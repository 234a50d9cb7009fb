// The totals of both runs: how much they differ, and whether that is more than chance.
import { eventOfBothRuns } from '../../analysis/answers/compared/measure.ts';
import { noiseOf } from '../../analysis/answers/compared/noise.ts';
import { eventValue } from '../../model/head.ts';
import { type Evidence, makeComparingRule, profileSubject } from '../rule.ts';
import { asCost, asCount, asShareOf, eventName, type Phrase, say } from '../say.ts';

/**
 * The totals of both runs. `chance`: the largest difference of such sampled totals that chance explains; undefined if the actual one is larger.
 * `ofBaseRuns`: the mean and prediction interval of the base's runs, if this run is within the interval. `unknown`: noise may explain all of it.
 */
function bothTotals({ analysis, event }: Evidence) {
  const [now, before] = eventOfBothRuns(analysis, event).map((shown) => eventValue(shown, analysis.totals.total, 0));
  const none = { now, before, chance: undefined, ofBaseRuns: undefined, unknown: false };
  const noise = noiseOf(analysis, event);
  if (!noise) return none;
  // The minimum of several runs is nearly always below a single run, so the difference has no meaning.
  if (noise.total && !noise.known) return { ...none, unknown: true };
  if (noise.total) return { ...none, ofBaseRuns: Math.abs(now - noise.total.mean) <= noise.total.half ? noise.total : undefined };
  const half = noise.half(now, before);
  const isChance = Math.abs(now - before) <= half;
  return { ...none, chance: noise.known && isChance ? half : undefined, unknown: !noise.known && isChance };
}

// The change of the program's total cost.

/** Minimum share that is written as a percentage. A smaller one would round to 0.00 %, so the difference itself is given. */
const MIN_PRINTABLE_SHARE = 0.00005;

export const totalChangeRule = makeComparingRule({
  id: 'total-change',
  question: 'Did the total change?',
  evidence: 'the totals of both runs',
  threshold: 'any difference that is more than chance',
  find(e) {
    const { now, before, chance, ofBaseRuns, unknown } = bothTotals(e);
    const delta = now - before;
    // After transforms, the total is not that of the whole program.
    if (e.analysis.profile.compared?.now.transformed || chance !== undefined || ofBaseRuns || unknown) return [];
    if (!(before > 0) || delta === 0) return [];
    const more = delta > 0 ? 'more' : ['count', 'samples'].includes(e.event.unit) ? 'fewer' : 'less';
    const sentence =
      Math.abs(delta) < MIN_PRINTABLE_SHARE * before
        ? say`Overall, ${asCost(e, 'delta', Math.abs(delta))} ${more} ${eventName(e)} than the base (${asCost(e, 'before', before)})`
        : say`Overall, ${asShareOf('delta', Math.abs(delta), before)} ${more} ${eventName(e)} than the base: ${asCost(e, 'now', now)} instead of ${asCost(e, 'before', before)}`;
    // The title line has both totals: what changed them comes first.
    return { ...sentence, why: 'the totals of both runs', isNote: true, ...profileSubject('totals') };
  },
});

// Differences of totals that may be due to chance.

export const totalNoiseRule = makeComparingRule({
  id: 'noise',
  question: 'Is the difference of the totals more than chance?',
  evidence: 'the totals of two sampled runs, or of several runs of the base',
  threshold:
    'the difference lies within the 95 % interval of two sampled counts, or the 95 % prediction interval of the base runs',
  requires: [],
  find(e) {
    const { now, before, chance, ofBaseRuns } = bothTotals(e);
    if (!(before > 0) || now === before) return [];
    const differ = say`The totals differ by ${asShareOf('delta', now - before, before)} (${asCost(e, 'now', now)} now, ${asCost(e, 'before', before)} in the base), which`;
    const result = (by: Phrase, why: string) => ({ ...profileSubject('noise'), ...say`${differ} may be chance: ${by}`, why });
    if (chance !== undefined)
      return result(
        say`two runs with this many samples may differ by up to ${asShareOf('noise', chance, before)}`,
        '95 % interval of the difference of two sampled counts',
      );
    if (!ofBaseRuns) return [];
    return result(
      say`judging by the ${asCount('runs', ofBaseRuns.runs, 'base run')}, a further run lies within ± ${asCost(e, 'noise', ofBaseRuns.half)} of their mean, ${asCost(e, 'mean', ofBaseRuns.mean)}`,
      '95 % prediction interval of the base runs’ totals: mean ± t s √(1 + 1/k)',
    );
  },
});
