// How much the whole program costs more or less than in the base.
import { measured } from '../../analysis/compare/measure.ts';
import { noiseOf } from '../../analysis/compare/noise.ts';
import { eventValue } from '../../model/event-value.ts';
import { rule } from '../rule.ts';
import { cost, eventName, part, say } from '../say.ts';

export const totalChange = rule({
  id: 'total-change',
  group: 'comparing',
  question: 'Does the program cost more or less than in the base?',
  evidence: 'the totals of both runs',
  threshold: 'any difference that is more than chance',
  asks: ['routines', 'self'],
  runs: 'two',
  find(e) {
    const { analysis, event } = e;
    const [now, before] = (['now', 'before'] as const).map((m) =>
      eventValue(measured(analysis, event, m), analysis.totals.total, 0),
    );
    const { compared } = analysis.profile;
    const spread = compared?.runs?.spread.get(event.name);
    // What transforms left is not the program.
    if (!compared || compared.now.transformed || (spread && now >= spread[0] && now <= spread[1])) return [];
    const delta = now - before;
    const noise = noiseOf(analysis, event);
    if (!(before > 0) || delta === 0 || (noise && Math.abs(delta) <= noise(now, before))) return [];
    return [
      {
        ...say`All in all, the program costs ${part('delta', Math.abs(delta), before)} ${delta > 0 ? 'more' : 'less'} ${eventName(e)} than in the base: ${cost(e, 'now', now)} instead of ${cost(e, 'before', before)}`,
        why: 'the totals of both runs',
        subject: 'totals',
        share: undefined,
        target: { view: 'info', report: 'summary' },
      },
    ];
  },
});
