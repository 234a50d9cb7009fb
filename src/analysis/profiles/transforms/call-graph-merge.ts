// Merges several routines of a call graph: their costs are added, and calls among them are removed.
import { fillInSlices, type Sliced } from '../../../base/slices.ts';
import type { Calls } from '../../../model/callgraph/tables.ts';
import { pickColumnInSlices, pickRowsInSlices, selectedRows } from '../../../model/column.ts';
import type { Profile } from '../../../model/profile.ts';
import { staysInside } from '../../answers/line-calls.ts';
import { UNKNOWN_NAME } from '../../names/names.ts';
import { mergeEstimates, renumberTargets } from '../inlined/fold.ts';
import { buildRemainingProfile, estimatesOf } from './call-graph-draft.ts';
import type { GraphProfile, TransformGraph } from './call-graph-flows.ts';
import { RoutineDraft, routineWithoutFile } from './routine-draft.ts';
import { followChains } from './stack-chains.ts';
import { splitPattern } from './transform.ts';

/** Merges all matching routines into one, named by the expression in parentheses, without file and object. */
export function* mergeRoutines(profile: GraphProfile, hit: Uint8Array, pattern: string): Sliced<GraphProfile> {
  const draft = new RoutineDraft(profile);
  const [routine] = yield* draft.add([routineWithoutFile(`(${splitPattern(pattern).expression})`)]);
  const to = new Uint32Array(hit.length);
  for (let r = 0; r < to.length; r++) to[r] = hit[r] === 1 ? routine : r;
  yield;
  return yield* joinRoutines(profile, draft.head, to, (caller, callee) => hit[caller] === 0 || hit[callee] === 0);
}

/** Replaces each routine r by to[r], and keeps the calls for which `keepsCall` is true. Exact: no cost is shared. */
export function* joinRoutines(
  profile: GraphProfile,
  { strings, routines }: Pick<Profile, 'strings' | 'routines'>,
  to: Uint32Array,
  keepsCall: (caller: number, callee: number) => boolean,
): Sliced<GraphProfile> {
  const { spans, calls, jumps } = profile;
  const markKept = ({ span, callee }: Calls) =>
    fillInSlices(new Uint8Array(span.length), (i) => Number(keepsCall(spans.routine[span[i]], callee[i])));
  const kept = calls && (yield* selectedRows(yield* markKept(calls)));
  const estimated = mergeEstimates(estimatesOf(profile), to, routines.name.length);
  return yield* buildRemainingProfile(profile, {
    strings,
    routines,
    spans: { ...spans, routine: yield* pickColumnInSlices(to, spans.routine) },
    ...(calls && kept
      ? { calls: yield* pickRowsInSlices({ ...calls, callee: yield* pickColumnInSlices(to, calls.callee) }, kept) }
      : {}),
    ...(jumps ? { jumps: renumberTargets(jumps, to) } : {}),
    estimated: kept ? { ...estimated, calls: yield* pickColumnInSlices(estimated.calls, kept) } : estimated,
  });
}

// Collapsed frames of a call graph: calls of a routine by itself, and chains of routines that only ever call one.
export function* collapseRoutines(graph: TransformGraph, what: 'recursion' | 'chains'): Sliced<GraphProfile> {
  const { profile } = graph;
  // A call graph records no paths, so in a cycle of several routines the returning calls are unknown. Such cycles are kept.
  if (what === 'recursion') {
    const same = profile.routines.name.map((_, r) => r);
    return yield* joinRoutines(profile, profile, same, (caller, callee) => caller !== callee);
  }
  const chains = findCallChains(graph);
  yield;
  if (chains.length === 0) return profile;
  const draft = new RoutineDraft(profile);
  const to = yield* draft.joinChains(chains, UNKNOWN_NAME);
  return yield* joinRoutines(profile, draft.head, to, (caller, callee) => to[caller] !== to[callee] || caller === callee);
}

/**
 * The longest chains: each routine but the last calls only the next, which has no other caller and no start cost. Routines that
 * call themselves or are in a cycle with the next are in no chain.
 */
function findCallChains({ edges, totals, flow }: TransformGraph): number[][] {
  const { caller, callee, from, into } = edges;
  const n = totals.calls.length;
  const next = new Int32Array(n).fill(-1);
  for (let r = 0; r < n; r++) {
    if (from[r + 1] - from[r] !== 1) continue;
    const to = callee[from[r]];
    const isOnlyCall = into.from[to + 1] - into.from[to] === 1 && caller[into.order[into.from[to]]] === r;
    if (!isOnlyCall || flow.rest.some((column) => column[to] !== 0) || staysInside(totals.cycles.of, r, to)) continue;
    next[r] = to;
  }
  return followChains(next);
}
