// Estimates the times of calls within a cycle, since gprof records only their counts, and tells which times are estimates by gprof: it
// shares out the time of a routine among its callers by their numbers of calls.
import { addToList } from '../../base/lists.ts';
import type { Calls, Estimated, LineTables } from '../../model/callgraph/tables.ts';
import { type Index, indexBy, pickColumn, type RoutineId, rowsOfKey } from '../../model/column.ts';

/** Self time of a routine; line 0 means that the line is unknown. */
export interface SelfTime {
  readonly routine: RoutineId;
  readonly line: number;
  readonly us: number;
  readonly calls: number;
}

/** Calls from a caller to a callee, with the callee's inclusive time; `isTimed` is false for calls within a cycle. */
export interface GprofCall {
  readonly caller: RoutineId;
  readonly callee: RoutineId;
  /** The caller's line; 0 if unknown. */
  readonly line: number;
  us: number;
  readonly count: number;
  readonly isTimed: boolean;
}

/** Maximum number of rounds. Only long chains of calls need more. */
const MAX_ROUNDS = 100;
const MIN_SURPLUS_US = 0.5;

/**
 * Estimates the times of calls within cycles; returns true if there are any. A member called from outside receives the time of
 * the whole cycle. It passes its surplus on to the members it calls, in proportion to call counts.
 */
export function estimateCycleTimes(
  calls: readonly GprofCall[],
  selves: readonly SelfTime[],
  cycleOf: ReadonlyMap<RoutineId, string>,
): boolean {
  const over = new Map([...cycleOf.keys()].map((r) => [r, 0]));
  const add = (r: RoutineId, us: number) => {
    const now = over.get(r);
    if (now !== undefined) over.set(r, now + us);
  };
  for (const { routine, us } of selves) add(routine, -us);
  const inner = new Map<RoutineId, GprofCall[]>();
  for (const call of calls) {
    add(call.caller, -call.us);
    add(call.callee, call.us);
    if (!call.isTimed && call.caller !== call.callee && call.count > 0) addToList(inner, call.caller, call);
  }
  capSurplus(over, cycleOf);
  let moved = true;
  for (let round = 0; moved && round < MAX_ROUNDS; round++) {
    moved = false;
    for (const [caller, list] of inner) {
      const more = over.get(caller) ?? 0;
      if (more < MIN_SURPLUS_US) continue;
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

/** Scales the surplus of a cycle's members down to the deficit of its other members, since rounded times may exceed it. */
function capSurplus(surplus: Map<RoutineId, number>, cycleOf: ReadonlyMap<RoutineId, string>): void {
  const sums = new Map<string, [more: number, less: number]>();
  for (const [r, cycle] of cycleOf) {
    const us = surplus.get(r) ?? 0;
    const [more, less] = sums.get(cycle) ?? [0, 0];
    sums.set(cycle, [more + Math.max(0, us), less + Math.max(0, -us)]);
  }
  for (const [r, cycle] of cycleOf) {
    const us = surplus.get(r) ?? 0;
    const [more, less] = sums.get(cycle) ?? [0, 0];
    if (us > 0 && more > less) surplus.set(r, us * (less / more));
  }
}

/** Maximum number of visited calls. In graphs that need more, all inclusive times that contain calls are taken as estimates. */
const MAX_VISITS = 20_000_000;

/**
 * Flags of the times of calls. A call's time is exact if its callee has no other caller and an exact inclusive time; an inclusive time is exact if
 * all that the routine reaches is called from nowhere else. Calls of routines without time are exact. `time`: the cost column.
 */
export function estimatesOfShares({ spans, lines }: LineTables, calls: Calls, time: number, routines: number): Estimated {
  const caller = pickColumn(spans.routine, calls.span);
  const total = new Float64Array(routines);
  for (let s = 0; s < spans.routine.length; s++)
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) total[spans.routine[s]] += lines.costs[time][i];
  for (let i = 0; i < caller.length; i++) total[caller[i]] += calls.costs[time][i];
  const unlessSelf = (ends: Uint32Array) => Int32Array.from(ends, (r, i) => (caller[i] !== calls.callee[i] ? r : -1));
  const [below, above] = [caller, calls.callee].map((ends) => indexBy(unlessSelf(ends), routines));
  let visits = 0;
  /** Whether what a routine reaches has callers that it does not reach. */
  const isShared = (root: number): boolean => {
    const reached = new Set([root]);
    for (const r of reached) for (const i of rowsOfKey(below, r)) if (++visits < MAX_VISITS) reached.add(calls.callee[i]);
    if (visits >= MAX_VISITS) return rowsOfKey(below, root).length > 0;
    // A share may be rounded to 0, so the time of the callee counts.
    return [...reached].some((r) => r !== root && total[r] > 0 && hasCallerOutside(above, caller, r, reached));
  };
  const inclusive = Uint8Array.from({ length: routines }, (_, r) => Number(isShared(r)));
  const isEstimate = (callee: number, i: number) =>
    caller[i] !== callee &&
    (inclusive[callee] === 1 || (total[callee] > 0 && hasCallerOutside(above, caller, callee, new Set([caller[i]]))));
  return { self: new Uint8Array(routines), inclusive, calls: Uint8Array.from(calls.callee, (r, i) => Number(isEstimate(r, i))) };
}

const hasCallerOutside = (above: Index, caller: Uint32Array, r: number, inside: ReadonlySet<number>): boolean =>
  rowsOfKey(above, r).some((i) => !inside.has(caller[i]));
