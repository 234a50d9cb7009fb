// The call graph around a routine as boxes: callers above it, callees below, two levels each way.
import type { Neighbour, Way } from '../analysis/answers/neighbours.ts';
import { ends, fit, visible } from '../base/text.ts';
import type { ColumnContext } from '../columns/column.ts';
import { type BoxText, boxLines, type Centre, centreText, inclusiveOf, neighbourText, restText } from './graph-boxes.ts';
import { Canvas, DOWN, type GraphLine, UP } from './graph-canvas.ts';
import { type BoxPlace, LEVELS, type Level, type Plan, placeBoxes, planFor } from './graph-layout.ts';

export interface Graph {
  readonly centre: Centre;
  /** The boxes of each level but that of the focus, the costliest first. */
  readonly lists: ReadonlyMap<Level, readonly Neighbour[]>;
  /** The chosen box of each level: of the inner levels, that whose callers or callees the outer ones show. */
  readonly chosen: ReadonlyMap<Level, number>;
  /** The level of the cursor; undefined where there is none. */
  readonly cursor: Level | undefined;
  /** The text in place of callers or callees where there are none. */
  readonly none: Readonly<Record<Way, string>>;
}

/** Walls need room for a name between them. */
const LEAST_WALLED = 5;

/** A level with the rows it has. */
interface Band {
  readonly level: Level;
  readonly y: number;
  readonly lines: number;
  readonly frame: number;
  readonly boxes: readonly BoxPlace[];
}

const listOf = (graph: Graph, level: Level) => graph.lists.get(level) ?? [];
/** The callees of the boxes of a level, or their callers. */
function nearOf(graph: Graph, level: Level): Centre {
  if (Math.abs(level) < 2) return graph.centre;
  const inner: Level = level < 0 ? -1 : 1;
  return { routine: listOf(graph, inner)[graph.chosen.get(inner) ?? 0]?.routine ?? -1, cycle: 0 };
}

/** The cost that the full width of a level stands for. */
function wholeOf(c: ColumnContext, graph: Graph, level: Level, event = c.event): number {
  const near = nearOf(graph, level);
  return near.routine < 0 ? 0 : Math.abs(inclusiveOf(c, near, event));
}

/** Exactly `height` lines of at most `width` cells. */
export function drawGraph(c: ColumnContext, graph: Graph, width: number, height: number): GraphLine[] {
  const canvas = new Canvas(width, height);
  const hasOuter = (level: Level) => listOf(graph, level < 0 ? -1 : 1).length > 0;
  const levels = LEVELS.filter((level) => Math.abs(level) < 2 || hasOuter(level));
  const plan = planFor(height, levels, graph.cursor ?? 0);
  const bands = bandsOf(c, graph, plan, width);
  for (const band of bands) drawBand(c, graph, canvas, plan, band, width);
  for (const [at, upper] of bands.slice(0, -1).entries()) connect(graph, canvas, plan, upper, bands[at + 1]);
  return canvas.lines();
}

function bandsOf(c: ColumnContext, graph: Graph, plan: Plan, width: number): Band[] {
  const frame = plan.framed ? 1 : 0;
  const out: Band[] = [];
  let y = 0;
  for (const [level, lines] of plan.lines) {
    // The row for the lines to an outer level stands between the two.
    if (plan.buses && level === 2) y++;
    const list = listOf(graph, level);
    const boxes =
      level === 0 ? [{ index: 0, x: 0, width }] : placeBoxes(list, graph.chosen.get(level) ?? 0, wholeOf(c, graph, level), width);
    const note = level !== 0 && list.length === 0;
    out.push({ level, y, lines, frame: note ? 0 : frame, boxes: note ? [] : boxes });
    y += (note && Math.abs(level) === 1 ? 1 : lines + 2 * frame) + (plan.buses && level === -2 ? 1 : 0);
  }
  return out;
}

function drawBand(c: ColumnContext, graph: Graph, canvas: Canvas, plan: Plan, band: Band, width: number): void {
  const { level, y, lines, frame, boxes } = band;
  if (boxes.length === 0 && Math.abs(level) === 1)
    canvas.put(0, y, [[fit(visible(ends(` ${graph.none[level < 0 ? 'callers' : 'callees']}`, width)), width), 'dim']]);
  for (const { index, rest, x, width: w } of boxes) {
    const isChosen = index >= 0 && index === (graph.chosen.get(level) ?? 0);
    const isCursor = isChosen && level === graph.cursor;
    const walled = w >= LEAST_WALLED;
    const inside = walled ? 1 : 0;
    if (walled) for (const wall of [x, x + w - 1]) canvas.down(wall, y, y + lines + 2 * frame - 1);
    if (frame > 0) for (const row of [y, y + lines + 1]) canvas.across(row, x, x + w - 1);
    // A wall of a single row goes up and down all the same.
    if (walled && frame === 0) for (const wall of [x, x + w - 1]) canvas.join(wall, y, UP);
    const text = textOf(c, graph, level, index, rest);
    boxLines(text, lines, w - 2 * inside, markOf(plan, level, isChosen, isCursor), isCursor).forEach((spans, line) => {
      canvas.put(x + inside, y + frame + line, spans, isCursor && line === 0);
    });
  }
}

/** The mark before a name: of the cursor, or where no lines say it, of the box whose callers or callees the outer level shows. */
function markOf(plan: Plan, level: Level, isChosen: boolean, isCursor: boolean): string {
  if (isCursor) return '▶';
  if (!isChosen || plan.buses) return ' ';
  if (level === -1 && plan.lines.has(-2)) return '▲';
  return level === 1 && plan.lines.has(2) ? '▼' : ' ';
}

function textOf(c: ColumnContext, graph: Graph, level: Level, index: number, rest: BoxPlace['rest']): BoxText {
  if (level === 0) return centreText(c, graph.centre);
  if (rest) return restText(c, rest, (event) => wholeOf(c, graph, level, event));
  return neighbourText(c, listOf(graph, level)[index], nearOf(graph, level));
}

const middle = ({ x, width }: BoxPlace) => x + (width >> 1);
const bottom = ({ y, lines, frame }: Band) => y + lines + 2 * frame - 1;

/** Draws the lines between two levels: inner ones touch the box of the focus, outer ones meet at the chosen box. */
function connect(graph: Graph, canvas: Canvas, plan: Plan, upper: Band, lower: Band): void {
  const [outer, inner] = Math.abs(upper.level) > Math.abs(lower.level) ? [upper, lower] : [lower, upper];
  if (outer.boxes.length === 0) return;
  const joinBoth = (x: number, y: number) => {
    // Only frames have lines to join.
    if (upper.frame > 0) canvas.join(x, y, DOWN);
    if (lower.frame > 0) canvas.join(x, y + 1, UP);
  };
  if (Math.abs(outer.level) === 1) {
    if (plan.framed) for (const box of outer.boxes) joinBoth(middle(box), bottom(upper));
    return;
  }
  if (!plan.buses) return;
  const chosen = inner.boxes.find(({ index }) => index === (graph.chosen.get(inner.level) ?? 0));
  if (!chosen) return;
  const bus = bottom(upper) + 1;
  const [toOuter, toInner] = outer === upper ? [UP, DOWN] : [DOWN, UP];
  const ends = outer.boxes.map(middle);
  const to = middle(chosen);
  canvas.across(bus, Math.min(to, ...ends), Math.max(to, ...ends));
  for (const x of ends) canvas.join(x, bus, toOuter);
  canvas.join(to, bus, toInner);
  // The frames' own edges open towards the row between them.
  if (upper.frame > 0) for (const x of outer === upper ? ends : [to]) canvas.join(x, bus - 1, DOWN);
  if (lower.frame > 0) for (const x of outer === lower ? ends : [to]) canvas.join(x, bus + 1, UP);
}
