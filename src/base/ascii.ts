// Translates text to ASCII, cell by cell, for terminals and fonts that have nothing else.
import { cellWidth, graphemesOf } from './text.ts';

/** Our own marks, each followed by its ASCII replacement, all one cell wide. Bars round to whole cells from a half on. */
const ASCII_REPLACEMENTS =
  '≈~…~⋯~±~≥>→>←<↑^↓v⇒>↻@×x·-•*µuΔd▶>▷>▸+◂<▾-▴^▼v▲^●*○o★*◆*■#✗!›>‹<' +
  '│|┊:╷|─-━=╌-└+┌+┐+┘+├[┤]┥|┬+┴+┼+╰\\╯/╭/▁_▂.▃-▄-▅=▆+▇*█#▏ ▎ ▍ ▌#▋#▊#▉#▐#░:▒#';
const ASCII_BY_MARK = new Map(Array.from(ASCII_REPLACEMENTS.matchAll(/(.)(.)/gu), ([, mark, text]) => [mark, text]));
const BRAILLE_DOTS = /[\u2800-\u28ff]/g;
/** Superscripts: `n²` becomes `n^2`, at the cost of one blank in a column. */
const POWER_SIGNS = /([²³])(?: (?= |$))?/g;
const OWN_MARKS = new RegExp(`[${[...ASCII_BY_MARK.keys()].join('')}]`, 'g');
const ASCII_TEXT = /^[\x20-\x7e]*$/;

/** Replaces the screen's own marks with ASCII. Other non-ASCII characters, such as those in names, stay. */
export function replaceMarks(text: string): string {
  return text
    .replace(POWER_SIGNS, (_, power: string) => (power === '²' ? '^2' : '^3'))
    .replace(OWN_MARKS, (mark) => ASCII_BY_MARK.get(mark) ?? mark)
    .replace(BRAILLE_DOTS, '.');
}

/** Translates text to pure ASCII: unknown characters become `?`. Only powers without a blank after them change the width. */
export function toAscii(text: string): string {
  if (ASCII_TEXT.test(text)) return text;
  const marked = replaceMarks(text);
  if (ASCII_TEXT.test(marked)) return marked;
  return Array.from(graphemesOf(marked), ({ segment }) =>
    ASCII_TEXT.test(segment) ? segment : '?'.repeat(cellWidth(segment)),
  ).join('');
}
