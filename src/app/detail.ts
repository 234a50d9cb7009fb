// The lines above the footer: the text of the row under the cursor. A long routine name takes several lines.
import { analysisSoFar } from '../analysis/answers/analyse.ts';
import { noteOf } from '../analysis/answers/notes.ts';
import { routineName } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { cellWidth, cutEnd, cutWords, ELLIPSIS, fit, keepEnds, visible, wrapText } from '../base/text.ts';
import { exporters } from '../exports/index.ts';
import { panelRows } from './panels.ts';
import { renameGuessText } from './renames.ts';
import { type AppState, contextOf, cursorRoutine, openView } from './state.ts';

/** The `#2` at the end of a short name, which distinguishes routines with equal short names. */
const NAME_NUMBER_PATTERN = /#\d{1,9}$/;
const SHORT_NAME_WIDTH = 30;
/** The least number of cells in which a file or an object is readable. */
const MIN_LOCATION_WIDTH = 10;
const MIN_TALL_HEIGHT = 14;
/** Maximum lines of a routine name; fewer on short screens. */
const maxNameLines = (height: number) => (height >= MIN_TALL_HEIGHT ? 3 : 2);

/** The message, wrapped to at most a third of the screen height; [] without a message. */
export function messageLines({ message, width, height }: AppState): string[] {
  if (!message) return [];
  const most = Math.max(1, Math.floor(height / 3));
  const availableWidth = Math.max(1, width - 1);
  const lines = wrapText(visible(keepEnds(message.text, most * availableWidth)), availableWidth, availableWidth, 1 / 3);
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most - 1), cutWords(`${lines[most - 1].trimEnd()} ${ELLIPSIS}`, availableWidth)];
}

/** The number of lines that details or message take above the footer. */
export const detailRowCount = (state: AppState): number => Math.max(detailLines(state).length, messageLines(state).length);

/** Cells of a row of a menu that are between its columns and at its sides. */
const PANEL_MARGIN = 24;

/** The formats by file ending, shown while the name of an export is typed. */
const EXPORT_ENDINGS_TEXT = `The ending of an export chooses its format: ${exporters.map((e) => `${e.endings[0]} ${e.name}`).join(', ')}`;

/** The full text of the row under the cursor, followed by an explanation of its marks if that fits. */
export function detailLines(state: AppState): string[] {
  const availableWidth = Math.max(1, state.width - 1);
  const cells = state.panel && panelRows(state)[state.panel.row]?.cells;
  // The texts of a row of a menu that are too long for its columns.
  const long = visible(
    Object.values(cells ?? {})
      .join('  ')
      .trim(),
  );
  const row = state.panel?.kind === 'save' ? cells : undefined;
  if (row || state.prompt?.kind === 'export' || cellWidth(long) > availableWidth - PANEL_MARGIN) {
    const text = row ? `${row['ending']} ${row['about']}`.trimStart() : cells ? long : EXPORT_ENDINGS_TEXT;
    return wrapText(text, availableWidth, availableWidth, 0).slice(0, maxNameLines(state.height) + 1);
  }
  const lines = cursorRowLines(state);
  const marks = marksText(state, lines.join(''));
  const last = lines.at(-1) ?? '';
  if (marks === '' || last === '') return lines;
  if (cellWidth(last) + 2 + cellWidth(marks) <= availableWidth) return [...lines.slice(0, -1), `${last}  ${marks}`];
  return lines.length < maxNameLines(state.height) && state.height >= MIN_TALL_HEIGHT
    ? [...lines, cutWords(marks, availableWidth)]
    : lines;
}

/** An explanation of the marks of the routine under the cursor; '' if the detail lines do not show that routine. */
function marksText(state: AppState, shownText: string): string {
  const { totals, profile } = analysisSoFar(state.analysis) ?? state.analysis;
  const routine = cursorRoutine(state);
  const name = routine < 0 ? '' : routineName(profile, routine);
  if (name === '' || !shownText.includes(visible(name.slice(0, MIN_LOCATION_WIDTH)).trimEnd())) return '';
  const level = /'(\d{1,6})$/.exec(name)?.[1];
  const cycle = totals.cycles.of[routine];
  const marks = [
    ...(level === undefined ? [] : [`'${level}: level ${level} of a recursion`]),
    ...(cycle > 0 ? [`↻${cycle}: its routines call each other`] : []),
    ...(totals.estimated?.inclusive[routine] ? [estimateText(totals.inclusive[0][routine])] : []),
    ...(NAME_NUMBER_PATTERN.test(shortName(profile, routine, SHORT_NAME_WIDTH))
      ? ['#: another routine has the same short name']
      : []),
  ];
  return marks.length === 0 ? '' : `(${marks.join('; ')})`;
}

const estimateText = (inclusive: number): string =>
  Number.isNaN(inclusive) ? '…: still being computed' : '≈: estimated from call shares';

function cursorRowLines(state: AppState): string[] {
  const { width, height, analysis } = state;
  const guess = renameGuessText(state);
  const plain = openView(state).detail(contextOf(state));
  const routine = cursorRoutine(state);
  const noted = noteOf(state.notes, analysis.profile, routine);
  const shown = noted === undefined ? plain : `${plain}  [note: ${noted}]`;
  const availableWidth = Math.max(1, width - 1);
  const own = routine < 0 ? '' : routineName(analysis.profile, routine);
  // The suggested rename goes right behind the routine name, where it is not cut off.
  const name = guess === '' || own === '' || !shown.startsWith(own) ? own : `${own}  ${guess}`;
  const text = name === own ? shown : name + shown.slice(own.length);
  const startsWithName = name !== '' && text.startsWith(name);
  const most = startsWithName || height >= MIN_TALL_HEIGHT ? maxNameLines(height) : 1;
  if (startsWithName && name.length <= availableWidth * 4 && cellWidth(visible(name)) <= availableWidth - MIN_LOCATION_WIDTH)
    return [cutLocation(visible(keepEnds(text, availableWidth)), cellWidth(visible(name)), availableWidth)];
  // Lines break between words, never inside a number.
  const begin = visible(text.slice(0, (most + 1) * availableWidth * 4));
  const lines = wrapText(begin, availableWidth, availableWidth, startsWithName ? 3 / 4 : 0);
  if (lines.length <= most) return lines.length > 0 ? lines.map((line) => line.trimEnd()) : [''];
  const last = lines[most - 1];
  return [
    ...lines.slice(0, most - 1),
    startsWithName ? cutEnd(last, availableWidth - 1) + ELLIPSIS : cutWords(`${last.trimEnd()} ${ELLIPSIS}`, availableWidth - 1),
  ];
}

/** Fits a text into one line. Only the file or object in it is cut, never the routine name or a number. */
function cutLocation(text: string, nameWidth: number, availableWidth: number): string {
  if (cellWidth(text) <= availableWidth) return text;
  const head = cutEnd(text, nameWidth + 2);
  const rest = text.slice(head.length);
  const cut = fit(rest, availableWidth - cellWidth(head), 'left', 'middle').trimEnd();
  const at = cut.indexOf(ELLIPSIS);
  const [before, after] = [cut.slice(0, at), cut.slice(at + 1)];
  const from = startAfterNumber(rest, rest.length - after.length);
  return head + before.slice(0, numberRangeAt(rest, at)?.[0] ?? at) + ELLIPSIS + rest.slice(from);
}

const NUMBER_PATTERN = /^[≈~±+-]?\d[\d.,]{0,30}[%A-Za-z]{0,3}$/;

/** The start and end of the number at this index of the text; undefined if there is no number. */
function numberRangeAt(text: string, at: number): readonly [from: number, to: number] | undefined {
  const from = text.lastIndexOf(' ', at - 1) + 1;
  const next = text.indexOf(' ', at);
  const to = next < 0 ? text.length : next;
  return from < at && at < to && NUMBER_PATTERN.test(text.slice(from, to)) ? [from, to] : undefined;
}

/** The index where the text continues after the ellipsis. A number that would be cut is left out together with its label. */
function startAfterNumber(text: string, at: number): number {
  const number = numberRangeAt(text, at);
  if (!number) return at;
  const next = text.indexOf('  ', number[1]);
  return next < 0 ? text.length : next;
}
