// The part of the title that describes the flame graph: direction, zoom, colours, and shares that are missing.
import { percentageBase } from '../../analysis/answers/analysis.ts';
import { rootsShare } from '../../analysis/answers/tree.ts';
import { BY_LETTERS } from '../../base/match.ts';
import { visible } from '../../base/text.ts';
import { formatPercent } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import { eventValue } from '../../model/event-value.ts';
import { type FlameColour, noFlameReason, widthEvent } from '../../pictures/flame.ts';
import type { ViewContext } from '../view.ts';
import { type FlameState, filterIn, layoutIn, visibleRowCount, type Zoom } from './state.ts';

export const COLOUR_TEXTS: Readonly<Record<FlameColour, string>> = {
  self: 'coloured by self cost',
  object: 'coloured by object',
  file: 'coloured by file',
  difference: 'coloured by change',
};

const NARROW = '(narrow frames)';

/** The names of the frames that are zoomed into, outermost first. */
function zoomText(state: FlameState, c: ViewContext, width: number): string {
  const { nodes } = state.tree;
  if (state.zooms.length === 0) return '';
  const each = Math.max(14, Math.floor(width / 2 / state.zooms.length));
  const name = ({ node, after }: Zoom) => {
    const own = node < 0 ? '' : visible(titleName(c, nodes[node].routine, each)).replace(/[,;] /g, ',');
    return after === 0 ? own : `${own} ${NARROW}`.trimStart();
  };
  return `, in ${state.zooms.map(name).join(' > ')}`;
}

/** The description of the view's state, in at most `width` cells for the zoom. */
export function modeText(state: FlameState, c: ViewContext, width: number): string {
  if (noFlameReason(c)) return '';
  const { tree, inverted } = state;
  const layout = layoutIn(state, c);
  const whole = percentageBase(c.analysis, widthEvent(c));
  const narrow = layout.narrowIn(state.top + visibleRowCount(state, c));
  const share = inverted ? 1 : rootsShare(tree, widthEvent(c), eventValue(widthEvent(c), c.analysis.totals.total, 0));
  const how = tree.source.exact ? ', exact' : `, ≈ estimated from call shares`;
  const filtering = filterIn(c);
  return [
    inverted ? 'inverted' : 'top-down',
    zoomText(state, c, width),
    narrow > 0 ? `, ${formatPercent(narrow, whole)} in narrow frames` : '',
    how,
    `, ${COLOUR_TEXTS[state.colour]}`,
    Math.abs(share - 1) > 0.001 ? `, roots are ${formatPercent(share, 1)} of the total` : '',
    layout.squeezed ? ', children larger than their parent are narrowed to fit' : '',
    filtering
      ? `, ${filtering.done ? 'frames without a match are dim' : 'filtering'}${filtering.usesLetters ? `, ${BY_LETTERS}` : ''}`
      : '',
  ].join('');
}
