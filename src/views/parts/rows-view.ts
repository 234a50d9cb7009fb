// Makes a view from a table of rows, sortable by its columns.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import type { ColumnSort } from '../../analysis/answers/part-columns.ts';
import { filterText, type Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { type IncrementalFilter, incrementalFilter, type SlicedFilter } from '../../base/sifting.ts';
import { sortedBy } from '../../base/sort.ts';
import { type Column, readColumns, sortableColumns, sortNamesOf } from '../../columns/column.ts';
import type { TableListing } from '../../columns/listing.ts';
import type { Question } from '../../model/head.ts';
import type { Kind, Profile } from '../../model/profile.ts';
import { viewEntry } from '../open-view.ts';
import { type Binding, key, ofKind, type PrintedView, type ScreenLine, type ViewContext, type ViewRequest } from '../view.ts';
import { type ListPosition, listView, START, withCursorAt } from './list.ts';
import { nextValue } from './options.ts';
import { changeSorting, type SortAction, type Sorting, sortKeys, startSorting } from './sorting.ts';
import { drawTable } from './table.ts';

interface RowsState extends Sorting {
  readonly list: ListPosition;
  /** Index into the spec's variants. */
  readonly variant: number;
}

type RowsAction = { readonly type: 'enter' } | { readonly type: 'variant'; readonly value?: string } | SortAction;

interface RowsSpec<Id extends string, T, K extends Kind> {
  readonly id: Id;
  readonly title: string;
  readonly digit: string;
  readonly digitBesideCalls?: string;
  readonly partOf?: string;
  /** An alternative to the data of the first table: enough for one of the later tables. */
  readonly orRequires?: Question;
  readonly comparing?: boolean;
  /** The columns that the user can add. */
  readonly columns?: readonly ColumnSort[];
  /** The tables, one for each variant. */
  readonly lists: readonly TableListing<T, K>[];
  /** The message if there are no rows. */
  readonly empty: string | ((context: ViewContext<K>) => string);
  /** The message if no row matches the filter; absent: a default text. */
  readonly noMatch?: string;
  /** For tables whose filter applies to the underlying items instead of the rows: the filtered rows, and the progress. */
  readonly matching?: {
    readonly rows: (context: ViewContext<K>, variant: number) => readonly T[];
    readonly filter: (context: ViewContext<K>) => SlicedFilter | undefined;
  };
  /** The names of the tables in the menu `o`. */
  readonly variants?: readonly string[];
  /** Opens the first table that has rows. Only for tables whose rows need no background work. */
  readonly opensFilled?: true;
  /** True if the view has nothing to show for the profile: it is not offered. */
  readonly silent?: (profile: Profile) => boolean;
  /** The help text and menu heading of `variants`; absent: `group by`. */
  readonly variantKey?: { readonly help: string; readonly label: string };
  readonly detail: (row: T, context: ViewContext<K>) => string;
  /** The sort columns that the report also has, with their names there; '' is the rows' own order. */
  readonly sorts?: 'same' | Readonly<Record<string, { readonly column: string; readonly reversed?: boolean }>>;
  /** The initial row of the cursor in the rows' own order; absent: the first row. */
  readonly opensAt?: (context: ViewContext<K>) => number;
  /** The state that the report cannot show, as text; undefined for none. */
  readonly notInReport?: (variant: number) => string | undefined;
  /** Draws a picture above the table. Its height must not depend on `row`, the row under the cursor. */
  readonly above?: (context: ViewContext<K>, row?: T) => readonly ScreenLine[];
  /** Draws a picture in the rows below the table. */
  readonly below?: (context: ViewContext<K>, rows: number) => readonly ScreenLine[];
  readonly mode?: (rows: readonly T[], context: ViewContext<K>, variant: number) => string;
  /** Other resumable work, besides the filter; true once done. */
  readonly work?: (context: ViewContext<K>, ms: number) => boolean;
  /** A row's step or process; Enter shows it in `stepView`. */
  readonly step?: (row: T, context: ViewContext<K>) => number;
  /** The step whose row represents a step without its own row. */
  readonly rowOf?: (step: number, context: ViewContext<K>) => number;
  readonly stepView?: 'step' | 'process';
  /** Enter's request instead of the row's step, and its help. */
  readonly enter?: (row: T, context: ViewContext<K>) => ViewRequest | undefined;
  readonly enterKey?: { readonly help: string; readonly footer: string };
  /** The reason why Enter does nothing on a row; undefined if it works. */
  readonly noEnterReason?: (row: T, context: ViewContext<K>) => string | undefined;
}

const columnsOf = <Id extends string, T, K extends Kind>({ lists }: RowsSpec<Id, T, K>, c: ViewContext<K>, variant: number) =>
  lists[variant].table(c).columns(c);

/** The tables that the profile has data for. */
const availableTables = <Id extends string, T, K extends Kind>(
  { lists }: RowsSpec<Id, T, K>,
  { costing: { can } }: Analysis,
): number[] => lists.flatMap(({ requires }, variant) => (requires.every((question) => can.has(question)) ? [variant] : []));

/** The index of the table that opens initially. */
function firstTable<Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>, c: ViewContext<K>): number {
  const tables = availableTables(spec, c.analysis);
  const filled = spec.opensFilled ? tables.find((place) => spec.lists[place].all(c).length > 0) : undefined;
  return filled ?? tables[0] ?? 0;
}

/** The initial cursor position in the rows' own order. */
function initialList<Id extends string, T, K extends Kind>(
  { opensAt, above }: RowsSpec<Id, T, K>,
  c: ViewContext<K>,
  rows: number,
): ListPosition {
  const row = opensAt?.(c) ?? 0;
  return row > 0 ? withCursorAt(START, row, rows, c.height - 1 - (above?.(c).length ?? 0)) : START;
}

/** The state for another profile, which may lack the current table. */
function rebaseState<Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>, state: RowsState, to: Analysis): RowsState {
  const tables = availableTables(spec, to);
  return tables.includes(state.variant) ? state : { ...state, variant: tables[0] ?? 0, list: START };
}

const followersOf = (view: string) => ({ beside: [view], below: [view] });

/** The rows of a view, memoized by their inputs instead of the context: every key makes a new context. */
function rowsOf<Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>) {
  const filterOf = memo(
    (matcher: Matcher, variant: number, c: ViewContext<K>) =>
      incrementalFilter(matcher, spec.lists[variant].all(c), (r) => spec.lists[variant].texts(r, c)),
    2,
  );
  const sorted = memo(
    (rows: readonly T[], sort: string, descending: boolean, variant: number, c: ViewContext<K>): readonly T[] => {
      const key = sort === '' ? undefined : columnsOf(spec, c, variant).find((column) => column.id === sort)?.key;
      return key ? sortedBy(rows, key, descending) : rows;
    },
    2,
  );
  const kept = memo((filter: IncrementalFilter<T>, _version: number) => filter.passingRows(), 2);
  let last: ViewContext<K> | undefined;
  const stableContext = (c: ViewContext<K>): ViewContext<K> => {
    if (last?.analysis !== c.analysis || last.base !== c.base) last = c;
    return last;
  };
  const startFilter = ({ variant }: RowsState, c: ViewContext<K>) =>
    c.matcher && !spec.matching ? filterOf(c.matcher, variant, stableContext(c)).runOnce(c.timeBudgetMs) : undefined;
  const unsorted = (state: RowsState, c: ViewContext<K>): readonly T[] => {
    if (c.matcher && spec.matching) return spec.matching.rows(c, state.variant);
    const filter = startFilter(state, c);
    return filter ? kept(filter, filter.version) : spec.lists[state.variant].all(c);
  };
  return {
    rowsIn: (state: RowsState, c: ViewContext<K>) =>
      sorted(unsorted(state, c), state.sort, state.descending, state.variant, stableContext(c)),
    filterIn: (state: RowsState, c: ViewContext<K>): SlicedFilter | undefined =>
      spec.matching?.filter(c) ?? startFilter(state, c),
  };
}

/** `choices`: the columns that the rows can be sorted by. */
function keysOf<Id extends string, T, K extends Kind>(
  spec: RowsSpec<Id, T, K>,
  choices: (c: ViewContext<K>, variant: number) => readonly Column<T>[],
  rowsIn: (state: RowsState, c: ViewContext<K>) => readonly T[],
): readonly Binding<RowsState, RowsAction, K>[] {
  const { stepView = 'step', step, enter, noEnterReason, variants } = spec;
  const off = (state: RowsState, c: ViewContext<K>) => {
    const row = rowsIn(state, c)[state.list.cursor];
    return row === undefined ? undefined : noEnterReason?.(row, c);
  };
  return [
    ...(step || enter
      ? [
          key('enter', { type: 'enter' }, 'view', spec.enterKey?.help ?? `show the ${stepView} in full`, {
            footer: spec.enterKey?.footer ?? stepView,
            ...(noEnterReason ? { off } : {}),
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
    ...sortKeys<RowsState, K>(({ variant }, c) => columnIds(choices(c, variant))),
  ];
}

/** Step navigation, for rows that have a step. */
function stepMembers<Id extends string, T, K extends Kind>(
  spec: RowsSpec<Id, T, K>,
  rowsIn: (state: RowsState, c: ViewContext<K>) => readonly T[],
) {
  const { step } = spec;
  if (!step) return {};
  return {
    stepAt(state: RowsState, c: ViewContext<K>): number {
      const row = rowsIn(state, c)[state.list.cursor];
      return row === undefined ? -1 : step(row, c);
    },
    findStep(state: RowsState, wanted: number, c: ViewContext<K>): RowsState {
      const rows = rowsIn(state, c);
      const row = rows.findIndex((r) => step(r, c) === (spec.rowOf?.(wanted, c) ?? wanted));
      return row < 0 ? state : { ...state, list: withCursorAt(state.list, row, rows.length, c.height - 1) };
    },
  };
}

/** `columns`: those that rows can be sorted by; `downFirst`: whether the first sort by one descends. */
function change<Id extends string, T, K extends Kind>(
  spec: RowsSpec<Id, T, K>,
  state: RowsState,
  action: RowsAction,
  c: ViewContext<K>,
  columns: readonly Column<T>[],
  downFirst: (column: Column<T>) => boolean,
): RowsState {
  if (action.type === 'enter') return state;
  if (action.type === 'variant') {
    const { variants = [] } = spec;
    const values = availableTables(spec, c.analysis).map((variant) => variants[variant]);
    return { ...state, variant: variants.indexOf(nextValue(values, variants[state.variant], action.value)), list: START };
  }
  const down = (id: string) => {
    const found = columns.find((column) => column.id === id);
    return !found || downFirst(found);
  };
  return changeSorting(state, action, columnIds(columns), down);
}

/** The orders of the rows: their own order, and columns. */
const columnIds = <T>(columns: readonly Column<T>[]): readonly string[] => ['', ...columns.map(({ id }) => id)];

/** Lines of a table with its heading, or with the line that says why it is empty. */
const tableHeight = (rows: number): number => Math.max(1, rows) + 1;

/** The table with its pictures. Without a picture below, the table gets the remaining height. */
function withPictures<Id extends string, T, K extends Kind>(
  { above, below }: RowsSpec<Id, T, K>,
  c: ViewContext<K>,
  rows: readonly T[],
  cursor: number,
  draw: (height: number) => ScreenLine[],
): ScreenLine[] {
  const top = above?.(c, rows[cursor]) ?? [];
  const picture = below?.(c, c.height - tableHeight(rows.length)) ?? [];
  if (picture.length === 0) return [...top, ...draw(c.height - top.length)];
  const lines = [...top, ...draw(tableHeight(rows.length)), ...picture];
  return [...lines, ...Array.from({ length: c.height - lines.length }, (): ScreenLine => ({ spans: [] }))];
}

/** The number of lines above the rows, if there is a picture above. */
const headLines = <Id extends string, T, K extends Kind>({ above }: RowsSpec<Id, T, K>) =>
  above ? { linesAbove: (c: ViewContext<K>) => 1 + above(c).length } : {};

export function rowsView<const Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>) {
  const { id, title, digit, digitBesideCalls, lists, comparing = false, columns = [] } = spec;
  const [{ name, requires, kind }] = lists;
  const { rowsIn, filterIn } = rowsOf(spec);
  /** The columns that are shown and sortable. */
  const choices = (c: ViewContext<K>, variant: number) => sortableColumns(readColumns(columnsOf(spec, c, variant), 'screen'));
  /** Numbers descend at first, text ascends. */
  const downFirst = ({ key, ascends }: Column<T>, c: ViewContext<K>, variant = 0): boolean => {
    const first = lists[variant].all(c)[0];
    return !ascends && !(first !== undefined && typeof key?.(first) === 'string');
  };
  return viewEntry(
    listView({
      ...{ id, title, digit, requires, narrowContext: ofKind(kind), comparing, columns },
      ...(digitBesideCalls === undefined ? {} : { digitBesideCalls }),
      ...(spec.silent ? { silent: spec.silent } : {}),
      ...(spec.partOf ? { partOf: spec.partOf } : {}),
      ...(spec.orRequires ? { orRequires: spec.orRequires } : {}),
      report: { name, ofFocus: false },
      ...(spec.step ? { followers: followersOf(spec.stepView ?? 'step') } : {}),
      keys: keysOf(spec, choices, rowsIn),
      headings: {
        columns: (state, c) => columnsOf(spec, c, state.variant),
        sort: (column, { variant }, c): RowsAction | undefined =>
          choices(c, variant).some(({ id }) => id === column) ? { type: 'sort', column } : undefined,
      },
      ...headLines(spec),
      shifts: true,
      init(c): RowsState {
        const own = { sort: '', descending: true };
        const variant = firstTable(spec, c);
        const sorting = startSorting(c.choices.sort, choices(c, variant), own, (column) => downFirst(column, c, variant));
        return { list: sorting.sort === '' ? initialList(spec, c, lists[variant].all(c).length) : START, variant, ...sorting };
      },
      sortNames: (c) => sortNamesOf(choices(c, firstTable(spec, c))),
      change: (state, action, c) =>
        change(spec, state, action, c, choices(c, state.variant), (column) => downFirst(column, c, state.variant)),
      draw(state, c) {
        const rows = rowsIn(state, c);
        const empty = typeof spec.empty === 'string' ? spec.empty : spec.empty(c);
        const none = c.filter ? (spec.noMatch ?? `nothing matches ${c.filter}`) : empty;
        const table = {
          columns: columnsOf(spec, c, state.variant),
          rows: rows.length,
          row: (row: number) => rows[row],
          sorted: { id: state.sort, descending: state.descending },
          empty: filterIn(state, c)?.done === false ? 'searching …' : none,
        };
        return withPictures(spec, c, rows, state.list.cursor, (height) => drawTable(table, state.list, c.width, height));
      },
      rowCount: (state, c) => rowsIn(state, c).length,
      rowText: (state, row, c) => lists[state.variant].texts(rowsIn(state, c)[row], c)[0] ?? '',
      ...stepMembers(spec, rowsIn),
      goToRow: (state, name, c) => goToRowNamed(spec, rowsIn, state, name, c),
      request(state, action, c) {
        if (action.type !== 'enter') return undefined;
        const row = rowsIn(state, c)[state.list.cursor];
        return (row === undefined ? undefined : spec.enter?.(row, c)) ?? { type: 'show', view: spec.stepView ?? 'step' };
      },
      detail(state, c) {
        const row = rowsIn(state, c)[state.list.cursor];
        return row === undefined ? '' : spec.detail(row, c);
      },
      mode: (state, c) => (spec.mode?.(rowsIn(state, c), c, state.variant) ?? '') + filterText(c.matcher, filterIn(state, c)),
      work: (state, c, ms) => (filterIn(state, c)?.run(ms) ?? true) && (spec.work?.(c, ms) ?? true),
      printed: (state) => printedViewOf(spec, state),
      rebase: (state, _, to) => rebaseState(spec, state, to),
    }),
  );
}

/** Moves the cursor to the row with this name: in the current table, else in the first table that has it. */
function goToRowNamed<Id extends string, T, K extends Kind>(
  spec: RowsSpec<Id, T, K>,
  rowsIn: (state: RowsState, c: ViewContext<K>) => readonly T[],
  state: RowsState,
  name: string,
  c: ViewContext<K>,
): RowsState {
  const others = spec.variants ? availableTables(spec, c.analysis).map((variant) => ({ ...state, variant, list: START })) : [];
  for (const table of [state, ...others]) {
    const rows = rowsIn(table, c);
    const row = rows.findIndex((r) => spec.lists[table.variant].texts(r, c)[0] === name);
    if (row >= 0) return { ...table, list: withCursorAt(table.list, row, rows.length, c.height - 1) };
  }
  return state;
}

/** The flags of `--print`. The rows' own order needs no flag. */
function printedViewOf<Id extends string, T, K extends Kind>(
  { sorts, notInReport, title, lists }: RowsSpec<Id, T, K>,
  { sort, descending, variant }: RowsState,
): PrintedView {
  const missing = notInReport?.(variant);
  if (missing !== undefined) return { notInReport: missing };
  const by = sorts === 'same' ? (sort === '' ? undefined : { column: sort }) : sorts?.[sort];
  const report = lists[variant].name;
  if (by) return { report, sort: { column: by.column, descending: 'reversed' in by && by.reversed ? !descending : descending } };
  return sort === '' ? { report } : { notInReport: `${title} sorted by ${sort}` };
}
