// The facts of the frame under the cursor, for the line below the boxes.
import { wholeOf } from '../../analysis/answers/analysis.ts';
import type { Box } from '../../analysis/answers/flame/layout.ts';
import { exactTerms, nodeSelf, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineDetail } from '../../analysis/names/names.ts';
import { type Exact, formatPercent, plural } from '../../base/units.ts';
import { costText } from '../../columns/costs.ts';
import { titleName } from '../../columns/names.ts';
import { changeOf, changePercent, widthEvent } from '../../pictures/flame.ts';
import type { ViewContext } from '../view.ts';
import { boxAt, type FlameState } from './state.ts';

/** Frames are programs, and cost their processes. */
export const ofProcesses = ({ analysis }: ViewContext) => analysis.costing.can.has('processes');

/** Cells below which name, cost and share are all that is said of a frame. */
const WITH_SELF = 60;

/** A cost in the event of the boxes. */
export const frameCost = (c: ViewContext, value: Exact, estimated: boolean): string =>
  ofProcesses(c) ? plural(Number(value), 'process') : costText(c, value, estimated, widthEvent(c));

/** Cost, share and self cost of a frame: facts before the name, so that no number is cut off behind it. */
function factsOf(c: ViewContext, node: TreeNode, inverted: boolean): string {
  const { analysis } = c;
  const width = widthEvent(c);
  const whole = wholeOf(analysis, width);
  const own = nodeSelf(width, node);
  const mark = node.selfEstimated ? '≈' : '';
  const value = nodeValue(width, node);
  return [
    `${frameCost(c, exactTerms(width, node.inclusive), node.estimated)} ${formatPercent(value, whole)}`,
    inverted || c.width < WITH_SELF ? '' : `, self ${mark}${formatPercent(own, whole)}`,
    analysis.before ? `, ${changePercent(c, changeOf(c, node))} of the base` : '',
  ].join('');
}

/** The cost of narrow frames, which have no name. */
function sumFacts(c: ViewContext, box: Box | undefined): string {
  if (!box?.sum) return '';
  const cost = frameCost(c, box.value, box.sum.estimated);
  const share = formatPercent(box.value, wholeOf(c.analysis, widthEvent(c)));
  return `${plural(box.nodes, 'frame')} too narrow to show: ${cost} ${share}`;
}

export function detailOf(state: FlameState, c: ViewContext): string {
  const node = state.tree.nodes[state.cursor];
  if (!node) return sumFacts(c, boxAt(state, c));
  const facts = factsOf(c, node, state.inverted);
  // A program has no place, and its name is short.
  if (ofProcesses(c)) return `${titleName(c, node.routine, Math.floor(c.width / 3))}: ${facts}`;
  // On a narrow screen the name is what the frame may have no room for.
  if (c.width < WITH_SELF) return `${titleName(c, node.routine, c.width - facts.length - 4)}  ${facts}`;
  return `${facts}  ${routineDetail(c.analysis.profile, node.routine)}`;
}
