// The state of the Flame view: zoom, cursor and colours, and how they are kept when the tree changes.
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { eventInMeasure } from '../../analysis/answers/compared/measure.ts';
import { type Counterparts, counterpartsOf } from '../../analysis/answers/counterparts.ts';
import { boxCellRange, type FlameBox, FlameLayout, parentNodeOf, sumIdInside } from '../../analysis/answers/flame/layout.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, routinePathOf, type Tree } from '../../analysis/answers/tree.ts';
import type { NameFilter } from '../../analysis/names/filtering.ts';
import { hasCode, isOwnRoutine } from '../../analysis/names/origin.ts';
import { memo, sortedByKey } from '../../base/lists.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import {
  type BoxForm,
  costliestAreasOf,
  type FlameColour,
  type FlameContext,
  FlamePicture,
  inclusiveChangeOf,
  noFlameReason,
  widthEvent,
} from '../../pictures/flame.ts';
import type { StepDetail } from '../parts/step-detail.ts';
import { nameFilterOf } from '../routine-rows.ts';
import { allRoutines, treeOf } from '../tree/places.ts';
import type { ViewContext } from '../view.ts';

/** The state of the view while frames are in time order. */
export interface TimeState {
  readonly step: number;
  readonly top: number;
  /** The zoomed slices; the last one has the full width. */
  readonly zooms: readonly number[];
}

/** A zoom: `node` gets the full width, without its first `after` children, which are the costliest. */
export interface FlameZoom {
  /** Tree node, or -1 for the group of roots too narrow to draw. */
  readonly node: number;
  readonly after: number;
}

export interface FlameState {
  /** The tree to which the node numbers below belong. Each analysis and event has its own tree. */
  readonly tree: Tree;
  /** The zoomed nodes, outermost first; the last one has the full width. */
  readonly zooms: readonly FlameZoom[];
  /** The node under the cursor, or the number that layout.ts gives to a group of narrow frames; -1 for none. */
  readonly cursor: number;
  /** The deepest node visited before the cursor moved up. Moving down returns to it. */
  readonly deepestVisited: number;
  /** The first row on the screen. */
  readonly top: number;
  readonly colour: FlameColour;
  /** The profile that `tree` belongs to, if the profile has been replaced since; else undefined. */
  readonly previousProfile: Profile | undefined;
  /** The focus when the view opened, if that routine has no box; -1 otherwise, and after the cursor has moved. */
  readonly focusWithoutBox: number;
  /** The box where the cursor started while not all boxes were known. */
  readonly startedAt?: number | undefined;
  /** The state in time order; undefined while boxes are ordered by cost. */
  readonly time: TimeState | undefined;
  /** Set while one routine is shown between its callers and its callees: `tree` and `zooms` are of the side with the cursor. */
  readonly sandwich?: Sandwich | undefined;
  /** True if the view is printed as text, which has no details. */
  readonly withoutDetails?: boolean;
}

interface Sandwich {
  readonly routine: number;
  readonly other: Pick<FlameState, 'tree' | 'zooms'>;
  /** The state of the complete tree, to return to. */
  readonly whole: FlameState;
}

/** The state with the cursor on the other side of a sandwich; undefined without one. */
export const otherSide = (state: FlameState): FlameState | undefined =>
  state.sandwich && {
    ...{ ...state, ...NO_PLACE, ...state.sandwich.other, top: state.top },
    sandwich: { ...state.sandwich, other: { tree: state.tree, zooms: state.zooms } },
  };

/** The side that has a row. Rows of callers have negative numbers, -1 for those nearest to the routine of a sandwich. */
export const sideAt = (state: FlameState, row: number): FlameState =>
  row < 0 === state.tree.inverted ? state : (otherSide(state) ?? state);

/** The fields of a tree that is shown from its top, without a zoom or a cursor. */
export const NO_PLACE = { zooms: [], cursor: -1, deepestVisited: -1, top: 0, focusWithoutBox: -1 } as const;

/** Size of a screen that always has details of the frame under the cursor below the boxes. */
export const LARGE_SIZE = { width: 120, height: 30 } as const;
/** Smaller screens have details in lines that no box needs. */
const MIN_WIDTH_WITH_DETAILS = 60;
/** Lines of the details, at least and usually; above them are a blank line and the legend of colours. */
const [MIN_DETAILS_HEIGHT, DETAILS_HEIGHT, LEGEND_LINES] = [4, 10, 2];

/** Lines for the details; 0 if there are none. */
export function detailsHeight(state: FlameState, c: ViewContext): number {
  if (state.withoutDetails || c.width < MIN_WIDTH_WITH_DETAILS || noFlameReason(c)) return 0;
  if (c.width >= LARGE_SIZE.width && c.height >= LARGE_SIZE.height) return DETAILS_HEIGHT;
  const { done, first, end } = rowRange(state, c);
  const free = done ? c.height - legendHeight(state, c) - (end - first) - LEGEND_LINES : 0;
  return free < MIN_DETAILS_HEIGHT ? 0 : Math.min(free, DETAILS_HEIGHT);
}

const makeLayout = memo(
  (tree: Tree, zoom: number, after: number, width: number, event: Event, total: number) =>
    new FlameLayout(tree, event, zoom, { width, least: 1 }, total, after),
  4,
);

const NO_ZOOM: FlameZoom = { node: -1, after: 0 };

/** The layout for the current width, with the boxes computed so far. */
export function currentLayout({ tree, zooms }: FlameState, c: ViewContext): FlameLayout {
  const event = widthEvent(c);
  const { node, after } = zooms.at(-1) ?? NO_ZOOM;
  return makeLayout(tree, node, after, c.width, event, eventValue(event, c.analysis.totals.total, 0));
}

/** The number of the first row, of the row after the last, and whether no more follow. */
export function rowRange(state: FlameState, c: ViewContext) {
  const [callers, callees] = [sideAt(state, -1), sideAt(state, 0)].map((side) => currentLayout(side, c));
  if (!state.sandwich) return { first: 0, end: callees.visibleRows, done: callees.done };
  return { first: 1 - callers.visibleRows, end: callees.visibleRows, done: callers.done && callees.done };
}

/** The name filter with the routines found so far; undefined without a filter. */
export const currentFilter = (c: ViewContext): NameFilter | undefined => nameFilterOf(c.analysis, c);

const runFilter = (c: ViewContext, ms: number): boolean => currentFilter(c)?.run(allRoutines(c.analysis), ms) ?? true;

const makePicture = memo(
  (
    layout: FlameLayout,
    colour: FlameColour,
    hit: Uint8Array | undefined,
    _version: number,
    analysis: FlameContext['analysis'],
    event: Event,
    names: FlameContext['names'],
    form: BoxForm,
    ascii: boolean,
  ) =>
    new FlamePicture({ analysis, event, names }, layout, {
      ...{ colour, form, ascii },
      isFaint: (r) => hit !== undefined && hit[r] === 0,
    }),
  2,
);

/** The drawn boxes. Memoized, so that cursor moves do not draw all boxes again. */
export function currentPicture(state: FlameState, c: ViewContext): FlamePicture {
  const filtering = currentFilter(c);
  const form = c.fills ? 'filled' : 'bracketed';
  const { hit, version = 0 } = filtering ?? {};
  return makePicture(currentLayout(state, c), state.colour, hit, version, c.analysis, c.event, c.names, form, c.ascii);
}

/** The legend of object or file colours; [] for other colour schemes. */
export function areaLegend({ colour }: FlameState, c: ViewContext) {
  const by = colour === 'object' || colour === 'file' ? colour : undefined;
  return by && c.fills && !noFlameReason(c) ? costliestAreasOf(c.analysis, widthEvent(c), by).legend : [];
}

const MIN_LEGEND_HEIGHT = 6;

/** Lines of the legend above the boxes: 1 or 0. */
export const legendHeight = (state: FlameState, c: ViewContext): 0 | 1 =>
  c.height >= MIN_LEGEND_HEIGHT && (areaLegend(state, c).length > 0 || (state.colour === 'difference' && c.fills)) ? 1 : 0;

const boxLineCount = (state: FlameState, c: ViewContext): number => c.height - legendHeight(state, c) - detailsHeight(state, c);

/** Lines per frame: as many as let all rows fit. The second line has costs, the third the place in the source. */
export function linesPerFrame(state: FlameState, c: ViewContext): 1 | 2 | 3 {
  const { done, first, end } = rowRange(state, c);
  const fits = (lines: number) => done && (end - first) * lines <= boxLineCount(state, c);
  return fits(3) && c.analysis.profile.files.name.length > 0 ? 3 : fits(2) ? 2 : 1;
}

/** The number of rows of boxes that fit on the screen. */
export const visibleRowCount = (state: FlameState, c: ViewContext): number =>
  Math.floor(boxLineCount(state, c) / linesPerFrame(state, c));

/** The row number of a node, or of a group of narrow frames. */
export const depthOfNode = (tree: Tree, id: number): number =>
  id < -1 ? (tree.nodes[parentNodeOf(tree, id)]?.depth ?? -1) + 1 : (tree.nodes[id]?.depth ?? 0);

/** The row of the cursor on the screen, counted as sideAt() does. */
const cursorRow = ({ tree, cursor, sandwich }: FlameState): number =>
  (sandwich && tree.inverted ? -1 : 1) * depthOfNode(tree, cursor);

export const boxUnderCursor = (state: FlameState, c: ViewContext): FlameBox | undefined =>
  currentLayout(state, c).boxOf.get(state.cursor);

/** The last node that follows a path of routines in another tree; -1 if not even the root matches. */
function findNodeByPath(tree: Tree, path: readonly number[], counterparts: Counterparts, event: Event): number {
  let at = -1;
  for (const routine of path) {
    const wanted = new Set(counterparts(routine));
    const below = at < 0 ? tree.roots : canUnfold(tree, at) ? childrenOf(tree, at, event) : [];
    const next = below.find((id) => wanted.has(tree.nodes[id].routine));
    // At a coarser granularity, one node can stand for several frames of the path.
    if (next === undefined && at >= 0 && wanted.has(tree.nodes[at].routine)) continue;
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** Moves zooms and cursor to the tree of this context, after the event, the parts or the profile changed. */
export function moveToTree(state: FlameState, c: ViewContext): FlameState {
  const event = widthEvent(c);
  const counterparts = counterpartsOf(state.previousProfile ?? c.analysis.profile, c.analysis.profile);
  const { sandwich } = state;
  const routine = sandwich ? counterparts(sandwich.routine)[0] : -1;
  // A profile without the routine has only the complete tree.
  if (sandwich && routine === undefined) return moveToTree(sandwich.whole, c);
  const tree = treeOf(c.analysis, state.tree.inverted, event, routine);
  if (tree === state.tree) return state;
  const counterpartNode = (node: number): number => {
    if (node < -1) return sumIdInside(counterpartNode(parentNodeOf(state.tree, node)));
    return node < 0 ? -1 : findNodeByPath(tree, routinePathOf(state.tree, node), counterparts, event);
  };
  // Other frames are narrow in the new tree, so a zoom into narrow frames becomes a zoom into their parent.
  const nodes = state.zooms.map((zoom) => counterpartNode(zoom.node)).filter((node, k, all) => node >= 0 && node !== all[k - 1]);
  const zooms = nodes.map((node): FlameZoom => ({ node, after: 0 }));
  const other = sandwich && { tree: treeOf(c.analysis, !tree.inverted, event, routine), zooms: [] };
  return {
    ...{ ...state, tree, zooms, cursor: counterpartNode(state.cursor), deepestVisited: -1, previousProfile: undefined },
    sandwich: sandwich && other && { ...sandwich, routine, other },
  };
}

/** The node or group of narrow frames at a cell of the screen, with the side that has it; undefined if there is none. */
export function nodeAtCell(state: FlameState, x: number, y: number, c: ViewContext) {
  const line = Math.floor((y - legendHeight(state, c)) / linesPerFrame(state, c));
  // Below the boxes are the legend and the details.
  if (line >= visibleRowCount(state, c)) return undefined;
  const row = state.top + line;
  const side = sideAt(state, row);
  const found = currentLayout(side, c).rows[Math.abs(row)]?.find((box) => {
    const [from, to] = boxCellRange(box);
    return x >= from && x < to;
  });
  return found && { side, node: found.node };
}

/** The box where the cursor starts: the own code that increased most, or the topmost own code; without own code, the first root. */
function firstBox({ tree, zooms, deepestVisited }: FlameState, layout: FlameLayout, c: ViewContext): FlameBox | undefined {
  const root = layout.rows[layout.above]?.[0];
  if (tree.inverted || zooms.length > 0 || deepestVisited !== -1 || !hasCode(c.analysis.profile)) return root;
  layout.run(c.height, c.timeBudgetMs);
  const isOwn = ({ node }: FlameBox) => node >= 0 && isOwnRoutine(c.analysis.profile, tree.nodes[node].routine);
  const own = layout.rows.slice(0, c.height).map((row) => row.filter(isOwn));
  const size = ({ node, value }: FlameBox) => (c.analysis.before ? inclusiveChangeOf(c, tree.nodes[node]) : value);
  const among = c.analysis.before ? own.flat().filter((box) => size(box) > 0) : own.find((row) => row.length > 0);
  return among?.toSorted((a, b) => size(b) - size(a))[0] ?? root;
}

export function scrollToCursor(from: FlameState, c: ViewContext): FlameState {
  const state = moveToTree(from, c);
  const layout = currentLayout(state, c);
  let { cursor } = state;
  // A node without a box is too narrow or outside the zoom: go to its nearest ancestor that has one.
  while (cursor !== -1 && !layout.boxOf.has(cursor) && layout.hasRow(depthOfNode(state.tree, cursor)))
    cursor = parentNodeOf(state.tree, cursor);
  // Until all boxes of the screen are known, the cursor starts at a better one when it is, unless a key has moved it.
  const starts = cursor === -1 || cursor === state.startedAt;
  if (starts) cursor = firstBox(state, layout, c)?.node ?? -1;
  const startedAt = starts && !layout.done && layout.rows.length < c.height ? cursor : undefined;
  const visibleRows = Math.max(1, visibleRowCount(state, c));
  const row = cursorRow({ ...state, cursor });
  // The rows of callers above the cursor are needed to know which of them is the first on the screen.
  if (state.sandwich) currentLayout(sideAt(state, -1), c).run(c.height - Math.min(row, 0), c.timeBudgetMs);
  const { first, end, done } = rowRange(state, c);
  const deepest = done ? Math.max(first, end - visibleRows) : state.top;
  const top = Math.max(first, row - visibleRows + 1, Math.min(state.top, row, deepest));
  const isSame = cursor === state.cursor && top === state.top && startedAt === state.startedAt;
  return isSame ? state : { ...state, cursor, top, startedAt };
}

/** Continues the filter and the layout of the visible boxes for `ms` milliseconds; true once done. */
export function continueWork(from: FlameState, c: ViewContext, ms: number, steps: StepDetail): boolean {
  if (from.time) return runFilter(c, ms) && (!isOfKind(c.analysis, 'steps') || steps.work(c.analysis, ms));
  if (noFlameReason(c)) return true;
  const until = performance.now() + ms;
  const filtered = runFilter(c, ms);
  const state = moveToTree(from, c);
  // Include the row below the visible ones, for the key that moves down.
  const rows = Math.max(state.top, depthOfNode(state.tree, state.cursor)) + c.height + 1;
  const sides = [state, otherSide(state) ?? state];
  return sides.map((side) => currentLayout(side, c).run(rows, until - performance.now())).every(Boolean) && filtered;
}

export const putCursorOn = (state: FlameState, cursor: number): FlameState => ({
  ...state,
  cursor,
  deepestVisited: cursor,
  focusWithoutBox: -1,
});

/** Zooms into a node, which gets the full width. The rows above it stay visible if they fit. */
export function zoomTo(state: FlameState, node: number, c: ViewContext, after = 0): FlameState {
  const row = cursorRow({ ...state, cursor: node });
  // Callers of a frame above the routine of a sandwich are above that frame.
  const top = row < 0 ? state.top : Math.max(state.top, row - Math.floor(visibleRowCount(state, c) / 4));
  return { ...putCursorOn(state, node), zooms: [...state.zooms, { node, after }], top: Math.min(top, row) };
}

/** Zooms into a group of narrow frames; undefined if its frames would still be too narrow. */
export function zoomIntoSum(state: FlameState, c: ViewContext): FlameState | undefined {
  const { tree, cursor } = state;
  const box = boxUnderCursor(state, c);
  if (!box?.sum) return undefined;
  const event = widthEvent(c);
  const node = parentNodeOf(tree, cursor);
  const first = (node < 0 ? tree.roots : childrenOf(tree, node, event))[box.sum.after];
  if (first === undefined || Math.abs(nodeValue(event, tree.nodes[first])) * c.width < box.value) return undefined;
  return putCursorOn(zoomTo(state, node, c, box.sum.after), first);
}

/** Puts the cursor on a node. If it has no box, zooms into the nearest ancestor that makes it wide enough. */
export function revealNode(state: FlameState, node: number, c: ViewContext): FlameState {
  const { tree } = state;
  const event = widthEvent(c);
  const layout = currentLayout(state, c);
  layout.run(tree.nodes[node].depth + 1, Number.POSITIVE_INFINITY);
  if (layout.boxOf.has(node)) return putCursorOn(state, node);
  const size = (id: number) => Math.abs(nodeValue(event, tree.nodes[id]));
  let zoom = node;
  for (let id = node; id >= 0; id = tree.nodes[id].parent) if (size(node) * c.width >= MIN_FOUND_WIDTH * size(id)) zoom = id;
  return putCursorOn(zoomTo(state, zoom, c), node);
}

/** Minimum width of a frame found by a search, so that its name fits. */
const MIN_FOUND_WIDTH = 16;

/** The widest box of a routine, of equal ones the topmost; undefined if it has none. */
export function boxOfRoutine(state: FlameState, routine: number, c: ViewContext): FlameBox | undefined {
  const { nodes } = state.tree;
  const own = currentLayout(state, c).rows.flatMap((row) => row.filter((b) => b.node >= 0 && nodes[b.node].routine === routine));
  return own.length > 0 ? own.reduce((best, b) => (b.value > best.value ? b : best)) : undefined;
}

/** Hot paths end before frames that are narrower. */
const MIN_HOT_CELLS = 6;

/** Moves the cursor along the costliest children, until a frame itself costs more than each. With a base, changes count. */
export function goToHottest(state: FlameState, c: ViewContext): FlameState {
  const layout = currentLayout(state, c);
  const { nodes, inverted } = state.tree;
  const { before } = c.analysis;
  const event = before ? eventInMeasure(c.analysis, c.event, 'delta') : widthEvent(c);
  const sizeOf = ({ node, value }: FlameBox) => (before ? Math.abs(inclusiveChangeOf(c, nodes[node])) : value);
  let box = boxUnderCursor(state, c);
  while (box) {
    layout.run(box.row + 2, Number.POSITIVE_INFINITY);
    const below = layout.boxesInside(box).filter(({ sum }) => !sum);
    const [next]: readonly FlameBox[] = sortedByKey(below, sizeOf, true);
    // In deep stacks of narrowing frames, the last one with room for a name says most; Enter makes room below it.
    if (!next || sizeOf(next) === 0 || (next.to - next.from < MIN_HOT_CELLS && box.to - box.from >= MIN_HOT_CELLS)) break;
    if (!inverted && Math.abs(nodeSelf(event, nodes[box.node])) > sizeOf(next)) break;
    box = next;
  }
  return box && box.node !== state.cursor ? putCursorOn(state, box.node) : state;
}

/** Inverts the tree, and puts the cursor on a box of the routine it was on. */
export function invertTree(state: FlameState, c: ViewContext): FlameState {
  const here = state.tree.nodes[state.cursor];
  const tree = treeOf(c.analysis, !state.tree.inverted, widthEvent(c), -1);
  const inverted: FlameState = { ...state, tree, ...NO_PLACE };
  currentLayout(inverted, c).run(c.height, c.timeBudgetMs);
  const counterpartBox = here && boxOfRoutine(inverted, here.routine, c);
  return counterpartBox ? putCursorOn(inverted, counterpartBox.node) : inverted;
}
