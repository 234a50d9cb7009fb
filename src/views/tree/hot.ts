// The expensive nodes of the Tree view: which are open initially, the hottest path, and why the path ends.
import { canUnfold, childrenOf, nodeSelf, nodeValue, type Tree, type TreeNode } from '../../analysis/answers/tree.ts';
import { formatCount } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import type { Event } from '../../model/head.ts';
import type { ViewContext } from '../view.ts';
import { chainAt, goToNode, hasVisibleChildren, isOpen, openRow, type TreeState, tailAt } from './state.ts';

const MOST_STEPS = 2000;
/** Nodes with at least this share of the costliest root are open initially. */
const OPENED_FROM = 0.05;

/** Opens the first root, then the most expensive nodes while all rows fit on the screen. */
export function openExpensive(fresh: TreeState, c: ViewContext): TreeState {
  const size = (n: TreeNode) => Math.abs(nodeValue(c.event, n));
  let state = openRow(fresh, 0, c);
  const [first] = chainAt(state, 0, c.event);
  if (!first) return state;
  const tried = new Set<number>();
  // Less than the height: one line is the heading.
  while (state.rows.length < c.height) {
    let best: { readonly row: number; readonly node: TreeNode } | undefined;
    let most = size(first) * OPENED_FROM;
    for (let row = 0; row < state.rows.length; row++) {
      const node = tailAt(state, row, c.event);
      if (!node || tried.has(node.id) || isOpen(state, node) || !hasVisibleChildren(state, node) || size(node) < most) continue;
      [best, most] = [{ row, node }, size(node)];
    }
    if (!best) break;
    tried.add(best.node.id);
    const next = openRow(state, best.row, c);
    if (next.rows.length < c.height) state = next;
  }
  return state;
}

/** The largest number of nodes that are opened to find a routine. */
const MOST_SEARCHED = 100;

/** Finds a node of a routine by opening nodes in order of cost; -1 if not found after MOST_SEARCHED nodes. */
export function expensiveNodeOf({ tree }: TreeState, routine: number, c: ViewContext): number {
  const size = (id: number) => Math.abs(nodeValue(c.event, tree.nodes[id]));
  const left = [...tree.roots];
  for (let k = 0; k < MOST_SEARCHED && left.length > 0; k++) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (size(left[i]) > size(left[best])) best = i;
    const [id] = left.splice(best, 1);
    if (tree.nodes[id].routine === routine) return id;
    if (canUnfold(tree, id)) left.push(...childrenOf(tree, id, c.event));
  }
  return -1;
}

/** The absolute costs of a node and its children. `goesOn`: the largest child has at least half of the cost. */
function sizesOf(tree: Tree, node: TreeNode, event: Event) {
  const size = (n: TreeNode) => Math.abs(nodeValue(event, n));
  const children = canUnfold(tree, node.id) ? childrenOf(tree, node.id, event).map((id) => tree.nodes[id]) : [];
  const costly = children.filter((child) => size(child) > 0);
  const largest = costly.length > 0 ? size(costly[0]) : 0;
  return { whole: size(node), children: costly, largest, goesOn: largest > 0 && largest * 2 >= size(node) };
}

/** Opens the most expensive child, level by level, while it has at least half of its parent's cost. Opens at least one. */
export function hottestPath(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const chain = chainAt(state, state.list.cursor, c.event);
  let node = chain.at(-1);
  if (!node) return state;
  const open = new Set([...state.open, ...chain.slice(0, -1).map(({ id }) => id)]);
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const { children, goesOn } = sizesOf(tree, node, c.event);
    if (children.length === 0 || (steps > 0 && !goesOn)) break;
    open.add(node.id);
    node = children[0];
  }
  return goToNode({ ...state, open }, node.id, c);
}

/** Why the hottest path ends at the row under the cursor. */
export function whyPathEnds(state: TreeState, c: ViewContext): string | undefined {
  const node = tailAt(state, state.list.cursor, c.event);
  if (!node) return undefined;
  const { tree, inverted } = state;
  const { whole, children, largest, goesOn } = sizesOf(tree, node, c.event);
  if (node.recursive && !canUnfold(tree, node.id)) return 'Recursion: nothing significant below';
  if (children.length === 0) return inverted ? 'no callers: this is a root' : 'nothing below';
  if (goesOn) return `${formatCount(MOST_STEPS)} levels are open; ] goes on`;
  const percent = (size: number) => `${Math.round((size / whole) * 100)}%`;
  const called = `${formatCount(children.length)} ${inverted ? 'caller' : 'callee'}${children.length === 1 ? '' : 's'}`;
  // Ratios cannot be added, so no percentages.
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
