// Translates text to ASCII, cell by cell, for terminals and fonts that have nothing else.
import { cellWidth, segmentsOf } from './text.ts';

/**
 * Our own marks, each followed by its ASCII replacement; both are one cell wide. Bars are rounded to whole cells from a half
 * on.
 */
const PAIRS =
  '≈~…~⋯~±~→>←<↑^↓v⇒>↻@×x·-•*µuΔd▶>▷>▸+◂<▾-▴^▼v▲^●*○o★*◆*■#✗!›>‹<' +
  '│|┊:╷|─-━=╌-└+┌+┐+┘+├[┤]┥|┬+┴+┼+╰\\╯/╭/▁_▂.▃-▄-▅=▆+▇*█#▏ ▎ ▍ ▌#▋#▊#▉#▐#░:▒#';
const MARKS = new Map(Array.from(PAIRS.matchAll(/(.)(.)/gu), ([, mark, text]) => [mark, text]));
/** The dots of plots. */
const DOTS = /[\u2800-\u28ff]/g;
/** `n²` is n^2, at the cost of a blank in a column. */
const POWERS = /([²³])(?: (?= |$))?/g;
const OWN = new RegExp(`[${[...MARKS.keys()].join('')}]`, 'g');
const ASCII = /^[\x20-\x7e]*$/;

/** Replaces our own marks; what else is not ASCII, in names, stays. */
export function asciiMarks(text: string): string {
  return text
    .replace(POWERS, (_, power: string) => (power === '²' ? '^2' : '^3'))
    .replace(OWN, (mark) => MARKS.get(mark) ?? mark)
    .replace(DOTS, '.');
}

/** Pure ASCII: other characters of names become `?`. The width is kept, except for powers without a blank behind them. */
export function toAscii(text: string): string {
  if (ASCII.test(text)) return text;
  const marked = asciiMarks(text);
  if (ASCII.test(marked)) return marked;
  return Array.from(segmentsOf(marked), ({ segment }) => (ASCII.test(segment) ? segment : '?'.repeat(cellWidth(segment)))).join(
    '',
  );
}
