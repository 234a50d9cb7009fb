// Text styles; the theme maps them to colours. No meaning is conveyed by style alone.
import type { Cut } from './text.ts';

/** Colours that only tell things apart, such as objects: whatever has one is also named. */
export const HUES = ['hue1', 'hue2', 'hue3', 'hue4', 'hue5'] as const;

export type Style =
  | ('plain' | 'dim' | 'bold' | 'accent' | 'header' | 'title' | 'hot' | 'warm' | 'call' | 'match' | 'error')
  | (typeof HUES)[number]
  /** Source text: told apart by colour alone, since nothing depends on it. */
  | 'keyword'
  | 'literal'
  | 'comment';

/** `auto`: of the background that the terminal names, else colours that can be read on any. */
export const THEMES = ['auto', 'dark', 'light', 'none'] as const;
export type ThemeName = (typeof THEMES)[number];

/** A cell of a table. */
export interface Cell {
  readonly text: string;
  /** The parts of the text that are our own words, before and behind a name. Absent: Markdown takes all of a text for a name. */
  readonly own?: readonly [before: string, behind: string];
  readonly style?: Style;
  /** The file that the text is a line of, for its syntax. */
  readonly source?: string;
  /** A shorter text for less room than the whole text needs; cut where it is absent. */
  readonly short?: (room: number) => string;
  /** Where this cell is cut if it is too long; else where its column says. */
  readonly cut?: Cut;
}

/** Style by share of the whole: highlights the rows worth a look. */
export function heat(share: number): Style {
  return share >= 0.1 ? 'hot' : share >= 0.01 ? 'warm' : 'plain';
}
