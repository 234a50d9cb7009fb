// The Graph view: the routine in focus with levels of callers above and of callees below, as boxes as wide as their cost.

import { chooseNeighbours, neighboursOf, USUAL_DEPTH } from '../../analysis/answers/neighbours.ts';
import { routineDetail, routineName } from '../../analysis/names/names.ts';
import { reasonForNoRows } from '../../analysis/profiles/transforms/applied.ts';
import { filterStatusText } from '../../base/match.ts';
import { formatCount } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import type { Kind } from '../../model/profile.ts';
import { centreText, cycleName, neighbourText } from '../../pictures/graph-boxes.ts';
import { adjacentCentre, drawGraph } from '../../pictures/graph-drawing.ts';
import { fullGraphRows, type GraphLevel, MAX_DEPTH } from '../../pictures/graph-layout.ts';
import { viewEntry } from '../open-view.ts';
import { fillHeight } from '../parts/lines.ts';
import { withNoEffectReasons } from '../parts/unchanged.ts';
import { routineColumnNames } from '../routine-rows.ts';
import { type Binding, key, type ScreenLine, textLine, type ViewContext } from '../view.ts';
import {
  applyAction,
  CURSOR_AT_FOCUS,
  callGraphPicture,
  clusterChoices,
  type GraphAction,
  type GraphState,
  graphCentre,
  itemInRow,
  keepInBounds,
  moveToRow,
  rowCount,
  runRoutineFilter,
  THRESHOLDS,
} from './state.ts';

const BINDINGS: readonly Binding<GraphState, GraphAction>[] = [
  key('right l', { type: 'beside', by: 1 }, 'move', 'next box of the level'),
  key('left h', { type: 'beside', by: -1 }, 'move', 'previous box of the level'),
  key('up k', { type: 'level', by: -1 }, 'move', 'up, to the callers'),
  key('down j', { type: 'level', by: 1 }, 'move', 'down, to the callees'),
  key('g home', { type: 'first' }, 'move', 'first box of the level'),
  key('G end', { type: 'last' }, 'move', 'last box of the level'),
  key('+ =', { type: 'depth', by: 1 }, 'show', 'one level more of callers and of callees'),
  key('-', { type: 'depth', by: -1 }, 'show', 'one level less of callers and of callees'),
  key('', { type: 'cluster' }, 'show', 'frame the boxes of each file or object', {
    off: (_, c) => (clusterChoices(c).length > 1 ? undefined : 'the profile names neither files nor objects'),
    options: { label: 'frames by', values: (_, c) => clusterChoices(c), current: ({ cluster }) => cluster ?? 'none' },
  }),
  key('', { type: 'threshold' }, 'show', 'leave out boxes below a share of the total', {
    options: { label: 'least cost', values: () => THRESHOLDS, current: ({ threshold }) => `${threshold}%` },
  }),
  key('enter', { type: 'enter' }, 'view', 'move the focus to the box under the cursor', {
    footer: 'go there',
    off(state, c) {
      const routine = itemInRow(state, state.row, c)?.routine ?? -1;
      if (routine < 0) return 'the profile has no routines';
      return routine === c.focus ? 'this routine is already in focus' : undefined;
    },
  }),
  key('.', { type: 'to-focus' }, 'move', 'go back to the routine in focus'),
];

const sideName = (level: GraphLevel) => (level < 0 ? 'callers' : 'callees');
const levelName = (level: GraphLevel) =>
  Math.abs(level) === 1 ? sideName(level) : `${sideName(level)} of the ${sideName(level).slice(0, -1)}`;
const noMoreReason = (which: string) => (state: GraphState) =>
  state.level === 0 ? 'the routine in focus is alone on its level' : `this is the ${which} of the ${levelName(state.level)}`;
const noLevelReason = (to: 'up' | 'down') => (state: GraphState) => {
  const which = to === 'up' ? 'callers' : 'callees';
  const isEdge = Math.abs(state.level) === state.depth && state.level > 0 === (to === 'down');
  const levels = state.depth === 1 ? 'one level' : `${formatCount(state.depth)} levels`;
  return isEdge ? `${levels} of ${which} are shown: + adds one, Enter moves the focus` : `it has no ${which} here`;
};

const KEYS = withNoEffectReasons(BINDINGS, applyAction, {
  right: noMoreReason('last'),
  left: noMoreReason('first'),
  up: noLevelReason('up'),
  down: noLevelReason('down'),
  g: noMoreReason('first'),
  G: noMoreReason('last'),
  '.': 'the cursor is on the routine in focus',
  '+': `${MAX_DEPTH} levels are the most`,
  '-': 'one level is the least',
});

/** The text about the routine under the cursor: its full name, and its cost in these calls. */
function cursorDetail(state: GraphState, c: ViewContext): string {
  const item = itemInRow(state, state.row, c);
  if (!item || item.routine < 0) return '';
  const near = adjacentCentre(callGraphPicture(state, c), item.level);
  const { facts } = item.neighbour ? neighbourText(c, item.neighbour, near) : centreText(c, near);
  const numbers = facts.map(([text]) => text).join('  ');
  if (!item.neighbour) return `${routineDetail(c.analysis.profile, item.routine)}  ${numbers}`;
  const how = item.level < 0 ? 'for calls of' : 'when called by';
  const whom = near.cycle > 0 ? 'the cycle' : titleName(c, near.routine, 24);
  return `${routineDetail(c.analysis.profile, item.routine)}  ${numbers}  ${how} ${whom}`;
}

export const graphView = viewEntry<'graph', GraphState, GraphAction, Kind>({
  id: 'graph',
  title: 'Graph',
  partOf: 'calls',
  requires: ['calls'],
  filterColumns: routineColumnNames,
  report: { name: 'graph', ofFocus: true },
  followers: { beside: ['source', 'calls'], below: ['source', 'calls'] },
  keys: KEYS,
  init: () => CURSOR_AT_FOCUS,
  update: applyAction,
  sync: keepInBounds,
  messageAfter({ depth, cluster }, { type }) {
    if (type === 'depth') return `up to ${depth} calls away`;
    const isFramed = type === 'cluster' && cluster;
    return isFramed ? `boxes of one ${cluster} are side by side, under its name if there is room` : undefined;
  },
  draw(state, c): ScreenLine[] {
    if (graphCentre(c).routine >= 0) return drawGraph(c, callGraphPicture(state, c), c.width, c.height);
    const why = reasonForNoRows(c.analysis) ?? 'the profile has no routines';
    return fillHeight([textLine(` ${why}`.slice(0, c.width), 'dim')], c.height);
  },
  fullHeight: ({ depth }) => fullGraphRows(depth),
  work: ({ depth }, c, ms) => runRoutineFilter(graphCentre(c), depth, c)?.run(ms) ?? true,
  rowCount,
  cursor: (state) => state.row,
  moveTo: moveToRow,
  rowText(state, row, c) {
    const routine = itemInRow(state, row, c)?.routine ?? -1;
    return routine < 0 ? '' : routineName(c.analysis.profile, routine);
  },
  routineAt: (state, c) => itemInRow(state, state.row, c)?.routine ?? -1,
  request(state, action, c) {
    const routine = action.type === 'enter' ? (itemInRow(state, state.row, c)?.routine ?? -1) : -1;
    return routine >= 0 && routine !== c.focus ? { type: 'show', view: 'graph', routine } : undefined;
  },
  detail: cursorDetail,
  printed: (state, c) => ({
    flags: {
      ...(state.depth === USUAL_DEPTH ? {} : { depth: `${state.depth}` }),
      ...(state.cluster ? { cluster: state.cluster } : {}),
      ...(state.threshold === 0 ? {} : { threshold: `${state.threshold}` }),
    },
    notInReport: graphCentre(c).cycle > 0 ? 'the graph of a whole cycle' : undefined,
  }),
  mode(state, c, width) {
    const centre = graphCentre(c);
    const { routine, cycle } = centre;
    if (routine < 0) return '';
    const count = (way: 'callers' | 'callees') =>
      formatCount(chooseNeighbours(neighboursOf(c.analysis, c.event, routine, cycle, way), c, state).length);
    const least = state.threshold > 0 ? ` of at least ${state.threshold}%` : '';
    const found = filterStatusText(c.matcher, runRoutineFilter(centre, state.depth, c));
    const counts = `callers ${count('callers')}, callees ${count('callees')}${least}${found}`;
    const name = cycle > 0 ? cycleName(cycle) : titleName(c, routine, width - counts.length - 5);
    return `${counts}; of ${name}`;
  },
});
