// The names of a chain as one cell: `a › b › c`. A narrow cell counts the names of the middle instead, `a › …7 › c`; the last name is kept
// longest. Calls of the same routine in a row are one name, `nest ×7`.
import type { TreeNode } from '../analysis/answers/tree.ts';
import { isOwnRoutine } from '../analysis/names/origin.ts';
import type { TableCell } from '../base/style.ts';
import { cellWidth, ELLIPSIS } from '../base/text.ts';
import type { ColumnContext } from './column.ts';
import { inlinedMark, nameCell } from './names.ts';

/** `times`: how often the routine is there in a row; once if absent. */
type ChainLink = Pick<TreeNode, 'routine' | 'inlined'> & { readonly times?: number };

/** The links with one for each run of the same routine. */
function joinRuns(links: readonly ChainLink[]): ChainLink[] {
  const out: ChainLink[] = [];
  for (const link of links) {
    const last = out.at(-1);
    const isSame = last && last.routine === link.routine && last.inlined === link.inlined;
    if (isSame) out[out.length - 1] = { ...last, times: timesOf(last) + timesOf(link) };
    else out.push(link);
  }
  return out;
}

const timesOf = ({ times = 1 }: ChainLink): number => times;

/** Minimum width of a shown name, and maximum width of a name between the first and the last. */
const MIN_NAME_WIDTH = 14;
const MAX_MIDDLE_NAME_WIDTH = 24;

/**
 * A cell with the names of the links in order, after the text `before`. `keepsFirst`: a narrow cell has the first name, too; else as many of
 * the last ones as fit, and the innermost own one.
 */
export function chainCell(c: ColumnContext, all: readonly ChainLink[], before: string, keepsFirst = true): TableCell {
  const links = joinRuns(all);
  const between = ' › ';
  // Whole names are too long: only the first name would fit.
  const names = c.names === 'whole' ? 'fit' : c.names;
  const name = ({ routine, inlined, times }: ChainLink, width: number) => {
    const after = inlinedMark(inlined) + (times === undefined ? '' : ` ×${times}`);
    const cell = nameCell({ analysis: c.analysis, names }, routine, { after });
    return cell.short?.(width) ?? cell.text;
  };
  return {
    get text() {
      return before + links.map((link) => name(link, Number.POSITIVE_INFINITY)).join(between);
    },
    short(width) {
      const room = width - cellWidth(before);
      const plain = shortenChain(links, name, between, room, keepsFirst);
      const own = keepsFirst ? -1 : links.findLastIndex(({ routine }) => isOwnRoutine(c.analysis.profile, routine));
      if (own < 1 || own > links.length - 2 || plain.includes(name(links[own], MAX_MIDDLE_NAME_WIDTH))) return before + plain;
      // The innermost own code can be changed; the library code that it calls cannot.
      const outer = `${ELLIPSIS}${links.slice(0, own).reduce((sum, link) => sum + timesOf(link), 0)}${between}`;
      return before + outer + shortenChain(links.slice(own), name, between, room - cellWidth(outer), true);
    },
  };
}

function shortenChain(
  links: readonly ChainLink[],
  name: (link: ChainLink, room: number) => string,
  between: string,
  room: number,
  keepsFirst: boolean,
): string {
  const gap = cellWidth(between);
  const left = `${ELLIPSIS}${between}`;
  const [first, last] = [links[0], links[links.length - 1]];
  const most = links.reduce((sum, link) => sum + timesOf(link), 0) - timesOf(first) - timesOf(last);
  const gaps = links.length > 2 ? 2 * gap + 1 + String(most).length : gap;
  if (links.length === 1) return name(last, room);
  // Too narrow for two names: show only the last one.
  if (room < gaps + 2 * MIN_NAME_WIDTH) {
    const own = room - cellWidth(left);
    return own < MIN_NAME_WIDTH ? name(last, room) : left + name(last, own);
  }
  const least = keepsFirst ? Math.max(MIN_NAME_WIDTH, Math.floor((room - gaps) / 3)) : 0;
  const end = name(last, room - gaps - (keepsFirst ? cellWidth(name(first, least)) : 0));
  // The first name may use the cells that the last name does not need.
  const start = keepsFirst ? [name(first, Math.max(least, Math.min(MAX_MIDDLE_NAME_WIDTH, room - gaps - cellWidth(end))))] : [];
  const middle: string[] = [];
  let spare = room - gaps - cellWidth(start.join('')) - cellWidth(end);
  let k = links.length - 2;
  for (; k >= start.length; k--) {
    // If no name is omitted, there is no ellipsis, so its cells are available.
    const space = Math.min(MAX_MIDDLE_NAME_WIDTH, spare + (k === start.length ? gap + 1 : 0) - gap);
    if (space < 1) break;
    const text = name(links[k], space);
    if (cellWidth(text) > space || (space < MIN_NAME_WIDTH && text.includes(ELLIPSIS))) break;
    middle.unshift(text);
    spare -= cellWidth(text) + gap;
  }
  const hidden = links.slice(start.length, k + 1).reduce((sum, link) => sum + timesOf(link), 0);
  return [...start, ...(k >= start.length ? [`${ELLIPSIS}${hidden}`] : []), ...middle, end].join(between);
}
