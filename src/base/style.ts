// Text styles; the theme maps them to colours. No meaning is conveyed by style alone.
import type { Cut } from './text.ts';

export type Style = 'plain' | 'dim' | 'bold' | 'accent' | 'header' | 'title' | 'hot' | 'warm' | 'call' | 'match' | 'error';

/** A cell of a table. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
  /** Where this cell is cut if it is too long; else where its column says. */
  readonly cut?: Cut;
}

/** Style by share of the whole: highlights the rows worth a look. */
export function heat(share: number): Style {
  return share >= 0.1 ? 'hot' : share >= 0.01 ? 'warm' : 'plain';
}
