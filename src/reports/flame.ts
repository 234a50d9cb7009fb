// The flame report: the calling-context tree as a flame graph (text, SVG), or as data the rows of the tree report.
import { percentageBase } from '../analysis/answers/analysis.ts';
import { FlameLayout, type LayoutSize } from '../analysis/answers/flame/layout.ts';
import { openTree } from '../analysis/answers/tree.ts';
import { cellWidth } from '../base/text.ts';
import { formatPercent, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import { eventValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { type DrawnBox, FlamePicture, noFlameReason, widthEvent } from '../pictures/flame.ts';
import { flameSvg } from './flame-svg.ts';
import { makeReport } from './print.ts';
import { type ReportContext, ReportError, routineFilterOf } from './report.ts';
import { treeSourceOf, treeSpec } from './tree.ts';

/** Maximum depth without --limit: deeper stacks are recursion. */
const MAX_DEPTH = 1000;

/** Lays out the boxes down to the depth of --limit; frames below --threshold are summed. */
function layOutFlame(context: ReportContext, paper: LayoutSize): FlameLayout {
  const { analysis, inverted, threshold = 0, limit } = context;
  const event = widthEvent(context);
  const reason = noFlameReason(context);
  if (reason) throw new ReportError(`--print flame: ${reason}`);
  const tree = openTree(treeSourceOf(context), inverted, event);
  const least = Math.max(paper.least, (paper.width * threshold) / 100);
  const layout = new FlameLayout(tree, event, -1, { ...paper, least }, eventValue(event, analysis.totals.total, 0));
  // One row more than shown, to find out whether deeper rows exist.
  layout.run(Math.min(limit, MAX_DEPTH) + 1, Number.POSITIVE_INFINITY);
  return layout;
}

function lineOfBoxes(pieces: readonly DrawnBox[]): string {
  let out = '';
  let column = 0;
  for (const piece of pieces) {
    const text = piece.edge + piece.name;
    out += ' '.repeat(Math.max(0, piece.at - column)) + text;
    column = Math.max(column, piece.at) + cellWidth(text);
  }
  return out.trimEnd();
}

const depthLimitOf = ({ limit }: ReportContext) => Math.min(limit, MAX_DEPTH);

/** Notes about what the picture leaves out or estimates. */
function omissionNotes(context: ReportContext, layout: FlameLayout): string[] {
  const { analysis, inverted } = context;
  const deeper = layout.rows.length > depthLimitOf(context) || layout.cut;
  const shown = Math.min(layout.rows.length, depthLimitOf(context));
  const narrow = layout.narrowIn(shown);
  return [
    ...(deeper ? [`deeper than ${plural(shown, 'row')}: left out (--limit N)`] : []),
    ...(narrow > 0
      ? [`${formatPercent(narrow, percentageBase(analysis, widthEvent(context)))} of the total is in frames too narrow to show`]
      : []),
    ...(context.filtered ? ['frames without a name do not match the filter'] : []),
    ...(layout.squeezed ? ['children that cost more than their parent are narrowed to fit'] : []),
    ...(layout.tree.source.exact || inverted ? [] : ['≈ estimated from call shares']),
  ];
}

/** Width of a picture without a terminal (Markdown), in cells, and maximum width: each cell may be a frame. */
const DEFAULT_PICTURE_WIDTH = 120;
const MAX_PICTURE_WIDTH = 1000;

/** The rows of a tree as lines of text, its roots first, and the notes below them. */
function drawFrames(context: ReportContext): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  const width = Number.isFinite(context.width) ? Math.min(context.width, MAX_PICTURE_WIDTH) : DEFAULT_PICTURE_WIDTH;
  const layout = layOutFlame(context, { width, least: 1 });
  const passes = routineFilterOf(context);
  const isFaint = (routine: number) => !passes(routine);
  const colour = context.analysis.before ? 'difference' : 'self';
  const picture = new FlamePicture(context, layout, { colour, isFaint, form: 'text' });
  const rows = Math.min(layout.rows.length, depthLimitOf(context));
  const lines = Array.from({ length: rows }, (_, r) => lineOfBoxes(picture.boxesOfRow(r)));
  return { lines, notes: omissionNotes(context, layout) };
}

export const flame = makeReport<TreeRow, Kind>({
  name: 'flame',
  title: 'calling-context tree as a flame graph (text, --svg), --limit is its depth; as data, the rows of tree',
  requires: ['trees'],
  filtersRoutines: true,
  // People see the picture instead of a table.
  table(context) {
    const { columns, ...table } = treeTable('routine', context.inverted);
    return { ...table, columns: (c) => columns(c).map(({ text: _, ...column }) => column) };
  },
  rows: treeSpec.rows,
  extra: treeSpec.extra,
  head(context) {
    const below = drawFrames(context);
    // The callers of one routine are drawn above it, the nearest at its side; the routine is their first row.
    const isBetween = context.routine !== undefined && !context.inverted;
    const above = isBetween ? drawFrames({ ...context, inverted: true }) : { lines: [], notes: [] };
    const notes = [...new Set([...above.notes, ...below.notes])];
    return [...above.lines.slice(1).reverse(), ...below.lines, ...(notes.length > 0 ? [''] : []), ...notes];
  },
  drawn: true,
  svg: (context) => {
    const layout = layOutFlame(context, { width: 1200, least: 0.1, most: 20_000 });
    return flameSvg(context, layout, depthLimitOf(context), omissionNotes(context, layout));
  },
});
