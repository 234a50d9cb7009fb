// Cycles: routines that call each other. Their inclusive costs are estimates.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { membersOf } from '../../analysis/answers/neighbours.ts';
import { eventColumn } from '../../model/head.ts';
import { rankingBySelf } from '../hottest.ts';
import { makeCostRule, routineSubject } from '../rule.ts';
import { asCount, asShare, eventName, firstNames, routineText, say } from '../say.ts';

const MIN_SHARE = 0.05;

/** Advice on how to record with fewer estimates; undefined if no member has an estimated cost. */
function recordingAdvice({ totals, profile, events }: Analysis, members: readonly number[]): string | undefined {
  if (profile.kind !== 'callgraph' || !members.some((r) => totals.estimated?.inclusive[r] === 1)) return undefined;
  // Only Callgrind has these options. Other writers of its format do not count instructions (Ir).
  if (!events.some(({ name }) => name === 'Ir')) return undefined;
  return 'record with --separate-recs=5 or --separate-callers=3 for fewer estimated inclusive costs';
}

export const cyclesRule = makeCostRule({
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
    if (!(value[costliest] >= MIN_SHARE * whole)) return [];
    const self = rankingBySelf(analysis, event).value;
    const members = membersOf(analysis, -1, costliest).sort((a, b) => self[b] - self[a] || a - b);
    const names = firstNames(members, (r) => routineText(analysis.profile, r), 'the most expensive are ');
    return {
      ...say`${asCount('members', members.length, 'routine')} call each other in a cycle that takes ${asShare(e, 'cycleInclusive', value[costliest])} of ${eventName(e)} (${names})`,
      why: 'each reaches every other through recorded calls; inclusive costs marked ≈ are estimates',
      try: recordingAdvice(analysis, members),
      ...routineSubject(members[0], value[costliest] / whole),
      subject: `cycle ${costliest}`,
    };
  },
});
