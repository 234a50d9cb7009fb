// Times of calls within a cycle: gprof gives their number alone.
import { addTo } from '../../base/lists.ts';
import type { RoutineId } from '../../model/column.ts';

/** A row of self time; `line` 0 is unknown. */
export interface Self {
  readonly routine: RoutineId;
  readonly line: number;
  readonly us: number;
  readonly calls: number;
}

/** Calls of a caller, with the time of the callee and all that it calls; not `timed` within a cycle. */
export interface Call {
  readonly caller: RoutineId;
  readonly callee: RoutineId;
  /** The caller's line; 0 is unknown. */
  readonly line: number;
  us: number;
  readonly count: number;
  readonly timed: boolean;
}

/** More is passed on than is left after so many rounds only in long chains of calls. */
const ROUNDS = 100;
const LEAST_US = 0.5;

/**
 * Gives the calls within cycles a time; true if there are any. Callers pay a member for the whole cycle: what it does not need for itself and
 * for its callees outside goes on to other members, by the number of calls, until all have what they need.
 */
export function shareInCycles(calls: readonly Call[], selves: readonly Self[], cycleOf: ReadonlyMap<RoutineId, string>): boolean {
  const over = new Map([...cycleOf.keys()].map((r) => [r, 0]));
  const add = (r: RoutineId, us: number) => {
    const now = over.get(r);
    if (now !== undefined) over.set(r, now + us);
  };
  for (const { routine, us } of selves) add(routine, -us);
  const inner = new Map<RoutineId, Call[]>();
  for (const call of calls) {
    add(call.caller, -call.us);
    add(call.callee, call.us);
    if (!call.timed && call.caller !== call.callee && call.count > 0) addTo(inner, call.caller, call);
  }
  limitToNeeds(over, cycleOf);
  let moved = true;
  for (let round = 0; moved && round < ROUNDS; round++) {
    moved = false;
    for (const [caller, list] of inner) {
      const more = over.get(caller) ?? 0;
      if (more < LEAST_US) continue;
      moved = true;
      add(caller, -more);
      const all = list.reduce((sum, { count }) => sum + count, 0);
      for (const call of list) {
        const us = (more * call.count) / all;
        call.us += us;
        add(call.callee, us);
      }
    }
  }
  for (const list of inner.values()) for (const call of list) call.us = Math.round(call.us);
  return inner.size > 0;
}

/** Times are rounded: what is paid for a cycle may be more than its members need. */
function limitToNeeds(over: Map<RoutineId, number>, cycleOf: ReadonlyMap<RoutineId, string>): void {
  const sums = new Map<string, [more: number, less: number]>();
  for (const [r, cycle] of cycleOf) {
    const us = over.get(r) ?? 0;
    const [more, less] = sums.get(cycle) ?? [0, 0];
    sums.set(cycle, [more + Math.max(0, us), less + Math.max(0, -us)]);
  }
  for (const [r, cycle] of cycleOf) {
    const us = over.get(r) ?? 0;
    const [more, less] = sums.get(cycle) ?? [0, 0];
    if (us > 0 && more > less) over.set(r, us * (less / more));
  }
}
