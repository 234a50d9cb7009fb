// The facts of the frame under the cursor, for the line below the boxes.
import { percentageBase } from '../../analysis/answers/analysis.ts';
import type { FlameBox } from '../../analysis/answers/flame/layout.ts';
import { exactTerms, nodeSelf, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineDetail } from '../../analysis/names/names.ts';
import { type Exact, formatPercent, plural } from '../../base/units.ts';
import { costText } from '../../columns/costs.ts';
import { titleName } from '../../columns/names.ts';
import { changePercent, inclusiveChangeOf, widthEvent } from '../../pictures/flame.ts';
import type { ViewContext } from '../view.ts';
import { boxAt, type FlameState } from './state.ts';

/** True for build traces: frames are programs, and their cost is a number of processes. */
export const showsProcesses = ({ analysis }: ViewContext) => analysis.costing.can.has('processes');

/** Narrower screens show only name, cost and share of a frame. */
const WITH_SELF = 60;

/** A cost as text, in the event that sets the width of boxes. */
export const frameCost = (c: ViewContext, value: Exact, estimated: boolean): string =>
  showsProcesses(c) ? plural(Number(value), 'process') : costText(c, value, estimated, widthEvent(c));

/** Cost, share and self cost of a frame. They precede the name, so that a long name does not cut them off. */
function frameFacts(c: ViewContext, node: TreeNode, inverted: boolean): string {
  const { analysis } = c;
  const width = widthEvent(c);
  const whole = percentageBase(analysis, width);
  const own = nodeSelf(width, node);
  const mark = node.selfEstimated ? '≈' : '';
  const value = nodeValue(width, node);
  return [
    `${frameCost(c, exactTerms(width, node.inclusive), node.estimated)} ${formatPercent(value, whole)}`,
    inverted || c.width < WITH_SELF ? '' : `, self ${mark}${formatPercent(own, whole)}`,
    analysis.before ? `, ${changePercent(c, inclusiveChangeOf(c, node))} of the base` : '',
  ].join('');
}

/** The summed cost of frames that are too narrow to draw. */
function sumFacts(c: ViewContext, box: FlameBox | undefined): string {
  if (!box?.sum) return '';
  const cost = frameCost(c, box.value, box.sum.estimated);
  const share = formatPercent(box.value, percentageBase(c.analysis, widthEvent(c)));
  return `${plural(box.nodes, 'frame')} too narrow to show: ${cost} ${share}`;
}

export function detailOf(state: FlameState, c: ViewContext): string {
  const node = state.tree.nodes[state.cursor];
  if (!node) return sumFacts(c, boxAt(state, c));
  const facts = frameFacts(c, node, state.inverted);
  // Programs have no source location, and their names are short.
  if (showsProcesses(c)) return `${titleName(c, node.routine, Math.floor(c.width / 3))}: ${facts}`;
  // On a narrow screen the name comes first: the frame itself may be too narrow for it.
  if (c.width < WITH_SELF) return `${titleName(c, node.routine, c.width - facts.length - 4)}  ${facts}`;
  return `${facts}  ${routineDetail(c.analysis.profile, node.routine)}`;
}
