// The pane beside the boxes on wide screens: full name and costs of the frame under the cursor, and the frames around it.
import { percentageBase } from '../../analysis/answers/analysis.ts';
import { parentIn } from '../../analysis/answers/flame/layout.ts';
import { exactTerms, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineLocation, routineName, routineObject } from '../../analysis/names/names.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit, visible, wrapText } from '../../base/text.ts';
import { type Exact, formatCount, formatPercent, plural } from '../../base/units.ts';
import { nameCell } from '../../columns/names.ts';
import { changePercent, inclusiveChangeOf, widthEvent } from '../../pictures/flame.ts';
import { fieldRows } from '../parts/detail-view.ts';
import { fieldText, type TextRow } from '../parts/lines.ts';
import type { Span, ViewContext } from '../view.ts';
import { frameCost, showsProcesses } from './facts.ts';
import { boxAt, type FlameState } from './state.ts';

/** The largest number of callers: each cursor move redraws all of them. */
const MOST_CALLERS = 10;
/** The largest number of lines of a name. */
const MOST_NAME = 8;
/** Width of a share and its `≈`. */
const SHARE = 8;

/** The costs and shares of a node, or of a group of narrow frames, in the event that sets the width of boxes. */
function costRows(state: FlameState, c: ViewContext, width: number, node: TreeNode | undefined): TextRow[] {
  const event = widthEvent(c);
  const whole = percentageBase(c.analysis, event);
  const rows: TextRow[] = [];
  const addField = (label: string, value: string) => rows.push(...fieldRows(label, value, 'plain', width));
  const addCost = (label: string, value: Exact, estimated: boolean) =>
    addField(label, `${frameCost(c, value, estimated)}  ${estimated ? '≈' : ''}${formatPercent(Number(value), whole)}`);
  const sum = boxAt(state, c);
  if (node) addCost('inclusive', exactTerms(event, node.inclusive), node.estimated);
  else if (sum) addCost('together', sum.value, sum.sum?.estimated === true);
  if (!node) return rows;
  if (!state.inverted) addCost('self', exactTerms(event, node.self), node.selfEstimated);
  if (node.calls >= 0 && !showsProcesses(c)) addField('calls', formatCount(node.calls));
  if (c.analysis.before) addField('change', `${changePercent(c, inclusiveChangeOf(c, node))} of the base`);
  return rows;
}

/** Share and name of a frame around the one under the cursor. */
function callerRow(node: TreeNode, c: ViewContext, width: number): TextRow {
  const event = widthEvent(c);
  const share = `${node.estimated ? '≈' : ''}${formatPercent(nodeValue(event, node), percentageBase(c.analysis, event))}`;
  const nameWidth = Math.max(1, width - SHARE - 3);
  const cell = nameCell(c, node.routine);
  return {
    text: ` ${fit(share, SHARE, 'right')}  ${fit(visible(cell.short?.(nameWidth) ?? cell.text), nameWidth)}`,
    style: 'plain',
  };
}

function callerRows({ tree, cursor, inverted }: FlameState, c: ViewContext, width: number): TextRow[] {
  const rows: TextRow[] = [];
  let id = parentIn(tree, cursor);
  for (; id !== -1 && rows.length < MOST_CALLERS; id = parentIn(tree, id)) rows.push(callerRow(tree.nodes[id], c, width));
  if (rows.length === 0) return [];
  const title = inverted ? 'calls' : showsProcesses(c) ? 'started by' : 'called by';
  const more: TextRow[] = id === -1 ? [] : [{ text: `   and ${plural(tree.nodes[id].depth + 1, 'frame')} above`, style: 'dim' }];
  return [{ text: '', style: 'plain' }, { text: ` ${title}`, style: 'bold' }, ...rows, ...more];
}

function nameRows(name: string, width: number): TextRow[] {
  const lines = wrapText(fieldText(name), width - 1, width - 1, 1 / 2);
  const shown = lines.slice(0, MOST_NAME);
  if (lines.length > MOST_NAME) shown[MOST_NAME - 1] = cutEnd(shown[MOST_NAME - 1], width - 2) + ELLIPSIS;
  return shown.map((line): TextRow => ({ text: ` ${line}`, style: 'bold' }));
}

function paneRows(state: FlameState, c: ViewContext, width: number): TextRow[] {
  const { profile } = c.analysis;
  const node = state.tree.nodes[state.cursor];
  const sum = boxAt(state, c);
  const name = node
    ? routineName(profile, node.routine)
    : sum
      ? `${plural(sum.nodes, 'frame')} too narrow to show; Enter zooms in`
      : '';
  const field = (label: string, value: string | null) => (value ? fieldRows(label, value, 'plain', width) : []);
  return [
    ...nameRows(name, width),
    ...(node && profile.files.name.length > 0 ? field('file', routineLocation(profile, node.routine)) : []),
    ...(node && profile.objects.name.length > 0 ? field('object', routineObject(profile, node.routine)) : []),
    { text: '', style: 'plain' },
    ...costRows(state, c, width, node),
    ...callerRows(state, c, width),
  ];
}

/** The lines of the pane, each exactly `width` cells. */
export function paneSpans(state: FlameState, c: ViewContext, width: number): Span[] {
  return paneRows(state, c, width).map(({ text, style }): Span => [cellWidth(text) === width ? text : fit(text, width), style]);
}
