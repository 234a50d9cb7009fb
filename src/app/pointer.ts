// Handles mouse clicks and the mouse wheel. Cells are counted from 0.

import { spansWidth } from '../base/style.ts';
import type { OpenView } from '../views/open-view.ts';
import type { Action } from './action.ts';
import { footerHints, layOutTabs } from './draw.ts';
import { actionForKey } from './keymap.ts';
import { PANEL_HEAD_LINES, panelRows, visiblePanelRows } from './panels.ts';
import { withOtherPaneActive } from './split.ts';
import {
  type AppState,
  activeView,
  contextOf,
  frameHeightsOf,
  type OpenPanel,
  openView,
  panelPlace,
  splitSizes,
  withView,
} from './state.ts';

type ClickAction = Extract<Action, { type: 'click' }>;
type WheelAction = Extract<Action, { type: 'wheel' }>;

/** The action of a click or of the wheel, and the state to apply it to. */
export interface PointerTarget {
  readonly state: AppState;
  readonly action: Action;
}

const ROWS_PER_WHEEL_STEP = 3;

/** The action of a click or of the wheel; undefined if it has none. Prompts ignore the mouse. */
export function targetOfPointer(state: AppState, action: ClickAction | WheelAction): PointerTarget | undefined {
  if (state.prompt || state.waiting) return undefined;
  if (state.panel) return targetInPanel(state, state.panel, action);
  return action.type === 'wheel' ? targetOfWheel(state, action) : targetOfClick(state, action);
}

/**
 * The cell of a view at a screen cell; undefined outside of the body and on the line between two views. `state` is the state with the pane of
 * that view active.
 */
function bodyCellAt(state: AppState, x: number, y: number) {
  const { above, body } = frameHeightsOf(state);
  const row = y - above;
  if (row < 0 || row >= body || x >= state.width) return undefined;
  const sizes = splitSizes(state);
  const cellInPane = (side: AppState, dx: number, dy: number) => {
    const context = contextOf(side);
    const [left, top] = [x - dx, row - dy];
    if (left < 0 || top < 0 || left >= context.width || top >= context.height) return undefined;
    return { state: side, view: openView(side), context, x: left, y: top };
  };
  if (!sizes || !state.split) return cellInPane(state, 0, 0);
  const [first, second] =
    state.split.side === 'first' ? [state, withOtherPaneActive(state)] : [withOtherPaneActive(state), state];
  const isBeside = state.split.how === 'beside';
  return cellInPane(first, 0, 0) ?? cellInPane(second, isBeside ? sizes[0].width + 1 : 0, isBeside ? 1 : sizes[0].height + 1);
}

function targetOfClick(state: AppState, { x, y }: ClickAction): PointerTarget | undefined {
  const { title, stack, tabs, above, body, detail, footer } = frameHeightsOf(state);
  if (stack > 0 && y === title) return { state, action: { type: 'panel', kind: 'transforms' } };
  if (tabs > 0 && y === title + stack) {
    const tab = layOutTabs(state).tabs.find((t) => x >= t.x && x < t.x + t.text.length);
    if (!tab || tab.view === state.view) return undefined;
    const isOther = splitSizes(state) !== undefined && tab.view === state.split?.other.view;
    return { state, action: isOther ? { type: 'other-pane' } : { type: 'view', view: tab.view } };
  }
  if (footer > 0 && y === above + body + detail) return targetInFooter(state, x);
  const cell = bodyCellAt(state, x, y);
  const click = cell?.view.clickAt(cell.x, cell.y, cell.context);
  if (!cell || !click) return undefined;
  const next = showView(cell.state, click.view);
  if (!click.act) return { state: next, action: { type: 'none' } };
  const opens = activeView(next).keys.some((b) => b.keys.includes('enter'));
  return opens ? { state: next, action: actionForKey(next, 'enter', '') } : undefined;
}

/** Shows the view, clears the message, and stops a running search, like a key does. */
const showView = (state: AppState, view: OpenView): AppState => ({
  ...withView(state, view),
  message: undefined,
  seeking: undefined,
});

/** The action of the key whose hint is at cell `x` of the footer. */
function targetInFooter(state: AppState, x: number): PointerTarget | undefined {
  let end = 0;
  const hint = footerHints(state).find(({ spans }) => {
    end += spansWidth(spans);
    return x < end;
  });
  return hint && { state, action: actionForKey(state, hint.key, hint.key) };
}

/** Moves the cursor of the view under the pointer, as its arrow keys do. */
function targetOfWheel(state: AppState, { by, x, y }: WheelAction): PointerTarget | undefined {
  const body = bodyCellAt(state, x, y);
  const move = body && activeView(body.state).keys.find((b) => b.keys.includes(by > 0 ? 'down' : 'up'))?.action;
  if (!body || !move) return undefined;
  let { view } = body;
  for (let i = 0; i < ROWS_PER_WHEEL_STEP; i++) view = view.act(move, body.context) ?? view;
  const moved = showView(body.state, view);
  // The wheel moves the view under the pointer; the active pane stays active.
  return { state: body.state === state ? moved : withOtherPaneActive(moved), action: { type: 'none' } };
}

/** The wheel moves the cursor of the panel, wherever the pointer is. A click selects a row; a second click runs it. */
function targetInPanel(state: AppState, panel: OpenPanel, action: ClickAction | WheelAction): PointerTarget | undefined {
  const moveBy = (by: number): PointerTarget => ({ state, action: { type: 'panel-move', by } });
  if (action.type === 'wheel') return moveBy(action.by * ROWS_PER_WHEEL_STEP);
  const { top, height } = panelPlace(state);
  const y = action.y - top;
  if (y < PANEL_HEAD_LINES || y >= height) return undefined;
  const rows = panelRows(state).length;
  const row = visiblePanelRows(panel.row, rows, height).top + y - PANEL_HEAD_LINES;
  if (row >= rows) return undefined;
  if (row !== panel.row) return moveBy(row - panel.row);
  return panel.kind === 'help' ? undefined : { state, action: { type: 'accept' } };
}
