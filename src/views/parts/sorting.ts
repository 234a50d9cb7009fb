// The sort order of a table, and the keys that change it, which are the same in every table.
import { type Column, findColumnByName } from '../../columns/column.ts';
import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type SortChoice, type ViewContext } from '../view.ts';
import { type ListPosition, START } from './list.ts';

export interface Sorting {
  /** The id of a column; '' for the rows' own order. */
  readonly sort: string;
  readonly descending: boolean;
}

export type SortAction =
  | { readonly type: 'reverse' }
  | { readonly type: 'sort'; readonly column: string }
  /** `value`: the column selected in a menu. */
  | { readonly type: 'sort-next'; readonly by: 1 | -1; readonly value?: string };

/** The name of the rows' own order in the menu. */
const OWN_ORDER = 'their own order';

/** The keys that sort. `choices`: those of changeSorting(). */
export function sortKeys<S extends Sorting, K extends Kind>(
  choices: (state: S, context: ViewContext<K>) => readonly string[],
): readonly Binding<S, SortAction, K>[] {
  return [
    key('>', { type: 'sort-next', by: 1 }, 'show', 'next column to sort by', {
      options: {
        label: 'sort by',
        values: (state, c) => choices(state, c).map((id) => id || OWN_ORDER),
        current: ({ sort }) => sort || OWN_ORDER,
      },
    }),
    key('<', { type: 'sort-next', by: -1 }, 'show', 'previous column to sort by'),
    key('r', { type: 'reverse' }, 'show', 'reverse the sort order'),
  ];
}

/** `choices`: ids of the columns that rows can be sorted by; `downFirst`: whether the first sort by one descends. */
export function changeSorting<S extends Sorting & { readonly list: ListPosition }>(
  state: S,
  action: SortAction,
  choices: readonly string[],
  downFirst: (id: string) => boolean,
): S {
  const { sort, descending } = state;
  // Always a new object: it tells the caller that the cursor goes to the top instead of following its row.
  const list = { ...START };
  const sortBy = (id: string): S => ({ ...state, sort: id, descending: id === sort ? !descending : downFirst(id), list });
  switch (action.type) {
    case 'sort':
      return sortBy(action.column);
    case 'sort-next':
      if (action.value !== undefined) return sortBy(action.value === OWN_ORDER ? '' : action.value);
      // There may be no columns while rows are still being collected.
      if (choices.length === 0) return state;
      return sortBy(choices[(choices.indexOf(sort) + action.by + choices.length) % choices.length]);
    case 'reverse':
      return { ...state, descending: !descending, sort: sort || (choices.find((id) => id !== '') ?? '') };
  }
}

/** The order of --sort, if the table has that column; else `usual`. */
export function startSorting<Row>(
  choice: SortChoice | undefined,
  columns: readonly Column<Row>[],
  usual: Sorting,
  downFirst: (column: Column<Row>) => boolean,
): Sorting {
  const column = choice && findColumnByName(columns, choice.column);
  return column ? { sort: column.id, descending: choice?.descending ?? downFirst(column) } : usual;
}
