// Routines with several callers, one of which causes nearly all of the cost.
import { callsSuffix, mainCaller, mainSite, siteSuffix } from '../calls.ts';
import { rankingByInclusive } from '../hottest.ts';
import { costRule, type RuleResult, routineSubject } from '../rule.ts';
import { count, eventName, part, routineText, say, share } from '../say.ts';
import { hasNoFinding, subjectByName } from './code-names.ts';

const LEAST = 0.05;
const NEARLY_ALL = 0.9;
/** With fewer callers, a dominant one is nothing special. */
const LEAST_CALLERS = 3;
/** Maximum routines to examine. */
const LOOKED_AT = 200;
const MOST_NAMED = 2;

export const oneEdge = costRule({
  id: 'one-edge',
  question: 'Does one of several callers cause nearly all of a routine’s cost?',
  evidence: 'the calls to the 200 routines with the highest inclusive cost',
  threshold: `an inclusive cost of at least 5 %; at least ${LEAST_CALLERS} callers, one of which causes 90 % or more`,
  requires: ['routines', 'calls', 'inclusive'],
  *find(e) {
    const { analysis, profile, event, whole } = e;
    const { value, order } = rankingByInclusive(analysis, event);
    const found: RuleResult[] = [];
    for (const r of order.subarray(0, LOOKED_AT)) {
      if (value[r] < LEAST * whole || hasNoFinding(profile, r)) continue;
      const caller = mainCaller(e, r);
      yield;
      if (!caller || caller.callers < LEAST_CALLERS || caller.value < NEARLY_ALL * value[r] || caller.value > value[r]) continue;
      // Slow for sampled stacks: it reads all of them.
      const site = mainSite(e, caller.routine, r);
      yield;
      const at = siteSuffix(site, site?.value ?? 0, caller.value);
      found.push({
        ...say`${routineText(profile, caller.routine)}, one of ${count('callers', caller.callers, 'caller')}, causes ${part('fromCaller', caller.value, value[r])} of the inclusive cost of ${routineText(profile, r)}: ${share(e, 'edge', caller.value)} of ${eventName(e)}${at}${callsSuffix(e, caller.calls)}`,
        why: 'recorded cost of the calls, by caller',
        ...routineSubject(r, caller.value / whole),
        // A routine that is reported by purpose shares that subject.
        subject: subjectByName(profile, r) ?? `routine ${r}`,
      });
      if (found.length === MOST_NAMED) break;
    }
    return found;
  },
});
