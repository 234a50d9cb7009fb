// Text for a terminal: nothing in it may move the cursor or be invisible, and its width is counted in cells.
import stringWidth from 'string-width';
import { PLAIN } from './safe-text.ts';

export { PLAIN, visible } from './safe-text.ts';

/** The most characters that are measured; no screen is that wide. */
const MOST_MEASURED = 2048;

const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** The first `units` code units of a text, or one less: a surrogate pair is not split. */
export const headOf = (text: string, units: number): string => text.slice(0, characterBoundary(text, units, -1));

/** The last `units` code units of a text, or one less: a surrogate pair is not split. */
export const tailOf = (text: string, units: number): string =>
  text.slice(characterBoundary(text, Math.max(0, text.length - units), 1));

/** An index in a text, moved by one if it would split a surrogate pair. */
const characterBoundary = (text: string, at: number, by: -1 | 1): number =>
  at < text.length && isHigh(text.charCodeAt(at - 1)) ? at + by : at;

/** Width in terminal cells. Of a text that is far wider than any screen, the rest counts a cell for each code unit. */
export function cellWidth(text: string): number {
  if (text.length > MOST_MEASURED) return cellWidth(text.slice(0, MOST_MEASURED)) + text.length - MOST_MEASURED;
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmentsOf(text)) width += segmentWidth(segment);
  return width;
}

/** Widths of graphemes: a text has few different ones, and looking one up in the tables takes up to 10 µs. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 4096;
const LONGEST_KEPT = 16;

/** Width of one grapheme in cells. */
export function segmentWidth(segment: string): number {
  const known = widths.get(segment);
  if (known !== undefined) return known;
  const width = stringWidth(segment);
  if (segment.length <= LONGEST_KEPT) {
    if (widths.size >= MOST_WIDTHS) widths.clear();
    widths.set(segment, width);
  }
  return width;
}

let segmenter: Intl.Segmenter | undefined;
/** Code units that are segmented at once: with each segment, the segmenter copies its whole text. */
const PIECE = 256;

/** The graphemes of a text; those of more than PIECE code units, which are hostile, are split. */
export function* segmentsOf(text: string): Generator<{ readonly segment: string }> {
  // Created on first use: it loads tables that most profiles never need.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (let at = 0; at < text.length; ) {
    // A surrogate pair is not split: its halves would no longer combine with what comes before.
    const piece = text.slice(at, characterBoundary(text, Math.min(text.length, at + PIECE), -1));
    const whole = at + piece.length === text.length;
    const from = at;
    for (const { segment, index } of segmenter.segment(piece)) {
      // The last one may go on in the next piece.
      if (!whole && index > 0 && index + segment.length === piece.length) break;
      yield { segment };
      at = from + index + segment.length;
    }
  }
}

/** Code units that `width` cells can show at most: a normal grapheme has up to 8 per cell. */
const unitsFor = (width: number) => width * 8 + 16;

/**
 * The start and the end of a text that is to be shown in `width` cells, as much as can be seen of it: with this, a name of a million
 * characters costs no more than another. It is still too long for the cells, if it was.
 */
export function keepEnds(text: string, width: number): string {
  const kept = Math.max(512, unitsFor(width) + 16);
  return text.length > 2 * kept ? headOf(text, kept) + tailOf(text, kept) : text;
}

/** The longest prefix of `text` that is at most `width` cells wide. */
export function cutEnd(text: string, width: number): string {
  if (width <= 0) return '';
  const head = headOf(text, unitsFor(width));
  if (PLAIN.test(head)) return head.slice(0, width);
  let out = '';
  let used = 0;
  for (const { segment } of segmentsOf(head)) {
    const w = segmentWidth(segment);
    if (used + w > width) break;
    out += segment;
    used += w;
  }
  return out;
}

/** The longest suffix of `text` that is at most `width` cells wide. */
export function cutStart(text: string, width: number): string {
  if (width <= 0) return '';
  const tail = tailOf(text, unitsFor(width));
  if (PLAIN.test(tail)) return tail.slice(Math.max(0, tail.length - width));
  const parts = Array.from(segmentsOf(tail), (s) => s.segment);
  let from = parts.length;
  let used = 0;
  for (; from > 0; from--) {
    const w = segmentWidth(parts[from - 1]);
    if (used + w > width) break;
    used += w;
  }
  return parts.slice(from).join('');
}

/** As many whole words as fit, with an ellipsis in place of the rest: never a part of a number. */
export function cutWords(text: string, width: number): string {
  if (text.length <= unitsFor(width) && cellWidth(text) <= width) return text;
  const kept = cutEnd(text, width - 1);
  const blank = kept.lastIndexOf(' ');
  return (blank < 0 ? (/\d/.test(kept) ? '' : kept) : kept.slice(0, blank)).replace(/[,;:]$/, '') + ELLIPSIS;
}

/**
 * Where text that is too long is cut; `place`: before the `file:line` at its end, whose number is kept to the last; `step`: after the `compile: ` at
 * its start, so that the end of the path is kept.
 */
export type Cut = 'end' | 'start' | 'middle' | 'place' | 'step';

/** Makes text exactly `width` cells wide: cut with an ellipsis if too long, padded with blanks if too short. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left', cut: Cut = 'end'): string {
  if (width <= 0) return '';
  const isLong = text.length > unitsFor(width);
  const w = isLong ? width + 1 : cellWidth(text);
  if (w === width) return text;
  if (w < width) return align === 'left' ? text + ' '.repeat(width - w) : ' '.repeat(width - w) + text;
  if (width === 1) return ELLIPSIS;
  let out: string;
  if (cut === 'end') out = cutEnd(text, width - 1) + ELLIPSIS;
  else if (cut === 'start') out = ELLIPSIS + cutStart(text, width - 1);
  else if (cut === 'place') out = cutBeforeLocation(text, width);
  else if (cut === 'step') out = cutAfterRole(text, width);
  else out = cutMiddle(text, width);
  const got = cellWidth(out);
  return got < width ? out + ' '.repeat(width - got) : out;
}

function cutMiddle(text: string, width: number): string {
  const left = Math.ceil((width - 1) / 2);
  return cutEnd(text, left) + ELLIPSIS + cutStart(text, width - 1 - left);
}

const ROLE = /^[\w-]{1,12}: /;
/** The part of a path that must remain for the role to stay before it. */
const LEAST_PATH = 10;

function cutAfterRole(text: string, width: number): string {
  const role = ROLE.exec(text)?.[0] ?? '';
  const pathWidth = width - 1 - role.length;
  return role === '' || pathWidth < LEAST_PATH
    ? cutMiddle(text, width)
    : role + ELLIPSIS + cutStart(text.slice(role.length), pathWidth);
}

const LOCATION = /(?<=^| )[^ ]*:\d+((?: [^ ]{1,5})?)$/; // bounded: the tail of a text
/** The shortest rest of a name beside the whole file; if less fits, the file is cut. */
const LEAST_NAME = 6;

function cutBeforeLocation(text: string, width: number): string {
  const tail = tailOf(text, 512);
  const m = LOCATION.exec(tail);
  if (!m) return cutMiddle(text, width);
  const nameWidth = width - 1 - cellWidth(m[0]);
  if (nameWidth >= LEAST_NAME) return `${cutEnd(text.slice(0, -m[0].length), nameWidth)}${ELLIPSIS}${m[0]}`;
  // A mark after the number goes first.
  const number = m[0].length - m[0].lastIndexOf(':');
  const whole = number < width ? text : text.slice(0, text.length - m[1].length);
  return ELLIPSIS + cutStart(whole, width - 1);
}

/** The ellipsis, one cell wide. */
export const ELLIPSIS = '…';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar for a share from 0 to 1, `width` cells wide. */
export function bar(share: number, width: number): string {
  const clamped = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0));
  const eighths = Math.round(clamped * width * 8);
  return fit('█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7], width);
}

/** A bar for a share from -1 to 1, to both sides of a line in the middle of `width` cells, which is odd: less is on the left. */
export function sideBar(share: number, width: number): string {
  const half = (width - 1) / 2;
  const clamped = Math.max(-1, Math.min(1, Number.isFinite(share) ? share : 0));
  const right = clamped > 0 ? bar(clamped, half) : ' '.repeat(half);
  // There are no characters for the right eighths of a cell, only for its right half.
  const halves = Math.round(Math.max(0, -clamped) * half * 2);
  const left = '▐'.repeat(halves & 1) + '█'.repeat(halves >> 1);
  return `${left.padStart(half)}│${right}`;
}

/** Wraps text into pieces of at most `first`, then `rest` cells; breaks at a blank if one comes after the fraction `least`. */
export function wrapText(text: string, first: number, rest: number, least: number): string[] {
  const out: string[] = [];
  for (let left = text; left !== ''; ) {
    const width = out.length === 0 ? first : rest;
    let piece = cutEnd(left, width);
    const blank = piece.length < left.length ? piece.lastIndexOf(' ') : -1;
    if (blank > width * least) piece = piece.slice(0, blank + 1);
    if (piece === '') break;
    out.push(piece);
    left = left.slice(piece.length);
  }
  return out;
}
