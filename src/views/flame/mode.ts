// The description of the flame graph in the title: direction, zoom, colours, and shares that are not drawn.
import { percentageBase } from '../../analysis/answers/analysis.ts';
import { rootsShare } from '../../analysis/answers/tree.ts';
import { BY_LETTERS_NOTE, filterStatusText } from '../../base/match.ts';
import { visible } from '../../base/text.ts';
import { formatPercent, plural } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import { eventValue } from '../../model/head.ts';
import { type FlameColour, noFlameReason, widthEvent } from '../../pictures/flame.ts';
import type { ViewContext } from '../view.ts';
import { sandwichTitle } from './sandwich.ts';
import { currentFilter, currentLayout, type FlameState, type FlameZoom, rowRange, visibleRowCount } from './state.ts';

export const COLOUR_TEXTS: Readonly<Record<FlameColour, string>> = {
  code: 'coloured by whose code',
  self: 'coloured by self cost',
  object: 'coloured by object',
  file: 'coloured by file',
  difference: 'coloured by change',
};

const NARROW_FRAMES_TEXT = '(narrow frames)';

/** The text with the names of the zoomed frames, outermost first; '' without a zoom. */
function zoomText(state: FlameState, c: ViewContext, width: number): string {
  const { nodes } = state.tree;
  if (state.zooms.length === 0) return '';
  const each = Math.max(14, Math.floor(width / 2 / state.zooms.length));
  const name = ({ node, after }: FlameZoom) => {
    const own = node < 0 ? '' : visible(titleName(c, nodes[node].routine, each)).replace(/[,;] /g, ',');
    return after === 0 ? own : `${own} ${NARROW_FRAMES_TEXT}`.trimStart();
  };
  return `, in ${state.zooms.map(name).join(' > ')}`;
}

/** The description of the flame graph. `width`: cells for the names of zoomed frames. */
export function modeText(state: FlameState, c: ViewContext, width: number): string {
  if (noFlameReason(c)) return '';
  const { tree } = state;
  const layout = currentLayout(state, c);
  const { end: rows, done } = rowRange(state, c);
  const whole = percentageBase(c.analysis, widthEvent(c));
  const end = state.top + visibleRowCount(state, c);
  const narrow = layout.narrowIn(end);
  const below = done ? rows - end : 0;
  const share =
    tree.inverted || state.sandwich ? 1 : rootsShare(tree, widthEvent(c), eventValue(widthEvent(c), c.analysis.totals.total, 0));
  const how = tree.source.exact ? ', exact' : `, ≈ estimated from call shares`;
  const filtering = currentFilter(c);
  return [
    state.sandwich ? sandwichTitle(state.sandwich.routine, c, width) : tree.inverted ? 'inverted' : 'top-down',
    zoomText(state, c, width),
    filterStatusText(undefined, filtering?.wrong === undefined ? undefined : filtering),
    below > 0 ? `, ${plural(below, 'row')} below` : '',
    narrow > 0 ? `, ${formatPercent(narrow, whole)} in narrow frames` : '',
    how,
    `, ${COLOUR_TEXTS[state.colour]}`,
    Math.abs(share - 1) > 0.001 ? `, roots are ${formatPercent(share, 1)} of the total` : '',
    layout.squeezed ? ', children larger than their parent are narrowed to fit' : '',
    filtering
      ? `, ${filtering.done ? 'frames without a match are dim' : 'filtering'}${filtering.usesLetters ? `, ${BY_LETTERS_NOTE}` : ''}`
      : '',
  ].join('');
}
