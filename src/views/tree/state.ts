// The state of the Tree view: its open nodes, and how they move to the inverted tree, to other events and profiles.

import { type Counterparts, counterpartsOf } from '../../analysis/answers/counterparts.ts';
import { canUnfold, childrenOf, type Tree, type TreeNode } from '../../analysis/answers/tree.ts';
import { withAncestors } from '../../analysis/answers/tree-search.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { type ListPosition, START, withCursorAt } from '../parts/list.ts';
import type { ViewContext } from '../view.ts';
import { chainFrom, MOST_MERGED, mergedChild, withoutSplitsAround } from './chains.ts';
import { filterOf, type TreeFilter, treeOf } from './places.ts';

export interface TreeState {
  readonly list: ListPosition;
  readonly inverted: boolean;
  /** The tree of the node numbers in `rows` and `open`. Each analysis and event has its own tree. */
  readonly tree: Tree;
  readonly open: ReadonlySet<number>;
  /** While a filter is on, its nodes are open except these. */
  readonly closed: ReadonlySet<number>;
  /** Nodes that are split from their only child, because the user split the chain or a search found the child. */
  readonly apart: ReadonlySet<number>;
  /** The filter that `rows` were made with, and its version then. */
  readonly filter: TreeFilter | undefined;
  readonly version: number;
  /** The nodes of the visible rows, depth first; for a chain, its first node. */
  readonly rows: readonly number[];
  /** The nesting level of each row. */
  readonly levels: readonly number[];
  /** The state of the inverted tree (or of the top-down tree, if `inverted`), once it was shown. */
  readonly invertedDisplay: (TreeDisplay & Pick<TreeState, 'moved'>) | undefined;
  /** The node under the cursor after inverting the tree; -1 before. */
  readonly nodeAfterInvert: number;
  /** The profile of `tree` and the new profile, until the tree is rebuilt; else undefined. */
  readonly moved: { readonly from: Profile; readonly to: Profile } | undefined;
  /** The tree and profile before changes of the granularity, until the next key. Each change starts from it. */
  readonly origin: (TreeDisplay & { readonly from: Profile }) | undefined;
  /** The routine in focus when the view opened, if it has no row; -1 otherwise, and after a cursor move. */
  readonly focusWithoutRow: number;
  /** The routine whose callers are shown; -1 if it is the whole tree. */
  readonly callersOf: number;
  /** While only the callers of a routine are shown, the whole tree as it was. */
  readonly wholeTree: TreeState | undefined;
}

export type TreeDisplay = Pick<TreeState, 'list' | 'open' | 'apart' | 'rows' | 'levels' | 'tree' | 'inverted' | 'callersOf'>;

const NOTHING: ReadonlySet<number> = new Set();

/** The initial state of a tree: all nodes closed. */
export function freshState(tree: Tree, callersOf: number, whole: TreeState | undefined, c: ViewContext): TreeState {
  const none = { closed: NOTHING, apart: NOTHING, filter: undefined, version: 0, rows: [], levels: [] };
  const fresh = { invertedDisplay: undefined, origin: undefined, nodeAfterInvert: -1, moved: undefined, focusWithoutRow: -1 };
  return withOpen(
    { list: START, inverted: tree.inverted, tree, open: NOTHING, callersOf, wholeTree: whole, ...none, ...fresh },
    NOTHING,
    c,
  );
}

/** The largest number of nodes to open at once: a call graph may unfold to millions. */
export const MOST_OPENED = 5000;

/** Reopens the same paths in another tree, matching routines from the roots down. */
function reopenPaths(state: TreeState, tree: Tree, event: Event): TreeState {
  const open = new Set<number>();
  const apart = new Set<number>();
  const old = state.tree;
  const here = tailAt(state, state.list.cursor, event, true)?.id ?? -1;
  const { moved } = state;
  const counterparts: Counterparts = moved ? counterpartsOf(moved.from, moved.to) : (routine) => [routine];
  const counterpartNodes = new Map<number, readonly number[]>();
  if (old.inverted === tree.inverted) {
    // Parents have lower numbers than their children, so one pass in ascending order is enough.
    for (const n of [...withAncestors(old, [...old.roots, ...state.rows, ...(here < 0 ? [] : [here])])].sort((a, b) => a - b)) {
      const node = old.nodes[n];
      const wanted = new Set(counterparts(node.routine));
      const others =
        node.parent < 0
          ? nodesOfRoutines(tree, tree.roots, wanted)
          : counterpartsBelow(tree, counterpartNodes.get(node.parent) ?? [], wanted, event);
      if (others.length === 0 || open.size > MOST_OPENED) continue;
      counterpartNodes.set(n, others);
      if (state.open.has(n)) for (const other of others) open.add(other);
      if (state.apart.has(n)) for (const other of others) apart.add(other);
    }
  }
  const unfiltered = { closed: NOTHING, filter: undefined, version: 0 };
  const next = { ...state, ...unfiltered, tree, inverted: tree.inverted, open, apart, moved: undefined, nodeAfterInvert: -1 };
  const shown = visibleRows(next, event);
  const cursor = Math.max(0, rowOfNode(tree, shown.rows, counterpartNodes.get(here)?.[0] ?? -1));
  return { ...next, ...shown, list: { ...state.list, cursor } };
}

const nodesOfRoutines = (tree: Tree, nodes: readonly number[], wanted: ReadonlySet<number>) =>
  nodes.filter((n) => wanted.has(tree.nodes[n].routine));

/** The children with these routines. At a coarser granularity, the parent itself may be the counterpart. */
function counterpartsBelow(tree: Tree, parents: readonly number[], wanted: ReadonlySet<number>, event: Event): readonly number[] {
  return parents.flatMap((p) => {
    const children = nodesOfRoutines(tree, childrenOf(tree, p, event), wanted);
    return children.length > 0 ? children : nodesOfRoutines(tree, [p], wanted);
  });
}

/** Moves the state to another tree, after a change of event, parts or profile. */
export function moveToTree(state: TreeState, tree: Tree, event: Event): TreeState {
  const { list, open, apart, rows, levels, inverted, callersOf, moved } = state;
  if (!moved) return reopenPaths({ ...state, origin: undefined }, tree, event);
  const origin = state.origin ?? { list, open, apart, rows, levels, tree: state.tree, inverted, callersOf, from: moved.from };
  return { ...reopenPaths({ ...state, ...origin, moved: { from: origin.from, to: moved.to } }, tree, event), origin };
}

/** Inverts the tree and reopens its nodes. The cursor goes to its routine, or stays in the first row. */
export function invert(state: TreeState, c: ViewContext): TreeState {
  const { invertedDisplay, list, open, apart, rows, levels, tree, inverted, callersOf } = state;
  const here = tailAt(state, list.cursor, c.event);
  const wanted = treeOf(c.analysis, !inverted, c.event, -1);
  const seen = invertedDisplay && invertedDisplay.inverted !== inverted ? invertedDisplay : undefined;
  const next: TreeState = seen
    ? reopenPaths({ ...state, ...seen, moved: seen.moved ?? state.moved }, wanted, c.event)
    : reopenPaths({ ...state, list: START }, wanted, c.event);
  const stays =
    list.cursor === 0 ||
    (here !== undefined &&
      (here.id === state.nodeAfterInvert || here.routine === tailAt(next, next.list.cursor, c.event)?.routine));
  const row = stays || !here ? -1 : firstRowOf(next, here.routine, c.event);
  const placed = row < 0 ? next.list.cursor : row;
  return {
    ...next,
    list: withCursorAt(next.list, placed, next.rows.length, c.height - 1),
    invertedDisplay: { list, open, apart, rows, levels, tree, inverted, callersOf, moved: state.moved },
    nodeAfterInvert: tailAt(next, placed, c.event)?.id ?? -1,
  };
}

function visibleRows(state: TreeState, event: Event): Pick<TreeState, 'rows' | 'levels'> {
  const { tree, open, closed, filter } = state;
  const rows: number[] = [];
  const levels: number[] = [];
  const kept = filter?.kept;
  const keptOf = (ids: readonly number[]) => (kept ? ids.filter((id) => kept.has(id)) : ids);
  // Tests `childrenOf` only, because `canUnfold` would unfold the node.
  const isOpened = (n: number) => (kept ? !closed.has(n) && tree.childrenOf.has(n) : open.has(n));
  const stack = [...keptOf(tree.roots)].reverse().map((id) => ({ id, level: 0 }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { id, level } = top;
    rows.push(id);
    levels.push(level);
    let last: number | undefined = id;
    for (let joined = 1; isOpened(last) && joined < MOST_MERGED; joined++) {
      const next: number | undefined = mergedChild(state, last, event);
      if (next === undefined) break;
      last = next;
    }
    if (!isOpened(last)) continue;
    const children = keptOf(childrenOf(tree, last, event));
    for (let k = children.length - 1; k >= 0; k--) stack.push({ id: children[k], level: level + 1 });
  }
  return { rows, levels };
}

/** The row of a node, of its chain, or of its nearest ancestor with a row; -1 if there is none. */
function rowOfNode({ nodes }: Tree, rows: readonly number[], id: number): number {
  const row = new Map(rows.map((n, at) => [n, at]));
  for (let n = id; n >= 0; n = nodes[n].parent) {
    const at = row.get(n);
    if (at !== undefined) return at;
  }
  return -1;
}

/** Rebuilds the rows. The cursor stays on its node, or on the nearest ancestor with a row. */
function withRows(state: TreeState, c: ViewContext): TreeState {
  const shown = visibleRows(state, c.event);
  const row = rowOfNode(state.tree, shown.rows, state.rows[state.list.cursor] ?? -1);
  return { ...state, ...shown, list: withCursorAt(state.list, Math.max(0, row), shown.rows.length, c.height - 1) };
}

export function withOpen(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  const next = { ...state, open };
  return { ...next, ...visibleRows(next, c.event) };
}

/** Opens the ancestors of a node, and goes to its row. `asFirst`: splits its chain, so that a row begins with it. */
export function goToNode(state: TreeState, id: number, c: ViewContext, asFirst = false): TreeState {
  const open = new Set(state.open);
  const closed = new Set(state.closed);
  const apart = new Set(state.apart);
  const { nodes } = state.tree;
  for (let n = id; nodes[n].parent >= 0; n = nodes[n].parent) {
    const { parent } = nodes[n];
    open.add(parent);
    closed.delete(parent);
    const joined = mergedChild({ ...state, apart }, parent, c.event, true);
    // If another child is merged into the parent's row, split it: otherwise this child has no row.
    if (joined !== undefined && (joined !== n || (asFirst && n === id))) apart.add(parent);
  }
  const next = { ...state, open, closed, apart };
  const shown = visibleRows(next, c.event);
  return {
    ...next,
    ...shown,
    list: withCursorAt(next.list, rowOfNode(next.tree, shown.rows, id), shown.rows.length, c.height - 1),
  };
}

/** Updates the rows to the current filter and its progress. */
export function withFilter(state: TreeState, c: ViewContext): TreeState {
  const filter = filterOf(state.tree, c);
  const version = filter?.version ?? 0;
  if (filter === state.filter && version === state.version) return state;
  const id = state.rows[state.list.cursor];
  const moved = { ...state, filter, version, closed: filter === state.filter ? state.closed : NOTHING };
  // After the filter is removed, keep the path to the cursor open.
  if (!filter && id !== undefined) return goToNode(moved, id, c);
  const next = withRows(moved, c);
  const first = filter?.matches[0];
  return filter !== state.filter && first !== undefined ? goToNode(next, first, c) : next;
}

/** The nodes of a row, from its first to its last. */
export function chainAt(state: TreeState, row: number, event: Event, onlyUnfolded = false): TreeNode[] {
  const head = state.rows[row];
  return head === undefined ? [] : chainFrom(state, head, event, onlyUnfolded).map((id) => state.tree.nodes[id]);
}

/** The last node of a row, which other views follow. */
export const tailAt = (state: TreeState, row: number, event: Event, onlyUnfolded = false): TreeNode | undefined =>
  chainAt(state, row, event, onlyUnfolded).at(-1);

/** The first row that contains the routine; -1 if there is none. */
export function firstRowOf(state: TreeState, routine: number, event: Event): number {
  return state.rows.findIndex((_, row) => chainAt(state, row, event, true).some((node) => node.routine === routine));
}

export function openBelow(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const chain = chainAt(state, state.list.cursor, c.event);
  const from = chain.at(-1);
  if (!from) return state;
  const open = new Set([...state.open, ...chain.map(({ id }) => id)]);
  const queue = [from.id];
  for (let k = 0; k < queue.length && k < MOST_OPENED; k++) {
    const n = queue[k];
    if (!canUnfold(tree, n)) continue;
    open.add(n);
    queue.push(...childrenOf(tree, n, c.event));
  }
  return withOpen(state, open, c);
}

/**
 * Opens or closes a row. `open` splits a chain first; on an open row it goes to the first child. `close` merges a split chain
 * again; on a closed row it goes to the parent.
 */
export function openOrClose(state: TreeState, what: 'toggle' | 'open' | 'close', c: ViewContext): TreeState {
  const chain = chainAt(state, state.list.cursor, c.event);
  const tail = chain.at(-1);
  if (!tail) return state;
  const moveCursorTo = (row: number) => ({ ...state, list: withCursorAt(state.list, row, state.rows.length, c.height - 1) });
  const opened = chain.every((node) => isOpen(state, node));
  const above = chain.slice(0, -1);
  if (what === 'open' && above.length > 0)
    return withOpened({ ...state, apart: new Set([...state.apart, ...above.map(({ id }) => id)]) }, above, c);
  if (what === 'close' && state.apart.has(tail.id)) {
    const joined = withoutSplitsAround(state, tail.id, c.event);
    // Under a new filter the nodes may not form a chain any more.
    if (mergedChild({ ...state, apart: joined }, tail.id, c.event, true) !== undefined)
      return withRows({ ...state, apart: joined }, c);
  }
  if (what === 'close' && !opened)
    return chain[0].parent < 0 ? state : moveCursorTo(rowOfNode(state.tree, state.rows, chain[0].parent));
  if (what === 'open' && opened) return moveCursorTo(state.list.cursor + 1);
  return opened ? withClosed(state, tail, c) : openRow(state, state.list.cursor, c);
}

/** Opens a row, if anything is below it. */
export function openRow(state: TreeState, row: number, c: ViewContext): TreeState {
  const chain = chainAt(state, row, c.event);
  const tail = chain.at(-1);
  return tail && hasVisibleChildren(state, tail) ? withOpened(state, chain, c) : state;
}

function withOpened(state: TreeState, nodes: readonly TreeNode[], c: ViewContext): TreeState {
  const closed = new Set(state.closed);
  for (const { id } of nodes) closed.delete(id);
  // With a filter, its nodes are open anyway: do not change the nodes that the user opened.
  const open = state.filter ? state.open : new Set([...state.open, ...nodes.map(({ id }) => id)]);
  return withRows({ ...state, open, closed }, c);
}

function withClosed(state: TreeState, { id }: TreeNode, c: ViewContext): TreeState {
  if (state.filter) return withRows({ ...state, closed: new Set(state.closed).add(id) }, c);
  const open = new Set(state.open);
  open.delete(id);
  return withRows({ ...state, open }, c);
}

/** Whether the node has children to show. */
export function hasVisibleChildren({ tree, filter }: TreeState, { id }: TreeNode): boolean {
  if (!filter) return canUnfold(tree, id);
  return tree.childrenOf.get(id)?.some((child) => filter.kept.has(child)) ?? false;
}

export function isOpen(state: TreeState, node: TreeNode): boolean {
  return state.filter ? hasVisibleChildren(state, node) && !state.closed.has(node.id) : state.open.has(node.id);
}
