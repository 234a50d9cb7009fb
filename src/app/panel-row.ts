// A row of a panel.
import type { Action } from './action.ts';

export interface PanelRow {
  readonly cells: Readonly<Record<string, string>>;
  /** The action of the row. */
  readonly action: Action | undefined;
  readonly off?: string | undefined;
}
