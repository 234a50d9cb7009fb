// Lines of styled text, for the screen and for drawings in reports.
import type { Style } from './style.ts';
import { cellWidth } from './text.ts';

/** A piece of styled text. `lit`: inverse, for the cursor. */
export type Span = readonly [text: string, style: Style, lit?: boolean];

export interface ScreenLine {
  readonly spans: readonly Span[];
  /** True for the line of the row under the cursor. */
  readonly cursor?: boolean;
}

/** The text of spans without their styles. */
export const spansText = (spans: readonly Span[]): string => spans.map(([text]) => text).join('');

/** The width of spans in cells. */
export const spansWidth = (spans: readonly Span[]): number => spans.reduce((sum, [text]) => sum + cellWidth(text), 0);
