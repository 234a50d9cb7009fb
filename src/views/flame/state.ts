// The state of the Flame view: zoom, cursor and colours, and how they move to another tree.
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { type Counterparts, counterpartsOf } from '../../analysis/answers/counterparts.ts';
import { cellsOf, type FlameBox, FlameLayout, parentIn, sumIdInside } from '../../analysis/answers/flame/layout.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, type Tree } from '../../analysis/answers/tree.ts';
import { NameFilter } from '../../analysis/names/filtering.ts';
import type { Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Profile } from '../../model/profile.ts';
import {
  areasOf,
  type BoxForm,
  type FlameColour,
  type FlameContext,
  FlamePicture,
  noFlameReason,
  widthEvent,
} from '../../pictures/flame.ts';
import type { StepDetail } from '../parts/step-detail.ts';
import { treeOf } from '../tree/places.ts';
import type { ViewContext } from '../view.ts';

/** The state of the view in time order. */
export interface TimeState {
  readonly step: number;
  readonly top: number;
  /** The slices that are zoomed into; the last one takes the whole width. */
  readonly zooms: readonly number[];
}

/** A zoom: `node` takes the whole width, without its `after` costliest children. */
export interface Zoom {
  /** Tree node, or -1 for the group of roots too narrow to draw. */
  readonly node: number;
  readonly after: number;
}

export interface FlameState {
  readonly inverted: boolean;
  /** The tree of the node numbers below. Each analysis and event has its own tree. */
  readonly tree: Tree;
  /** The zooms, outermost first; the last one takes the whole width. */
  readonly zooms: readonly Zoom[];
  /** The node under the cursor, or a group of narrow frames (numbered by layout.ts); -1 for none. */
  readonly cursor: number;
  /** The deepest node visited before moving up: moving down goes back to it. */
  readonly deepestVisited: number;
  /** The first row on the screen. */
  readonly top: number;
  readonly colour: FlameColour;
  /** The profile of `tree`, if another profile has replaced it since. */
  readonly previousProfile: Profile | undefined;
  /** The routine in focus when the view opened, if it has no box; -1 otherwise, and after a cursor move. */
  readonly focusWithoutBox: number;
  /** The state in time order; undefined while boxes are ordered by cost. */
  readonly time: TimeState | undefined;
  /** True if the view is written as text, without the pane. */
  readonly withoutPane?: boolean;
}

/** Screens from this width on have a pane beside the boxes. */
const WITH_PANE = 120;
const WIDEST_PANE = 60;

/** Width of the pane; 0 for none. */
export const paneWidth = ({ withoutPane }: FlameState, c: ViewContext): number =>
  withoutPane || c.width < WITH_PANE || noFlameReason(c) ? 0 : Math.min(WIDEST_PANE, Math.floor(c.width / 3));

/** Width of the boxes. A vertical line separates them from the pane. */
export function boxesWidth(state: FlameState, c: ViewContext): number {
  const pane = paneWidth(state, c);
  return pane > 0 ? c.width - pane - 1 : c.width;
}

const layoutFor = memo(
  (tree: Tree, zoom: number, after: number, width: number, event: Event, total: number) =>
    new FlameLayout(tree, event, zoom, { width, least: 1 }, total, after),
  4,
);

const WHOLE: Zoom = { node: -1, after: 0 };

/** The boxes at this width that have been laid out so far. */
export function layoutIn(state: FlameState, c: ViewContext): FlameLayout {
  const { tree, zooms } = state;
  const event = widthEvent(c);
  const { node, after } = zooms.at(-1) ?? WHOLE;
  return layoutFor(tree, node, after, boxesWidth(state, c), event, eventValue(event, c.analysis.totals.total, 0));
}

const filteringOf = memo(({ profile }: ViewContext['analysis'], matcher: Matcher) => ({
  filtering: new NameFilter(profile, matcher),
  order: Uint32Array.from(profile.routines.name.keys()),
}));

/** The progress of the filter over routines; undefined without a filter. */
export const filterIn = (c: ViewContext): NameFilter | undefined => c.matcher && filteringOf(c.analysis, c.matcher).filtering;

function runFilter(c: ViewContext, ms: number): boolean {
  if (!c.matcher) return true;
  const { filtering, order } = filteringOf(c.analysis, c.matcher);
  return filtering.run(order, ms);
}

const pictureFor = memo(
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

/** The drawn rows. Memoized, so that cursor moves do not draw them again. */
export function pictureIn(state: FlameState, c: ViewContext): FlamePicture {
  const filtering = filterIn(c);
  const form = c.fills ? 'filled' : 'bracketed';
  const { hit, version = 0 } = filtering ?? {};
  return pictureFor(layoutIn(state, c), state.colour, hit, version, c.analysis, c.event, c.names, form, c.ascii);
}

/** The legend of object or file colours; [] for other colour schemes. */
export function legendOf({ colour }: FlameState, c: ViewContext) {
  const by = colour === 'object' || colour === 'file' ? colour : undefined;
  return by && c.fills && !noFlameReason(c) ? areasOf(c.analysis, widthEvent(c), by).legend : [];
}

/** Screens from this height on have a legend. */
const MIN_LEGEND_HEIGHT = 6;

/** The number of lines for boxes; the legend takes one line. */
export function boxLineCount(state: FlameState, c: ViewContext): number {
  return c.height - (c.height >= MIN_LEGEND_HEIGHT && legendOf(state, c).length > 0 ? 1 : 0);
}

/** Lines per frame: 2 if all rows still fit on the screen. */
export function linesPerFrame(state: FlameState, c: ViewContext): 1 | 2 {
  const { done, rows } = layoutIn(state, c);
  return done && rows.length * 2 <= boxLineCount(state, c) ? 2 : 1;
}

/** The number of rows of boxes that fit on the screen. */
export function visibleRowCount(state: FlameState, c: ViewContext): number {
  return Math.floor(boxLineCount(state, c) / linesPerFrame(state, c));
}

/** The row of a node, or of a group of narrow frames. */
export const depthOf = (tree: Tree, id: number): number =>
  id < -1 ? (tree.nodes[parentIn(tree, id)]?.depth ?? -1) + 1 : (tree.nodes[id]?.depth ?? 0);

export function boxAt(state: FlameState, c: ViewContext): FlameBox | undefined {
  return layoutIn(state, c).boxOf.get(state.cursor);
}

/** The routine numbers of a node and those above it, from the root down. */
function pathOf(tree: Tree, node: number): number[] {
  const path: number[] = [];
  for (let id = node; id >= 0; id = tree.nodes[id].parent) path.push(tree.nodes[id].routine);
  return path.reverse();
}

/** Follows a path of routines in another tree, and returns the last node found; -1 if not even the root matches. */
function findNodeByPath(tree: Tree, path: readonly number[], counterparts: Counterparts, event: Event): number {
  let at = -1;
  for (const routine of path) {
    const wanted = new Set(counterparts(routine));
    const below = at < 0 ? tree.roots : canUnfold(tree, at) ? childrenOf(tree, at, event) : [];
    const next = below.find((id) => wanted.has(tree.nodes[id].routine));
    // At a coarser granularity, several frames of the path are one node.
    if (next === undefined && at >= 0 && wanted.has(tree.nodes[at].routine)) continue;
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** Moves the state to the tree of this context, after a change of event, parts or profile. */
export function moveToTree(state: FlameState, c: ViewContext): FlameState {
  const event = widthEvent(c);
  const tree = treeOf(c.analysis, state.inverted, event, -1);
  if (tree === state.tree) return state;
  const counterparts = counterpartsOf(state.previousProfile ?? c.analysis.profile, c.analysis.profile);
  const counterpartNode = (node: number): number => {
    if (node < -1) return sumIdInside(counterpartNode(parentIn(state.tree, node)));
    return node < 0 ? -1 : findNodeByPath(tree, pathOf(state.tree, node), counterparts, event);
  };
  // Zooms into narrow frames become zooms into their parent: other frames are narrow in the new tree.
  const nodes = state.zooms.map((zoom) => counterpartNode(zoom.node)).filter((node, k, all) => node >= 0 && node !== all[k - 1]);
  const zooms = nodes.map((node): Zoom => ({ node, after: 0 }));
  return { ...state, tree, zooms, cursor: counterpartNode(state.cursor), deepestVisited: -1, previousProfile: undefined };
}

/** The frame, or group of narrow frames, at a cell of the screen; -1 if there is none. */
export function nodeAtCell(state: FlameState, x: number, y: number, c: ViewContext): number {
  const row = state.top + Math.floor((y - (c.height - boxLineCount(state, c))) / linesPerFrame(state, c));
  const found = layoutIn(state, c).rows[row]?.find((box) => {
    const [from, to] = cellsOf(box);
    return x >= from && x < to;
  });
  return found?.node ?? -1;
}

/** Puts the cursor on a box, and scrolls to it. */
export function scrollToCursor(from: FlameState, c: ViewContext): FlameState {
  const state = moveToTree(from, c);
  const layout = layoutIn(state, c);
  let { cursor } = state;
  // A node that is too narrow or outside the zoom has no box: use the nearest node above with a box.
  while (cursor !== -1 && !layout.boxOf.has(cursor) && layout.hasRow(depthOf(state.tree, cursor)))
    cursor = parentIn(state.tree, cursor);
  if (cursor === -1) cursor = layout.rows[layout.above]?.[0]?.node ?? -1;
  const visibleRows = Math.max(1, visibleRowCount(state, c));
  const row = depthOf(state.tree, cursor);
  const deepest = layout.done ? Math.max(0, layout.rows.length - visibleRows) : state.top;
  const top = Math.max(0, row - visibleRows + 1, Math.min(state.top, row, deepest));
  return cursor === state.cursor && top === state.top ? state : { ...state, cursor, top };
}

/** Continues the filter and the layout of the visible boxes for `ms` milliseconds; true once done. */
export function workOn(from: FlameState, c: ViewContext, ms: number, steps: StepDetail): boolean {
  if (from.time) return runFilter(c, ms) && (!isOfKind(c.analysis, 'steps') || steps.work(c.analysis, ms));
  if (noFlameReason(c)) return true;
  const until = performance.now() + ms;
  const filtered = runFilter(c, ms);
  const state = moveToTree(from, c);
  const row = depthOf(state.tree, state.cursor);
  // One row more than is visible, for the key that moves down.
  const rows = Math.max(state.top, row) + c.height + 1;
  return layoutIn(state, c).run(rows, until - performance.now()) && filtered;
}

export const goTo = (state: FlameState, cursor: number): FlameState => ({
  ...state,
  cursor,
  deepestVisited: cursor,
  focusWithoutBox: -1,
});

/** Gives a node the whole width. Rows above it stay visible if they fit. */
export function zoomTo(state: FlameState, node: number, c: ViewContext, after = 0): FlameState {
  const depth = depthOf(state.tree, node);
  const visibleRows = visibleRowCount(state, c);
  const top = Math.max(state.top, depth - Math.floor(visibleRows / 4));
  return { ...goTo(state, node), zooms: [...state.zooms, { node, after }], top: Math.min(top, depth) };
}

/** Gives the narrow frames the whole width; undefined if they would still be too narrow. */
export function zoomIntoSum(state: FlameState, c: ViewContext): FlameState | undefined {
  const { tree, cursor } = state;
  const box = boxAt(state, c);
  if (!box?.sum) return undefined;
  const event = widthEvent(c);
  const node = parentIn(tree, cursor);
  const first = (node < 0 ? tree.roots : childrenOf(tree, node, event))[box.sum.after];
  if (first === undefined || Math.abs(nodeValue(event, tree.nodes[first])) * boxesWidth(state, c) < box.value) return undefined;
  return goTo(zoomTo(state, node, c, box.sum.after), first);
}

/** Goes to a node. If it has no box, zooms into the ancestor that makes it wide enough. */
export function reveal(state: FlameState, node: number, c: ViewContext): FlameState {
  const { tree } = state;
  const event = widthEvent(c);
  const layout = layoutIn(state, c);
  layout.run(tree.nodes[node].depth + 1, Number.POSITIVE_INFINITY);
  if (layout.boxOf.has(node)) return goTo(state, node);
  const size = (id: number) => Math.abs(nodeValue(event, tree.nodes[id]));
  let zoom = node;
  for (let id = node; id >= 0; id = tree.nodes[id].parent)
    if (size(node) * boxesWidth(state, c) >= LEAST_FOUND * size(id)) zoom = id;
  return goTo(zoomTo(state, zoom, c), node);
}

/** The least width of a found frame: enough for a name. */
const LEAST_FOUND = 16;

/** The widest box of a routine in its topmost row; undefined if it has none. */
export function boxOfRoutine(state: FlameState, routine: number, c: ViewContext): FlameBox | undefined {
  const { nodes } = state.tree;
  for (const row of layoutIn(state, c).rows) {
    const own = row.filter((b) => b.node >= 0 && nodes[b.node].routine === routine);
    if (own.length > 0) return own.reduce((best, b) => (b.value > best.value ? b : best));
  }
  return undefined;
}

/** Follows the costliest children, until the self cost of a frame exceeds the cost of each child. */
export function goToHottest(state: FlameState, c: ViewContext): FlameState {
  const layout = layoutIn(state, c);
  const event = widthEvent(c);
  let box = boxAt(state, c);
  while (box) {
    layout.run(box.row + 2, Number.POSITIVE_INFINITY);
    const next: FlameBox | undefined = layout.boxesInside(box)[0];
    if (!next || next.sum) break;
    if (!state.inverted && Math.abs(nodeSelf(event, state.tree.nodes[box.node])) > next.value) break;
    box = next;
  }
  return box ? goTo(state, box.node) : state;
}

/** Inverts the tree. The cursor goes to a box of the same routine. */
export function invert(state: FlameState, c: ViewContext): FlameState {
  const here = state.tree.nodes[state.cursor];
  const tree = treeOf(c.analysis, !state.inverted, widthEvent(c), -1);
  const inverted = {
    ...state,
    tree,
    inverted: !state.inverted,
    zooms: [],
    cursor: -1,
    deepestVisited: -1,
    top: 0,
    focusWithoutBox: -1,
  };
  layoutIn(inverted, c).run(c.height, c.timeBudgetMs);
  const counterpartBox = here && boxOfRoutine(inverted, here.routine, c);
  return counterpartBox ? goTo(inverted, counterpartBox.node) : inverted;
}
