// The lines above the footer: the row under the cursor in full, on more lines than one where the name of its routine needs them.
import { routineName } from '../analysis/names.ts';
import { cellWidth, cutEnd, ellipsis, fit, visible, wrapped } from '../base/text.ts';
import { type AppState, contextOf, cursorRoutine, openView } from './state.ts';

/** Cells at the end of a line that are too few for a file or an object. */
const TOO_FEW = 10;
/** Lines of a name; fewer on short screens, where the list needs them. */
const mostLines = (height: number) => (height >= 14 ? 3 : 2);

export function detailLines(state: AppState): string[] {
  const { width, height, analysis } = state;
  const text = openView(state).detail(contextOf(state));
  const room = Math.max(1, width - 1);
  const routine = cursorRoutine(state);
  const name = routine < 0 ? '' : routineName(analysis.profile, routine);
  const most = mostLines(height);
  if (name === '' || !text.startsWith(name) || cellWidth(visible(name.slice(0, room * 4))) <= room - TOO_FEW)
    return [fitPlace(visible(text), name === '' || !text.startsWith(name) ? 0 : cellWidth(visible(name)), room)];
  const lines = wrapped(visible(text.slice(0, (most + 1) * room * 4)), room, room, 3 / 4);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cutEnd(lines[most - 1], room - 1) + ellipsis()];
}

/** One line: if it is too long, its place is cut, not its name. */
function fitPlace(text: string, name: number, room: number): string {
  if (name === 0) return fit(text, room, 'left', 'middle').trimEnd();
  const head = cutEnd(text, name + 2);
  return cellWidth(text) <= room ? text : head + fit(text.slice(head.length), room - cellWidth(head), 'left', 'middle');
}
