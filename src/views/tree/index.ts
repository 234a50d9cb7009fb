// The Tree view: the calling-context tree, top-down or inverted, whose nodes the user opens.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { counterpartsOf } from '../../analysis/answers/counterparts.ts';
import { nodeValue, rootsShare, routinePathOf, type Tree } from '../../analysis/answers/tree.ts';
import { routineDetail, routineName } from '../../analysis/names/names.ts';
import { shortName } from '../../analysis/names/short.ts';
import { reasonForNoRows } from '../../analysis/profiles/transforms/applied.ts';
import { formatCount, formatPercent, plural } from '../../base/units.ts';
import { largestMagnitude } from '../../columns/builders.ts';
import { maxIndent, type TreeRow, treeTable } from '../../columns/tree.ts';
import { eventValue } from '../../model/head.ts';
import { listView, withCursorAt } from '../parts/list.ts';
import { drawTable, emptyTableText } from '../parts/table.ts';
import { routineColumnNames } from '../routine-rows.ts';
import { type Binding, key, type ViewContext } from '../view.ts';
import { expensiveNodeOf, openExpensiveNodes, openHottestPath, whyPathEnds } from './hot.ts';
import { currentTreeFilter, nextMatch, treeOf } from './places.ts';
import {
  applyFilter,
  firstRowOfRoutine,
  goToNode,
  hasVisibleChildren,
  initialStateOf,
  invertTree,
  isNodeOpen,
  lastNodeOfRow,
  MAX_OPENED_NODES,
  moveToTree,
  nodesOfRow,
  openBelow,
  openOrClose,
  restParent,
  setOpenNodes,
  shownChildren,
  type TreeState,
} from './state.ts';

interface TreeAction {
  readonly type: 'toggle' | 'open' | 'close' | 'hot' | 'open-below' | 'plot' | 'close-all' | 'invert' | 'callers';
}

/** The routine under the cursor; the routine in focus if that one has no row. */
const routineUnderCursor = (state: TreeState, c: ViewContext): number =>
  state.focusWithoutRow >= 0 ? state.focusWithoutRow : (lastNodeOfRow(state, state.list.cursor, c.event)?.routine ?? -1);

/** Shows only the callers of the routine under the cursor, or the complete tree again. */
function toggleCallers(state: TreeState, c: ViewContext): TreeState {
  if (state.wholeTree) return state.wholeTree;
  const routine = routineUnderCursor(state, c);
  if (routine < 0) return state;
  return openOrClose(initialStateOf(treeOf(c.analysis, true, c.event, routine), routine, state, c), 'toggle', c);
}

/** The tree to show, and the routine whose callers it shows; undefined if the profile does not have that routine. */
function wantedTree(state: TreeState, c: ViewContext): { readonly tree: Tree; readonly callersOf: number } | undefined {
  const { moved } = state;
  if (state.callersOf < 0) return { tree: treeOf(c.analysis, state.tree.inverted, c.event, -1), callersOf: -1 };
  const { from, callersOf } = (moved && state.origin) ?? { from: moved?.from, callersOf: state.callersOf };
  const routine = moved && from ? counterpartsOf(from, moved.to)(callersOf)[0] : callersOf;
  return routine === undefined ? undefined : { tree: treeOf(c.analysis, true, c.event, routine), callersOf: routine };
}

/** The state for another profile. The new tree is built when it is shown, because the profile may change again before. */
function rebaseState(state: TreeState, from: Analysis, to: Analysis): TreeState {
  const on = ({ moved }: Pick<TreeState, 'moved'>) => ({ moved: { from: moved?.from ?? from.profile, to: to.profile } });
  return {
    ...state,
    ...on(state),
    focusWithoutRow: state.focusWithoutRow < 0 ? -1 : (counterpartsOf(from.profile, to.profile)(state.focusWithoutRow)[0] ?? -1),
    invertedDisplay: state.invertedDisplay && { ...state.invertedDisplay, ...on(state.invertedDisplay) },
    wholeTree: state.wholeTree && rebaseState(state.wholeTree, from, to),
  };
}

function applyAction(state: TreeState, action: TreeAction, c: ViewContext): TreeState {
  switch (action.type) {
    case 'invert':
      return state.wholeTree ?? invertTree(state, c);
    case 'close-all': {
      const closed = setOpenNodes({ ...state, apart: new Set() }, new Set(), c);
      return { ...closed, list: withCursorAt(closed.list, 0, closed.rows.length, c.height - 1) };
    }
    case 'hot':
      return openHottestPath(state, c);
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

/** The row of the small children of a node, with their summed costs. */
function restRowAt(state: TreeState, row: number, parent: number, c: ViewContext): TreeRow {
  const { nodes } = state.tree;
  const small = shownChildren(state, parent, c.event).small.map((id) => nodes[id]);
  const sum = (of: 'inclusive' | 'self') => small[0][of].map((_, k) => small.reduce((total, node) => total + node[of][k], 0));
  const estimated = small.some((node) => node.estimated);
  const selfEstimated = small.some((node) => node.selfEstimated);
  return {
    node: { ...small[0], inclusive: sum('inclusive'), self: sum('self'), estimated, selfEstimated },
    rest: small.length,
    level: state.levels[row],
    id: -1,
    parent,
    above: nodes[parent],
    open: false,
    canUnfold: true,
  };
}

function rowAt(state: TreeState, row: number, c: ViewContext): TreeRow {
  const parent = restParent(state, row);
  if (parent >= 0) return restRowAt(state, row, parent, c);
  const chain = nodesOfRow(state, row, c.event);
  const [node] = chain;
  return {
    node,
    chain,
    level: state.levels[row],
    id: node.id,
    parent: node.parent < 0 ? null : node.parent,
    above: state.tree.nodes[node.parent],
    open: chain.every((one) => isNodeOpen(state, one)),
    canUnfold: hasVisibleChildren(state, chain[chain.length - 1]),
  };
}

const noOpenReason = (state: TreeState, c: ViewContext) => {
  const node = lastNodeOfRow(state, state.list.cursor, c.event);
  if (restParent(state, state.list.cursor) >= 0) return undefined;
  if (!node) return 'there are no rows';
  if (hasVisibleChildren(state, node)) return undefined;
  if (state.filter) return 'nothing below it matches the filter';
  if (node.recursive) return 'Recursion: nothing significant below';
  return state.tree.inverted ? 'nothing calls this routine' : 'this routine calls nothing';
};

/** The reason why the key `right` does nothing; undefined for a chain, which can be split. */
const noOpenOrSplitReason = (state: TreeState, c: ViewContext) =>
  nodesOfRow(state, state.list.cursor, c.event).length > 1 ? undefined : noOpenReason(state, c);

const filteredReason = (state: TreeState) => (state.filter ? 'filtered rows stay open; Esc removes the filter' : undefined);

const KEYS: readonly Binding<TreeState, TreeAction>[] = [
  key('enter', { type: 'toggle' }, 'view', 'open or close the node', { footer: 'open', off: noOpenReason }),
  key('right l', { type: 'open' }, 'move', 'open the node, or a chain into its nodes; if it is open, go to its first child', {
    off: noOpenOrSplitReason,
  }),
  key('left h', { type: 'close' }, 'move', 'close the node or refold a chain; if closed, go to its parent'),
  key(']', { type: 'hot' }, 'show', 'open the hottest path until its cost splits; again, go on', {
    footer: 'hot path',
    off: filteredReason,
  }),
  key('+ =', { type: 'open-below' }, 'show', `open everything below, up to ${formatCount(MAX_OPENED_NODES)} nodes`, {
    off: filteredReason,
    noEffectReason: (state, c) => (openBelow(state, c).rows.length > state.rows.length ? undefined : 'everything below is open'),
  }),
  key('p', { type: 'plot' }, 'view', "plot the curve of the node's calling context", {
    usable: (c) => c.analysis.costing.can.has('inputs'),
    off: (state, c) =>
      lastNodeOfRow(state, state.list.cursor, c.event)?.context === undefined || !c.analysis.costing.can.has('inputs')
        ? 'only recorded calling contexts have curves'
        : undefined,
  }),
  key('-', { type: 'close-all' }, 'show', 'close all nodes', { off: filteredReason }),
  key('i', { type: 'invert' }, 'show', 'invert: show callers below routines, or callees', { footer: 'invert' }),
  key('backspace', { type: 'callers' }, 'view', 'go back to the tree from all callers', {
    passesToApp: (state) => !state.wholeTree,
  }),
  key('^', { type: 'callers' }, 'show', 'all callers of this routine, by inclusive cost, or the tree', {
    footer: 'all callers',
    off: (state, c) => (state.wholeTree || routineUnderCursor(state, c) >= 0 ? undefined : 'there are no rows'),
  }),
];

/** Adapts the state to a changed event, profile or filter. */
function adaptToContext(state: TreeState, c: ViewContext): TreeState {
  const wanted = wantedTree(state, c);
  // If the profile lacks the routine whose callers were shown, show the complete tree.
  if (!wanted) return state.wholeTree ? adaptToContext(state.wholeTree, c) : state;
  if (state.tree === wanted.tree) return applyFilter(state, c);
  const next = { ...moveToTree(state, wanted.tree, c.event), callersOf: wanted.callersOf };
  return applyFilter({ ...next, list: withCursorAt(next.list, next.list.cursor, next.rows.length, c.height - 1) }, c);
}

function findRoutine(state: TreeState, routine: number, c: ViewContext): TreeState {
  const row = firstRowOfRoutine(state, routine, c.event);
  // A routine that is not among the shown callers is searched in the complete tree.
  if (row < 0 && state.wholeTree) return findRoutine(adaptToContext(state.wholeTree, c), routine, c);
  if (row < 0) {
    // A routine without a row in the inverted tree has almost no cost, so do not search for it.
    const node = state.filter || state.tree.inverted ? -1 : expensiveNodeOf(state, routine, c);
    return node < 0 ? { ...state, focusWithoutRow: routine } : { ...goToNode(state, node, c), focusWithoutRow: -1 };
  }
  // A routine in the middle of a chain stays in focus until the cursor moves.
  const still = lastNodeOfRow(state, row, c.event)?.routine === routine ? -1 : routine;
  return { ...state, list: withCursorAt(state.list, row, state.rows.length, c.height - 1), focusWithoutRow: still };
}

/** The title of a tree of callers. It always names the routine, even if the width is small. */
function callersTitle(routine: number, { analysis, names }: ViewContext, width: number): string {
  const before = width < 32 ? 'callers of ' : 'all callers of ';
  const nameWidth = Math.max(6, Math.min(40, width - before.length - 2));
  return before + shortName(analysis.profile, routine, nameWidth, names === 'whole' ? 'fit' : names);
}

/** Maximum names of a chain in the detail line; the middle of longer chains is omitted. */
const MAX_NAMED_NODES = 12;

/** The text about the row under the cursor. For a chain: all its names, and the location of its last routine. */
function cursorDetail(state: TreeState, c: ViewContext): string {
  const { profile } = c.analysis;
  const chain = nodesOfRow(state, state.list.cursor, c.event);
  const tail = chain.at(-1);
  if (restParent(state, state.list.cursor) >= 0) return 'each below 0.1% of all and 1% of their parent; Enter shows them';
  if (!tail) return '';
  const level = state.levels[state.list.cursor];
  const own = routineDetail(profile, tail.routine) + (level > maxIndent(c) ? `  (⋯${level}: level ${level})` : '');
  if (chain.length === 1) return own;
  const names = chain.slice(0, -1).map((node) => routineName(profile, node.routine));
  const few = names.length < MAX_NAMED_NODES ? names : [...names.slice(0, 4), '…', ...names.slice(5 - MAX_NAMED_NODES)];
  return `${formatCount(chain.length)} in a row: ${[...few, own].join(' › ')}`;
}

export const treeView = listView({
  id: 'tree',
  title: 'Tree',
  requires: ['calls'],
  follows: [{ flag: 'inverted' }],
  filterColumns: routineColumnNames,
  report: { name: 'tree', ofFocus: false },
  followers: { beside: ['source', 'calls'], below: ['source', 'calls'] },
  keys: KEYS,
  init(c): TreeState {
    const whole = initialStateOf(treeOf(c.analysis, c.choices.inverted ?? false, c.event, -1), -1, undefined, c);
    const callers = c.choices.callers === true && c.focus >= 0;
    const state = callers ? initialStateOf(treeOf(c.analysis, true, c.event, c.focus), c.focus, whole, c) : whole;
    return openExpensiveNodes(state, c);
  },
  change: (state, action, c) =>
    action.type === 'callers'
      ? toggleCallers(state, c)
      : applyAction({ ...state, focusWithoutRow: -1, origin: undefined }, action, c),
  afterMove: (state) =>
    state.focusWithoutRow < 0 && !state.origin ? state : { ...state, focusWithoutRow: -1, origin: undefined },
  adaptToContext,
  messageAfter: (state, action, c) => (action.type === 'hot' ? whyPathEnds(state, c) : undefined),
  close: (state) => state.wholeTree,
  work: (state, c, ms) => currentTreeFilter(state.tree, c)?.run(ms) ?? true,
  find(state, text, search, by, c, ms) {
    const { node, say, more } = nextMatch(state.tree, state.rows[state.list.cursor] ?? -1, text, search, by, c, ms);
    if (more) return { state, more };
    if (node === undefined) return { state, say, wrong: true };
    return { state: { ...goToNode(state, node, c, true), focusWithoutRow: -1, origin: undefined }, say };
  },
  rebase: rebaseState,
  findRoutine,
  draw(state, c) {
    const { nodes, inverted } = state.tree;
    const title = inverted ? 'routine, callers below' : 'routine';
    const none = reasonForNoRows(c.analysis) ?? 'the profile has no calls';
    // Children never cost more than their parent.
    const outer = state.rows.filter((_, row) => state.levels[row] === 0);
    const largestCost = largestMagnitude(outer, (node) => nodeValue(c.event, nodes[node]));
    return drawTable(state.list, c.width, c.height, {
      columns: treeTable(title, inverted, state.levels, largestCost).columns(c),
      rows: { length: state.rows.length, at: (row) => rowAt(state, row, c) },
      sorted: { id: 'inclusive', descending: true },
      empty: emptyTableText(c, state.filter, none, `nothing in the tree matches ${c.filter}`),
    });
  },
  rowCount: (state) => state.rows.length,
  rowText: (state, row, c) =>
    restParent(state, row) >= 0 ? '' : routineName(c.analysis.profile, state.tree.nodes[state.rows[row]].routine),
  routineAt: routineUnderCursor,
  pathAt: (state, c) =>
    state.tree.inverted ? undefined : routinePathOf(state.tree, lastNodeOfRow(state, state.list.cursor, c.event)?.id ?? -1),
  request(state, action, c) {
    const node = lastNodeOfRow(state, state.list.cursor, c.event);
    if (action.type !== 'plot' || node?.context === undefined) return undefined;
    return { type: 'show', view: 'curve', routine: node.routine, context: node.context };
  },
  detail: cursorDetail,
  printed: ({ tree, callersOf }) => ({ inverted: tree.inverted, routine: callersOf < 0 ? undefined : callersOf }),
  mode(state, c, width) {
    const { rootsLeftOut, source } = state.tree;
    const share = state.tree.inverted ? 1 : rootsShare(state.tree, c.event, eventValue(c.event, c.analysis.totals.total, 0));
    const missing = Math.abs(share - 1) > 0.001 ? `, roots are ${formatPercent(share, 1)} of the total` : '';
    const cut = rootsLeftOut ? `, ${formatCount(rootsLeftOut)} cheaper roots left out` : '';
    const percent = c.percent === 'parent' ? ', percent of parent' : '';
    const how = source.exact ? ', exact' : `, ≈ estimated from call shares`;
    const up = state.tree.inverted ? 'inverted' : 'top-down';
    const what = state.callersOf >= 0 ? callersTitle(state.callersOf, c, width) : up;
    if (state.filter) return `${what}, ${state.filter.modeText()}`;
    return `${what}, ${plural(state.rows.length, 'row')}${missing}${cut}${percent}${how}`;
  },
});
