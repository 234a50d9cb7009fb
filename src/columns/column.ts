// A column, defined once: the screen, --print in all forms, and the file that P writes use the same list.

import type { Analysis } from '../analysis/answers/analysis.ts';
import type { KeptNote } from '../analysis/answers/notes.ts';
import type { NameMode } from '../analysis/names/short.ts';
import { sortedBy } from '../base/sort.ts';
import type { Cell, Style } from '../base/style.ts';
import type { Cut } from '../base/text.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';

export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Percentages are of the whole, of what transforms left of it, of the parent (Tree, Calls), or not shown. */
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
  /** Notes of routines, for machines. Absent: they were not asked for. */
  readonly notes?: ReadonlyMap<string, KeptNote>;
  /** The run to compare with; undefined where there is none. */
  readonly base: Analysis | undefined;
  /** Names of routines that the user marked as favourites. */
  readonly favourites: ReadonlySet<string>;
  readonly medium: 'screen' | 'text';
  /** On the screen, costs are shortened (1.23M), whatever its width. */
  readonly shortCosts?: boolean;
  /** With two runs, values are those of the base. Absent: this run's. */
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
  /** It is measured in each of two runs: JSON has its value in the base, too. */
  readonly measured?: boolean;
  /** With two runs side by side, people see behind it what it was in the base. */
  readonly was?: true;
  /** Only some rows have a value; CSV and TSV have the column in any case. */
  readonly optional?: boolean;
  /** The text for people. Absent: a column for machines only. */
  readonly text?: ((row: Row) => string | Cell) | undefined;
  /** Shown to people only in this medium. */
  readonly only?: 'screen' | 'text' | undefined;
  /** The sort key: numbers descending at first, text ascending. */
  readonly key?: ((row: Row) => number | string) | undefined;
  /** The same for tables of a million rows: all row numbers in order, equal ones in the order of `among`. */
  readonly order?: (descending: boolean, among?: Uint32Array) => Uint32Array;
  /** The first sort by it is ascending. */
  readonly ascends?: boolean;
  /** Cells on the screen; for a flexible column, its minimum. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
  /** On the screen: its texts are milliseconds, whose unit is in the heading, with so many decimals at most. */
  readonly msDecimals?: number;
  readonly flex?: number;
  /** Cells of its longest text: a flexible column has no use for more. Absent: nobody has looked. */
  readonly most?: number;
  readonly cut?: Cut;
  /** If the screen is too narrow, columns with the lowest rank are dropped first; 9 is never dropped. */
  readonly rank?: number;
  readonly style?: Style;
  /** Left out of text that is narrower than this. */
  readonly from?: number;
}

/** `in`: 1 if this run has the row, 2 if the base has it, 3 if both have. `name`: what it is called in the base, if not the same. */
export interface RowSides {
  readonly in: number;
  readonly renamed?: boolean;
  readonly name?: string | undefined;
}

/** The columns of a table, and which of them come first in JSON, in this order: its keys are a contract. */
export interface Table<Row, K extends Kind = Kind> {
  columns(context: ColumnContext<K>): readonly Column<Row>[];
  readonly keys?: readonly string[];
  /** With two runs side by side, the state of a row in each. Absent: the table says it by columns of its own, or not at all. */
  sides?(context: ColumnContext<K>, row: Row): RowSides;
}

/** The columns that machines read, in their order. */
export function dataColumns<Row>(columns: readonly Column<Row>[], keys: readonly string[] = []): Column<Row>[] {
  const place = (column: Column<Row>) => (keys.includes(column.id) ? keys.indexOf(column.id) : keys.length);
  return columns.filter((column) => column.value).sort((a, b) => place(a) - place(b));
}

/** The columns that people read, in their order. */
export function readColumns<Row>(columns: readonly Column<Row>[], medium: 'screen' | 'text'): Column<Row>[] {
  return columns.filter((column) => column.text && (column.only ?? medium) === medium);
}

/** The columns that rows can be sorted by. */
export function sortable<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns.filter((column) => column.key || column.order);
}

/** Its names for --sort. */
function sortNames<Row>({ id, also }: Column<Row>): string[] {
  return also === undefined ? [id] : [id, also];
}

/** `count` rows by a column: by its order, else by its key. `among`: their order where they are equal. Absent `descending`: the column's first. */
export function rowsBy<Row>(
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

/** The names that --sort takes for these columns. */
export function sortNamesOf<Row>(columns: readonly Column<Row>[]): string[] {
  return sortable(columns).flatMap(sortNames);
}

/** Whether --sort WANTED means a name. A unit may be left out or added: `duration`, `durationMs`. */
export function isSortName(name: string, wanted: string): boolean {
  const bare = (text: string) => text.replace(/Ms$/, '');
  return bare(name) === bare(wanted);
}

/** The column that --sort means. */
export function columnNamed<Row>(columns: readonly Column<Row>[], wanted: string): Column<Row> | undefined {
  return sortable(columns).find((c) => sortNames(c).some((name) => isSortName(name, wanted)));
}

/** One thing on the screen, another in text. */
export function onScreen<T>(context: ColumnContext, screen: T, text: T): T {
  return context.medium === 'screen' ? screen : text;
}
