// Draws the call graph around a routine as boxes: levels of callers above, levels of callees below.
import { type ClusterKey, clusterName, type Neighbour, type NeighbourSide } from '../analysis/answers/neighbours.ts';
import { groupByKey } from '../base/lists.ts';
import { baseName } from '../base/paths.ts';
import type { ScreenLine, Span } from '../base/style.ts';
import { cellWidth, cutEnd, fit, keepEnds, visible } from '../base/text.ts';
import type { ColumnContext } from '../columns/column.ts';
import { boxLines, centreText, type GraphCentre, inclusiveCostOf, neighbourText, restBoxText } from './graph-boxes.ts';
import { type BoxPosition, chooseGraphPlan, type GraphLevel, type GraphPlan, levelsOf, placeBoxes } from './graph-layout.ts';

export interface CallGraphPicture {
  /** The number of levels of callers, and of callees. */
  readonly depth: number;
  readonly centre: GraphCentre;
  /** The callers or callees of each level, costliest first; none for the level of the focus. */
  readonly lists: ReadonlyMap<GraphLevel, readonly Neighbour[]>;
  /** The key by which boxes are framed together, in lists ordered by it; undefined without frames. */
  readonly cluster: ClusterKey | undefined;
  /** The index of the chosen box of each level. An outer level shows callers or callees of the chosen inner box. */
  readonly chosen: ReadonlyMap<GraphLevel, number>;
  /** The level of the cursor; undefined without a cursor. */
  readonly cursor: GraphLevel | undefined;
  /** The text shown instead of missing callers or callees. */
  readonly none: Readonly<Record<NeighbourSide, string>>;
}

/** Minimum width of a box with walls: a name must fit between them. */
const MIN_WALLED_WIDTH = 5;

type LevelBand = ReturnType<typeof layOutBands>[number];

const boxesOfLevel = (graph: CallGraphPicture, level: GraphLevel) => graph.lists.get(level) ?? [];
const innerLevel = (level: GraphLevel): GraphLevel => level - Math.sign(level);

export function adjacentCentre(graph: CallGraphPicture, level: GraphLevel): GraphCentre {
  if (Math.abs(level) < 2) return graph.centre;
  const inner = innerLevel(level);
  return { routine: boxesOfLevel(graph, inner)[graph.chosen.get(inner) ?? 0]?.routine ?? -1, cycle: 0 };
}

/** The cost that a box of the full width would have: the inclusive cost of the adjacent routine. */
function fullWidthCost(c: ColumnContext, graph: CallGraphPicture, level: GraphLevel, event = c.event): number {
  const near = adjacentCentre(graph, level);
  return near.routine < 0 ? 0 : Math.abs(inclusiveCostOf(c, near, event));
}

/** Draws the graph as exactly `height` lines of at most `width` cells. */
export function drawGraph(c: ColumnContext, graph: CallGraphPicture, width: number, height: number): ScreenLine[] {
  const canvas = new GraphCanvas(width, height);
  const levels = levelsOf(graph.depth).filter(
    (level) => Math.abs(level) < 2 || boxesOfLevel(graph, innerLevel(level)).length > 0,
  );
  const plan = chooseGraphPlan(height, levels, graph.cursor ?? 0);
  const bands = layOutBands(c, graph, plan, width);
  for (const band of bands) drawBand(c, graph, canvas, plan, band);
  for (const [at, upper] of bands.slice(0, -1).entries()) drawConnections(graph, canvas, plan, upper, bands[at + 1]);
  if (plan.framed) for (const band of bands) drawClusters(c, graph, canvas, plan, band);
  return canvas.toLines();
}

/** The levels of the graph, and their rows on the canvas. */
function layOutBands(c: ColumnContext, graph: CallGraphPicture, plan: GraphPlan, width: number) {
  const frame = plan.framed ? 1 : 0;
  const out = [];
  let y = 0;
  for (const [level, lines] of plan.lines) {
    // Leave a row for connecting lines between the inner and outer callees.
    if (plan.buses && level >= 2) y++;
    const list = boxesOfLevel(graph, level);
    const boxes: readonly BoxPosition[] =
      level === 0
        ? [{ index: 0, x: 0, width }]
        : placeBoxes(list, graph.chosen.get(level) ?? 0, fullWidthCost(c, graph, level), width);
    const note = level !== 0 && list.length === 0;
    out.push({ level, y, lines, frame: note ? 0 : frame, boxes: note ? [] : boxes });
    y += (note && Math.abs(level) === 1 ? 1 : lines + 2 * frame) + (plan.buses && level <= -2 ? 1 : 0);
  }
  return out;
}

function drawBand(c: ColumnContext, graph: CallGraphPicture, canvas: GraphCanvas, plan: GraphPlan, band: LevelBand): void {
  const { level, y, lines, frame, boxes } = band;
  const { width } = canvas;
  if (boxes.length === 0 && Math.abs(level) === 1)
    canvas.putText(0, y, [[fit(visible(keepEnds(` ${graph.none[level < 0 ? 'callers' : 'callees']}`, width)), width), 'dim']]);
  for (const { index, rest, x, width: w } of boxes) {
    const isChosen = index >= 0 && index === (graph.chosen.get(level) ?? 0);
    const isCursor = isChosen && level === graph.cursor;
    const walled = w >= MIN_WALLED_WIDTH;
    const inside = walled ? 1 : 0;
    if (walled) for (const wall of [x, x + w - 1]) canvas.drawVertical(wall, y, y + lines + 2 * frame - 1);
    if (frame > 0) for (const row of [y, y + lines + 1]) canvas.drawHorizontal(row, x, x + w - 1);
    // A wall in a single row has no direction for `drawVertical()`, so UP selects the character of a wall.
    if (walled && frame === 0) for (const wall of [x, x + w - 1]) canvas.addDirections(wall, y, UP);
    const text = boxTextOf(c, graph, level, index, rest);
    boxLines(text, lines, w - 2 * inside, boxMark(plan, level, isChosen, isCursor), isCursor).forEach((spans, line) => {
      canvas.putText(x + inside, y + frame + line, spans, isCursor && line === 0);
    });
  }
}

/** Joins the boxes of each cluster by the line away from the focus, which has the name of the cluster. */
function drawClusters(c: ColumnContext, graph: CallGraphPicture, canvas: GraphCanvas, plan: GraphPlan, band: LevelBand): void {
  const { cluster } = graph;
  const { level, boxes } = band;
  if (!cluster || level === 0) return;
  const list = boxesOfLevel(graph, level);
  const row = level < 0 ? band.y : bottomRow(band);
  const named = boxes.filter(({ index }) => index >= 0);
  for (const [name, members] of groupByKey(named, ({ index }) => clusterName(c.analysis.profile, cluster, list[index].routine))) {
    if (name === null) continue;
    const [from, end] = [members[0].x, members[members.length - 1].x + members[members.length - 1].width - 1];
    canvas.drawHorizontal(row, from, end);
    // The name leaves the place free where lines to the next level begin.
    const chosen = members.find(({ index }) => index === (graph.chosen.get(level) ?? 0));
    const joint = chosen && plan.lines.has(level + Math.sign(level)) ? middleColumn(chosen) : end;
    const [at, to] = joint - from >= end - joint ? [from + 2, joint] : [joint + 2, end];
    canvas.putText(at, row, [[cutEnd(visible(` ${baseName(name)} `), Math.max(0, to - at - 1)), 'plain']]);
  }
}

/** The mark before a name: the cursor, or, without connecting lines, the box whose callers or callees are shown. */
function boxMark(plan: GraphPlan, level: GraphLevel, isChosen: boolean, isCursor: boolean): string {
  if (isCursor) return '▶';
  if (!isChosen || plan.buses) return ' ';
  if (level < 0 && plan.lines.has(level - 1)) return '▲';
  return level > 0 && plan.lines.has(level + 1) ? '▼' : ' ';
}

function boxTextOf(c: ColumnContext, graph: CallGraphPicture, level: GraphLevel, index: number, rest: BoxPosition['rest']) {
  if (level === 0) return centreText(c, graph.centre);
  if (rest) return restBoxText(c, rest, (event) => fullWidthCost(c, graph, level, event));
  return neighbourText(c, boxesOfLevel(graph, level)[index], adjacentCentre(graph, level));
}

const middleColumn = ({ x, width }: BoxPosition) => x + (width >> 1);
const bottomRow = ({ y, lines, frame }: LevelBand) => y + lines + 2 * frame - 1;

/** Draws the lines between two levels. Inner boxes are connected to the focus, outer boxes to the chosen inner box. */
function drawConnections(graph: CallGraphPicture, canvas: GraphCanvas, plan: GraphPlan, upper: LevelBand, lower: LevelBand) {
  const [outer, inner] = Math.abs(upper.level) > Math.abs(lower.level) ? [upper, lower] : [lower, upper];
  if (outer.boxes.length === 0) return;
  const joinBoth = (x: number, y: number) => {
    // Boxes without frames have no line to join.
    if (upper.frame > 0) canvas.addDirections(x, y, DOWN);
    if (lower.frame > 0) canvas.addDirections(x, y + 1, UP);
  };
  if (Math.abs(outer.level) === 1) {
    if (plan.framed) for (const box of outer.boxes) joinBoth(middleColumn(box), bottomRow(upper));
    return;
  }
  if (!plan.buses) return;
  const chosen = inner.boxes.find(({ index }) => index === (graph.chosen.get(inner.level) ?? 0));
  if (!chosen) return;
  const bus = bottomRow(upper) + 1;
  const [toOuter, toInner] = outer === upper ? [UP, DOWN] : [DOWN, UP];
  const ends = outer.boxes.map(middleColumn);
  const to = middleColumn(chosen);
  canvas.drawHorizontal(bus, Math.min(to, ...ends), Math.max(to, ...ends));
  for (const x of ends) canvas.addDirections(x, bus, toOuter);
  canvas.addDirections(to, bus, toInner);
  // Join the edges of the frames to the horizontal line between the levels.
  if (upper.frame > 0) for (const x of outer === upper ? ends : [to]) canvas.addDirections(x, bus - 1, DOWN);
  if (lower.frame > 0) for (const x of outer === lower ? ends : [to]) canvas.addDirections(x, bus + 1, UP);
}

const UP = 1;
const DOWN = 2;
const LEFT = 4;
const RIGHT = 8;

// Line characters, indexed by the sum of directions.
const LINE_CHARACTERS = ' │││─┘┐┤─└┌├─┴┬┼';

class GraphCanvas {
  private readonly masks: Uint8Array;
  /** By row: its pieces of text and their positions. */
  private readonly texts: { readonly x: number; readonly spans: readonly Span[] }[][];
  private cursorRow = -1;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.masks = new Uint8Array(width * height);
    this.texts = Array.from({ length: height }, () => []);
  }

  /** Adds line directions to a cell, so that lines join there. Cells outside the canvas are ignored. */
  addDirections(x: number, y: number, to: number): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height) this.masks[y * this.width + x] |= to;
  }

  drawHorizontal(y: number, from: number, to: number): void {
    for (let x = from; x <= to; x++) this.addDirections(x, y, (x > from ? LEFT : 0) | (x < to ? RIGHT : 0));
  }

  drawVertical(x: number, from: number, to: number): void {
    for (let y = from; y <= to; y++) this.addDirections(x, y, (y > from ? UP : 0) | (y < to ? DOWN : 0));
  }

  /** Adds text to a row. Texts of a row must be added from left to right, and must not overlap. */
  putText(x: number, y: number, spans: readonly Span[], cursor = false): void {
    if (y < 0 || y >= this.height) return;
    this.texts[y].push({ x, spans });
    if (cursor) this.cursorRow = y;
  }

  toLines(): ScreenLine[] {
    return this.texts.map((texts, y) => {
      const spans: Span[] = [];
      let x = 0;
      const drawTo = (end: number) => {
        let text = '';
        for (; x < end; x++) text += LINE_CHARACTERS[this.masks[y * this.width + x]];
        if (text !== '') spans.push([text, 'dim']);
      };
      for (const { x: at, spans: own } of texts) {
        drawTo(at);
        for (const span of own) {
          spans.push(span);
          x += cellWidth(span[0]);
        }
      }
      drawTo(this.width);
      return { spans, ...(y === this.cursorRow ? { cursor: true } : {}) };
    });
  }
}
