// A box of a flame graph in cells, for the screen and for text: its name, its marks, and its colour.
import { type Analysis, wholeOf } from '../analysis/answers/analysis.ts';
import { hasChanged } from '../analysis/answers/compared/drift.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { type Box, cellsOf, type FlameLayout } from '../analysis/answers/flame/layout.ts';
import { nodeSelf, nodeValue, type TreeNode } from '../analysis/answers/tree.ts';
import { fileName, objectName } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import { shownPath } from '../base/paths.ts';
import { AREAS, changeFill, type Fill, heatFill, type Style } from '../base/style.ts';
import { cellWidth, fit, visible } from '../base/text.ts';
import { formatCount, formatPercent, formatSignedPercent } from '../base/units.ts';
import type { ColumnContext } from '../columns/column.ts';
import { nameCell } from '../columns/names.ts';
import { eventColumn } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';

/** `self`: by the cost of the frame alone, since its width shows the rest. */
export type FlameColour = 'self' | 'object' | 'file' | 'difference';

export type FlameContext = Pick<ColumnContext, 'analysis' | 'event' | 'names'>;

/**
 * The event that boxes are as wide as. Of two runs, what this one costs: its parts add up to their whole, while the larger of both runs
 * would make children wider than their parent. What is gone is seen by choosing the base with V.
 */
export function widthEvent({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>): Event {
  return event.measure === 'delta' || event.measure === 'percent' ? measured(analysis, event, 'now') : event;
}

/** Why there is no flame graph of the event; undefined if there is. */
export const whyNoFlame = (c: Pick<FlameContext, 'analysis' | 'event'>): string | undefined =>
  widthEvent(c).per ? `${c.event.name} is a ratio: its parts do not add up to a whole` : undefined;

/** The objects or files that have a fill of their own: those that cost the most, by themselves. */
export interface Areas {
  readonly of: (routine: number) => Fill;
  readonly legend: readonly { readonly name: string; readonly style: Fill }[];
}

export const areasOf = memo((analysis: Analysis, event: Event, by: 'object' | 'file'): Areas => {
  const { profile, totals } = analysis;
  const own = profile.routines[by];
  const self = eventColumn(event, totals.self, own.length);
  const sums = new Map<number, number>();
  for (let r = 0; r < own.length; r++) if (own[r] >= 0) sums.set(own[r], (sums.get(own[r]) ?? 0) + Math.abs(self[r]));
  const top = [...sums].sort((a, b) => b[1] - a[1]).slice(0, AREAS.length);
  const styles = new Map(top.map(([id], k) => [id, AREAS[k]]));
  const name = (id: number) => shownPath((by === 'object' ? objectName(profile, id) : fileName(profile, id)) ?? '');
  return {
    of: (routine) => styles.get(own[routine]) ?? 'same',
    legend: top.map(([id], k) => ({ name: name(id), style: AREAS[k] })),
  };
}, 4);

/** A box of a row, in the cells that it takes. */
export interface Piece {
  readonly box: Box;
  readonly at: number;
  /** The cell that tells it from the box on its left, and then what fits of its name. */
  readonly edge: string;
  readonly name: string;
  readonly style: Style;
}

/** Boxes are filled with a colour, have brackets where there is none, or are as `--print` has them. */
export type BoxForm = 'filled' | 'bracketed' | 'text';

export interface Look {
  readonly colour: FlameColour;
  /** Frames that stand back: those that a filter does not keep. */
  readonly faint: (routine: number) => boolean;
  readonly form: BoxForm;
  /** The edge between boxes in ASCII, where it is filled. */
  readonly ascii?: boolean;
}

/** Cells in which a frame has a mark before its name, and a sum says of how many frames. */
const MARKED = 8;
/** From as many on, a sign is apart from the name, which else may look like a number below zero. */
const APART = 12;
const COUNTED = 12;
/** Room in which names are short, but still names. */
const ROOMY = 32;
/** Cells of the narrowest box with a name. */
const NAMED = 3;

/** The sum of narrow frames: dots. */
function dotsText({ nodes }: Box, width: number): string {
  const dot = '·';
  const text = width < COUNTED ? '' : `${dot} ${formatCount(nodes)} others `;
  return text.length > width ? dot.repeat(width) : text.padEnd(width, dot);
}

/** The sum of narrow frames: as much of `…N p%` as has room, for no number is cut. */
function sumText({ analysis, event }: FlameContext, { nodes, value, sum }: Box, room: number): string {
  const width = widthEvent({ analysis, event });
  const count = `…${formatCount(nodes)}`;
  const share = `${sum?.estimated ? '≈' : ''}${formatPercent(value, wholeOf(analysis, width))}`;
  return [`${count} ${share}`, count, '…'].find((text) => text.length <= room) ?? '';
}

/** The difference of two runs in a frame, whose sign is before its name: none where estimates alone differ. */
export function changeOf({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): number {
  if (!analysis.before || !hasChanged(analysis, event, node, 'inclusive')) return 0;
  return nodeValue(measured(analysis, event, 'delta'), node);
}

/** The percentage of a difference: of the base, as in the title. */
export const changePercent = ({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, change: number): string =>
  formatSignedPercent(change, wholeOf(analysis, measured(analysis, event, 'delta')));

/** The fill of a frame by what changed. */
export const changeStyle = (c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): Fill =>
  changeFill(changeOf(c, node) / (Math.abs(wholeOf(c.analysis, measured(c.analysis, c.event, 'delta'))) || 1));

/** The fill of a frame by its self cost. */
export function selfStyle(c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): Fill {
  const event = widthEvent(c);
  return heatFill(Math.abs(nodeSelf(event, node)) / (Math.abs(wholeOf(c.analysis, event)) || 1));
}

function styleOf(c: FlameContext, node: TreeNode, { colour }: Look): Fill {
  if (colour === 'self') return selfStyle(c, node);
  return colour === 'difference' ? changeStyle(c, node) : areasOf(c.analysis, widthEvent(c), colour).of(node.routine);
}

/** The marks before the name: a difference, an estimate, and that the cost itself is below zero. */
function marksOf(c: FlameContext, node: TreeNode, { colour }: Pick<Look, 'colour'>, room: number): string {
  const change = colour === 'difference' ? changeOf(c, node) : 0;
  const sign = change > 0 ? '+' : change < 0 || nodeValue(widthEvent(c), node) < 0 ? '-' : '';
  return (sign !== '' && room >= APART ? `${sign} ` : sign) + (node.estimated ? '≈' : '');
}

/** `run` of `demo::Loop::run(int)`. */
function lastName(name: string): string {
  const [head] = name.split('(', 1);
  const own = head.slice(head.lastIndexOf('::') + 2);
  return head.includes('::') && own !== '' ? own : name;
}

/** As much of a frame's name as is worth the room, with its marks; '' for none. */
export function nameIn(c: FlameContext, node: TreeNode, look: Pick<Look, 'colour'>, room: number): string {
  const before = room >= MARKED ? marksOf(c, node, look, room) : '';
  const cell = nameCell(c, node.routine, { before, after: node.recursive && room >= MARKED ? ' ↻' : '' });
  const form = (cells: number) => visible(cell.short?.(cells) ?? cell.text);
  // A form that tells the name from others by cutting or numbering it is another one with every cell: the last part of the name is not.
  const fits = form(room);
  // The last digits of an address are what tells it from others.
  const isCut = /…|~|\.\.|#\d{1,9}$/.test(fits) && !/^…[0-9a-f]+$/.test(fits.slice(before.length));
  const text = isCut ? before + lastName(form(Math.max(room, ROOMY)).slice(before.length)) : fits;
  const shown = fit(text, room).trimEnd();
  // A letter of a name, or the mark that something is left out, says nothing.
  return /^.?…$/u.test(shown) || /^[…~.]*$/.test(shown) ? '' : shown;
}

/** Self and inclusive cost in percent: both or none, for one alone could be either. */
function sharesIn(c: FlameContext, layout: FlameLayout, { node: id }: Box, room: number): string {
  const node = layout.tree.nodes[id];
  if (!node) return '';
  const event = widthEvent(c);
  const whole = wholeOf(c.analysis, event);
  const share = (value: number, estimated: boolean) => `${estimated ? '≈' : ''}${formatPercent(value, whole)}`;
  const inclusive = share(nodeValue(event, node), node.estimated);
  // Inverted, a node has only a part of the self cost of its root.
  const text = layout.tree.inverted ? inclusive : `${share(nodeSelf(event, node), node.selfEstimated)} / ${inclusive}`;
  return text.length <= room ? text : '';
}

/** A box of the width with an edge, a text that fits between, and what closes it. */
function boxed(
  text: (room: number) => string,
  width: number,
  touches: boolean,
  { form, ascii }: Look,
  pad: string,
): [string, string] {
  if (form === 'filled') {
    const edge = !touches ? ' ' : ascii ? '|' : '▏';
    return [edge, fit(width < NAMED ? '' : text(width - 1), width - 1)];
  }
  if (width < NAMED) return width === 1 ? ['│', ''] : ['[', ']'];
  const inside = text(width - 2);
  return ['[', `${inside}${pad.repeat(width - 2 - cellWidth(inside))}]`];
}

/** `second`: the row below, which says what the frame costs. `touches`: another box ends where it begins. */
function pieceOf(
  c: FlameContext,
  layout: FlameLayout,
  box: Box,
  touches: boolean,
  look: Look,
  second: boolean,
): Piece | undefined {
  const [at, to] = cellsOf(box);
  const width = to - at;
  if (width <= 0) return undefined;
  const printed = look.form === 'text';
  const back = look.form === 'filled' ? 'rest' : 'dim';
  if (box.sum) {
    const text = dotsText(box, width);
    const [edge, name] = printed
      ? [text.slice(0, 1), text.slice(1)]
      : boxed((room) => (second ? '' : sumText(c, box, room)), width, touches, look, ' ');
    return { box, at, edge, name, style: back };
  }
  const node = layout.tree.nodes[box.node];
  const faint = look.faint(node.routine);
  // Above the zoom, everything is whole.
  const style = faint || box.row < layout.above ? back : styleOf(c, node, look);
  // Where nothing can be dim, what stands back has no name.
  if (printed)
    return { box, at, edge: '│', name: fit(faint || width === 1 ? '' : nameIn(c, node, look, width - 1), width - 1), style };
  const text = (room: number) => (second ? sharesIn(c, layout, box, room) : nameIn(c, node, look, room));
  const [edge, name] = boxed(text, width, touches, look, second ? ' ' : '─');
  return { box, at, edge, name, style };
}

/** The rows of a flame graph as pieces; each row is made once. */
export class FlamePicture {
  private readonly made = new Map<string, readonly Piece[]>();

  constructor(
    private readonly c: FlameContext,
    private readonly layout: FlameLayout,
    private readonly look: Look,
  ) {}

  row(row: number, second = false): readonly Piece[] {
    const key = `${row} ${second}`;
    const known = this.made.get(key);
    if (known) return known;
    const pieces: Piece[] = [];
    let end = 0;
    for (const box of this.layout.rows[row] ?? []) {
      const [from, to] = cellsOf(box);
      const piece = pieceOf(this.c, this.layout, box, from > 0 && from === end, this.look, second);
      if (piece) pieces.push(piece);
      end = to;
    }
    if (this.layout.rows[row]) this.made.set(key, pieces);
    return pieces;
  }
}
