// Where the pointer is, and what a click or the wheel does there. Cells are counted from 0.

import { cellWidth } from '../base/text.ts';
import type { OpenView } from '../views/open-view.ts';
import type { ViewContext } from '../views/view.ts';
import type { Action } from './action.ts';
import { footerHints, tabsOf } from './draw.ts';
import { actionFor } from './keymap.ts';
import { PANEL_HEAD, panelRows, panelWindow } from './panels.ts';
import { type AppState, activeView, contextOf, frameOf, openView, withView } from './state.ts';

type Click = Extract<Action, { type: 'click' }>;
type Wheel = Extract<Action, { type: 'wheel' }>;

/** The state in which an action is taken, and the action. */
export interface Pointed {
  readonly state: AppState;
  readonly action: Action;
}

/** Rows that one step of the wheel moves the cursor. */
const STEP = 3;

/** What a click or the wheel does; undefined for nothing. A prompt has no use for the pointer. */
export function pointed(state: AppState, action: Click | Wheel): Pointed | undefined {
  if (state.prompt || state.waiting) return undefined;
  if (state.panel) return inPanel(state, state.panel, action);
  return action.type === 'wheel' ? scrolled(state, action) : clicked(state, action);
}

/** The view at a cell, and the cell of its body; undefined outside of all bodies. */
export function bodyAt(
  state: AppState,
  x: number,
  y: number,
): { readonly view: OpenView; readonly context: ViewContext; readonly x: number; readonly y: number } | undefined {
  const { title, tabs } = frameOf(state);
  const context = contextOf(state);
  const row = y - title - tabs;
  return row < 0 || row >= context.height || x >= state.width ? undefined : { view: openView(state), context, x, y: row };
}

function clicked(state: AppState, { x, y }: Click): Pointed | undefined {
  const { title, tabs, detail, footer } = frameOf(state);
  if (tabs > 0 && y === title) {
    const tab = tabsOf(state).find((t) => x >= t.x && x < t.x + t.text.length);
    return tab && tab.view !== state.view ? { state, action: { type: 'view', view: tab.view } } : undefined;
  }
  if (footer > 0 && y === title + tabs + contextOf(state).height + detail) return onFooter(state, x);
  const body = bodyAt(state, x, y);
  const click = body?.view.clickAt(body.x, body.y, body.context);
  if (!click) return undefined;
  const next = shown(state, click.view);
  if (!click.act) return { state: next, action: { type: 'none' } };
  const opens = activeView(state).keys.some((b) => b.keys.includes('enter'));
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
  const move = activeView(state).keys.find((b) => b.keys.includes(by > 0 ? 'down' : 'up'))?.action;
  if (!body || !move) return undefined;
  let { view } = body;
  for (let i = 0; i < STEP; i++) view = view.act(move, body.context) ?? view;
  return { state: shown(state, view), action: { type: 'none' } };
}

/** The wheel moves in the panel, wherever the pointer is; a click chooses a row, and takes the one that is chosen. */
function inPanel(state: AppState, panel: NonNullable<AppState['panel']>, action: Click | Wheel): Pointed | undefined {
  const to = (by: number): Pointed => ({ state, action: { type: 'panel-move', by } });
  if (action.type === 'wheel') return to(action.by * STEP);
  const body = bodyAt(state, action.x, action.y);
  if (!body || body.y < PANEL_HEAD) return undefined;
  const rows = panelRows(state).length;
  const row = panelWindow(panel.row, rows, body.context.height).top + body.y - PANEL_HEAD;
  if (row >= rows) return undefined;
  if (row !== panel.row) return to(row - panel.row);
  return panel.kind === 'help' ? undefined : { state, action: { type: 'accept' } };
}
