// The pane next to the boxes on wide screens: the full name and costs of the frame under the cursor, and its callers.
import { parentNodeOf } from '../../analysis/answers/flame/layout.ts';
import { exactTerms, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineLocation, routineName, routineObject } from '../../analysis/names/names.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit, visible, wrapText } from '../../base/text.ts';
import { type Exact, formatCount, plural } from '../../base/units.ts';
import { nameCell } from '../../columns/names.ts';
import { changePercent, frameShareText, inclusiveChangeOf, widthEvent } from '../../pictures/flame.ts';
import { fieldRows } from '../parts/detail-view.ts';
import { printableFieldText, type TextRow } from '../parts/lines.ts';
import type { Span, ViewContext } from '../view.ts';
import { frameCostText, showsProcesses } from './facts.ts';
import { boxUnderCursor, type FlameState } from './state.ts';

/** Maximum callers in the pane. Every cursor move redraws all of them. */
const MAX_CALLERS = 10;
/** Maximum lines of a name in the pane. */
const MAX_NAME_LINES = 8;
/** Width of a share and its `≈` mark. */
const SHARE_WIDTH = 8;

/** The costs and shares of a frame or of a group of narrow frames, in the event that determines the width of boxes. */
function costRows(state: FlameState, c: ViewContext, width: number, node: TreeNode | undefined): TextRow[] {
  const event = widthEvent(c);
  const rows: TextRow[] = [];
  const addField = (label: string, value: string) => rows.push(...fieldRows(label, value, 'plain', width));
  const addCost = (label: string, value: Exact, estimated: boolean) =>
    addField(label, `${frameCostText(c, value, estimated)}  ${frameShareText(c, Number(value), estimated)}`);
  const sum = boxUnderCursor(state, c);
  if (node) addCost('inclusive', exactTerms(event, node.inclusive), node.estimated);
  else if (sum) addCost('together', sum.value, sum.sum?.estimated === true);
  if (!node) return rows;
  if (!state.tree.inverted) addCost('self', exactTerms(event, node.self), node.selfEstimated);
  if (node.calls >= 0 && !showsProcesses(c)) addField('calls', formatCount(node.calls));
  if (c.analysis.before) addField('change', `${changePercent(c, inclusiveChangeOf(c, node))} of the base`);
  return rows;
}

/** The row of the pane for a caller: its share and name. */
function callerRow(node: TreeNode, c: ViewContext, width: number): TextRow {
  const share = frameShareText(c, nodeValue(widthEvent(c), node), node.estimated);
  const nameWidth = Math.max(1, width - SHARE_WIDTH - 3);
  const cell = nameCell(c, node.routine);
  return {
    text: ` ${fit(share, SHARE_WIDTH, 'right')}  ${fit(visible(cell.short?.(nameWidth) ?? cell.text), nameWidth)}`,
    style: 'plain',
  };
}

function callerRows({ tree, cursor }: FlameState, c: ViewContext, width: number): TextRow[] {
  const rows: TextRow[] = [];
  let id = parentNodeOf(tree, cursor);
  for (; id !== -1 && rows.length < MAX_CALLERS; id = parentNodeOf(tree, id)) rows.push(callerRow(tree.nodes[id], c, width));
  if (rows.length === 0) return [];
  const title = tree.inverted ? 'calls' : showsProcesses(c) ? 'started by' : 'called by';
  const more: TextRow[] = id === -1 ? [] : [{ text: `   and ${plural(tree.nodes[id].depth + 1, 'frame')} above`, style: 'dim' }];
  return [{ text: '', style: 'plain' }, { text: ` ${title}`, style: 'bold' }, ...rows, ...more];
}

function nameRows(name: string, width: number): TextRow[] {
  const lines = wrapText(printableFieldText(name), width - 1, width - 1, 1 / 2);
  const shown = lines.slice(0, MAX_NAME_LINES);
  if (lines.length > MAX_NAME_LINES) shown[MAX_NAME_LINES - 1] = cutEnd(shown[MAX_NAME_LINES - 1], width - 2) + ELLIPSIS;
  return shown.map((line): TextRow => ({ text: ` ${line}`, style: 'bold' }));
}

function paneRows(state: FlameState, c: ViewContext, width: number): TextRow[] {
  const { profile } = c.analysis;
  const node = state.tree.nodes[state.cursor];
  const sum = boxUnderCursor(state, c);
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
export const paneSpans = (state: FlameState, c: ViewContext, width: number): Span[] =>
  paneRows(state, c, width).map(({ text, style }): Span => [cellWidth(text) === width ? text : fit(text, width), style]);
