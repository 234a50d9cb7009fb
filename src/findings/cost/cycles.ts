// Cycles: routines that call each other. Their inclusive costs are estimates.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { eventColumn } from '../../model/event-value.ts';
import { rankingBySelf } from '../hottest.ts';
import { costRule, routineSubject } from '../rule.ts';
import { count, eventName, listed, routineText, say, share, withAdvice } from '../say.ts';

const LEAST = 0.05;
const MOST_NAMED = 3;

/** Advice to record with fewer estimates; '' if none of the members has an estimated cost. */
function recordingAdvice({ totals, profile, events }: Analysis, members: readonly number[]): string {
  if (profile.kind !== 'callgraph' || !members.some((r) => totals.estimated?.inclusive[r] === 1)) return '';
  // Only Callgrind has these options. Other writers of its format do not count instructions (Ir).
  if (!events.some(({ name }) => name === 'Ir')) return '';
  return 'record with --separate-recs=5 or --separate-callers=3 for fewer estimated inclusive costs';
}

export const cycles = costRule({
  id: 'cycles',
  onlyNotes: true,
  question: 'Do routines call each other in a cycle?',
  evidence: 'the strongly connected routines of the call graph',
  threshold: 'the most expensive cycle takes at least 5 % including callees',
  requires: ['routines', 'calls', 'inclusive'],
  find(e) {
    const { analysis, event, whole } = e;
    const { cycles: found, cycleInclusive } = analysis.totals;
    if (found.count === 0) return [];
    const value = eventColumn(event, cycleInclusive, found.count + 1);
    let costliest = 1;
    for (let c = 2; c <= found.count; c++) if (value[c] > value[costliest]) costliest = c;
    if (!(value[costliest] >= LEAST * whole)) return [];
    const self = rankingBySelf(analysis, event).value;
    const members: number[] = [];
    found.of.forEach((cycle, r) => {
      if (cycle === costliest) members.push(r);
    });
    members.sort((a, b) => self[b] - self[a] || a - b);
    const names = members.slice(0, MOST_NAMED).map((r) => say`${routineText(analysis.profile, r)}`);
    const first = members.length > MOST_NAMED ? say`the most expensive are ${listed(names)}` : listed(names);
    return {
      ...say`${count('members', members.length, 'routine')} call each other in a cycle that takes ${share(e, 'cycleInclusive', value[costliest])} of ${eventName(e)} (${first})`,
      why: 'each reaches every other through recorded calls; inclusive costs marked ≈ are estimates',
      ...withAdvice(recordingAdvice(analysis, members)),
      ...routineSubject(members[0], value[costliest] / whole),
      subject: `cycle ${costliest}`,
    };
  },
});
