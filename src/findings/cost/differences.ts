// The greatest changes in a file that is the difference of two profiles: cg_diff and pprof -diff_base write such files.

import { wholeOf } from '../../analysis/answers/analysis.ts';
import { isDifference } from '../../analysis/answers/differences.ts';
import { orderByNumber } from '../../analysis/answers/order.ts';
import { eventValue } from '../../model/event-value.ts';
import { selfValues } from '../hottest.ts';
import { costRule, ofProfile, ofRoutine, type Remark } from '../rule.ts';
import { cost, eventName, named, say } from '../say.ts';

const LEAST = 0.02;
const MOST_NAMED = 4;

export const differences = costRule({
  id: 'differences',
  question: 'Which routines differ most, in a file that is the difference of two profiles?',
  evidence: 'the self costs of all routines, which have both signs',
  threshold: `the ${MOST_NAMED} greatest differences with at least 2 % of all differences added up without their signs`,
  asks: ['routines', 'self'],
  // The others ask for a whole; a difference has none.
  runs: 'any',
  find(e) {
    const { analysis, event, profile, totals } = e;
    if (analysis.before || event.per || !isDifference(analysis, event)) return [];
    const value = selfValues(analysis, event);
    const whole = wholeOf(analysis, event);
    const more = (by: number) => (by > 0 ? 'more' : 'less');
    const total = eventValue(event, totals.total, 0);
    const all: Remark = {
      ...say`The file is the difference of two profiles: in all, ${cost(e, 'total', Math.abs(total))} ${eventName(e)} ${more(total)}`,
      why: 'costs of both signs',
      ...ofProfile('totals'),
    };
    const sizes = Float64Array.from({ length: profile.routines.name.length }, (_, r) => Math.abs(value[r]));
    const routines = Array.from(orderByNumber(sizes, true).subarray(0, MOST_NAMED)).filter((r) => sizes[r] >= LEAST * whole);
    return [
      all,
      ...routines.map(
        (r): Remark => ({
          ...say`${named(profile, r)} costs ${cost(e, 'self', sizes[r])} ${eventName(e)} ${more(value[r])}`,
          why: 'its self cost; shares are of all differences without their signs',
          ...ofRoutine(r, sizes[r] / whole, 'routines'),
          sign: value[r] > 0 ? 1 : -1,
        }),
      ),
    ];
  },
});
