// The names of a chain as one cell: `a › b › c`. Where there is little room the middle goes first; the last name stays longest.
import type { Cell } from '../base/style.ts';
import { cellWidth, ELLIPSIS } from '../base/text.ts';
import type { ColumnContext } from './column.ts';
import { inlinedMark, nameCell } from './names.ts';

/** A routine of the chain. */
export interface Link {
  readonly routine: number;
  readonly inlined?: boolean;
}

/** Cells that a name gets at least, if it is shown at all, and at most if it is neither the first nor the last. */
const LEAST = 14;
const MIDDLE = 24;

/** The names of the links, the first one first, with what stands before them. */
export function chainCell(c: ColumnContext, links: readonly Link[], before: string): Cell {
  const between = ' › ';
  // A chain of whole names would show only the first.
  const names = c.names === 'whole' ? 'fit' : c.names;
  const name = ({ routine, inlined }: Link, room: number) => {
    const cell = nameCell({ analysis: c.analysis, names }, routine, { after: inlinedMark(inlined) });
    return cell.short?.(room) ?? cell.text;
  };
  return {
    get text() {
      return before + links.map((link) => name(link, Number.POSITIVE_INFINITY)).join(between);
    },
    short: (room) => before + shortChain(links, name, between, room - cellWidth(before)),
  };
}

function shortChain(links: readonly Link[], name: (link: Link, room: number) => string, between: string, room: number): string {
  const gap = cellWidth(between);
  const left = `${ELLIPSIS}${between}`;
  const [first, last] = [links[0], links[links.length - 1]];
  const gaps = links.length > 2 ? 2 * gap + 1 : gap;
  // No room for two names.
  if (room < gaps + 2 * LEAST) {
    const own = room - cellWidth(left);
    return own < LEAST ? name(last, room) : left + name(last, own);
  }
  const least = Math.max(LEAST, Math.floor((room - gaps) / 3));
  const end = name(last, room - gaps - cellWidth(name(first, least)));
  // The rest of the last name belongs to the first.
  const start = name(first, Math.max(least, Math.min(MIDDLE, room - gaps - cellWidth(end))));
  const middle: string[] = [];
  let spare = room - gaps - cellWidth(start) - cellWidth(end);
  let k = links.length - 2;
  for (; k > 0; k--) {
    // The mark for what is left out needs no room once nothing is.
    const most = Math.min(MIDDLE, spare + (k === 1 ? gap + 1 : 0) - gap);
    if (most < 1) break;
    const text = name(links[k], most);
    if (cellWidth(text) > most || (most < LEAST && text.includes(ELLIPSIS))) break;
    middle.unshift(text);
    spare -= cellWidth(text) + gap;
  }
  return [start, ...(k > 0 ? [ELLIPSIS] : []), ...middle, end].join(between);
}
