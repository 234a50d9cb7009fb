// The state of the Tree view: the open nodes, and how they are kept when the tree is inverted or the event or profile changes.

import { type Counterparts, counterpartsOf } from '../../analysis/answers/counterparts.ts';
import { canUnfold, childrenOf, nodeValue, type Tree, type TreeNode } from '../../analysis/answers/tree.ts';
import { withAncestors } from '../../analysis/answers/tree-search.ts';
import { memo } from '../../base/lists.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { START, type StateWithList, withCursorAt } from '../parts/list.ts';
import type { ViewContext } from '../view.ts';
import { type ChainOptions, chainFrom, MAX_MERGED_NODES, mergedChild, withoutSplitsAround } from './chains.ts';
import { currentTreeFilter, treeOf } from './places.ts';

export interface TreeState extends ChainOptions, StateWithList {
  readonly open: ReadonlySet<number>;
  /** With a filter, all its nodes are open except these. */
  readonly closed: ReadonlySet<number>;
  /** Nodes all of whose children have rows, however little they cost. */
  readonly unfolded: ReadonlySet<number>;
  /** The version that `filter` had when `rows` were made for it. */
  readonly version: number;
  /** By row: its node; for a chain, the first node; for small children, restId() of their parent. Rows are in depth-first order. */
  readonly rows: readonly number[];
  readonly levels: readonly number[];
  /** The state of the opposite tree (top-down or inverted), kept once it was shown; else undefined. */
  readonly invertedDisplay: (TreeDisplay & Pick<TreeState, 'moved'>) | undefined;
  /** The node under the cursor right after inverting the tree; -1 if the tree was not inverted. */
  readonly nodeAfterInvert: number;
  /** The profile that `tree` belongs to and the new profile, until the tree is rebuilt; else undefined. */
  readonly moved: { readonly from: Profile; readonly to: Profile } | undefined;
  /** The tree and profile before granularity changes, until another key. Each further change starts from them. */
  readonly origin: (TreeDisplay & { readonly from: Profile }) | undefined;
  /** The focus when the view opened, if that routine has no row; -1 otherwise, and after the cursor has moved. */
  readonly focusWithoutRow: number;
  /** The routine whose callers are shown; -1 if the complete tree is shown. */
  readonly callersOf: number;
  /** While only the callers of a routine are shown: the state of the complete tree. */
  readonly wholeTree: TreeState | undefined;
}

export type TreeDisplay = Pick<TreeState, 'list' | 'open' | 'apart' | 'rows' | 'levels' | 'tree' | 'callersOf'>;

const NO_NODES: ReadonlySet<number> = new Set();

/** The state of a tree whose nodes are all closed. */
export function initialStateOf(tree: Tree, callersOf: number, whole: TreeState | undefined, c: ViewContext): TreeState {
  const none = { closed: NO_NODES, apart: NO_NODES, unfolded: NO_NODES, filter: undefined, version: 0, rows: [], levels: [] };
  const fresh = { invertedDisplay: undefined, origin: undefined, nodeAfterInvert: -1, moved: undefined, focusWithoutRow: -1 };
  return setOpenNodes({ list: START, tree, open: NO_NODES, callersOf, wholeTree: whole, ...none, ...fresh }, NO_NODES, c);
}

/** The number of the row that the small children of a node share; of such a number, the node. */
const restId = (id: number): number => -2 - id;

/** The node whose small children share a row; negative for other rows. */
export const restParent = ({ rows }: Pick<TreeState, 'rows'>, row: number): number => restId(rows[row] ?? -1);

/** Children below both shares share a row: of all roots together, and of their parent. */
const SMALL_SHARE_OF_ALL = 0.001;
const SMALL_SHARE_OF_PARENT = 0.01;

const sizeOf = (tree: Tree, id: number, event: Event) => Math.abs(nodeValue(event, tree.nodes[id]));
const allRootsCost = memo((tree: Tree, event: Event) => tree.roots.reduce((sum, id) => sum + sizeOf(tree, id, event), 0), 4);

/** The children with rows of their own, and the small ones that share a row: none with a filter, in comparisons, and of ratios. */
export function shownChildren(
  { tree, filter, unfolded }: Pick<TreeState, 'tree' | 'filter' | 'unfolded'>,
  id: number,
  event: Event,
): Record<'large' | 'small', readonly number[]> {
  const all = childrenOf(tree, id, event);
  if (filter) return { large: all.filter((child) => filter.kept.has(child)), small: [] };
  if (unfolded.has(id) || event.measure || event.per) return { large: all, small: [] };
  const least = Math.min(SMALL_SHARE_OF_ALL * allRootsCost(tree, event), SMALL_SHARE_OF_PARENT * sizeOf(tree, id, event));
  const first = all.findIndex((child) => sizeOf(tree, child, event) < least);
  return first < 0 || first + 1 >= all.length
    ? { large: all, small: [] }
    : { large: all.slice(0, first), small: all.slice(first) };
}

/** Maximum number of nodes to open at once, because a call graph may unfold to millions of nodes. */
export const MAX_OPENED_NODES = 5000;

/** Opens the same paths in another tree, matching routines from the roots down. */
function reopenPaths(state: TreeState, tree: Tree, event: Event): TreeState {
  const open = new Set<number>();
  const apart = new Set<number>();
  const old = state.tree;
  const here = lastNodeOfRow(state, state.list.cursor, event, true)?.id ?? -1;
  const { moved } = state;
  const counterparts: Counterparts = moved ? counterpartsOf(moved.from, moved.to) : (routine) => [routine];
  const counterpartNodes = new Map<number, readonly number[]>();
  if (old.inverted === tree.inverted) {
    const seen = withAncestors(old, [...old.roots, ...state.rows, here]);
    // A parent has a lower number than its children, so one pass in ascending order is enough.
    for (const n of [...seen].sort((a, b) => a - b)) {
      const node = old.nodes[n];
      const wanted = new Set(counterparts(node.routine));
      const others =
        node.parent < 0
          ? nodesOfRoutines(tree, tree.roots, wanted)
          : counterpartsBelow(tree, counterpartNodes.get(node.parent) ?? [], wanted, event);
      if (others.length === 0 || open.size > MAX_OPENED_NODES) continue;
      counterpartNodes.set(n, others);
      if (state.open.has(n)) for (const other of others) open.add(other);
      if (state.apart.has(n)) for (const other of others) apart.add(other);
    }
  }
  const unfiltered = { closed: NO_NODES, unfolded: NO_NODES, filter: undefined, version: 0 };
  const next = { ...state, ...unfiltered, tree, open, apart, moved: undefined, nodeAfterInvert: -1 };
  const shown = visibleRows(next, event);
  const cursor = Math.max(0, rowOfNode(tree, shown.rows, counterpartNodes.get(here)?.[0] ?? -1));
  return { ...next, ...shown, list: { ...state.list, cursor } };
}

const nodesOfRoutines = (tree: Tree, nodes: readonly number[], wanted: ReadonlySet<number>) =>
  nodes.filter((n) => wanted.has(tree.nodes[n].routine));

/** The children that are nodes of these routines. At a coarser granularity, a parent itself can be the counterpart. */
function counterpartsBelow(tree: Tree, parents: readonly number[], wanted: ReadonlySet<number>, event: Event): readonly number[] {
  return parents.flatMap((p) => {
    const children = nodesOfRoutines(tree, childrenOf(tree, p, event), wanted);
    return children.length > 0 ? children : nodesOfRoutines(tree, [p], wanted);
  });
}

/** Moves the state to another tree, after the event, the parts or the profile changed. */
export function moveToTree(state: TreeState, tree: Tree, event: Event): TreeState {
  const { list, open, apart, rows, levels, callersOf, moved } = state;
  if (!moved) return reopenPaths({ ...state, origin: undefined }, tree, event);
  const origin = state.origin ?? { list, open, apart, rows, levels, tree: state.tree, callersOf, from: moved.from };
  return { ...reopenPaths({ ...state, ...origin, moved: { from: origin.from, to: moved.to } }, tree, event), origin };
}

/** Inverts the tree, and opens the corresponding nodes. The cursor goes to its routine, or stays in the first row. */
export function invertTree(state: TreeState, c: ViewContext): TreeState {
  const { invertedDisplay, list, open, apart, rows, levels, tree, callersOf } = state;
  const here = lastNodeOfRow(state, list.cursor, c.event);
  const wanted = treeOf(c.analysis, !tree.inverted, c.event, -1);
  const seen = invertedDisplay && invertedDisplay.tree.inverted !== tree.inverted ? invertedDisplay : undefined;
  const next: TreeState = seen
    ? reopenPaths({ ...state, ...seen, moved: seen.moved ?? state.moved }, wanted, c.event)
    : reopenPaths({ ...state, list: START }, wanted, c.event);
  const isThere = here?.routine === lastNodeOfRow(next, next.list.cursor, c.event)?.routine;
  const stays = list.cursor === 0 || here?.id === state.nodeAfterInvert || isThere;
  const row = stays || !here ? -1 : firstRowOfRoutine(next, here.routine, c.event);
  const placed = row < 0 ? next.list.cursor : row;
  return {
    ...next,
    list: withCursorAt(next.list, placed, next.rows.length, c.height - 1),
    invertedDisplay: { list, open, apart, rows, levels, tree, callersOf, moved: state.moved },
    nodeAfterInvert: lastNodeOfRow(next, placed, c.event)?.id ?? -1,
  };
}

function visibleRows(state: TreeState, event: Event): Pick<TreeState, 'rows' | 'levels'> {
  const { tree, open, closed, filter } = state;
  const rows: number[] = [];
  const levels: number[] = [];
  const kept = filter?.kept;
  // Uses only `childrenOf`, because `canUnfold` would unfold the node.
  const isOpened = (n: number) => (kept ? !closed.has(n) && tree.childrenOf.has(n) : open.has(n));
  const roots = kept ? tree.roots.filter((id) => kept.has(id)) : tree.roots;
  const stack = [...roots].reverse().map((id) => ({ id, level: 0 }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { id, level } = top;
    rows.push(id);
    levels.push(level);
    if (id < 0) continue;
    let last: number | undefined = id;
    for (let joined = 1; isOpened(last) && joined < MAX_MERGED_NODES; joined++) {
      const next: number | undefined = mergedChild(state, last, event);
      if (next === undefined) break;
      last = next;
    }
    if (!isOpened(last)) continue;
    const { large, small } = shownChildren(state, last, event);
    if (small.length > 0) stack.push({ id: restId(last), level: level + 1 });
    for (let k = large.length - 1; k >= 0; k--) stack.push({ id: large[k], level: level + 1 });
  }
  return { rows, levels };
}

/** The index of the row of a node, of its chain, or of its nearest ancestor; -1 if there is none. */
function rowOfNode({ nodes }: Tree, rows: readonly number[], id: number): number {
  const row = new Map(rows.map((n, at) => [n, at]));
  for (let n = id; n !== -1; n = n < -1 ? restId(n) : nodes[n].parent) {
    const at = row.get(n);
    if (at !== undefined) return at;
  }
  return -1;
}

/** Rebuilds the rows. The cursor goes to the node `id` (by default, its own), or to the nearest ancestor with a row. */
function rebuildRows(state: TreeState, c: ViewContext, id = state.rows[state.list.cursor] ?? -1): TreeState {
  const shown = visibleRows(state, c.event);
  const row = rowOfNode(state.tree, shown.rows, id);
  return { ...state, ...shown, list: withCursorAt(state.list, Math.max(0, row), shown.rows.length, c.height - 1) };
}

export function setOpenNodes(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  const next = { ...state, open };
  return { ...next, ...visibleRows(next, c.event) };
}

/** Opens the ancestors of a node, and moves the cursor to its row. `asFirst`: the node must be the first of its row. */
export function goToNode(state: TreeState, id: number, c: ViewContext, asFirst = false): TreeState {
  const open = new Set(state.open);
  const closed = new Set(state.closed);
  const apart = new Set(state.apart);
  const unfolded = new Set(state.unfolded);
  const { nodes } = state.tree;
  for (let n = id; nodes[n].parent >= 0; n = nodes[n].parent) {
    const { parent } = nodes[n];
    if (shownChildren(state, parent, c.event).small.includes(n)) unfolded.add(parent);
    open.add(parent);
    closed.delete(parent);
    const joined = mergedChild({ ...state, apart }, parent, c.event, true);
    // If the row of the parent continues with another child, split it, so that this child has a row.
    if (joined !== undefined && (joined !== n || (asFirst && n === id))) apart.add(parent);
  }
  return rebuildRows({ ...state, open, closed, apart, unfolded }, c, id);
}

/** Rebuilds the rows if the filter or its result has changed. */
export function applyFilter(state: TreeState, c: ViewContext): TreeState {
  const filter = currentTreeFilter(state.tree, c);
  const version = filter?.version ?? 0;
  if (filter === state.filter && version === state.version) return state;
  const id = state.rows[state.list.cursor];
  const moved = { ...state, filter, version, closed: filter === state.filter ? state.closed : NO_NODES };
  // When the filter is removed, the path to the cursor stays open.
  if (!filter && id !== undefined && id >= 0) return goToNode(moved, id, c);
  const next = rebuildRows(moved, c);
  const first = filter?.matches[0];
  return filter !== state.filter && first !== undefined ? goToNode(next, first, c) : next;
}

/** The nodes of a row: one, or the chain from its first to its last node. */
export function nodesOfRow(state: TreeState, row: number, event: Event, onlyUnfolded = false): TreeNode[] {
  const head = state.rows[row];
  return head === undefined || head < 0 ? [] : chainFrom(state, head, event, onlyUnfolded).map((id) => state.tree.nodes[id]);
}

/** The last node of a row, which other views follow. */
export const lastNodeOfRow = (state: TreeState, row: number, event: Event, onlyUnfolded = false): TreeNode | undefined =>
  nodesOfRow(state, row, event, onlyUnfolded).at(-1);

/** The first row that contains the routine; -1 if there is none. */
export const firstRowOfRoutine = (state: TreeState, routine: number, event: Event): number =>
  state.rows.findIndex((_, row) => nodesOfRow(state, row, event, true).some((node) => node.routine === routine));

export function openBelow(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const chain = nodesOfRow(state, state.list.cursor, c.event);
  const from = chain.at(-1);
  if (!from) return state;
  const open = new Set([...state.open, ...chain.map(({ id }) => id)]);
  const queue = [from.id];
  for (let k = 0; k < queue.length && k < MAX_OPENED_NODES; k++) {
    const n = queue[k];
    if (!canUnfold(tree, n)) continue;
    open.add(n);
    queue.push(...childrenOf(tree, n, c.event));
  }
  return setOpenNodes(state, open, c);
}

/**
 * Opens or closes a row. `open` first splits a chain; on an open row, it goes to the first child. `close` merges a split chain
 * again; on a closed row, it goes to the parent.
 */
export function openOrClose(state: TreeState, what: 'toggle' | 'open' | 'close', c: ViewContext): TreeState {
  const chain = nodesOfRow(state, state.list.cursor, c.event);
  const tail = chain.at(-1);
  const moveCursorTo = (row: number) => ({ ...state, list: withCursorAt(state.list, row, state.rows.length, c.height - 1) });
  const above = restParent(state, state.list.cursor);
  if (above >= 0)
    return what === 'close'
      ? moveCursorTo(rowOfNode(state.tree, state.rows, above))
      : rebuildRows({ ...state, unfolded: new Set(state.unfolded).add(above) }, c, shownChildren(state, above, c.event).small[0]);
  if (!tail) return state;
  const opened = chain.every((node) => isNodeOpen(state, node));
  const before = chain.slice(0, -1);
  if (what === 'open' && before.length > 0)
    return openNodes({ ...state, apart: new Set([...state.apart, ...before.map(({ id }) => id)]) }, before, c);
  if (what === 'close' && state.apart.has(tail.id)) {
    const joined = withoutSplitsAround(state, tail.id, c.event);
    // With another filter, the nodes may no longer form a chain.
    if (mergedChild({ ...state, apart: joined }, tail.id, c.event, true) !== undefined)
      return rebuildRows({ ...state, apart: joined }, c);
  }
  if (what === 'close' && !opened)
    return chain[0].parent < 0 ? state : moveCursorTo(rowOfNode(state.tree, state.rows, chain[0].parent));
  if (what === 'open' && opened) return moveCursorTo(state.list.cursor + 1);
  return opened ? closeNode(state, tail, c) : openRow(state, state.list.cursor, c);
}

/** Opens a row, if its last node has children. */
export function openRow(state: TreeState, row: number, c: ViewContext): TreeState {
  const chain = nodesOfRow(state, row, c.event);
  const tail = chain.at(-1);
  return tail && hasVisibleChildren(state, tail) ? openNodes(state, chain, c) : state;
}

function openNodes(state: TreeState, nodes: readonly TreeNode[], c: ViewContext): TreeState {
  const closed = new Set(state.closed);
  for (const { id } of nodes) closed.delete(id);
  // The nodes of a filter are open anyway, so the nodes that the user opened stay unchanged.
  const open = state.filter ? state.open : new Set([...state.open, ...nodes.map(({ id }) => id)]);
  return rebuildRows({ ...state, open, closed }, c);
}

function closeNode(state: TreeState, { id }: TreeNode, c: ViewContext): TreeState {
  if (state.filter) return rebuildRows({ ...state, closed: new Set(state.closed).add(id) }, c);
  const [open, unfolded] = [new Set(state.open), new Set(state.unfolded)];
  open.delete(id);
  unfolded.delete(id);
  return rebuildRows({ ...state, open, unfolded }, c);
}

export const hasVisibleChildren = ({ tree, filter }: TreeState, { id }: TreeNode): boolean =>
  filter ? (tree.childrenOf.get(id)?.some((child) => filter.kept.has(child)) ?? false) : canUnfold(tree, id);

export const isNodeOpen = (state: TreeState, node: TreeNode): boolean =>
  state.filter ? hasVisibleChildren(state, node) && !state.closed.has(node.id) : state.open.has(node.id);
