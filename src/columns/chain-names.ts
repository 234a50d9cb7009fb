// The names of a chain as one cell: `a › b › c`. A narrow cell drops the middle first; the last name is kept longest.
import type { TreeNode } from '../analysis/answers/tree.ts';
import type { TableCell } from '../base/style.ts';
import { cellWidth, ELLIPSIS } from '../base/text.ts';
import type { ColumnContext } from './column.ts';
import { inlinedMark, nameCell } from './names.ts';

type ChainLink = Pick<TreeNode, 'routine' | 'inlined'>;

/** Minimum width of a shown name, and maximum width of a name between the first and the last. */
const MIN_NAME_WIDTH = 14;
const MAX_MIDDLE_NAME_WIDTH = 24;

/** A cell with the names of the links in order, after the text `before`. */
export function chainCell(c: ColumnContext, links: readonly ChainLink[], before: string): TableCell {
  const between = ' › ';
  // Whole names are too long: only the first name would fit.
  const names = c.names === 'whole' ? 'fit' : c.names;
  const name = ({ routine, inlined }: ChainLink, width: number) => {
    const cell = nameCell({ analysis: c.analysis, names }, routine, { after: inlinedMark(inlined) });
    return cell.short?.(width) ?? cell.text;
  };
  return {
    get text() {
      return before + links.map((link) => name(link, Number.POSITIVE_INFINITY)).join(between);
    },
    short: (width) => before + shortenChain(links, name, between, width - cellWidth(before)),
  };
}

function shortenChain(
  links: readonly ChainLink[],
  name: (link: ChainLink, room: number) => string,
  between: string,
  room: number,
): string {
  const gap = cellWidth(between);
  const left = `${ELLIPSIS}${between}`;
  const [first, last] = [links[0], links[links.length - 1]];
  const gaps = links.length > 2 ? 2 * gap + 1 : gap;
  if (links.length === 1) return name(last, room);
  // Too narrow for two names: show only the last one.
  if (room < gaps + 2 * MIN_NAME_WIDTH) {
    const own = room - cellWidth(left);
    return own < MIN_NAME_WIDTH ? name(last, room) : left + name(last, own);
  }
  const least = Math.max(MIN_NAME_WIDTH, Math.floor((room - gaps) / 3));
  const end = name(last, room - gaps - cellWidth(name(first, least)));
  // The first name may use the cells that the last name does not need.
  const start = name(first, Math.max(least, Math.min(MAX_MIDDLE_NAME_WIDTH, room - gaps - cellWidth(end))));
  const middle: string[] = [];
  let spare = room - gaps - cellWidth(start) - cellWidth(end);
  let k = links.length - 2;
  for (; k > 0; k--) {
    // If no name is omitted, there is no ellipsis, so its cells are available.
    const most = Math.min(MAX_MIDDLE_NAME_WIDTH, spare + (k === 1 ? gap + 1 : 0) - gap);
    if (most < 1) break;
    const text = name(links[k], most);
    if (cellWidth(text) > most || (most < MIN_NAME_WIDTH && text.includes(ELLIPSIS))) break;
    middle.unshift(text);
    spare -= cellWidth(text) + gap;
  }
  return [start, ...(k > 0 ? [ELLIPSIS] : []), ...middle, end].join(between);
}
