// Column definitions, shared by the screen, all forms of --print, and the file that P writes.

import type { Analysis } from '../analysis/answers/analysis.ts';
import type { NameMode } from '../analysis/names/short.ts';
import { sortedByKey } from '../base/lists.ts';
import type { Style, TableCell } from '../base/style.ts';
import type { CutPosition } from '../base/text.ts';
import type { Event } from '../model/head.ts';
import type { KeptNote, Kind } from '../model/profile.ts';

export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export const isJsonObject = (value: Json): value is { readonly [key: string]: Json | undefined } =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * The base of percentages: the total, the total after transforms, or the parent's cost (Tree, Calls); `none` hides them.
 * `usual`: the total in lists, the cost of the routine inside of it (Source, Instrs, Calls).
 */
export type PercentMode = 'usual' | 'total' | 'left' | 'parent' | 'none';

/** The context of columns: a profile, an event, and the place where the columns are shown. */
export interface ColumnContext<K extends Kind = Kind> {
  readonly analysis: Analysis<K>;
  readonly event: Event;
  /** Further events, each with its own column. */
  readonly extraEvents: readonly Event[];
  /** Parts and threads with their own columns, by the names of part-columns.ts. */
  readonly extraParts: readonly string[];
  readonly percent: PercentMode;
  /** The cost that percentages are shares of, if not of the total: inside of a routine, its inclusive cost. */
  readonly shareBase?: number;
  readonly width: number;
  /** How routine names are shortened. */
  readonly names: NameMode;
  /** The user's notes on routines, for machines. Absent: not requested. */
  readonly notes?: ReadonlyMap<string, KeptNote>;
  readonly base: Analysis | undefined;
  /** Names of routines that the user marked as favourites. */
  readonly favourites: ReadonlySet<string>;
  readonly medium: 'screen' | 'text';
  /** On the screen: costs are shortened (1.23M) at any screen width. */
  readonly shortCosts?: boolean;
  /** On the screen, in tables of steps: the steps of the rows that it shows. */
  readonly shownSteps?: readonly number[];
  /** With two runs: the columns show the base's values. Absent: the values of this run. */
  readonly side?: 'before';
}

export interface Column<Row> {
  /** The key in JSON, and the name for --sort. */
  readonly id: string;
  /** A second name for --sort. */
  readonly also?: string | undefined;
  readonly title: string;
  /** The value in JSON, CSV and TSV; undefined for rows without a value. Absent: the column is only for people. */
  readonly value?: ((row: Row) => Json | undefined) | undefined;
  /** Each run has its own value: with two runs, JSON also contains the base's. */
  readonly measured?: boolean;
  /** With two runs, another column shows the base's text. */
  readonly was?: true;
  /** Only some rows have a value. CSV and TSV always contain the column. */
  readonly optional?: boolean;
  /** The text for people. Absent: the column is only for machines. */
  readonly text?: ((row: Row) => string | TableCell) | undefined;
  /** The only medium in which people see the column. */
  readonly only?: 'screen' | 'text' | undefined;
  /** The sort key. The first sort of numbers is descending, that of texts ascending. */
  readonly key?: ((row: Row) => number | string) | undefined;
  /** The number with its sign, for conditions, where the key is its size. */
  readonly amount?: ((row: Row) => number) | undefined;
  /** Sorts tables of a million rows: returns all row numbers in order. Equal rows keep the order of `among`. */
  readonly order?: ((descending: boolean, among?: Uint32Array) => Uint32Array) | undefined;
  /** The first sort by this column is ascending. */
  readonly ascends?: boolean;
  /** Width in cells on the screen; the minimum width of a flexible column. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
  /** The cells of the longest unit in the texts, `5.42 ms`: numbers are aligned by their last digit. */
  readonly unitCells?: number;
  /** The unit of numbers that are no costs, for conditions. */
  readonly unit?: 'bytes';
  readonly flex?: number;
  /** Width of the longest text: the maximum width of a flexible column. Absent: not measured. */
  readonly most?: number;
  readonly cut?: CutPosition;
  /** Columns with the lowest rank are dropped first on a narrow screen; rank 9 is never dropped. */
  readonly rank?: number;
  readonly style?: Style;
  /** Minimum width of text output that includes the column. */
  readonly from?: number;
}

/** The key of a column that is sorted by the size of its numbers. */
export const bySize = <Row>(amount: (row: Row) => number): Required<Pick<Column<Row>, 'key' | 'amount'>> => ({
  amount,
  key: (row) => Math.abs(amount(row)),
});

/** The runs that have a row. `in`: 1 for this run, 2 for the base, 3 for both. `name`: the name in the base, if it differs. */
export interface RowSides {
  readonly in: number;
  readonly renamed?: boolean;
  /** Only one run has the row, and it is probably the same as a row of the other. */
  readonly guess?: boolean;
  readonly name?: string | undefined;
}

/** The columns of a table. `keys`: the columns that come first in JSON, in this order; users rely on them. */
export interface TableColumns<Row, K extends Kind = Kind> {
  columns(context: ColumnContext<K>): readonly Column<Row>[];
  readonly keys?: readonly string[];
  /** With two runs: the runs that have a row. Absent: the table has its own state columns, or none. */
  sides?(context: ColumnContext<K>, row: Row): RowSides;
}

/** The columns for machines, starting with those named in `keys`. */
export function dataColumns<Row>(columns: readonly Column<Row>[], keys: readonly string[] = []): Column<Row>[] {
  const place = (column: Column<Row>) => (keys.includes(column.id) ? keys.indexOf(column.id) : keys.length);
  return columns.filter((column) => column.value).sort((a, b) => place(a) - place(b));
}

export const readColumns = <Row>(columns: readonly Column<Row>[], medium: 'screen' | 'text'): Column<Row>[] =>
  columns.filter((column) => column.text && (column.only ?? medium) === medium);

export const sortableColumns = <Row>(columns: readonly Column<Row>[]): Column<Row>[] =>
  columns.filter((column) => column.key || column.order);

/** The columns with these names, in their order; all of them without names, or if none is there. */
export function chosenColumns<Row>(columns: readonly Column<Row>[], names: readonly string[] = []): readonly Column<Row>[] {
  const found = names.flatMap((name) => columns.find((c) => sortNames(c).includes(name)) ?? []);
  return found.length > 0 ? found : columns;
}

export const sortNames = <Row>({ id, also }: Column<Row>): string[] => (also === undefined ? [id] : [id, also]);

/** Sorts `count` rows by the column's `order` function, or else by its `key`. Equal rows keep the order of `among`. */
export function sortByColumn<Row>(
  { order, key, ascends }: Column<Row>,
  table: { readonly count: number; readonly rowAt: (i: number) => Row; readonly among?: Uint32Array | undefined },
  descending?: boolean,
): Uint32Array {
  const { count, rowAt, among } = table;
  if (order) return order(descending ?? !ascends, among);
  const rows = among ?? Uint32Array.from({ length: count }, (_, i) => i);
  if (!key || count === 0) return rows;
  const isText = typeof key(rowAt(0)) === 'string';
  return Uint32Array.from(sortedByKey([...rows], (i) => key(rowAt(i)), descending ?? !(isText || ascends)));
}

/** Whether `--sort wanted` means the column name `name`. The unit is optional: `duration`, `durationMs`. */
export function isSortName(name: string, wanted: string): boolean {
  const bare = (text: string) => text.replace(/Ms$| ms$/, '');
  return bare(name) === bare(wanted);
}

/** The column that `--sort wanted` means. */
export const findColumnByName = <Row>(columns: readonly Column<Row>[], wanted: string): Column<Row> | undefined =>
  sortableColumns(columns).find((c) => sortNames(c).some((name) => isSortName(name, wanted)));

/** Returns `screen` on the screen, else `text`. */
export const onScreen = <T>(context: ColumnContext, screen: T, text: T): T => (context.medium === 'screen' ? screen : text);
