// Terminal output as cells: each has a character and its text attributes.
import { graphemesOf, graphemeWidth, PLAIN } from '../base/text.ts';

export interface ScreenCell {
  /** One grapheme; empty for the second cell of a wide grapheme. */
  readonly text: string;
  /** Parameters of the escape sequence that sets these attributes after a reset; '' for plain text. */
  readonly style: string;
}

const BLANK_CELL: ScreenCell = { text: ' ', style: '' };

/** The text attributes in effect. Colours are stored as the SGR codes that set them. */
interface PenAttributes {
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  fg: string;
  bg: string;
}

function penStyle(p: PenAttributes): string {
  const codes: string[] = [];
  if (p.bold) codes.push('1');
  if (p.dim) codes.push('2');
  if (p.italic) codes.push('3');
  if (p.underline) codes.push('4');
  if (p.inverse) codes.push('7');
  if (p.fg) codes.push(p.fg);
  if (p.bg) codes.push(p.bg);
  return codes.join(';');
}

function resetPen(p: PenAttributes): void {
  p.bold = p.dim = p.italic = p.underline = p.inverse = false;
  p.fg = p.bg = '';
}

function applyCodes(p: PenAttributes, text: string): void {
  const codes = text === '' ? ['0'] : text.split(';');
  for (let i = 0; i < codes.length; i++) {
    const c = Number(codes[i]);
    if (c === 0) resetPen(p);
    else if (c === 1) p.bold = true;
    else if (c === 2) p.dim = true;
    else if (c === 3) p.italic = true;
    else if (c === 4) p.underline = true;
    else if (c === 7) p.inverse = true;
    else if (c === 22) p.bold = p.dim = false;
    else if (c === 23) p.italic = false;
    else if (c === 24) p.underline = false;
    else if (c === 27) p.inverse = false;
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
  const pen: PenAttributes = { bold: false, dim: false, italic: false, underline: false, inverse: false, fg: '', bg: '' };
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
      for (let i = 0; i < text.length && cells.length < width; i++) cells.push({ text: text[i], style });
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

export function blankCells(width: number): ScreenCell[] {
  return Array<ScreenCell>(width).fill(BLANK_CELL);
}

export function isSameCell(a: ScreenCell, b: ScreenCell): boolean {
  return a.text === b.text && a.style === b.style;
}
