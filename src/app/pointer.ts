// Handles clicks and the wheel. Cells are counted from 0.

import { cellWidth } from '../base/text.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import type { Action } from './action.ts';
import { footerHints, layOutTabs } from './draw.ts';
import { actionFor } from './keymap.ts';
import { PANEL_HEAD, panelRows, panelWindow } from './panels.ts';
import { asOtherPane } from './split.ts';
import { type AppState, activeView, bodyHeight, contextOf, frameHeightsOf, openView, splitSizes, withView } from './state.ts';

type Click = Extract<Action, { type: 'click' }>;
type Wheel = Extract<Action, { type: 'wheel' }>;

/** The action of a click, and the state in which to apply it. */
export interface PointerTarget {
  readonly state: AppState;
  readonly action: Action;
}

/** Rows that one step of the wheel moves the cursor. */
const STEP = 3;

/** The action of a click or the wheel; undefined for none. A prompt has no use for the pointer. */
export function targetOfPointer(state: AppState, action: Click | Wheel): PointerTarget | undefined {
  if (state.prompt || state.waiting) return undefined;
  if (state.panel) return targetInPanel(state, state.panel, action);
  return action.type === 'wheel' ? targetOfWheel(state, action) : targetOfClick(state, action);
}

/** The first row of the body. */
const bodyTop = (state: AppState): number => {
  const { title, stack, tabs } = frameHeightsOf(state);
  return title + stack + tabs;
};

/** A cell of a pane. In `state`, that pane is active. */
interface BodyCell {
  readonly state: AppState;
  readonly view: OpenView;
  readonly context: ViewContext;
  readonly x: number;
  readonly y: number;
}

/** The cell of a view at a cell of the screen; undefined outside of the body, and on the line between two views. */
export function bodyCellAt(state: AppState, x: number, y: number): BodyCell | undefined {
  const row = y - bodyTop(state);
  if (row < 0 || row >= bodyHeight(state) || x >= state.width) return undefined;
  const sizes = splitSizes(state);
  const cellInPane = (side: AppState, dx: number, dy: number): BodyCell | undefined => {
    const context = contextOf(side);
    const [left, top] = [x - dx, row - dy];
    if (left < 0 || top < 0 || left >= context.width || top >= context.height) return undefined;
    return { state: side, view: openView(side), context, x: left, y: top };
  };
  if (!sizes || !state.split) return cellInPane(state, 0, 0);
  const [first, second] = state.split.side === 'first' ? [state, asOtherPane(state)] : [asOtherPane(state), state];
  const isBeside = state.split.how === 'beside';
  return cellInPane(first, 0, 0) ?? cellInPane(second, isBeside ? sizes[0].width + 1 : 0, isBeside ? 0 : sizes[0].height + 1);
}

function targetOfClick(state: AppState, { x, y }: Click): PointerTarget | undefined {
  const { title, stack, tabs, detail, footer } = frameHeightsOf(state);
  if (stack > 0 && y === title) return { state, action: { type: 'panel', kind: 'transforms' } };
  if (tabs > 0 && y === title + stack) {
    const tab = layOutTabs(state).tabs.find((t) => x >= t.x && x < t.x + t.text.length);
    if (!tab || tab.view === state.view) return undefined;
    const isOther = splitSizes(state) !== undefined && tab.view === state.split?.other.view;
    return { state, action: isOther ? { type: 'next-view', by: 1 } : { type: 'view', view: tab.view } };
  }
  if (footer > 0 && y === bodyTop(state) + bodyHeight(state) + detail) return targetInFooter(state, x);
  const body = bodyCellAt(state, x, y);
  const click = body?.view.clickAt(body.x, body.y, body.context);
  if (!body || !click) return undefined;
  const next = showView(body.state, click.view);
  if (!click.act) return { state: next, action: { type: 'none' } };
  const opens = activeView(next).keys.some((b) => b.keys.includes('enter'));
  return opens ? { state: next, action: actionFor(next, 'enter', '') } : undefined;
}

/** Shows the view as after a key: without a message, and with any search stopped. */
function showView(state: AppState, view: OpenView): AppState {
  return { ...withView(state, view), message: undefined, seeking: undefined };
}

/** The action of the key that the footer shows at `x`. */
function targetInFooter(state: AppState, x: number): PointerTarget | undefined {
  let end = 0;
  const hint = footerHints(state).find(({ spans }) => {
    end += spans.reduce((sum, [text]) => sum + cellWidth(text), 0);
    return x < end;
  });
  return hint && { state, action: actionFor(state, hint.key, hint.key) };
}

/** Moves the cursor of the view under the pointer, as its arrow keys do. */
function targetOfWheel(state: AppState, { by, x, y }: Wheel): PointerTarget | undefined {
  const body = bodyCellAt(state, x, y);
  const move = body && activeView(body.state).keys.find((b) => b.keys.includes(by > 0 ? 'down' : 'up'))?.action;
  if (!body || !move) return undefined;
  let { view } = body;
  for (let i = 0; i < STEP; i++) view = view.act(move, body.context) ?? view;
  const moved = showView(body.state, view);
  // The wheel moves the view under the pointer; the active pane stays active.
  return { state: body.state === state ? moved : asOtherPane(moved), action: { type: 'none' } };
}

/** The wheel moves the cursor of the panel, wherever the pointer is. A click selects a row; a second click runs it. */
function targetInPanel(state: AppState, panel: NonNullable<AppState['panel']>, action: Click | Wheel): PointerTarget | undefined {
  const moveBy = (by: number): PointerTarget => ({ state, action: { type: 'panel-move', by } });
  if (action.type === 'wheel') return moveBy(action.by * STEP);
  const y = action.y - bodyTop(state);
  if (y < PANEL_HEAD || y >= bodyHeight(state)) return undefined;
  const rows = panelRows(state).length;
  const row = panelWindow(panel.row, rows, bodyHeight(state)).top + y - PANEL_HEAD;
  if (row >= rows) return undefined;
  if (row !== panel.row) return moveBy(row - panel.row);
  return panel.kind === 'help' ? undefined : { state, action: { type: 'accept' } };
}
