// The Costing of cost by input size.
import { questionsOf } from '../../../model/kinds.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { pickRows } from '../../../model/table.ts';
import type { CallSiteQuery, CallSites, Costing, Edges } from '../costing.ts';
import { isWantedCall } from '../line-calls.ts';
import { type Active, activeIn, once } from '../once.ts';
import { withoutLines } from '../without.ts';
import { contextCallers, contextGroups, contextTree, invertedContexts } from './context-tree.ts';
import { contextCosts, contextEdges, inputTotals, NO_CONTEXTS } from './points.ts';

export function inputCosting(profile: ProfileOf<'inputs'>, partsOff: ReadonlySet<number>): Costing {
  const { contexts, inputs } = profile;
  const active = activeIn(partsOff);
  return {
    ...withoutLines,
    ...contextCosting(() => profile, active, true),
    can: questionsOf(profile),
    counts: { points: inputs.size.length, ...(contexts ? { contexts: contexts.id.length } : {}) },
    totals: once(() => inputTotals(profile, active)),
  };
}

/** Answers from calling contexts. `numbered`: nodes of the tree name their contexts, which a table of the profile has. */
export function contextCosting(
  profile: () => ProfileOf<'inputs'>,
  active?: Active,
  numbered = false,
): Pick<Costing, 'edges' | 'callSites' | 'groups' | 'tree' | 'callersOf'> {
  const whole = once(profile);
  const contexts = () => whole().contexts ?? NO_CONTEXTS;
  const costs = once(() => contextCosts(whole()));
  const edges = once(() => contextEdges(whole(), costs(), active));
  return {
    edges,
    callSites: (of) => (whole().contexts && (of === 'all' || !('inFile' in of)) ? edgeSites(edges(), of) : undefined),
    groups: (of) => whole().contexts && contextGroups(contexts(), costs(), active, of),
    tree: (inverted) =>
      inverted ? invertedContexts(contexts(), costs(), active) : contextTree(contexts(), costs(), active, numbered),
    callersOf: (routine) => contextCallers(contexts(), costs(), active, routine),
  };
}

/** Calls between contexts have no source position, so each edge is one site. */
function edgeSites(edges: Edges, of: CallSiteQuery): CallSites {
  const list = Array.from(edges.caller.keys()).filter((e) => isWantedCall(of, edges.caller[e], edges.callee[e], -1));
  const { caller, callee, count, costs } = edges;
  const nowhere = { file: new Int32Array(caller.length).fill(-1), line: new Uint32Array(caller.length) };
  return pickRows({ caller, callee, ...nowhere, count, costs }, list);
}
