// Too few samples for accurate shares.
import { eventValue } from '../../model/head.ts';
import { rankingBySelf } from '../hottest.ts';
import { makeSampledRule, viewSubject } from '../rule.ts';
import { asCount, asShare, asShareOf, EMPTY_PHRASE, eventName, routineText, say } from '../say.ts';

/** Minimum number of samples: with these, a share of 50 % is known to within 5 percentage points. */
const MIN_SAMPLES = 400;
/** Fewer samples of the hottest routine, if each has its own cost, may be chance: 30 have an error of 18 %. */
const MIN_SAMPLES_OF_FIRST = 30;
const DEVIATIONS_OF_95_PERCENT = 1.96;

/** The 95 % interval of a share of n samples (Wilson 1927). */
function wilsonInterval(p: number, n: number): readonly [low: number, high: number] {
  const z2 = DEVIATIONS_OF_95_PERCENT ** 2;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (DEVIATIONS_OF_95_PERCENT / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

export const fewSamplesRule = makeSampledRule({
  id: 'few-samples',
  onlyNotes: true,
  question: 'Are there enough samples?',
  evidence: 'the total divided by the cost of one sample; Wilson’s 95 % interval of the hottest routine’s share',
  threshold: `fewer than ${MIN_SAMPLES} samples, or ${MIN_SAMPLES_OF_FIRST} of the hottest routine if they have different costs`,
  assumes: 'samples are independent of each other',
  requires: ['routines', 'self'],
  find(e) {
    const { analysis, event, whole } = e;
    // Every tracepoint and wait is recorded. After transforms, the remaining samples say nothing about the recording.
    if (/^off-?cpu|^\w+:(?![ukhGHpPSDWIeb]+$)\w+/.test(event.name)) return [];
    if (!event.each || !(whole > 0) || analysis.profile.transformed) return [];
    const samples = Math.round(Math.abs(eventValue(event, analysis.totals.total, 0)) / event.each);
    const { value, order } = rankingBySelf(analysis, event);
    const [first] = order;
    if (samples === 0 || first === undefined) return [];
    const all = analysis.events.find(({ unit }) => unit === 'samples');
    const own = event.uneven && all ? eventValue(all, analysis.totals.self, first) : Number.POSITIVE_INFINITY;
    const target = viewSubject('samples', 'routines', { routine: first });
    if (samples >= MIN_SAMPLES && own < MIN_SAMPLES_OF_FIRST && event.unit !== 'bytes')
      return {
        ...say`${routineText(analysis.profile, first)} has ${asShare(e, 'self', value[first])} in only ${asCount('own', own)} of ${asCount('samples', samples, 'sample')}: its share is uncertain`,
        why: 'samples have different costs, and the largest are few',
        ...target,
      };
    if (samples >= MIN_SAMPLES) return [];
    // Other events have samples of their own, which the count of all samples includes.
    const of = all && eventValue(all, analysis.totals.total, 0) > samples ? say` of ${eventName(e)}` : EMPTY_PHRASE;
    const [low, high] = wilsonInterval(value[first] / whole, samples);
    // The interval is of equal samples: a few large ones make a share less certain than their number says.
    const interval = event.uneven
      ? EMPTY_PHRASE
      : say`, 95 % interval ${asShareOf('low', low, 1)} to ${asShareOf('high', high, 1)}`;
    return {
      ...say`Only ${asCount('samples', samples, 'sample')}${of}: shares are uncertain (${routineText(analysis.profile, first)}: ${asShare(e, 'self', value[first])}${interval})`,
      try: 'run the program longer, or sample more often',
      why: event.uneven ? 'samples have different costs' : '95 % interval (Wilson), assuming independent samples',
      ...target,
    };
  },
});
