// Work that moved from one routine to another while the total stayed the same.
import { makeComparingRule, routineSubject } from '../rule.ts';
import { asCost, asShareOf, eventName, routineText, say } from '../say.ts';
import { baseTotal, findExchange } from './delta.ts';

export const exchangedWorkRule = makeComparingRule({
  id: 'exchanged',
  question: 'Did work move from one routine to another?',
  evidence: 'the largest rise and the largest fall of a self cost among routines of both runs, and the totals',
  threshold:
    'both are at least 1 % of the base and differ by less than 10 %; the total changed by less than 10 % of that. Then neither has a finding of its own',
  assumes: 'two changes that cancel each other have one cause',
  find(e) {
    const { analysis, profile, event } = e;
    const moved = findExchange(analysis, event);
    if (!moved) return [];
    const { from, to } = moved;
    const whole = baseTotal(e);
    return {
      ...say`Probably, work moved from ${routineText(profile, from.routine)} to ${routineText(profile, to.routine)}: ${asCost(e, 'fell', -from.delta)} less there, ${asCost(e, 'rose', to.delta)} more here (${asShareOf('share', to.delta, whole)} of the base); the total of ${eventName(e)} is nearly the same`,
      why: 'two changes that cancel each other have one cause',
      ...routineSubject(to.routine, to.delta / whole, 'changes'),
      estimated: true,
    };
  },
});
