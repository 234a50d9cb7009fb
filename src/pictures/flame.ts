// A box of a flame graph in cells, for the screen and for text: its name, its marks, and its colour.
import { type Analysis, percentageBase } from '../analysis/answers/analysis.ts';
import { hasChanged } from '../analysis/answers/compared/drift.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { cellsOf, type FlameBox, type FlameLayout } from '../analysis/answers/flame/layout.ts';
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

/** The colouring of frames. `self`: by self cost, because the width shows the inclusive cost. */
export type FlameColour = 'self' | 'object' | 'file' | 'difference';

export type FlameContext = Pick<ColumnContext, 'analysis' | 'event' | 'names'>;

/**
 * The event that boxes are as wide as. Of two runs, what this one costs: its parts add up to their whole, while the larger of both runs
 * would make children wider than their parent. What is gone is seen by choosing the base with V.
 */
export function widthEvent({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>): Event {
  return event.measure === 'delta' || event.measure === 'percent' ? eventInMeasure(analysis, event, 'now') : event;
}

/** The reason why the event has no flame graph; undefined if it has one. */
export const noFlameReason = (c: Pick<FlameContext, 'analysis' | 'event'>): string | undefined =>
  widthEvent(c).per ? `${c.event.name} is a ratio: its parts do not add up to a whole` : undefined;

/** The objects or files with a fill of their own: those with the highest self cost. */
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

/** A drawn box of a row: its position, texts and style. */
export interface DrawnBox {
  readonly box: FlameBox;
  readonly at: number;
  /** The cell that separates the box from the one on its left; `name` follows it. */
  readonly edge: string;
  readonly name: string;
  readonly style: Style;
}

/** Boxes are filled, bracketed on screens without colours, or as in `--print`. */
export type BoxForm = 'filled' | 'bracketed' | 'text';

export interface FlameStyle {
  readonly colour: FlameColour;
  /** Whether a routine is faint because the filter does not match it. */
  readonly isFaint: (routine: number) => boolean;
  readonly form: BoxForm;
  /** ASCII edges between filled boxes. */
  readonly ascii?: boolean;
}

/** Minimum width for a mark before the name. */
const MIN_MARKED_WIDTH = 8;
/** Minimum width for a space between sign and name; without it the name may look like a negative number. */
const MIN_SPACED_SIGN_WIDTH = 12;
const MIN_COUNTED_WIDTH = 12;
/** A width at which short names are still recognizable. */
const FULL_NAME_WIDTH = 32;
/** Minimum width of a box with a name. */
const MIN_NAMED_WIDTH = 3;

/** The box for several narrow frames, in `--print`: dots, and their number if it fits. */
function dotsText({ nodes }: FlameBox, width: number): string {
  const dot = '·';
  const text = width < MIN_COUNTED_WIDTH ? '' : `${dot} ${formatCount(nodes)} others `;
  return text.length > width ? dot.repeat(width) : text.padEnd(width, dot);
}

/** The text for several narrow frames: as much of `…N p%` as fits without cutting a number. */
function sumText({ analysis, event }: FlameContext, { nodes, value, sum }: FlameBox, availableWidth: number): string {
  const width = widthEvent({ analysis, event });
  const count = `…${formatCount(nodes)}`;
  const share = `${sum?.estimated ? '≈' : ''}${formatPercent(value, percentageBase(analysis, width))}`;
  return [`${count} ${share}`, count, '…'].find((text) => text.length <= availableWidth) ?? '';
}

/** The difference of two runs in a frame; 0 if only estimates differ. */
export function inclusiveChangeOf({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): number {
  if (!analysis.before || !hasChanged(analysis, event, node, 'inclusive')) return 0;
  return nodeValue(eventInMeasure(analysis, event, 'delta'), node);
}

/** A difference as a percentage of the base, as in the title. */
export const changePercent = ({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, change: number): string =>
  formatSignedPercent(change, percentageBase(analysis, eventInMeasure(analysis, event, 'delta')));

/** The fill of a frame by its difference. */
export const changeStyle = (c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): Fill =>
  changeFill(
    inclusiveChangeOf(c, node) / (Math.abs(percentageBase(c.analysis, eventInMeasure(c.analysis, c.event, 'delta'))) || 1),
  );

/** The fill of a frame by its self cost. */
export function selfStyle(c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): Fill {
  const event = widthEvent(c);
  return heatFill(Math.abs(nodeSelf(event, node)) / (Math.abs(percentageBase(c.analysis, event)) || 1));
}

function styleOf(c: FlameContext, node: TreeNode, { colour }: FlameStyle): Fill {
  if (colour === 'self') return selfStyle(c, node);
  return colour === 'difference' ? changeStyle(c, node) : areasOf(c.analysis, widthEvent(c), colour).of(node.routine);
}

/** The marks before the name: the sign of a difference or of a negative cost, and ≈ for an estimate. */
function marksOf(c: FlameContext, node: TreeNode, { colour }: Pick<FlameStyle, 'colour'>, width: number): string {
  const change = colour === 'difference' ? inclusiveChangeOf(c, node) : 0;
  const sign = change > 0 ? '+' : change < 0 || nodeValue(widthEvent(c), node) < 0 ? '-' : '';
  return (sign !== '' && width >= MIN_SPACED_SIGN_WIDTH ? `${sign} ` : sign) + (node.estimated ? '≈' : '');
}

/** The last part of a name: `run` for `demo::Loop::run(int)`. */
function lastNamePart(name: string): string {
  const [head] = name.split('(', 1);
  const own = head.slice(head.lastIndexOf('::') + 2);
  return head.includes('::') && own !== '' ? own : name;
}

/** A frame's name with its marks, shortened to the width; '' if too little of the name would be left. */
export function frameNameInWidth(c: FlameContext, node: TreeNode, look: Pick<FlameStyle, 'colour'>, width: number): string {
  const before = width >= MIN_MARKED_WIDTH ? marksOf(c, node, look, width) : '';
  const cell = nameCell(c, node.routine, { before, after: node.recursive && width >= MIN_MARKED_WIDTH ? ' ↻' : '' });
  const form = (cells: number) => visible(cell.short?.(cells) ?? cell.text);
  // A cut or numbered name changes with every cell of width, the last part of the name does not: prefer that one.
  const fits = form(width);
  // Addresses are cut at the start, so they keep the digits that tell them apart.
  const isCut = /…|~|\.\.|#\d{1,9}$/.test(fits) && !/^…[0-9a-f]+$/.test(fits.slice(before.length));
  const text = isCut ? before + lastNamePart(form(Math.max(width, FULL_NAME_WIDTH)).slice(before.length)) : fits;
  const shown = fit(text, width).trimEnd();
  // A single letter, or only an ellipsis, is of no use.
  return /^.?…$/u.test(shown) || /^[…~.]*$/.test(shown) ? '' : shown;
}

/** Self and inclusive cost in percent: both or none, because a single number would be ambiguous. */
function sharesText(c: FlameContext, layout: FlameLayout, { node: id }: FlameBox, width: number): string {
  const node = layout.tree.nodes[id];
  if (!node) return '';
  const event = widthEvent(c);
  const whole = percentageBase(c.analysis, event);
  const share = (value: number, estimated: boolean) => `${estimated ? '≈' : ''}${formatPercent(value, whole)}`;
  const inclusive = share(nodeValue(event, node), node.estimated);
  // In an inverted tree, self and inclusive cost are the same part of the root's self cost.
  const text = layout.tree.inverted ? inclusive : `${share(nodeSelf(event, node), node.selfEstimated)} / ${inclusive}`;
  return text.length <= width ? text : '';
}

/** The edge of a box, and its text padded to the width, with a closing bracket where boxes are bracketed. */
function edgeAndName(
  text: (availableWidth: number) => string,
  width: number,
  touches: boolean,
  { form, ascii }: FlameStyle,
  pad: string,
): [string, string] {
  if (form === 'filled') {
    const edge = !touches ? ' ' : ascii ? '|' : '▏';
    return [edge, fit(width < MIN_NAMED_WIDTH ? '' : text(width - 1), width - 1)];
  }
  if (width < MIN_NAMED_WIDTH) return width === 1 ? ['│', ''] : ['[', ']'];
  const inside = text(width - 2);
  return ['[', `${inside}${pad.repeat(width - 2 - cellWidth(inside))}]`];
}

/** `second`: the second line of a row, with the costs. `touches`: the box on the left ends where this one begins. */
function drawBox(
  c: FlameContext,
  layout: FlameLayout,
  box: FlameBox,
  touches: boolean,
  look: FlameStyle,
  second: boolean,
): DrawnBox | undefined {
  const [at, to] = cellsOf(box);
  const width = to - at;
  if (width <= 0) return undefined;
  const printed = look.form === 'text';
  const back = look.form === 'filled' ? 'rest' : 'dim';
  if (box.sum) {
    const text = dotsText(box, width);
    const [edge, name] = printed
      ? [text.slice(0, 1), text.slice(1)]
      : edgeAndName((availableWidth) => (second ? '' : sumText(c, box, availableWidth)), width, touches, look, ' ');
    return { box, at, edge, name, style: back };
  }
  const node = layout.tree.nodes[box.node];
  const faint = look.isFaint(node.routine);
  // Frames above the zoomed one span the full width, so their colour carries no information.
  const style = faint || box.row < layout.above ? back : styleOf(c, node, look);
  // Printed text cannot be dim: faint frames get no name instead.
  if (printed)
    return {
      box,
      at,
      edge: '│',
      name: fit(faint || width === 1 ? '' : frameNameInWidth(c, node, look, width - 1), width - 1),
      style,
    };
  const text = (availableWidth: number) =>
    second ? sharesText(c, layout, box, availableWidth) : frameNameInWidth(c, node, look, availableWidth);
  const [edge, name] = edgeAndName(text, width, touches, look, second ? ' ' : '─');
  return { box, at, edge, name, style };
}

/** The rows of a flame graph as drawn boxes; each row is drawn once and cached. */
export class FlamePicture {
  private readonly drawnRows = new Map<string, readonly DrawnBox[]>();

  constructor(
    private readonly c: FlameContext,
    private readonly layout: FlameLayout,
    private readonly look: FlameStyle,
  ) {}

  boxesOfRow(row: number, second = false): readonly DrawnBox[] {
    const key = `${row} ${second}`;
    const known = this.drawnRows.get(key);
    if (known) return known;
    const pieces: DrawnBox[] = [];
    let end = 0;
    for (const box of this.layout.rows[row] ?? []) {
      const [from, to] = cellsOf(box);
      const piece = drawBox(this.c, this.layout, box, from > 0 && from === end, this.look, second);
      if (piece) pieces.push(piece);
      end = to;
    }
    if (this.layout.rows[row]) this.drawnRows.set(key, pieces);
    return pieces;
  }
}
