// The flame report: the calling-context tree as a flame graph in text and SVG; as data, the rows of the tree.
import { wholeOf } from '../analysis/answers/analysis.ts';
import { FlameLayout, type Paper } from '../analysis/answers/flame/layout.ts';
import { openTree } from '../analysis/answers/tree.ts';
import { cellWidth } from '../base/text.ts';
import { formatPercent, plural } from '../base/units.ts';
import { type TreeRow, treeTable } from '../columns/tree.ts';
import { eventValue } from '../model/event-value.ts';
import type { Kind } from '../model/profile.ts';
import { FlamePicture, type Look, type Piece, whyNoFlame, widthEvent } from '../pictures/flame.ts';
import { flameSvg } from './flame-svg.ts';
import { report } from './print.ts';
import { type ReportContext, ReportError, routineMatches } from './report.ts';
import { sourceOf, treeSpec } from './tree.ts';

/** Rows of depth without --limit: what is deeper is recursion. */
const MOST_DEPTH = 1000;

/** The boxes on such a paper, unfolded as deep as --limit says; frames below --threshold are summed. */
function laidOut(context: ReportContext, paper: Paper): FlameLayout {
  const { analysis, inverted, threshold = 0, limit } = context;
  const event = widthEvent(context);
  const why = whyNoFlame(context);
  if (why) throw new ReportError(`--print flame: ${why}`);
  const tree = openTree(sourceOf(context), inverted, event);
  const least = Math.max(paper.least, (paper.width * threshold) / 100);
  const total = eventValue(event, analysis.totals.total, 0);
  const layout = new FlameLayout(tree, event, -1, { ...paper, least }, total);
  // One row more, to tell whether there is one.
  layout.run(Math.min(limit, MOST_DEPTH) + 1, Number.POSITIVE_INFINITY);
  return layout;
}

function lookOf(context: ReportContext): Look {
  const faint = (routine: number) => !routineMatches(context, routine);
  return { colour: context.analysis.before ? 'difference' : 'self', faint, form: 'text' };
}

function lineOf(pieces: readonly Piece[]): string {
  let out = '';
  let at = 0;
  for (const piece of pieces) {
    const text = piece.edge + piece.name;
    out += ' '.repeat(Math.max(0, piece.at - at)) + text;
    at = Math.max(at, piece.at) + cellWidth(text);
  }
  return out.trimEnd();
}

const depthOf = ({ limit }: ReportContext) => Math.min(limit, MOST_DEPTH);

/** The parts that the picture leaves out. */
function leftOut(context: ReportContext, layout: FlameLayout): string[] {
  const { analysis, inverted } = context;
  const deeper = layout.rows.length > depthOf(context) || layout.cut;
  const shown = Math.min(layout.rows.length, depthOf(context));
  const narrow = layout.narrowIn(shown);
  return [
    ...(deeper ? [`deeper than ${plural(shown, 'row')}: left out (--limit N)`] : []),
    ...(narrow > 0
      ? [`${formatPercent(narrow, wholeOf(analysis, widthEvent(context)))} of the total is in frames too narrow to show`]
      : []),
    ...(context.filtered ? ['frames without a name do not match the filter'] : []),
    ...(layout.squeezed ? ['children that cost more than their parent are narrowed to fit'] : []),
    ...(layout.tree.source.exact || inverted ? [] : ['≈ estimated from call shares']),
  ];
}

/** Cells of a picture that is no part of a terminal, as in Markdown; and the most, since every cell may be a frame. */
const WIDTH = 120;
const WIDEST = 1000;

export const flame = report<TreeRow, Kind>({
  name: 'flame',
  title: 'calling-context tree as a flame graph (text, --svg), --limit is its depth; as data, the rows of tree',
  asks: ['trees'],
  // The picture says it all: people get no table.
  table(context) {
    const { columns, ...table } = treeTable('routine', context.inverted);
    return { ...table, columns: (c) => columns(c).map(({ text: _, ...column }) => column) };
  },
  rows: treeSpec.rows,
  ...(treeSpec.extra ? { extra: treeSpec.extra } : {}),
  head(context) {
    const layout = laidOut(context, {
      width: Number.isFinite(context.width) ? Math.min(context.width, WIDEST) : WIDTH,
      least: 1,
    });
    const picture = new FlamePicture(context, layout, lookOf(context));
    const rows = Math.min(layout.rows.length, depthOf(context));
    const lines = Array.from({ length: rows }, (_, r) => lineOf(picture.row(r)));
    const notes = leftOut(context, layout);
    return [...lines, ...(notes.length > 0 ? [''] : []), ...notes];
  },
  drawn: true,
  svg: (context) => {
    const paper = { width: 1200, least: 0.1, most: 20_000 };
    const layout = laidOut(context, paper);
    return flameSvg(context, layout, paper.width, depthOf(context), lookOf(context).faint, leftOut(context, layout));
  },
});
