// The lines above the footer: the row under the cursor in full, on more lines than one where the name of its routine needs them.
import { routineName } from '../analysis/names/names.ts';
import { shortName } from '../analysis/names/short.ts';
import { cellWidth, cutEnd, cutWords, ELLIPSIS, ends, fit, visible, wrapped } from '../base/text.ts';
import { exporters } from '../exports/index.ts';
import { noteText } from './edit-note.ts';
import { guessText } from './renames.ts';
import { type AppState, contextOf, cursorRoutine, openView } from './state.ts';

/** A number that tells names apart. */
const NUMBERED = /#\d{1,9}$/;
/** Cells of a name in a narrow table. */
const SHORT = 30;
/** Cells at the end of a line that are too few for a file or an object. */
const TOO_FEW = 10;
const TALL = 14;
/** Lines of a name; fewer on short screens, where the list needs them. */
const mostLines = (height: number) => (height >= TALL ? 3 : 2);

/** The message, on as many lines as it needs, up to a third of the screen; none if there is none. */
export function messageLines({ message, width, height }: AppState): string[] {
  if (!message) return [];
  const most = Math.max(1, Math.floor(height / 3));
  const room = Math.max(1, width - 1);
  const lines = wrapped(visible(ends(message.text, most * room)), room, room, 1 / 3);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), cutWords(`${lines[most - 1].trimEnd()} ${ELLIPSIS}`, room)];
}

/** Lines that are needed above the footer. */
export const detailRowsOf = (state: AppState): number => Math.max(detailLines(state).length, messageLines(state).length);

/** The formats that a file's ending chooses, while its name is typed. */
const ENDINGS = `The ending chooses the format: ${exporters.map((e) => `${e.endings[0]} ${e.name}`).join(', ')}`;

/** The row under the cursor in full, and the meaning of its marks where there is room for it. */
export function detailLines(state: AppState): string[] {
  const room = Math.max(1, state.width - 1);
  if (state.prompt?.kind === 'export') return wrapped(ENDINGS, room, room, 0).slice(0, mostLines(state.height) + 1);
  const lines = rowLines(state);
  const marks = marksText(state, lines.join(''));
  const last = lines.at(-1) ?? '';
  if (marks === '' || last === '') return lines;
  if (cellWidth(last) + 2 + cellWidth(marks) <= room) return [...lines.slice(0, -1), `${last}  ${marks}`];
  return lines.length < mostLines(state.height) && state.height >= TALL ? [...lines, cutWords(marks, room)] : lines;
}

/** The meaning of the marks at the routine under the cursor, where the lines above are about it. */
function marksText(state: AppState, said: string): string {
  const { totals, profile } = state.analysis;
  const routine = cursorRoutine(state);
  const name = routine < 0 ? '' : routineName(profile, routine);
  if (name === '' || !said.includes(visible(name.slice(0, TOO_FEW)).trimEnd())) return '';
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

function rowLines(state: AppState): string[] {
  const { width, height, analysis } = state;
  const guess = guessText(state);
  const noted = noteText(state);
  const plain = openView(state).detail(contextOf(state));
  const shown = noted === '' ? plain : `${plain}  [note: ${noted}]`;
  const room = Math.max(1, width - 1);
  const routine = cursorRoutine(state);
  const own = routine < 0 ? '' : routineName(analysis.profile, routine);
  // A guess stands behind the name that it is about, where it is not cut.
  const name = guess === '' || own === '' || !shown.startsWith(own) ? own : `${own}  ${guess}`;
  const text = name === own ? shown : name + shown.slice(own.length);
  const named = name !== '' && text.startsWith(name);
  const most = named || height >= TALL ? mostLines(height) : 1;
  if (named && name.length <= room * 4 && cellWidth(visible(name)) <= room - TOO_FEW)
    return [fitPlace(visible(ends(text, room)), cellWidth(visible(name)), room)];
  // Facts are broken between words, never in a number.
  const lines = wrapped(visible(text.slice(0, (most + 1) * room * 4)), room, room, named ? 3 / 4 : 0);
  if (lines.length <= most) return lines.length > 0 ? lines.map((line) => line.trimEnd()) : [''];
  const last = lines[most - 1];
  return [
    ...lines.slice(0, most - 1),
    named ? cutEnd(last, room - 1) + ELLIPSIS : cutWords(`${last.trimEnd()} ${ELLIPSIS}`, room - 1),
  ];
}

/** One line: if it is too long, its place is cut, not its name, and no number. */
function fitPlace(text: string, name: number, room: number): string {
  if (cellWidth(text) <= room) return text;
  const head = cutEnd(text, name + 2);
  const rest = text.slice(head.length);
  const cut = fit(rest, room - cellWidth(head), 'left', 'middle').trimEnd();
  const at = cut.indexOf(ELLIPSIS);
  const [before, after] = [cut.slice(0, at), cut.slice(at + 1)];
  const from = wholeFrom(rest, rest.length - after.length);
  return head + before.slice(0, wholeTo(rest, at)) + ELLIPSIS + rest.slice(from);
}

const NUMBER = /^[≈~±+-]?\d[\d.,]{0,30}[%A-Za-z]{0,3}$/;

/** The number that has a place inside it. */
function numberAround(text: string, at: number): readonly [from: number, to: number] | undefined {
  const from = text.lastIndexOf(' ', at - 1) + 1;
  const next = text.indexOf(' ', at);
  const to = next < 0 ? text.length : next;
  return from < at && at < to && NUMBER.test(text.slice(from, to)) ? [from, to] : undefined;
}

/** A place where a text goes on: behind a number that would be cut, and what it counts. */
function wholeFrom(text: string, at: number): number {
  const number = numberAround(text, at);
  if (!number) return at;
  const next = text.indexOf('  ', number[1]);
  return next < 0 ? text.length : next;
}

const wholeTo = (text: string, at: number): number => numberAround(text, at)?.[0] ?? at;
