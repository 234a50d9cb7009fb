// The expensive nodes of the Tree view: which nodes are open initially, the hottest path, and the reason why it ends.
import { canUnfold, childrenOf, nodeSelf, nodeValue, type Tree, type TreeNode } from '../../analysis/answers/tree.ts';
import { formatCount } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import type { Event } from '../../model/head.ts';
import type { ViewContext } from '../view.ts';
import { goToNode, hasVisibleChildren, isNodeOpen, lastNodeOfRow, nodesOfRow, openRow, type TreeState } from './state.ts';

const MAX_PATH_STEPS = 2000;
/** Nodes with at least this share of the first root's cost are open initially. */
const MIN_OPENED_SHARE = 0.05;

/** Opens the first root, and then the most expensive nodes, as long as all rows fit on the screen. */
export function openExpensiveNodes(fresh: TreeState, c: ViewContext): TreeState {
  const size = (n: TreeNode) => Math.abs(nodeValue(c.event, n));
  let state = openRow(fresh, 0, c);
  const [first] = nodesOfRow(state, 0, c.event);
  if (!first) return state;
  const tried = new Set<number>();
  // The heading takes one line, so there must be fewer rows than lines.
  while (state.rows.length < c.height) {
    let best: { readonly row: number; readonly node: TreeNode } | undefined;
    let most = size(first) * MIN_OPENED_SHARE;
    for (let row = 0; row < state.rows.length; row++) {
      const node = lastNodeOfRow(state, row, c.event);
      if (!node || tried.has(node.id) || isNodeOpen(state, node) || !hasVisibleChildren(state, node) || size(node) < most)
        continue;
      [best, most] = [{ row, node }, size(node)];
    }
    if (!best) break;
    tried.add(best.node.id);
    const next = openRow(state, best.row, c);
    // Large changes in it that cancel out are shown even if the rows after it are then below the screen.
    const cancelsOut = c.analysis.before && absoluteCostsOf(state.tree, best.node, c.event).largest > size(best.node);
    if (cancelsOut || next.rows.length < c.height) state = next;
  }
  return state;
}

const MAX_SEARCHED_NODES = 100;

/** Finds a node of a routine by opening nodes in order of cost; -1 if MAX_SEARCHED_NODES nodes do not contain it. */
export function expensiveNodeOf({ tree }: TreeState, routine: number, c: ViewContext): number {
  const size = (id: number) => Math.abs(nodeValue(c.event, tree.nodes[id]));
  const left = [...tree.roots];
  for (let k = 0; k < MAX_SEARCHED_NODES && left.length > 0; k++) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (size(left[i]) > size(left[best])) best = i;
    const [id] = left.splice(best, 1);
    if (tree.nodes[id].routine === routine) return id;
    if (canUnfold(tree, id)) left.push(...childrenOf(tree, id, c.event));
  }
  return -1;
}

/** The absolute costs of a node and its children. `goesOn`: the largest child has at least half of the node's cost. */
function absoluteCostsOf(tree: Tree, node: TreeNode, event: Event) {
  const size = (n: TreeNode) => Math.abs(nodeValue(event, n));
  const children = canUnfold(tree, node.id) ? childrenOf(tree, node.id, event).map((id) => tree.nodes[id]) : [];
  const costly = children.filter((child) => size(child) > 0);
  const largest = costly.length > 0 ? size(costly[0]) : 0;
  return { whole: size(node), children: costly, largest, goesOn: largest > 0 && largest * 2 >= size(node) };
}

/** Opens the most expensive child, level by level, while it has at least half of its parent's cost. Opens at least one. */
export function openHottestPath(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const chain = nodesOfRow(state, state.list.cursor, c.event);
  let node = chain.at(-1);
  if (!node) return state;
  const open = new Set([...state.open, ...chain.slice(0, -1).map(({ id }) => id)]);
  for (let steps = 0; steps < MAX_PATH_STEPS; steps++) {
    const { children, goesOn } = absoluteCostsOf(tree, node, c.event);
    if (children.length === 0 || (steps > 0 && !goesOn)) break;
    open.add(node.id);
    node = children[0];
  }
  return goToNode({ ...state, open }, node.id, c);
}

/** The reason why the hottest path ends at the row under the cursor; undefined without a row. */
export function whyPathEnds(state: TreeState, c: ViewContext): string | undefined {
  const node = lastNodeOfRow(state, state.list.cursor, c.event);
  if (!node) return undefined;
  const { tree } = state;
  const { inverted } = tree;
  const { whole, children, largest, goesOn } = absoluteCostsOf(tree, node, c.event);
  if (node.recursive && !canUnfold(tree, node.id)) return 'Recursion: nothing significant below';
  if (children.length === 0) return inverted ? 'no callers: this is a root' : 'nothing below';
  if (goesOn) return `${formatCount(MAX_PATH_STEPS)} levels are open; ] goes on`;
  const percent = (size: number) => `${Math.round((size / whole) * 100)}%`;
  const called = `${formatCount(children.length)} ${inverted ? 'caller' : 'callee'}${children.length === 1 ? '' : 's'}`;
  // Ratios of children cannot be added, so there are no percentages.
  if (c.event.per) return `the cost splits here: ${called}`;
  const ended = inverted
    ? whole - children.reduce((sum, child) => sum + Math.abs(nodeValue(c.event, child)), 0)
    : Math.abs(nodeSelf(c.event, node));
  if (ended > largest)
    return inverted
      ? `${percent(ended)} start in ${titleName(c, node.routine, c.width - 20)}`
      : `Stopped: ${percent(ended)} is in ${titleName(c, node.routine, c.width - 30)} itself`;
  return `the cost splits here: ${called}, the largest has ${percent(largest)}`;
}
