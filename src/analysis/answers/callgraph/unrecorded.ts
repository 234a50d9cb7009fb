// Cost that callers paid for a routine and that no body explains: of a pruned file, of filters, of collection that was off meanwhile.
// It is part of the routine's inclusive cost and of no self cost. Between members of a cycle a call costs what other calls cost, too, so a
// cycle is looked at as a whole: calls from outside, less the self costs of its members and the calls that leave it.
import { runInSlices, type Sliced } from '../../../base/slices.ts';
import { rowsOfKey } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { Cycles, Edges } from '../costing.ts';
import { calleeEdges, callerEdges } from '../edges.ts';
import type { Active } from '../once.ts';
import { primaryColumns } from './flow.ts';

/** Sums of scaled numbers differ by less. */
export const ROUNDING_SHARE = 1e-9;
const ROUNDING_SHARE_OF_ESTIMATES = 1e-6;
/** In a file with totals of its own, less than this share is cost that Valgrind counts elsewhere (signal handlers, new threads). */
const MIN_SHARE_BESIDE_TOTALS = 0.05;

/** By raw column and routine; undefined if there is none. Yields between slices of work. */
export function* findUnrecorded(
  profile: ProfileOf<'callgraph'>,
  active: Active,
  edges: Edges,
  self: readonly Float64Array[],
  { of, count }: Cycles,
): Sliced<readonly Float64Array[] | undefined> {
  // Bodies in the part that was cut off may be inside of one another: their costs would count more than once.
  if (profile.cut || isOfSamples(edges)) return undefined;
  const routines = of.length;
  const unitOf = (r: number) => (of[r] > 0 ? routines + of[r] : r);
  const out = self.map(() => new Float64Array(routines));
  const hasTotals = profile.parts.some((part, p) => (part.totals ?? part.summary) !== null && (!active || active(p)));
  const leads = primaryColumns(profile);
  let isAny = false;
  for (const [c, cost] of edges.costs.entries()) {
    if (leads[c] !== c || cost.some((value) => value < 0) || self[c].some((value) => value < 0)) continue;
    const [has, paid] = [new Float64Array(routines + count + 1), new Float64Array(routines + count + 1)];
    for (let r = 0; r < routines; r++) has[unitOf(r)] += self[c][r];
    yield* runInSlices(cost.length, (from, to) => {
      for (let e = from; e < to; e++) {
        const [a, b] = [unitOf(edges.caller[e]), unitOf(edges.callee[e])];
        if (a === b) continue;
        has[a] += cost[e];
        paid[b] += cost[e];
      }
    });
    const more = paid.map((sum, unit) => Math.max(0, sum - has[unit]));
    const total = self[c].reduce((sum, value) => sum + value, 0);
    const all = more.reduce((sum, value) => sum + value, 0);
    const isCounted = Math.abs(recordedTotal(profile, active, c) - total - all) <= ROUNDING_SHARE_OF_ESTIMATES * all;
    if (all === 0 || (hasTotals && !isCounted && all <= MIN_SHARE_BESIDE_TOTALS * total)) continue;
    // A sample more or less is rounding of the profiler.
    const each = profile.events.find((e) => e.terms.length === 1 && e.terms[0][1] === c)?.each ?? 0;
    const rounding = profile.transformed ? ROUNDING_SHARE_OF_ESTIMATES : ROUNDING_SHARE;
    for (let r = 0; r < routines; r++) {
      const unit = unitOf(r);
      if (more[unit] <= Math.max(each, rounding * paid[unit])) continue;
      const share = of[r] === 0 ? 1 : entering(edges, of, r, cost) / paid[unit];
      for (const [half, lead] of leads.entries()) {
        if (lead !== c) continue;
        out[half][r] = half === c ? more[unit] * share : shortfall(edges, of, r, half, self);
        isAny ||= out[half][r] !== 0;
      }
    }
  }
  return isAny ? out : undefined;
}

/** The total of a column as the parts record it; NaN if one does not. An export of such a profile counts what no body explains. */
function recordedTotal({ parts, events }: ProfileOf<'callgraph'>, active: Active, column: number): number {
  const event = events.findIndex(({ terms }) => terms.length === 1 && terms[0][1] === column);
  const counted = parts.filter((_, p) => !active || active(p));
  return counted.reduce((sum, { totals, summary }) => sum + Number((totals ?? summary)?.[event] ?? Number.NaN), 0);
}

/** Whether calls were made of samples (pprof): none was counted, or each counts as what it costs. Their nodes overlap, and nothing is missing. */
const isOfSamples = ({ count, costs: [cost] }: Edges): boolean =>
  count.every((n) => n === 0) || count.every((n, e) => n === cost?.[e]);

/** The cost with which a member's cycle is entered through it. */
function entering({ caller, into }: Edges, of: Uint32Array, routine: number, cost: Float64Array): number {
  return rowsOfKey(into, routine).reduce((sum, e) => (of[caller[e]] === of[routine] ? sum : sum + cost[e]), 0);
}

/** Paid less explained, in a half of a large count: with the other half it makes the exact difference. None is known inside of cycles. */
function shortfall(edges: Edges, of: Uint32Array, routine: number, half: number, self: readonly Float64Array[]): number {
  if (of[routine] > 0) return 0;
  const cost = edges.costs[half];
  const missing = calleeEdges(edges, routine).reduce((sum, e) => sum - cost[e], -self[half][routine]);
  return callerEdges(edges, routine).reduce((sum, e) => sum + cost[e], missing);
}
