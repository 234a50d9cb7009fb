// Collapsed frames of a call graph: calls of a routine by itself, and chains of routines that only ever call one.

import { staysInside } from '../../answers/line-calls.ts';
import { UNKNOWN_NAME } from '../../names/names.ts';
import type { GraphProfile, TransformGraph } from './call-graph-flows.ts';
import { joinRoutines } from './call-graph-merge.ts';
import { RoutineDraft } from './routine-draft.ts';
import { followChains } from './stack-chains.ts';

export function* collapseRoutines(graph: TransformGraph, what: 'recursion' | 'chains'): Generator<undefined, GraphProfile> {
  const { profile } = graph;
  // A call graph records no paths, so in a cycle of several routines the returning calls are unknown. Such cycles are kept.
  if (what === 'recursion')
    return yield* joinRoutines(profile, profile, unchangedRoutines(profile), (caller, callee) => caller !== callee);
  const chains = findCallChains(graph);
  yield;
  if (chains.length === 0) return profile;
  const draft = new RoutineDraft(profile);
  const to = yield* draft.joinChains(chains, UNKNOWN_NAME);
  return yield* joinRoutines(profile, draft.head, to, (caller, callee) => to[caller] !== to[callee] || caller === callee);
}

const unchangedRoutines = ({ routines }: GraphProfile) => routines.name.map((_, r) => r);

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
