// A frame of a flame graph as a box of cells, on the screen and in printed text: its name, its marks and its colour.
import { type Analysis, percentageBase } from '../analysis/answers/analysis.ts';
import { eventInMeasure, hasChanged } from '../analysis/answers/compared/measure.ts';
import { boxCellRange, type FlameBox, type FlameLayout } from '../analysis/answers/flame/layout.ts';
import { nodeSelf, nodeValue, type TreeNode } from '../analysis/answers/tree.ts';
import { addressInObject, fileName, objectName, routineLocation } from '../analysis/names/names.ts';
import { OWN, originOf } from '../analysis/names/origin.ts';
import { getOrMake, memo } from '../base/lists.ts';
import { baseName, readablePath } from '../base/paths.ts';
import { AREA_FILLS, CODE_FILLS, changeFill, type Fill, fillInSteps, heatFill, type Style } from '../base/style.ts';
import { cellWidth, fit, visible } from '../base/text.ts';
import { formatCount, formatPercent, formatSignedPercent } from '../base/units.ts';
import type { ColumnContext } from '../columns/column.ts';
import { isGuess } from '../columns/compared.ts';
import { nameCell, nameInBox } from '../columns/names.ts';
import { type Event, eventColumn, isChange } from '../model/head.ts';

/** The meaning of a frame's colour. `self`: the self cost, because the width of a frame is its inclusive cost. */
export type FlameColour = 'code' | 'self' | 'object' | 'file' | 'difference';

export type FlameContext = Pick<ColumnContext, 'analysis' | 'event' | 'names'>;

/**
 * The event that determines the width of boxes. With a base, this is the cost of this run: its parts add up, while the larger
 * cost of both runs could make children wider than their parent. The key V shows the base instead.
 */
export const widthEvent = ({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>): Event =>
  isChange(event) ? eventInMeasure(analysis, event, 'now') : event;

/** A cost as a share of the total, in the event that determines the width of boxes. */
export const frameShareText = (c: Pick<FlameContext, 'analysis' | 'event'>, value: number, estimated = false): string =>
  `${estimated ? '≈' : ''}${formatPercent(value, percentageBase(c.analysis, widthEvent(c)))}`;

/** The reason why the event has no flame graph; undefined if it has one. */
export const noFlameReason = (c: Pick<FlameContext, 'analysis' | 'event'>): string | undefined =>
  widthEvent(c).per ? `${c.event.name} is a ratio: its parts do not add up to a whole` : undefined;

/** The objects or files that have their own colour: those with the highest self cost. */
export const costliestAreasOf = memo(({ profile, totals }: Analysis, event: Event, by: 'object' | 'file') => {
  const own = profile.routines[by];
  const self = eventColumn(event, totals.self, own.length);
  const sums = new Map<number, number>();
  for (let r = 0; r < own.length; r++) if (own[r] >= 0) sums.set(own[r], (sums.get(own[r]) ?? 0) + Math.abs(self[r]));
  const top = [...sums].sort((a, b) => b[1] - a[1]).slice(0, AREA_FILLS.length);
  const styles = new Map(top.map(([id], k) => [id, AREA_FILLS[k]]));
  const name = (id: number) => readablePath((by === 'object' ? objectName(profile, id) : fileName(profile, id)) ?? '');
  return {
    of: (routine: number): Fill => styles.get(own[routine]) ?? 'same',
    legend: top.map(([id], k) => ({ name: name(id), style: AREA_FILLS[k] })),
  };
}, 4);

/** A box as drawn in its row: its first cell, its texts and its style. */
export interface DrawnBox {
  readonly box: FlameBox;
  readonly at: number;
  /** The first cell of the box, which separates it from the box on its left; `name` follows. */
  readonly edge: string;
  readonly name: string;
  readonly style: Style;
}

/** `filled`: boxes have background colours. `bracketed`: without colours. `text`: as in `--print`. */
export type BoxForm = 'filled' | 'bracketed' | 'text';

export interface FlameStyle {
  readonly colour: FlameColour;
  /** Whether the filter excludes a routine, so that its frames are faint. */
  readonly isFaint: (routine: number) => boolean;
  readonly form: BoxForm;
  /** Whether edges between filled boxes are ASCII characters. */
  readonly ascii?: boolean;
}

const MIN_MARKED_WIDTH = 8;
/** Minimum width of a box with a blank between sign and name. Without it, the name may look like a negative number. */
const MIN_SPACED_SIGN_WIDTH = 12;
const MIN_COUNTED_WIDTH = 12;
const MIN_NAMED_WIDTH = 3;

/** The text of a group of narrow frames in `--print`: dots, with the number of frames if it fits. */
function narrowFramesDots({ nodes }: FlameBox, width: number): string {
  const dot = '·';
  const text = width < MIN_COUNTED_WIDTH ? '' : `${dot} ${formatCount(nodes)} others `;
  return text.length > width ? dot.repeat(width) : text.padEnd(width, dot);
}

/** The text of a group of narrow frames: as much of `▸N p%` as fits without cutting a number. */
function narrowFramesText(c: FlameContext, { nodes, value, sum }: FlameBox, availableWidth: number): string {
  const count = `▸${formatCount(nodes)}`;
  return [`${count} ${frameShareText(c, value, sum?.estimated)}`, count, '▸'].find((text) => text.length <= availableWidth) ?? '';
}

/** The difference between the inclusive costs of a frame in both runs; 0 if only estimates differ. */
export function inclusiveChangeOf({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): number {
  if (!analysis.before || !hasChanged(analysis, event, node, 'inclusive')) return 0;
  return nodeValue(eventInMeasure(analysis, event, 'delta'), node);
}

/** The difference between both runs as a percentage of the base. */
export const changePercent = ({ analysis, event }: Pick<FlameContext, 'analysis' | 'event'>, change: number): string =>
  formatSignedPercent(change, percentageBase(analysis, eventInMeasure(analysis, event, 'delta')));

/** The colour of a frame by the difference between both runs. */
export const changeFillOf = (c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): Fill =>
  changeFill(
    inclusiveChangeOf(c, node) / (Math.abs(percentageBase(c.analysis, eventInMeasure(c.analysis, c.event, 'delta'))) || 1),
  );

/** The self cost of a frame as a share of the total, without sign. */
function selfShareOf(c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): number {
  const event = widthEvent(c);
  return Math.abs(nodeSelf(event, node)) / (Math.abs(percentageBase(c.analysis, event)) || 1);
}

export const selfCostFill = (c: Pick<FlameContext, 'analysis' | 'event'>, node: TreeNode): Fill => heatFill(selfShareOf(c, node));

/** Origins of code that is grey: nobody chose to call it. */
const PLAIN_ORIGINS: ReadonlySet<string> = new Set(['loader', 'kernel', 'runtime', 'system', 'unknown']);

/** The colour of a frame. By code, it is deeper for more self cost. */
function fillOfFrame(c: FlameContext, node: TreeNode, { colour }: FlameStyle): Fill {
  if (colour === 'code') {
    const origin = originOf(c.analysis.profile, node.routine);
    const whose = PLAIN_ORIGINS.has(origin) ? 'other' : origin === OWN ? 'own' : 'library';
    return fillInSteps(CODE_FILLS[whose], selfShareOf(c, node));
  }
  if (colour === 'self') return selfCostFill(c, node);
  // A probable rename is no change of cost.
  if (colour === 'difference') return isGuess(c, node.routine) ? 'same' : changeFillOf(c, node);
  return costliestAreasOf(c.analysis, widthEvent(c), colour).of(node.routine);
}

/** The marks before a frame's name: the sign of a difference or negative cost, `?` for a probable rename, and ≈ for an estimate. */
function nameMarks(c: FlameContext, node: TreeNode, { colour }: Pick<FlameStyle, 'colour'>, width: number): string {
  const change = colour === 'difference' && changeFillOf(c, node) !== 'same' ? inclusiveChangeOf(c, node) : 0;
  const sign =
    change !== 0 && isGuess(c, node.routine)
      ? '?'
      : change > 0
        ? '+'
        : change < 0 || nodeValue(widthEvent(c), node) < 0
          ? '-'
          : '';
  return (sign !== '' && width >= MIN_SPACED_SIGN_WIDTH ? `${sign} ` : sign) + (node.estimated ? '≈' : '');
}

/** A frame's name with its marks, shortened to the width; '' if too little of the name would be left. */
export function frameNameInWidth(c: FlameContext, node: TreeNode, look: Pick<FlameStyle, 'colour'>, width: number): string {
  const before = width >= MIN_MARKED_WIDTH ? nameMarks(c, node, look, width) : '';
  const address = addressInObject(c.analysis.profile, node.routine);
  if (address !== undefined)
    return fit(before + address, width)
      .replace(/^.{0,3}…$/u, '')
      .trimEnd();
  const cell = nameCell(c, node.routine, { before, after: node.recursive && width >= MIN_MARKED_WIDTH ? ' ↻' : '' });
  const shown = nameInBox(cell, before, width);
  // A single letter with an ellipsis, or only an ellipsis, tells nothing.
  return /^.?…$/u.test(shown) || /^[…~.]*$/.test(shown) ? '' : shown;
}

/** A line of a box: its name, its costs, or its place in the source. */
export type BoxLine = 'name' | 'costs' | 'place';

/** The file and line of a frame's routine; '' if they do not fit. */
function placeText({ analysis: { profile } }: FlameContext, { routine }: TreeNode, width: number): string {
  const text = visible(baseName(routineLocation(profile, routine) ?? ''));
  return cellWidth(text) <= width ? text : '';
}

/** The rows of a flame graph as drawn boxes. Each row is drawn once, and then cached. */
export class FlamePicture {
  private readonly drawnRows = new Map<string, readonly DrawnBox[]>();

  constructor(
    private readonly c: FlameContext,
    private readonly layout: FlameLayout,
    private readonly look: FlameStyle,
  ) {}

  boxesOfRow(row: number, line: BoxLine = 'name'): readonly DrawnBox[] {
    const boxes = this.layout.rows[row];
    if (!boxes) return [];
    return getOrMake(this.drawnRows, `${row} ${line}`, () =>
      boxes.flatMap((box, i) => {
        const [from] = boxCellRange(box);
        return this.drawBox(box, from > 0 && i > 0 && from === boxCellRange(boxes[i - 1])[1], line) ?? [];
      }),
    );
  }

  /** Draws a line of a box. `touches`: no gap separates it from the box on its left. */
  private drawBox(box: FlameBox, touches: boolean, line: BoxLine): DrawnBox | undefined {
    const { c, layout, look } = this;
    const [at, to] = boxCellRange(box);
    const width = to - at;
    if (width <= 0) return undefined;
    const printed = look.form === 'text';
    const back = look.form === 'filled' ? 'rest' : 'dim';
    if (box.sum) {
      const dots = narrowFramesDots(box, width);
      const text = (cells: number) => (line === 'name' ? narrowFramesText(c, box, cells) : '');
      const [edge, name] = printed ? [dots.slice(0, 1), dots.slice(1)] : this.edgeAndName(text, width, touches, ' ');
      return { box, at, edge, name, style: back };
    }
    const node = layout.tree.nodes[box.node];
    const faint = look.isFaint(node.routine);
    // Frames above the zoomed frame have the full width, so they are not coloured.
    const style = faint || box.row < layout.above ? back : fillOfFrame(c, node, look);
    // Printed text cannot be dim, so faint frames have no name.
    const printedName = () => fit(faint || width === 1 ? '' : frameNameInWidth(c, node, look, width - 1), width - 1);
    if (printed) return { box, at, edge: '│', name: printedName(), style };
    const text = (availableWidth: number) => {
      if (line === 'name') return frameNameInWidth(c, node, look, availableWidth);
      return line === 'costs' ? this.sharesText(node, availableWidth) : placeText(c, node, availableWidth);
    };
    const [edge, name] = this.edgeAndName(text, width, touches, line === 'name' ? '─' : ' ');
    return { box, at, edge, name, style };
  }

  /** The edge of a box, and the text padded to its width. Boxes without colours end with a bracket. */
  private edgeAndName(text: (cells: number) => string, width: number, touches: boolean, pad: string): [string, string] {
    if (this.look.form === 'filled') {
      const edge = !touches ? ' ' : this.look.ascii ? '|' : '▏';
      return [edge, fit(width < MIN_NAMED_WIDTH ? '' : text(width - 1), width - 1)];
    }
    if (width < MIN_NAMED_WIDTH) return width === 1 ? ['│', ''] : ['[', ']'];
    const inside = text(width - 2);
    return ['[', `${inside}${pad.repeat(width - 2 - cellWidth(inside))}]`];
  }

  /** Self and inclusive cost as percentages, or the change. Both costs are shown or none: a single number would be ambiguous. */
  private sharesText(node: TreeNode, width: number): string {
    const { c, layout, look } = this;
    const event = widthEvent(c);
    const inclusive = frameShareText(c, nodeValue(event, node), node.estimated);
    const self = frameShareText(c, nodeSelf(event, node), node.selfEstimated);
    // In an inverted tree, self and inclusive cost are the same part of the root's self cost.
    const costs = layout.tree.inverted ? inclusive : `${self} / ${inclusive}`;
    const text = look.colour === 'difference' ? changePercent(c, inclusiveChangeOf(c, node)) : costs;
    return text.length <= width ? text : '';
  }
}
