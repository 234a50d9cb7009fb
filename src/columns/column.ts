// Column definitions, shared by the screen, all forms of --print, and the file that P writes.

import type { Analysis } from '../analysis/answers/analysis.ts';
import type { KeptNote } from '../analysis/answers/notes.ts';
import type { NameMode } from '../analysis/names/short.ts';
import { sortedBy } from '../base/sort.ts';
import type { Style, TableCell } from '../base/style.ts';
import type { Cut } from '../base/text.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';

export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** The base of percentages: the total, the total after transforms, or the parent's cost (Tree, Calls); `none` hides them. */
export type PercentMode = 'total' | 'left' | 'parent' | 'none';

/** The context of columns: a profile and an event, and where they are shown. */
export interface ColumnContext<K extends Kind = Kind> {
  readonly analysis: Analysis<K>;
  readonly event: Event;
  /** Further events that have columns of their own. */
  readonly extraEvents: readonly Event[];
  /** Parts and threads that have columns of their own, by the names of part-columns.ts. */
  readonly extraParts: readonly string[];
  readonly percent: PercentMode;
  readonly width: number;
  /** How much of routines' names is shown. */
  readonly names: NameMode;
  /** Notes of routines, for machines. Absent: not requested. */
  readonly notes?: ReadonlyMap<string, KeptNote>;
  /** The run to compare with; undefined where there is none. */
  readonly base: Analysis | undefined;
  /** Names of routines that the user marked as favourites. */
  readonly favourites: ReadonlySet<string>;
  readonly medium: 'screen' | 'text';
  /** On the screen, costs are shortened (1.23M), whatever its width. */
  readonly shortCosts?: boolean;
  /** With two runs: the values are the base's. Absent: this run's. */
  readonly side?: 'before';
}

export interface Column<Row> {
  /** Its key in JSON, and its name for --sort. */
  readonly id: string;
  /** Another name for --sort. */
  readonly also?: string | undefined;
  readonly title: string;
  /** The value in JSON, CSV and TSV; undefined if the row has none. Absent: a column for people only. */
  readonly value?: ((row: Row) => Json | undefined) | undefined;
  /** The value is measured in each run: with two runs, JSON also has the base's value. */
  readonly measured?: boolean;
  /** With two runs, a further column shows the base's text. */
  readonly was?: true;
  /** Only some rows have a value; CSV and TSV have the column in any case. */
  readonly optional?: boolean;
  /** The text for people. Absent: a column for machines only. */
  readonly text?: ((row: Row) => string | TableCell) | undefined;
  /** Shown to people only in this medium. */
  readonly only?: 'screen' | 'text' | undefined;
  /** The sort key: numbers descending at first, text ascending. */
  readonly key?: ((row: Row) => number | string) | undefined;
  /** A sort for tables of a million rows: all row numbers in order. Equal rows keep the order of `among`. */
  readonly order?: (descending: boolean, among?: Uint32Array) => Uint32Array;
  /** The first sort by this column is ascending. */
  readonly ascends?: boolean;
  /** Cells on the screen; for a flexible column, its minimum. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
  /** On the screen: the texts are milliseconds with at most this many decimals; the heading has the unit. */
  readonly msDecimals?: number;
  readonly flex?: number;
  /** Width of the longest text, the maximum of a flexible column. Absent: not measured. */
  readonly most?: number;
  readonly cut?: Cut;
  /** If the screen is too narrow, columns with the lowest rank are dropped first; 9 is never dropped. */
  readonly rank?: number;
  readonly style?: Style;
  /** Text output narrower than this omits the column. */
  readonly from?: number;
}

/** `in`: 1 if only this run has the row, 2 if only the base, 3 if both. `name`: the row's name in the base, if it differs. */
export interface RowSides {
  readonly in: number;
  readonly renamed?: boolean;
  readonly name?: string | undefined;
}

/** The columns of a table. `keys`: the columns that come first in JSON, in this order; users rely on them. */
export interface TableColumns<Row, K extends Kind = Kind> {
  columns(context: ColumnContext<K>): readonly Column<Row>[];
  readonly keys?: readonly string[];
  /** With two runs: which of them has a row. Absent: the table has its own state columns, or none. */
  sides?(context: ColumnContext<K>, row: Row): RowSides;
}

/** The columns for machines, those of `keys` first. */
export function dataColumns<Row>(columns: readonly Column<Row>[], keys: readonly string[] = []): Column<Row>[] {
  const place = (column: Column<Row>) => (keys.includes(column.id) ? keys.indexOf(column.id) : keys.length);
  return columns.filter((column) => column.value).sort((a, b) => place(a) - place(b));
}

/** The columns for people. */
export function readColumns<Row>(columns: readonly Column<Row>[], medium: 'screen' | 'text'): Column<Row>[] {
  return columns.filter((column) => column.text && (column.only ?? medium) === medium);
}

/** The columns that rows can be sorted by. */
export function sortableColumns<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.filter((column) => column.key || column.order);
}

/** The names of a column for --sort. */
function sortNames<Row>({ id, also }: Column<Row>): string[] {
  return also === undefined ? [id] : [id, also];
}

/** Sorts `count` rows by the column's order, else its key. Equal rows keep the order of `among`. */
export function sortByColumn<Row>(
  { order, key, ascends }: Column<Row>,
  {
    count,
    rowAt,
    among,
  }: { readonly count: number; readonly rowAt: (i: number) => Row; readonly among?: Uint32Array | undefined },
  descending?: boolean,
): Uint32Array {
  if (order) return order(descending ?? !ascends, among);
  const rows = among ?? Uint32Array.from({ length: count }, (_, i) => i);
  if (!key || count === 0) return rows;
  const isText = typeof key(rowAt(0)) === 'string';
  return Uint32Array.from(sortedBy([...rows], (i) => key(rowAt(i)), descending ?? !(isText || ascends)));
}

/** The names that --sort accepts for these columns. */
export function sortNamesOf<Row>(columns: readonly Column<Row>[]): string[] {
  return sortableColumns(columns).flatMap(sortNames);
}

/** Whether --sort `wanted` means this name. The unit is optional: `duration`, `durationMs`. */
export function isSortName(name: string, wanted: string): boolean {
  const bare = (text: string) => text.replace(/Ms$/, '');
  return bare(name) === bare(wanted);
}

/** The column that --sort `wanted` names. */
export function findColumnByName<Row>(columns: readonly Column<Row>[], wanted: string): Column<Row> | undefined {
  return sortableColumns(columns).find((c) => sortNames(c).some((name) => isSortName(name, wanted)));
}

/** Chooses between a value for the screen and one for text. */
export function onScreen<T>(context: ColumnContext, screen: T, text: T): T {
  return context.medium === 'screen' ? screen : text;
}
