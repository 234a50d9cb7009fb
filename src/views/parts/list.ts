// A cursor in a list of rows and the window around it. Every view that has rows has one of these.
import type { Action, Binding } from '../view.ts';

export interface List {
  readonly cursor: number;
  readonly top: number;
  /** Cells that the name column is shifted to the left. */
  readonly left: number;
}

export const START: List = { cursor: 0, top: 0, left: 0 };

const SHIFT = 16;

/** The list after a movement; unchanged for every other action. `height` is the number of rows on screen. */
export function moveList(list: List, action: Action, rows: number, height: number): List {
  const page = Math.max(1, height - 1);
  switch (action.type) {
    case 'move':
      return at(list, list.cursor + (action['by'] as number), rows, height);
    case 'page':
      return at(list, list.cursor + (action['by'] as number) * page, rows, height);
    case 'half':
      return at(list, list.cursor + (action['by'] as number) * Math.max(1, height >> 1), rows, height);
    case 'home':
      return at(list, 0, rows, height);
    case 'end':
      return at(list, rows - 1, rows, height);
    case 'shift':
      return { ...list, left: Math.max(0, list.left + (action['by'] as number) * SHIFT) };
    case 'center':
      return { ...list, top: Math.max(0, Math.min(list.cursor - (height >> 1), rows - height)) };
    case 'sync':
      return at(list, list.cursor, rows, height);
    default:
      return list;
  }
}

/** The cursor on a row, the window moved no further than it must. */
export function at(list: List, row: number, rows: number, height: number): List {
  const cursor = Math.max(0, Math.min(row, rows - 1));
  let top = Math.min(list.top, Math.max(0, rows - height));
  if (cursor < top) top = cursor;
  else if (cursor >= top + height) top = cursor - height + 1;
  return cursor === list.cursor && top === list.top ? list : { ...list, cursor, top: Math.max(0, top) };
}

/** The keys of every list; less, vim and htop agree on them. */
export const LIST_KEYS: readonly Binding<unknown>[] = [
  { keys: ['j', 'down'], action: { type: 'move', by: 1 }, help: 'down', group: 'move' },
  { keys: ['k', 'up'], action: { type: 'move', by: -1 }, help: 'up', group: 'move' },
  { keys: ['space', 'pagedown', 'ctrl-f'], action: { type: 'page', by: 1 }, help: 'page down', group: 'move' },
  { keys: ['b', 'pageup', 'ctrl-b'], action: { type: 'page', by: -1 }, help: 'page up', group: 'move' },
  { keys: ['ctrl-d'], action: { type: 'half', by: 1 }, help: 'half a page down', group: 'move' },
  { keys: ['ctrl-u'], action: { type: 'half', by: -1 }, help: 'half a page up', group: 'move' },
  { keys: ['g', 'home'], action: { type: 'home' }, help: 'first row', group: 'move' },
  { keys: ['G', 'end'], action: { type: 'end' }, help: 'last row', group: 'move' },
  { keys: ['z'], action: { type: 'center' }, help: 'row to the middle of the screen', group: 'move' },
];

export const SHIFT_KEYS: readonly Binding<unknown>[] = [
  { keys: ['right'], action: { type: 'shift', by: 1 }, help: 'shift names to the left', group: 'move' },
  { keys: ['left'], action: { type: 'shift', by: -1 }, help: 'shift names back', group: 'move' },
];
