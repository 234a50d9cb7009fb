// Sends only changes to the terminal. Ink draws whole frames; FrameWriter remembers the screen, scrolls moved lines with a scroll
// region, and writes the spans of cells that differ.
import { addToList } from '../base/lists.ts';
import { PLAIN } from '../base/text.ts';
import { type Capabilities, XTERM } from './capabilities.ts';
import { blankCells, isSameCell, leavesBlank, parseCells, type ScreenCell } from './cells.ts';

const ESC = '\u001b';
const [SHOW_CURSOR, HIDE_CURSOR] = [`${ESC}[?25h`, `${ESC}[?25l`];
/** Gaps of fewer unchanged cells are rewritten, because moving the cursor over them takes as many bytes. */
const MAX_REWRITTEN_GAP = 4;
/** Maximum cells that a terminal may use for one character of uncertain width, such as a family emoji of four people. */
const MAX_UNCERTAIN_CELLS = 10;
/** Output up to this length is drawn so fast that nobody sees the cursor move. */
const MAX_UNSEEN_OUTPUT = 400;
/** Minimum number of moved lines for which a scroll region saves output. */
const MIN_MOVED_LINES = 4;

export class FrameWriter {
  private lines: string[] = [];
  private cells: ScreenCell[][] = [];
  private width = 0;
  private height = 0;
  /** False before the first frame, and after another program has written to the screen. */
  private isScreenKnown = false;
  /** The position of the terminal's cursor, or `hidden`; undefined if unknown. */
  private cursor: ReturnType<typeof findSelection> | 'hidden' | undefined;

  /** `can`: the sequences that not all terminals know; `renderFrame` uses no others. */
  constructor(private readonly can: Capabilities = XTERM) {}

  /** Marks the screen as unknown, so the next frame is written in full. */
  invalidate(): void {
    this.isScreenKnown = false;
    this.cursor = undefined;
  }

  /** The bytes that make the screen show the frame; '' if nothing changed. Lines beyond `height` are left out. */
  renderFrame(lines: readonly string[], width: number, height: number): string {
    const next = Array.from({ length: height }, (_, i) => lines[i] ?? '');
    if (!this.isScreenKnown || width !== this.width || height !== this.height) return this.renderWhole(next, width, height);
    const out = new FrameOutput(this.scrollMovedLines(next), this.can);
    for (let row = 0; row < height; row++) {
      if (next[row] === this.lines[row]) continue;
      const cells = parseCells(next[row], width);
      writeRowDifference(this.cells[row], cells, row, out);
      this.cells[row] = cells;
      this.lines[row] = next[row];
    }
    return this.withCursor(out.finish());
  }

  /** Appends a move of the terminal's cursor to the selection, because screen readers read the text there. */
  private withCursor(out: string): string {
    const { cursor } = this;
    const position = findSelection(this.cells) ?? 'hidden';
    this.cursor = position;
    if (position === 'hidden') return cursor === 'hidden' ? out : HIDE_CURSOR + out;
    const shown = typeof cursor === 'object';
    if (shown && out === '' && cursor.row === position.row && cursor.column === position.column) return '';
    // During long output the cursor would be seen moving.
    const hides = shown && out.length > MAX_UNSEEN_OUTPUT;
    const moveSequence = `${ESC}[${position.row + 1}${position.column > 0 ? `;${position.column + 1}` : ''}H`;
    return (hides ? HIDE_CURSOR : '') + out + moveSequence + (hides || !shown ? SHOW_CURSOR : '');
  }

  private renderWhole(next: string[], width: number, height: number): string {
    this.lines = next;
    this.cells = next.map((line) => parseCells(line, width));
    this.width = width;
    this.height = height;
    this.isScreenKnown = true;
    const out = new FrameOutput(`${ESC}[r${ESC}[m`, this.can);
    this.cells.forEach((cells, row) => {
      const ink = lastVisibleCell(cells) + 1;
      out.moveTo(row, 0);
      out.writeCells(cells, 0, ink);
      if (ink < width) out.eraseRight();
    });
    return this.withCursor(out.finish());
  }

  /** Scrolls lines that are already at another row of the screen. Vacated rows become blank in `lines` and on the terminal. */
  private scrollMovedLines(next: readonly string[]): string {
    const { lines, height } = this;
    const changed = next.map((line, i) => line !== lines[i]);
    if (changed.filter(Boolean).length < MIN_MOVED_LINES) return '';
    const rowsByText = new Map<string, number[]>();
    lines.forEach((line, i) => {
      if (line.trim() !== '') addToList(rowsByText, line, i);
    });
    const votes = new Map<number, number>();
    next.forEach((line, i) => {
      if (!changed[i]) return;
      for (const from of rowsByText.get(line) ?? []) votes.set(from - i, (votes.get(from - i) ?? 0) + 1);
    });
    const [[bestShift, most] = [0, 0]] = [...votes].sort((a, b) => b[1] - a[1]);
    if (most < MIN_MOVED_LINES) return '';
    // The region spans all rows involved, as source or as destination.
    let top = height;
    let bottom = -1;
    for (let i = 0; i < height; i++) {
      if (!changed[i] || next[i] !== lines[i + bestShift]) continue;
      top = Math.min(top, i, i + bestShift);
      bottom = Math.max(bottom, i, i + bestShift);
    }
    const n = Math.abs(bestShift);
    if (bottom - top + 1 <= n) return '';
    const [from, to] = bestShift > 0 ? [top, bottom + 1 - n] : [bottom + 1 - n, top];
    // The rows that leave the region make room for blank ones at its other end.
    this.cells.splice(from, n);
    this.lines.splice(from, n);
    this.cells.splice(to, 0, ...Array.from({ length: n }, () => blankCells(this.width)));
    this.lines.splice(to, 0, ...Array<string>(n).fill(''));
    // Every terminal scrolls a region by line feeds at its end and reverse line feeds at its start; not all know CSI S and CSI T.
    const scrolled = bestShift > 0 ? `${ESC}[${bottom + 1}H${'\n'.repeat(n)}` : `${ESC}[${top + 1}H${`${ESC}M`.repeat(n)}`;
    return `${ESC}[${top + 1};${bottom + 1}r${scrolled}${ESC}[r`;
  }
}

/**
 * The position where the selection starts: the first of the lowest block of inverse lines, so that a prompt wins over a row.
 * The title, in the first line, does not count.
 */
function findSelection(cells: readonly (readonly ScreenCell[])[]) {
  const firstInverseColumn = (row: number) => cells[row].findIndex(({ style }) => INVERSE_PATTERN.test(style));
  for (let row = cells.length - 1; row > 0; row--) {
    const column = firstInverseColumn(row);
    if (column < 0) continue;
    for (let above = row - 1; above > 0 && firstInverseColumn(above) === column; above--) row = above;
    return { row, column };
  }
  return undefined;
}

/** Matches the attributes of inverse cells. penStyle() puts inverse before colours. */
const INVERSE_PATTERN = /^(?:[1-4];)*7(?:;|$)/; // bounded: attributes of a cell

/** The index of the last cell that is not a plain blank; -1 if there is none. */
const lastVisibleCell = (cells: readonly ScreenCell[]): number =>
  cells.findLastIndex(({ text, style }) => text !== ' ' || style !== '');

function writeRowDifference(old: readonly ScreenCell[], next: readonly ScreenCell[], row: number, out: FrameOutput): void {
  const width = next.length;
  const inkEnd = lastVisibleCell(next) + 1;
  // If the rest of the line becomes blank, erasing it is shorter than writing blanks.
  const eraseFrom = lastVisibleCell(old) + 1 - inkEnd > 3 ? inkEnd : width;
  let i = 0;
  while (i < eraseFrom) {
    if (isSameCell(old[i], next[i])) {
      i++;
      continue;
    }
    let end = i + 1;
    for (let k = end; k < eraseFrom && k - end < MAX_REWRITTEN_GAP; k++) if (!isSameCell(old[k], next[k])) end = k + 1;
    // A wide character takes two cells, which must be written together.
    let start = i;
    while (start > 0 && (next[start].text === '' || old[start].text === '')) start--;
    while (end < width && (next[end].text === '' || old[end].text === '')) end++;
    // A terminal may use more cells for a character than assumed here, so the cells after it are rewritten.
    for (let k = start; k < end; k++)
      if (hasUncertainWidth(next[k].text) || hasUncertainWidth(old[k].text))
        end = Math.max(end, Math.min(width, k + MAX_UNCERTAIN_CELLS));
    while (end < width && next[end].text === '') end++;
    out.moveTo(row, start);
    out.writeCells(next, start, end);
    i = Math.max(end, i + 1);
  }
  if (eraseFrom < width) {
    out.moveTo(row, eraseFrom);
    out.eraseRight();
  }
}

/** Builds the output with few bytes by tracking cursor and attributes. It uses only sequences that the terminal knows. */
class FrameOutput {
  private row = -1;
  /** -1 if the column of the terminal's cursor is uncertain. */
  private column = -1;
  private pen = '';

  /** `text`: the output so far. */
  constructor(
    private text: string,
    private readonly can: Capabilities,
  ) {}

  moveTo(row: number, column: number): void {
    if (row === this.row && column === this.column) return;
    if (row === this.row) {
      const by = column - this.column;
      const absolute = this.can.movesToColumn ? `${ESC}[${column + 1}G` : `${ESC}[${row + 1};${column + 1}H`;
      const relative = `${ESC}[${by === 1 ? '' : by}C`;
      if (column === 0) this.text += '\r';
      else this.text += this.column >= 0 && by > 0 && relative.length < absolute.length ? relative : absolute;
    } else if (row === this.row + 1 && this.row >= 0 && column === 0) this.text += '\r\n';
    else this.text += column === 0 ? `${ESC}[${row + 1}H` : `${ESC}[${row + 1};${column + 1}H`;
    this.row = row;
    this.column = column;
  }

  /** Writes cells [from, to); the cursor must be at the first. */
  writeCells(cells: readonly ScreenCell[], from: number, to: number): void {
    for (let i = from; i < to; ) {
      const { text, style } = cells[i];
      const isBlank = text === ' ' && style === '';
      if (!isBlank || !leavesBlank(this.pen)) this.setStyle(style);
      if (isBlank) {
        let end = i + 1;
        while (end < to && cells[end].text === ' ' && cells[end].style === '') end++;
        // Erasing cells and moving past them takes fewer bytes than many blanks.
        const erase = `${ESC}[${end - i}X`;
        if (this.can.erasesCells && erase.length + 5 < end - i) {
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
      if (hasUncertainWidth(text)) {
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
      // The second cell of a wide character advances the column, but has no text.
      if (this.column >= 0) this.column++;
    }
  }

  eraseRight(): void {
    if (!leavesBlank(this.pen)) this.setStyle('');
    this.text += `${ESC}[K`;
  }

  /** The complete output, with attributes reset at the end. */
  finish(): string {
    this.setStyle('');
    return this.text;
  }

  private setStyle(style: string): void {
    if (style === this.pen) return;
    if (style === '') this.text += `${ESC}[m`;
    // If the new style only adds attributes, no reset is needed.
    else if (this.pen === '' || (style.startsWith(`${this.pen};`) && !hasColour(this.pen))) {
      this.text += `${ESC}[${this.pen === '' ? style : style.slice(this.pen.length + 1)}m`;
    } else this.text += `${ESC}[0;${style}m`;
    this.pen = style;
  }
}

/**
 * Whether terminals disagree about the width of a text: emoji, flags and joined sequences. Such text is written over blanks, and
 * the text behind it is positioned by column.
 */
const hasUncertainWidth = (text: string): boolean =>
  text.length > 0 && !PLAIN.test(text) && !/^\p{L}\p{Mn}*$/u.test(text) && (text.length > 1 || /\p{Emoji}/u.test(text));

/** Whether a style sets a colour. A later colour would replace it, so the complete style must then be sent. */
const hasColour = (style: string): boolean => style.split(';').some((code) => code.length > 1);
