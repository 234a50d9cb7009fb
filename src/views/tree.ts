// Tree: the calling-context tree, top-down or inverted, opened node by node.
import { routineDetail, routineName } from '../analysis/names.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, rootsShare, type Tree, type TreeNode } from '../analysis/tree.ts';
import { formatCount, formatPercent, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import { entry } from './open-view.ts';
import { at, type List, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { filterOf, nextPlace, type TreeFilter, treeOf } from './tree-places.ts';
import { type Binding, ofAnyKind, type ViewContext } from './view.ts';

interface TreeState {
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
  /** The routine in focus on entering the view, if it has no row; -1 otherwise, and once the cursor moves. */
  readonly still: number;
}

interface TreeAction {
  readonly type: 'toggle' | 'open' | 'close' | 'hot' | 'open-below' | 'plot' | 'close-all' | 'invert';
}

/** Limit for opening all nodes below: a call graph unfolds to more than anyone can look at. */
const MOST_OPENED = 5000;

/** Reopens the same paths in another tree, matching routines from the roots down. */
function retrace(state: TreeState, tree: Tree, event: Event): TreeState {
  const open = new Set<number>();
  const old = state.tree;
  const twin = new Map<number, number>();
  if (old.inverted === tree.inverted) {
    const byRoutine = new Map(tree.roots.map((n) => [tree.nodes[n].routine, n]));
    // Parents have lower numbers than their children, so one pass in ascending order is enough.
    for (const n of [...new Set([...old.roots, ...state.rows])].sort((a, b) => a - b)) {
      const node = old.nodes[n];
      const other = node.parent < 0 ? byRoutine.get(node.routine) : childOf(tree, twin.get(node.parent), node.routine, event);
      if (other === undefined) continue;
      twin.set(n, other);
      if (state.open.has(n)) open.add(other);
    }
  }
  const next = { ...state, tree, inverted: tree.inverted, open, closed: new Set<number>(), filter: undefined, version: 0 };
  const rows = visibleRows(next, event);
  const cursorNode = twin.get(state.rows[state.list.cursor] ?? -1);
  const cursor = cursorNode === undefined ? 0 : Math.max(0, rows.indexOf(cursorNode));
  return { ...next, rows, list: { ...state.list, cursor } };
}

function childOf(tree: Tree, parent: number | undefined, routine: number, event: Event): number | undefined {
  return parent === undefined ? undefined : childrenOf(tree, parent, event).find((k) => tree.nodes[k].routine === routine);
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

function withOpen(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  const next = { ...state, open };
  return { ...next, rows: visibleRows(next, c.event) };
}

/** Opens what is above a node, and goes there. */
function goToNode(state: TreeState, id: number, c: ViewContext): TreeState {
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
function withFilter(state: TreeState, c: ViewContext): TreeState {
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
function unfolds({ tree, filter }: TreeState, { id }: TreeNode): boolean {
  if (!filter) return canUnfold(tree, id);
  return tree.childrenOf.get(id)?.some((child) => filter.kept.has(child)) ?? false;
}

function isOpen(state: TreeState, node: TreeNode): boolean {
  return state.filter ? unfolds(state, node) && !state.closed.has(node.id) : state.open.has(node.id);
}

function change(state: TreeState, action: TreeAction, c: ViewContext): TreeState {
  switch (action.type) {
    case 'invert':
      return retrace({ ...state, list: START }, treeOf(c.analysis, !state.inverted, c.event), c.event);
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
  const { tree, inverted } = state;
  const node = tree.nodes[state.rows[row]];
  const above = tree.nodes[node.parent];
  return {
    node,
    id: node.id,
    parent: node.parent < 0 ? null : node.parent,
    above,
    inverted,
    open: isOpen(state, node),
    unfolds: unfolds(state, node),
  };
}

const contextAt = (state: TreeState) => nodeAt(state, state.list.cursor)?.context;

const whyClosed = (state: TreeState) => {
  const node = nodeAt(state, state.list.cursor);
  if (!node) return 'there are no rows';
  if (node.recursive) return 'recursion: the routine is already above, where its cost is counted';
  if (unfolds(state, node)) return undefined;
  if (state.filter) return 'nothing below it matches the filter';
  return state.inverted ? 'nothing calls this routine' : 'this routine calls nothing';
};

const whyFiltered = (state: TreeState) => (state.filter ? 'a filter is on: what it keeps is open; Esc removes it' : undefined);

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
  {
    keys: ['x'],
    action: { type: 'hot' },
    help: 'open the hottest path from here',
    group: 'show',
    footer: 'hot path',
    off: whyFiltered,
  },
  {
    keys: ['*', '+', '='],
    action: { type: 'open-below' },
    help: `open everything below, up to ${formatCount(MOST_OPENED)} nodes`,
    group: 'show',
    off: whyFiltered,
  },
  {
    keys: ['p'],
    action: { type: 'plot' },
    help: "plot the curve of the node's calling context",
    group: 'view',
    usable: (c) => c.analysis.costing.can.has('inputs'),
    off: (state, c) =>
      contextAt(state) === undefined || !c.analysis.costing.can.has('inputs')
        ? 'only recorded calling contexts have curves'
        : undefined,
  },
  { keys: ['-'], action: { type: 'close-all' }, help: 'close all nodes', group: 'show', off: whyFiltered },
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
  const inverted = c.choices.inverted ?? false;
  const tree = treeOf(c.analysis, inverted, c.event);
  const open = new Set<number>();
  const empty = { closed: new Set<number>(), filter: undefined, version: 0, rows: [], still: -1 };
  const state = withOpen({ list: START, inverted, tree, open, ...empty }, open, c);
  return state.rows.length > 0 ? openOrClose(state, 'open', c) : state;
}

export const tree = entry(
  listView({
    id: 'tree',
    title: 'Tree',
    digit: '3',
    asks: ['calls'],
    follows: [{ flag: 'inverted' }],
    report: { name: 'tree', ofFocus: false },
    of: ofAnyKind,
    keys: KEYS,
    init,
    change: (state, action, c) => change({ ...state, still: -1 }, action, c),
    moved: (state) => (state.still < 0 ? state : { ...state, still: -1 }),
    settle(state, c) {
      const wanted = treeOf(c.analysis, state.inverted, c.event);
      return withFilter(state.tree === wanted ? state : retrace(state, wanted, c.event), c);
    },
    work: (state, c, ms) => filterOf(state.tree, c)?.run(ms) ?? true,
    find(state, text, matches, by, c) {
      const { node, say } = nextPlace(state.tree, state.rows[state.list.cursor] ?? -1, text, matches, by, c);
      if (node === undefined) return { state, say, wrong: true };
      return { state: { ...goToNode(state, node, c), still: -1 }, say };
    },
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
        empty: state.filter
          ? state.filter.done
            ? `nothing in the tree matches ${c.filter}`
            : 'searching …'
          : 'the profile has no calls',
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
    printed: ({ inverted }) => ({ inverted }),
    mode(state, c) {
      const { rootsLeftOut, source } = state.tree;
      const share = state.inverted ? 1 : rootsShare(state.tree, c.event, eventValue(c.event, c.analysis.totals.total, 0));
      const missing = Math.abs(share - 1) > 0.001 ? `, roots are ${formatPercent(share, 1)} of the total` : '';
      const cut = rootsLeftOut ? `, ${formatCount(rootsLeftOut)} cheaper roots left out` : '';
      const percent = c.percent === 'parent' ? ', percent of parent' : '';
      const how = source.exact ? ', exact' : `, ${c.ascii ? '~' : '≈'} split by the shares of the calls`;
      if (state.filter) return `${state.inverted ? 'inverted' : 'top-down'}, ${state.filter.mode()}`;
      return `${state.inverted ? 'inverted' : 'top-down'}, ${plural(state.rows.length, 'row')}${missing}${cut}${percent}${how}`;
    },
  }),
);
