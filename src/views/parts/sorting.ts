// The order of a table's rows: by a column, in one direction; the keys that change it are the same in every table.
import { type Column, columnNamed } from '../../columns/column.ts';
import { type Binding, key, type SortChoice } from '../view.ts';
import { type List, START } from './list.ts';

export interface Sorting {
  /** The id of a column; '' for the rows' own order. */
  readonly sort: string;
  readonly descending: boolean;
}

export type SortAction =
  | { readonly type: 'reverse' }
  | { readonly type: 'sort'; readonly column: string }
  | { readonly type: 'sort-next'; readonly by: 1 | -1 };

export const SORT_KEYS: readonly Pick<Binding<never, SortAction>, 'keys' | 'action' | 'help' | 'group'>[] = [
  key('>', { type: 'sort-next', by: 1 }, 'show', 'sort by the next column'),
  key('<', { type: 'sort-next', by: -1 }, 'show', 'sort by the previous column'),
  key('r', { type: 'reverse' }, 'show', 'reverse the sort order'),
];

/** `choices`: ids of the columns that rows can be sorted by; `downFirst`: whether the first sort by one descends. */
export function changeSorting<S extends Sorting & { readonly list: List }>(
  state: S,
  action: SortAction,
  choices: readonly string[],
  downFirst: (id: string) => boolean,
): S {
  const { sort, descending } = state;
  // A new list, even at the start: the cursor goes to the top, and not along with its row.
  const list = { ...START };
  const by = (id: string): S => ({ ...state, sort: id, descending: id === sort ? !descending : downFirst(id), list });
  switch (action.type) {
    case 'sort':
      return by(action.column);
    case 'sort-next':
      return by(choices[(choices.indexOf(sort) + action.by + choices.length) % choices.length]);
    case 'reverse':
      return { ...state, descending: !descending, sort: sort || (choices.find((id) => id !== '') ?? '') };
  }
}

/** The order that --sort asks for, if there is such a column; else the usual one. */
export function startSorting<Row>(
  choice: SortChoice | undefined,
  columns: readonly Column<Row>[],
  usual: Sorting,
  downFirst: (column: Column<Row>) => boolean,
): Sorting {
  const column = choice && columnNamed(columns, choice.column);
  return column ? { sort: column.id, descending: choice?.descending ?? downFirst(column) } : usual;
}
