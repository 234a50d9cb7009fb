// The lines above the footer: the row under the cursor, on several lines if its routine name is long.
import { routineName } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { cellWidth, cutEnd, cutWords, ELLIPSIS, fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { exporters } from '../exports/index.ts';
import { noteText } from './edit-note.ts';
import { guessText } from './renames.ts';
import { type AppState, contextOf, cursorRoutine, openView } from './state.ts';

/** The number that distinguishes equal short names. */
const NUMBERED = /#\d{1,9}$/;
/** Cells of a name in a narrow table. */
const SHORT = 30;
/** The least number of cells in which a file or an object is readable. */
const MIN_LOCATION_WIDTH = 10;
const TALL = 14;
/** The most lines for a name; fewer on short screens. */
const maxNameLines = (height: number) => (height >= TALL ? 3 : 2);

/** The message, on as many lines as it needs, up to a third of the screen; none if there is none. */
export function messageLines({ message, width, height }: AppState): string[] {
  if (!message) return [];
  const most = Math.max(1, Math.floor(height / 3));
  const availableWidth = Math.max(1, width - 1);
  const lines = wrapText(visible(keepEnds(message.text, most * availableWidth)), availableWidth, availableWidth, 1 / 3);
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most - 1), cutWords(`${lines[most - 1].trimEnd()} ${ELLIPSIS}`, availableWidth)];
}

/** The number of lines above the footer. */
export const detailRowsOf = (state: AppState): number => Math.max(detailLines(state).length, messageLines(state).length);

/** The formats by file ending, shown while the name of an export is typed. */
const ENDINGS = `The ending chooses the format: ${exporters.map((e) => `${e.endings[0]} ${e.name}`).join(', ')}`;

/** The row under the cursor in full, and the meaning of its marks where there is room for it. */
export function detailLines(state: AppState): string[] {
  const availableWidth = Math.max(1, state.width - 1);
  if (state.prompt?.kind === 'export')
    return wrapText(ENDINGS, availableWidth, availableWidth, 0).slice(0, maxNameLines(state.height) + 1);
  const lines = cursorRowLines(state);
  const marks = marksText(state, lines.join(''));
  const last = lines.at(-1) ?? '';
  if (marks === '' || last === '') return lines;
  if (cellWidth(last) + 2 + cellWidth(marks) <= availableWidth) return [...lines.slice(0, -1), `${last}  ${marks}`];
  return lines.length < maxNameLines(state.height) && state.height >= TALL ? [...lines, cutWords(marks, availableWidth)] : lines;
}

/** The meaning of the marks at the routine under the cursor, where the lines above are about it. */
function marksText(state: AppState, shownText: string): string {
  const { totals, profile } = state.analysis;
  const routine = cursorRoutine(state);
  const name = routine < 0 ? '' : routineName(profile, routine);
  if (name === '' || !shownText.includes(visible(name.slice(0, MIN_LOCATION_WIDTH)).trimEnd())) return '';
  const level = /'(\d{1,6})$/.exec(name)?.[1];
  const cycle = totals.cycles.of[routine];
  const marks = [
    ...(level === undefined ? [] : [`'${level}: level ${level} of a recursion`]),
    ...(cycle > 0 ? [`↻${cycle}: its routines call each other`] : []),
    ...(totals.estimated?.inclusive[routine] ? ['≈: estimated from call shares'] : []),
    ...(NUMBERED.test(shortName(profile, routine, SHORT)) ? ['#: another routine has the same short name'] : []),
  ];
  return marks.length === 0 ? '' : `(${marks.join('; ')})`;
}

function cursorRowLines(state: AppState): string[] {
  const { width, height, analysis } = state;
  const guess = guessText(state);
  const noted = noteText(state);
  const plain = openView(state).detail(contextOf(state));
  const shown = noted === '' ? plain : `${plain}  [note: ${noted}]`;
  const availableWidth = Math.max(1, width - 1);
  const routine = cursorRoutine(state);
  const own = routine < 0 ? '' : routineName(analysis.profile, routine);
  // The suggested rename follows the routine name, where it is not cut.
  const name = guess === '' || own === '' || !shown.startsWith(own) ? own : `${own}  ${guess}`;
  const text = name === own ? shown : name + shown.slice(own.length);
  const startsWithName = name !== '' && text.startsWith(name);
  const most = startsWithName || height >= TALL ? maxNameLines(height) : 1;
  if (startsWithName && name.length <= availableWidth * 4 && cellWidth(visible(name)) <= availableWidth - MIN_LOCATION_WIDTH)
    return [cutLocation(visible(keepEnds(text, availableWidth)), cellWidth(visible(name)), availableWidth)];
  // Facts are broken between words, never in a number.
  const lines = wrapText(
    visible(text.slice(0, (most + 1) * availableWidth * 4)),
    availableWidth,
    availableWidth,
    startsWithName ? 3 / 4 : 0,
  );
  if (lines.length <= most) return lines.length > 0 ? lines.map((line) => line.trimEnd()) : [''];
  const last = lines[most - 1];
  return [
    ...lines.slice(0, most - 1),
    startsWithName ? cutEnd(last, availableWidth - 1) + ELLIPSIS : cutWords(`${last.trimEnd()} ${ELLIPSIS}`, availableWidth - 1),
  ];
}

/** Fits a text into one line: only its file or object is cut, never its name or a number. */
function cutLocation(text: string, nameWidth: number, availableWidth: number): string {
  if (cellWidth(text) <= availableWidth) return text;
  const head = cutEnd(text, nameWidth + 2);
  const rest = text.slice(head.length);
  const cut = fit(rest, availableWidth - cellWidth(head), 'left', 'middle').trimEnd();
  const at = cut.indexOf(ELLIPSIS);
  const [before, after] = [cut.slice(0, at), cut.slice(at + 1)];
  const from = startAfterNumber(rest, rest.length - after.length);
  return head + before.slice(0, endBeforeNumber(rest, at)) + ELLIPSIS + rest.slice(from);
}

const NUMBER = /^[≈~±+-]?\d[\d.,]{0,30}[%A-Za-z]{0,3}$/;

/** The range of the number that contains an index of the text. */
function numberAround(text: string, at: number): readonly [from: number, to: number] | undefined {
  const from = text.lastIndexOf(' ', at - 1) + 1;
  const next = text.indexOf(' ', at);
  const to = next < 0 ? text.length : next;
  return from < at && at < to && NUMBER.test(text.slice(from, to)) ? [from, to] : undefined;
}

/** The index where the text continues after a cut. A number that would be cut is skipped, with the label that follows it. */
function startAfterNumber(text: string, at: number): number {
  const number = numberAround(text, at);
  if (!number) return at;
  const next = text.indexOf('  ', number[1]);
  return next < 0 ? text.length : next;
}

const endBeforeNumber = (text: string, at: number): number => numberAround(text, at)?.[0] ?? at;
