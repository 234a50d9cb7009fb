// Where the pointer is, and what a click or the wheel does there. Cells are counted from 0.

import { cellWidth } from '../base/text.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import type { Action } from './action.ts';
import { footerHints, tabsAndMode } from './draw.ts';
import { actionFor } from './keymap.ts';
import { PANEL_HEAD, panelRows, panelWindow } from './panels.ts';
import { flip } from './split.ts';
import { type AppState, activeView, bodyHeight, contextOf, frameOf, openView, splitSizes, withView } from './state.ts';

type Click = Extract<Action, { type: 'click' }>;
type Wheel = Extract<Action, { type: 'wheel' }>;

/** The state in which an action is taken, and the action. */
export interface Pointed {
  readonly state: AppState;
  readonly action: Action;
}

/** Rows that one step of the wheel moves the cursor. */
const STEP = 3;

/** The action of a click or the wheel; undefined for none. A prompt has no use for the pointer. */
export function pointed(state: AppState, action: Click | Wheel): Pointed | undefined {
  if (state.prompt || state.waiting) return undefined;
  if (state.panel) return inPanel(state, state.panel, action);
  return action.type === 'wheel' ? scrolled(state, action) : clicked(state, action);
}

/** The first row of the body. */
const topOf = (state: AppState): number => {
  const { title, stack, tabs } = frameOf(state);
  return title + stack + tabs;
};

/** A cell of a view. `state` has the side active that the cell is on. */
interface BodyCell {
  readonly state: AppState;
  readonly view: OpenView;
  readonly context: ViewContext;
  readonly x: number;
  readonly y: number;
}

/** The cell of a view at a cell of the screen; undefined outside of the body, and on the line between two views. */
export function bodyAt(state: AppState, x: number, y: number): BodyCell | undefined {
  const row = y - topOf(state);
  if (row < 0 || row >= bodyHeight(state) || x >= state.width) return undefined;
  const sizes = splitSizes(state);
  const at = (side: AppState, dx: number, dy: number): BodyCell | undefined => {
    const context = contextOf(side);
    const [left, top] = [x - dx, row - dy];
    if (left < 0 || top < 0 || left >= context.width || top >= context.height) return undefined;
    return { state: side, view: openView(side), context, x: left, y: top };
  };
  if (!sizes || !state.split) return at(state, 0, 0);
  const [first, second] = state.split.side === 'first' ? [state, flip(state)] : [flip(state), state];
  const isBeside = state.split.how === 'beside';
  return at(first, 0, 0) ?? at(second, isBeside ? sizes[0].width + 1 : 0, isBeside ? 0 : sizes[0].height + 1);
}

function clicked(state: AppState, { x, y }: Click): Pointed | undefined {
  const { title, stack, tabs, detail, footer } = frameOf(state);
  if (stack > 0 && y === title) return { state, action: { type: 'panel', kind: 'transforms' } };
  if (tabs > 0 && y === title + stack) {
    const tab = tabsAndMode(state).tabs.find((t) => x >= t.x && x < t.x + t.text.length);
    if (!tab || tab.view === state.view) return undefined;
    const isOther = splitSizes(state) !== undefined && tab.view === state.split?.other.view;
    return { state, action: isOther ? { type: 'next-view', by: 1 } : { type: 'view', view: tab.view } };
  }
  if (footer > 0 && y === topOf(state) + bodyHeight(state) + detail) return onFooter(state, x);
  const body = bodyAt(state, x, y);
  const click = body?.view.clickAt(body.x, body.y, body.context);
  if (!body || !click) return undefined;
  const next = shown(body.state, click.view);
  if (!click.act) return { state: next, action: { type: 'none' } };
  const opens = activeView(next).keys.some((b) => b.keys.includes('enter'));
  return opens ? { state: next, action: actionFor(next, 'enter', '') } : undefined;
}

/** The view as a key leaves it: messages go, and a search stops. */
function shown(state: AppState, view: OpenView): AppState {
  return { ...withView(state, view), message: undefined, seeking: undefined };
}

/** The keys that the footer names. */
function onFooter(state: AppState, x: number): Pointed | undefined {
  let end = 0;
  const hint = footerHints(state).find(({ spans }) => {
    end += spans.reduce((sum, [text]) => sum + cellWidth(text), 0);
    return x < end;
  });
  return hint && { state, action: actionFor(state, hint.key, hint.key) };
}

/** As often as the keys of the view would move its cursor. */
function scrolled(state: AppState, { by, x, y }: Wheel): Pointed | undefined {
  const body = bodyAt(state, x, y);
  const move = body && activeView(body.state).keys.find((b) => b.keys.includes(by > 0 ? 'down' : 'up'))?.action;
  if (!body || !move) return undefined;
  let { view } = body;
  for (let i = 0; i < STEP; i++) view = view.act(move, body.context) ?? view;
  const moved = shown(body.state, view);
  // The wheel turns what is under it, and leaves the keys where they are.
  return { state: body.state === state ? moved : flip(moved), action: { type: 'none' } };
}

/** The wheel moves in the panel, wherever the pointer is; a click chooses a row, and takes the one that is chosen. */
function inPanel(state: AppState, panel: NonNullable<AppState['panel']>, action: Click | Wheel): Pointed | undefined {
  const to = (by: number): Pointed => ({ state, action: { type: 'panel-move', by } });
  if (action.type === 'wheel') return to(action.by * STEP);
  const y = action.y - topOf(state);
  if (y < PANEL_HEAD || y >= bodyHeight(state)) return undefined;
  const rows = panelRows(state).length;
  const row = panelWindow(panel.row, rows, bodyHeight(state)).top + y - PANEL_HEAD;
  if (row >= rows) return undefined;
  if (row !== panel.row) return to(row - panel.row);
  return panel.kind === 'help' ? undefined : { state, action: { type: 'accept' } };
}
