// Rows as aligned columns, for whatever width there is: columns that matter less go first, the flexible ones share the rest.
import { type Cut, cellWidth, fit, visible } from '../../base/text.ts';
import type { ScreenLine, Span, Style } from '../view.ts';
import type { List } from './list.ts';

export interface Column {
  readonly title: string;
  /** Cells; for a flexible column, the least that it needs. */
  readonly width: number;
  readonly align?: 'left' | 'right';
  readonly flex?: number;
  readonly cut?: Cut;
  /** Columns with the lowest rank go first where room is short; 9 never goes. */
  readonly rank: number;
  readonly style?: Style;
  /** The column that the rows are sorted by, marked in the heading. */
  readonly sorted?: 'asc' | 'desc' | undefined;
}

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

export interface TableSpec {
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly cells: (row: number) => readonly (string | Cell)[];
  /** A row that is a heading of its own, over all columns. */
  readonly banner?: (row: number) => string | undefined;
  readonly empty: string;
}

const GAP = 1;
/** So much of the row under the cursor is inverse at most. */
const LIT = 32;

/** Heading and rows: exactly `height` lines. */
export function drawTable(spec: TableSpec, list: List, width: number, height: number, ascii: boolean): ScreenLine[] {
  const layout = layOut(spec.columns, width - 1);
  const out: ScreenLine[] = [heading(spec.columns, layout, ascii)];
  if (spec.rows === 0) out.push({ spans: [[fit(' ' + spec.empty, width), 'dim']] });
  // Of the row under the cursor what it is about is inverse: every cell of it costs bytes with every move.
  const names = spec.columns.some((c) => c.rank === 9 && c.flex);
  for (let row = list.top; row < spec.rows && out.length < height; row++) {
    const cursor = row === list.cursor;
    const mark: Span = [cursor ? (ascii ? '>' : '▶') : ' ', 'plain'];
    const banner = spec.banner?.(row);
    if (banner !== undefined) {
      out.push({ spans: [mark, [fit(visible(banner), width - 1), 'bold', cursor]], ...(cursor ? { cursor } : {}) });
      continue;
    }
    const cells = spec.cells(row);
    const spans: Span[] = [mark];
    let used = 0;
    for (const [i, w] of layout) {
      const column = spec.columns[i];
      const cell = cells[i] ?? '';
      const raw = visible(typeof cell === 'string' ? cell : cell.text);
      const shifted = column.flex && list.left > 0 ? shiftText(raw, list.left) : raw;
      const style = (typeof cell === 'string' ? undefined : cell.style) ?? column.style ?? 'plain';
      const text = fit(shifted, w, column.align ?? 'left', column.cut ?? 'end');
      const gap = used > 0 ? ' ' : '';
      if (cursor && column.rank === 9 && (column.flex || !names)) {
        // Only the text, not the blanks around it: they would be as many bytes.
        const start = text.length - text.trimStart().length;
        const end = Math.max(start, Math.min(text.trimEnd().length, start + LIT));
        spans.push([gap + text.slice(0, start), 'plain'], [text.slice(start, end), style, true], [text.slice(end), 'plain']);
      } else spans.push([gap + text, style]);
      used++;
    }
    out.push({ spans, ...(cursor ? { cursor } : {}) });
  }
  while (out.length < height) out.push({ spans: [] });
  return out.slice(0, height);
}

function shiftText(text: string, left: number): string {
  return cellWidth(text) <= left ? '' : text.slice(left);
}

/** Numbers and widths of the columns that fit. */
function layOut(columns: readonly Column[], width: number): [column: number, width: number][] {
  let shown = columns.map((_, i) => i);
  const needed = () => shown.reduce((n, i) => n + columns[i].width + GAP, -GAP);
  while (shown.length > 1 && needed() > width) {
    const least = shown.filter((i) => columns[i].rank < 9).sort((a, b) => columns[a].rank - columns[b].rank || b - a)[0];
    if (least === undefined) break;
    shown = shown.filter((i) => i !== least);
  }
  let spare = Math.max(0, width - needed());
  let shares = shown.reduce((n, i) => n + (columns[i].flex ?? 0), 0);
  let room = width;
  return shown.map((i) => {
    const column = columns[i];
    let w = column.width;
    if (column.flex && shares > 0) {
      const more = Math.floor((spare * column.flex) / shares);
      w += more;
      spare -= more;
      shares -= column.flex;
    }
    w = Math.max(0, Math.min(w, room));
    room -= w + GAP;
    return [i, w];
  });
}

function heading(columns: readonly Column[], layout: readonly [number, number][], ascii: boolean): ScreenLine {
  const cells = layout.map(([i, w]) => {
    const { title, align, sorted } = columns[i];
    const arrow = sorted === undefined ? '' : sorted === 'desc' ? (ascii ? 'v' : '▼') : ascii ? '^' : '▲';
    return fit(align === 'right' ? arrow + title : title + arrow, w, align ?? 'left');
  });
  return { spans: [[' ' + cells.join(' '), 'header']] };
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of a share from 0 to 1, `width` cells. */
export function bar(share: number, width: number, ascii: boolean): string {
  const clamped = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0));
  if (ascii) return fit('#'.repeat(Math.round(clamped * width)), width);
  const eighths = Math.round(clamped * width * 8);
  return fit('█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7], width);
}

/** Style by share of the whole: what makes a row worth a look. */
export function heat(share: number): Style {
  return share >= 0.1 ? 'hot' : share >= 0.01 ? 'warm' : 'plain';
}
