// Routines that only one of the runs has, with what they call; what took the place of those that are gone.
import { measured } from '../../analysis/answers/compared/measure.ts';
import { eventValue } from '../../model/event-value.ts';
import { comparingRule, type Evidence } from '../rule.ts';
import { cost, count, NOTHING, named, part, type Said, say } from '../say.ts';
import { changeOf, type Delta, isMoved, LEAST_TEXT, leastChange, oneSided, stake, wholeBefore } from './delta.ts';

const MOST_NAMED = 3;

interface Caller {
  readonly routine: number;
  readonly value: number;
  readonly calls: number;
}

/** The callers of a routine in the run that has it, the costliest first. */
function callersIn({ analysis, event }: Evidence, { routine, state }: Delta): Caller[] {
  const of = state === 'new' ? analysis : analysis.before;
  if (!of?.costing.can.has('calls')) return [];
  const { edges } = of;
  const shown = state === 'new' ? measured(analysis, event, 'now') : (event.pair?.[1] ?? event);
  const rows = Array.from(edges.into.order.subarray(edges.into.from[routine], edges.into.from[routine + 1]));
  return rows
    .filter((k) => edges.caller[k] !== routine)
    .map((k) => ({ routine: edges.caller[k], value: eventValue(shown, edges.costs, k), calls: edges.count[k] }))
    .sort((a, b) => b.value - a.value);
}

/** The cost of a routine in the run that has it, with what it calls. */
function withCallees({ analysis, event }: Evidence, { routine, state, now, before }: Delta): number {
  const self = state === 'new' ? now : before;
  if (!analysis.costing.can.has('inclusive')) return self;
  const shown = measured(analysis, event, state === 'new' ? 'now' : 'before');
  return Math.max(self, eventValue(shown, analysis.totals.inclusive, routine));
}

/** The self cost of the caller that went the other way: what it does itself instead. */
function instead(e: Evidence, caller: Caller | undefined, delta: number): Said {
  const change = caller ? changeOf(e, caller.routine) : 0;
  if (!caller || change * delta >= 0 || Math.abs(change) < leastChange(e.analysis, e.event, wholeBefore(e))) return NOTHING;
  const more = change > 0 ? 'more' : 'less';
  return say`; the code of ${named(e.profile, caller.routine)} itself costs ${cost(e, 'instead', Math.abs(change))} ${more}`;
}

export const newCode = comparingRule({
  id: 'new-code',
  question: 'What is new, or gone, and what took its place?',
  evidence: 'routines that only one of the runs has and that the others call, with what they call',
  threshold: `with its callees, ${LEAST_TEXT}; not guessed to be the same code under another name`,
  asks: ['routines', 'self'],
  find(e) {
    const whole = wholeBefore(e);
    const { profile } = e.analysis;
    const found = oneSided(e).filter((d) => !isMoved(e, d));
    const alone = new Set(found.map(({ routine }) => routine));
    return (
      found
        .map((d) => ({ d, callers: callersIn(e, d), value: withCallees(e, d) }))
        .filter(({ d, value }) => value >= leastChange(e.analysis, e.event, whole) && d.delta !== 0)
        // Routines that only new routines call are told with these.
        .filter(({ callers }) => callers.length === 0 || callers.some(({ routine }) => !alone.has(routine)))
        .sort((a, b) => b.value - a.value)
        .slice(0, MOST_NAMED)
        .map(({ d, callers, value }) => {
          const caller = callers.find(({ routine }) => !alone.has(routine));
          const isNew = d.state === 'new';
          const self = isNew ? d.now : d.before;
          const counted = caller && caller.calls > 0;
          const from = !caller
            ? NOTHING
            : counted
              ? say`, in ${count('calls', caller.calls, 'call')} from ${named(profile, caller.routine)}`
              : say`, called by ${named(profile, caller.routine)}`;
          const callees = value > self ? say` with its callees, ${cost(e, 'self', self)} by itself` : NOTHING;
          const said = isNew
            ? say`${named(profile, d.routine)} is new and costs ${cost(e, 'now', value)}${callees}, ${part('delta', value, whole)} of the base${from}`
            : say`${named(profile, d.routine)} is gone; it cost ${cost(e, 'before', value)}${callees}, ${part('delta', value, whole)} of the base${from}`;
          return {
            ...say`${said}${instead(e, caller, d.delta)}`,
            why: `no routine of ${isNew ? 'the base' : 'this run'} has that name, file and object, or was matched otherwise`,
            ...stake(e, d),
            share: value / whole,
            target: { view: 'routines', report: 'changes', routine: d.routine },
          };
        })
    );
  },
});
