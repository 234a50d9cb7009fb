// Actions of keys in a panel: move in it, switch what its row is about, take it.
import { ends, visible } from '../base/text.ts';
import type { Action, Change, PanelKind } from './action.ts';
import { toggleColumn } from './choices.ts';
import { insertText } from './input.ts';
import { panelRows } from './panels.ts';
import { type AppState, say } from './state.ts';
import { changeTransform } from './transforms.ts';

export function movePanel(state: AppState, by: number): AppState {
  const { panel } = state;
  if (!panel) return state;
  return { ...state, panel: { ...panel, row: Math.max(0, Math.min(panelRows(state).length - 1, panel.row + by)) } };
}

/** The row at which a panel opens: the value that is on. */
export function startRow(state: AppState, kind: PanelKind): number {
  if (kind !== 'sort') return 0;
  const rows = panelRows({ ...state, panel: { kind, text: '', cursor: 0, row: 0 } });
  return Math.max(
    0,
    rows.findIndex((row) => row.cells['choice']?.startsWith('*')),
  );
}

/** Space is typed as text, except in the events panel, where it toggles a column. */
export function toggleInPanel(state: AppState): AppState {
  const { panel } = state;
  if (!panel) return state;
  if (panel.kind === 'transforms' && panel.text === '') return changeInPanel(state, 'toggle');
  if (panel.kind !== 'events') return { ...state, panel: { ...panel, ...insertText(panel, ' ') } };
  const action = panelRows(state)[panel.row]?.action;
  if (action?.type !== 'event' && action?.type !== 'extra-event') return state;
  return action.name === state.event ? say(state, 'This event is already shown') : toggleColumn(state, action.name);
}

/** Changes the transform in the panel's row, which the panel then stays on. */
export function changeInPanel(state: AppState, change: Change): AppState {
  const { panel } = state;
  const action = panel && panelRows(state)[panel.row]?.action;
  if (!panel || action?.type !== 'change-transform') return say(state, 'Not active yet: Enter applies it');
  const next = changeTransform(state, action.at, change);
  const by = change === 'earlier' ? -1 : change === 'later' ? 1 : 0;
  const last = Math.max(0, next.transforms.length - 1);
  return { ...next, panel: { ...panel, row: by === 0 ? panel.row : Math.max(0, Math.min(last, panel.row + by)) } };
}

/** The state without the panel, and what its row does. */
export function accepted(state: AppState, at: number): readonly [AppState, Action | undefined] {
  const row = panelRows(state)[at];
  const closed = { ...state, panel: undefined };
  if (state.panel?.kind === 'help') return [closed, undefined];
  if (!row) {
    const text = visible(ends(state.panel?.text ?? '', state.width));
    const hint = state.panel?.kind === 'palette' ? '; : lists all commands' : '';
    return [text === '' ? closed : say(closed, `No match for "${text}"${hint}`, 'error'), undefined];
  }
  if (row.action?.type === 'input-set') return [state, row.action];
  return row.off ? [say(closed, row.off), undefined] : [closed, row.action];
}
