// The order of a table's rows: by a column, in one direction; the keys that change it are the same in every table.
import { type Column, columnNamed } from '../../columns/column.ts';
import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type SortChoice, type ViewContext } from '../view.ts';
import { type List, START } from './list.ts';

export interface Sorting {
  /** The id of a column; '' for the rows' own order. */
  readonly sort: string;
  readonly descending: boolean;
}

export type SortAction =
  | { readonly type: 'reverse' }
  | { readonly type: 'sort'; readonly column: string }
  /** `value`: the column, where a menu was asked. */
  | { readonly type: 'sort-next'; readonly by: 1 | -1; readonly value?: string };

/** The rows' own order, as the menu says it. */
const OWN_ORDER = 'their own order';

/** The keys that sort. `choices`: those of changeSorting(). */
export function sortKeys<S extends Sorting, K extends Kind>(
  choices: (state: S, context: ViewContext<K>) => readonly string[],
): readonly Binding<S, SortAction, K>[] {
  return [
    key('>', { type: 'sort-next', by: 1 }, 'show', 'next column to sort by', {
      options: {
        of: 'sort by',
        values: (state, c) => choices(state, c).map((id) => id || OWN_ORDER),
        now: ({ sort }) => sort || OWN_ORDER,
      },
    }),
    key('<', { type: 'sort-next', by: -1 }, 'show', 'previous column to sort by'),
    key('r', { type: 'reverse' }, 'show', 'reverse the sort order'),
  ];
}

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
      if (action.value !== undefined) return by(action.value === OWN_ORDER ? '' : action.value);
      // While rows are still gathered, there may be no column.
      if (choices.length === 0) return state;
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
