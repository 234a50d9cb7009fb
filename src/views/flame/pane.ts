// The pane beside the boxes on wide screens: the frame under the cursor with its whole name, its costs, and the frames that it is inside of.
import { wholeOf } from '../../analysis/answers/analysis.ts';
import { aboveIn } from '../../analysis/answers/flame/layout.ts';
import { exactTerms, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineName, routineObject, routinePlace } from '../../analysis/names/names.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit, visible, wrapped } from '../../base/text.ts';
import { type Exact, formatCount, formatPercent, plural } from '../../base/units.ts';
import { nameCell } from '../../columns/names.ts';
import { changeOf, changePercent, widthEvent } from '../../pictures/flame.ts';
import { fieldRows } from '../parts/detail-view.ts';
import { fieldText, type TextRow } from '../parts/lines.ts';
import type { Span, ViewContext } from '../view.ts';
import { frameCost, ofProcesses } from './facts.ts';
import { boxAt, type FlameState } from './state.ts';

/** The nearest callers: a move writes all of them. */
const MOST_CALLERS = 10;
/** Lines of a name; the line below the boxes has some more of it. */
const MOST_NAME = 8;
/** Cells of a share and its mark. */
const SHARE = 8;

/** The costs of a node or of a sum, in the event of the boxes and as a share. */
function costRows(state: FlameState, c: ViewContext, width: number, node: TreeNode | undefined): TextRow[] {
  const event = widthEvent(c);
  const whole = wholeOf(c.analysis, event);
  const rows: TextRow[] = [];
  const say = (label: string, value: string) => rows.push(...fieldRows(label, value, 'plain', width));
  const cost = (label: string, value: Exact, estimated: boolean) =>
    say(label, `${frameCost(c, value, estimated)}  ${estimated ? '≈' : ''}${formatPercent(Number(value), whole)}`);
  const sum = boxAt(state, c);
  if (node) cost('inclusive', exactTerms(event, node.inclusive), node.estimated);
  else if (sum) cost('together', sum.value, sum.sum?.estimated === true);
  if (!node) return rows;
  if (!state.inverted) cost('self', exactTerms(event, node.self), node.selfEstimated);
  if (node.calls >= 0 && !ofProcesses(c)) say('calls', formatCount(node.calls));
  if (c.analysis.before) say('change', `${changePercent(c, changeOf(c, node))} of the base`);
  return rows;
}

/** A frame that the one under the cursor is inside of: its share and its name. */
function callerRow(node: TreeNode, c: ViewContext, width: number): TextRow {
  const event = widthEvent(c);
  const share = `${node.estimated ? '≈' : ''}${formatPercent(nodeValue(event, node), wholeOf(c.analysis, event))}`;
  const room = Math.max(1, width - SHARE - 3);
  const cell = nameCell(c, node.routine);
  return { text: ` ${fit(share, SHARE, 'right')}  ${fit(visible(cell.short?.(room) ?? cell.text), room)}`, style: 'plain' };
}

function callerRows({ tree, cursor, inverted }: FlameState, c: ViewContext, width: number): TextRow[] {
  const rows: TextRow[] = [];
  let id = aboveIn(tree, cursor);
  for (; id !== -1 && rows.length < MOST_CALLERS; id = aboveIn(tree, id)) rows.push(callerRow(tree.nodes[id], c, width));
  if (rows.length === 0) return [];
  const title = inverted ? 'calls' : ofProcesses(c) ? 'started by' : 'called by';
  const more: TextRow[] = id === -1 ? [] : [{ text: `   and ${plural(tree.nodes[id].depth + 1, 'frame')} above`, style: 'dim' }];
  return [{ text: '', style: 'plain' }, { text: ` ${title}`, style: 'bold' }, ...rows, ...more];
}

function nameRows(name: string, width: number): TextRow[] {
  const lines = wrapped(fieldText(name), width - 1, width - 1, 1 / 2);
  const shown = lines.slice(0, MOST_NAME);
  if (lines.length > MOST_NAME) shown[MOST_NAME - 1] = cutEnd(shown[MOST_NAME - 1], width - 2) + ELLIPSIS;
  return shown.map((line): TextRow => ({ text: ` ${line}`, style: 'bold' }));
}

function rowsOf(state: FlameState, c: ViewContext, width: number): TextRow[] {
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
    ...(node && profile.files.name.length > 0 ? field('file', routinePlace(profile, node.routine)) : []),
    ...(node && profile.objects.name.length > 0 ? field('object', routineObject(profile, node.routine)) : []),
    { text: '', style: 'plain' },
    ...costRows(state, c, width, node),
    ...callerRows(state, c, width),
  ];
}

/** As many lines as there are, each of exactly so many cells. */
export function paneSpans(state: FlameState, c: ViewContext, width: number): Span[] {
  return rowsOf(state, c, width).map(({ text, style }): Span => [cellWidth(text) === width ? text : fit(text, width), style]);
}
