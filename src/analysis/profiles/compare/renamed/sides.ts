// Routines that only one of two runs has, with their cost and calls in that run.
import { eventColumn } from '../../../../model/head.ts';
import type { Profile } from '../../../../model/profile.ts';
import { stringCount } from '../../../../model/strings.ts';
import type { Analysis } from '../../../answers/analysis.ts';
import { callsBefore, callsScale, eventOfBothRuns } from '../../../answers/compared/measure.ts';
import { orderByNumber } from '../../../answers/order.ts';
import { objectName, routineName, UNKNOWN_NAME } from '../../../names/names.ts';
import { IN_BASE, IN_THIS_RUN, unsymbolizedName } from '../match.ts';

export type ComparedRuns = NonNullable<ReturnType<typeof collectComparedRuns>>;

/** A routine with fewer samples may have been missed in the other run by chance. */
const MIN_SAMPLES = 10;

/** Collects routines by the first event that both runs have and that is a sum. Undefined if there is none. */
export function collectComparedRuns(analysis: Analysis) {
  const { profile, events, totals, edges } = analysis;
  const event = events.find((e) => !e.per);
  if (!profile.compared || !event) return undefined;
  const [now, before] = eventOfBothRuns(analysis, event);
  const last = callsBefore(analysis);
  const { routineSides } = profile.compared;
  const isRemoved = (r: number) => routineSides[r] === IN_BASE;
  const routines = routineSides.length;
  const byRoutine = (costs: readonly Float64Array[]) =>
    pickByRun(eventColumn(now, costs, routines), eventColumn(before, costs, routines), isRemoved);
  const count = edges.caller.length;
  const isOfRemoved = (e: number) => isRemoved(edges.caller[e]) || isRemoved(edges.callee[e]);
  const inclusive = byRoutine(totals.inclusive);
  const sample = profile.kind === 'stacks' ? Math.abs(now.terms[0]?.[0] ?? 1) : 0;
  const flat = count === 0;
  const least = Math.max(Number.MIN_VALUE, MIN_SAMPLES * sample);
  const scale = callsScale(analysis);
  const isNamed = uniqueNameTest(profile, routineSides, flat);
  const only = (side: number) => {
    const out: number[] = [];
    for (let r = 0; r < routines; r++) if (routineSides[r] === side && inclusive[r] >= least && isNamed(r)) out.push(r);
    return orderByNumber(inclusive, false, Uint32Array.from(out));
  };
  return {
    /** By routine, in the run that has it; in this run if both have it. Costs are those of one event. */
    self: byRoutine(totals.self),
    inclusive,
    calls: pickByRun(totals.calls, totals.inclusive[last], isRemoved, scale),
    edges,
    /** By edge, in the run that has it. */
    edgeCost: pickByRun(eventColumn(now, edges.costs, count), eventColumn(before, edges.costs, count), isOfRemoved),
    edgeCalls: pickByRun(edges.count, edges.costs[last], isOfRemoved, scale),
    /** The cost of one sample, since sampled costs differ by chance; 0 for exact ones. */
    sample,
    /** Whether there are no calls. Then a routine may have one row per file of its code, so its name counts. */
    flat,
    /**
     * Routines that only the base has, and those that only this run has, in order of cost. Routines without cost are left out.
     * Routines that are compared are close in memory.
     */
    removed: only(IN_BASE),
    added: only(IN_THIS_RUN),
  };
}

/** Whether a routine that only one run has has a name, and one that, of a flat profile, no routine of the other run has. */
function uniqueNameTest(profile: Profile, sides: Uint8Array, flat: boolean): (r: number) => boolean {
  const { name, object } = profile.routines;
  const has = new Uint8Array(flat ? stringCount(profile.strings) : 0);
  if (flat) for (let r = 0; r < name.length; r++) has[name[r]] |= sides[r];
  return (r) => {
    if (flat && has[name[r]] !== sides[r]) return false;
    const text = routineName(profile, r);
    return text !== UNKNOWN_NAME && text !== unsymbolizedName(objectName(profile, object[r]) ?? '');
  };
}

/** Picks values by run. `scale`: the factor for values of the base. */
function pickByRun(now: ArrayLike<number>, before: ArrayLike<number>, isBefore: (row: number) => boolean, scale = 1) {
  const out = new Float64Array(now.length);
  for (let i = 0; i < out.length; i++) out[i] = isBefore(i) ? before[i] * scale : now[i];
  return out;
}
