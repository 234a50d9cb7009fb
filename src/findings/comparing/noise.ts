// Differences that may be chance.

import { measured } from '../../analysis/compare/measure.ts';
import { noiseOf } from '../../analysis/compare/noise.ts';
import { eventValue } from '../../model/event-value.ts';
import { rule } from '../rule.ts';
import { cost, part, say } from '../say.ts';

export const noise = rule({
  id: 'noise',
  group: 'comparing',
  question: 'Is the difference of the totals more than chance?',
  evidence: 'the totals of two sampled runs, or of several runs of the base',
  threshold: 'the difference lies within the 95 % interval of two sampled counts, or within the spread of the base’s runs',
  runs: 'two',
  find(e) {
    const { analysis, event } = e;
    const { compared } = analysis.profile;
    const [delta, now, before] = (['delta', 'now', 'before'] as const).map((m) =>
      eventValue(measured(analysis, event, m), analysis.totals.total, 0),
    );
    if (!(before > 0)) return [];
    const half = noiseOf(analysis, event);
    const spread = compared?.runs?.spread.get(event.name);
    const target = { view: 'info', report: 'summary' };
    const differ = say`The totals differ by ${part('delta', delta, before)} (${cost(e, 'now', now)} now, ${cost(e, 'before', before)} in the base), which`;
    if (half && Math.abs(delta) <= half(now, before))
      return [
        {
          ...say`${differ} may be chance: two such runs differ by up to ${part('noise', half(now, before), before)} without a reason`,
          why: '95 % interval of the difference of two sampled counts',
          subject: 'noise',
          share: undefined,
          target,
        },
      ];
    if (spread && now >= spread[0] && now <= spread[1])
      return [
        {
          ...say`${differ} lies within the runs of the base: these took ${cost(e, 'least', spread[0])} to ${cost(e, 'most', spread[1])}`,
          why: 'the least and greatest total of the runs of the base',
          subject: 'noise',
          share: undefined,
          target,
        },
      ];
    return [];
  },
});
