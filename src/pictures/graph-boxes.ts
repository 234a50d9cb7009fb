// The texts in the boxes of a call graph: names, costs, counts of calls, as much as there is room for.
import { shownCount } from '../analysis/answers/compared/measure.ts';
import type { Neighbour } from '../analysis/answers/neighbours.ts';
import { cellWidth, cutEnd, ends, fit, visible } from '../base/text.ts';
import { formatCount, formatShort, plural } from '../base/units.ts';
import type { ColumnContext } from '../columns/column.ts';
import { countText, routineSides, showsChange, stateOf } from '../columns/compared.ts';
import { costText, shareCell } from '../columns/costs.ts';
import { inlinedMark, nameCell } from '../columns/names.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { GraphSpan } from './graph-canvas.ts';
import type { Rest } from './graph-layout.ts';

/** The routine, or the whole cycle if its number is not 0, that a graph is drawn around. */
export interface Centre {
  readonly routine: number;
  readonly cycle: number;
}

/** At most this many cells of the box under the cursor are inverse: each costs bytes with every move. */
const LIT = 32;
/** Cells that a name keeps beside numbers on its line. */
const LEAST_NAME = 8;
/** A box with more room than this has a blank at its end. */
const ROOMY = 14;

/** The text of a box: its name in the room it gets, and facts, of which the first are the last to go. */
export interface BoxText {
  readonly name: (room: number) => string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly facts: readonly GraphSpan[];
}

/** The cost of the cycle or routine with its callees. */
export function inclusiveOf(c: ColumnContext, { routine, cycle }: Centre, event = c.event): number {
  const { totals } = c.analysis;
  return cycle > 0 ? eventValue(event, totals.cycleInclusive, cycle) : eventValue(event, totals.inclusive, routine);
}

const cycleName = (cycle: number) => `<cycle ${cycle}>`;

function callsFact(c: ColumnContext, now: number, before: number): GraphSpan[] {
  if (!c.analysis.costing.can.has('counts')) return [];
  const change = showsChange(c);
  if (change && now === before) return now === 0 ? [] : [[`${plural(now, 'call')}, as before`, 'plain']];
  if (!change && shownCount(c.analysis, c.event.measure, now, before) === 0) return [];
  const text = countText(c, now, before);
  return [[`${text} ${text === '1' ? 'call' : 'calls'}`, 'plain']];
}

/** The fact without its blanks at the ends; none if it says nothing. */
const fact = ({ text, style = 'plain' }: ReturnType<typeof shareCell>, before = ''): GraphSpan[] =>
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
    name: (room) => (cycle > 0 ? before + cycleName(cycle) : (nameCell(c, routine, { before, after }).short?.(room) ?? '')),
    bold: true,
    facts: [
      ...fact(shareCell(c, whole(c.event), whole)),
      [costText(c, exactValue(c.event, inclusive, row), cycle === 0 && totals.estimated?.inclusive[routine] === 1), 'plain'],
      ...fact(shareCell(c, eventValue(c.event, self, row), whole), 'self '),
      ...calls,
      ...(cycle > 0 ? [] : stateFact(c, routineSides(c, routine))),
    ],
  };
}

function stateFact(c: ColumnContext, sides: Parameters<typeof stateOf>[0]): GraphSpan[] {
  const state = showsChange(c) ? stateOf(sides) : 'both';
  return state === 'both' ? [] : [[state, state === 'gone' ? 'dim' : 'warm']];
}

/** `near`: what it calls or is called by; its inclusive cost is what percentages of the parent are of. */
export function neighbourText(c: ColumnContext, { routine, edges: own, value }: Neighbour, near: Centre): BoxText {
  const { totals, edges } = c.analysis;
  const { of } = totals.cycles;
  const loops = routine === near.routine || (of[routine] > 0 && of[routine] === of[near.routine]);
  const sum = (of: (edge: number) => number) => own.reduce((n, edge) => n + of(edge), 0);
  const [first, ...more] = own;
  // One edge has its exact cost, which may be beyond what doubles hold.
  const cost = more.length === 0 ? exactValue(c.event, edges.costs, first) : value;
  const before = loops ? '↻ ' : '';
  const after = inlinedMark(edges.callee[first] === routine ? edges.inlined?.[first] : 0);
  return {
    name: (room) => nameCell(c, routine, { before, after }).short?.(room) ?? '',
    facts: [
      ...fact(shareCell(c, value, (event) => inclusiveOf(c, near, event))),
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

/** The boxes that have no room, as one. */
export function restText(c: ColumnContext, { count, value }: Rest, whole: (event: Event) => number): BoxText {
  const texts = [`+${formatCount(count)} more`, `+${formatCount(count)}`, `+${formatShort(count)}`];
  return {
    name: (room) => texts.find((text) => cellWidth(text) <= room) ?? '',
    dim: true,
    facts: fact({ ...shareCell(c, value, whole), style: 'dim' }),
  };
}

const widthOf = (spans: readonly GraphSpan[]) => spans.reduce((n, [text]) => n + cellWidth(text), 0);

/** As many facts as fit, two blanks before each; the first that does not fit ends them. */
function factsIn(facts: readonly GraphSpan[], room: number): { readonly spans: GraphSpan[]; readonly used: number } {
  const spans: GraphSpan[] = [];
  let used = 0;
  while (used < facts.length) {
    const [text, style] = facts[used];
    const gap = spans.length === 0 ? '' : '  ';
    if (widthOf(spans) + gap.length + cellWidth(text) > room) break;
    spans.push([gap + text, style]);
    used++;
  }
  return { spans, used };
}

/** Exactly `lines` lines of exactly `room` cells. `mark`: a cell before the name. A part of the name under the cursor is lit. */
export function boxLines(text: BoxText, lines: number, room: number, mark: string, cursor: boolean): GraphSpan[][] {
  if (room <= 1) {
    const cells = [mark.slice(0, room), ...Array.from({ length: lines - 1 }, () => ' '.repeat(Math.max(0, room)))];
    return cells.map((cell) => [[cell, 'plain']]);
  }
  // A blank keeps numbers off the wall.
  const end: GraphSpan[] = room > ROOMY ? [[' ', 'plain']] : [];
  const inner = room - 1 - end.length;
  // On a line of its own, the name has all of it; else as much as the facts leave.
  const beside = lines > 1 ? { spans: [], used: 0 } : factsIn(text.facts, besideName(text, inner));
  const right = widthOf(beside.spans);
  const first: GraphSpan[] = [[mark, 'plain'], ...nameSpans(text, inner - (right === 0 ? 0 : right + 1), cursor)];
  if (right > 0) first.push([' ', 'plain'], ...beside.spans);
  const out = [[...first, ...end]];
  let { used } = beside;
  for (let line = 1; line < lines; line++) {
    // With three lines, the second has the costs and the third the rest.
    const left = text.facts.slice(used, line === lines - 1 ? undefined : used + 2);
    const { spans, used: more } = factsIn(left, inner);
    used += more;
    out.push([[' ', 'plain'], ...spans, [' '.repeat(inner - widthOf(spans)), 'plain'], ...end]);
  }
  return out;
}

/** The room for facts on the line of the name. */
function besideName(text: BoxText, inner: number): number {
  const name = cellWidth(text.name(inner));
  return inner - 1 - Math.min(name, Math.max(LEAST_NAME, inner >> 1));
}

function nameSpans(text: BoxText, room: number, cursor: boolean): GraphSpan[] {
  const style = text.dim ? 'dim' : text.bold ? 'bold' : 'plain';
  const name = fit(visible(ends(text.name(room), room)), room, 'left', 'middle');
  if (!cursor) return [[name, style]];
  const lit = cutEnd(name.trimEnd(), LIT);
  return [
    [lit, style, true],
    [name.slice(lit.length), 'plain'],
  ];
}
