// Actions of keys in a panel: move the cursor, change the row's transform or column, accept the row.
import { keepEnds, visible } from '../base/text.ts';
import type { Action, PanelKind, TransformChange } from './action.ts';
import { toggleColumn } from './choices.ts';
import { insertText } from './input.ts';
import { panelRows, withoutTriedRow } from './panels.ts';
import { type AppState, withMessage } from './state.ts';
import { changeTransform } from './transforms.ts';

export function movePanelCursor(state: AppState, by: number): AppState {
  const { panel } = state;
  if (!panel) return state;
  return { ...state, panel: { ...panel, row: Math.max(0, Math.min(panelRows(state).length - 1, panel.row + by)) } };
}

/** Opens a panel. The cursor of the columns to sort by is on the current one. Menus of a view try the row under the cursor. */
export function openPanel({ views, ...rest }: AppState, kind: PanelKind): AppState {
  const before = kind === 'sort' || kind === 'options' ? { before: { views } } : {};
  const panel = { kind, text: '', cursor: 0, row: 0, ...before };
  const state = { ...rest, views, panel };
  if (kind !== 'sort') return state;
  const current = panelRows(state).findIndex((row) => row.cells['choice']?.startsWith('*'));
  return { ...state, panel: { ...panel, row: Math.max(0, current) } };
}

/** Space toggles a column in the events panel and a transform in the focus panel; elsewhere it is typed as text. */
export function togglePanelColumn(state: AppState): AppState {
  const { panel } = state;
  if (!panel) return state;
  if (panel.kind === 'transforms' && panel.text === '') return changePanelTransform(state, 'toggle');
  if (panel.kind !== 'events') return { ...state, panel: { ...panel, ...insertText(panel, ' ') } };
  const action = panelRows(state)[panel.row]?.action;
  if (action?.type !== 'event' && action?.type !== 'extra-event') return state;
  return action.name === state.event ? withMessage(state, 'This event is already shown') : toggleColumn(state, action.name);
}

export function changePanelTransform(state: AppState, change: TransformChange): AppState {
  const { panel } = state;
  const action = panel && panelRows(state)[panel.row]?.action;
  if (!panel || action?.type !== 'change-transform') return withMessage(state, 'Not active yet: Enter applies it');
  const next = changeTransform(state, action.at, change);
  const by = change === 'earlier' ? -1 : change === 'later' ? 1 : 0;
  const last = Math.max(0, next.transforms.length - 1);
  return { ...next, panel: { ...panel, row: by === 0 ? panel.row : Math.max(0, Math.min(last, panel.row + by)) } };
}

export function acceptPanelRow(shown: AppState, at: number): readonly [AppState, Action | undefined] {
  const state = withoutTriedRow(shown);
  const row = panelRows(state)[at];
  const closed = { ...state, panel: undefined };
  if (state.panel?.kind === 'help') return [closed, row?.action];
  if (!row) {
    const text = visible(keepEnds(state.panel?.text ?? '', state.width));
    const hint = state.panel?.kind === 'palette' ? '; : lists all commands' : '';
    return [text === '' ? closed : withMessage(closed, `No match for "${text}"${hint}`, 'error'), undefined];
  }
  if (row.action?.type === 'input-set') return [state, row.action];
  return row.off ? [withMessage(closed, row.off), undefined] : [closed, row.action];
}
