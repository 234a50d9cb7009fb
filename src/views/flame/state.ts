// The state of the Flame view: the node that takes the whole width, the cursor, the colours; and how they follow into other trees.
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { type Twins, twinsOf } from '../../analysis/answers/counterparts.ts';
import { aboveIn, type Box, cellsOf, FlameLayout, sumBelow } from '../../analysis/answers/flame/layout.ts';
import { canUnfold, childrenOf, nodeSelf, nodeValue, type Tree } from '../../analysis/answers/tree.ts';
import { Filtering } from '../../analysis/names/filtering.ts';
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
  whyNoFlame,
  widthEvent,
} from '../../pictures/flame.ts';
import type { StepDetail } from '../parts/step-detail.ts';
import { treeOf } from '../tree/places.ts';
import type { ViewContext } from '../view.ts';

/** Slices where they were in time. */
export interface TimeState {
  readonly step: number;
  readonly top: number;
  /** The slices that were zoomed into; the last one takes the whole width. */
  readonly zooms: readonly number[];
}

/** A node that takes the whole width, or the narrow frames inside it: those after so many costlier ones. */
export interface Zoom {
  /** -1 for the narrow roots. */
  readonly node: number;
  readonly after: number;
}

export interface FlameState {
  readonly inverted: boolean;
  /** The tree that the numbers of nodes below are of; every analysis and event has its own. */
  readonly tree: Tree;
  /** One after the other; the last one takes the whole width. */
  readonly zooms: readonly Zoom[];
  /** The node under the cursor, or the sum of narrow ones (layout.ts has its number); -1 where there is none. */
  readonly cursor: number;
  /** The deepest node that the cursor came up from: down leads back to it. */
  readonly last: number;
  /** The first row on the screen. */
  readonly top: number;
  readonly colour: FlameColour;
  /** The profile that the tree is of, if another one has taken its place. */
  readonly from: Profile | undefined;
  /** The routine in focus on entering the view, if it has no box; -1 otherwise, and once the cursor moves. */
  readonly still: number;
  /** In time order instead, for steps in time. */
  readonly time: TimeState | undefined;
  /** There is no pane beside the boxes: the view is written as text. */
  readonly alone?: boolean;
}

/** Wide screens have a pane beside the boxes. */
const WITH_PANE = 120;
const WIDEST_PANE = 60;

/** Cells of the pane; 0 for none. */
export const paneWidth = ({ alone }: FlameState, c: ViewContext): number =>
  alone || c.width < WITH_PANE || whyNoFlame(c) ? 0 : Math.min(WIDEST_PANE, Math.floor(c.width / 3));

/** Cells for boxes: a line is between them and the pane. */
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

/** The boxes at this width, as far as they have been unfolded. */
export function layoutIn(state: FlameState, c: ViewContext): FlameLayout {
  const { tree, zooms } = state;
  const event = widthEvent(c);
  const { node, after } = zooms.at(-1) ?? WHOLE;
  return layoutFor(tree, node, after, boxesWidth(state, c), event, eventValue(event, c.analysis.totals.total, 0));
}

const filteringOf = memo(({ profile }: ViewContext['analysis'], matcher: Matcher) => ({
  filtering: new Filtering(profile, matcher),
  order: Uint32Array.from(profile.routines.name.keys()),
}));

/** The rows that the filter keeps, as far as known; undefined without a filter. */
export const filterIn = (c: ViewContext): Filtering | undefined => c.matcher && filteringOf(c.analysis, c.matcher).filtering;

function filterOn(c: ViewContext, ms: number): boolean {
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
      faint: (r) => hit !== undefined && hit[r] === 0,
    }),
  2,
);

/** The rows as they look: a cursor move makes none anew. */
export function pictureIn(state: FlameState, c: ViewContext): FlamePicture {
  const filtering = filterIn(c);
  const form = c.fills ? 'filled' : 'bracketed';
  const { hit, version = 0 } = filtering ?? {};
  return pictureFor(layoutIn(state, c), state.colour, hit, version, c.analysis, c.event, c.names, form, c.ascii);
}

/** The fills of objects or files, if they are what colours say. */
export function legendOf({ colour }: FlameState, c: ViewContext) {
  const by = colour === 'object' || colour === 'file' ? colour : undefined;
  return by && c.fills && !whyNoFlame(c) ? areasOf(c.analysis, widthEvent(c), by).legend : [];
}

/** Short screens have no legend. */
const LEGEND_FROM = 6;

/** Lines for boxes; the others are the legend. */
export function linesFor(state: FlameState, c: ViewContext): number {
  return c.height - (c.height >= LEGEND_FROM && legendOf(state, c).length > 0 ? 1 : 0);
}

/** Lines of a frame: two where all frames have room for them. */
export function linesEach(state: FlameState, c: ViewContext): 1 | 2 {
  const { done, rows } = layoutIn(state, c);
  return done && rows.length * 2 <= linesFor(state, c) ? 2 : 1;
}

/** Rows of boxes on the screen. */
export function roomFor(state: FlameState, c: ViewContext): number {
  return Math.floor(linesFor(state, c) / linesEach(state, c));
}

/** The row of a node or of a sum. */
export const depthOf = (tree: Tree, id: number): number =>
  id < -1 ? (tree.nodes[aboveIn(tree, id)]?.depth ?? -1) + 1 : (tree.nodes[id]?.depth ?? 0);

export function boxAt(state: FlameState, c: ViewContext): Box | undefined {
  return layoutIn(state, c).boxOf.get(state.cursor);
}

/** The routine numbers of a node and those above it, from the root down. */
function pathOf(tree: Tree, node: number): number[] {
  const path: number[] = [];
  for (let id = node; id >= 0; id = tree.nodes[id].parent) path.push(tree.nodes[id].routine);
  return path.reverse();
}

/** The node that the path leads to in another tree, or how far it leads there; -1 if nowhere. */
function follow(tree: Tree, path: readonly number[], twins: Twins, event: Event): number {
  let at = -1;
  for (const routine of path) {
    const wanted = new Set(twins(routine));
    const below = at < 0 ? tree.roots : canUnfold(tree, at) ? childrenOf(tree, at, event) : [];
    const next = below.find((id) => wanted.has(tree.nodes[id].routine));
    // Where calls within a file or an object became one node, that is the node.
    if (next === undefined && at >= 0 && wanted.has(tree.nodes[at].routine)) continue;
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** The state in the tree of this context: of another event, other parts, or another profile. */
export function settled(state: FlameState, c: ViewContext): FlameState {
  const event = widthEvent(c);
  const tree = treeOf(c.analysis, state.inverted, event, -1);
  if (tree === state.tree) return state;
  const twins = twinsOf(state.from ?? c.analysis.profile, c.analysis.profile);
  const there = (node: number): number => {
    if (node < -1) return sumBelow(there(aboveIn(state.tree, node)));
    return node < 0 ? -1 : follow(tree, pathOf(state.tree, node), twins, event);
  };
  // Other frames are narrow there.
  const nodes = state.zooms.map((zoom) => there(zoom.node)).filter((node, k, all) => node >= 0 && node !== all[k - 1]);
  const zooms = nodes.map((node): Zoom => ({ node, after: 0 }));
  return { ...state, tree, zooms, cursor: there(state.cursor), last: -1, from: undefined };
}

/** The frame at a cell of what is drawn, or the sum of narrow ones; -1 if none is there. */
export function nodeAtCell(state: FlameState, x: number, y: number, c: ViewContext): number {
  const row = state.top + Math.floor((y - (c.height - linesFor(state, c))) / linesEach(state, c));
  const found = layoutIn(state, c).rows[row]?.find((box) => {
    const [from, to] = cellsOf(box);
    return x >= from && x < to;
  });
  return found?.node ?? -1;
}

/** Puts the cursor on a box, and scrolls so that it can be seen. */
export function inSight(from: FlameState, c: ViewContext): FlameState {
  const state = settled(from, c);
  const layout = layoutIn(state, c);
  let { cursor } = state;
  // A node that is too narrow, or outside the zoom, has no box: the node above it has.
  while (cursor !== -1 && !layout.boxOf.has(cursor) && layout.knows(depthOf(state.tree, cursor)))
    cursor = aboveIn(state.tree, cursor);
  if (cursor === -1) cursor = layout.rows[layout.above]?.[0]?.node ?? -1;
  const room = Math.max(1, roomFor(state, c));
  const row = depthOf(state.tree, cursor);
  const deepest = layout.done ? Math.max(0, layout.rows.length - room) : state.top;
  const top = Math.max(0, row - room + 1, Math.min(state.top, row, deepest));
  return cursor === state.cursor && top === state.top ? state : { ...state, cursor, top };
}

/** Goes on with the filter and the boxes that the screen shows; true when nothing is left. */
export function workOn(from: FlameState, c: ViewContext, ms: number, steps: StepDetail): boolean {
  if (from.time) return filterOn(c, ms) && (!isOfKind(c.analysis, 'steps') || steps.work(c.analysis, ms));
  if (whyNoFlame(c)) return true;
  const until = performance.now() + ms;
  const filtered = filterOn(c, ms);
  const state = settled(from, c);
  const row = depthOf(state.tree, state.cursor);
  // One more than is seen: down leads there.
  const rows = Math.max(state.top, row) + c.height + 1;
  return layoutIn(state, c).run(rows, until - performance.now()) && filtered;
}

export const goTo = (state: FlameState, cursor: number): FlameState => ({ ...state, cursor, last: cursor, still: -1 });

/** Takes the whole width for a node; what is above it stays in sight as far as there is room. */
export function zoomTo(state: FlameState, node: number, c: ViewContext, after = 0): FlameState {
  const depth = depthOf(state.tree, node);
  const room = roomFor(state, c);
  const top = Math.max(state.top, depth - Math.floor(room / 4));
  return { ...goTo(state, node), zooms: [...state.zooms, { node, after }], top: Math.min(top, depth) };
}

/** Takes the whole width for narrow frames; undefined if even that is too little. */
export function zoomIntoSum(state: FlameState, c: ViewContext): FlameState | undefined {
  const { tree, cursor } = state;
  const box = boxAt(state, c);
  if (!box?.sum) return undefined;
  const event = widthEvent(c);
  const node = aboveIn(tree, cursor);
  const first = (node < 0 ? tree.roots : childrenOf(tree, node, event))[box.sum.after];
  if (first === undefined || Math.abs(nodeValue(event, tree.nodes[first])) * boxesWidth(state, c) < box.value) return undefined;
  return goTo(zoomTo(state, node, c, box.sum.after), first);
}

/** Goes to a node wherever it is: if it has no box, zooms into what makes it wide enough. */
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

/** Cells that a found frame gets: enough for a name. */
const LEAST_FOUND = 16;

/** The widest box of a routine, the first of them on the screen; undefined if it has none. */
export function boxOfRoutine(state: FlameState, routine: number, c: ViewContext): Box | undefined {
  const { nodes } = state.tree;
  for (const row of layoutIn(state, c).rows) {
    const own = row.filter((b) => b.node >= 0 && nodes[b.node].routine === routine);
    if (own.length > 0) return own.reduce((best, b) => (b.value > best.value ? b : best));
  }
  return undefined;
}

/** The deepest box along the costliest children, until a frame itself costs more than any of them. */
export function hottest(state: FlameState, c: ViewContext): FlameState {
  const layout = layoutIn(state, c);
  const event = widthEvent(c);
  let box = boxAt(state, c);
  while (box) {
    layout.run(box.row + 2, Number.POSITIVE_INFINITY);
    const next: Box | undefined = layout.inside(box)[0];
    if (!next || next.sum) break;
    if (!state.inverted && Math.abs(nodeSelf(event, state.tree.nodes[box.node])) > next.value) break;
    box = next;
  }
  return box ? goTo(state, box.node) : state;
}

/** Turns the tree over; the cursor goes with its routine. */
export function invert(state: FlameState, c: ViewContext): FlameState {
  const here = state.tree.nodes[state.cursor];
  const tree = treeOf(c.analysis, !state.inverted, widthEvent(c), -1);
  const turned = { ...state, tree, inverted: !state.inverted, zooms: [], cursor: -1, last: -1, top: 0, still: -1 };
  layoutIn(turned, c).run(c.height, c.patienceMs);
  const there = here && boxOfRoutine(turned, here.routine, c);
  return there ? goTo(turned, there.node) : turned;
}
