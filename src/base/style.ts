// How text looks; the theme says with which colours. No meaning is carried by it alone.

export type Style = 'plain' | 'dim' | 'bold' | 'accent' | 'header' | 'title' | 'hot' | 'warm' | 'call' | 'match' | 'error';

/** A cell of a table. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** Style by share of the whole: what makes a row worth a look. */
export function heat(share: number): Style {
  return share >= 0.1 ? 'hot' : share >= 0.01 ? 'warm' : 'plain';
}
