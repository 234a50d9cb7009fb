// The sort order of a table, and the keys that change it. Every table has the same keys.
import { type Column, findColumnByName, readColumns, sortableColumns, sortNames } from '../../columns/column.ts';
import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type ViewContext } from '../view.ts';
import { START, type StateWithList } from './list.ts';

export interface SortedList extends StateWithList {
  /** The id of the column that rows are sorted by; '' for the rows' own order. */
  readonly sort: string;
  readonly descending: boolean;
}

export type SortAction =
  | { readonly type: 'reverse' }
  | { readonly type: 'sort'; readonly column: string }
  /** Sorts by the next column. `value`: the text of the column selected in a menu instead. */
  | { readonly type: 'sort-next'; readonly value?: string };

interface SortingOptions<S, Row, K extends Kind> {
  /** The id of an order that is no column's. It is the usual order. Absent: rows are usually sorted by self cost. */
  readonly ownOrder?: string;
  /** Whether rows first descend when sorted by a column. Absent: the column tells. */
  readonly downFirst?: (column: Column<Row>, context: ViewContext<K>, state?: S) => boolean;
}

/** The menu text for the rows' own order. */
const OWN_ORDER_TEXT = 'their own order';

/** The members of a view that sort its rows. `columns`: those of the table; without a state, of the initial table. */
export function makeSorting<S extends SortedList, Row, K extends Kind>(
  columns: (context: ViewContext<K>, state?: S) => readonly Column<Row>[],
  options: SortingOptions<S, Row, K> = {},
) {
  const { ownOrder, downFirst = ({ ascends }: Column<Row>) => !ascends } = options;
  /** The columns on the screen that rows can be sorted by. */
  const choices = (state: S, c: ViewContext<K>) => sortableColumns(readColumns(columns(c, state), 'screen'));
  const ownTitle = (state: S, c: ViewContext<K>) => columns(c, state).find(({ id }) => id === ownOrder)?.title;
  /** The orders with their texts in the menu: the heading of a column, or its name if that is longer or other columns have the heading. */
  const orders = (state: S, c: ViewContext<K>): ReadonlyMap<string, string> => {
    const all = choices(state, c);
    const isAlone = (title: string) => title !== '' && all.filter((other) => other.title === title).length === 1;
    // Names that end in a unit are those of JSON.
    const isShort = (title: string, id: string) => id.startsWith(title) && !id.endsWith('Ms');
    return new Map([
      ...(ownOrder === undefined ? [] : [[ownOrder, ownTitle(state, c) ?? OWN_ORDER_TEXT] as const]),
      ...all.map(({ id, title }) => [id, isAlone(title) && !isShort(title, id) ? title : id] as const),
    ]);
  };
  return {
    keys: [
      key('', { type: 'sort-next' }, 'show', 'the next column to sort by', {
        sorts: true,
        options: {
          label: 'sort by',
          values: (state, c) => [...orders(state, c).values()],
          current: (state, c) => orders(state, c).get(state.sort) ?? state.sort,
        },
      }),
      key('', { type: 'reverse' }, 'show', 'reverse the sort order'),
    ] satisfies readonly Binding<S, SortAction, K>[],
    /** Members of the view. The names that --sort accepts include hidden columns of `columns`. */
    members: {
      headings: {
        columns: (state: S, c: ViewContext<K>) => columns(c, state),
        sort: (column: string, state: S, c: ViewContext<K>): SortAction | undefined =>
          choices(state, c).some(({ id }) => id === column) ? { type: 'sort', column } : undefined,
      },
      sortNames: (c: ViewContext<K>) => sortableColumns(columns(c)).flatMap(sortNames),
    },
    /** The order that --sort requests, if the table has that column; else the usual one. */
    initial(c: ViewContext<K>): SortedList {
      const choice = c.choices.sort;
      const column = choice && findColumnByName(columns(c), choice.column);
      if (!column) return { list: START, sort: ownOrder ?? 'self', descending: true };
      return { list: START, sort: column.id, descending: choice.descending ?? downFirst(column, c) };
    },
    change(state: S, action: SortAction, c: ViewContext<K>): S {
      const isDownFirst = (id: string) => {
        const column = columns(c, state).find((other) => other.id === id);
        return !column || downFirst(column, c, state);
      };
      const all = orders(state, c);
      const ids = [...all.keys()];
      if (action.type !== 'sort-next' || action.value === undefined) return changeSorting(state, action, ids, isDownFirst);
      const column = ids.find((id) => all.get(id) === action.value) ?? action.value;
      return changeSorting(state, { type: 'sort', column }, ids, isDownFirst);
    },
  };
}

/** Applies a sort key. `choices`: ids of columns to sort by. `downFirst`: whether rows first descend when sorted by a column. */
export function changeSorting<S extends SortedList>(
  state: S,
  action: SortAction,
  choices: readonly string[],
  downFirst: (id: string) => boolean,
): S {
  const { sort, descending } = state;
  // A new object, even if equal: it tells the caller to put the cursor at the top instead of following its row.
  const list = { ...START };
  const sortBy = (id: string): S => ({ ...state, sort: id, descending: id === sort ? !descending : downFirst(id), list });
  switch (action.type) {
    case 'sort':
      return sortBy(action.column);
    case 'sort-next':
      // While rows are still being collected, there may be no columns.
      if (choices.length === 0) return state;
      return sortBy(choices[(choices.indexOf(sort) + 1) % choices.length]);
    case 'reverse':
      return { ...state, descending: !descending, sort: sort || (choices.find((id) => id !== '') ?? '') };
  }
}
