// The open nodes of the Tree view, and how they follow: into the inverted tree, other events and profiles, through a filter.

import { type Twins, twinsOf } from '../../analysis/answers/counterparts.ts';
import { canUnfold, childrenOf, type Tree, type TreeNode } from '../../analysis/answers/tree.ts';
import { withAncestors } from '../../analysis/answers/tree-search.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import { at, type List, START } from '../parts/list.ts';
import type { ViewContext } from '../view.ts';
import { chainFrom, joinedAgain, joinedTo, MOST_JOINED } from './chains.ts';
import { filterOf, type TreeFilter, treeOf } from './places.ts';

export interface TreeState {
  readonly list: List;
  readonly inverted: boolean;
  /** The tree that `rows` and `open` refer to; every analysis and event has its own. */
  readonly tree: Tree;
  readonly open: ReadonlySet<number>;
  /** While a filter is on, what it keeps is open but for these. */
  readonly closed: ReadonlySet<number>;
  /** Nodes that are not joined with their only child, though they could be: the user took them apart, or a search found the child. */
  readonly apart: ReadonlySet<number>;
  /** The filter that `rows` were made with, and its version then. */
  readonly filter: TreeFilter | undefined;
  readonly version: number;
  /** Node numbers of the visible rows, depth first; of a chain, that of its first node. */
  readonly rows: readonly number[];
  /** How many rows each row lies below. */
  readonly levels: readonly number[];
  /** The state of the tree that is the other way up, once it was seen. */
  readonly other: (Shown & Pick<TreeState, 'moved'>) | undefined;
  /** The node under the cursor after turning the tree over; -1 before. */
  readonly landed: number;
  /** The profiles that the tree is of and should be of, until it is made anew. */
  readonly moved: { readonly from: Profile; readonly to: Profile } | undefined;
  /** The profile before the granularity was changed, until the user does something: every change starts from it. */
  readonly origin: (Shown & { readonly from: Profile }) | undefined;
  /** The routine in focus on entering the view, if it has no row; -1 otherwise, and once the cursor moves. */
  readonly still: number;
  /** The routine whose callers are shown; -1 if it is the whole tree. */
  readonly callersOf: number;
  /** While only the callers of a routine are shown, the whole tree as it was. */
  readonly whole: TreeState | undefined;
}

export type Shown = Pick<TreeState, 'list' | 'open' | 'apart' | 'rows' | 'levels' | 'tree' | 'inverted' | 'callersOf'>;

const NOTHING: ReadonlySet<number> = new Set();

/** The state of a tree that nobody has seen yet: all closed. */
export function freshState(tree: Tree, callersOf: number, whole: TreeState | undefined, c: ViewContext): TreeState {
  const none = { closed: NOTHING, apart: NOTHING, filter: undefined, version: 0, rows: [], levels: [] };
  const fresh = { other: undefined, origin: undefined, landed: -1, moved: undefined, still: -1 };
  return withOpen({ list: START, inverted: tree.inverted, tree, open: NOTHING, callersOf, whole, ...none, ...fresh }, NOTHING, c);
}

/** Limit for opening all nodes below: a call graph unfolds to more than anyone can look at. */
export const MOST_OPENED = 5000;

/** Reopens the same paths in another tree, matching routines from the roots down. */
function retrace(state: TreeState, tree: Tree, event: Event): TreeState {
  const open = new Set<number>();
  const apart = new Set<number>();
  const old = state.tree;
  const here = tailAt(state, state.list.cursor, event, true)?.id ?? -1;
  const { moved } = state;
  const twins: Twins = moved ? twinsOf(moved.from, moved.to) : (routine) => [routine];
  const twin = new Map<number, readonly number[]>();
  if (old.inverted === tree.inverted) {
    // Parents have lower numbers than their children, so one pass in ascending order is enough.
    for (const n of [...withAncestors(old, [...old.roots, ...state.rows, ...(here < 0 ? [] : [here])])].sort((a, b) => a - b)) {
      const node = old.nodes[n];
      const wanted = new Set(twins(node.routine));
      const others =
        node.parent < 0 ? matching(tree, tree.roots, wanted) : below(tree, twin.get(node.parent) ?? [], wanted, event);
      if (others.length === 0 || open.size > MOST_OPENED) continue;
      twin.set(n, others);
      if (state.open.has(n)) for (const other of others) open.add(other);
      if (state.apart.has(n)) for (const other of others) apart.add(other);
    }
  }
  const unfiltered = { closed: NOTHING, filter: undefined, version: 0 };
  const next = { ...state, ...unfiltered, tree, inverted: tree.inverted, open, apart, moved: undefined, landed: -1 };
  const shown = visibleRows(next, event);
  const cursor = Math.max(0, rowOf(tree, shown.rows, twin.get(here)?.[0] ?? -1));
  return { ...next, ...shown, list: { ...state.list, cursor } };
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
  const { list, open, apart, rows, levels, inverted, callersOf, moved } = state;
  if (!moved) return retrace({ ...state, origin: undefined }, tree, event);
  const origin = state.origin ?? { list, open, apart, rows, levels, tree: state.tree, inverted, callersOf, from: moved.from };
  return { ...retrace({ ...state, ...origin, moved: { from: origin.from, to: moved.to } }, tree, event), origin };
}

/** Turns the tree over. What was open in the other one opens again; the cursor goes with its routine, but from the top to the top. */
export function invert(state: TreeState, c: ViewContext): TreeState {
  const { other, list, open, apart, rows, levels, tree, inverted, callersOf } = state;
  const here = tailAt(state, list.cursor, c.event);
  const wanted = treeOf(c.analysis, !inverted, c.event, -1);
  const known = other && other.inverted !== inverted ? other : undefined;
  const next: TreeState = known
    ? retrace({ ...state, ...known, moved: known.moved ?? state.moved }, wanted, c.event)
    : retrace({ ...state, list: START }, wanted, c.event);
  const stays =
    list.cursor === 0 ||
    (here !== undefined && (here.id === state.landed || here.routine === tailAt(next, next.list.cursor, c.event)?.routine));
  const row = stays || !here ? -1 : rowWith(next, here.routine, c.event);
  const placed = row < 0 ? next.list.cursor : row;
  return {
    ...next,
    list: at(next.list, placed, next.rows.length, c.height - 1),
    other: { list, open, apart, rows, levels, tree, inverted, callersOf, moved: state.moved },
    landed: tailAt(next, placed, c.event)?.id ?? -1,
  };
}

function visibleRows(state: TreeState, event: Event): Pick<TreeState, 'rows' | 'levels'> {
  const { tree, open, closed, filter } = state;
  const rows: number[] = [];
  const levels: number[] = [];
  const kept = filter?.kept;
  const shown = (ids: readonly number[]) => (kept ? ids.filter((id) => kept.has(id)) : ids);
  // Kept nodes have been unfolded; the others must not be just for a look.
  const opened = (n: number) => (kept ? !closed.has(n) && tree.childrenOf.has(n) : open.has(n));
  const stack = [...shown(tree.roots)].reverse().map((id) => ({ id, level: 0 }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { id, level } = top;
    rows.push(id);
    levels.push(level);
    let last: number | undefined = id;
    for (let joined = 1; opened(last) && joined < MOST_JOINED; joined++) {
      const next: number | undefined = joinedTo(state, last, event);
      if (next === undefined) break;
      last = next;
    }
    if (!opened(last)) continue;
    const children = shown(childrenOf(tree, last, event));
    for (let k = children.length - 1; k >= 0; k--) stack.push({ id: children[k], level: level + 1 });
  }
  return { rows, levels };
}

/** The row of a node, of the chain that it is in, or of the nearest one above that has a row; -1 for no node. */
function rowOf({ nodes }: Tree, rows: readonly number[], id: number): number {
  const row = new Map(rows.map((n, at) => [n, at]));
  for (let n = id; n >= 0; n = nodes[n].parent) {
    const at = row.get(n);
    if (at !== undefined) return at;
  }
  return -1;
}

/** The same nodes as far as they are still shown, and the cursor on its node or the nearest one above. */
function withRows(state: TreeState, c: ViewContext): TreeState {
  const shown = visibleRows(state, c.event);
  const row = rowOf(state.tree, shown.rows, state.rows[state.list.cursor] ?? -1);
  return { ...state, ...shown, list: at(state.list, Math.max(0, row), shown.rows.length, c.height - 1) };
}

export function withOpen(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  const next = { ...state, open };
  return { ...next, ...visibleRows(next, c.event) };
}

/** Opens what is above a node, and goes there: to the row that it is in, or `alone`, to a row that begins with it. */
export function goToNode(state: TreeState, id: number, c: ViewContext, alone = false): TreeState {
  const open = new Set(state.open);
  const closed = new Set(state.closed);
  const apart = new Set(state.apart);
  const { nodes } = state.tree;
  for (let n = id; nodes[n].parent >= 0; n = nodes[n].parent) {
    const { parent } = nodes[n];
    open.add(parent);
    closed.delete(parent);
    const joined = joinedTo({ ...state, apart }, parent, c.event, true);
    // A child that costs nothing is only seen where its sibling is not joined.
    if (joined !== undefined && (joined !== n || (alone && n === id))) apart.add(parent);
  }
  const next = { ...state, open, closed, apart };
  const shown = visibleRows(next, c.event);
  return { ...next, ...shown, list: at(next.list, rowOf(next.tree, shown.rows, id), shown.rows.length, c.height - 1) };
}

/** Takes over what the filter has found since, or that there is none any more. */
export function withFilter(state: TreeState, c: ViewContext): TreeState {
  const filter = filterOf(state.tree, c);
  const version = filter?.version ?? 0;
  if (filter === state.filter && version === state.version) return state;
  const id = state.rows[state.list.cursor];
  const moved = { ...state, filter, version, closed: filter === state.filter ? state.closed : NOTHING };
  // Without the filter, the way to where the cursor was stays open.
  if (!filter && id !== undefined) return goToNode(moved, id, c);
  const next = withRows(moved, c);
  const first = filter?.places[0];
  return filter !== state.filter && first !== undefined ? goToNode(next, first, c) : next;
}

/** The nodes of a row, the first one first. */
export function chainAt(state: TreeState, row: number, event: Event, known = false): TreeNode[] {
  const head = state.rows[row];
  return head === undefined ? [] : chainFrom(state, head, event, known).map((id) => state.tree.nodes[id]);
}

/** The last node of a row, where its cost goes on: the one that other views are about. */
export const tailAt = (state: TreeState, row: number, event: Event, known = false): TreeNode | undefined =>
  chainAt(state, row, event, known).at(-1);

/** The first row that has the routine in it; -1 if none has. */
export function rowWith(state: TreeState, routine: number, event: Event): number {
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
 * Opens or closes a row. If it is open, `open` goes to its first child, but takes a chain apart first. `close` joins what was taken apart; if
 * the row is closed, it goes to the parent.
 */
export function openOrClose(state: TreeState, what: 'toggle' | 'open' | 'close', c: ViewContext): TreeState {
  const chain = chainAt(state, state.list.cursor, c.event);
  const tail = chain.at(-1);
  if (!tail) return state;
  const to = (row: number) => ({ ...state, list: at(state.list, row, state.rows.length, c.height - 1) });
  const opened = chain.every((node) => isOpen(state, node));
  const above = chain.slice(0, -1);
  if (what === 'open' && above.length > 0)
    return withOpened({ ...state, apart: new Set([...state.apart, ...above.map(({ id }) => id)]) }, above, c);
  if (what === 'close' && state.apart.has(tail.id)) {
    const joined = joinedAgain(state, tail.id, c.event);
    // Under another filter there may be nothing to join.
    if (joinedTo({ ...state, apart: joined }, tail.id, c.event, true) !== undefined)
      return withRows({ ...state, apart: joined }, c);
  }
  if (what === 'close' && !opened) return chain[0].parent < 0 ? state : to(rowOf(state.tree, state.rows, chain[0].parent));
  if (what === 'open' && opened) return to(state.list.cursor + 1);
  return opened ? withClosed(state, tail, c) : openRow(state, state.list.cursor, c);
}

/** Opens a row, if anything is below it. */
export function openRow(state: TreeState, row: number, c: ViewContext): TreeState {
  const chain = chainAt(state, row, c.event);
  const tail = chain.at(-1);
  return tail && unfolds(state, tail) ? withOpened(state, chain, c) : state;
}

function withOpened(state: TreeState, nodes: readonly TreeNode[], c: ViewContext): TreeState {
  const closed = new Set(state.closed);
  for (const { id } of nodes) closed.delete(id);
  // Nodes that the filter keeps are open by themselves; those opened by hand stay open without it.
  const open = state.filter ? state.open : new Set([...state.open, ...nodes.map(({ id }) => id)]);
  return withRows({ ...state, open, closed }, c);
}

function withClosed(state: TreeState, { id }: TreeNode, c: ViewContext): TreeState {
  if (state.filter) return withRows({ ...state, closed: new Set(state.closed).add(id) }, c);
  const open = new Set(state.open);
  open.delete(id);
  return withRows({ ...state, open }, c);
}

/** The node has children that can be shown. */
export function unfolds({ tree, filter }: TreeState, { id }: TreeNode): boolean {
  if (!filter) return canUnfold(tree, id);
  return tree.childrenOf.get(id)?.some((child) => filter.kept.has(child)) ?? false;
}

export function isOpen(state: TreeState, node: TreeNode): boolean {
  return state.filter ? unfolds(state, node) && !state.closed.has(node.id) : state.open.has(node.id);
}
