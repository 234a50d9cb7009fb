// The largest changes in a file that is a difference of two profiles, written by cg_diff or pprof -diff_base.

import { percentageBase } from '../../analysis/answers/analysis.ts';
import { isDifference } from '../../analysis/answers/differences.ts';
import { magnitudes, orderByNumber } from '../../analysis/answers/order.ts';
import { eventValue } from '../../model/head.ts';
import { selfValues } from '../hottest.ts';
import { makeCostRule, profileSubject, type RuleResult, routineSubject } from '../rule.ts';
import { asCost, EMPTY_PHRASE, eventName, routineText, say } from '../say.ts';

const MIN_SHARE = 0.02;
const MAX_NAMED = 4;

export const costDifferencesRule = makeCostRule({
  id: 'differences',
  question: 'Which routines differ most, where costs have both signs (a difference of two profiles, memory that is freed)?',
  evidence: 'the self costs of all routines, which have both signs',
  threshold: `the ${MAX_NAMED} greatest differences with at least 2 % of all differences added up without their signs`,
  requires: ['routines', 'self'],
  // Other values of `runs` require a total, which a file of differences does not have.
  runs: 'any',
  find(e) {
    const { analysis, event, profile, totals } = e;
    if (analysis.before || event.per || !isDifference(analysis, event)) return [];
    const value = selfValues(analysis, event);
    const whole = percentageBase(analysis, event);
    const more = (by: number) => (by > 0 ? 'more' : 'less');
    const total = eventValue(event, totals.total, 0);
    const all: RuleResult = {
      ...say`Costs have both signs, as in a difference of two profiles, or where memory is freed: in all, ${asCost(e, 'total', Math.abs(total))} ${eventName(e)}${total === 0 ? EMPTY_PHRASE : ` ${more(total)}`}`,
      why: 'recorded costs, added up with their signs',
      ...profileSubject('totals'),
    };
    const sizes = magnitudes(value);
    const routines = Array.from(orderByNumber(sizes, true).subarray(0, MAX_NAMED)).filter((r) => sizes[r] >= MIN_SHARE * whole);
    const differing = routines.map(
      (r): RuleResult => ({
        ...say`${routineText(profile, r)} costs ${asCost(e, 'self', sizes[r])} ${eventName(e)} ${more(value[r])}`,
        why: 'its self cost; shares are of all differences without their signs',
        ...routineSubject(r, sizes[r] / whole, 'routines'),
        sign: value[r] > 0 ? 1 : -1,
      }),
    );
    return [all, ...differing];
  },
});
