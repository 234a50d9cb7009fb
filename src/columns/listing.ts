// A table with all its rows, described once: a report prints it, a view shows it, the library returns it.
import { type Analysis, isOfKind } from '../analysis/answers/analysis.ts';
import type { Question } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import type { ColumnContext, Table } from './column.ts';

export interface Listing<Row, K extends Kind> {
  /** The name of its report. */
  readonly name: string;
  readonly asks: readonly Question[];
  /** Absent: profiles of any kind. */
  readonly kind?: K;
  table(context: ColumnContext<K>): Table<Row, K>;
  /** All rows in their own order; the same list for the same analysis and base. */
  all(context: ColumnContext<K>): readonly Row[];
  /** The texts of filter and search; the first is the row's name. */
  texts(row: Row, context: ColumnContext<K>): readonly string[];
}

/** The run to compare with, if it is of that kind. */
export function baseOf<K extends Kind>({ base }: Pick<ColumnContext, 'base'>, kind: K): Analysis<K> | undefined {
  return base && isOfKind(base, kind) ? base : undefined;
}
