// Facts about the frame under the cursor, shown below the boxes.
import type { FlameBox } from '../../analysis/answers/flame/layout.ts';
import { exactTerms, nodeSelf, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineDetail } from '../../analysis/names/names.ts';
import { type Exact, plural } from '../../base/units.ts';
import { costText } from '../../columns/costs.ts';
import { titleName } from '../../columns/names.ts';
import { changePercent, frameShareText, inclusiveChangeOf, widthEvent } from '../../pictures/flame.ts';
import type { ViewContext } from '../view.ts';
import { boxUnderCursor, type FlameState } from './state.ts';

/** Whether the profile is a build trace: frames are programs, and costs are numbers of processes. */
export const showsProcesses = ({ analysis }: ViewContext) => analysis.costing.can.has('processes');

/** Minimum screen width for the self cost of a frame; narrower screens show name, cost and share. */
const MIN_WIDTH_WITH_SELF = 60;

/** A cost as text, in the event that determines the width of boxes. */
export const frameCostText = (c: ViewContext, value: Exact, estimated: boolean): string =>
  showsProcesses(c) ? plural(Number(value), 'process') : costText(c, value, estimated, widthEvent(c));

/** Cost, share and self cost of a frame. They come before the name, so that a long name does not hide them. */
function frameFacts(c: ViewContext, node: TreeNode, inverted: boolean): string {
  const width = widthEvent(c);
  const self = frameShareText(c, nodeSelf(width, node), node.selfEstimated);
  return [
    `${frameCostText(c, exactTerms(width, node.inclusive, node.calls), node.estimated)} ${frameShareText(c, nodeValue(width, node))}`,
    inverted || c.width < MIN_WIDTH_WITH_SELF ? '' : `, self ${self}`,
    c.analysis.before ? `, ${changePercent(c, inclusiveChangeOf(c, node))} of the base` : '',
  ].join('');
}

/** The number and summed cost of a group of frames that are too narrow to draw. */
function narrowFramesFacts(c: ViewContext, box: FlameBox | undefined): string {
  if (!box?.sum) return '';
  const cost = frameCostText(c, box.value, box.sum.estimated);
  return `${plural(box.nodes, 'frame')} too narrow to show: ${cost} ${frameShareText(c, box.value)}`;
}

export function flameDetail(state: FlameState, c: ViewContext): string {
  const node = state.tree.nodes[state.cursor];
  if (!node) return narrowFramesFacts(c, boxUnderCursor(state, c));
  const facts = frameFacts(c, node, state.tree.inverted);
  // Programs have no source location, and their names are short.
  if (showsProcesses(c)) return `${titleName(c, node.routine, Math.floor(c.width / 3))}: ${facts}`;
  // On narrow screens the name comes first, because the box may be too narrow to show it.
  if (c.width < MIN_WIDTH_WITH_SELF) return `${titleName(c, node.routine, c.width - facts.length - 4)}  ${facts}`;
  return `${facts}  ${routineDetail(c.analysis.profile, node.routine)}`;
}
