// The dot report: the call graph as text for Graphviz.
import { percentageBase } from '../analysis/answers/analysis.ts';
import { clusterName, edgesAround } from '../analysis/answers/neighbours.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { routineDetail } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { remainingText, transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { groupByKey } from '../base/lists.ts';
import { type SafeText, safeLines, visible } from '../base/safe-text.ts';
import { formatCost, formatCount, formatPercent } from '../base/units.ts';
import { routineTable } from '../columns/routines.ts';
import { eventColumn, eventValue, exactValue } from '../model/head.ts';
import { makeTextReport } from './print.ts';
import { contextOfKind, type ReportContext, ReportError, routineFilterOf } from './report.ts';

/** Default of --threshold, in percent of the total: a whole program has more routines than a picture can show. */
const DEFAULT_THRESHOLD = 0.5;
/** Maximum width of a name in a box, in cells; the tooltip has the full name. */
const MAX_NAME_WIDTH = 60;

/** A quoted Graphviz label, with names escaped, control characters replaced by marks, and `\n` between the lines. */
function dotLabel(...lines: readonly string[]): SafeText {
  const escaped = lines.map((line) => visible(line).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
  return visible(`"${escaped.join('\\n')}"`);
}

/** The drawn routines and edges, the costliest first. */
function graphToDraw(context: ReportContext) {
  const { analysis, event, threshold = DEFAULT_THRESHOLD, routine: focus, depth } = context;
  const { edges, totals, profile } = analysis;
  const leastCost = (percentageBase(analysis, event) * threshold) / 100;
  const inclusive = eventColumn(event, totals.inclusive, profile.routines.name.length);
  const costs = eventColumn(event, edges.costs, edges.caller.length);
  const nearEdges = focus === undefined ? undefined : new Set(edgesAround(analysis, event, focus, depth).map(({ edge }) => edge));
  const nearRoutines = nearEdges && new Set([focus, ...[...nearEdges].flatMap((e) => [edges.caller[e], edges.callee[e]])]);
  const isShownRoutine = (r: number) => r === focus || ((nearRoutines?.has(r) ?? true) && Math.abs(inclusive[r]) >= leastCost);
  const matches = routineFilterOf(context);
  const shownEdges = Array.from(orderByNumber(magnitudes(costs), true)).filter((e) => {
    const [from, to] = [edges.caller[e], edges.callee[e]];
    const isCostly = Math.abs(costs[e]) >= leastCost && isShownRoutine(from) && isShownRoutine(to);
    return isCostly && (nearEdges?.has(e) ?? true) && (matches(from) || matches(to));
  });
  const endpoints = new Set(shownEdges.flatMap((e) => [edges.caller[e], edges.callee[e]]));
  const nodes = orderByNumber(magnitudes(inclusive), true).filter(
    (r) => r === focus || endpoints.has(r) || (isShownRoutine(r) && matches(r)),
  );
  return { nodes, edges: shownEdges };
}

/** The pen width of a box or an edge: from 1 for no cost to 6 for the total cost. */
const penWidthOf = (share: number) => (1 + 5 * Math.max(0, Math.min(1, share))).toFixed(2);

function nodeLine({ analysis, event, routine: focus }: ReportContext, r: number): string {
  const { totals, profile } = analysis;
  const whole = percentageBase(analysis, event);
  const [self, inclusive] = [eventValue(event, totals.self, r), eventValue(event, totals.inclusive, r)];
  const numbers = `self ${formatPercent(self, whole)}, incl. ${formatPercent(inclusive, whole)}`;
  const label = dotLabel(shortName(profile, r, MAX_NAME_WIDTH), numbers);
  const pen = penWidthOf(whole === 0 ? 0 : inclusive / whole);
  const focused = r === focus ? ', style=bold' : '';
  return `  n${r} [label=${label}, tooltip=${dotLabel(routineDetail(profile, r))}, penwidth=${pen}${focused}];\n`;
}

function edgeLine({ analysis, event }: ReportContext, e: number): string {
  const { edges, costing } = analysis;
  const whole = percentageBase(analysis, event);
  const cost = eventValue(event, edges.costs, e);
  const count = costing.can.has('counts') ? [`${formatCount(edges.count[e])} x`] : [];
  const share = whole === 0 ? 0 : cost / whole;
  const label = dotLabel(formatPercent(cost, whole), ...count);
  // Graphviz draws heavy edges short and straight.
  const weight = 1 + Math.round(99 * Math.max(0, Math.min(1, share)));
  return `  n${edges.caller[e]} -> n${edges.callee[e]} [label=${label}, penwidth=${penWidthOf(share)}, weight=${weight}];\n`;
}

/** The drawn routines by the name of their cluster; undefined for those without a frame. */
const clustersOf = ({ analysis, cluster }: ReportContext, nodes: ArrayLike<number>): Map<string | undefined, number[]> =>
  groupByKey(Array.from(nodes), (r) => (cluster && clusterName(analysis.profile, cluster, r)) ?? undefined);

function* dotPieces(context: ReportContext): Generator<SafeText> {
  const { analysis, event, threshold = DEFAULT_THRESHOLD } = context;
  if (event.per) throw new ReportError(`--event ${event.name}: a ratio has no shares to draw; dot needs an event that adds up`);
  const { nodes, edges } = graphToDraw(context);
  const total = `${event.name}, total ${formatCost(exactValue(event, analysis.totals.total, 0), event.unit)}`;
  const applied = transformTexts(analysis.profile);
  const counts = applied.length > 0 ? [`${applied.join(', then ')}; ${remainingText(analysis, event)}`] : [];
  const omissions = threshold > 0 ? [`below ${threshold}% of the total is left out`] : [];
  const labels = dotLabel(analysis.profile.paths.join(' '), total, ...counts, ...omissions);
  yield safeLines(`digraph proftui {\n  graph [label=${labels}, labelloc=t];\n  node [shape=box];\n`);
  for (const [name, members] of clustersOf(context, nodes)) {
    if (name !== undefined) yield safeLines(`  subgraph cluster_${members[0]} {\n  label=${dotLabel(name)};\n`);
    for (const r of members) yield safeLines(nodeLine(context, r));
    if (name !== undefined) yield safeLines('  }\n');
  }
  for (const e of edges) yield safeLines(edgeLine(context, e));
  yield safeLines('}\n');
}

export const dot = makeTextReport(
  {
    name: 'dot',
    title: 'the call graph for Graphviz, whole or around --routine NAME; edges below --threshold (0.5 %) left out',
    requires: ['calls'],
    isArray: false,
  },
  'dot is text for Graphviz; --print graph and --print calls have its edges in every form',
  (context) => dotPieces(contextOfKind(undefined, context, routineTable.columns)),
);
