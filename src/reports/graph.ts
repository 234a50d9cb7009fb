// The graph report: the edges at most --depth calls away from --routine, as rows and as a drawing.

import {
  costliestRoutine,
  edgesAround,
  type GraphEdge,
  inClusters,
  neighboursByLevel,
  neighboursOf,
  USUAL_DEPTH,
} from '../analysis/answers/neighbours.ts';
import { spansText } from '../base/style.ts';
import { displayColumn } from '../columns/builders.ts';
import type { TableColumns } from '../columns/column.ts';
import { stateColumn } from '../columns/compared.ts';
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
    const state = stateColumn<GraphEdge>(c, ({ edge }) => rowSidesAt(c.analysis.edges.sides, edge));
    const level = displayColumn<GraphEdge>('level', (e) => `${e.level > 0 ? '+' : ''}${e.level}`, {
      ...{ align: 'right', ascends: true, key: (e) => e.level, value: (e) => e.level },
    });
    return [...costs, ...state, level, ...ends, ...estimated, ...inlined, ...sorts];
  },
};

/** Draws callers and callees as boxes. The outer levels belong to the costliest caller and callee. */
function drawBoxes(context: ReportContext): string[] {
  const routine = focusRoutine(context);
  if (routine < 0) return [];
  const { analysis, event, cluster } = context;
  const passes = routineFilterOf(context);
  const depth = Math.min(context.depth ?? USUAL_DEPTH, MAX_DEPTH);
  const chosen = new Map<GraphLevel, number>();
  const lists = neighboursByLevel(depth, chosen, (of = routine, way) => {
    const list = neighboursOf(analysis, event, of, 0, way).filter((n) => passes(n.routine));
    return cluster ? inClusters(list, analysis.profile, cluster) : list;
  });
  const none = { callers: 'no callers', callees: 'no callees' };
  const width = Math.min(context.width, MAX_DRAWING_WIDTH);
  const lines = drawGraph(
    context,
    { centre: { routine, cycle: 0 }, depth, cluster, lists, chosen, cursor: undefined, none },
    width,
    fullGraphRows(depth),
  );
  const texts = lines.map(({ spans }) => spansText(spans).trimEnd());
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
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
  head: drawBoxes,
  drawn: true,
});
