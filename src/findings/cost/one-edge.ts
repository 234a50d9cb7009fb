// Cost that arrives over one edge: a routine has several callers, and one of them makes nearly all of it.
import { inCalls, mainCaller, mainSite, siteOf } from '../calls.ts';
import { byInclusive } from '../hottest.ts';
import { costRule, ofRoutine, type Remark } from '../rule.ts';
import { count, eventName, named, part, say, share } from '../say.ts';
import { hasNoFinding, subjectByName } from './code-names.ts';

const LEAST = 0.05;
const NEARLY_ALL = 0.9;
/** Fewer callers leave no choice. */
const LEAST_CALLERS = 3;
/** Routines that are looked at. */
const LOOKED_AT = 200;
const MOST_NAMED = 2;

export const oneEdge = costRule({
  id: 'one-edge',
  question: 'Does one of several callers cause nearly all of a routine’s cost?',
  evidence: 'the calls to the 200 routines with the highest inclusive cost',
  threshold: `an inclusive cost of at least 5 %; at least ${LEAST_CALLERS} callers, one of which causes 90 % or more`,
  asks: ['routines', 'calls', 'inclusive'],
  *find(e) {
    const { analysis, profile, event, whole } = e;
    const { value, order } = byInclusive(analysis, event);
    const found: Remark[] = [];
    for (const r of order.subarray(0, LOOKED_AT)) {
      if (value[r] < LEAST * whole || hasNoFinding(profile, r)) continue;
      const caller = mainCaller(e, r);
      yield;
      if (!caller || caller.callers < LEAST_CALLERS || caller.value < NEARLY_ALL * value[r] || caller.value > value[r]) continue;
      // In sampled stacks, this goes through all of them.
      const site = mainSite(e, caller.routine, r);
      yield;
      const at = siteOf(site, site?.value ?? 0, caller.value);
      found.push({
        ...say`${named(profile, caller.routine)}, one of ${count('callers', caller.callers, 'caller')}, causes ${part('fromCaller', caller.value, value[r])} of the inclusive cost of ${named(profile, r)}: ${share(e, 'edge', caller.value)} of ${eventName(e)}${at}${inCalls(e, caller.calls)}`,
        why: 'recorded cost of the calls, by caller',
        ...ofRoutine(r, caller.value / whole),
        // A group's finding is not repeated for one of its routines.
        subject: subjectByName(profile, r) ?? `routine ${r}`,
      });
      if (found.length === MOST_NAMED) break;
    }
    return found;
  },
});
