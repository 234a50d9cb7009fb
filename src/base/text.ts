// Terminal text: it must not move the cursor or be invisible, and its width is counted in cells.
import stringWidth from 'string-width';
import { getOrCache } from './lists.ts';
import { ONE_CELL_TEXT } from './safe-text.ts';

export { ONE_CELL_TEXT as PLAIN, visible } from './safe-text.ts';

/** The maximum length of measured text, in code units. No screen is that wide. */
const MAX_MEASURED_UNITS = 2048;

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** The first `units` code units of a text, or one fewer if that would split a surrogate pair. */
export const firstCodeUnits = (text: string, units: number): string => text.slice(0, characterBoundary(text, units, -1));

/** The last `units` code units of a text, or one fewer if that would split a surrogate pair. */
export const lastCodeUnits = (text: string, units: number): string =>
  text.slice(characterBoundary(text, Math.max(0, text.length - units), 1));

/** Moves an index in a text by one if it would split a surrogate pair. */
const characterBoundary = (text: string, at: number, by: -1 | 1): number =>
  at < text.length && isHighSurrogate(text.charCodeAt(at - 1)) ? at + by : at;

/** The width of a text in cells. In text far wider than any screen, the rest counts one cell per code unit. */
export function cellWidth(text: string): number {
  if (text.length > MAX_MEASURED_UNITS) return cellWidth(text.slice(0, MAX_MEASURED_UNITS)) + text.length - MAX_MEASURED_UNITS;
  if (ONE_CELL_TEXT.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** A cache of the widths of graphemes: texts have few different ones, and computing a width takes up to 10 µs. */
const graphemeWidths = new Map<string, number>();
const MAX_CACHED_WIDTHS = 4096;
const MAX_CACHED_UNITS = 16;

/** Width of one grapheme in cells. */
export function graphemeWidth(segment: string): number {
  if (segment.length > MAX_CACHED_UNITS) return stringWidth(segment);
  return getOrCache(graphemeWidths, segment, MAX_CACHED_WIDTHS, stringWidth);
}

let segmenter: Intl.Segmenter | undefined;
/** The number of code units segmented at once, because the segmenter copies its whole text with each segment. */
const UNITS_PER_PIECE = 256;

/** The graphemes of a text. Hostile ones of more than UNITS_PER_PIECE code units are split. */
export function* graphemesOf(text: string): Generator<{ readonly segment: string }> {
  // The segmenter is created on first use, because it loads tables that most profiles never need.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (let at = 0; at < text.length; ) {
    // A surrogate pair is not split: its halves would no longer combine with what comes before.
    const piece = text.slice(at, characterBoundary(text, Math.min(text.length, at + UNITS_PER_PIECE), -1));
    const whole = at + piece.length === text.length;
    const from = at;
    for (const { segment, index } of segmenter.segment(piece)) {
      // The last grapheme may continue in the next piece.
      if (!whole && index > 0 && index + segment.length === piece.length) break;
      yield { segment };
      at = from + index + segment.length;
    }
  }
}

/** The maximum number of code units shown in `width` cells: a normal grapheme has up to 8 per cell. */
const maxUnitsFor = (width: number) => width * 8 + 16;

/** Shortens a very long text to the start and the end that `width` cells can show. A text that was too long stays too long. */
export function keepEnds(text: string, width: number): string {
  const kept = Math.max(512, maxUnitsFor(width) + 16);
  return text.length > 2 * kept ? firstCodeUnits(text, kept) + lastCodeUnits(text, kept) : text;
}

/** The longest prefix of `text` that is at most `width` cells wide. */
export function cutEnd(text: string, width: number): string {
  if (width <= 0) return '';
  const head = firstCodeUnits(text, maxUnitsFor(width));
  if (ONE_CELL_TEXT.test(head)) return head.slice(0, width);
  let out = '';
  let used = 0;
  for (const { segment } of graphemesOf(head)) {
    const w = graphemeWidth(segment);
    if (used + w > width) break;
    out += segment;
    used += w;
  }
  return out;
}

/** The longest suffix of `text` that is at most `width` cells wide. */
export function cutStart(text: string, width: number): string {
  if (width <= 0) return '';
  const tail = lastCodeUnits(text, maxUnitsFor(width));
  if (ONE_CELL_TEXT.test(tail)) return tail.slice(Math.max(0, tail.length - width));
  const parts = Array.from(graphemesOf(tail), (s) => s.segment);
  let from = parts.length;
  let used = 0;
  for (; from > 0; from--) {
    const w = graphemeWidth(parts[from - 1]);
    if (used + w > width) break;
    used += w;
  }
  return parts.slice(from).join('');
}

/** The longest suffix of a path that starts with a whole folder; of its file, if that is too long. */
function cutFolders(path: string, width: number): string {
  const kept = cutStart(path, width);
  const slash = kept.indexOf('/');
  return slash > 0 && slash < kept.length - 1 ? kept.slice(slash) : kept;
}

/** Cuts a text after the last whole word that fits, and adds an ellipsis. Numbers are never split. */
export function cutWords(text: string, width: number): string {
  if (text.length <= maxUnitsFor(width) && cellWidth(text) <= width) return text;
  const kept = cutEnd(text, width - 1);
  const blank = kept.lastIndexOf(' ');
  return (blank < 0 ? (/\d/.test(kept) ? '' : kept) : kept.slice(0, blank)).replace(/[,;:]$/, '') + ELLIPSIS;
}

/**
 * Where text that is too long is cut; `place`: before the `file:line` at its end, whose number is kept to the last; `path`: whole folders
 * at its start, after the `compile: ` of a step.
 */
export type CutPosition = 'end' | 'start' | 'middle' | 'place' | 'path';

/** Makes text exactly `width` cells wide: cuts it with an ellipsis, or pads it with blanks. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left', cut: CutPosition = 'end'): string {
  if (width <= 0) return '';
  const isLong = text.length > maxUnitsFor(width);
  const w = isLong ? width + 1 : cellWidth(text);
  if (w === width) return text;
  if (w < width) return align === 'left' ? text + ' '.repeat(width - w) : ' '.repeat(width - w) + text;
  if (width === 1) return ELLIPSIS;
  let out: string;
  if (cut === 'end') out = cutEnd(text, width - 1) + ELLIPSIS;
  else if (cut === 'start') out = ELLIPSIS + cutFolders(text, width - 1);
  else if (cut === 'place') out = cutBeforeLocation(text, width);
  else if (cut === 'path') out = cutAfterRole(text, width);
  else out = cutMiddle(text, width);
  const got = cellWidth(out);
  return got < width ? out + ' '.repeat(width - got) : out;
}

function cutMiddle(text: string, width: number): string {
  const left = Math.ceil((width - 1) / 2);
  return cutEnd(text, left) + ELLIPSIS + cutStart(text, width - 1 - left);
}

const ROLE_PREFIX = /^[\w-]{1,12}: /;
const PATH = /^[^\s/]*\/\S*$/; // bounded: one pass over the text
const MIN_PATH_CELLS = 10;

function cutAfterRole(text: string, width: number): string {
  const role = ROLE_PREFIX.exec(text)?.[0] ?? '';
  const path = text.slice(role.length);
  const pathWidth = width - role.length;
  if (!PATH.test(path) || pathWidth < MIN_PATH_CELLS) return cutMiddle(text, width);
  const kept = cutFolders(path, pathWidth - 1);
  return role + (kept.includes('/') ? ELLIPSIS + kept : cutMiddle(path.slice(path.lastIndexOf('/') + 1), pathWidth));
}

const LOCATION_SUFFIX = /(?<=^| )[^ ]*:\d+((?: [^ ]{1,5})?)$/; // bounded: the tail of a text
/** The minimum number of cells for a name before a whole location. If fewer remain, the location is cut. */
const MIN_NAME_CELLS = 6;

function cutBeforeLocation(text: string, width: number): string {
  const m = LOCATION_SUFFIX.exec(lastCodeUnits(text, 512));
  if (!m) return cutMiddle(text, width);
  const nameWidth = width - 1 - cellWidth(m[0]);
  if (nameWidth >= MIN_NAME_CELLS) return `${cutEnd(text.slice(0, -m[0].length), nameWidth)}${ELLIPSIS}${m[0]}`;
  // A mark after the line number is dropped first.
  const number = m[0].length - m[0].lastIndexOf(':');
  const whole = number < width ? text : text.slice(0, text.length - m[1].length);
  return ELLIPSIS + cutStart(whole, width - 1);
}

/** The ellipsis, which is one cell wide. */
export const ELLIPSIS = '…';

const BAR_EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar for a share from 0 to 1, `width` cells wide. */
export function barText(share: number, width: number): string {
  const clamped = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0));
  const eighths = Math.round(clamped * width * 8);
  return fit('█'.repeat(eighths >> 3) + BAR_EIGHTHS[eighths & 7], width);
}

/** A bar for a share from -1 to 1 around the middle of `width` cells (an odd number). Negative shares go to the left. */
export function twoSidedBar(share: number, width: number): string {
  const half = (width - 1) / 2;
  const clamped = Math.max(-1, Math.min(1, Number.isFinite(share) ? share : 0));
  const right = clamped > 0 ? barText(clamped, half) : ' '.repeat(half);
  // Unicode has no characters for the right eighths of a cell, only for its right half.
  const halves = Math.round(Math.max(0, -clamped) * half * 2);
  const left = '▐'.repeat(halves & 1) + '█'.repeat(halves >> 1);
  return `${left.padStart(half)}│${right}`;
}

/** Wraps text into lines of `first`, then `rest` cells. Breaks at a blank if one comes after the fraction `least`. */
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

/** Wraps text at spaces into lines of at most `width` cells. `first` comes before the first line, `rest` before each other line. */
export function wrapWords(text: string, width: number, first: string, rest: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && cellWidth(last) + 1 + cellWidth(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push((last === undefined ? first : rest) + word);
  }
  return lines;
}

/** A name as pprof compares it: without arguments, and the leading dot of PowerPC. `operator()` and `(anonymous namespace)` stay. */
export function withoutArguments(name: string): string {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  for (let at = plain.indexOf('('); at >= 0; at = plain.indexOf('(', at + 1)) {
    if (plain.startsWith('(anonymous namespace)', at)) continue;
    if (plain.startsWith('operator', at - 8) && plain[at + 1] === ')') continue;
    return plain.slice(0, at);
  }
  return plain;
}
