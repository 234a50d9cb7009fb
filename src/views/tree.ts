// Tree: the calling-context tree, top-down or inverted, opened node by node.
import type { Analysis } from '../analysis/analysis.ts';
import { routineDetail, routineName } from '../analysis/names.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, openTree, type Tree, type TreeNode } from '../analysis/tree.ts';
import { type Twins, twinsOf } from '../analysis/twins.ts';
import { memo } from '../base/memo.ts';
import { formatCount, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { entry } from './open-view.ts';
import { at, type List, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { type Binding, ofAnyKind, type ViewContext } from './view.ts';

interface TreeState {
  readonly list: List;
  readonly inverted: boolean;
  /** The tree that `rows` and `open` refer to; every analysis and event has its own. */
  readonly tree: Tree;
  readonly open: ReadonlySet<number>;
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

interface TreeAction {
  readonly type: 'toggle' | 'open' | 'close' | 'hot' | 'open-below' | 'plot' | 'close-all' | 'invert';
}

const treeOf = memo(
  (analysis: Analysis, inverted: boolean, event: Event) => openTree(analysis.costing.tree(inverted), inverted, event),
  3,
);

/** Limit for opening all nodes below: a call graph unfolds to more than anyone can look at. */
const MOST_OPENED = 5000;

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
  const rows = visibleRows(tree, open, event);
  const cursorNode = twin.get(state.rows[state.list.cursor] ?? -1)?.[0];
  const cursor = cursorNode === undefined ? 0 : Math.max(0, rows.indexOf(cursorNode));
  return { ...state, tree, inverted: tree.inverted, open, rows, list: { ...state.list, cursor }, moved: undefined, landed: -1 };
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
function resettled(state: TreeState, tree: Tree, event: Event): TreeState {
  const { list, open, rows, inverted, moved } = state;
  if (!moved) return retrace({ ...state, origin: undefined }, tree, event);
  const origin = state.origin ?? { list, open, rows, tree: state.tree, inverted, from: moved.from };
  return { ...retrace({ ...state, ...origin, moved: { from: origin.from, to: moved.to } }, tree, event), origin };
}

/** Turns the tree over. What was open in the other one opens again; the cursor goes with its routine, but from the top to the top. */
function invert(state: TreeState, c: ViewContext): TreeState {
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

function visibleRows(tree: Tree, open: ReadonlySet<number>, event: Event): number[] {
  const rows: number[] = [];
  const stack = [...tree.roots].reverse();
  for (let n = stack.pop(); n !== undefined; n = stack.pop()) {
    rows.push(n);
    if (!open.has(n)) continue;
    const children = childrenOf(tree, n, event);
    for (let k = children.length - 1; k >= 0; k--) stack.push(children[k]);
  }
  return rows;
}

function withOpen(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  return { ...state, open, rows: visibleRows(state.tree, open, c.event) };
}

/** The node in a row; undefined if there is no such row. */
function nodeAt({ tree, rows }: TreeState, row: number): TreeNode | undefined {
  const n = rows[row];
  return n === undefined ? undefined : tree.nodes[n];
}

/** Opens the most expensive child, level by level, until a node's self cost exceeds it. */
function hottestPath(state: TreeState, c: ViewContext): TreeState {
  const { tree } = state;
  const open = new Set(state.open);
  let node = nodeAt(state, state.list.cursor);
  if (!node) return state;
  for (let steps = 0; steps < 2000; steps++) {
    const first: number | undefined = canUnfold(tree, node.id) ? childrenOf(tree, node.id, c.event)[0] : undefined;
    if (first === undefined || nodeValue(c.event, tree.nodes[first]) <= 0) break;
    if (!tree.inverted && nodeSelf(c.event, node) > nodeValue(c.event, tree.nodes[first])) break;
    open.add(node.id);
    node = tree.nodes[first];
  }
  const next = withOpen(state, open, c);
  return { ...next, list: at(next.list, next.rows.indexOf(node.id), next.rows.length, c.height - 1) };
}

function openBelow(state: TreeState, c: ViewContext): TreeState {
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
function openOrClose(state: TreeState, what: 'toggle' | 'open' | 'close', c: ViewContext): TreeState {
  const node = nodeAt(state, state.list.cursor);
  if (!node) return state;
  const to = (row: number) => ({ ...state, list: at(state.list, row, state.rows.length, c.height - 1) });
  const isOpen = state.open.has(node.id);
  if (what === 'close' && !isOpen) return node.parent < 0 ? state : to(state.rows.indexOf(node.parent));
  if (what === 'open' && isOpen) return to(state.list.cursor + 1);
  if (!isOpen && !canUnfold(state.tree, node.id)) return state;
  const open = new Set(state.open);
  if (isOpen) open.delete(node.id);
  else open.add(node.id);
  return withOpen(state, open, c);
}

function change(state: TreeState, action: TreeAction, c: ViewContext): TreeState {
  switch (action.type) {
    case 'invert':
      return invert(state, c);
    case 'close-all': {
      const closed = withOpen(state, new Set(), c);
      return { ...closed, list: at(closed.list, 0, closed.rows.length, c.height - 1) };
    }
    case 'hot':
      return hottestPath(state, c);
    case 'open-below':
      return openBelow(state, c);
    case 'toggle':
    case 'open':
    case 'close':
      return openOrClose(state, action.type, c);
    default:
      return state;
  }
}

function rowAt(state: TreeState, row: number): TreeRow {
  const { tree, open, inverted } = state;
  const node = tree.nodes[state.rows[row]];
  const above = tree.nodes[node.parent];
  return {
    node,
    id: node.id,
    parent: node.parent < 0 ? null : node.parent,
    above,
    inverted,
    open: open.has(node.id),
    unfolds: canUnfold(tree, node.id),
  };
}

/** Only what is shown is made anew: until then, profiles may change several times. */
const movedTo = ({ moved }: Pick<TreeState, 'moved'>, from: Analysis, to: Analysis) => ({
  moved: { from: moved?.from ?? from.profile, to: to.profile },
});

const contextAt = (state: TreeState) => nodeAt(state, state.list.cursor)?.context;

const whyClosed = (state: TreeState) => {
  const node = nodeAt(state, state.list.cursor);
  if (!node) return 'there are no rows';
  if (node.recursive) return 'recursion: the routine is already above, where its cost is counted';
  if (canUnfold(state.tree, node.id)) return undefined;
  return state.inverted ? 'nothing calls this routine' : 'this routine calls nothing';
};

const KEYS: readonly Binding<TreeState, TreeAction>[] = [
  { keys: ['enter'], action: { type: 'toggle' }, help: 'open or close the node', group: 'view', footer: 'open', off: whyClosed },
  {
    keys: ['right', 'l'],
    action: { type: 'open' },
    help: 'open the node; if it is open, go to its first child',
    group: 'move',
    off: whyClosed,
  },
  { keys: ['left', 'h'], action: { type: 'close' }, help: 'close the node; if it is closed, go to its parent', group: 'move' },
  { keys: ['x'], action: { type: 'hot' }, help: 'open the hottest path from here', group: 'show', footer: 'hot path' },
  {
    keys: ['*', '+', '='],
    action: { type: 'open-below' },
    help: `open everything below, up to ${formatCount(MOST_OPENED)} nodes`,
    group: 'show',
  },
  {
    keys: ['p'],
    action: { type: 'plot' },
    help: "plot the curve of the node's calling context",
    group: 'view',
    off: (state, c) =>
      contextAt(state) === undefined || !c.analysis.costing.can.has('inputs')
        ? 'only recorded calling contexts have curves'
        : undefined,
  },
  { keys: ['-'], action: { type: 'close-all' }, help: 'close all nodes', group: 'show' },
  {
    keys: ['i'],
    action: { type: 'invert' },
    help: 'invert: show callers below routines, or callees',
    group: 'show',
    footer: 'invert',
  },
];

/** Initially, only the first root is open. */
function init(c: ViewContext): TreeState {
  const tree = treeOf(c.analysis, false, c.event);
  const open = new Set<number>();
  const rows = visibleRows(tree, open, c.event);
  const fresh = { other: undefined, origin: undefined, landed: -1, moved: undefined, still: -1 };
  const state: TreeState = { list: START, inverted: false, tree, open, rows, ...fresh };
  return state.rows.length > 0 ? openOrClose(state, 'open', c) : state;
}

export const tree = entry(
  listView({
    id: 'tree',
    title: 'Tree',
    digit: '3',
    asks: ['calls'],
    report: { name: 'tree', ofFocus: false },
    of: ofAnyKind,
    keys: KEYS,
    init,
    change: (state, action, c) => change({ ...state, still: -1, origin: undefined }, action, c),
    moved: (state) => (state.still < 0 && !state.origin ? state : { ...state, still: -1, origin: undefined }),
    settle(state, c) {
      const wanted = treeOf(c.analysis, state.inverted, c.event);
      if (state.tree === wanted) return state;
      const next = resettled(state, wanted, c.event);
      return { ...next, list: at(next.list, next.list.cursor, next.rows.length, c.height - 1) };
    },
    rebase: (state, from, to) => ({
      ...state,
      ...movedTo(state, from, to),
      other: state.other && { ...state.other, ...movedTo(state.other, from, to) },
    }),
    findRoutine(state, routine, c) {
      const row = state.rows.findIndex((n) => state.tree.nodes[n].routine === routine);
      const list = row < 0 ? state.list : at(state.list, row, state.rows.length, c.height - 1);
      return { ...state, list, still: row < 0 ? routine : -1 };
    },
    draw(state, c) {
      const title = state.inverted ? 'routine, and below it who called it' : 'routine';
      const spec = {
        columns: treeTable(title, state.inverted).columns(c),
        rows: state.rows.length,
        row: (row: number) => rowAt(state, row),
        sorted: { id: 'inclusive', descending: true },
        empty: 'the profile has no calls',
      };
      return drawTable(spec, state.list, c.width, c.height, c.ascii);
    },
    rows: (state) => state.rows.length,
    rowText: (state, row, c) => routineName(c.analysis.profile, state.tree.nodes[state.rows[row]].routine),
    routineAt: (state) => (state.still >= 0 ? state.still : (nodeAt(state, state.list.cursor)?.routine ?? -1)),
    request(state, action) {
      const node = nodeAt(state, state.list.cursor);
      if (action.type !== 'plot' || node?.context === undefined) return undefined;
      return { type: 'show', view: 'curve', routine: node.routine, context: node.context };
    },
    detail(state, c) {
      const node = nodeAt(state, state.list.cursor);
      return node ? routineDetail(c.analysis.profile, node.routine) : '';
    },
    mode(state, c) {
      const { rootsLeftOut, source } = state.tree;
      const cut = rootsLeftOut ? `, ${formatCount(rootsLeftOut)} cheaper roots left out` : '';
      const percent = c.percent === 'parent' ? ', percent of parent' : '';
      const how = source.exact ? ', exact' : `, ${c.ascii ? '~' : '≈'} split by the shares of the calls`;
      return `${state.inverted ? 'inverted' : 'top-down'}, ${plural(state.rows.length, 'row')}${cut}${percent}${how}`;
    },
  }),
);
