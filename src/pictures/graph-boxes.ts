// The texts in the boxes of a call graph: names, costs and call counts, as far as they fit.
import { countInMeasure } from '../analysis/answers/compared/measure.ts';
import type { Neighbour } from '../analysis/answers/neighbours.ts';
import { cellWidth, cutEnd, fit, keepEnds, visible } from '../base/text.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext } from '../columns/column.ts';
import { callCountText, routineSides, rowStateOf, showsChange } from '../columns/compared.ts';
import { costText, shareCell } from '../columns/costs.ts';
import { inlinedMark, nameCell } from '../columns/names.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { GraphSpan } from './graph-canvas.ts';
import type { RestBox } from './graph-layout.ts';

/** The routine, or the whole cycle if its number is not 0, that a graph is drawn around. */
export interface Centre {
  readonly routine: number;
  readonly cycle: number;
}

/** Maximum inverse cells under the cursor: each one costs output bytes with every move. */
const MAX_HIGHLIGHTED = 32;
/** Minimum width of a name with numbers on the same line. */
const MIN_NAME_WIDTH = 8;
/** Boxes wider than this end with a blank. */
const MIN_PADDED_WIDTH = 14;

/** The text of a box: its name for a given width, and facts, the most important first. */
export interface BoxText {
  readonly name: (width: number) => string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly facts: readonly GraphSpan[];
}

/** The inclusive cost of the cycle or routine. */
export function inclusiveOf(c: ColumnContext, { routine, cycle }: Centre, event = c.event): number {
  const { totals } = c.analysis;
  return cycle > 0 ? eventValue(event, totals.cycleInclusive, cycle) : eventValue(event, totals.inclusive, routine);
}

const cycleName = (cycle: number) => `<cycle ${cycle}>`;

function callsFact(c: ColumnContext, now: number, before: number): GraphSpan[] {
  if (!c.analysis.costing.can.has('counts')) return [];
  const change = showsChange(c);
  if (change && now === before) return now === 0 ? [] : [[`${plural(now, 'call')}, as before`, 'plain']];
  if (!change && countInMeasure(c.analysis, c.event.measure, now, before) === 0) return [];
  const text = callCountText(c, now, before);
  return [[`${text} ${text === '1' ? 'call' : 'calls'}`, 'plain']];
}

/** A share as a fact; none if the text is empty. */
const shareFact = ({ text, style = 'plain' }: ReturnType<typeof shareCell>, before = ''): GraphSpan[] =>
  text === '' ? [] : [[before + text, style]];

export function centreText(c: ColumnContext, centre: Centre): BoxText {
  const { routine, cycle } = centre;
  const { totals } = c.analysis;
  const [self, inclusive, row] =
    cycle > 0 ? [totals.cycleSelf, totals.cycleInclusive, cycle] : [totals.self, totals.inclusive, routine];
  const whole = (event: Event) => inclusiveOf(c, centre, event);
  const calls = cycle > 0 ? [] : callsFact(c, totals.calls[routine], totals.inclusive.at(-1)?.[routine] ?? 0);
  const before = '● ';
  const after = inlinedMark(cycle > 0 ? 0 : totals.inlined?.[routine]);
  return {
    name: (width) => (cycle > 0 ? before + cycleName(cycle) : (nameCell(c, routine, { before, after }).short?.(width) ?? '')),
    bold: true,
    facts: [
      ...shareFact(shareCell(c, whole(c.event), whole)),
      [costText(c, exactValue(c.event, inclusive, row), cycle === 0 && totals.estimated?.inclusive[routine] === 1), 'plain'],
      ...shareFact(shareCell(c, eventValue(c.event, self, row), whole), 'self '),
      ...calls,
      ...(cycle > 0 ? [] : stateFact(c, routineSides(c, routine))),
    ],
  };
}

function stateFact(c: ColumnContext, sides: Parameters<typeof rowStateOf>[0]): GraphSpan[] {
  const state = showsChange(c) ? rowStateOf(sides) : 'both';
  return state === 'both' ? [] : [[state, state === 'gone' ? 'dim' : 'warm']];
}

/** `adjacent`: the routine on the other end of the edges; its inclusive cost is the base of percentages of the parent. */
export function neighbourText(c: ColumnContext, { routine, edges: own, value }: Neighbour, adjacent: Centre): BoxText {
  const { totals, edges } = c.analysis;
  const { of } = totals.cycles;
  const isInSameCycle = routine === adjacent.routine || (of[routine] > 0 && of[routine] === of[adjacent.routine]);
  const sum = (of: (edge: number) => number) => own.reduce((n, edge) => n + of(edge), 0);
  const [first, ...more] = own;
  // A single edge has an exact cost, which may exceed the precision of a double.
  const cost = more.length === 0 ? exactValue(c.event, edges.costs, first) : value;
  const before = isInSameCycle ? '↻ ' : '';
  const after = inlinedMark(edges.callee[first] === routine ? edges.inlined?.[first] : 0);
  return {
    name: (width) => nameCell(c, routine, { before, after }).short?.(width) ?? '',
    facts: [
      ...shareFact(shareCell(c, value, (event) => inclusiveOf(c, adjacent, event))),
      [
        costText(
          c,
          cost,
          own.some((e) => edges.estimated?.[e] === 1),
        ),
        'plain',
      ],
      ...callsFact(
        c,
        sum((e) => edges.count[e]),
        sum((e) => edges.costs.at(-1)?.[e] ?? 0),
      ),
      ...(more.length === 0 ? stateFact(c, { in: edges.sides?.[first] ?? 3 }) : []),
    ],
  };
}

/** One box for all that do not fit. */
export function restText(c: ColumnContext, { count, value }: RestBox, whole: (event: Event) => number): BoxText {
  const texts = [`+${formatCount(count)} more`, `+${formatCount(count)}`, `+${formatShort(count)}`];
  return {
    name: (width) => texts.find((text) => cellWidth(text) <= width) ?? '',
    dim: true,
    facts: shareFact({ ...shareCell(c, value, whole), style: 'dim' }),
  };
}

const widthOf = (spans: readonly GraphSpan[]) => spans.reduce((n, [text]) => n + cellWidth(text), 0);

/** The leading facts that fit, separated by two blanks. */
function fitFacts(facts: readonly GraphSpan[], width: number): { readonly spans: GraphSpan[]; readonly used: number } {
  const spans: GraphSpan[] = [];
  let used = 0;
  while (used < facts.length) {
    const [text, style] = facts[used];
    const gap = spans.length === 0 ? '' : '  ';
    if (widthOf(spans) + gap.length + cellWidth(text) > width) break;
    spans.push([gap + text, style]);
    used++;
  }
  return { spans, used };
}

/** Exactly `lines` lines of exactly `width` cells. `mark`: a cell before the name. The name under the cursor is inverse. */
export function boxLines(text: BoxText, lines: number, width: number, mark: string, cursor: boolean): GraphSpan[][] {
  if (width <= 1) {
    const cells = [mark.slice(0, width), ...Array.from({ length: lines - 1 }, () => ' '.repeat(Math.max(0, width)))];
    return cells.map((cell) => [[cell, 'plain']]);
  }
  // A blank separates numbers from the wall.
  const end: GraphSpan[] = width > MIN_PADDED_WIDTH ? [[' ', 'plain']] : [];
  const inner = width - 1 - end.length;
  // With several lines the name has its own line; with one line, facts follow the name.
  const nameLineFacts = lines > 1 ? { spans: [], used: 0 } : fitFacts(text.facts, factsWidthBesideName(text, inner));
  const right = widthOf(nameLineFacts.spans);
  const first: GraphSpan[] = [[mark, 'plain'], ...nameSpans(text, inner - (right === 0 ? 0 : right + 1), cursor)];
  if (right > 0) first.push([' ', 'plain'], ...nameLineFacts.spans);
  const out = [[...first, ...end]];
  let { used } = nameLineFacts;
  for (let line = 1; line < lines; line++) {
    // The second of three lines has two facts, the last line the others.
    const left = text.facts.slice(used, line === lines - 1 ? undefined : used + 2);
    const { spans, used: more } = fitFacts(left, inner);
    used += more;
    out.push([[' ', 'plain'], ...spans, [' '.repeat(inner - widthOf(spans)), 'plain'], ...end]);
  }
  return out;
}

/** The width for facts on the line of the name. */
function factsWidthBesideName(text: BoxText, inner: number): number {
  const name = cellWidth(text.name(inner));
  return inner - 1 - Math.min(name, Math.max(MIN_NAME_WIDTH, inner >> 1));
}

function nameSpans(text: BoxText, width: number, cursor: boolean): GraphSpan[] {
  const style = text.dim ? 'dim' : text.bold ? 'bold' : 'plain';
  const name = fit(visible(keepEnds(text.name(width), width)), width, 'left', 'middle');
  if (!cursor) return [[name, style]];
  const highlighted = cutEnd(name.trimEnd(), MAX_HIGHLIGHTED);
  return [
    [highlighted, style, true],
    [name.slice(highlighted.length), 'plain'],
  ];
}
