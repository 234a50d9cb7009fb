// The dot report: the call graph as text for Graphviz.
import { wholeOf } from '../analysis/answers/analysis.ts';
import { edgesAround } from '../analysis/answers/neighbours.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { routineDetail } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { appliedTo, leftText } from '../analysis/profiles/transforms/applied.ts';
import { type SafeText, safeLines, visible } from '../base/safe-text.ts';
import { formatCost, formatCount, formatPercent } from '../base/units.ts';
import { eventColumn, eventValue, exactValue } from '../model/event-value.ts';
import { oneText } from './one-text.ts';
import { Pieces, type Write } from './pieces.ts';
import { type ReportContext, ReportError, routineMatches } from './report.ts';

/** A whole program has more routines than a picture can show: what is below this percentage of the total is left out. */
const USUAL_THRESHOLD = 0.5;
/** Cells of a name in a box; its tooltip has all of it. */
const ROOM = 60;

/**
 * A text in quotes, as Graphviz reads labels: no quote, backslash or entity of a name means anything there, and what a terminal acts on is
 * replaced by marks. `\n` is put between lines.
 */
export function dotText(...lines: readonly string[]): SafeText {
  const escaped = lines.map((line) => visible(line).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
  return visible(`"${escaped.join('\\n')}"`);
}

/** The drawn routines and edges, the costliest first. */
function chosenOf(context: ReportContext): { readonly nodes: readonly number[]; readonly edges: readonly number[] } {
  const { analysis, event, threshold = USUAL_THRESHOLD, routine: focus } = context;
  const { edges, totals, profile } = analysis;
  const least = (wholeOf(analysis, event) * threshold) / 100;
  const inclusive = eventColumn(event, totals.inclusive, profile.routines.name.length);
  const costs = eventColumn(event, edges.costs, edges.caller.length);
  const around = focus === undefined ? undefined : new Set(edgesAround(analysis, event, focus).map(({ edge }) => edge));
  const near = around && new Set([focus, ...[...around].flatMap((e) => [edges.caller[e], edges.callee[e]])]);
  const worth = (r: number) => r === focus || ((near?.has(r) ?? true) && Math.abs(inclusive[r]) >= least);
  const matches = (r: number) => routineMatches(context, r);
  const shown: number[] = [];
  for (const e of orderByNumber(magnitudes(costs), true)) {
    const [from, to] = [edges.caller[e], edges.callee[e]];
    const isWorth = Math.abs(costs[e]) >= least && (around?.has(e) ?? true) && worth(from) && worth(to);
    if (isWorth && (!context.filtered || matches(from) || matches(to))) shown.push(e);
  }
  const ends = new Set(shown.flatMap((e) => [edges.caller[e], edges.callee[e]]));
  const nodes: number[] = [];
  for (const r of orderByNumber(magnitudes(inclusive), true))
    if (r === focus || ends.has(r) || (worth(r) && (!context.filtered || matches(r)))) nodes.push(r);
  return { nodes, edges: shown };
}

/** The width of a line: from 1 for nothing to 6 for everything. */
const penOf = (share: number) => (1 + 5 * Math.max(0, Math.min(1, share))).toFixed(2);

function nodeLine({ analysis, event, routine: focus }: ReportContext, r: number): string {
  const { totals, profile } = analysis;
  const whole = wholeOf(analysis, event);
  const [self, inclusive] = [eventValue(event, totals.self, r), eventValue(event, totals.inclusive, r)];
  const numbers = `self ${formatPercent(self, whole)}, incl. ${formatPercent(inclusive, whole)}`;
  const label = dotText(shortName(profile, r, ROOM), numbers);
  const pen = penOf(whole === 0 ? 0 : inclusive / whole);
  const focused = r === focus ? ', style=bold' : '';
  return `  n${r} [label=${label}, tooltip=${dotText(routineDetail(profile, r))}, penwidth=${pen}${focused}];\n`;
}

function edgeLine({ analysis, event }: ReportContext, e: number): string {
  const { edges, costing } = analysis;
  const whole = wholeOf(analysis, event);
  const cost = eventValue(event, edges.costs, e);
  const count = costing.can.has('counts') ? [`${formatCount(edges.count[e])} x`] : [];
  const share = whole === 0 ? 0 : cost / whole;
  const label = dotText(formatPercent(cost, whole), ...count);
  // Graphviz draws heavy edges short and straight.
  const weight = 1 + Math.round(99 * Math.max(0, Math.min(1, share)));
  return `  n${edges.caller[e]} -> n${edges.callee[e]} [label=${label}, penwidth=${penOf(share)}, weight=${weight}];\n`;
}

async function writeDot(context: ReportContext, write: Write): Promise<void> {
  const { analysis, event, threshold = USUAL_THRESHOLD } = context;
  if (event.per) throw new ReportError(`--event ${event.name}: a ratio has no shares to draw; dot needs an event that adds up`);
  const { nodes, edges } = chosenOf(context);
  const total = `${event.name}, total ${formatCost(exactValue(event, analysis.totals.total, 0), event.unit)}`;
  const applied = appliedTo(analysis.profile);
  const counts = applied.length > 0 ? [`${applied.join(', then ')}; ${leftText(analysis, event)}`] : [];
  const left = threshold > 0 ? [`below ${threshold}% of the total is left out`] : [];
  const pieces = new Pieces(write);
  await pieces.add(safeLines('digraph proftui {\n'));
  await pieces.add(
    safeLines(`  graph [label=${dotText(analysis.profile.paths.join(' '), total, ...counts, ...left)}, labelloc=t];\n`),
  );
  await pieces.add(safeLines('  node [shape=box];\n'));
  for (const r of nodes) await pieces.add(safeLines(nodeLine(context, r)));
  for (const e of edges) await pieces.add(safeLines(edgeLine(context, e)));
  await pieces.add(safeLines('}\n'));
  await pieces.flush();
}

export const dot = oneText(
  {
    name: 'dot',
    title: 'the call graph for Graphviz, whole or around --routine NAME; edges below --threshold (0.5 %) left out',
    asks: ['calls'],
    array: false,
  },
  'dot is text for Graphviz; --print graph and --print calls have its edges in every form',
  writeDot,
);
