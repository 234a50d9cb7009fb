// The Costing of cost by input size.
import { questionsOf } from '../../../model/kinds.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { pickRows } from '../../../model/table.ts';
import type { CallSiteQuery, CallSites, Costing, Edges } from '../costing.ts';
import { isWantedCall } from '../line-calls.ts';
import { activeIn, once } from '../once.ts';
import { withoutCalls, withoutLines } from '../without.ts';
import { contextCallers, contextGroups, contextTree, invertedContexts } from './context-tree.ts';
import { contextCosts, contextEdges, inputTotals } from './points.ts';

/** `numbered`: nodes of the tree name their contexts, which a table of the profile has. */
export function inputCosting(profile: ProfileOf<'inputs'>, partsOff: ReadonlySet<number>, numbered = true): Costing {
  const active = activeIn(partsOff);
  const costs = once(() => contextCosts(profile));
  const edges = once(() => contextEdges(profile, costs(), active));
  const totals = once(() => inputTotals(profile, active));
  const { contexts } = profile;
  return {
    ...withoutLines,
    can: questionsOf(profile),
    counts: { points: profile.inputs.size.length, ...(contexts ? { contexts: contexts.id.length } : {}) },
    totals,
    edges,
    callSites(of) {
      if (!contexts || (of !== 'all' && 'inFile' in of)) return undefined;
      return edgeSites(edges(), of);
    },
    groups: (of) => (contexts ? contextGroups(contexts, costs(), active, of) : undefined),
    tree(inverted) {
      if (!contexts) return withoutCalls.tree(inverted);
      return inverted ? invertedContexts(contexts, costs(), active) : contextTree(contexts, costs(), active, numbered);
    },
    callersOf: (routine) => (contexts ? contextCallers(contexts, costs(), active, routine) : withoutCalls.callersOf(routine)),
  };
}

/** Calls between contexts have no source position, so each edge is one site. */
function edgeSites(edges: Edges, of: CallSiteQuery): CallSites {
  const list = Array.from(edges.caller.keys()).filter((e) => isWantedCall(of, edges.caller[e], edges.callee[e], -1));
  const { caller, callee, count, costs } = edges;
  const nowhere = { file: new Int32Array(caller.length).fill(-1), line: new Uint32Array(caller.length) };
  return pickRows({ caller, callee, ...nowhere, count, costs }, list);
}
