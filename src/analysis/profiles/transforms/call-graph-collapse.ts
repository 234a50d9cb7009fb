// Collapsed frames of a call graph: calls of a routine by itself, and chains of routines that only ever call one.

import { staysInside } from '../../answers/line-calls.ts';
import { UNKNOWN } from '../../names/names.ts';
import type { Graph, GraphProfile } from './call-graph-flows.ts';
import { joinRoutines } from './call-graph-merge.ts';
import { RoutineDraft } from './routine-draft.ts';
import { alongNext } from './stack-chains.ts';

export function* collapseRoutines(graph: Graph, what: 'recursion' | 'chains'): Generator<undefined, GraphProfile> {
  const { profile } = graph;
  // A call graph has no paths: in a cycle of several routines, nobody knows which calls came back. So it stays as it is.
  if (what === 'recursion')
    return yield* joinRoutines(profile, profile, identity(profile), (caller, callee) => caller !== callee);
  const chains = chainsOf(graph);
  yield;
  if (chains.length === 0) return profile;
  const draft = new RoutineDraft(profile);
  const to = yield* draft.joinChains(chains, UNKNOWN);
  return yield* joinRoutines(profile, draft.head, to, (caller, callee) => to[caller] !== to[callee] || caller === callee);
}

const identity = ({ routines }: GraphProfile) => routines.name.map((_, r) => r);

/**
 * Chains as long as they go: each but the last calls the next alone, and nothing else calls that or starts in it. A routine
 * that calls itself, or that stands in a cycle with the next, is in none.
 */
function chainsOf({ edges, totals, flow }: Graph): number[][] {
  const { caller, callee, from, into } = edges;
  const n = totals.calls.length;
  const next = new Int32Array(n).fill(-1);
  for (let r = 0; r < n; r++) {
    if (from[r + 1] - from[r] !== 1) continue;
    const to = callee[from[r]];
    const alone = into.from[to + 1] - into.from[to] === 1 && caller[into.order[into.from[to]]] === r;
    if (!alone || flow.rest.some((column) => column[to] !== 0) || staysInside(totals.cycles.of, r, to)) continue;
    next[r] = to;
  }
  return alongNext(next);
}
