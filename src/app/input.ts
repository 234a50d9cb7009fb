// Editing a line of text.
import type { Edit } from './action.ts';
import type { Input } from './state.ts';

export function insertText(input: Input, text: string): Input {
  return { text: input.text.slice(0, input.cursor) + text + input.text.slice(input.cursor), cursor: input.cursor + text.length };
}

export function editText(input: Input, edit: Edit): Input {
  const { text, cursor } = input;
  switch (edit) {
    case 'backspace': {
      const at = previousIndex(text, cursor);
      return { text: text.slice(0, at) + text.slice(cursor), cursor: at };
    }
    case 'delete':
      return { text: text.slice(0, cursor) + text.slice(nextIndex(text, cursor)), cursor };
    case 'left':
      return { text, cursor: previousIndex(text, cursor) };
    case 'right':
      return { text, cursor: nextIndex(text, cursor) };
    case 'home':
      return { text, cursor: 0 };
    case 'end':
      return { text, cursor: text.length };
    case 'clear':
      return { text: text.slice(cursor), cursor: 0 };
    case 'word': {
      let at = cursor;
      while (at > 0 && /\s/.test(text[at - 1])) at--;
      while (at > 0 && /\S/.test(text[at - 1])) at--;
      return { text: text.slice(0, at) + text.slice(cursor), cursor: at };
    }
  }
}

/** The index of the previous character. The cursor must not split a surrogate pair. */
function previousIndex(text: string, at: number): number {
  const c = text.charCodeAt(at - 1);
  return Math.max(0, at - (c >= 0xdc00 && c <= 0xdfff ? 2 : 1));
}

function nextIndex(text: string, at: number): number {
  const c = text.charCodeAt(at);
  return Math.min(text.length, at + (c >= 0xd800 && c <= 0xdbff ? 2 : 1));
}
