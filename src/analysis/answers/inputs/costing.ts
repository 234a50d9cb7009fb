// The Costing of cost by input size.

import { pickRows } from '../../../model/column.ts';
import { eventValue } from '../../../model/head.ts';
import type { Contexts } from '../../../model/inputs/tables.ts';
import { type ProfileOf, questionsOf } from '../../../model/profile.ts';
import { costsAtRow } from '../callgraph/graph-tree.ts';
import { summedTree } from '../callgraph/summed-tree.ts';
import type { CallSiteQuery, CallSites, Costing, Edges, GroupCosts, GroupQuery } from '../costing.ts';
import { isWantedCall } from '../line-calls.ts';
import { type Active, activeIn, once } from '../once.ts';
import { pathTree } from '../path-tree.ts';
import { addNode, type Tree, type TreeNode, type TreeSource } from '../tree.ts';
import { withoutLines } from '../without.ts';
import { type ContextCosts, contextCosts, contextEdges, inputTotals, NO_CONTEXTS } from './points.ts';

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
): Pick<Costing, 'edges' | 'callSites' | 'groups' | 'tree' | 'routineTree'> {
  const whole = once(profile);
  const contexts = () => whole().contexts ?? NO_CONTEXTS;
  const costs = once(() => contextCosts(whole()));
  const edges = once(() => contextEdges(whole(), costs(), active));
  return {
    edges,
    callSites: (of) => (whole().contexts && (of === 'all' || !('inFile' in of)) ? edgeSites(edges(), of) : undefined),
    groups: (of) => whole().contexts && contextGroups(contexts(), costs(), active, of),
    tree(inverted) {
      if (!inverted) return contextTree(contexts(), costs(), () => outermostContexts(contexts(), active, 'parent', -1), numbered);
      const [{ id, part }, { self }] = [contexts(), costs()];
      const costly = (c: number) => (!active || active(part[c])) && self.some((column) => column[c] !== 0);
      return callersFrom(contexts(), costs(), 'self', () => Array.from(id.keys()).filter(costly));
    },
    routineTree(routine, inverted) {
      const outermost = () => outermostContexts(contexts(), active, 'routine', routine);
      if (inverted) return callersFrom(contexts(), costs(), 'inclusive', outermost);
      return summedTree([contextTree(contexts(), costs(), outermost, false)], false);
    },
  };
}

/** Calls between contexts have no source position, so each edge is one site. */
function edgeSites(edges: Edges, of: CallSiteQuery): CallSites {
  const list = Array.from(edges.caller.keys()).filter((e) => isWantedCall(of, edges.caller[e], edges.callee[e], -1));
  const { caller, callee, count, costs } = edges;
  const nowhere = { file: new Int32Array(caller.length).fill(-1), line: new Uint32Array(caller.length) };
  return pickRows({ caller, callee, ...nowhere, count, costs }, list);
}

// The calling-context tree recorded in a report: exact both ways up. Top-down, a node is a context; inverted, it is the set of
// contexts whose last callers are the same.

function contextTree(contexts: Contexts, costs: ContextCosts, rows: () => number[], numbered: boolean): TreeSource {
  /** By node: its calling context. */
  const contextOf: number[] = [];
  const add = (tree: Tree, parent: TreeNode | undefined, c: number) => {
    const [inclusive, self] = [costsAtRow(costs.inclusive, c), costsAtRow(costs.self, c)];
    const number = numbered ? { context: c } : {};
    const id = addNode(tree, parent, { routine: contexts.routine[c], calls: costs.calls[c], inclusive, self, ...number });
    contextOf[id] = c;
    return id;
  };
  return {
    exact: true,
    roots(tree, event, most) {
      const all = rows().sort((a, b) => eventValue(event, costs.inclusive, b) - eventValue(event, costs.inclusive, a));
      return { shown: all.slice(0, most).map((c) => add(tree, undefined, c)), leftOut: Math.max(0, all.length - most) };
    },
    canUnfold: (_, node) => contexts.end[contextOf[node.id]] > contextOf[node.id] + 1,
    unfold(tree, node) {
      const c = contextOf[node.id];
      const out: number[] = [];
      for (let k = c + 1; k < contexts.end[c]; k = contexts.end[k]) out.push(add(tree, node, k));
      return out;
    },
  };
}

/** The outermost contexts of a routine, or those without callers, whose parent is -1. */
function outermostContexts(contexts: Contexts, active: Active, column: 'routine' | 'parent', of: number): number[] {
  const all: number[] = [];
  for (let c = 0; c < contexts.id.length; ) {
    const found = contexts[column][c] === of && (!active || active(contexts.part[c]));
    if (found) all.push(c);
    c = found ? contexts.end[c] : c + 1;
  }
  return all;
}

/** The tree from the contexts `rows` to their callers, with their inclusive or self costs. */
function callersFrom({ parent, routine }: Contexts, costs: ContextCosts, of: 'inclusive' | 'self', rows: () => number[]) {
  const { calls } = costs;
  return pathTree({ rows, start: (c) => c, next: (_, c) => parent[c], routineAt: (c) => routine[c], costs: costs[of], calls });
}

/** By group: the cost of its outermost contexts, which include those below. */
function contextGroups(contexts: Contexts, costs: ContextCosts, active: Active, { groupOf, groups }: GroupQuery): GroupCosts {
  const out = costs.inclusive.map(() => new Float64Array(groups));
  /** By group: the end of its most recently entered context. */
  const until = new Uint32Array(groups);
  for (let c = 0; c < contexts.id.length; c++) {
    const group = groupOf[contexts.routine[c]];
    if (group < 0 || c < until[group] || (active && !active(contexts.part[c]))) continue;
    until[group] = contexts.end[c];
    for (let k = 0; k < out.length; k++) out[k][group] += costs.inclusive[k][c];
  }
  return { costs: out, estimated: new Uint8Array(groups) };
}
