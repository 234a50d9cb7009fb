// The graph report: the edges at most --depth calls away from --routine, as rows and as a drawing.

import {
  chooseNeighbours,
  costliestRoutine,
  edgesAround,
  type GraphEdge,
  neighboursByLevel,
  neighboursOf,
  USUAL_DEPTH,
} from '../analysis/answers/neighbours.ts';
import { routineName } from '../analysis/names/names.ts';
import { xmlText } from '../base/safe-text.ts';
import { type ScreenLine, type Style, spansText } from '../base/style.ts';
import { cellWidth } from '../base/text.ts';
import { numberColumn } from '../columns/builders.ts';
import type { TableColumns } from '../columns/column.ts';
import { rowSidesAt } from '../columns/costs.ts';
import { edgeColumns } from '../columns/edges.ts';
import { routineKey } from '../columns/names.ts';
import type { Kind } from '../model/profile.ts';
import { drawGraph } from '../pictures/graph-drawing.ts';
import { fullGraphRows, type GraphLevel, MAX_DEPTH } from '../pictures/graph-layout.ts';
import { makeReport } from './print.ts';
import { type ReportContext, routineFilterOf, sortRows } from './report.ts';

/** Maximum width of the drawing: wider boxes would not show more, and Markdown has no width. */
const MAX_DRAWING_WIDTH = 120;

/** The routine that --routine names, else the costliest; -1 if the profile has none. */
const focusRoutine = ({ routine, analysis, event }: ReportContext): number => routine ?? costliestRoutine(analysis, event);

const graphEdgeTable: TableColumns<GraphEdge> = {
  keys: ['caller', 'callee', 'count', 'inclusive', 'level'],
  sides: ({ analysis }, { edge }) => rowSidesAt(analysis.edges.sides, edge),
  columns(c) {
    const { costs, ends, inlined, estimated, sorts } = edgeColumns<GraphEdge>(c, c.analysis.edges, ({ edge }) => edge);
    const text = (e: GraphEdge) => `${e.level > 0 ? '+' : ''}${e.level}`;
    const level = numberColumn<GraphEdge>('level', (e) => e.level, { ascends: true, text });
    return [...costs, level, ...ends, ...estimated, ...inlined, ...sorts];
  },
};

/** Draws callers and callees as boxes. The outer levels belong to the costliest caller and callee. */
function drawBoxes(context: ReportContext): ScreenLine[] {
  const routine = focusRoutine(context);
  if (routine < 0) return [];
  const { analysis, event } = context;
  const passes = routineFilterOf(context);
  const depth = Math.min(context.depth ?? USUAL_DEPTH, MAX_DEPTH);
  const chosen = new Map<GraphLevel, number>();
  const lists = neighboursByLevel(depth, chosen, (of = routine, way) => {
    const list = neighboursOf(analysis, event, of, 0, way).filter((n) => passes(n.routine));
    return chooseNeighbours(list, context, context);
  });
  const none = { callers: 'no callers', callees: 'no callees' };
  const lines = drawGraph(
    context,
    { centre: { routine, cycle: 0 }, depth, cluster: context.cluster, lists, chosen, cursor: undefined, none },
    Math.min(context.width, MAX_DRAWING_WIDTH),
    fullGraphRows(depth),
  );
  return lines.slice(0, lines.findLastIndex(({ spans }) => spansText(spans).trim() !== '') + 1);
}

/** In pixels: the width of a cell, the height of a row, in which the lines of boxes touch, and the height of the heading. */
const CELL_WIDTH = 8.4;
const ROW_HEIGHT = 16;
const HEADING_HEIGHT = 30;
const MAX_HEADING_LENGTH = 200;
const TEXT_COLOURS: Partial<Record<Style, string>> = { hot: '#b3261e', warm: '#8a5300', dim: '#666' };

/** The boxes as text of fixed width. */
function graphSvg(context: ReportContext): string {
  const { analysis, event } = context;
  const { profile } = analysis;
  const routine = focusRoutine(context);
  const of = routine < 0 ? 'no routine' : routineName(profile, routine);
  const heading = `${event.name}, callers and callees of ${of}: ${profile.paths.join(' ')}`.slice(0, MAX_HEADING_LENGTH);
  const rows = drawBoxes({ ...context, width: MAX_DRAWING_WIDTH }).map(({ spans }, row) => {
    const length = (cellWidth(spansText(spans)) * CELL_WIDTH).toFixed(1);
    const texts = spans.map(([text, style]) => `<tspan fill="${TEXT_COLOURS[style] ?? '#111'}">${xmlText(text)}</tspan>`);
    return `<text x="8" y="${HEADING_HEIGHT + (row + 1) * ROW_HEIGHT}" textLength="${length}" xml:space="preserve">${texts.join('')}</text>`;
  });
  const [width, height] = [Math.ceil(MAX_DRAWING_WIDTH * CELL_WIDTH) + 16, HEADING_HEIGHT + rows.length * ROW_HEIGHT + 12];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="14">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="8" y="20">${xmlText(heading)}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

export const graph = makeReport<GraphEdge, Kind>({
  name: 'graph',
  title: 'callers and callees of --routine NAME (default: the most expensive), two levels each way or --depth N',
  requires: ['calls'],
  columns: ['recorded'],
  summed: 'inclusive',
  sorts: ['level', 'inclusive', 'count', 'EVENT'],
  filtersRoutines: true,
  table: () => graphEdgeTable,
  rows(context) {
    const { analysis, event } = context;
    const { caller, callee } = analysis.edges;
    const rows = edgesAround(analysis, event, focusRoutine(context), context.depth);
    const passes = routineFilterOf(context);
    const kept = rows.filter(({ edge }) => passes(caller[edge]) || passes(callee[edge]));
    return sortRows(context, kept, graphEdgeTable.columns(context));
  },
  extra(context) {
    const routine = focusRoutine(context);
    return { focus: routine < 0 ? null : routineKey(context.analysis, routine) };
  },
  head: (context) => drawBoxes(context).map(({ spans }) => spansText(spans).trimEnd()),
  svg: graphSvg,
  drawn: true,
});
