// A canvas of cells with boxes and the lines between them. Lines that meet are joined.
import type { ScreenLine, Span } from '../base/spans.ts';
import { cellWidth } from '../base/text.ts';

export const UP = 1;
export const DOWN = 2;
export const LEFT = 4;
export const RIGHT = 8;

// Line characters, indexed by the sum of directions.
const LINE_CHARACTERS = ' │││─┘┐┤─└┌├─┴┬┼';

export class GraphCanvas {
  private readonly masks: Uint8Array;
  /** By row: its pieces of text and their positions. */
  private readonly texts: { readonly x: number; readonly spans: readonly Span[] }[][];
  private cursorRow = -1;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.masks = new Uint8Array(width * height);
    this.texts = Array.from({ length: height }, () => []);
  }

  /** Adds line directions to a cell, so that lines join there. Cells outside the canvas are ignored. */
  addDirections(x: number, y: number, to: number): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height) this.masks[y * this.width + x] |= to;
  }

  drawHorizontal(y: number, from: number, to: number): void {
    for (let x = from; x <= to; x++) this.addDirections(x, y, (x > from ? LEFT : 0) | (x < to ? RIGHT : 0));
  }

  drawVertical(x: number, from: number, to: number): void {
    for (let y = from; y <= to; y++) this.addDirections(x, y, (y > from ? UP : 0) | (y < to ? DOWN : 0));
  }

  /** Adds text to a row. Texts of a row must be added from left to right, and must not overlap. */
  putText(x: number, y: number, spans: readonly Span[], cursor = false): void {
    if (y < 0 || y >= this.height) return;
    this.texts[y].push({ x, spans });
    if (cursor) this.cursorRow = y;
  }

  toLines(): ScreenLine[] {
    return this.texts.map((texts, y) => {
      const spans: Span[] = [];
      let x = 0;
      const drawTo = (end: number) => {
        let text = '';
        for (; x < end; x++) text += LINE_CHARACTERS[this.masks[y * this.width + x]];
        if (text !== '') spans.push([text, 'dim']);
      };
      for (const { x: at, spans: own } of texts) {
        drawTo(at);
        for (const span of own) {
          spans.push(span);
          x += cellWidth(span[0]);
        }
      }
      drawTo(this.width);
      return { spans, ...(y === this.cursorRow ? { cursor: true } : {}) };
    });
  }
}
