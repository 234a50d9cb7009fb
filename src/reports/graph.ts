// The graph report: the edges at most two calls away from --routine, and the same as boxes.

import { splitsCosts } from '../analysis/answers/analysis.ts';
import { shownCount } from '../analysis/answers/compared/measure.ts';
import { costliestRoutine, edgesAround, type GraphEdge, type Neighbour, neighboursOf } from '../analysis/answers/neighbours.ts';
import { shown } from '../columns/builders.ts';
import type { Column, ColumnContext, Table } from '../columns/column.ts';
import { callsTitle, countText, stateColumn } from '../columns/compared.ts';
import {
  costCell,
  costRoom,
  costsByName,
  countAt,
  estimatedColumn,
  recordedColumn,
  shareCell,
  shareColumn,
  sidesAt,
} from '../columns/costs.ts';
import { inlinedColumn, inlinedMark, nameCell, routineKey } from '../columns/names.ts';
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { drawGraph } from '../pictures/graph-drawing.ts';
import type { Level } from '../pictures/graph-layout.ts';
import { report } from './print.ts';
import { type ReportContext, routineMatches, sorted } from './report.ts';

/** Rows of the drawing: all levels with all their lines. */
const HEIGHT = 27;
/** Wider boxes say no more, and Markdown has no width. */
const MOST_WIDE = 120;

/** The routine that --routine names, else the costliest; -1 if the profile has none. */
export const focusOf = ({ routine, analysis, event }: ReportContext): number => routine ?? costliestRoutine(analysis, event);

const table: Table<GraphEdge> = {
  keys: ['caller', 'callee', 'count', 'inclusive', 'level'],
  sides: ({ analysis }, { edge }) => sidesAt(analysis.edges.sides, edge),
  columns: (c) => [
    ...costColumns(c),
    ...stateColumn<GraphEdge>(c, ({ edge }) => sidesAt(c.analysis.edges.sides, edge)),
    ...nameColumns(c),
    // Names for --sort: the cost in another event.
    ...c.analysis.events.map((e): Column<GraphEdge> => ({ id: e.name, title: e.name, key: costKey(c, e) })),
  ],
};

/** With two runs, the most changed are the most interesting. */
const costKey =
  ({ analysis }: ColumnContext, event: Event) =>
  ({ edge }: GraphEdge) =>
    Math.abs(eventValue(event, analysis.edges.costs, edge));

function costColumns(c: ColumnContext): Column<GraphEdge>[] {
  const { edges, events, costing } = c.analysis;
  const counts = costing.can.has('counts');
  const splits = splitsCosts(c.analysis);
  const before = (edge: number) => edges.costs.at(-1)?.[edge] ?? 0;
  return [
    shown('inclusive', ({ edge }) => costCell(c, edges.costs, edge, edges.estimated?.[edge] === 1), {
      ...costRoom(c, 'inclusive'),
      measured: true,
      key: costKey(c, c.event),
      value: ({ edge }) => costsByName(events, edges.costs, edge, edges.estimated?.[edge] === 1),
    }),
    ...shareColumn<GraphEdge>(c, '%', ({ edge }) => shareCell(c, eventValue(c.event, edges.costs, edge))),
    ...recordedColumn<GraphEdge>(c, edges.recorded, ({ edge }) => edge, edges.costs),
    {
      id: 'count',
      title: callsTitle(c),
      align: 'right',
      measured: true,
      // Samples do not record call counts.
      value: ({ edge }) => (counts ? countAt(c, edges.count, edges.costs, edge) : null),
      text: counts
        ? ({ edge }) => countText(c, edges.count[edge], before(edge), splits && edges.estimated?.[edge] === 1)
        : undefined,
      key: ({ edge }) => Math.abs(shownCount(c.analysis, c.event.measure, edges.count[edge], before(edge))),
    },
  ];
}

function nameColumns(c: ColumnContext): Column<GraphEdge>[] {
  const { edges, profile } = c.analysis;
  const routine = (id: 'caller' | 'callee'): Column<GraphEdge> => ({
    id,
    title: id,
    flex: 1,
    cut: profile.grain === 'line' ? 'place' : 'middle',
    value: ({ edge }) => routineKey(c.analysis, edges[id][edge]),
    text: ({ edge }) => nameCell(c, edges[id][edge], { after: id === 'callee' ? inlinedMark(edges.inlined?.[edge]) : '' }),
  });
  return [
    shown('level', ({ level }) => `${level > 0 ? '+' : ''}${level}`, {
      align: 'right',
      key: ({ level }) => level,
      ascends: true,
      value: ({ level }) => level,
    }),
    routine('caller'),
    routine('callee'),
    ...estimatedColumn<GraphEdge>(edges.estimated !== undefined, ({ edge }) => edges.estimated?.[edge] === 1),
    ...inlinedColumn<GraphEdge>(edges.inlined !== undefined, ({ edge }) => edges.inlined?.[edge]),
  ];
}

/** The boxes of both sides: on the outer levels, those of the costliest caller and callee. */
function drawing(context: ReportContext): string[] {
  const routine = focusOf(context);
  if (routine < 0) return [];
  const { analysis, event } = context;
  const kept = (of: number, way: 'callers' | 'callees') =>
    neighboursOf(analysis, event, of, 0, way).filter((n) => routineMatches(context, n.routine));
  const lists = new Map<Level, readonly Neighbour[]>();
  for (const [way, near, far] of [['callers', -1, -2] as const, ['callees', 1, 2] as const]) {
    const list = kept(routine, way);
    lists.set(near, list);
    lists.set(far, list[0] ? kept(list[0].routine, way) : []);
  }
  const none = { callers: 'no callers', callees: 'no callees' };
  const width = Math.min(context.width, MOST_WIDE);
  const chosen = new Map<Level, number>();
  const lines = drawGraph(context, { centre: { routine, cycle: 0 }, lists, chosen, cursor: undefined, none }, width, HEIGHT);
  const texts = lines.map(({ spans }) =>
    spans
      .map(([text]) => text)
      .join('')
      .trimEnd(),
  );
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
}

export const graph = report<GraphEdge, Kind>({
  name: 'graph',
  title: 'callers and callees of --routine NAME (default: the most expensive), two levels each way',
  asks: ['calls'],
  columns: ['recorded'],
  sorts: ['level', 'inclusive', 'count', 'EVENT'],
  table: () => table,
  rows(context) {
    const { analysis, event } = context;
    const { caller, callee } = analysis.edges;
    const rows = edgesAround(analysis, event, focusOf(context));
    const kept = context.filtered
      ? rows.filter(({ edge }) => routineMatches(context, caller[edge]) || routineMatches(context, callee[edge]))
      : rows;
    return sorted(context, kept, table.columns(context));
  },
  extra(context) {
    const routine = focusOf(context);
    return { focus: routine < 0 ? null : routineKey(context.analysis, routine) };
  },
  head: drawing,
  drawn: true,
});
