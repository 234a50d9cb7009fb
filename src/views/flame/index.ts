// Flame: the calling-context tree as boxes as wide as what they cost, from the root down or inverted.
import { wholeOf } from '../../analysis/answers/analysis.ts';
import { aboveIn } from '../../analysis/answers/flame/layout.ts';
import { rootsShare } from '../../analysis/answers/tree.ts';
import { routineName } from '../../analysis/names/names.ts';
import { MOST_CALLS } from '../../analysis/profiles/samples-in-time.ts';
import { BY_LETTERS } from '../../base/match.ts';
import { visible } from '../../base/text.ts';
import { formatCount, formatPercent } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Kind } from '../../model/profile.ts';
import { type FlameColour, whyNoFlame, widthEvent } from '../../pictures/flame.ts';
import { entry } from '../open-view.ts';
import { chosen } from '../parts/options.ts';
import type { StepDetail } from '../parts/step-detail.ts';
import { withReasons } from '../parts/unchanged.ts';
import { treeOf } from '../tree/places.ts';
import { type Binding, key, ofAnyKind, type View, type ViewContext } from '../view.ts';
import { drawFlame } from './draw.ts';
import { detailOf, ofProcesses } from './facts.ts';
import { findFrame } from './find.ts';
import {
  boxAt,
  boxOfRoutine,
  depthOf,
  type FlameState,
  filterIn,
  goTo,
  hottest,
  inSight,
  invert,
  layoutIn,
  legendOf,
  nodeAtCell,
  roomFor,
  settled,
  workOn,
  type Zoom,
  zoomIntoSum,
  zoomTo,
} from './state.ts';
import {
  atTimeRow,
  changeTime,
  drawTime,
  findSlice,
  hasTimes,
  inTimeOf,
  timeInSight,
  timeMode,
  timeRows,
  turnedToTime,
} from './time.ts';

type FlameAction =
  | { readonly type: 'down' | 'up' | 'zoom' | 'unzoom' | 'hot' | 'invert' | 'root' | 'deepest' | 'time' }
  | { readonly type: 'colour'; readonly value?: string }
  | { readonly type: 'beside' | 'page'; readonly by: 1 | -1 };

const COLOURS: readonly FlameColour[] = ['self', 'object', 'file', 'difference'];
const COLOUR_TEXTS: Readonly<Record<FlameColour, string>> = {
  self: 'coloured by self cost',
  object: 'coloured by object',
  file: 'coloured by file',
  difference: 'coloured by change',
};

/** The frame below: the one that the cursor came up from, else the costliest. */
function below(state: FlameState, c: ViewContext): number {
  const box = boxAt(state, c);
  if (!box) return state.cursor;
  const layout = layoutIn(state, c);
  layout.run(box.row + 2, Number.POSITIVE_INFINITY);
  let back = state.last;
  while (back !== -1 && aboveIn(state.tree, back) !== state.cursor) back = aboveIn(state.tree, back);
  if (back !== -1 && layout.boxOf.has(back)) return back;
  return layout.inside(box)[0]?.node ?? state.cursor;
}

const moveTo = (state: FlameState, cursor: number): FlameState => (cursor === state.cursor ? state : { ...goTo(state, cursor) });

function step(state: FlameState, way: 'up' | 'down', c: ViewContext): FlameState {
  const { last, cursor } = state;
  const parent = aboveIn(state.tree, cursor);
  const next = way === 'up' ? (parent < 0 ? cursor : parent) : below(state, c);
  if (next === cursor) return state;
  // On the way back down, the deepest frame stays known.
  const known = way === 'up' ? last !== -1 : isBelow(state, last, next);
  return { ...moveTo(state, next), last: known ? last : way === 'up' ? cursor : next };
}

function isBelow({ tree }: FlameState, node: number, above: number): boolean {
  let id = node;
  while (id !== -1 && id !== above) id = aboveIn(tree, id);
  return id !== -1;
}

function beside(state: FlameState, by: 1 | -1, c: ViewContext): FlameState {
  const box = boxAt(state, c);
  if (!box) return state;
  const row = layoutIn(state, c).beside(box);
  return moveTo(state, row[row.indexOf(box) + by]?.node ?? state.cursor);
}

function page(state: FlameState, by: 1 | -1, c: ViewContext): FlameState {
  let next = state;
  for (let k = Math.max(1, roomFor(state, c) - 1); k > 0; k--) next = step(next, by > 0 ? 'down' : 'up', c);
  return next;
}

/** The first frame of the first row, and of the deepest. */
function end(state: FlameState, deepest: boolean, c: ViewContext): FlameState {
  const layout = layoutIn(state, c);
  if (!deepest) return moveTo(state, layout.rows[0]?.[0]?.node ?? state.cursor);
  layout.run(Number.POSITIVE_INFINITY, c.patienceMs);
  const row = layout.rows.findLast((boxes) => boxes.some((b) => b.node >= 0));
  return moveTo(state, row?.find((b) => b.node >= 0)?.node ?? state.cursor);
}

function change(state: FlameState, action: FlameAction, c: ViewContext): FlameState {
  if (action.type === 'time') return state.time ? { ...state, time: undefined } : turnedToTime(state, c);
  const inTime = inTimeOf(state, c);
  if (state.time && inTime) return { ...state, time: changeTime(state.time, action, inTime) };
  return changeBoxes(state, action, c);
}

function changeBoxes(state: FlameState, action: FlameAction, c: ViewContext): FlameState {
  switch (action.type) {
    case 'down':
    case 'up':
      return step(state, action.type, c);
    case 'beside':
      return beside(state, action.by, c);
    case 'page':
      return page(state, action.by, c);
    case 'root':
    case 'deepest':
      return end(state, action.type === 'deepest', c);
    case 'zoom':
      if (state.cursor < 0) return zoomIntoSum(state, c) ?? state;
      return isZoomed(state) ? state : zoomTo(state, state.cursor, c);
    case 'unzoom':
      return { ...state, zooms: state.zooms.slice(0, -1) };
    case 'hot':
      return hottest(state, c);
    case 'invert':
      return invert(state, c);
    case 'time':
      return state;
    case 'colour':
      return { ...state, colour: chosen(coloursOf(c), state.colour, action.value) };
  }
}

/** The frame under the cursor has the whole width. */
function isZoomed({ zooms, cursor }: FlameState): boolean {
  const zoom = zooms.at(-1);
  return zoom?.node === cursor && zoom.after === 0;
}

/** The colour schemes that this profile allows. Without fills, only the sign of a difference is seen. */
function coloursOf({ analysis, fills }: ViewContext): readonly FlameColour[] {
  const { files, objects } = analysis.profile;
  return COLOURS.filter((colour) => {
    if (colour === 'difference') return analysis.before !== undefined;
    if (!fills) return colour === 'self';
    return colour === 'self' || (colour === 'file' ? files : objects).name.length > 0;
  });
}

function whyNotDown(state: FlameState, c: ViewContext): string {
  if (state.time) return 'nothing is below';
  if (state.cursor < 0) return 'these are too narrow to show; Enter zooms in';
  const box = boxAt(state, c);
  const node = state.tree.nodes[state.cursor];
  const narrow = box && layoutIn(state, c).rows[box.row + 1]?.some((b) => b.above === box.place);
  if (narrow) return 'the frames below are too narrow to show; Enter zooms in';
  if (node?.recursive) return 'recursion: nothing significant below';
  const [frame, calls] = ofProcesses(c) ? ['program', 'starts'] : ['routine', 'calls'];
  return state.inverted ? `nothing ${calls} this ${frame}` : `this ${frame} ${calls} nothing`;
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
    passes: (state) => isWhole(state),
    off: (state) => (isWhole(state) ? 'nothing is zoomed' : undefined),
  }),
  key(']', { type: 'hot' }, 'move', 'follow the hottest path from here', { footer: 'hot path' }),
  key('i', { type: 'invert' }, 'show', 'invert: callers below routines, or callees', { footer: 'invert' }),
  key('', { type: 'colour' }, 'show', 'colour by self cost, object, file, or change', {
    options: { of: 'colour by', values: (_, c) => coloursOf(c), now: ({ colour }) => colour },
  }),
  key('t', { type: 'time' }, 'show', 'switch between time order and cost', {
    footer: 'time',
    usable: hasTimes,
    off: (_, c) => (hasTimes(c) ? undefined : 'the profile has no times of calls'),
  }),
];

const whyStill = (inTime: string, boxes: string) => (state: FlameState) => (state.time ? inTime : boxes);

const KEYS = withReasons(
  BINDINGS,
  (state, action, c) => shown(change(state, action, c), c),
  {
    down: whyNotDown,
    space: whyNotDown,
    up: whyStill('nothing is above', 'this is a root'),
    b: whyStill('this is the first slice of its row', 'this is a root'),
    right: whyStill(
      'this is the last slice of its row',
      'this is the last frame inside the one above that is wide enough to show',
    ),
    left: whyStill('this is the first slice of its row', 'this is the first frame inside the one above'),
    enter: (state) =>
      state.time
        ? 'this slice has the whole width already, or takes no time'
        : state.cursor < 0
          ? 'even with the whole width, these frames are too narrow to show; / finds one by its name'
          : 'this frame has the whole width already',
    t: `more than ${formatCount(MOST_CALLS)} calls in time; a range of time has fewer (S, time=FROM..TO)`,
    ']': whyStill('nothing is inside this slice', 'the path ends here: the frame itself costs more than anything below it'),
    i: whyStill('only frames by cost can be inverted; t shows them', 'nothing to invert'),
    colour: (state, c) =>
      state.time
        ? 'slices in time have no colours'
        : c.fills
          ? 'the profile names no objects or files'
          : 'there are no colours here (NO_COLOR, --no-color, theme or terminal)',
    g: whyStill('this is the first slice', 'this is the costliest root'),
    G: whyStill('this is the last row', 'this is the deepest frame'),
  },
  (state, c) => {
    if (state.time) return state.time.step < 0 ? 'nothing has a place in time' : undefined;
    return whyNoFlame(c) ?? (state.tree.roots.length === 0 ? 'there are no frames' : undefined);
  },
);

/** Nothing is zoomed into. */
const isWhole = ({ zooms, time }: FlameState) => (time?.zooms ?? zooms).length === 0;

/** The state with its cursor on the screen. */
function shown(state: FlameState, c: ViewContext): FlameState {
  const inTime = inTimeOf(state, c);
  if (!state.time || !inTime) return inSight(state.time ? { ...state, time: undefined } : state, c);
  const time = timeInSight(state.time, inTime);
  return time === state.time ? state : { ...state, time };
}

const NARROW = '(narrow frames)';

/** The names of what is zoomed into, the last one first if there is little room. */
function zoomText(state: FlameState, c: ViewContext, room: number): string {
  const { nodes } = state.tree;
  if (state.zooms.length === 0) return '';
  const each = Math.max(14, Math.floor(room / 2 / state.zooms.length));
  const name = ({ node, after }: Zoom) => {
    const own = node < 0 ? '' : visible(titleName(c, nodes[node].routine, each)).replace(/[,;] /g, ',');
    return after === 0 ? own : `${own} ${NARROW}`.trimStart();
  };
  return `, in ${state.zooms.map(name).join(' > ')}`;
}

function modeOf(state: FlameState, c: ViewContext, room: number): string {
  if (whyNoFlame(c)) return '';
  const { tree, inverted } = state;
  const layout = layoutIn(state, c);
  const whole = wholeOf(c.analysis, widthEvent(c));
  const narrow = layout.narrowIn(state.top + roomFor(state, c));
  const share = inverted ? 1 : rootsShare(tree, widthEvent(c), eventValue(widthEvent(c), c.analysis.totals.total, 0));
  const how = tree.source.exact ? ', exact' : `, ≈ estimated from call shares`;
  const filtering = filterIn(c);
  return [
    inverted ? 'inverted' : 'top-down',
    zoomText(state, c, room),
    narrow > 0 ? `, ${formatPercent(narrow, whole)} in narrow frames` : '',
    how,
    `, ${COLOUR_TEXTS[state.colour]}`,
    Math.abs(share - 1) > 0.001 ? `, roots are ${formatPercent(share, 1)} of the total` : '',
    layout.squeezed ? ', children larger than their parent are narrowed to fit' : '',
    filtering
      ? `, ${filtering.done ? 'frames without a match are dim' : 'filtering'}${filtering.letters ? `, ${BY_LETTERS}` : ''}`
      : '',
  ].join('');
}

const FLAME: Omit<View<'flame', FlameState, FlameAction, Kind>, 'work' | 'detail'> = {
  id: 'flame',
  title: 'Flame',
  digit: 'I',
  asks: ['trees'],
  report: { name: 'flame', ofFocus: false },
  hasPane: true,
  followers: { beside: ['source', 'calls'], below: ['source', 'calls'] },
  of: ofAnyKind,
  keys: KEYS,
  init(c): FlameState {
    const inverted = c.choices.inverted ?? false;
    const tree = treeOf(c.analysis, inverted, widthEvent(c), -1);
    const colour = c.analysis.before ? 'difference' : 'self';
    return { inverted, tree, zooms: [], cursor: -1, last: -1, top: 0, colour, from: undefined, still: -1, time: undefined };
  },
  update: (state, action, c) => change(settled(state, c), action, c),
  sync(state, c): FlameState {
    const next = shown(state, c);
    return coloursOf(c).includes(next.colour) ? next : { ...next, colour: 'self' };
  },
  draw(state, c) {
    const inTime = inTimeOf(state, c);
    return state.time && inTime ? drawTime(state.time, inTime) : drawFlame(state, c);
  },
  whole(state, c, most) {
    const inTime = inTimeOf(state, c);
    const rows = inTime ? Math.min(most, timeRows(inTime) + 1) : 0;
    if (state.time && inTime) return drawTime({ ...state.time, step: -1, top: 0 }, { ...inTime, height: Math.max(1, rows) });
    const alone = { ...state, cursor: -1, top: 0, alone: true };
    const layout = layoutIn(alone, c);
    layout.run(most, Number.POSITIVE_INFINITY);
    const above = legendOf(state, c).length > 0 ? 1 : 0;
    const height = Math.max(1, Math.min(most, layout.rows.length + above));
    return drawFlame(alone, { ...c, height });
  },
  close(state) {
    if (isWhole(state)) return undefined;
    return state.time ? { ...state, time: { ...state.time, zooms: [] } } : { ...state, zooms: [] };
  },
  find(state, text, search, by, c, ms) {
    const inTime = inTimeOf(state, c);
    if (state.time && inTime) return findSlice(state, state.time, text, search, by, inTime);
    return findFrame(state, text, search, by, c, ms);
  },
  rebase: (state, from) => ({ ...state, from: state.from ?? from.profile, time: undefined, still: -1 }),
  // Calls of sampled stacks are steps of this view alone.
  stepAt: (state, c) => (c.analysis.profile.kind === 'steps' ? (state.time?.step ?? -1) : -1),
  findStep: (state, step, c) =>
    state.time && c.analysis.profile.kind === 'steps' ? shown({ ...state, time: { ...state.time, step } }, c) : state,
  clickAt(state, x, y, c) {
    const node = state.time ? -1 : nodeAtCell(state, x, y, c);
    if (node === -1) return undefined;
    return node === state.cursor ? { state, act: true } : { state: moveTo(state, node) };
  },
  // The numbers of rows are depths.
  rows(state, c) {
    const inTime = inTimeOf(state, c);
    return state.time && inTime ? timeRows(inTime) : layoutIn(state, c).rows.length;
  },
  cursor: (state) => depthOf(state.tree, state.cursor),
  moveTo(state, row, c) {
    const inTime = inTimeOf(state, c);
    if (state.time && inTime) return { ...state, time: atTimeRow(state.time, row, inTime) };
    return moveTo(state, layoutIn(state, c).rows[row]?.[0]?.node ?? state.cursor);
  },
  rowText: (state, row, c) =>
    (layoutIn(state, c).rows[row] ?? [])
      .flatMap((b) => (b.node < 0 ? [] : routineName(c.analysis.profile, state.tree.nodes[b.node].routine)))
      .join(' '),
  routineAt(state, c) {
    const inTime = inTimeOf(state, c);
    if (state.time && inTime) return inTime.analysis.profile.steps.routine[state.time.step] ?? -1;
    return state.still >= 0 ? state.still : (state.tree.nodes[state.cursor]?.routine ?? -1);
  },
  findRoutine(state, routine, c) {
    if (state.time) return state;
    const box = boxOfRoutine(state, routine, c);
    return box ? inSight(goTo(state, box.node), c) : { ...state, still: routine };
  },
  printed: (state) => ({
    inverted: state.inverted,
    unsaid: state.time ? 'the order in time' : isWhole(state) ? undefined : 'a zoom',
  }),
  mode(state, c, room) {
    const inTime = inTimeOf(state, c);
    return state.time && inTime ? timeMode(state.time, inTime) : modeOf(state, c, room);
  },
};

/** `steps`: the line about a step, for slices in time order. */
export const flameView = (steps: StepDetail) =>
  entry({
    ...FLAME,
    work: (state, c, ms) => workOn(state, c, ms, steps),
    detail(state, c) {
      const inTime = inTimeOf(state, c);
      if (state.time && inTime) return state.time.step < 0 ? '' : steps.text(inTime, state.time.step);
      return whyNoFlame(c) ? '' : detailOf(state, c);
    },
  });
