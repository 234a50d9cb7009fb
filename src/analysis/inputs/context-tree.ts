// The calling-context tree recorded in a report: exact, one node per context.
import { eventValue } from '../../model/event-value.ts';
import type { Contexts } from '../../model/inputs/tables.ts';
import type { Active } from '../once.ts';
import { addNode, type Tree, type TreeNode, type TreeSource } from '../tree.ts';
import type { ContextCosts } from './points.ts';

export function contextTree(contexts: Contexts, costs: ContextCosts, active: Active): TreeSource {
  /** Context of each node. */
  const contextOf: number[] = [];
  const add = (tree: Tree, parent: TreeNode | undefined, c: number) => {
    const of = (columns: readonly Float64Array[]) => Float64Array.from(columns, (column) => column[c]);
    const [inclusive, self] = [of(costs.inclusive), of(costs.self)];
    const id = addNode(tree, parent, { routine: contexts.routine[c], calls: costs.calls[c], inclusive, self, context: c });
    contextOf[id] = c;
    return id;
  };
  const children = (c: number) => {
    const out: number[] = [];
    for (let k = c + 1; k < contexts.end[c]; k = contexts.end[k]) out.push(k);
    return out;
  };
  return {
    exact: true,
    roots(tree, event, most) {
      const all: number[] = [];
      for (let c = 0; c < contexts.id.length; c = contexts.end[c]) if (!active || active(contexts.part[c])) all.push(c);
      all.sort((a, b) => eventValue(event, costs.inclusive, b) - eventValue(event, costs.inclusive, a));
      return { shown: all.slice(0, most).map((c) => add(tree, undefined, c)), leftOut: Math.max(0, all.length - most) };
    },
    canUnfold: (_, node) => contexts.end[contextOf[node.id]] > contextOf[node.id] + 1,
    unfold: (tree, node) => children(contextOf[node.id]).map((c) => add(tree, node, c)),
  };
}
