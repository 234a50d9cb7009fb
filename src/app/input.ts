// Edits a line of text, and makes actions of what is typed or pasted into prompts and panels.
import { mapOf } from '../base/lists.ts';
import { formatCount } from '../base/units.ts';
import type { Action, TextEdit } from './action.ts';
import type { AppState, EditedText } from './state.ts';

export const insertText = (input: EditedText, text: string): EditedText => ({
  text: input.text.slice(0, input.cursor) + text + input.text.slice(input.cursor),
  cursor: input.cursor + text.length,
});

export const TEXT_EDITORS: Readonly<Record<TextEdit, (input: EditedText) => EditedText>> = {
  backspace: ({ text, cursor }) => cutBefore(text, cursor, previousIndex(text, cursor)),
  delete: ({ text, cursor }) => ({ text: text.slice(0, cursor) + text.slice(nextIndex(text, cursor)), cursor }),
  left: ({ text, cursor }) => ({ text, cursor: previousIndex(text, cursor) }),
  right: ({ text, cursor }) => ({ text, cursor: nextIndex(text, cursor) }),
  home: ({ text }) => ({ text, cursor: 0 }),
  end: ({ text }) => ({ text, cursor: text.length }),
  clear: ({ text, cursor }) => cutBefore(text, cursor, 0),
  word({ text, cursor }) {
    let at = cursor;
    while (at > 0 && /\s/.test(text[at - 1])) at--;
    while (at > 0 && /\S/.test(text[at - 1])) at--;
    return cutBefore(text, cursor, at);
  },
};

/** Removes the text from `at` to the cursor. */
const cutBefore = (text: string, cursor: number, at: number): EditedText => ({
  text: text.slice(0, at) + text.slice(cursor),
  cursor: at,
});

/** The index of the character before the cursor. The cursor must not split a surrogate pair. */
function previousIndex(text: string, at: number): number {
  const c = text.charCodeAt(at - 1);
  return Math.max(0, at - (c >= 0xdc00 && c <= 0xdfff ? 2 : 1));
}

function nextIndex(text: string, at: number): number {
  const c = text.charCodeAt(at);
  return Math.min(text.length, at + (c >= 0xd800 && c <= 0xdbff ? 2 : 1));
}

const TEXT_EDIT_KEYS = mapOf<TextEdit>({
  ...{ backspace: 'backspace', delete: 'delete', left: 'left', right: 'right', home: 'home', end: 'end' },
  ...{ 'ctrl-h': 'backspace', 'ctrl-a': 'home', 'ctrl-e': 'end', 'ctrl-u': 'clear', 'ctrl-w': 'word' },
});

/** More rows than any panel has. */
const ALL_ROWS = 1 << 20;
const PANEL_MOVE_KEYS = mapOf({
  ...{ up: -1, down: 1, pageup: -10, pagedown: 10, home: -ALL_ROWS, end: ALL_ROWS },
  ...{ 'ctrl-p': -1, 'ctrl-n': 1, tab: 1, 'shift-tab': -1 },
});

export function inputAction(key: string, typed: string, panel: boolean): Action {
  if (key === 'esc') return { type: 'escape' };
  if (key === 'enter') return { type: 'accept' };
  if (panel) {
    const by = PANEL_MOVE_KEYS.get(key);
    if (by !== undefined) return { type: 'panel-move', by };
    if (key === 'space') return { type: 'panel-toggle' };
  }
  if (!panel && (key === 'up' || key === 'down')) return { type: 'input-older', by: key === 'up' ? 1 : -1 };
  if (key === 'tab') return { type: 'input-complete' };
  const edit = TEXT_EDIT_KEYS.get(key);
  if (edit) return { type: 'input-edit', edit };
  const text = printableText(typed);
  return text === '' ? { type: 'none' } : { type: 'input', text };
}

/** Removes control characters from typed text. */
const printableText = (typed: string): string => [...typed].filter((ch) => ch >= ' ' && ch !== '\u007f').join('');

/** Maximum characters of a pasted text; longer ones are refused, because prompts have one line. */
export const MAX_PASTE_LENGTH = 10_000;

/** Inserts pasted text into the prompt or panel as one line. Pasted characters never act as keys. */
export function pasteAction(state: AppState, pasted: string): Action {
  if (pasted.length > MAX_PASTE_LENGTH)
    return { type: 'say', text: `A paste of more than ${formatCount(MAX_PASTE_LENGTH)} characters is not taken` };
  const text = printableText(pasted.replace(/[\r\n\t]+/g, ' ')).trim();
  if (text === '') return { type: 'none' };
  if (state.prompt || state.panel) return { type: 'input', text };
  return { type: 'say', text: 'Paste into a search (/), a filter (&) or the commands (:)' };
}
