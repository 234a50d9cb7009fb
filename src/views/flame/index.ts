// The Flame view: the calling-context tree as boxes whose width is their inclusive cost, top-down or inverted.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { parentNodeOf } from '../../analysis/answers/flame/layout.ts';
import { routinePathOf } from '../../analysis/answers/tree.ts';
import { routineName } from '../../analysis/names/names.ts';
import { hasCode } from '../../analysis/names/origin.ts';
import { MAX_CALLS } from '../../analysis/profiles/samples-in-time.ts';
import { formatCount } from '../../base/units.ts';
import type { Kind } from '../../model/profile.ts';
import { type FlameColour, noFlameReason, widthEvent } from '../../pictures/flame.ts';
import { viewEntry } from '../open-view.ts';
import { nextValue } from '../parts/options.ts';
import type { StepDetail } from '../parts/step-detail.ts';
import { withNoEffectReasons } from '../parts/unchanged.ts';
import { routineColumnNames } from '../routine-rows.ts';
import { treeOf } from '../tree/places.ts';
import { type Binding, key, type View, type ViewContext } from '../view.ts';
import { flameDetail, showsProcesses } from './details.ts';
import { drawFlame } from './draw.ts';
import { findFrame } from './find.ts';
import { COLOUR_TEXTS, modeText } from './mode.ts';
import { crossRoutine, sideWithRoutine, toggleSandwich } from './sandwich.ts';
import {
  areaLegend,
  boxUnderCursor,
  continueWork,
  currentLayout,
  depthOfNode,
  type FlameState,
  goToHottest,
  invertTree,
  moveToTree,
  NO_PLACE,
  nodeAtCell,
  otherSide,
  putCursorOn,
  rowRange,
  scrollToCursor,
  visibleRowCount,
  zoomIntoSum,
  zoomTo,
} from './state.ts';
import {
  applyTimeAction,
  drawTime,
  findSlice,
  goToTimeRow,
  hasTimes,
  inTimeOrder,
  scrollTimeToCursor,
  switchToTime,
  timeModeText,
  timeRows,
} from './time.ts';

type FlameAction =
  | { readonly type: 'down' | 'up' | 'zoom' | 'unzoom' | 'hot' | 'invert' | 'root' | 'deepest' | 'time' | 'sandwich' }
  | { readonly type: 'colour'; readonly value?: string }
  | { readonly type: 'beside' | 'page'; readonly by: 1 | -1 };

const FLAME_COLOURS: readonly FlameColour[] = ['code', 'self', 'object', 'file', 'difference'];

/** The frame to go to when moving down: the child visited last, else the costliest child. */
function frameBelow(state: FlameState, c: ViewContext): number {
  const box = boxUnderCursor(state, c);
  if (!box) return state.cursor;
  const layout = currentLayout(state, c);
  layout.run(box.row + 2, Number.POSITIVE_INFINITY);
  let candidate = state.deepestVisited;
  while (candidate !== -1 && parentNodeOf(state.tree, candidate) !== state.cursor)
    candidate = parentNodeOf(state.tree, candidate);
  if (candidate !== -1 && layout.boxOf.has(candidate)) return candidate;
  return layout.boxesInside(box)[0]?.node ?? state.cursor;
}

const moveCursorTo = (state: FlameState, cursor: number): FlameState =>
  cursor === state.cursor ? state : putCursorOn(state, cursor);

function moveUpOrDown(state: FlameState, key: 'up' | 'down', c: ViewContext): FlameState {
  const crossed = crossRoutine(state, key, c);
  if (crossed) return crossed;
  const { deepestVisited, cursor } = state;
  // In a sandwich, callers are drawn upwards from their root.
  const way = state.sandwich && state.tree.inverted ? (key === 'up' ? 'down' : 'up') : key;
  const parent = parentNodeOf(state.tree, cursor);
  const next = way === 'up' ? (parent < 0 ? cursor : parent) : frameBelow(state, c);
  if (next === cursor) return state;
  // Keep `deepestVisited` while the cursor moves on the path to that frame.
  const keepsLast = way === 'up' ? deepestVisited !== -1 : isFrameInside(state, deepestVisited, next);
  return { ...moveCursorTo(state, next), deepestVisited: keepsLast ? deepestVisited : way === 'up' ? cursor : next };
}

function isFrameInside({ tree }: FlameState, node: number, above: number): boolean {
  let id = node;
  while (id !== -1 && id !== above) id = parentNodeOf(tree, id);
  return id !== -1;
}

function moveSideways(state: FlameState, by: 1 | -1, c: ViewContext): FlameState {
  const box = boxUnderCursor(state, c);
  if (!box) return state;
  const row = currentLayout(state, c).siblingsOf(box);
  return moveCursorTo(state, row[row.indexOf(box) + by]?.node ?? state.cursor);
}

function movePage(state: FlameState, by: 1 | -1, c: ViewContext): FlameState {
  let next = state;
  for (let k = Math.max(1, visibleRowCount(state, c) - 1); k > 0; k--) next = moveUpOrDown(next, by > 0 ? 'down' : 'up', c);
  return next;
}

/** Moves the cursor to the first frame of the first row, or of the deepest row. */
function moveToEnd(state: FlameState, deepest: boolean, c: ViewContext): FlameState {
  const layout = currentLayout(state, c);
  const middle = deepest ? undefined : state.tree.inverted && otherSide(state);
  if (middle) return putCursorOn(middle, middle.tree.roots[0]);
  if (!deepest) return moveCursorTo(state, layout.rows[0]?.[0]?.node ?? state.cursor);
  layout.run(Number.POSITIVE_INFINITY, c.timeBudgetMs);
  const row = layout.rows.findLast((boxes) => boxes.some((b) => b.node >= 0));
  return moveCursorTo(state, row?.find((b) => b.node >= 0)?.node ?? state.cursor);
}

function applyAction(state: FlameState, action: FlameAction, c: ViewContext): FlameState {
  if (action.type === 'time') return state.time ? { ...state, time: undefined } : switchToTime(state, c);
  const time = inTimeOrder(state, c, (now, inTime) => applyTimeAction(now, action, inTime));
  return time ? { ...state, time } : applyBoxesAction(state, action, c);
}

function applyBoxesAction(state: FlameState, action: FlameAction, c: ViewContext): FlameState {
  switch (action.type) {
    case 'down':
    case 'up':
      return moveUpOrDown(state, action.type, c);
    case 'beside':
      return moveSideways(state, action.by, c);
    case 'page':
      return movePage(state, action.by, c);
    case 'root':
    case 'deepest':
      return moveToEnd(state, action.type === 'deepest', c);
    case 'zoom': {
      const { zooms, cursor } = state;
      if (cursor < 0) return zoomIntoSum(state, c) ?? state;
      return zooms.at(-1)?.node === cursor && zooms.at(-1)?.after === 0 ? state : zoomTo(state, cursor, c);
    }
    case 'unzoom':
      return state.zooms.length > 0 ? { ...state, zooms: state.zooms.slice(0, -1) } : (state.sandwich?.whole ?? state);
    case 'hot':
      return goToHottest(state, c);
    case 'invert':
      return state.sandwich?.whole ?? invertTree(state, c);
    case 'sandwich':
      return toggleSandwich(state, routineUnderCursor(state), c);
    case 'time':
      return state;
    case 'colour':
      return { ...state, colour: nextValue(availableColours(c), state.colour, action.value) };
  }
}

/** The colour schemes that this profile and terminal support. */
function availableColours({ analysis, fills }: ViewContext): readonly FlameColour[] {
  const { files, objects } = analysis.profile;
  return FLAME_COLOURS.filter((colour) => {
    if (colour === 'difference') return analysis.before !== undefined;
    if (!fills) return colour === 'self';
    if (colour === 'code') return hasCode(analysis.profile);
    return colour === 'self' || (colour === 'file' ? files : objects).name.length > 0;
  });
}

function noFrameBelowReason(state: FlameState, c: ViewContext): string {
  if (state.time) return 'nothing is below';
  if (state.cursor < 0) return 'these are too narrow to show; Enter zooms in';
  const box = boxUnderCursor(state, c);
  const node = state.tree.nodes[state.cursor];
  const narrow = box && currentLayout(state, c).rows[box.row + 1]?.some((b) => b.above === box.index);
  if (narrow) return 'the frames below are too narrow to show; Enter zooms in';
  if (node?.recursive) return 'recursion: nothing significant below';
  const [frame, calls] = showsProcesses(c) ? ['program', 'starts'] : ['routine', 'calls'];
  return state.tree.inverted ? `nothing ${calls} this ${frame}` : `this ${frame} ${calls} nothing`;
}

const BINDINGS: readonly Binding<FlameState, FlameAction>[] = [
  key('down j', { type: 'down' }, 'move', 'frame below: the costliest, or the one you came from'),
  key('up k', { type: 'up' }, 'move', 'frame above'),
  key('right l', { type: 'beside', by: 1 }, 'move', 'next frame inside the same one'),
  key('left h', { type: 'beside', by: -1 }, 'move', 'previous frame inside the same one'),
  key('space pagedown ctrl-f', { type: 'page', by: 1 }, 'move', 'a page of frames down'),
  key('b pageup ctrl-b', { type: 'page', by: -1 }, 'move', 'a page of frames up'),
  key('g home', { type: 'root' }, 'move', 'the costliest root'),
  key('G end', { type: 'deepest' }, 'move', 'the deepest frame'),
  key('enter', { type: 'zoom' }, 'view', 'give the frame the whole width', { footer: 'zoom' }),
  key('backspace', { type: 'unzoom' }, 'view', 'zoom out again; then, go back to where you were', {
    passesToApp: (state) => isUnzoomed(state) && !state.sandwich,
  }),
  key(']', { type: 'hot' }, 'move', 'follow the hottest path from here', { footer: 'hot path' }),
  key('i', { type: 'invert' }, 'show', 'invert: callers below routines, or callees', { footer: 'invert' }),
  key('^', { type: 'sandwich' }, 'show', 'all callers of this routine above it and all that it calls below, or the whole graph', {
    footer: 'callers and callees',
    off: (state) => (state.sandwich || routineUnderCursor(state) >= 0 ? undefined : 'no routine is under the cursor'),
  }),
  key('', { type: 'colour' }, 'show', 'colour by whose code, self cost, object, file, or change', {
    options: { label: 'colour by', values: (_, c) => availableColours(c), current: ({ colour }) => colour },
  }),
  key('', { type: 'time' }, 'show', 'switch between time order and cost', {
    usable: hasTimes,
    off: (_, c) => (hasTimes(c) ? undefined : 'the profile has no times of calls'),
  }),
];

const reasonInMode = (inTime: string, boxes: string) => (state: FlameState) => (state.time ? inTime : boxes);

const KEYS = withNoEffectReasons(
  BINDINGS,
  (state, action, c) => scrollIntoView(applyAction(state, action, c), c),
  {
    down: noFrameBelowReason,
    space: noFrameBelowReason,
    up: reasonInMode('nothing is above', 'this is a root'),
    b: reasonInMode('this is the first slice of its row', 'this is a root'),
    right: reasonInMode(
      'this is the last slice of its row',
      'this is the last frame inside the one above that is wide enough to show',
    ),
    left: reasonInMode('this is the first slice of its row', 'this is the first frame inside the one above'),
    enter({ time, cursor }) {
      if (time) return 'this slice has the whole width already, or takes no time';
      if (cursor >= 0) return 'this frame has the whole width already';
      return 'even with the whole width, these frames are too narrow to show; / finds one by its name';
    },
    time: `more than ${formatCount(MAX_CALLS)} calls in time; a range of time has fewer (S, time=FROM..TO)`,
    ']': (state, c) =>
      state.time
        ? 'nothing is inside this slice'
        : `the path ends here: no wide frame below ${c.analysis.before ? 'changed' : 'costs'} more than this one itself`,
    i: reasonInMode('only frames by cost can be inverted; o shows them', 'nothing to invert'),
    colour({ time }, { fills }) {
      if (time) return 'slices in time have no colours';
      if (fills) return 'the profile names no objects or files';
      return 'there are no colours here (NO_COLOR, --no-color, theme or terminal)';
    },
    g: reasonInMode('this is the first slice', 'this is the costliest root'),
    G: reasonInMode('this is the last row', 'this is the deepest frame'),
  },
  (state, c) => {
    if (state.time) return state.time.step < 0 ? 'nothing has a place in time' : undefined;
    return noFlameReason(c) ?? (state.tree.roots.length === 0 ? 'there are no frames' : undefined);
  },
);

/** The routine under the cursor; the routine in focus if that one has no box. */
const routineUnderCursor = ({ focusWithoutBox, tree, cursor }: FlameState): number =>
  focusWithoutBox >= 0 ? focusWithoutBox : (tree.nodes[cursor]?.routine ?? -1);

const isUnzoomed = ({ zooms, time }: FlameState) => (time?.zooms ?? zooms).length === 0;

function scrollIntoView(state: FlameState, c: ViewContext): FlameState {
  const time = inTimeOrder(state, c, scrollTimeToCursor);
  if (!time) return scrollToCursor(state.time ? { ...state, time: undefined } : state, c);
  return time === state.time ? state : { ...state, time };
}

/** The state for another profile; node numbers are replaced when it is shown. */
const rebase = (state: FlameState, from: Analysis): FlameState => ({
  ...state,
  previousProfile: state.previousProfile ?? from.profile,
  time: undefined,
  focusWithoutBox: -1,
  sandwich: state.sandwich && { ...state.sandwich, whole: rebase(state.sandwich.whole, from) },
});

const FLAME: Omit<View<'flame', FlameState, FlameAction, Kind>, 'work' | 'detail'> = {
  id: 'flame',
  title: 'Flame',
  requires: ['trees'],
  filterColumns: routineColumnNames,
  report: { name: 'flame', ofFocus: false },
  hasPane: true,
  followers: { beside: ['source', 'calls'], below: ['source', 'calls'] },
  keys: KEYS,
  init(c): FlameState {
    const tree = treeOf(c.analysis, c.choices.inverted ?? false, widthEvent(c), -1);
    const colour = c.analysis.before ? 'difference' : availableColours(c)[0];
    return { tree, colour, ...NO_PLACE, previousProfile: undefined, time: undefined };
  },
  update: (state, action, c) => applyAction(moveToTree(state, c), action, c),
  sync(state, c): FlameState {
    const next = scrollIntoView(state, c);
    return availableColours(c).includes(next.colour) ? next : { ...next, colour: 'self' };
  },
  messageAfter: ({ colour }, { type }) => (type === 'colour' ? COLOUR_TEXTS[colour] : undefined),
  draw: (state, c) => inTimeOrder(state, c, drawTime) ?? drawFlame(state, c),
  drawAll(state, c, most) {
    const timeLines = inTimeOrder(state, c, (time, inTime) => {
      const rows = Math.min(most, timeRows(inTime) + 1);
      return drawTime({ ...time, step: -1, top: 0 }, { ...inTime, height: Math.max(1, rows) });
    });
    if (timeLines) return timeLines;
    for (const side of [state, otherSide(state) ?? state]) currentLayout(side, c).run(most, Number.POSITIVE_INFINITY);
    const { first, end } = rowRange(state, c);
    const above = areaLegend(state, c).length > 0 ? 1 : 0;
    const height = Math.max(1, Math.min(most, end - first + above));
    return drawFlame({ ...state, cursor: -1, top: first, withoutDetails: true }, { ...c, height });
  },
  close(state) {
    if (isUnzoomed(state)) return state.sandwich?.whole;
    return state.time ? { ...state, time: { ...state.time, zooms: [] } } : { ...state, zooms: [] };
  },
  find(state, text, search, by, c, ms) {
    const slice = inTimeOrder(state, c, (time, inTime) => findSlice(state, time, text, search, by, inTime));
    const found = slice ?? findFrame(state, text, search, by, c, ms);
    const other = found.wrong && !slice ? otherSide(state) : undefined;
    return other ? findFrame(other, text, search, by, c, ms) : found;
  },
  rebase,
  // Only slices of traces and builds are steps in other views; calls of sampled stacks are steps only in this view.
  stepAt: (state, c) => (c.analysis.profile.kind === 'steps' ? (state.time?.step ?? -1) : -1),
  findStep: (state, step, c) =>
    state.time && c.analysis.profile.kind === 'steps' ? scrollIntoView({ ...state, time: { ...state.time, step } }, c) : state,
  clickAt(state, x, y, c) {
    const found = state.time ? undefined : nodeAtCell(state, x, y, c);
    if (!found) return undefined;
    return found.side === state && found.node === state.cursor
      ? { state, act: true }
      : { state: moveCursorTo(found.side, found.node) };
  },
  // Rows are numbered by depth in the tree.
  rowCount: (state, c) => inTimeOrder(state, c, (_, inTime) => timeRows(inTime)) ?? currentLayout(state, c).rows.length,
  cursor: (state) => depthOfNode(state.tree, state.cursor),
  moveTo(state, row, c) {
    const time = inTimeOrder(state, c, (now, inTime) => goToTimeRow(now, row, inTime));
    return time ? { ...state, time } : moveCursorTo(state, currentLayout(state, c).rows[row]?.[0]?.node ?? state.cursor);
  },
  rowText: (state, row, c) =>
    (currentLayout(state, c).rows[row] ?? [])
      .flatMap((b) => (b.node < 0 ? [] : routineName(c.analysis.profile, state.tree.nodes[b.node].routine)))
      .join(' '),
  routineAt(state, c) {
    const inTime = inTimeOrder(state, c, ({ step }, { analysis }) => analysis.profile.steps.routine[step] ?? -1);
    return inTime ?? routineUnderCursor(state);
  },
  pathAt: ({ tree, cursor, sandwich, time }) => (tree.inverted || sandwich || time ? undefined : routinePathOf(tree, cursor)),
  findRoutine(state, routine, c) {
    if (state.time) return state;
    const side = sideWithRoutine(state, routine, c);
    return side ? scrollToCursor(side, c) : { ...(state.sandwich?.whole ?? state), focusWithoutBox: routine };
  },
  printed: (state) => ({
    inverted: !state.sandwich && state.tree.inverted,
    routine: state.sandwich?.routine,
    notInReport: state.time ? 'the order in time' : isUnzoomed(state) ? undefined : 'a zoom',
  }),
  mode: (state, c, width) => inTimeOrder(state, c, timeModeText) ?? modeText(state, c, width),
};

/** Makes the Flame view. `steps`: formats the line about a slice in time order. */
export const flameView = (steps: StepDetail) =>
  viewEntry({
    ...FLAME,
    work: (state, c, ms) => continueWork(state, c, ms, steps),
    detail: (state, c) =>
      inTimeOrder(state, c, ({ step }, inTime) => (step < 0 ? '' : steps.text(inTime, step))) ??
      (noFlameReason(c) ? '' : flameDetail(state, c)),
  });
