// The frame under the cursor: facts for the line above the footer; on large screens, lines below the boxes, with the frames above it and
// those it calls.
import { percentageBase } from '../../analysis/answers/analysis.ts';
import { type FlameBox, parentNodeOf } from '../../analysis/answers/flame/layout.ts';
import { canUnfold, childrenOf, exactTerms, nodeSelf, nodeValue, type TreeNode } from '../../analysis/answers/tree.ts';
import { routineDetail, routineLocation, routineName, routineObject } from '../../analysis/names/names.ts';
import { sortedByKey } from '../../base/lists.ts';
import { cutEnd, ELLIPSIS, fit, visible, wrapText } from '../../base/text.ts';
import { type Exact, formatCount, formatPercent, plural } from '../../base/units.ts';
import { isGuess } from '../../columns/compared.ts';
import { costText } from '../../columns/costs.ts';
import { nameCell, titleName } from '../../columns/names.ts';
import { changePercent, frameShareText, inclusiveChangeOf, widthEvent } from '../../pictures/flame.ts';
import { fieldRows } from '../parts/detail-view.ts';
import { printableFieldText, type TextRow } from '../parts/lines.ts';
import type { ScreenLine, Span, ViewContext } from '../view.ts';
import { boxUnderCursor, type FlameState, LARGE_SIZE } from './state.ts';

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
    isGuess(c, node.routine) ? ', probably renamed' : '',
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

const MAX_NAME_LINES = 4;
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
  if (node) addCost('inclusive', exactTerms(event, node.inclusive, node.calls), node.estimated);
  else if (sum) addCost('together', sum.value, sum.sum?.estimated === true);
  if (!node) return rows;
  if (!state.tree.inverted) addCost('self', exactTerms(event, node.self, node.calls), node.selfEstimated);
  if (node.calls >= 0 && !showsProcesses(c)) addField('calls', formatCount(node.calls));
  if (c.analysis.before) addField('change', `${changePercent(c, inclusiveChangeOf(c, node))} of the base`);
  return rows;
}

/** A row for a caller or callee: its share of a cost, or with a base its change as a share of the base's total, and its name. */
function frameRow(node: TreeNode, whole: number, c: ViewContext, width: number): TextRow {
  const part = `${node.estimated ? '≈' : ''}${formatPercent(nodeValue(widthEvent(c), node), whole)}`;
  const share = c.analysis.before ? changePercent(c, inclusiveChangeOf(c, node)) : part;
  const nameWidth = Math.max(1, width - SHARE_WIDTH - 3);
  const cell = nameCell(c, node.routine);
  return {
    text: ` ${fit(share, SHARE_WIDTH, 'right')}  ${fit(visible(cell.short?.(nameWidth) ?? cell.text), nameWidth)}`,
    style: 'plain',
  };
}

const partTitle = (c: ViewContext, title: string, part: string): TextRow => ({
  text: ` ${title}${c.analysis.before ? ', change of the base' : part}`,
  style: 'bold',
});

/** The frames above the cursor, nearest first. */
function callerRows({ tree, cursor }: FlameState, c: ViewContext, width: number, height: number): TextRow[] {
  const rows: TextRow[] = [];
  let id = parentNodeOf(tree, cursor);
  for (; id !== -1 && rows.length < height - 2; id = parentNodeOf(tree, id))
    rows.push(frameRow(tree.nodes[id], percentageBase(c.analysis, widthEvent(c)), c, width));
  if (rows.length === 0) return [];
  const title = tree.inverted ? 'Calls' : showsProcesses(c) ? 'Started by' : 'Called by';
  const more: TextRow[] = id === -1 ? [] : [{ text: `   and ${plural(tree.nodes[id].depth + 1, 'frame')} above`, style: 'dim' }];
  return [partTitle(c, title, ''), ...rows, ...more];
}

/** The frames below the cursor, most expensive first; with a base, most changed first. */
function calleeRows({ tree, cursor }: FlameState, c: ViewContext, width: number, height: number): TextRow[] {
  const event = widthEvent(c);
  const all = cursor >= 0 && canUnfold(tree, cursor) ? childrenOf(tree, cursor, event) : [];
  if (all.length === 0) return [];
  const ids = c.analysis.before ? sortedByKey(all, (id) => Math.abs(inclusiveChangeOf(c, tree.nodes[id])), true) : all;
  const whole = nodeValue(event, tree.nodes[cursor]);
  const rows = ids.slice(0, height - 2).map((id) => frameRow(tree.nodes[id], whole, c, width));
  const title = tree.inverted ? 'Called by' : showsProcesses(c) ? 'Starts' : 'Calls';
  const more: TextRow[] =
    ids.length > rows.length ? [{ text: `   ▸ ${formatCount(ids.length - rows.length)} more`, style: 'dim' }] : [];
  return [partTitle(c, title, ', share of it'), ...rows, ...more];
}

function nameRows(name: string, width: number): TextRow[] {
  const lines = wrapText(printableFieldText(name), width - 1, width - 1, 1 / 2);
  const shown = lines.slice(0, MAX_NAME_LINES);
  if (lines.length > MAX_NAME_LINES) shown[MAX_NAME_LINES - 1] = cutEnd(shown[MAX_NAME_LINES - 1], width - 2) + ELLIPSIS;
  return shown.map((line): TextRow => ({ text: ` ${line}`, style: 'bold' }));
}

function factRows(state: FlameState, c: ViewContext, width: number): TextRow[] {
  const { profile } = c.analysis;
  const node = state.tree.nodes[state.cursor];
  const sum = boxUnderCursor(state, c);
  const many = sum ? `${plural(sum.nodes, 'frame')} too narrow to show; Enter zooms in` : '';
  const name = node ? routineName(profile, node.routine) : many;
  const field = (label: string, value: string | null) => (value ? fieldRows(label, value, 'plain', width) : []);
  return [
    ...nameRows(name, width),
    ...(node && profile.files.name.length > 0 ? field('file', routineLocation(profile, node.routine)) : []),
    ...(node && profile.objects.name.length > 0 ? field('object', routineObject(profile, node.routine)) : []),
    ...costRows(state, c, width, node),
  ];
}

/** The lines below the boxes: three columns. On narrow screens, the facts are only in the status line. */
export function detailLines(state: FlameState, c: ViewContext, height: number): ScreenLine[] {
  const parts = [...(c.width >= LARGE_SIZE.width ? [factRows] : []), callerRows, calleeRows];
  const width = Math.floor((c.width - parts.length + 1) / parts.length);
  const columns = parts.map((rows) => rows(state, c, width, height));
  return Array.from({ length: height }, (_, i) => {
    const spans = columns.map((rows): Span => [fit(rows[i]?.text ?? '', width), rows[i]?.style ?? 'plain']);
    return { spans: spans.flatMap((span, k): Span[] => (k === 0 ? [span] : [['│', 'dim'], span])) };
  });
}
