// Cycles: routines that call each other, so that the inclusive cost of each is an estimate.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { eventColumn } from '../../model/event-value.ts';
import { bySelf } from '../hottest.ts';
import { costRule, ofRoutine } from '../rule.ts';
import { count, eventName, listed, named, say, share, tried } from '../say.ts';

const LEAST = 0.05;
const MOST_NAMED = 3;

/** How to record less of a cycle in one: some of its members have costs that are estimates. */
function advice({ totals, profile, events }: Analysis, members: readonly number[]): string {
  if (profile.kind !== 'callgraph' || !members.some((r) => totals.estimated?.inclusive[r] === 1)) return '';
  // Only the tool with these options counts instructions; others that write its format do not have them.
  if (!events.some(({ name }) => name === 'Ir')) return '';
  return 'record with --separate-recs=5 or --separate-callers=3 for fewer estimated inclusive costs';
}

export const cycles = costRule({
  id: 'cycles',
  remark: true,
  question: 'Do routines call each other in a cycle?',
  evidence: 'the strongly connected routines of the call graph',
  threshold: 'the most expensive cycle takes at least 5 % including callees',
  asks: ['routines', 'calls', 'inclusive'],
  find(e) {
    const { analysis, event, whole } = e;
    const { cycles: found, cycleInclusive } = analysis.totals;
    if (found.count === 0) return [];
    const value = eventColumn(event, cycleInclusive, found.count + 1);
    let costliest = 1;
    for (let c = 2; c <= found.count; c++) if (value[c] > value[costliest]) costliest = c;
    if (!(value[costliest] >= LEAST * whole)) return [];
    const self = bySelf(analysis, event).value;
    const members: number[] = [];
    found.of.forEach((cycle, r) => {
      if (cycle === costliest) members.push(r);
    });
    members.sort((a, b) => self[b] - self[a] || a - b);
    const names = members.slice(0, MOST_NAMED).map((r) => say`${named(analysis.profile, r)}`);
    const first = members.length > MOST_NAMED ? say`the most expensive are ${listed(names)}` : listed(names);
    return {
      ...say`${count('members', members.length, 'routine')} call each other in a cycle that takes ${share(e, 'cycleInclusive', value[costliest])} of ${eventName(e)} (${first})`,
      why: 'each reaches every other through recorded calls; inclusive costs marked ≈ are estimates',
      ...tried(advice(analysis, members)),
      ...ofRoutine(members[0], value[costliest] / whole),
      subject: `cycle ${costliest}`,
    };
  },
});
