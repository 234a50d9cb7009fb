// A box of a flame graph in cells, for the screen and for text: its name, its marks, and its colour.
import { type Analysis, wholeOf } from '../analysis/answers/analysis.ts';
import { hasChanged } from '../analysis/answers/compared/drift.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { type Box, cellsOf, type FlameLayout } from '../analysis/answers/flame/layout.ts';
import { nodeSelf, nodeValue, type TreeNode } from '../analysis/answers/tree.ts';
import { fileName, objectName } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import { shownPath } from '../base/paths.ts';
import { HUES, heat, type Style } from '../base/style.ts';
import { fit, visible } from '../base/text.ts';
import { formatCount, formatPercent } from '../base/units.ts';
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

/** The objects or files that have hues: those that cost the most, by themselves. */
export interface Hues {
  readonly of: (routine: number) => Style;
  readonly legend: readonly { readonly name: string; readonly style: Style }[];
}

export const huesOf = memo((analysis: Analysis, event: Event, by: 'object' | 'file'): Hues => {
  const { profile, totals } = analysis;
  const own = profile.routines[by];
  const self = eventColumn(event, totals.self, own.length);
  const sums = new Map<number, number>();
  for (let r = 0; r < own.length; r++) if (own[r] >= 0) sums.set(own[r], (sums.get(own[r]) ?? 0) + Math.abs(self[r]));
  const top = [...sums].sort((a, b) => b[1] - a[1]).slice(0, HUES.length);
  const styles = new Map(top.map(([id], k) => [id, HUES[k]]));
  const name = (id: number) => shownPath((by === 'object' ? objectName(profile, id) : fileName(profile, id)) ?? '');
  return {
    of: (routine) => styles.get(own[routine]) ?? 'plain',
    legend: top.map(([id], k) => ({ name: name(id), style: HUES[k] })),
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

export interface Look {
  readonly colour: FlameColour;
  /** Frames that stand back: those that a filter does not keep. */
  readonly faint: (routine: number) => boolean;
  /** They have no name, either: where nothing can be dim. */
  readonly blank?: boolean;
}

/** Cells in which a frame has a mark before its name, and a sum says of how many frames. */
const MARKED = 8;
const COUNTED = 12;
/** Room in which names are short, but still names. */
const ROOMY = 32;

/** The sum of narrow frames: dots. */
function sumText({ nodes }: Box, width: number): string {
  const dot = '·';
  const text = width < COUNTED ? '' : `${dot} ${formatCount(nodes)} others `;
  return text.length > width ? dot.repeat(width) : text.padEnd(width, dot);
}

/** The difference of two runs in a frame, whose sign is before its name: none where estimates alone differ. */
export function changeOf({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): number {
  if (!analysis.before || !hasChanged(analysis, event, node, 'inclusive')) return 0;
  return nodeValue(measured(analysis, event, 'delta'), node);
}

/** The percentage of a difference: of the base, as in the title. */
export const changePercent = ({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, change: number): string =>
  (change > 0 ? '+' : '') + formatPercent(change, wholeOf(analysis, measured(analysis, event, 'delta')));

/** The colour of a frame by what changed: `less` and `same` have one of their own. */
export function changeHeat(c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): 'hot' | 'warm' | 'same' | 'less' {
  const change = changeOf(c, node);
  if (change <= 0) return change < 0 ? 'less' : 'same';
  return heat(change / (wholeOf(c.analysis, measured(c.analysis, c.event, 'delta')) || 1)) === 'hot' ? 'hot' : 'warm';
}

function styleOf(c: FlameContext, node: TreeNode, { colour }: Look): Style {
  const event = widthEvent(c);
  if (colour === 'self') return heat(Math.abs(nodeSelf(event, node)) / (wholeOf(c.analysis, event) || 1));
  if (colour !== 'difference') return huesOf(c.analysis, event, colour).of(node.routine);
  const change = changeHeat(c, node);
  return change === 'less' ? 'call' : change === 'same' ? 'plain' : change;
}

/** The marks before the name: a difference, an estimate, and that the cost itself is below zero. */
function marksOf(c: FlameContext, node: TreeNode, { colour }: Look): string {
  const change = colour === 'difference' ? changeOf(c, node) : 0;
  const sign = change > 0 ? '+' : change < 0 || nodeValue(widthEvent(c), node) < 0 ? '-' : '';
  return sign + (node.estimated ? '≈' : '');
}

/** `run` of `demo::Loop::run(int)`. */
function lastName(name: string): string {
  const [head] = name.split('(', 1);
  const own = head.slice(head.lastIndexOf('::') + 2);
  return head.includes('::') && own !== '' ? own : name;
}

function pieceOf(c: FlameContext, layout: FlameLayout, box: Box, look: Look): Piece | undefined {
  const [at, to] = cellsOf(box);
  const width = to - at;
  if (width <= 0) return undefined;
  if (box.node < 0) {
    const text = sumText(box, width);
    return { box, at, edge: text.slice(0, 1), name: text.slice(1), style: 'dim' };
  }
  const node = layout.tree.nodes[box.node];
  const faint = look.faint(node.routine);
  const room = width - 1;
  const before = room >= MARKED ? marksOf(c, node, look) : '';
  const short = () => {
    const cell = nameCell(c, node.routine, { before, after: node.recursive && room >= MARKED ? ' ↻' : '' });
    const form = (cells: number) => visible(cell.short?.(cells) ?? cell.text);
    // A form that tells the name from others by cutting or numbering it is another one with every cell: the last part of the name is not.
    const fits = form(room);
    const text = /…|~|\.\.|#\d{1,9}$/.test(fits) ? before + lastName(form(Math.max(room, ROOMY)).slice(before.length)) : fits;
    const shown = fit(text, room);
    // A mark that something is left out says nothing by itself.
    return /^[…~.]*$/.test(shown.trimEnd()) ? ' '.repeat(room) : shown;
  };
  const name = room === 0 ? '' : faint && look.blank ? ' '.repeat(room) : short();
  // Above the zoom, everything is whole.
  const above = box.row < layout.above;
  return { box, at, edge: '│', name, style: faint || above ? 'dim' : styleOf(c, node, look) };
}

/** The rows of a flame graph as pieces; each row is made once. */
export class FlamePicture {
  private readonly made = new Map<number, readonly Piece[]>();

  constructor(
    private readonly c: FlameContext,
    private readonly layout: FlameLayout,
    private readonly look: Look,
  ) {}

  row(row: number): readonly Piece[] {
    const known = this.made.get(row);
    if (known) return known;
    const boxes = this.layout.rows[row];
    if (!boxes) return [];
    const pieces = boxes.flatMap((box) => pieceOf(this.c, this.layout, box, this.look) ?? []);
    this.made.set(row, pieces);
    return pieces;
  }
}
