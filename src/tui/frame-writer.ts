// Sends the terminal only what changed. Ink draws whole frames; this knows what is on the screen, scrolls moved lines with a
// scroll region, and writes the spans of cells that differ.
import { addTo } from '../base/lists.ts';
import { PLAIN } from '../base/text.ts';
import { blankCells, type Cell, parseCells, sameCell } from './cells.ts';

const ESC = '\u001b';
const [SHOW, HIDE] = [`${ESC}[?25h`, `${ESC}[?25l`];
/** Gaps of equal cells shorter than this are rewritten: moving the cursor costs as much. */
const BRIDGE = 4;
/** The most cells a terminal may use for one odd character (a family emoji of four). */
const ODD = 10;
/** Characters of output that take no time to draw. */
const SEEN = 400;
/** With fewer moved lines, a scroll region is not worthwhile. */
const LEAST_MOVED = 4;

export class FrameWriter {
  private lines: string[] = [];
  private cells: Cell[][] = [];
  private width = 0;
  private height = 0;
  /** False until the first frame, and after something else has written on the screen. */
  private known = false;
  /** Where the terminal's cursor was left; `hidden`, or undefined if nobody knows. */
  private left: Place | 'hidden' | undefined;

  /** Writes the next frame in full: the screen is no longer as we left it. */
  forget(): void {
    this.known = false;
    this.left = undefined;
  }

  /** The bytes that make the screen show the frame; '' if nothing changed. Lines beyond `height` are left out. */
  frame(lines: readonly string[], width: number, height: number): string {
    const next = Array.from({ length: height }, (_, i) => lines[i] ?? '');
    if (!this.known || width !== this.width || height !== this.height) return this.whole(next, width, height);
    const out = new Output(this.scroll(next));
    for (let row = 0; row < height; row++) {
      if (next[row] === this.lines[row]) continue;
      const cells = parseCells(next[row], width);
      diffRow(this.cells[row], cells, row, out);
      this.cells[row] = cells;
      this.lines[row] = next[row];
    }
    return this.pointed(out.end());
  }

  /** The output, and behind it the terminal's cursor at the selection: there screen readers follow it. */
  private pointed(out: string): string {
    const { left } = this;
    const place = selectionIn(this.cells) ?? 'hidden';
    this.left = place;
    if (place === 'hidden') return left === 'hidden' ? out : HIDE + out;
    const shown = typeof left === 'object';
    if (shown && out === '' && left.row === place.row && left.column === place.column) return '';
    // Where much is drawn, it would be seen running over the screen.
    const hides = shown && out.length > SEEN;
    const there = `${ESC}[${place.row + 1}${place.column > 0 ? `;${place.column + 1}` : ''}H`;
    return (hides ? HIDE : '') + out + there + (hides || !shown ? SHOW : '');
  }

  private whole(next: string[], width: number, height: number): string {
    this.lines = next;
    this.cells = next.map((line) => parseCells(line, width));
    this.width = width;
    this.height = height;
    this.known = true;
    const out = new Output(`${ESC}[r${ESC}[m`);
    this.cells.forEach((cells, row) => {
      const ink = lastInk(cells) + 1;
      out.moveTo(row, 0);
      out.cells(cells, 0, ink);
      if (ink < width) out.eraseRight();
    });
    return this.pointed(out.end());
  }

  /** Scrolls lines that are already elsewhere on the screen. The vacated rows become blank, here as on the terminal. */
  private scroll(next: readonly string[]): string {
    const { lines, height } = this;
    const changed = next.map((line, i) => line !== lines[i]);
    if (changed.filter(Boolean).length < LEAST_MOVED) return '';
    const places = new Map<string, number[]>();
    lines.forEach((line, i) => {
      if (line.trim() !== '') addTo(places, line, i);
    });
    const votes = new Map<number, number>();
    next.forEach((line, i) => {
      if (!changed[i]) return;
      for (const from of places.get(line) ?? []) votes.set(from - i, (votes.get(from - i) ?? 0) + 1);
    });
    let by = 0;
    let most = LEAST_MOVED - 1;
    for (const [shift, n] of votes) {
      if (shift !== 0 && n > most) {
        by = shift;
        most = n;
      }
    }
    if (by === 0) return '';
    // The region spans all rows involved, as source or as destination.
    let top = height;
    let bottom = -1;
    for (let i = 0; i < height; i++) {
      if (!changed[i] || next[i] !== lines[i + by]) continue;
      top = Math.min(top, i, i + by);
      bottom = Math.max(bottom, i, i + by);
    }
    const n = Math.abs(by);
    if (bottom - top + 1 <= n) return '';
    const region = this.cells.slice(top, bottom + 1);
    const texts = lines.slice(top, bottom + 1);
    const blankRows = Array.from({ length: n }, () => blankCells(this.width));
    const blankTexts = Array<string>(n).fill('');
    this.cells.splice(
      top,
      region.length,
      ...(by > 0 ? [...region.slice(n), ...blankRows] : [...blankRows, ...region.slice(0, -n)]),
    );
    this.lines.splice(
      top,
      texts.length,
      ...(by > 0 ? [...texts.slice(n), ...blankTexts] : [...blankTexts, ...texts.slice(0, -n)]),
    );
    return `${ESC}[${top + 1};${bottom + 1}r${ESC}[${n}${by > 0 ? 'S' : 'T'}${ESC}[r`;
  }
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * Where the selection begins, which is inverse: of several, the last, so that of a prompt. The first line is the title. A selection of
 * several lines begins in their first.
 */
function selectionIn(cells: readonly (readonly Cell[])[]): Place | undefined {
  const inverse = (row: number) => cells[row].findIndex(({ style }) => INVERSE.test(style));
  for (let row = cells.length - 1; row > 0; row--) {
    let column = inverse(row);
    if (column < 0) continue;
    for (let above = row - 1; above > 0 && inverse(above) === column; above--) row = above;
    column = inverse(row);
    return { row, column };
  }
  return undefined;
}

/** Attributes as penStyle() writes them: inverse comes before colours. */
const INVERSE = /^(?:[1-4];)*7(?:;|$)/; // bounded: attributes of a cell

/** Last cell that is not a plain blank; -1 for none. */
function lastInk(cells: readonly Cell[]): number {
  let at = cells.length - 1;
  while (at >= 0 && cells[at].text === ' ' && cells[at].style === '') at--;
  return at;
}

function diffRow(old: readonly Cell[], next: readonly Cell[], row: number, out: Output): void {
  const width = next.length;
  const inkEnd = lastInk(next) + 1;
  // If the rest of the line becomes blank, erasing it is shorter than writing blanks.
  const eraseFrom = lastInk(old) + 1 - inkEnd > 3 ? inkEnd : width;
  let i = 0;
  while (i < eraseFrom) {
    if (sameCell(old[i], next[i])) {
      i++;
      continue;
    }
    let end = i + 1;
    for (let k = end; k < eraseFrom && k - end < BRIDGE; k++) if (!sameCell(old[k], next[k])) end = k + 1;
    // Both cells of a wide character, old or new, are written together.
    let start = i;
    while (start > 0 && (next[start].text === '' || old[start].text === '')) start--;
    while (end < width && (next[end].text === '' || old[end].text === '')) end++;
    // If a terminal uses more cells for a character than we do, the cells after it are overwritten.
    for (let k = start; k < end; k++)
      if (isOdd(next[k].text) || isOdd(old[k].text)) end = Math.max(end, Math.min(width, k + ODD));
    while (end < width && next[end].text === '') end++;
    out.moveTo(row, start);
    out.cells(next, start, end);
    i = Math.max(end, i + 1);
  }
  if (eraseFrom < width) {
    out.moveTo(row, eraseFrom);
    out.eraseRight();
  }
}

/** Builds the output, tracking cursor and attributes to need few bytes; uses only sequences that every terminal knows. */
class Output {
  private text: string;
  private row = -1;
  /** -1 where the terminal's cursor may be elsewhere. */
  private column = -1;
  private pen = '';

  constructor(start: string) {
    this.text = start;
  }

  moveTo(row: number, column: number): void {
    if (row === this.row && column === this.column) return;
    if (row === this.row) {
      const by = column - this.column;
      const absolute = `${ESC}[${column + 1}G`;
      const relative = `${ESC}[${by === 1 ? '' : by}C`;
      if (column === 0) this.text += '\r';
      else this.text += this.column >= 0 && by > 0 && relative.length < absolute.length ? relative : absolute;
    } else if (row === this.row + 1 && this.row >= 0 && column === 0) this.text += '\r\n';
    else this.text += column === 0 ? `${ESC}[${row + 1}H` : `${ESC}[${row + 1};${column + 1}H`;
    this.row = row;
    this.column = column;
  }

  /** Writes cells [from, to); the cursor must be at the first. */
  cells(cells: readonly Cell[], from: number, to: number): void {
    for (let i = from; i < to; ) {
      const { text, style } = cells[i];
      this.style(style);
      if (text === ' ' && style === '') {
        let end = i + 1;
        while (end < to && cells[end].text === ' ' && cells[end].style === '') end++;
        // Erasing and moving past is shorter than many blanks.
        const erase = `${ESC}[${end - i}X`;
        if (erase.length + 5 < end - i) {
          this.text += erase;
          this.column = this.column < 0 ? -1 : i;
          if (end < to) this.moveTo(this.row, end);
        } else {
          this.text += ' '.repeat(end - i);
          if (this.column >= 0) this.column += end - i;
        }
        i = end;
        continue;
      }
      if (isOdd(text)) {
        const width = cells[i + 1]?.text === '' ? 2 : 1;
        this.column = -1;
        this.text += ' '.repeat(width);
        this.moveTo(this.row, i);
        this.text += text;
        this.column = -1;
        i += width;
        this.moveTo(this.row, i);
        continue;
      }
      this.text += text;
      i++;
      // The second cell of a wide character is counted, but has no text.
      if (this.column >= 0) this.column++;
    }
  }

  eraseRight(): void {
    this.style('');
    this.text += `${ESC}[K`;
  }

  /** The complete output, with attributes reset at the end. */
  end(): string {
    this.style('');
    return this.text;
  }

  private style(style: string): void {
    if (style === this.pen) return;
    if (style === '') this.text += `${ESC}[m`;
    // Only adding attributes needs no reset.
    else if (this.pen === '' || (style.startsWith(`${this.pen};`) && !hasColour(this.pen))) {
      this.text += `${ESC}[${this.pen === '' ? style : style.slice(this.pen.length + 1)}m`;
    } else this.text += `${ESC}[0;${style}m`;
    this.pen = style;
  }
}

/**
 * Emoji, flags, joined sequences: terminals disagree about their width. They are written over blanks, and whatever follows is
 * positioned by column.
 */
function isOdd(text: string): boolean {
  return text.length > 0 && !PLAIN.test(text) && !/^\p{L}\p{Mn}*$/u.test(text) && (text.length > 1 || /\p{Emoji}/u.test(text));
}

/** A later colour would replace an earlier one, so the whole style must be sent. */
function hasColour(style: string): boolean {
  return style.split(';').some((code) => code.length > 1);
}
