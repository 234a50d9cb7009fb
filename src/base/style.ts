// Text styles, which the theme maps to colours, and lines of styled text, for the screen and for drawings in reports. Style never carries
// meaning by itself.
import { type CutPosition, cellWidth } from './text.ts';

/** Fills: a background with readable text. Heat shows a share, `less` and `more` a difference; areas distinguish named things. */
export const HEAT_FILLS = ['heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const;
export const LESS_FILLS = ['less1', 'less2', 'less3'] as const;
export const MORE_FILLS = ['more1', 'more2', 'more3'] as const;
export const AREA_FILLS = ['area1', 'area2', 'area3', 'area4', 'area5'] as const;
/** Code of others by its self cost. */
const OTHER_FILLS = ['same', 'other2', 'other3'] as const;
/** By whose code it is. */
export const CODE_FILLS = { own: MORE_FILLS, library: LESS_FILLS, other: OTHER_FILLS } as const;
/** All fills. `same`: no difference, or an area without colour. `rest`: in the background. `found`: a match within a fill. */
export const FILLS = [...HEAT_FILLS, ...LESS_FILLS, ...OTHER_FILLS, ...MORE_FILLS, ...AREA_FILLS, 'rest', 'found'] as const;
export type Fill = (typeof FILLS)[number];

const FILL_NAMES: ReadonlySet<string> = new Set(FILLS);
export const isFill = (style: Style): style is Fill => FILL_NAMES.has(style);

export type Style =
  | Fill
  | ('plain' | 'dim' | 'bold' | 'accent' | 'header' | 'title' | 'hot' | 'warm' | 'call' | 'match' | 'error')
  /** Costs more or less than before; a bar or a mark of a plot, which is no text. */
  | ('more' | 'less' | 'bar')
  /** Source text: styles that differ only in colour, because no meaning depends on them. */
  | 'keyword'
  | 'literal'
  | 'comment';

/** Colour themes. `auto` matches the background that the terminal reports, or uses colours that are readable on any. */
export const THEMES = ['auto', 'dark', 'light', 'high-contrast', 'none'] as const;
export interface TableCell {
  readonly text: string;
  /** The lengths of our own words before and after a name. Absent: Markdown treats the whole text as a name. */
  readonly own?: readonly [before: string, behind: string];
  readonly style?: Style;
  /** The file that contains the text as a line, to choose the syntax highlighting. */
  readonly source?: string;
  /** The number of leading cells that are dimmed. */
  readonly back?: number;
  /** A shorter text for a narrower column; absent: the text is cut. */
  readonly short?: (width: number) => string;
  /** Where a text that is too long is cut; absent: as the column defines. */
  readonly cut?: CutPosition;
}

export const textOfCell = (cell: string | TableCell): string => (typeof cell === 'string' ? cell : cell.text);

/** Style by share of the whole: highlights the rows worth a look. */
export const heatStyle = (share: number): Style =>
  share >= 0.2 ? 'hot' : share >= 0.05 ? 'warm' : share >= 0.01 ? 'plain' : 'dim';

const countReachedSteps = (share: number, steps: readonly number[]) => steps.filter((step) => share >= step).length;

/** The shares at which the second to fifth fill begin. */
export const HEAT_STEPS = [0.01, 0.05, 0.15, 0.3];

/** The fill for a share of the whole, in five steps. */
export const heatFill = (share: number): Fill => HEAT_FILLS[countReachedSteps(share, HEAT_STEPS)];

/** One of three fills by a share, without sign, of the whole. */
export const fillInSteps = (fills: readonly [Fill, Fill, Fill], share: number): Fill =>
  fills[countReachedSteps(Math.abs(share), [0.01, 0.1])];

/** Smaller differences, as shares of the whole, are drawn as none. */
const MIN_SHOWN_CHANGE = 0.001;

/** The fill for a difference, given as a share of the whole. */
export const changeFill = (share: number): Fill =>
  Math.abs(share) < MIN_SHOWN_CHANGE ? 'same' : fillInSteps(share > 0 ? MORE_FILLS : LESS_FILLS, share);

/** The style of a difference, given as a share of the whole: below 1 % it is dim. */
export const changeStyle = (share: number): Style => (Math.abs(share) < 0.01 ? 'dim' : share > 0 ? 'more' : 'less');

/** A piece of styled text. `lit`: inverse, for the cursor. */
export type Span = readonly [text: string, style: Style, lit?: boolean];

export interface ScreenLine {
  readonly spans: readonly Span[];
  /** True for the line of the row under the cursor. */
  readonly cursor?: boolean;
}

/** The text of spans without their styles. */
export const spansText = (spans: readonly Span[]): string => spans.map(([text]) => text).join('');

export const spansWidth = (spans: readonly Span[]): number => spans.reduce((sum, [text]) => sum + cellWidth(text), 0);
