// Sends the terminal only what changed. Ink draws whole frames; this knows what stands on the screen, scrolls what moved by a
// scroll region, and writes the spans of cells that differ.
import { blankCells, type Cell, parseCells, sameCell } from './cells.ts';

const ESC = '\u001b';
/** A gap of equal cells shorter than this is written through: a cursor movement costs as much. */
const BRIDGE = 6;
/** Fewer moved lines than this are not worth a scroll region. */
const LEAST_MOVED = 4;

export class FrameWriter {
  private lines: string[] = [];
  private cells: Cell[][] = [];
  private width = 0;
  private height = 0;
  /** False until the first frame, and after something else has written on the screen. */
  private known = false;

  /** The next frame is written whole: the screen is not what we left it. */
  forget(): void {
    this.known = false;
  }

  /** What to send so that the screen shows the frame. Lines beyond `height` are left out; '' where nothing changed. */
  frame(lines: readonly string[], width: number, height: number): string {
    const next = Array.from({ length: height }, (_, i) => lines[i] ?? '');
    if (!this.known || width !== this.width || height !== this.height) return this.whole(next, width, height);
    let out = this.scroll(next);
    for (let row = 0; row < height; row++) {
      if (next[row] === this.lines[row]) continue;
      const cells = parseCells(next[row]!, width);
      out += diffRow(this.cells[row]!, cells, row);
      this.cells[row] = cells;
      this.lines[row] = next[row]!;
    }
    return out;
  }

  private whole(next: string[], width: number, height: number): string {
    this.lines = next;
    this.cells = next.map((line) => parseCells(line, width));
    this.width = width;
    this.height = height;
    this.known = true;
    let out = `${ESC}[r${ESC}[m`;
    this.cells.forEach((cells, row) => {
      out += `${ESC}[${row + 1};1H` + writeCells(cells, 0, lastInk(cells) + 1) + (lastInk(cells) + 1 < width ? `${ESC}[K` : '');
    });
    return out;
  }

  /** Moves lines that stand elsewhere on the screen already. The rows that come free are blank, here as there. */
  private scroll(next: readonly string[]): string {
    const { lines, height } = this;
    const changed = next.map((line, i) => line !== lines[i]);
    if (changed.filter(Boolean).length < LEAST_MOVED) return '';
    const places = new Map<string, number[]>();
    lines.forEach((line, i) => {
      if (line.trim() === '') return;
      const list = places.get(line);
      if (list) list.push(i);
      else places.set(line, [i]);
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
    // The region: from the first to the last row that takes part, as place or as source.
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

/** Last cell that is not a plain blank; -1 for none. */
function lastInk(cells: readonly Cell[]): number {
  let at = cells.length - 1;
  while (at >= 0 && cells[at]!.text === ' ' && cells[at]!.style === '') at--;
  return at;
}

/** Cells [from, to) with the attributes they need, ending with none. */
function writeCells(cells: readonly Cell[], from: number, to: number): string {
  let out = '';
  let pen = '';
  for (let i = from; i < to; i++) {
    const { text, style } = cells[i]!;
    if (style !== pen) {
      out += style === '' ? `${ESC}[m` : `${ESC}[${pen === '' ? '' : '0;'}${style}m`;
      pen = style;
    }
    out += text;
  }
  return pen === '' ? out : out + `${ESC}[m`;
}

function diffRow(old: readonly Cell[], next: readonly Cell[], row: number): string {
  const width = next.length;
  let out = '';
  const inkEnd = lastInk(next) + 1;
  // Where the rest of the line becomes blank, erasing is shorter than blanks.
  const eraseFrom = lastInk(old) + 1 - inkEnd > 4 ? inkEnd : width;
  let i = 0;
  while (i < eraseFrom) {
    if (sameCell(old[i]!, next[i]!)) {
      i++;
      continue;
    }
    let end = i + 1;
    for (let k = end; k < eraseFrom && k - end < BRIDGE; k++) if (!sameCell(old[k]!, next[k]!)) end = k + 1;
    // Both cells of a wide character, old or new, are written together.
    let start = i;
    while (start > 0 && (next[start]!.text === '' || old[start]!.text === '')) start--;
    while (end < width && (next[end]!.text === '' || old[end]!.text === '')) end++;
    out += `${ESC}[${row + 1};${start + 1}H` + writeCells(next, start, end);
    i = Math.max(end, i + 1);
  }
  if (eraseFrom < width) out += `${ESC}[${row + 1};${eraseFrom + 1}H${ESC}[K`;
  return out;
}
