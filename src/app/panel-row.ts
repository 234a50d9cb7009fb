// The rows of panels, and how the typed text narrows them.
import { rankChoices } from '../base/match.ts';
import type { Action } from './action.ts';
import type { AppState } from './state.ts';

export interface PanelRow {
  readonly cells: Readonly<Record<string, string>>;
  readonly action: Action | undefined;
  readonly off?: string | undefined;
}

/** The state without what the row under the cursor of a menu has changed so far. */
export const withoutTriedRow = (state: AppState): AppState => ({ ...state, ...state.panel?.before });

/** The rows that match the typed text in any cell, best first. */
export const matchingRows = (text: string, rows: readonly PanelRow[]): PanelRow[] =>
  rankChoices(text, rows, (r) => Object.values(r.cells).join(' '));
