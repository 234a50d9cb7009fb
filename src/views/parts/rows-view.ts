// A view that is just a table of rows, sortable by its columns.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import type { ColumnSort } from '../../analysis/answers/part-columns.ts';
import { filterText, type Matcher } from '../../base/match.ts';
import { memo } from '../../base/memo.ts';
import { type Sifting, type Sliced, siftingFor } from '../../base/sifting.ts';
import { sortedBy } from '../../base/sort.ts';
import { type Column, readColumns, sortable, sortNamesOf } from '../../columns/column.ts';
import type { Listing } from '../../columns/listing.ts';
import type { Question } from '../../model/head.ts';
import type { Kind, Profile } from '../../model/profile.ts';
import { entry } from '../open-view.ts';
import { type Binding, key, ofKind, type Printed, type Request, type ScreenLine, type ViewContext } from '../view.ts';
import { at, type List, listView, START } from './list.ts';
import { chosen } from './options.ts';
import { changeSorting, type SortAction, type Sorting, sortKeys, startSorting } from './sorting.ts';
import { drawTable } from './table.ts';

interface RowsState extends Sorting {
  readonly list: List;
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
  /** A profile that answers this one has the view, too: for one of the later tables. */
  readonly orAsks?: Question;
  readonly comparing?: boolean;
  /** The columns that the user can add. */
  readonly columns?: readonly ColumnSort[];
  /** The tables, one for each variant. */
  readonly lists: readonly Listing<T, K>[];
  /** The message where there are no rows. */
  readonly empty: string | ((context: ViewContext<K>) => string);
  /** The same with a filter; by default that nothing matches. */
  readonly noMatch?: string;
  /** The rows under a filter, where it selects what the rows are made of, and its progress over that. */
  readonly matching?: {
    readonly rows: (context: ViewContext<K>, variant: number) => readonly T[];
    readonly sifting: (context: ViewContext<K>) => Sliced | undefined;
  };
  /** Names of alternative tables, which the menu of `o` lists. */
  readonly variants?: readonly string[];
  /** The first table that has rows opens. Their rows are known at once. */
  readonly opensFilled?: true;
  /** It can have nothing to say of a profile: it is left out. */
  readonly silent?: (profile: Profile) => boolean;
  /** Their help and heading; `group by` the names if absent. */
  readonly variantKey?: { readonly help: string; readonly of: string };
  readonly detail: (row: T, context: ViewContext<K>) => string;
  /** The columns that the report can be sorted by, too, and what it calls them; '' is the rows' own order. */
  readonly sorts?: 'same' | Readonly<Record<string, { readonly column: string; readonly reversed?: boolean }>>;
  /** The row under the cursor when the view opens in its own order; absent: the first. */
  readonly opensAt?: (context: ViewContext<K>) => number;
  /** State of the table that the report lacks. */
  readonly unsaid?: (variant: number) => string | undefined;
  /** A picture above the table, as high for every row under the cursor. */
  readonly above?: (context: ViewContext<K>, row?: T) => readonly ScreenLine[];
  /** A picture in the rows that the table leaves. */
  readonly below?: (context: ViewContext<K>, rows: number) => readonly ScreenLine[];
  readonly mode?: (rows: readonly T[], context: ViewContext<K>, variant: number) => string;
  /** Work beside the filter's that can continue later; true when nothing is left. */
  readonly work?: (context: ViewContext<K>, ms: number) => boolean;
  /** A row's step or process; Enter shows it in `stepView`. */
  readonly step?: (row: T, context: ViewContext<K>) => number;
  /** The step whose row represents a step without its own row. */
  readonly rowOf?: (step: number, context: ViewContext<K>) => number;
  readonly stepView?: 'step' | 'process';
  /** Enter's request instead of the row's step, and its help. */
  readonly enter?: (row: T, context: ViewContext<K>) => Request | undefined;
  readonly enterKey?: { readonly help: string; readonly footer: string };
  /** Why Enter does nothing on a row; undefined where it does. */
  readonly noEnter?: (row: T, context: ViewContext<K>) => string | undefined;
}

const columnsOf = <Id extends string, T, K extends Kind>({ lists }: RowsSpec<Id, T, K>, c: ViewContext<K>, variant: number) =>
  lists[variant].table(c).columns(c);

/** The tables that the profile has data for. */
const offered = <Id extends string, T, K extends Kind>({ lists }: RowsSpec<Id, T, K>, { costing: { can } }: Analysis): number[] =>
  lists.flatMap(({ asks }, variant) => (asks.every((question) => can.has(question)) ? [variant] : []));

/** The table that opens. */
function firstOf<Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>, c: ViewContext<K>): number {
  const places = offered(spec, c.analysis);
  const filled = spec.opensFilled ? places.find((place) => spec.lists[place].all(c).length > 0) : undefined;
  return filled ?? places[0] ?? 0;
}

/** The list in its own order as it opens. */
function openedAt<Id extends string, T, K extends Kind>(
  { opensAt, above }: RowsSpec<Id, T, K>,
  c: ViewContext<K>,
  rows: number,
): List {
  const row = opensAt?.(c) ?? 0;
  return row > 0 ? at(START, row, rows, c.height - 1 - (above?.(c).length ?? 0)) : START;
}

/** The state with another profile, which may not have the table. */
function rebased<Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>, state: RowsState, to: Analysis): RowsState {
  const places = offered(spec, to);
  return places.includes(state.variant) ? state : { ...state, variant: places[0] ?? 0, list: START };
}

const followersOf = (view: string) => ({ beside: [view], below: [view] });

/** The rows of a view, memoized by what they depend on rather than by context, which is new for every key. */
function rowsOf<Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>) {
  const siftingOf = memo(
    (matcher: Matcher, variant: number, c: ViewContext<K>) =>
      siftingFor(matcher, spec.lists[variant].all(c), (r) => spec.lists[variant].texts(r, c)),
    2,
  );
  const sorted = memo(
    (rows: readonly T[], sort: string, descending: boolean, variant: number, c: ViewContext<K>): readonly T[] => {
      const key = sort === '' ? undefined : columnsOf(spec, c, variant).find((column) => column.id === sort)?.key;
      return key ? sortedBy(rows, key, descending) : rows;
    },
    2,
  );
  const kept = memo((sifting: Sifting<T>, _version: number) => sifting.kept(), 2);
  let last: ViewContext<K> | undefined;
  const lasting = (c: ViewContext<K>): ViewContext<K> => {
    if (last?.analysis !== c.analysis || last.base !== c.base) last = c;
    return last;
  };
  const own = ({ variant }: RowsState, c: ViewContext<K>) =>
    c.matcher && !spec.matching ? siftingOf(c.matcher, variant, lasting(c)).begun(c.patienceMs) : undefined;
  const unsorted = (state: RowsState, c: ViewContext<K>): readonly T[] => {
    if (c.matcher && spec.matching) return spec.matching.rows(c, state.variant);
    const sifting = own(state, c);
    return sifting ? kept(sifting, sifting.version) : spec.lists[state.variant].all(c);
  };
  return {
    rowsIn: (state: RowsState, c: ViewContext<K>) =>
      sorted(unsorted(state, c), state.sort, state.descending, state.variant, lasting(c)),
    sifting: (state: RowsState, c: ViewContext<K>): Sliced | undefined => spec.matching?.sifting(c) ?? own(state, c),
  };
}

/** `choices`: the columns that the rows can be sorted by. */
function keysOf<Id extends string, T, K extends Kind>(
  spec: RowsSpec<Id, T, K>,
  choices: (c: ViewContext<K>, variant: number) => readonly Column<T>[],
  rowsIn: (state: RowsState, c: ViewContext<K>) => readonly T[],
): readonly Binding<RowsState, RowsAction, K>[] {
  const { stepView = 'step', step, enter, noEnter, variants } = spec;
  const off = (state: RowsState, c: ViewContext<K>) => {
    const row = rowsIn(state, c)[state.list.cursor];
    return row === undefined ? undefined : noEnter?.(row, c);
  };
  return [
    ...(step || enter
      ? [
          key('enter', { type: 'enter' }, 'view', spec.enterKey?.help ?? `show the ${stepView} in full`, {
            footer: spec.enterKey?.footer ?? stepView,
            ...(noEnter ? { off } : {}),
          }),
        ]
      : []),
    ...(variants
      ? [
          key('', { type: 'variant' }, 'show', spec.variantKey?.help ?? `group by ${variants.join(', ')}`, {
            options: {
              of: spec.variantKey?.of ?? 'group by',
              values: (_: RowsState, c: ViewContext<K>) => offered(spec, c.analysis).map((variant) => variants[variant]),
              now: ({ variant }: RowsState) => variants[variant],
            },
          }),
        ]
      : []),
    ...sortKeys<RowsState, K>(({ variant }, c) => columnIds(choices(c, variant))),
  ];
}

/** Step navigation, for rows that have a step. */
function stepsOf<Id extends string, T, K extends Kind>(
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
      return row < 0 ? state : { ...state, list: at(state.list, row, rows.length, c.height - 1) };
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
    const values = offered(spec, c.analysis).map((variant) => variants[variant]);
    return { ...state, variant: variants.indexOf(chosen(values, variants[state.variant], action.value)), list: START };
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

/** The table between its pictures; the table alone has the whole height. */
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

/** Lines above the rows, where there is a picture. */
const headLines = <Id extends string, T, K extends Kind>({ above }: RowsSpec<Id, T, K>) =>
  above ? { above: (c: ViewContext<K>) => 1 + above(c).length } : {};

export function rowsView<const Id extends string, T, K extends Kind>(spec: RowsSpec<Id, T, K>) {
  const { id, title, digit, digitBesideCalls, lists, comparing = false, columns = [] } = spec;
  const [{ name, asks, kind }] = lists;
  const { rowsIn, sifting } = rowsOf(spec);
  /** The columns that are shown and sortable. */
  const choices = (c: ViewContext<K>, variant: number) => sortable(readColumns(columnsOf(spec, c, variant), 'screen'));
  /** Numbers descend at first, text ascends. */
  const downFirst = ({ key, ascends }: Column<T>, c: ViewContext<K>, variant = 0): boolean => {
    const first = lists[variant].all(c)[0];
    return !ascends && !(first !== undefined && typeof key?.(first) === 'string');
  };
  return entry(
    listView({
      ...{ id, title, digit, asks, of: ofKind(kind), comparing, columns },
      ...(digitBesideCalls === undefined ? {} : { digitBesideCalls }),
      ...(spec.silent ? { silent: spec.silent } : {}),
      ...(spec.partOf ? { partOf: spec.partOf } : {}),
      ...(spec.orAsks ? { orAsks: spec.orAsks } : {}),
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
        const variant = firstOf(spec, c);
        const sorting = startSorting(c.choices.sort, choices(c, variant), own, (column) => downFirst(column, c, variant));
        return { list: sorting.sort === '' ? openedAt(spec, c, lists[variant].all(c).length) : START, variant, ...sorting };
      },
      sorts: (c) => sortNamesOf(choices(c, firstOf(spec, c))),
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
          empty: sifting(state, c)?.done === false ? 'searching …' : none,
        };
        return withPictures(spec, c, rows, state.list.cursor, (height) => drawTable(table, state.list, c.width, height));
      },
      rows: (state, c) => rowsIn(state, c).length,
      rowText: (state, row, c) => lists[state.variant].texts(rowsIn(state, c)[row], c)[0] ?? '',
      ...stepsOf(spec, rowsIn),
      goToRow: (state, name, c) => rowNamed(spec, rowsIn, state, name, c),
      request(state, action, c) {
        if (action.type !== 'enter') return undefined;
        const row = rowsIn(state, c)[state.list.cursor];
        return (row === undefined ? undefined : spec.enter?.(row, c)) ?? { type: 'show', view: spec.stepView ?? 'step' };
      },
      detail(state, c) {
        const row = rowsIn(state, c)[state.list.cursor];
        return row === undefined ? '' : spec.detail(row, c);
      },
      mode: (state, c) => (spec.mode?.(rowsIn(state, c), c, state.variant) ?? '') + filterText(c.matcher, sifting(state, c)),
      work: (state, c, ms) => (sifting(state, c)?.run(ms) ?? true) && (spec.work?.(c, ms) ?? true),
      printed: (state) => printedOf(spec, state),
      rebase: (state, _, to) => rebased(spec, state, to),
    }),
  );
}

/** The state with the cursor on the row of that name: of the table that is shown, or of the first other one that has it. */
function rowNamed<Id extends string, T, K extends Kind>(
  spec: RowsSpec<Id, T, K>,
  rowsIn: (state: RowsState, c: ViewContext<K>) => readonly T[],
  state: RowsState,
  name: string,
  c: ViewContext<K>,
): RowsState {
  const others = spec.variants ? offered(spec, c.analysis).map((variant) => ({ ...state, variant, list: START })) : [];
  for (const table of [state, ...others]) {
    const rows = rowsIn(table, c);
    const row = rows.findIndex((r) => spec.lists[table.variant].texts(r, c)[0] === name);
    if (row >= 0) return { ...table, list: at(table.list, row, rows.length, c.height - 1) };
  }
  return state;
}

/** The rows' own order needs no flag, unless the report has another. */
function printedOf<Id extends string, T, K extends Kind>(
  { sorts, unsaid, title, lists }: RowsSpec<Id, T, K>,
  { sort, descending, variant }: RowsState,
): Printed {
  const not = unsaid?.(variant);
  if (not !== undefined) return { unsaid: not };
  const by = sorts === 'same' ? (sort === '' ? undefined : { column: sort }) : sorts?.[sort];
  const report = lists[variant].name;
  if (by) return { report, sort: { column: by.column, descending: 'reversed' in by && by.reversed ? !descending : descending } };
  return sort === '' ? { report } : { unsaid: `${title} sorted by ${sort}` };
}
