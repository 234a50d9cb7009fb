// Tree: the calling-context tree, top-down or inverted, opened node by node.
import type { Analysis } from '../analysis/analysis.ts';
import { routineDetail, routineFile, routineName, UNKNOWN } from '../analysis/names.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, openTree, type Tree } from '../analysis/tree.ts';
import { memo } from '../base/memo.ts';
import { formatCount, plural } from '../base/units.ts';
import { type Event, hasCounts } from '../model/profile.ts';
import { costColumn, costText, PERCENT_COLUMN, percentCell } from './parts/costs.ts';
import { at, LIST_KEYS, type List, moveList, START } from './parts/list.ts';
import { type Cell, type Column, drawTable } from './parts/table.ts';
import type { Action, Binding, View, ViewContext } from './view.ts';

export interface TreeState {
  readonly list: List;
  readonly inverted: boolean;
  /** The tree that `rows` and `open` are of; another analysis or event has another one. */
  readonly tree: Tree | undefined;
  readonly open: ReadonlySet<number>;
  /** Node numbers of the visible rows, depth first. */
  readonly rows: readonly number[];
  /** The routine that was in focus when the view was entered; it stays until the cursor moves. -1 then. */
  readonly still: number;
}

const treeOf = memo((analysis: Analysis, inverted: boolean, event: Event) => openTree(analysis, inverted, event), 3);

/** "All below" stops here: a call graph unfolds to more nodes than anybody can look at. */
const MOST_OPENED = 5000;

/** The same opened ways in another tree: by the routines on them, from the roots down. */
function retrace(state: TreeState, tree: Tree, event: Event): TreeState {
  const open = new Set<number>();
  const old = state.tree;
  const twin = new Map<number, number>();
  if (old && old.inverted === tree.inverted) {
    const byRoutine = new Map(tree.roots.map((n) => [tree.nodes[n].routine, n]));
    // Parents were made before their children, so one pass in order of number finds them.
    for (const n of [...new Set([...old.roots, ...state.rows])].sort((a, b) => a - b)) {
      const node = old.nodes[n];
      const name = node.routine;
      if (node.parent < 0) {
        const root = byRoutine.get(name);
        if (root !== undefined) twin.set(n, root);
      } else {
        const parent = twin.get(node.parent);
        const child =
          parent === undefined ? undefined : childrenOf(tree, parent, event).find((k) => tree.nodes[k].routine === name);
        if (child !== undefined) twin.set(n, child);
      }
      if (state.open.has(n) && twin.has(n)) open.add(twin.get(n)!);
    }
  }
  const rows = visibleRows(tree, open, event);
  const cursorNode = twin.get(state.rows[state.list.cursor] ?? -1);
  const cursor = cursorNode === undefined ? 0 : Math.max(0, rows.indexOf(cursorNode));
  return { ...state, tree, open, rows, list: { ...state.list, cursor } };
}

function visibleRows(tree: Tree, open: ReadonlySet<number>, event: Event): number[] {
  const rows: number[] = [];
  const stack = [...tree.roots].reverse();
  while (stack.length > 0) {
    const n = stack.pop()!;
    rows.push(n);
    if (!open.has(n)) continue;
    const children = childrenOf(tree, n, event);
    for (let k = children.length - 1; k >= 0; k--) stack.push(children[k]);
  }
  return rows;
}

function withOpen(state: TreeState, open: ReadonlySet<number>, c: ViewContext): TreeState {
  return { ...state, open, rows: visibleRows(state.tree!, open, c.event) };
}

/** Opens node after node where the most cost goes, until the cost is the node's own. */
function hottestPath(state: TreeState, c: ViewContext): TreeState {
  const tree = state.tree!;
  const open = new Set(state.open);
  const start = state.rows[state.list.cursor];
  if (start === undefined) return state;
  let n = start;
  for (let steps = 0; steps < 2000; steps++) {
    const first: number | undefined = canUnfold(tree, n) ? childrenOf(tree, n, c.event)[0] : undefined;
    const node = tree.nodes[n];
    if (first === undefined || nodeValue(c.event, tree.nodes[first]) <= 0) break;
    if (!tree.inverted && nodeSelf(c.event, node) > nodeValue(c.event, tree.nodes[first])) break;
    open.add(n);
    n = first;
  }
  const next = withOpen(state, open, c);
  return { ...next, list: at(next.list, next.rows.indexOf(n), next.rows.length, c.height - 1) };
}

function openBelow(state: TreeState, c: ViewContext): TreeState {
  const tree = state.tree!;
  const from = state.rows[state.list.cursor];
  if (from === undefined) return state;
  const open = new Set(state.open);
  const queue = [from];
  for (let k = 0; k < queue.length && k < MOST_OPENED; k++) {
    const n = queue[k];
    if (!canUnfold(tree, n)) continue;
    open.add(n);
    queue.push(...childrenOf(tree, n, c.event));
  }
  return withOpen(state, open, c);
}

function change(state: TreeState, action: Action, c: ViewContext): TreeState {
  const n = state.rows[state.list.cursor];
  const tree = state.tree!;
  const height = c.height - 1;
  const to = (s: TreeState, row: number) => ({ ...s, list: at(s.list, row, s.rows.length, height) });
  switch (action.type) {
    case 'invert':
      return retrace({ ...state, inverted: !state.inverted, list: START }, treeOf(c.analysis, !state.inverted, c.event), c.event);
    case 'close-all':
      return to(withOpen(state, new Set(), c), 0);
    case 'hot':
      return hottestPath(state, c);
    case 'open-below':
      return openBelow(state, c);
    case 'toggle':
    case 'open':
    case 'close': {
      if (n === undefined) return state;
      const isOpen = state.open.has(n);
      if (action.type === 'close' && !isOpen) {
        const parent = tree.nodes[n].parent;
        return parent < 0 ? state : to(state, state.rows.indexOf(parent));
      }
      if (action.type === 'open' && isOpen) return to(state, state.list.cursor + 1);
      if (!isOpen && !canUnfold(tree, n)) return state;
      const open = new Set(state.open);
      if (isOpen) open.delete(n);
      else open.add(n);
      return withOpen(state, open, c);
    }
    default:
      return state;
  }
}

function cells(state: TreeState, row: number, c: ViewContext): (string | Cell)[] {
  const tree = state.tree!;
  const node = tree.nodes[state.rows[row]];
  const { profile } = c.analysis;
  const value = nodeValue(c.event, node);
  const parent = tree.nodes[node.parent];
  const mark = node.recursive
    ? c.ascii
      ? '@'
      : '↻'
    : !canUnfold(tree, node.id)
      ? ' '
      : state.open.has(node.id)
        ? c.ascii
          ? '-'
          : '▾'
        : c.ascii
          ? '+'
          : '▸';
  // Deep trees: the depth is said in a number once the indent would push the name off the screen.
  const most = Math.max(4, Math.floor(c.width / 4));
  const indent =
    node.depth <= most ? ' '.repeat(node.depth) : `${' '.repeat(Math.max(0, most - 5))}${c.ascii ? '..' : '⋯'}${node.depth} `;
  return [
    costText(c, value, node.estimated),
    ...(c.percent === 'none' ? [] : [percentCell(c, value, parent ? nodeValue(c.event, parent) : undefined)]),
    tree.inverted ? '' : costText(c, nodeSelf(c.event, node), node.selfEstimated),
    !hasCounts(profile) || node.calls === 0 ? '' : node.calls < 0 ? '?' : formatCount(node.calls),
    `${indent}${mark} ${routineName(profile, node.routine)}`,
    routineFile(profile, node.routine) || UNKNOWN,
  ];
}

const contextAt = (state: TreeState) => state.tree?.nodes[state.rows[state.list.cursor] ?? -1]?.context;

const recursion = (state: TreeState) => {
  const n = state.rows[state.list.cursor];
  const node = n === undefined ? undefined : state.tree?.nodes[n];
  if (!node) return 'there is no row';
  if (node.recursive) return 'recursion: the routine is already above, its cost is counted there';
  return canUnfold(state.tree!, node.id)
    ? undefined
    : state.inverted
      ? 'nothing calls this routine'
      : 'this routine calls nothing';
};

const KEYS: readonly Binding<TreeState>[] = [
  ...(LIST_KEYS as readonly Binding<TreeState>[]),
  { keys: ['enter'], action: { type: 'toggle' }, help: 'open or close the node', group: 'view', footer: 'open', off: recursion },
  {
    keys: ['right', 'l'],
    action: { type: 'open' },
    help: 'open the node; opened: to its first child',
    group: 'move',
    off: recursion,
  },
  { keys: ['left', 'h'], action: { type: 'close' }, help: 'close the node; closed: to its parent', group: 'move' },
  { keys: ['x'], action: { type: 'hot' }, help: 'open the hottest path from here', group: 'show', footer: 'hot path' },
  {
    keys: ['*', '+', '='],
    action: { type: 'open-below' },
    help: `open all below, ${formatCount(MOST_OPENED)} nodes at most`,
    group: 'show',
  },
  {
    keys: ['p'],
    action: { type: 'plot' },
    help: "the curve of the node's calling context",
    group: 'view',
    off: (state, c) =>
      contextAt(state) === undefined || !c.analysis.profile.inputs
        ? 'only recorded calling contexts have curves of their own'
        : undefined,
  },
  { keys: ['-'], action: { type: 'close-all' }, help: 'close all', group: 'show' },
  {
    keys: ['i'],
    action: { type: 'invert' },
    help: 'inverted: callers upwards from what costs; and back',
    group: 'show',
    footer: 'invert',
  },
];

const wider = (column: Column): Column => ({ ...column, width: column.width + 1 });

export const tree: View<TreeState> = {
  id: 'tree',
  title: 'Tree',
  digit: '3',
  ownCursor: true,
  requires: ['calls'],
  report: 'tree',
  keys: KEYS,
  init: () => ({ list: START, inverted: false, tree: undefined, open: new Set(), rows: [], still: -1 }),
  update(state, action, c) {
    const wanted = treeOf(c.analysis, state.inverted, c.event);
    const fresh = state.tree === undefined;
    const current = state.tree === wanted ? state : retrace(state, wanted, c.event);
    // A first look: the way that matters most is open as far as there is no choice to make.
    const first = fresh && current.rows.length > 0 ? change(current, { type: 'open' }, c) : current;
    if (action.type === 'find-routine') {
      const routine = action['routine'] as number;
      const row = first.rows.findIndex((n) => wanted.nodes[n].routine === routine);
      const list = row < 0 ? first.list : at(first.list, row, first.rows.length, c.height - 1);
      return { ...first, list, still: row < 0 ? routine : -1 };
    }
    const next = change(action.type === 'sync' ? first : { ...first, still: -1 }, action, c);
    return { ...next, list: moveList(next.list, action, next.rows.length, c.height - 1) };
  },
  draw(state, c) {
    const spec = {
      columns: [
        // An estimate has its mark before it.
        wider(costColumn(c, state.inverted ? 'cost' : 'incl', 9, 'desc')),
        ...(c.percent === 'none' ? [] : [{ ...PERCENT_COLUMN, title: c.percent === 'parent' ? '%parent' : '%' }]),
        ...(state.inverted ? [{ title: '', width: 0, rank: 0 }] : [wider(costColumn(c, 'self', 4))]),
        {
          title: hasCounts(c.analysis.profile) ? 'calls' : '',
          width: hasCounts(c.analysis.profile) ? 8 : 0,
          align: 'right' as const,
          rank: 3,
        },
        {
          title: state.inverted ? 'routine, and below it who called it' : 'routine',
          width: 30,
          flex: 4,
          cut: 'end' as const,
          rank: 9,
        },
        { title: 'file', width: 12, flex: 1, cut: 'start' as const, rank: 1, style: 'dim' as const },
      ],
      rows: state.rows.length,
      cells: (row: number) => cells(state, row, c),
      empty: 'the profile has no calls',
    };
    return drawTable(spec, state.list, c.width, c.height, c.ascii);
  },
  rows: (state) => state.rows.length,
  cursor: (state) => state.list.cursor,
  moveTo: (state, row, c) => ({ ...state, list: at(state.list, row, state.rows.length, c.height - 1) }),
  rowText: (state, row, c) => routineName(c.analysis.profile, state.tree!.nodes[state.rows[row]].routine),
  routineAt(state) {
    if (state.still >= 0) return state.still;
    const n = state.rows[state.list.cursor];
    return n === undefined ? -1 : state.tree!.nodes[n].routine;
  },
  asks(state, action) {
    const context = contextAt(state);
    if (action.type !== 'plot' || context === undefined) return undefined;
    const node = state.tree!.nodes[state.rows[state.list.cursor]];
    return { type: 'show', view: 'curve', routine: node.routine, context };
  },
  detail(state, c) {
    const n = state.rows[state.list.cursor];
    const node = n === undefined ? undefined : state.tree!.nodes[n];
    if (!node) return '';
    const { profile } = c.analysis;
    return routineDetail(profile, node.routine);
  },
  mode: (state, c) =>
    `${state.inverted ? 'inverted' : 'top-down'}, ${plural(state.rows.length, 'row')}${state.tree?.rootsLeftOut ? `, ${formatCount(state.tree.rootsLeftOut)} cheaper roots left out` : ''}${c.percent === 'parent' ? ', percent of parent' : ''}${c.analysis.profile.stacks || (c.analysis.profile.contexts && !state.inverted) ? ', exact' : `, ${c.ascii ? '~' : '≈'} shared out by edge`}`,
};
