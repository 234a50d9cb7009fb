// The same text in ASCII, cell by cell, for terminals and fonts that have nothing else.
import { cellWidth, segmentsOf } from './text.ts';

/** Our own marks, each with what stands for it, both of one cell. Bars: halves of a cell and more are whole. */
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

/** Nothing but ASCII: characters of names that are not become `?`. As wide as before, but for powers that have no blanks behind them. */
export function toAscii(text: string): string {
  if (ASCII.test(text)) return text;
  const marked = asciiMarks(text);
  if (ASCII.test(marked)) return marked;
  return Array.from(segmentsOf(marked), ({ segment }) => (ASCII.test(segment) ? segment : '?'.repeat(cellWidth(segment)))).join(
    '',
  );
}
