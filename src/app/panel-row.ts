// The rows of panels, and how the typed text narrows them.
import { rankChoices } from '../base/match.ts';
import type { Action } from './action.ts';

export interface PanelRow {
  readonly cells: Readonly<Record<string, string>>;
  /** The action of the row. */
  readonly action: Action | undefined;
  readonly off?: string | undefined;
}

/** The rows that match the typed text in any cell, best first. */
export const matchingRows = (text: string, rows: readonly PanelRow[]): PanelRow[] =>
  rankChoices(text, rows, (r) => Object.values(r.cells).join(' '));
