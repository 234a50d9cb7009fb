// Routines with several callers, one of which causes nearly all of the cost.
import { callsSuffix, mainCaller, mainCallLine, siteSuffix } from '../calls.ts';
import { rankingByInclusive } from '../hottest.ts';
import { makeCostRule, type RuleResult, routineSubject } from '../rule.ts';
import { asCount, asShare, asShareOf, eventName, routineText, say } from '../say.ts';
import { hasNoFinding, isLibrary, subjectByName } from './code-names.ts';

const MIN_SHARE = 0.05;
const CALLER_SHARE = 0.9;
/** Minimum number of callers. Among fewer callers, a dominant one is nothing special. */
const MIN_CALLERS = 3;
const MAX_ROUTINES = 200;
const MAX_NAMED_ROUTINES = 2;

export const oneEdgeRule = makeCostRule({
  id: 'one-edge',
  question: 'Does one of several callers cause nearly all of a routine’s cost?',
  evidence: 'the calls to the 200 routines with the highest inclusive cost',
  threshold: `an inclusive cost of at least 5 %; at least ${MIN_CALLERS} callers, one of which causes 90 % or more and is no library code`,
  requires: ['routines', 'calls', 'inclusive'],
  *find(e) {
    const { analysis, profile, event, whole } = e;
    const { value, order } = rankingByInclusive(analysis, event);
    const found: RuleResult[] = [];
    for (const r of order.subarray(0, MAX_ROUTINES)) {
      if (value[r] < MIN_SHARE * whole || hasNoFinding(profile, r)) continue;
      const caller = mainCaller(e, r);
      yield;
      if (!caller || isLibrary(profile, caller.routine) || caller.callers < MIN_CALLERS) continue;
      if (caller.value < CALLER_SHARE * value[r] || caller.value > value[r]) continue;
      // Slow for sampled stacks: it reads all of them.
      const site = mainCallLine(e, caller.routine, r);
      yield;
      const at = siteSuffix(site, site?.value ?? 0, caller.value);
      found.push({
        ...say`${routineText(profile, caller.routine)}, one of ${asCount('callers', caller.callers, 'caller')}, causes ${asShareOf('fromCaller', caller.value, value[r])} of the inclusive cost of ${routineText(profile, r)}: ${asShare(e, 'edge', caller.value)} of ${eventName(e)}${at}${callsSuffix(e, caller.calls)}`,
        why: 'recorded cost of the calls, by caller',
        ...routineSubject(r, caller.value / whole),
        // A rule that reports the routine by purpose uses this subject, too, so that only one finding is shown.
        subject: subjectByName(profile, r) ?? `routine ${r}`,
      });
      if (found.length === MAX_NAMED_ROUTINES) break;
    }
    return found;
  },
});
