// Text styles; the theme maps them to colours. Style never carries meaning by itself.
import type { Cut } from './text.ts';

/**
 * Fills: a background with readable text on it. Heat shows a share, `less` and `more` a difference. Areas only distinguish
 * things such as objects, which are also named.
 */
export const HEATS = ['heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const;
export const LESS = ['less1', 'less2', 'less3'] as const;
export const MORE = ['more1', 'more2', 'more3'] as const;
export const AREAS = ['area1', 'area2', 'area3', 'area4', 'area5'] as const;
/** `same`: no difference, or an area without a colour. `rest`: in the background. `found`: matches within a fill. */
export const FILLS = [...HEATS, ...LESS, 'same', ...MORE, ...AREAS, 'rest', 'found'] as const;
export type Fill = (typeof FILLS)[number];

const FILL_NAMES: ReadonlySet<string> = new Set(FILLS);
export const isFill = (style: Style): style is Fill => FILL_NAMES.has(style);

export type Style =
  | Fill
  | ('plain' | 'dim' | 'bold' | 'accent' | 'header' | 'title' | 'hot' | 'warm' | 'call' | 'match' | 'error')
  /** Source text: only colours, since nothing depends on them. */
  | 'keyword'
  | 'literal'
  | 'comment';

/** `auto`: matches the background that the terminal reports, else uses colours that are readable on any. */
export const THEMES = ['auto', 'dark', 'light', 'high-contrast', 'none'] as const;
export type ThemeName = (typeof THEMES)[number];

/** A cell of a table. */
export interface TableCell {
  readonly text: string;
  /** The parts of the text that are our own words, before and behind a name. Absent: Markdown takes all of a text for a name. */
  readonly own?: readonly [before: string, behind: string];
  readonly style?: Style;
  /** The file that the text is a line of, for its syntax. */
  readonly source?: string;
  /** The number of leading cells that are dimmed. */
  readonly back?: number;
  /** A shorter text for a narrower column; absent: the text is cut. */
  readonly short?: (width: number) => string;
  /** Where this cell is cut if it is too long; absent: as its column says. */
  readonly cut?: Cut;
}

/** Style by share of the whole: highlights the rows worth a look. */
export function heatStyle(share: number): Style {
  return share >= 0.1 ? 'hot' : share >= 0.01 ? 'warm' : 'plain';
}

const stepOf = (share: number, steps: readonly number[]) => steps.filter((step) => share >= step).length;

/** The shares at which the next of five fills begins. */
export const HEAT_STEPS = [0.01, 0.05, 0.15, 0.3];

/** The fill of a share of the whole, in five steps. */
export const heatFill = (share: number): Fill => HEATS[stepOf(share, HEAT_STEPS)];

/** The fill of a difference, as a share of the whole. */
export function changeFill(share: number): Fill {
  if (share === 0) return 'same';
  return (share > 0 ? MORE : LESS)[stepOf(Math.abs(share), [0.01, 0.1])];
}
