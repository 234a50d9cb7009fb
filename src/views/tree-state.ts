// What is open in the Tree view, and how it follows: into the inverted tree, other events and profiles, through a filter.
import { canUnfold, childrenOf, nodeSelf, nodeValue, type Tree, type TreeNode } from '../analysis/tree.ts';
import { type Twins, twinsOf } from '../analysis/twins.ts';
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { at, type List, START } from './parts/list.ts';
import { filterOf, type TreeFilter, treeOf } from './tree-places.ts';
import type { ViewContext } from './view.ts';

export interface TreeState {
  readonly list: List;
  readonly inverted: boolean;
  /** The tree that `rows` and `open` refer to; every analysis and event has its own. */
  readonly tree: Tree;
  readonly open: ReadonlySet<number>;
  /** While a filter is on, what it keeps is open but for these. */
  readonly closed: ReadonlySet<number>;
  /** The filter that `rows` were made with, and its version then. */
  readonly filter: TreeFilter | undefined;
  readonly version: number;
  /** Node numbers of the visible rows, depth first. */
  readonly rows: readonly number[];
  /** The state of the tree that is the other way up, once it was seen. */
  readonly other: (Shown & Pick<TreeState, 'moved'>) | undefined;
  /** The node under the cursor after turning the tree over; -1 before. */
  readonly landed: number;
  /** The profiles that the tree is of and should be of, until it is made anew. */
  readonly moved: { readonly from: Profile; readonly to: Profile } | undefined;
  /** What was shown before the granularity was changed, until the user does something: every change starts from it. */
  readonly origin: (Shown & { readonly from: Profile }) | undefined;
  /** The routine in focus on entering the view, if it has no row; -1 otherwise, and once the cursor moves. */
  readonly still: number;
}

type Shown = Pick<TreeState, 'list' | 'open' | 'rows' | 'tree' | 'inverted'>;

/** Limit for opening all nodes below: a call graph unfolds to more than anyone can look at. */
export const MOST_OPENED = 5000;

/** Reopens the same paths in another tree, matching routines from the roots down. */
function retrace(state: TreeState, tree: Tree, event: Event): TreeState {
  const open = new Set<number>();
  const old = state.tree;
  const { moved } = state;
  const twins: Twins = moved ? twinsOf(moved.from, moved.to) : (routine) => [routine];
  const twin = new Map<number, readonly number[]>();
  if (old.inverted === tree.inverted) {
    // Parents have lower numbers than their children, so one pass in ascending order is enough.
    for (const n of [...new Set([...old.roots, ...state.rows])].sort((a, b) => a - b)) {
      const node = old.nodes[n];
      const wanted = new Set(twins(node.routine));
      const others =
        node.parent < 0 ? matching(tree, tree.roots, wanted) : below(tree, twin.get(node.parent) ?? [], wanted, event);
      if (others.length === 0 || open.size > MOST_OPENED) continue;
      twin.set(n, others);
      if (state.open.has(n)) for (const other of others) open.add(other);
    }
  }
  const unfiltered = { closed: new Set<number>(), filter: undefined, version: 0 };
  const next = { ...state, ...unfiltered, tree, inverted: tree.inverted, open, moved: undefined, landed: -1 };
  const rows = visibleRows(next, event);
  const cursorNode = twin.get(state.rows[state.list.cursor] ?? -1)?.[0];
  const cursor = cursorNode === undefined ? 0 : Math.max(0, rows.indexOf(cursorNode));
  return { ...next, rows, list: { ...state.list, cursor } };
}

const matching = (tree: Tree, nodes: readonly number[], wanted: ReadonlySet<number>) =>
  nodes.filter((n) => wanted.has(tree.nodes[n].routine));

/** The children that are meant; where calls within a file or an object became one node, that node. */
function below(tree: Tree, parents: readonly number[], wanted: ReadonlySet<number>, event: Event): readonly number[] {
  return parents.flatMap((p) => {
    const children = matching(tree, childrenOf(tree, p, event), wanted);
    return children.length > 0 ? children : matching(tree, [p], wanted);
  });
}

/** The state in another tree: of another event, other parts, or another profile. */
export function resettled(state: TreeState, tree: Tree, event: Event): TreeState {
  const { list, open, rows, inverted, moved } = state;
  if (!moved) return retrace({ ...state, origin: undefined }, tree, event);
  const origin = state.origin ?? { list, open, rows, tree: state.tree, inverted, from: moved.from };
  return { ...retrace({ ...state, ...origin, moved: { from: origin.from, to: moved.to } }, tree, event), origin };
}

/** Turns the tree over. What was open in the other one opens again; the cursor goes with its routine, but from the top to the top. */
export function invert(state: TreeState, c: ViewContext): TreeState {
  const { other, list, open, rows, tree, inverted } = state;
  const here = nodeAt(state, list.cursor);
  const wanted = treeOf(c.analysis, !inverted, c.event);
  const known = other && other.inverted !== inverted ? other : undefined;
  const next: TreeState = known
    ? retrace({ ...state, ...known, moved: known.moved ?? state.moved }, wanted, c.event)
    : retrace({ ...state, list: START }, wanted, c.event);
  const stays =
    list.cursor === 0 ||
    (here !== undefined && (here.id === state.landed || here.routine === nodeAt(next, next.list.cursor)?.routine));
  const row = stays || !here ? -1 : next.rows.findIndex((n) => next.tree.nodes[n].routine === here.routine);
  const placed = row < 0 ? next.list.cursor : row;
  return {
    ...next,
    list: at(next.list, placed, next.rows.length, c.height - 1),
    other: { list, open, rows, tree, inverted, moved: state.moved },
    landed: next.rows[placed] ?? -1,
  };
}

function visibleRows({ tree, open, closed, filter }: TreeState, event: Event): number[] {
  const rows: number[] = [];
  const kept = filter?.kept;
  const shown = (ids: readonly number[]) => (kept ? ids.filter((id) => kept.has(id)) : ids);
  const stack = [...shown(tree.roots)].reverse();
  for (let n = stack.pop(); n !== undefined; n = stack.pop()) {
    rows.push(n);
    // What is kept has been unfolded; the rest must not be, for looking at it.
    if (kept ? closed.has(n) || !tree.childrenOf.has(n) : !open.has(n)) continue;
    const children = shown(childrenOf(tree, n, event));
    for (let k = children.length - 1; k >= 0; k--) stack.push(children[k]);
  }
  return rows;
}

/** The same nodes as far as they are still shown, and the cursor on its node or the nearest one above. */
function withRows(state: TreeState, c: ViewContext): TreeState {
  const rows = visibleRows(state, c.event);
  const { nodes } = state.tree;
  let row = -1;
  for (let n = state.rows[state.list.cursor] ?? -1; n >= 0 && row < 0; n = nodes[n].parent) row = rows.indexOf(n);
  return { ...state, rows, list: at(state.list, Math.max(0, row), rows.length, c.height - 1) };
}

export function withOpen(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  const next = { ...state, open };
  return { ...next, rows: visibleRows(next, c.event) };
}

/** Opens what is above a node, and goes there. */
export function goToNode(state: TreeState, id: number, c: ViewContext): TreeState {
  const open = new Set(state.open);
  const closed = new Set(state.closed);
  for (let n = state.tree.nodes[id].parent; n >= 0; n = state.tree.nodes[n].parent) {
    open.add(n);
    closed.delete(n);
  }
  const next = { ...state, open, closed };
  const rows = visibleRows(next, c.event);
  return { ...next, rows, list: at(next.list, rows.indexOf(id), rows.length, c.height - 1) };
}

/** Takes over what the filter has found since, or that there is none any more. */
export function withFilter(state: TreeState, c: ViewContext): TreeState {
  const filter = filterOf(state.tree, c);
  const version = filter?.version ?? 0;
  if (filter === state.filter && version === state.version) return state;
  const id = state.rows[state.list.cursor];
  const moved = { ...state, filter, version, closed: filter === state.filter ? state.closed : new Set<number>() };
  // Without the filter, the way to where the cursor was stays open.
  if (!filter && id !== undefined) return goToNode(moved, id, c);
  const next = withRows(moved, c);
  const first = filter?.places[0];
  return filter !== state.filter && first !== undefined ? goToNode(next, first, c) : next;
}

/** The node in a row; undefined if there is no such row. */
export function nodeAt({ tree, rows }: TreeState, row: number): TreeNode | undefined {
  const n = rows[row];
  return n === undefined ? undefined : tree.nodes[n];
}

/** Opens the most expensive child, level by level, until a node's self cost exceeds it. */
export function hottestPath(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const open = new Set(state.open);
  let node = nodeAt(state, state.list.cursor);
  if (!node) return state;
  for (let steps = 0; steps < 2000; steps++) {
    const first: number | undefined = canUnfold(tree, node.id) ? childrenOf(tree, node.id, c.event)[0] : undefined;
    // A difference is followed to where it comes from, whatever its sign.
    const size = first === undefined ? 0 : Math.abs(nodeValue(c.event, tree.nodes[first]));
    if (first === undefined || size === 0) break;
    if (!tree.inverted && Math.abs(nodeSelf(c.event, node)) > size) break;
    open.add(node.id);
    node = tree.nodes[first];
  }
  const next = withOpen(state, open, c);
  return { ...next, list: at(next.list, next.rows.indexOf(node.id), next.rows.length, c.height - 1) };
}

export function openBelow(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const from = nodeAt(state, state.list.cursor);
  if (!from) return state;
  const open = new Set(state.open);
  const queue = [from.id];
  for (let k = 0; k < queue.length && k < MOST_OPENED; k++) {
    const n = queue[k];
    if (!canUnfold(tree, n)) continue;
    open.add(n);
    queue.push(...childrenOf(tree, n, c.event));
  }
  return withOpen(state, open, c);
}

/** Opens or closes a node; if it already is open or closed, goes to its first child or its parent. */
export function openOrClose(state: TreeState, what: 'toggle' | 'open' | 'close', c: ViewContext): TreeState {
  const node = nodeAt(state, state.list.cursor);
  if (!node) return state;
  const to = (row: number) => ({ ...state, list: at(state.list, row, state.rows.length, c.height - 1) });
  const opened = isOpen(state, node);
  if (what === 'close' && !opened) return node.parent < 0 ? state : to(state.rows.indexOf(node.parent));
  if (what === 'open' && opened) return to(state.list.cursor + 1);
  if (!opened && !unfolds(state, node)) return state;
  const set = new Set(state.filter ? state.closed : state.open);
  if (!set.delete(node.id)) set.add(node.id);
  if (!state.filter) return withOpen(state, set, c);
  return withRows({ ...state, closed: set }, c);
}

/** The node has children that can be shown. */
export function unfolds({ tree, filter }: TreeState, { id }: TreeNode): boolean {
  if (!filter) return canUnfold(tree, id);
  return tree.childrenOf.get(id)?.some((child) => filter.kept.has(child)) ?? false;
}

export function isOpen(state: TreeState, node: TreeNode): boolean {
  return state.filter ? unfolds(state, node) && !state.closed.has(node.id) : state.open.has(node.id);
}
