// Jump arcs next to rows. Each jump has a lane from its row to the row of its target; the first lanes are next to the text.
import type { Column } from '../../columns/column.ts';

export type JumpArc = Readonly<Record<'from' | 'to' | 'weight', number>>;

/** A column of `lanes` * 2 cells for the shown rows, from row `top`. Jumps that find no free lane are left out. */
export function arcsColumn<Row>(arcs: readonly JumpArc[], shown: readonly Row[], top: number, lanes: number): Column<Row> {
  const end = top + shown.length - 1;
  const seen = arcs.filter((a) => Math.min(a.from, a.to) <= end && Math.max(a.from, a.to) >= top);
  // The jumps that are taken most often get lanes first; with equal counts, the shortest.
  const chosen = [...seen].sort((a, b) => b.weight - a.weight || Math.abs(a.from - a.to) - Math.abs(b.from - b.to));
  const busy: [from: number, to: number][][] = Array.from({ length: lanes }, () => []);
  const placed: { arc: JumpArc; lane: number; low: number; high: number }[] = [];
  for (const arc of chosen) {
    const low = Math.min(arc.from, arc.to);
    const high = Math.max(arc.from, arc.to);
    const lane = busy.findIndex((taken) => taken.every(([f, t]) => high < f || low > t));
    if (lane < 0) continue;
    busy[lane].push([low, high]);
    placed.push({ arc, lane, low, high });
  }
  const width = lanes * 2;
  const rows = shown.map(() => Array<string>(width).fill(' '));
  const glyph = { v: '│', h: '─', up: '╰', down: '╭', head: '▶', self: '◂' };
  for (const { arc, lane, low, high } of placed.sort((a, b) => b.lane - a.lane)) {
    const column = width - 2 - lane * 2;
    for (let row = Math.max(low, top); row <= Math.min(high, end); row++) {
      const cells = rows[row - top];
      if (row !== low && row !== high) {
        if (cells[column] === ' ' || cells[column] === glyph.h) cells[column] = glyph.v;
        continue;
      }
      cells[column] = low === high ? glyph.self : row === low ? glyph.down : glyph.up;
      for (let k = column + 1; k < width; k++) if (cells[k] === ' ') cells[k] = glyph.h;
      if (row === arc.to) cells[width - 1] = glyph.head;
    }
  }
  const texts = new Map(shown.map((row, k) => [row, rows[k].join('')]));
  return { id: 'arcs', title: 'jumps', width, rank: 5, style: 'dim', text: (row) => texts.get(row) ?? '' };
}
