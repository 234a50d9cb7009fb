// Functions that the compiler inlined: their work is in their callers now.
import { measured } from '../../analysis/answers/compared/measure.ts';
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import { comparingRule, type Evidence } from '../rule.ts';
import { cost, fromTo, listed, named, say } from '../say.ts';
import { type Delta, LEAST_TEXT, largestOf, MOST_NAMED, wholeBefore } from './delta.ts';

/** Calls that are left, as a share of those before; a change of the callers' inclusive costs, and what their self costs took over, of the lost cost. */
const [LEFT, SAME, TAKEN] = [0.5, 0.1, 0.5];

interface Inlined extends Delta {
  readonly callers: readonly number[];
  /** The rise of the callers' self costs together. */
  readonly rise: number;
}

/** The callers that took over the cost of a routine; undefined if they cost more or less than before as a whole. */
function takenOver({ analysis, event }: Evidence, d: Delta): Inlined | undefined {
  const { edges, totals, costing } = analysis;
  if (!costing.can.has('calls') || !costing.can.has('inclusive')) return undefined;
  const [now, before] = (['now', 'before'] as const).map((m) => measured(analysis, event, m));
  const lost = d.before - d.now;
  let [rise, change] = [0, 0];
  const callers = new Set<number>();
  for (let i = edges.into.from[d.routine]; i < edges.into.from[d.routine + 1]; i++) {
    const k = edges.into.order[i];
    const caller = edges.caller[k];
    if (caller === d.routine || callers.has(caller) || eventValue(before, edges.costs, k) <= 0) continue;
    const self = eventValue(now, totals.self, caller) - eventValue(before, totals.self, caller);
    if (self <= 0) continue;
    callers.add(caller);
    rise += self;
    change += Math.abs(eventValue(now, totals.inclusive, caller) - eventValue(before, totals.inclusive, caller));
  }
  return rise >= TAKEN * lost && change <= SAME * d.before ? { ...d, callers: [...callers], rise } : undefined;
}

const inlinedOf = memo(
  (e: Evidence): readonly Inlined[] =>
    largestOf(
      e,
      ({ delta, state, calls, callsBefore }) => delta < 0 && (state === 'gone' || calls <= LEFT * callsBefore),
    ).flatMap((d) => takenOver(e, d) ?? []),
  4,
);

/** Whether a routine was inlined, or has the self cost of routines that were. */
export const isInlined = (e: Evidence, routine: number): boolean =>
  inlinedOf(e).some((d) => d.routine === routine || d.callers.includes(routine));

export const inlinedInto = comparingRule({
  id: 'inlined-into',
  question: 'Which functions were inlined into their callers?',
  evidence: 'routines that are gone or called at most half as often; the self and inclusive costs of their callers in both runs',
  threshold: `${LEAST_TEXT}; the inclusive costs of the callers changed by at most a tenth of what the routine cost, and their self costs took over at least half of what it lost`,
  asks: ['routines', 'self', 'calls'],
  find(e) {
    const { profile } = e;
    const whole = wholeBefore(e);
    return inlinedOf(e)
      .slice(0, MOST_NAMED)
      .map((d) => ({
        ...say`${named(profile, d.routine)} seems to be inlined into ${listed(d.callers.slice(0, MOST_NAMED).map((r) => named(profile, r)))}${d.callers.length > MOST_NAMED ? ' and others' : ''}: its self cost fell ${fromTo(e, d.before, d.now)}, theirs rose by ${cost(e, 'rise', d.rise)}, and their inclusive cost is about the same`,
        why: 'it is gone or called less, and the inclusive costs of its callers changed by at most a tenth of what it cost',
        subject: `routine ${d.routine}`,
        share: Math.abs(d.delta) / whole,
        target: { view: 'calls', report: 'changes', routine: d.routine },
        estimated: true,
      }));
  },
});
