// A list of rows with a cursor and a visible window, and a base for views that are such lists and only define their rows.
import type { Column } from '../../columns/column.ts';
import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type View, type ViewAction, type ViewClick, type ViewContext } from '../view.ts';
import { columnAt } from './layout.ts';

export interface List {
  readonly cursor: number;
  readonly top: number;
  /** Cells by which the name column is shifted to the left. */
  readonly left: number;
}

export const START: List = { cursor: 0, top: 0, left: 0 };

const SHIFT = 16;

/** The keys of every list, as in less, vim and htop. */
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

/** The list after a movement. `height` is the number of rows on screen. */
function moveList(list: List, action: ListAction, rows: number, height: number): List {
  const page = Math.max(1, height - 1);
  switch (action.type) {
    case 'move':
      return at(list, list.cursor + action.by, rows, height);
    case 'page':
      return at(list, list.cursor + action.by * page, rows, height);
    case 'half':
      return at(list, list.cursor + action.by * Math.max(1, height >> 1), rows, height);
    case 'home':
      return at(list, 0, rows, height);
    case 'end':
      return at(list, rows - 1, rows, height);
    case 'shift':
      return { ...list, left: Math.max(0, list.left + action.by * SHIFT) };
    case 'center':
      return centered(list, rows, height);
  }
}

/** Centres the window on the cursor's row, as far as there are rows around it. */
function centered(list: List, rows: number, height: number): List {
  return { ...list, top: Math.max(0, Math.min(list.cursor - (height >> 1), rows - height)) };
}

/** Puts the cursor on a row, scrolling no further than necessary. */
export function at(list: List, row: number, rows: number, height: number): List {
  const cursor = Math.max(0, Math.min(row, rows - 1));
  let top = Math.min(list.top, Math.max(0, rows - height));
  if (cursor < top) top = cursor;
  else if (cursor >= top + height) top = cursor - height + 1;
  return cursor === list.cursor && top === list.top ? list : { ...list, cursor, top: Math.max(0, top) };
}

interface Listed {
  readonly list: List;
}

/** A view that is a list of rows; cursor and movement keys are provided. */
export interface ListView<Id extends string, S extends Listed, A extends ViewAction, K extends Kind>
  extends Omit<View<Id, S, A, K>, 'update' | 'sync' | 'cursor' | 'moveTo' | 'clickAt' | 'whole'> {
  /** Lines above the rows, of which the last is the heading; 1 if absent. */
  readonly above?: number | ((context: ViewContext<K>) => number);
  /** The columns whose headings stand above the rows, and what sorts by one of them, by its id. Absent: headings do nothing. */
  readonly headings?: {
    columns(state: S, context: ViewContext<K>): readonly Column<never>[];
    sort(column: string, state: S, context: ViewContext<K>): A | undefined;
  };
  /** Names may be shifted to the left. */
  readonly shifts?: boolean;
  /** List keys that mean something else in this view. */
  readonly without?: readonly string[];
  /** Handles the view's own actions. */
  change?(state: S, action: A, context: ViewContext<K>): S;
  /** Adapts the state to the context, before the cursor is kept within the rows. */
  settle?(state: S, context: ViewContext<K>): S;
  /** Called when a key moves the cursor. */
  moved?(state: S): S;
}

const MOVES = new Set<string>([...LIST_KEYS, ...SHIFT_KEYS].map((b) => b.action.type));

function isMove(action: ViewAction): action is ListAction {
  return MOVES.has(action.type);
}

export function listView<const Id extends string, S extends Listed, A extends ViewAction, K extends Kind>(
  spec: ListView<Id, S, A, K>,
): View<Id, S, A | ListAction, K> {
  const { above: lines = 1, headings, shifts = false, without = [], change, settle, moved, ...view } = spec;
  const above = (c: ViewContext<K>): number => (typeof lines === 'number' ? lines : lines(c));
  const put = (state: S, list: List): S => (list === state.list ? state : { ...state, list });
  const moves = [...LIST_KEYS, ...(shifts ? SHIFT_KEYS : [])].map((b) => ({
    ...b,
    keys: b.keys.filter((key) => !without.includes(key)),
  }));
  /** A click on a heading sorts; one on a row moves the cursor there, and opens the row if the cursor is there already. */
  const clickAt = (state: S, x: number, y: number, c: ViewContext<K>): ViewClick<S> | undefined => {
    const first = above(c);
    if (y < first - 1) return undefined;
    if (y < first) {
      const column = headings && columnAt(headings.columns(state, c), c.width, x);
      const action = column === undefined ? undefined : headings?.sort(column, state, c);
      return action && change && { state: change(state, action, c) };
    }
    const row = state.list.top + y - first;
    if (row >= view.rows(state, c)) return undefined;
    if (row === state.list.cursor) return { state, act: true };
    const next = moved?.(state) ?? state;
    return { state: put(next, at(next.list, row, view.rows(next, c), c.height - above(c))) };
  };
  const isOwn = (action: A | ListAction): action is A => !isMove(action);
  return {
    ...view,
    whole(state, c, most) {
      const rows = Math.min(most, view.rows(state, c));
      // An empty list has a line that says so.
      return view.draw(put(state, { cursor: -1, top: 0, left: 0 }), { ...c, height: Math.max(1, rows) + above(c) });
    },
    keys: [...moves, ...view.keys],
    request: (state, action, c) => (isOwn(action) ? view.request?.(state, action, c) : undefined),
    said: (state, action, c) => (isOwn(action) ? view.said?.(state, action, c) : undefined),
    update(state, action, c) {
      if (isOwn(action)) return change?.(state, action, c) ?? state;
      const next = moved?.(state) ?? state;
      return isMove(action) ? put(next, moveList(next.list, action, view.rows(next, c), c.height - above(c))) : next;
    },
    sync(state, c) {
      const next = settle?.(state, c) ?? state;
      return put(next, at(next.list, next.list.cursor, view.rows(next, c), c.height - above(c)));
    },
    cursor: (state) => state.list.cursor,
    clickAt,
    moveTo: (state, row, c) => put(state, at(state.list, row, view.rows(state, c), c.height - above(c))),
  };
}

/** Puts the cursor on a row and centres it on the screen. */
export function jumpTo(list: List, row: number, rows: number, height: number): List {
  return centered(at(list, row, rows, height), rows, height);
}
