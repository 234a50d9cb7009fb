// Makes a view from tables of rows that can be sorted by their columns.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { memo, sortedByKey } from '../../base/lists.ts';
import { filterStatusText, type Matcher, type SlicedFilter } from '../../base/match.ts';
import { textOfCell } from '../../base/style.ts';
import type { Column } from '../../columns/column.ts';
import { conditionNames, filterOfRows } from '../../columns/conditions.ts';
import type { TableListing } from '../../columns/listing.ts';
import type { Kind } from '../../model/profile.ts';
import { type Binding, key, type ScreenLine, type ViewContext, type ViewHead, type ViewRequest } from '../view.ts';
import { fillHeight } from './lines.ts';
import { centerCursorOn, type ListPosition, listView, START, withCursorAt } from './list.ts';
import { nextValue } from './options.ts';
import { makeStableContext } from './remembered.ts';
import { makeSorting, type SortAction, type SortedList } from './sorting.ts';
import { drawTable, emptyTableText } from './table.ts';

interface RowsState extends SortedList {
  /** The index of the shown table in `lists`. */
  readonly variant: number;
}

type RowsAction = { readonly type: 'enter' } | { readonly type: 'variant'; readonly value?: string } | SortAction;

interface RowsSpec<T, K extends Kind>
  extends Pick<ViewHead, 'title' | 'partOf' | 'orRequires' | 'comparing' | 'columns' | 'silent'> {
  readonly id: string;
  /** The tables of the view, of which one is shown. */
  readonly lists: readonly TableListing<T, K>[];
  /** The message if there are no rows in the table with this number. */
  readonly empty: string | ((context: ViewContext<K>, variant: number) => string);
  /** The message if no row matches the filter. Absent: a default message. */
  readonly noMatch?: string;
  /** For filters that test other items than the rows: the rows that remain, and the progress of the filter. */
  readonly matching?: {
    readonly rows: (context: ViewContext<K>, variant: number) => readonly T[];
    readonly filter: (context: ViewContext<K>) => SlicedFilter | undefined;
    readonly filterColumns: (state: unknown, context: ViewContext<K>) => readonly string[];
  };
  /** The names of the tables in the menu `o`. */
  readonly variants?: readonly string[];
  /** Initially shows the first table that has rows. Only for tables whose rows need no background work. */
  readonly opensFilled?: true;
  /** Help text and menu heading for the choice of the table. Absent: `group by`. */
  readonly variantKey?: { readonly help: string; readonly label: string };
  readonly detail: (row: T, context: ViewContext<K>) => string;
  /** The orders that the report also has, with the names there. The key '' is the rows' own order. Absent: it has all of them. */
  readonly sorts?: Readonly<Record<string, { readonly column: string; readonly reversed?: boolean }>>;
  /** In the rows' own order, the cursor starts on the first row with the highest weight. Absent: on the first row. */
  readonly weight?: (row: T, context: ViewContext<K>) => number;
  /** The name of a table that the report cannot show; undefined if it can. */
  readonly notInReport?: (variant: number) => string | undefined;
  /** Draws a picture above the table. Its height must not depend on `row`, the row under the cursor. */
  readonly above?: (context: ViewContext<K>, row?: T) => readonly ScreenLine[];
  /** Draws a picture in the rows below the table. */
  readonly below?: (context: ViewContext<K>, rows: number) => readonly ScreenLine[];
  readonly mode?: (rows: readonly T[], context: ViewContext<K>, variant: number) => string;
  /** Work in slices, besides the filter; true once done. */
  readonly work?: (context: ViewContext<K>, ms: number) => boolean;
  /** The step or process of a row, which Enter shows in `stepView`. */
  readonly step?: (row: T, context: ViewContext<K>) => number;
  /** For a step without a row: the step whose row stands for it. */
  readonly rowOf?: (step: number, context: ViewContext<K>) => number;
  readonly stepView?: 'step' | 'process';
  /** The request of Enter, if it does not show the step of the row; `enterKey` has its help. */
  readonly enter?: (row: T, context: ViewContext<K>) => ViewRequest | undefined;
  /** The row of another table of the view that Enter goes to. */
  readonly entersTable?: (row: T) => { readonly variant: number; readonly name: string } | undefined;
  readonly enterKey?: { readonly help: string; readonly footer: string };
  /** The reason why Enter does nothing on this row; undefined if it does something. */
  readonly noEnterReason?: (row: T, context: ViewContext<K>) => string | undefined;
}

/** Tables with more rows keep all columns: reading every cell would take too long. */
const MAX_CHECKED_ROWS = 2000;

/** The columns of a table. Those of small tables without text in any row leave their room to names. */
function tableColumns<T, K extends Kind>({ lists }: RowsSpec<T, K>, c: ViewContext<K>, variant: number): readonly Column<T>[] {
  const columns = lists[variant].table(c).columns(c);
  const rows = lists[variant].all(c);
  if (rows.length === 0 || rows.length > MAX_CHECKED_ROWS) return columns;
  const hasText = ({ text }: Column<T>) => !text || rows.some((row) => textOfCell(text(row)) !== '');
  return columns.map((column) => (column.rank === 9 || hasText(column) ? column : { ...column, text: undefined }));
}

/** The indices of the tables that the profile has data for. */
const availableTables = <T, K extends Kind>({ lists }: RowsSpec<T, K>, { costing: { can } }: Analysis): number[] =>
  lists.flatMap(({ requires }, variant) => (requires.every((question) => can.has(question)) ? [variant] : []));

/** The index of the table that is shown initially. */
function initialTable<T, K extends Kind>(spec: RowsSpec<T, K>, c: ViewContext<K>): number {
  const tables = availableTables(spec, c.analysis);
  const filled = (least: number) => tables.find((place) => spec.lists[place].all(c).length >= least);
  // A table of one row has nothing to choose from.
  return (spec.opensFilled ? (filled(2) ?? filled(1)) : undefined) ?? tables[0] ?? 0;
}

/** The initial list, with the cursor on the first row with the highest weight. */
function initialList<T, K extends Kind>({ weight, above }: RowsSpec<T, K>, c: ViewContext<K>, rows: readonly T[]): ListPosition {
  if (!weight) return START;
  const weights = rows.map((row) => weight(row, c));
  const row = weights.reduce((best, w, k) => (w > weights[best] ? k : best), 0);
  return row > 0 ? centerCursorOn(START, row, rows.length, c.height - 1 - (above?.(c).length ?? 0)) : START;
}

/** The sort order of the view. It starts with the rows' own order. */
function rowSorting<T, K extends Kind>(spec: RowsSpec<T, K>) {
  const variantOf = (c: ViewContext<K>, state?: RowsState) => state?.variant ?? initialTable(spec, c);
  /** The columns of the screen, and those only for --sort. */
  const columns = (c: ViewContext<K>, state?: RowsState) =>
    tableColumns(spec, c, variantOf(c, state)).filter(({ only = 'screen' }) => only === 'screen');
  return makeSorting<RowsState, T, K>(columns, {
    ownOrder: '',
    /** Numbers first descend, texts ascend. */
    downFirst({ key, ascends }, c, state) {
      const first = spec.lists[variantOf(c, state)].all(c)[0];
      return !ascends && !(first !== undefined && typeof key?.(first) === 'string');
    },
  });
}

/** Functions that read the rows. Memoized by what the rows depend on, because every key makes a new context. */
function makeRowReaders<T, K extends Kind>(spec: RowsSpec<T, K>) {
  const textsIn = (variant: number, c: ViewContext<K>) => (r: T) => spec.lists[variant].texts(r, c);
  // The columns of reports have more than fits on the screen.
  const filterColumns = (variant: number, c: ViewContext<K>) => [
    ...spec.lists[variant].table(c).columns({ ...c, medium: 'text' }),
    ...tableColumns(spec, c, variant),
  ];
  const filterOf = memo((matcher: Matcher, variant: number, c: ViewContext<K>) =>
    filterOfRows(matcher, spec.lists[variant].all(c), () => filterColumns(variant, c), c, textsIn(variant, c)),
  );
  const sorted = memo(
    (rows: readonly T[], sort: string, descending: boolean, variant: number, c: ViewContext<K>): readonly T[] => {
      const key = sort === '' ? undefined : tableColumns(spec, c, variant).find((column) => column.id === sort)?.key;
      return key ? sortedByKey(rows, key, descending) : rows;
    },
  );
  const stableContext = makeStableContext<K>();
  const startFilter = ({ variant }: RowsState, c: ViewContext<K>) =>
    c.matcher && !spec.matching ? filterOf(c.matcher, variant, stableContext(c)).runOnce(c.timeBudgetMs) : undefined;
  const unsorted = (state: RowsState, c: ViewContext<K>): readonly T[] => {
    if (c.matcher && spec.matching) return spec.matching.rows(c, state.variant);
    return startFilter(state, c)?.passingRows() ?? spec.lists[state.variant].all(c);
  };
  const rowsIn = (state: RowsState, c: ViewContext<K>) =>
    sorted(unsorted(state, c), state.sort, state.descending, state.variant, stableContext(c));
  return {
    rowsIn,
    /** Reads the row under the cursor, if there is one. */
    atCursor<R>(state: RowsState, c: ViewContext<K>, read: (row: T) => R): R | undefined {
      const row = rowsIn(state, c)[state.list.cursor];
      return row === undefined ? undefined : read(row);
    },
    /** Moves the cursor to the row with a name: in the shown table, else in the first table that has such a row. */
    goToRow(state: RowsState, name: string, c: ViewContext<K>): RowsState {
      const others = spec.variants
        ? availableTables(spec, c.analysis).map((variant) => ({ ...state, variant, list: START }))
        : [];
      for (const table of [state, ...others]) {
        const rows = rowsIn(table, c);
        const row = rows.findIndex((r) => textsIn(table.variant, c)(r)[0] === name);
        if (row >= 0) return { ...table, list: withCursorAt(table.list, row, rows.length, c.height - 1) };
      }
      return state;
    },
    filterColumns: ({ variant }: RowsState, c: ViewContext<K>) => conditionNames(filterColumns(variant, c)),
    filterIn: (state: RowsState, c: ViewContext<K>): SlicedFilter | undefined =>
      spec.matching?.filter(c) ?? startFilter(state, c),
  };
}

type RowReaders<T, K extends Kind> = ReturnType<typeof makeRowReaders<T, K>>;

function keyBindingsOf<T, K extends Kind>(
  spec: RowsSpec<T, K>,
  sortKeys: readonly Binding<RowsState, SortAction, K>[],
  { atCursor }: RowReaders<T, K>,
): readonly Binding<RowsState, RowsAction, K>[] {
  const { stepView = 'step', step, enter, noEnterReason, variants } = spec;
  return [
    ...(step || enter
      ? [
          key('enter', { type: 'enter' }, 'view', spec.enterKey?.help ?? `show the ${stepView} in full`, {
            footer: spec.enterKey?.footer ?? stepView,
            off: (state: RowsState, c: ViewContext<K>) =>
              atCursor(state, c, (row) => {
                const isOpened = spec.entersTable?.(row) || enter?.(row, c) || !step || step(row, c) >= 0;
                return noEnterReason?.(row, c) ?? (isOpened ? undefined : `no ${stepView} belongs to this row`);
              }),
          }),
        ]
      : []),
    ...(variants
      ? [
          key('', { type: 'variant' }, 'show', spec.variantKey?.help ?? `group by ${variants.join(', ')}`, {
            options: {
              label: spec.variantKey?.label ?? 'group by',
              values: (_: RowsState, c: ViewContext<K>) => availableTables(spec, c.analysis).map((variant) => variants[variant]),
              current: ({ variant }: RowsState) => variants[variant],
            },
          }),
        ]
      : []),
    ...sortKeys,
  ];
}

/** The members of a view that read and select the step under the cursor; none if rows have no step. */
function stepNavigation<T, K extends Kind>(spec: RowsSpec<T, K>, { rowsIn, atCursor }: RowReaders<T, K>) {
  const { step } = spec;
  if (!step) return {};
  return {
    stepAt: (state: RowsState, c: ViewContext<K>): number => atCursor(state, c, (row) => step(row, c)) ?? -1,
    findStep(state: RowsState, wanted: number, c: ViewContext<K>): RowsState {
      const rows = rowsIn(state, c);
      const to = spec.rowOf?.(wanted, c) ?? wanted;
      const row = to < 0 ? -1 : rows.findIndex((r) => step(r, c) === to);
      return row < 0 ? state : { ...state, list: withCursorAt(state.list, row, rows.length, c.height - 1) };
    },
  };
}

/** Shows the table named `value`, or the next one. */
function changeVariant<T, K extends Kind>(spec: RowsSpec<T, K>, state: RowsState, c: ViewContext<K>, value?: string): RowsState {
  const { variants = [] } = spec;
  const values = availableTables(spec, c.analysis).map((variant) => variants[variant]);
  return { ...state, variant: variants.indexOf(nextValue(values, variants[state.variant], value)), list: START };
}

/** Lines of a table with its heading. An empty table has a line with a message. */
const tableHeight = (rows: number): number => Math.max(1, rows) + 1;

/** Adds the pictures above and below the table. Without a picture below, the table gets the remaining height. */
function addPictures<T, K extends Kind>(
  { above, below }: RowsSpec<T, K>,
  c: ViewContext<K>,
  rows: readonly T[],
  cursor: number,
  draw: (height: number) => ScreenLine[],
): ScreenLine[] {
  const top = above?.(c, rows[cursor]) ?? [];
  const picture = below?.(c, c.height - tableHeight(rows.length)) ?? [];
  if (picture.length === 0) return [...top, ...draw(c.height - top.length)];
  return fillHeight([...top, ...draw(tableHeight(rows.length)), ...picture], c.height);
}

/** The context with the steps of the rows on the screen, from `top` on; unchanged if rows have no steps. */
function withShownSteps<T, K extends Kind>({ step }: RowsSpec<T, K>, rows: readonly T[], top: number, c: ViewContext<K>) {
  return step ? { ...c, shownSteps: rows.slice(top, top + c.height - 1).map((row) => step(row, c)) } : c;
}

export function rowsView<const Id extends string, T, K extends Kind>(spec: RowsSpec<T, K> & { readonly id: Id }) {
  const { id, title, partOf, orRequires, silent, lists, above, comparing = false, columns = [], stepView = 'step' } = spec;
  const [{ name, requires, kind }] = lists;
  const readers = makeRowReaders(spec);
  const { rowsIn, filterIn, atCursor, goToRow } = readers;

  const sorting = rowSorting(spec);
  return listView({
    ...{ id, title, kind, partOf, requires, orRequires, silent, comparing, columns },
    filterColumns: spec.matching?.filterColumns ?? readers.filterColumns,
    report: { name, ofFocus: false },
    followers: spec.step && { beside: [stepView], below: [stepView] },
    hasPane: spec.below !== undefined,
    keys: keyBindingsOf(spec, sorting.keys, readers),
    ...sorting.members,
    linesAbove: above && ((c) => 1 + above(c).length),
    shifts: true,
    init(c): RowsState {
      const variant = initialTable(spec, c);
      const order = sorting.initial(c);
      return { ...order, list: order.sort === '' ? initialList(spec, c, lists[variant].all(c)) : START, variant };
    },
    change(state, action, c) {
      if (action.type === 'enter') {
        const to = atCursor(state, c, (row) => spec.entersTable?.(row));
        // A window from beyond the end puts the row on its first line, with all that belongs to it below.
        const list = { ...START, top: Number.MAX_SAFE_INTEGER };
        return to ? goToRow({ ...state, variant: to.variant, list }, to.name, c) : state;
      }
      return action.type === 'variant' ? changeVariant(spec, state, c, action.value) : sorting.change(state, action, c);
    },
    draw(state, c) {
      const rows = rowsIn(state, c);
      const empty = typeof spec.empty === 'string' ? spec.empty : spec.empty(c, state.variant);
      const table = {
        columns: tableColumns(spec, withShownSteps(spec, rows, state.list.top, c), state.variant),
        ...{ rows, chosen: c.chosenColumns },
        sorted: { id: state.sort, descending: state.descending },
        empty: emptyTableText(c, filterIn(state, c), empty, spec.noMatch),
      };
      return addPictures(spec, c, rows, state.list.cursor, (height) => drawTable(state.list, c.width, height, table));
    },
    rowCount: (state, c) => rowsIn(state, c).length,
    rowText: (state, row, c) => lists[state.variant].texts(rowsIn(state, c)[row], c)[0] ?? '',
    ...stepNavigation(spec, readers),
    goToRow,
    request: (state, action, c) =>
      action.type === 'enter' && !atCursor(state, c, (row) => spec.entersTable?.(row))
        ? (atCursor(state, c, (row) => spec.enter?.(row, c)) ?? { type: 'show', view: stepView })
        : undefined,
    detail: (state, c) => atCursor(state, c, (row) => spec.detail(row, c)) ?? '',
    mode: (state, c) => (spec.mode?.(rowsIn(state, c), c, state.variant) ?? '') + filterStatusText(c.matcher, filterIn(state, c)),
    work: (state, c, ms) => (filterIn(state, c)?.run(ms) ?? true) && (spec.work?.(c, ms) ?? true),
    /** The rows' own order needs no flag. */
    printed({ sort, descending, variant }) {
      const missing = spec.notInReport?.(variant);
      if (missing !== undefined) return { notInReport: missing };
      const by = spec.sorts ? spec.sorts[sort] : sort === '' ? undefined : { column: sort };
      const report = lists[variant].name;
      if (by)
        return { report, sort: { column: by.column, descending: 'reversed' in by && by.reversed ? !descending : descending } };
      return sort === '' ? { report } : { notInReport: `${title} sorted by ${sort}` };
    },
    /** If the profile lacks the shown table, its first table is shown. */
    rebase(state, _, to) {
      const tables = availableTables(spec, to);
      return tables.includes(state.variant) ? state : { ...state, variant: tables[0] ?? 0, list: START };
    },
  });
}
