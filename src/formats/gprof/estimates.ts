// Which times of a call graph by gprof are estimates: it shares out the time of a routine among its callers by their numbers of calls.
import type { Calls, Estimated, LineTables } from '../../model/callgraph/tables.ts';
import { type Index, indexBy, rowsOfKey } from '../../model/column.ts';
import { pickColumn } from '../../model/table.ts';

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
  const unlessSelf = (i: number, key: number) => (caller[i] !== calls.callee[i] ? key : -1);
  const below = indexBy(
    Int32Array.from(caller, (r, i) => unlessSelf(i, r)),
    routines,
  );
  const above = indexBy(
    Int32Array.from(calls.callee, (r, i) => unlessSelf(i, r)),
    routines,
  );
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
