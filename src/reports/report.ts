// A report: what --print writes. Its rows and columns are defined once; print.ts and markdown.ts make every form from them.

import { isOfKind } from '../analysis/answers/analysis.ts';
import type { ColumnSort } from '../analysis/answers/part-columns.ts';
import type { LimitJson } from '../analysis/limits/limits.ts';
import { fileName, objectName, routineName } from '../analysis/names/names.ts';
import type { CodeText } from '../base/code-text.ts';
import { type Matcher, taking } from '../base/match.ts';
import { sortedBy } from '../base/sort.ts';
import type { SourceText } from '../base/source-text.ts';
import type { Cell } from '../base/style.ts';
import { type Column, type ColumnContext, type Json, rowsBy, sortable, type Table } from '../columns/column.ts';
import type { LineRow } from '../columns/lines.ts';
import type { Listing } from '../columns/listing.ts';
import type { RoutineRow } from '../columns/routine-row.ts';
import type { Question } from '../model/head.ts';
import type { Kind, Profile } from '../model/profile.ts';
import { stringAt, stringCount } from '../model/strings.ts';

/** Rows by what they are of. */
export interface ChosenRows {
  readonly routines?: Iterable<RoutineRow>;
  /** The routines of growth laws. */
  readonly lawsOf?: Iterable<number>;
  readonly lines?: Iterable<LineRow>;
}

/** The input of a report. */
export interface ReportContext<K extends Kind = Kind> extends ColumnContext<K> {
  readonly medium: 'text';
  /** Our own marks are written in ASCII. */
  readonly ascii: boolean;
  readonly sort: { readonly column: string; readonly descending: boolean | undefined } | undefined;
  readonly limit: number;
  /** True if any of a row's texts matches the filter. */
  readonly matches: (...texts: string[]) => boolean;
  readonly filtered: boolean;
  /** The routine asked for; undefined where none was. */
  readonly routine: number | undefined;
  readonly source: (file: string) => SourceText | string;
  /** The base's text of a file, by its number; undefined where the base does not have it. */
  readonly baseSource?: (file: number) => SourceText | string | undefined;
  readonly instrText: (object: string, routine: string) => CodeText | undefined;
  readonly inverted: boolean;
  /** tree: nodes below this percentage of the total are left out; undefined for the usual one. */
  readonly threshold: number | undefined;
  /** inputs: points of calling contexts, not of routines. */
  readonly byContext: boolean;
  /** Rows that a view chose and ordered by what no flag says: its groups, its conditions. */
  readonly chosen?: ChosenRows | undefined;
  /** curve: a size to predict the cost of. */
  readonly at: number | undefined;
  /** The results of --fail-if, for JSON. */
  readonly limits?: readonly LimitJson[] | undefined;
  /** CSV: cells that a spreadsheet would take for formulas are written as text. */
  readonly csvSafe: boolean;
  /** The run, as rows of JSON lines name it. */
  readonly run: string;
}

export type Extra = { readonly [key: string]: Json | undefined };

/** A table of few rows, beside the one of the report: for people only. */
export interface SmallTable {
  /** A line above it. */
  readonly title: string | Cell;
  /** `width`: cells in text; the last column takes what is left. */
  readonly columns: readonly { readonly title: string; readonly align?: 'left' | 'right'; readonly width?: number }[];
  readonly rows: readonly (readonly (string | Cell)[])[];
}

/** A row that is said, not shown in columns. */
export interface Sentence {
  /** A number in front of it, in so many cells; '' for none. */
  readonly lead: string;
  /** Our own words and names of the profile. */
  readonly parts: readonly { readonly text: string; readonly isName: boolean }[];
  /** Lines below it. */
  readonly under: readonly (string | Cell)[];
}

export interface ReportSpec<Row, K extends Kind> {
  readonly name: string;
  readonly title: string;
  readonly asks: readonly Question[];
  /** The columns that --sort takes, `EVENT` for any event. Absent: the rows have an order of their own. */
  readonly sorts?: readonly string[];
  /** The columns that --columns adds. Absent: none. */
  readonly columns?: readonly ColumnSort[];
  /** It shows what --base names beside the profile. */
  readonly compares?: boolean;
  /** Absent: profiles of any kind. */
  readonly kind?: K;
  table(context: ReportContext<K>): Table<Row, K>;
  /** In order and filtered; the writer stops at the limit. */
  rows(context: ReportContext<K>): Iterable<Row>;
  /** Where a row is in a source, and what is there, for editors that step through such lines. */
  quickfix?(
    row: Row,
    context: ReportContext<K>,
  ): { readonly file: string; readonly line: number; readonly text: string } | undefined;
  /** For people only: rows shown under a row, and a heading printed whenever it changes. */
  under?(row: Row): Iterable<Row>;
  /** undefined: it has no heading. */
  group?(row: Row, context: ReportContext<K>): string | undefined;
  /** For people only: a row as a sentence, in place of a table. */
  sentence?(row: Row, context: ReportContext<K>): Sentence;
  /** The text where there are no sentences. */
  readonly none?: string;
  /** The rows are the whole JSON: a bare array, in a format defined elsewhere. Text is the same. */
  readonly array?: boolean;
  /** Further keys of the JSON object. */
  extra?(context: ReportContext<K>): Extra;
  /** The report as a picture, for --svg. */
  svg?(context: ReportContext<K>): string;
  /** For people only: lines above and below the table, and further tables. */
  head?(context: ReportContext<K>): readonly (string | Cell)[];
  foot?(context: ReportContext<K>): readonly (string | Cell)[];
  tables?(context: ReportContext<K>): readonly SmallTable[];
  /** The lines above the table are a drawing in characters, and belong together. */
  readonly drawn?: boolean;
}

export class ReportError extends Error {}

function isContextOf<K extends Kind>(context: ReportContext, kind: K | undefined): context is ReportContext<K> {
  return kind === undefined || isOfKind(context.analysis, kind);
}

/** The context for profiles of a kind; throws if the profile is of another one. */
export function ofKind<K extends Kind>(kind: K | undefined, context: ReportContext): ReportContext<K> {
  if (isContextOf(context, kind)) return context;
  throw new ReportError(`the report needs a profile of ${kind}, but this is one of ${context.analysis.profile.kind}`);
}

/** Filters a report's rows as the screen does: by the literal text if any name of the profile contains it, else by its letters. */
export function matchesIn({ strings }: Profile, matcher: Matcher): ReportContext['matches'] {
  function* names(): Generator<readonly string[]> {
    for (let i = 0; i < stringCount(strings); i++) yield [stringAt(strings, i)];
  }
  const takes = taking(matcher, names(), (texts) => texts);
  return (...texts) => takes(texts);
}

/** The texts of a routine that the filter looks at. */
export const routineTexts = (profile: Profile, routine: number): readonly string[] => {
  const { file, object } = profile.routines;
  return [routineName(profile, routine), fileName(profile, file[routine]) ?? '', objectName(profile, object[routine]) ?? ''];
};

export const routineMatches = ({ filtered, matches, analysis }: ReportContext, routine: number): boolean =>
  !filtered || matches(...routineTexts(analysis.profile, routine));

/** The column that --sort names, else the usual one. */
function sortColumn<Row>(context: ReportContext, columns: readonly Column<Row>[], usual: string): Column<Row> {
  const wanted = context.sort?.column ?? usual;
  const choices = sortable(columns);
  const found = choices.find((c) => c.id === wanted || c.also === wanted);
  if (!found)
    throw new ReportError(`--sort ${wanted}: no such column; there are ${choices.map((c) => c.also ?? c.id).join(', ')}`);
  return found;
}

/** The numbers of `count` rows in the order asked for. */
export function orderOf<Row>(
  context: ReportContext,
  columns: readonly Column<Row>[],
  usual: string,
  count: number,
  rowAt: (i: number) => Row,
): Uint32Array {
  return rowsBy(sortColumn(context, columns, usual), { count, rowAt }, context.sort?.descending);
}

/** Rows in the order asked for, else by the usual column, else unchanged. Unknown numbers come last. */
export function sorted<Row>(
  context: ReportContext,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  usual?: string,
): readonly Row[] {
  if (!context.sort && usual === undefined) return rows;
  const { key, ascends } = sortColumn(context, columns, usual ?? '');
  if (!key) return rows;
  const isText = rows[0] !== undefined && typeof key(rows[0]) === 'string';
  return sortedBy(rows, key, context.sort?.descending ?? !(isText || ascends));
}

/** A listing, and the column that it is sorted by where nobody asks. */
export interface ListSpec<Row, K extends Kind> extends Listing<Row, K>, Omit<ReportSpec<Row, K>, 'rows' | keyof Listing<Row, K>> {
  readonly usual?: string;
  /** The rows under a filter that chooses the things that rows are sums of; absent: it chooses rows. */
  readonly ofMatching?: (context: ReportContext<K>) => readonly Row[];
}

function matching<Row, K extends Kind>(spec: ListSpec<Row, K>, context: ReportContext<K>): readonly Row[] {
  return spec.ofMatching?.(context) ?? spec.all(context).filter((row) => context.matches(...spec.texts(row, context)));
}

/** Filters and sorts the rows of a list. */
export function withRows<Row, K extends Kind>(spec: ListSpec<Row, K>): ReportSpec<Row, K> {
  return {
    ...spec,
    rows(context) {
      const kept = context.filtered ? matching(spec, context) : spec.all(context);
      return spec.sorts ? sorted(context, kept, spec.table(context).columns(context), spec.usual) : kept;
    },
  };
}
