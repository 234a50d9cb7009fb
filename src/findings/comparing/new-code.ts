// Routines that only one of the runs has, with what they call; what took the place of those that are gone.
import { measured } from '../../analysis/answers/compared/measure.ts';
import { beyondChance, noiseOf } from '../../analysis/answers/compared/noise.ts';
import { BEFORE, NOW } from '../../analysis/profiles/compare/match.ts';
import { eventValue } from '../../model/event-value.ts';
import { comparingRule, type Evidence, type Remark } from '../rule.ts';
import { cost, count, NOTHING, named, part, type Said, say } from '../say.ts';
import { instead, isMoved, LEAST_TEXT, leastChange, MOST_NAMED, wholeBefore } from './delta.ts';
import { isInlined } from './inlined-into.ts';

/** A routine that only one of the runs has, and its costs there. */
interface Alone {
  readonly routine: number;
  readonly isNew: boolean;
  readonly self: number;
  /** With its callees. */
  readonly value: number;
}

interface Caller {
  readonly routine: number;
  readonly value: number;
  readonly calls: number;
}

/** A routine with the caller that accounts for most, of those that both runs have. */
interface Found extends Alone {
  readonly caller: Caller | undefined;
}

/** The routines that only one of the runs has and that cost enough with their callees. */
function alone(e: Evidence): Alone[] {
  const { analysis, event } = e;
  const { totals, costing, profile } = analysis;
  const [now, before] = (['now', 'before'] as const).map((m) => measured(analysis, event, m));
  const least = leastChange(analysis, event, wholeBefore(e));
  const noise = noiseOf(analysis, event);
  const out: Alone[] = [];
  const sides = profile.compared?.routineSides ?? new Uint8Array(0);
  for (let routine = 0; routine < sides.length; routine++) {
    const isNew = sides[routine] === NOW;
    if (!isNew && sides[routine] !== BEFORE) continue;
    const shown = isNew ? now : before;
    const self = eventValue(shown, totals.self, routine);
    const value = Math.max(self, costing.can.has('inclusive') ? eventValue(shown, totals.inclusive, routine) : 0);
    if (value >= least && !isMoved(e, routine) && !isInlined(e, routine)) out.push({ routine, isNew, self, value });
  }
  return noise ? beyondChance(out, ({ isNew, value }) => noise.chance(isNew ? value : 0, isNew ? 0 : value)) : out;
}

/** The callers of a routine in the run that has it, the costliest first. */
function callersIn({ analysis, event }: Evidence, { routine, isNew }: Alone): Caller[] {
  const of = isNew ? analysis : analysis.before;
  if (!of?.costing.can.has('calls')) return [];
  const { edges } = of;
  const shown = isNew ? measured(analysis, event, 'now') : (event.pair?.[1] ?? event);
  const rows = Array.from(edges.into.order.subarray(edges.into.from[routine], edges.into.from[routine + 1]));
  return rows
    .filter((k) => edges.caller[k] !== routine)
    .map((k) => ({ routine: edges.caller[k], value: eventValue(shown, edges.costs, k), calls: edges.count[k] }))
    .sort((a, b) => b.value - a.value);
}

/** Routines called only by other new or gone routines are reported with their caller. */
function foremost(e: Evidence): Found[] {
  const all = alone(e);
  const known = new Set(all.map(({ routine }) => routine));
  return all
    .flatMap((one): Found[] => {
      const callers = callersIn(e, one);
      const caller = callers.find(({ routine }) => !known.has(routine));
      return callers.length > 0 && !caller ? [] : [{ ...one, caller }];
    })
    .sort((a, b) => b.value - a.value);
}

/** `2.75M including callees, 1.87M self` */
function costOf(e: Evidence, { value, self }: Alone, all: string, own: string): Said {
  return say`${cost(e, all, value)}${value > self ? say` including callees, ${cost(e, own, self)} self` : NOTHING}`;
}

function fromWhom({ profile }: Evidence, caller: Caller | undefined): Said {
  if (!caller) return NOTHING;
  const who = named(profile, caller.routine);
  return caller.calls > 0 ? say`, in ${count('calls', caller.calls, 'call')} from ${who}` : say`, called by ${who}`;
}

export const newCode = comparingRule({
  id: 'new-code',
  question: 'Which routines are new or gone, and what replaced them?',
  evidence: 'routines that exist in one run only and have callers in both, including callees',
  threshold: `including callees, ${LEAST_TEXT}; not a likely rename`,
  asks: ['routines', 'self'],
  find(e) {
    const whole = wholeBefore(e);
    const found = foremost(e);
    const replaced = new Set<Found>();
    const callers = new Set<number>();
    /** The code that took the place of a routine, or that it replaced: its caller's own, else another callee of it. Once for each caller. */
    const inPlace = ({ isNew, caller }: Found): Said => {
      if (!caller || callers.has(caller.routine)) return NOTHING;
      callers.add(caller.routine);
      const own = instead(e, caller.routine, isNew);
      const other = found.find((o) => o.isNew !== isNew && o.caller?.routine === caller.routine);
      if (own !== NOTHING || !other) return own;
      replaced.add(other);
      const costs = costOf(e, other, 'other', 'otherSelf');
      const [who, by] = [named(e.profile, other.routine), named(e.profile, caller.routine)];
      return isNew
        ? say`; it probably replaces ${who} (${costs}), which ${by} called in the base`
        : say`; ${who} (${costs}), which ${by} calls now, probably replaces it`;
    };
    const out: Remark[] = [];
    for (const one of found) {
      if (replaced.has(one)) continue;
      if (out.length === MOST_NAMED) break;
      const { routine, isNew, value, caller } = one;
      const costs = costOf(e, one, isNew ? 'now' : 'before', 'self');
      out.push({
        ...say`${named(e.profile, routine)} is ${isNew ? 'new and costs' : 'gone; it cost'} ${costs}, ${part('delta', value, whole)} of the base${fromWhom(e, caller)}${inPlace(one)}`,
        why: `no routine of ${isNew ? 'the base' : 'this run'} has this name, file and object, and no rename matched it`,
        ...{ subject: `routine ${routine}`, share: value / whole, sign: isNew ? 1 : -1 },
        target: { view: 'routines', report: 'changes', routine },
      });
    }
    return out;
  },
});
