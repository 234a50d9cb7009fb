// The same text in ASCII, cell by cell, for terminals and fonts that have nothing else.
import { cellWidth, segmentsOf } from './text.ts';

/** Our own marks; each is one cell, as is what stands for it. */
const MARKS = new Map(
  Object.entries({
    '≈': '~',
    '…': '~',
    '⋯': '~',
    '→': '>',
    '←': '<',
    '↑': '^',
    '↓': 'v',
    '↻': '@',
    '×': 'x',
    '·': '*',
    '²': '2',
    '³': '3',
    µ: 'u',
    '▶': '>',
    '▸': '>',
    '◂': '<',
    '▾': 'v',
    '▴': '^',
    '▼': 'v',
    '▲': '^',
    '●': '*',
    '★': '*',
    '✗': '!',
    '│': '|',
    '─': '-',
    '╰': '\\',
    '╭': '/',
    '█': '#',
    '▒': '#',
  }),
);
const OWN = new RegExp(`[${[...MARKS.keys()].join('')}]`, 'g');
const ASCII = /^[\x20-\x7e]*$/;

/** Replaces our own marks; what else is not ASCII, in names, stays. */
export function asciiMarks(text: string): string {
  return text.replace(OWN, (mark) => MARKS.get(mark) ?? mark);
}

/** Nothing but ASCII, and as wide as before: characters of names that are not become `?`. */
export function toAscii(text: string): string {
  if (ASCII.test(text)) return text;
  const marked = asciiMarks(text);
  if (ASCII.test(marked)) return marked;
  return Array.from(segmentsOf(marked), ({ segment }) => (ASCII.test(segment) ? segment : '?'.repeat(cellWidth(segment)))).join(
    '',
  );
}
