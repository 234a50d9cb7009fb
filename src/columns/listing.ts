// Tables with all their rows, shared by reports, views and the library.
import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import type { Question } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import type { ColumnContext, TableColumns } from './column.ts';
import type { LineRow } from './lines.ts';
import type { RoutineRow } from './routine-row.ts';

export interface TableListing<Row, K extends Kind> {
  readonly name: string;
  readonly requires: readonly Question[];
  /** The kind of profile that has these rows. Absent: any kind. */
  readonly kind?: K;
  table(context: ColumnContext<K>): TableColumns<Row, K>;
  /** All rows in their default order. Calls with equal analysis and base return one and the same list. */
  all(context: ColumnContext<K>): readonly Row[];
  /** The texts that filter and search match. The first text is the row's name. */
  texts(row: Row, context: ColumnContext<K>): readonly string[];
}

/** A list whose table is the same in every context. */
type FixedListing<Row, K extends Kind> = Omit<TableListing<Row, K>, 'table'> & Pick<TableColumns<Row, K>, 'columns' | 'keys'>;

export function makeListing<Row, K extends Kind>({ columns, keys, ...list }: FixedListing<Row, K>): TableListing<Row, K> {
  const table = { columns, ...(keys ? { keys } : {}) };
  return { ...list, table: () => table };
}

/** The base, if it is a profile of kind `kind`. */
export const baseOfKind = <K extends Kind>({ base }: Pick<ColumnContext, 'base'>, kind: K): Analysis<K> | undefined =>
  base && isOfKind(base, kind) ? base : undefined;

export function baseWithTable(c: Pick<ColumnContext, 'base'>, table: 'tests' | 'compiles' | 'rebuilds') {
  const base = baseOfKind(c, 'steps');
  return base?.profile.steps[table] ? base : undefined;
}

/** The rows that a view passes to a report, because no flag can express its selection or order. */
export interface ChosenRows {
  readonly routines?: Iterable<RoutineRow>;
  /** The routines whose growth laws are shown. */
  readonly lawsOf?: Iterable<number>;
  readonly lines?: Iterable<LineRow>;
}
