// The texts in the boxes of a call graph: names, costs and call counts that fit.
import { countInMeasure } from '../analysis/answers/compared/measure.ts';
import { isAnyEstimated } from '../analysis/answers/edges.ts';
import type { Neighbour } from '../analysis/answers/neighbours.ts';
import { type Span, spansWidth } from '../base/style.ts';
import { cellWidth, cutEnd, fit, keepEnds, visible } from '../base/text.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext } from '../columns/column.ts';
import { callCountText, routineSides, rowStateOf, showsChange } from '../columns/compared.ts';
import { costText, shareCell } from '../columns/costs.ts';
import { inlinedMark, nameCell, nameInBox } from '../columns/names.ts';
import { type Event, eventValue, exactValue } from '../model/head.ts';
import type { RestBox } from './graph-layout.ts';

/** The centre of a call graph: a routine, or its complete cycle if `cycle` is not 0. */
export type GraphCentre = Readonly<Record<'routine' | 'cycle', number>>;

/** Maximum inverse cells under the cursor. Every cursor move must output all of them. */
const MAX_HIGHLIGHTED_CELLS = 32;
const [MIN_NAME_WIDTH, MIN_BEGIN_WIDTH] = [8, 4];
/** Boxes that are wider have a blank before their right wall. */
const MIN_PADDED_WIDTH = 14;

/** The text of a box: a function that fits the name into a width, and facts, the most important first. */
export interface BoxText {
  readonly name: (width: number) => string;
  readonly style?: 'bold' | 'dim';
  readonly facts: readonly Span[];
}

/** The costs of the cycle or routine: a row in the table of cycles, or in the table of routines. */
export function centreCostsOf({ analysis: { totals } }: ColumnContext, { routine, cycle }: GraphCentre) {
  const { self, inclusive, cycleSelf, cycleInclusive } = totals;
  return cycle > 0 ? { self: cycleSelf, inclusive: cycleInclusive, row: cycle } : { self, inclusive, row: routine };
}

export function inclusiveCostOf(c: ColumnContext, centre: GraphCentre, event = c.event): number {
  const { inclusive, row } = centreCostsOf(c, centre);
  return eventValue(event, inclusive, row);
}

export const cycleName = (cycle: number) => `<cycle ${cycle}>`;

function callCountFact(c: ColumnContext, now: number, before: number): Span[] {
  if (!c.analysis.costing.can.has('counts')) return [];
  const change = showsChange(c);
  if (change && now === before) return now === 0 ? [] : [[`${plural(now, 'call')}, as before`, 'plain']];
  if (!change && countInMeasure(c.analysis, c.event.measure, now, before) === 0) return [];
  const text = callCountText(c, now, before);
  return [[`${text} ${text === '1' ? 'call' : 'calls'}`, 'plain']];
}

/** A share of the cost as a fact; [] for an empty text. */
const shareFact = ({ text, style = 'plain' }: ReturnType<typeof shareCell>, before = ''): Span[] =>
  text === '' ? [] : [[before + text, style]];

export function centreText(c: ColumnContext, centre: GraphCentre): BoxText {
  const { routine, cycle } = centre;
  const { totals } = c.analysis;
  const { self, inclusive, row } = centreCostsOf(c, centre);
  const whole = (event: Event) => inclusiveCostOf(c, centre, event);
  const calls = cycle > 0 ? [] : callCountFact(c, totals.calls[routine], totals.inclusive.at(-1)?.[routine] ?? 0);
  const before = '● ';
  const after = inlinedMark(cycle > 0 ? 0 : totals.inlined?.[routine]);
  return {
    name: (width) => (cycle > 0 ? before + cycleName(cycle) : nameInBox(nameCell(c, routine, { before, after }), before, width)),
    style: 'bold',
    facts: [
      ...shareFact(shareCell(c, whole(c.event), whole)),
      [costText(c, exactValue(c.event, inclusive, row), cycle === 0 && totals.estimated?.inclusive[routine] === 1), 'plain'],
      ...shareFact(shareCell(c, eventValue(c.event, self, row), whole), 'self '),
      ...calls,
      ...(cycle > 0 ? [] : rowStateFact(c, routineSides(c, routine))),
    ],
  };
}

function rowStateFact(c: ColumnContext, sides: Parameters<typeof rowStateOf>[0]): Span[] {
  const state = showsChange(c) ? rowStateOf(sides) : 'both';
  return state === 'both' ? [] : [[state, state === 'gone' ? 'dim' : 'warm']];
}

/** The text of a caller or callee. `adjacent`: the routine at the other end of the edges, the base for `percent of parent`. */
export function neighbourText(c: ColumnContext, { routine, edges: own, value }: Neighbour, adjacent: GraphCentre): BoxText {
  const { totals, edges } = c.analysis;
  const { of } = totals.cycles;
  const isInSameCycle = routine === adjacent.routine || (of[routine] > 0 && of[routine] === of[adjacent.routine]);
  const sum = (of: (edge: number) => number) => own.reduce((n, edge) => n + of(edge), 0);
  const [first, ...more] = own;
  // The cost of a single edge is exact, so it may exceed the precision of a double.
  const cost = more.length === 0 ? exactValue(c.event, edges.costs, first) : value;
  const isEstimated = isAnyEstimated(edges, own);
  const [calls, callsBefore] = [sum((e) => edges.count[e]), sum((e) => edges.costs.at(-1)?.[e] ?? 0)];
  const share = shareCell(c, value, (event) => inclusiveCostOf(c, adjacent, event));
  // The calls are a part of what the routine costs; in a difference and in a cycle, they are not.
  const whole = shareCell(c, eventValue(c.event, totals.inclusive, routine), (event) => inclusiveCostOf(c, adjacent, event));
  const isPart = !isInSameCycle && !c.analysis.before && c.percent !== 'parent' && whole.text !== share.text;
  const before = isInSameCycle ? '↻ ' : '';
  const after = inlinedMark(edges.callee[first] === routine ? edges.inlined?.[first] : 0);
  return {
    name: (width) => nameInBox(nameCell(c, routine, { before, after }), before, width),
    facts: [
      ...shareFact(share),
      [costText(c, cost, isEstimated), 'plain'],
      ...callCountFact(c, calls, callsBefore),
      ...(more.length === 0 ? rowStateFact(c, { in: edges.sides?.[first] ?? 3 }) : []),
      ...(isPart ? shareFact({ text: `of ${whole.text} in all`, style: 'dim' }) : []),
    ],
  };
}

/** The text of the box for all callers or callees that do not fit. */
export function restBoxText(c: ColumnContext, { count, value }: RestBox, whole: (event: Event) => number): BoxText {
  const texts = [`+${formatCount(count)} more`, `+${formatCount(count)}`, `+${formatShort(count)}`];
  return {
    name: (width) => texts.find((text) => cellWidth(text) <= width) ?? '',
    style: 'dim',
    facts: shareFact({ ...shareCell(c, value, whole), style: 'dim' }),
  };
}

/** The first facts that fit into the width, separated by two blanks: one span for each. */
function fitFacts(facts: readonly Span[], width: number): Span[] {
  const spans: Span[] = [];
  for (const [text, style] of facts) {
    const gap = spans.length === 0 ? '' : '  ';
    if (spansWidth(spans) + gap.length + cellWidth(text) > width) break;
    spans.push([gap + text, style]);
  }
  return spans;
}

/** A box as exactly `lines` lines of `width` cells. `mark`: the cell before the name. The name under the cursor is inverse. */
export function boxLines(text: BoxText, lines: number, width: number, mark: string, cursor: boolean): Span[][] {
  if (width <= 1) {
    const cells = [mark.slice(0, width), ...Array.from({ length: lines - 1 }, () => ' '.repeat(Math.max(0, width)))];
    return cells.map((cell) => [[cell, 'plain']]);
  }
  // A blank between numbers and the right wall.
  const end: Span[] = width > MIN_PADDED_WIDTH ? [[' ', 'plain']] : [];
  const inner = width - 1 - end.length;
  // Boxes with several lines have the name on a line of its own; otherwise facts follow the name.
  const nameLineFacts = lines > 1 ? [] : fitFacts(text.facts, factsWidthBesideName(text, inner));
  const right = spansWidth(nameLineFacts);
  const first: Span[] = [[mark, 'plain'], ...nameSpans(text, inner - (right === 0 ? 0 : right + 1), cursor)];
  if (right > 0) first.push([' ', 'plain'], ...nameLineFacts);
  const out = [[...first, ...end]];
  let used = 0;
  for (let line = 1; line < lines; line++) {
    // In three lines, the second has two facts, and the last one the other facts.
    const left = text.facts.slice(used, line === lines - 1 ? undefined : used + 2);
    const spans = fitFacts(left, inner);
    used += spans.length;
    out.push([[' ', 'plain'], ...spans, [' '.repeat(inner - spansWidth(spans)), 'plain'], ...end]);
  }
  return out;
}

/** The width of the facts beside a name. The share comes before more than the beginning of a name. */
function factsWidthBesideName(text: BoxText, inner: number): number {
  const [[share] = ['']] = text.facts;
  const usual = inner - 1 - Math.min(cellWidth(text.name(inner)), Math.max(MIN_NAME_WIDTH, inner >> 1));
  return Math.max(usual, Math.min(cellWidth(share), inner - 1 - MIN_BEGIN_WIDTH));
}

function nameSpans(text: BoxText, width: number, cursor: boolean): Span[] {
  const { style = 'plain' } = text;
  const name = fit(visible(keepEnds(text.name(width), width)), width, 'left', 'middle');
  if (!cursor) return [[name, style]];
  const highlighted = cutEnd(name.trimEnd(), MAX_HIGHLIGHTED_CELLS);
  return [
    [highlighted, style, true],
    [name.slice(highlighted.length), 'plain'],
  ];
}
