// A list of rows with a cursor and a visible window. listView() makes a view from functions that define its rows.
import { type Column, chosenColumns, readColumns } from '../../columns/column.ts';
import type { Kind } from '../../model/profile.ts';
import { type ViewEntry, viewEntry } from '../open-view.ts';
import { type Binding, key, type View, type ViewAction, type ViewClick, type ViewContext } from '../view.ts';
import { columnAt } from './layout.ts';

export interface ListPosition {
  readonly cursor: number;
  readonly top: number;
  /** The number of cells that names are scrolled sideways. */
  readonly left: number;
}

export const START: ListPosition = { cursor: 0, top: 0, left: 0 };

const SHIFT_CELLS = 16;

/** The actions of keys that work in every list; keys as in less, vim and htop. */
export type ListAction =
  | { readonly type: 'move' | 'page' | 'half' | 'shift'; readonly by: 1 | -1 }
  | { readonly type: 'home' | 'end' | 'center' };

type ListBinding = Pick<Binding<never, ListAction>, 'keys' | 'action' | 'help' | 'group'>;

export const LIST_KEYS: readonly ListBinding[] = [
  key('j down', { type: 'move', by: 1 }, 'move', 'move down'),
  key('k up', { type: 'move', by: -1 }, 'move', 'move up'),
  key('space pagedown ctrl-f', { type: 'page', by: 1 }, 'move', 'page down'),
  key('b pageup ctrl-b', { type: 'page', by: -1 }, 'move', 'page up'),
  key('ctrl-d', { type: 'half', by: 1 }, 'move', 'half a page down'),
  key('ctrl-u', { type: 'half', by: -1 }, 'move', 'half a page up'),
  key('g home', { type: 'home' }, 'move', 'first row'),
  key('G end', { type: 'end' }, 'move', 'last row'),
  key('z', { type: 'center' }, 'move', 'scroll the row to the middle of the screen'),
];

export const SHIFT_KEYS: readonly ListBinding[] = [
  key('right l', { type: 'shift', by: 1 }, 'move', 'scroll names right'),
  key('left h', { type: 'shift', by: -1 }, 'move', 'scroll names left'),
];

/** The list after a key that moves the cursor or scrolls. `height`: the number of visible rows. */
function moveList(list: ListPosition, action: ListAction, rows: number, height: number): ListPosition {
  const steps = { move: 1, page: Math.max(1, height - 1), half: Math.max(1, height >> 1) };
  switch (action.type) {
    case 'move':
    case 'page':
    case 'half':
      return withCursorAt(list, list.cursor + action.by * steps[action.type], rows, height);
    case 'home':
    case 'end':
      return withCursorAt(list, action.type === 'home' ? 0 : rows - 1, rows, height);
    case 'shift':
      return { ...list, left: Math.max(0, list.left + action.by * SHIFT_CELLS) };
    case 'center':
      return centerWindow(list, rows, height);
  }
}

/** Scrolls the row under the cursor to the middle of the screen, as far as the list allows. */
const centerWindow = (list: ListPosition, rows: number, height: number): ListPosition => ({
  ...list,
  top: Math.max(0, Math.min(list.cursor - (height >> 1), rows - height)),
});

/** Puts the cursor on a row, and scrolls only if the row is not visible. */
export function withCursorAt(list: ListPosition, row: number, rows: number, height: number): ListPosition {
  const cursor = Math.max(0, Math.min(row, rows - 1));
  let top = Math.min(list.top, Math.max(0, rows - height));
  if (cursor < top) top = cursor;
  else if (cursor >= top + height) top = cursor - height + 1;
  return cursor === list.cursor && top === list.top ? list : { ...list, cursor, top: Math.max(0, top) };
}

export interface StateWithList {
  readonly list: ListPosition;
}

/**
 * The definition of a view that is a list of rows. listView() adds the cursor and the keys that move it. `drawAll` and `clickAt`
 * replace those of lists.
 */
export interface ListView<Id extends string, S extends StateWithList, A extends ViewAction, K extends Kind>
  extends Omit<View<Id, S, A, K>, 'update' | 'sync' | 'cursor' | 'moveTo'> {
  /** The number of lines above the first row; the last of these is the heading. Absent: 1. */
  readonly linesAbove?: number | ((context: ViewContext<K>) => number) | undefined;
  /** The columns of the heading, and the action that sorts by a column. Absent: clicks on the heading do nothing. */
  readonly headings?: {
    columns(state: S, context: ViewContext<K>): readonly Column<never>[];
    sort(column: string, state: S, context: ViewContext<K>): A | undefined;
  };
  /** Whether names can be scrolled sideways. */
  readonly shifts?: boolean;
  /** Keys of lists that have another meaning in this view. */
  readonly without?: readonly string[];
  change?(state: S, action: A, context: ViewContext<K>): S;
  /** Adapts the state to the context. Afterwards, the cursor is limited to the rows. */
  adaptToContext?(state: S, context: ViewContext<K>): S;
  /** Called when a key moves the cursor. */
  afterMove?(state: S): S;
}

const LIST_ACTION_TYPES = new Set<string>([...LIST_KEYS, ...SHIFT_KEYS].map((b) => b.action.type));

/** Makes an entry of the registry from a list of rows. */
export function listView<const Id extends string, S extends StateWithList, A extends ViewAction, K extends Kind>(
  spec: ListView<Id, S, A, K>,
): ViewEntry<Id, A | ListAction> {
  const { linesAbove = 1, headings, shifts = false, without = [], change, adaptToContext, afterMove, ...view } = spec;
  const above = (c: ViewContext<K>): number => (typeof linesAbove === 'number' ? linesAbove : linesAbove(c));
  const withList = (state: S, list: ListPosition): S => (list === state.list ? state : { ...state, list });
  const moves = [...LIST_KEYS, ...(shifts ? SHIFT_KEYS : [])].map((b) => ({
    ...b,
    keys: b.keys.filter((key) => !without.includes(key)),
  }));
  const moveTo = (state: S, row: number, c: ViewContext<K>): S =>
    withList(state, withCursorAt(state.list, row, view.rowCount(state, c), c.height - above(c)));
  /** Handles a click: on a heading it sorts, on a row it moves the cursor, on the row under the cursor it opens the row. */
  const clickAt = (state: S, x: number, y: number, c: ViewContext<K>): ViewClick<S> | undefined => {
    const first = above(c);
    if (y < first - 1) return undefined;
    if (y < first) {
      const column = headings && columnAt(chosenColumns(headings.columns(state, c), c.chosenColumns), c.width, x);
      const action = column === undefined ? undefined : headings?.sort(column, state, c);
      return action && change && { state: change(state, action, c) };
    }
    const row = state.list.top + y - first;
    if (row >= view.rowCount(state, c)) return undefined;
    if (row === state.list.cursor) return { state, act: true };
    return { state: moveTo(afterMove?.(state) ?? state, row, c) };
  };
  const isOwn = (action: A | ListAction): action is A => !LIST_ACTION_TYPES.has(action.type);
  return viewEntry<Id, S, A | ListAction, K>({
    drawAll(state, c, most) {
      const rows = Math.min(most, view.rowCount(state, c));
      // An empty list has one line with a message.
      return view.draw(withList(state, { cursor: -1, top: 0, left: 0 }), { ...c, height: Math.max(1, rows) + above(c) });
    },
    clickAt,
    ...(headings
      ? {
          columnNames: (state: S, c: ViewContext<K>) =>
            readColumns(headings.columns(state, c), 'screen').map(({ id, also }) => also ?? id),
        }
      : {}),
    ...view,
    keys: [...moves, ...view.keys],
    request: (state, action, c) => (isOwn(action) ? view.request?.(state, action, c) : undefined),
    messageAfter: (state, action, c) => (isOwn(action) ? view.messageAfter?.(state, action, c) : undefined),
    update(state, action, c) {
      if (isOwn(action)) return change?.(state, action, c) ?? state;
      const next = afterMove?.(state) ?? state;
      return withList(next, moveList(next.list, action, view.rowCount(next, c), c.height - above(c)));
    },
    sync(state, c) {
      const next = adaptToContext?.(state, c) ?? state;
      return moveTo(next, next.list.cursor, c);
    },
    cursor: (state) => state.list.cursor,
    moveTo,
  });
}

/** Puts the cursor on a row, and scrolls that row to the middle of the screen. */
export const centerCursorOn = (list: ListPosition, row: number, rows: number, height: number): ListPosition =>
  centerWindow(withCursorAt(list, row, rows, height), rows, height);
