// Tree: the calling-context tree, top-down or inverted, opened node by node.

import type { Analysis } from '../analysis/analysis.ts';
import { routineDetail, routineName } from '../analysis/names.ts';
import { rootsShare } from '../analysis/tree.ts';
import { formatCount, formatPercent, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import { eventValue } from '../model/event-value.ts';
import { entry } from './open-view.ts';
import { at, listView, START } from './parts/list.ts';
import { drawTable } from './parts/table.ts';
import { filterOf, nextPlace, treeOf } from './tree-places.ts';
import {
  goToNode,
  hottestPath,
  invert,
  isOpen,
  MOST_OPENED,
  nodeAt,
  openBelow,
  openOrClose,
  resettled,
  type TreeState,
  unfolds,
  withFilter,
  withOpen,
} from './tree-state.ts';
import { type Binding, ofAnyKind, type ViewContext } from './view.ts';

interface TreeAction {
  readonly type: 'toggle' | 'open' | 'close' | 'hot' | 'open-below' | 'plot' | 'close-all' | 'invert';
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

/** Only what is shown is made anew: until then, profiles may change several times. */
const movedTo = ({ moved }: Pick<TreeState, 'moved'>, from: Analysis, to: Analysis) => ({
  moved: { from: moved?.from ?? from.profile, to: to.profile },
});

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
  const fresh = { other: undefined, origin: undefined, landed: -1, moved: undefined };
  const state = withOpen({ list: START, inverted, tree, open, ...empty, ...fresh }, open, c);
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
    followers: { beside: ['source', 'calls'], below: ['source', 'calls'] },
    of: ofAnyKind,
    keys: KEYS,
    init,
    change: (state, action, c) => change({ ...state, still: -1, origin: undefined }, action, c),
    moved: (state) => (state.still < 0 && !state.origin ? state : { ...state, still: -1, origin: undefined }),
    settle(state, c) {
      const wanted = treeOf(c.analysis, state.inverted, c.event);
      if (state.tree === wanted) return withFilter(state, c);
      const next = resettled(state, wanted, c.event);
      return withFilter({ ...next, list: at(next.list, next.list.cursor, next.rows.length, c.height - 1) }, c);
    },
    work: (state, c, ms) => filterOf(state.tree, c)?.run(ms) ?? true,
    find(state, text, search, by, c, ms) {
      const { node, say, more } = nextPlace(state.tree, state.rows[state.list.cursor] ?? -1, text, search, by, c, ms);
      if (more) return { state, more };
      if (node === undefined) return { state, say, wrong: true };
      return { state: { ...goToNode(state, node, c), still: -1, origin: undefined }, say };
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
