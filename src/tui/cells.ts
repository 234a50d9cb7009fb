// Terminal output as cells: each has a character and its text attributes.
import { graphemesOf, graphemeWidth, PLAIN } from '../base/text.ts';

export interface ScreenCell {
  /** One grapheme; empty for the second cell of a wide grapheme. */
  readonly text: string;
  /** Parameters of the escape sequence that sets these attributes after a reset; '' for plain text. */
  readonly style: string;
}

/** Whether a blank in this style looks as a plain one: it has neither a background nor a line, nor is it inverse. */
export const leavesBlank = (style: string): boolean =>
  !/(?:^|;)(?:4|7|4\d|10\d)(?:;|$)/.test(style.replace(/38;(?:5;\d+|2;\d+;\d+;\d+)/, '')); // bounded: attributes of a cell

const BLANK_CELL: ScreenCell = { text: ' ', style: '' };

/** SGR codes that turn on bold, dim, italic, underline and inverse. */
const ATTRIBUTE_CODES = [1, 2, 3, 4, 7];
/** By SGR code, the attributes that it turns off. */
const ENDED_ATTRIBUTES: ReadonlyMap<number, readonly number[]> = new Map([
  [22, [1, 2]],
  [23, [3]],
  [24, [4]],
  [27, [7]],
]);

/** The text attributes in effect. Colours are stored as the SGR codes that set them. */
interface PenAttributes {
  readonly on: Set<number>;
  fg: string;
  bg: string;
}

const penStyle = ({ on, fg, bg }: PenAttributes): string =>
  [...ATTRIBUTE_CODES.filter((code) => on.has(code)), fg, bg].filter((code) => code !== '').join(';');

function applyCodes(p: PenAttributes, text: string): void {
  const codes = text === '' ? ['0'] : text.split(';');
  for (let i = 0; i < codes.length; i++) {
    const c = Number(codes[i]);
    for (const ended of ENDED_ATTRIBUTES.get(c) ?? []) p.on.delete(ended);
    if (c === 0) {
      p.on.clear();
      p.fg = p.bg = '';
    } else if (ATTRIBUTE_CODES.includes(c)) p.on.add(c);
    else if (c === 39) p.fg = '';
    else if (c === 49) p.bg = '';
    else if (c === 38 || c === 48) {
      const n = codes[i + 1] === '5' ? 3 : 5;
      const code = codes.slice(i, i + n).join(';');
      if (c === 38) p.fg = code;
      else p.bg = code;
      i += n - 1;
    } else if ((c >= 30 && c <= 37) || (c >= 90 && c <= 97)) p.fg = String(c);
    else if ((c >= 40 && c <= 47) || (c >= 100 && c <= 107)) p.bg = String(c);
  }
}

/** Splits a line of text and colour sequences into exactly `width` cells; other escape sequences are dropped. */
export function parseCells(line: string, width: number): ScreenCell[] {
  const cells: ScreenCell[] = [];
  const pen: PenAttributes = { on: new Set(), fg: '', bg: '' };
  let style = '';
  let at = 0;
  while (at < line.length && cells.length < width) {
    if (line.charCodeAt(at) === 27) {
      const m = /^\u001b\[([0-9;]*)m|^\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)?/.exec(
        line.slice(at, at + 200),
      );
      if (m?.[1] !== undefined) {
        applyCodes(pen, m[1]);
        style = penStyle(pen);
      }
      at += Math.max(1, m?.[0].length ?? 1);
      continue;
    }
    let end = line.indexOf('\u001b', at);
    if (end < 0) end = line.length;
    const text = line.slice(at, end);
    at = end;
    if (PLAIN.test(text)) {
      const blank = leavesBlank(style) ? BLANK_CELL : { text: ' ', style };
      for (let i = 0; i < text.length && cells.length < width; i++)
        cells.push(text[i] === ' ' ? blank : { text: text[i], style });
      continue;
    }
    for (const { segment } of graphemesOf(text)) {
      const w = graphemeWidth(segment);
      if (w === 0) continue;
      if (cells.length + w > width) {
        while (cells.length < width) cells.push(BLANK_CELL);
        break;
      }
      cells.push({ text: segment, style });
      for (let k = 1; k < w; k++) cells.push({ text: '', style });
    }
  }
  while (cells.length < width) cells.push(BLANK_CELL);
  return cells;
}

export const blankCells = (width: number): ScreenCell[] => Array<ScreenCell>(width).fill(BLANK_CELL);

export const isSameCell = (a: ScreenCell, b: ScreenCell): boolean => a.text === b.text && a.style === b.style;
