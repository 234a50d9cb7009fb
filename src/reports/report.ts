// The definition of a report of --print: its rows and columns. print.ts and markdown.ts write every form from it.

import { isContextOf, percentageBase } from '../analysis/answers/analysis.ts';
import type { ClusterKey } from '../analysis/answers/neighbours.ts';
import type { ColumnSort } from '../analysis/answers/part-columns.ts';
import type { LimitJson } from '../analysis/limits/limits.ts';
import { fileName, objectName, recordedNameOf, routineName } from '../analysis/names/names.ts';
import { type FilterConditions, parseConditions } from '../base/conditions.ts';
import { memo, sortedByKey } from '../base/lists.ts';
import { compileFilter, type Matcher, matchesAny, noSuchText } from '../base/match.ts';
import type { CodeText, SourceText } from '../base/source-text.ts';
import { type TableCell, textOfCell } from '../base/style.ts';
import { type Exact, plural } from '../base/units.ts';
import {
  type Column,
  type ColumnContext,
  isJsonObject,
  type Json,
  sortableColumns,
  sortByColumn,
  type TableColumns,
} from '../columns/column.ts';
import { conditionNames, costOfRow, testOfConditions } from '../columns/conditions.ts';
import { costText, shareCell } from '../columns/costs.ts';
import type { ChosenRows, TableListing } from '../columns/listing.ts';
import { routineTable } from '../columns/routines.ts';
import type { Kind, Profile } from '../model/profile.ts';
import type { CompilerSlice } from '../model/steps/compiles.ts';
import { stringAt, stringCount } from '../model/strings.ts';

export interface ReportContext<K extends Kind = Kind> extends ColumnContext<K> {
  readonly medium: 'text';
  /** Marks of proftui, such as ↻, are written in ASCII. */
  readonly ascii: boolean;
  readonly sort: { readonly column: string; readonly descending?: boolean | undefined } | undefined;
  readonly limit: number;
  /** True if any of a row's texts matches the filter. */
  readonly matches: (...texts: string[]) => boolean;
  readonly filtered: boolean;
  /** The text of --filter. */
  readonly filter?: string;
  /** The conditions on columns in the filter; undefined if it has none. */
  readonly conditions?: FilterConditions | undefined;
  /** The routine of --routine; undefined without the flag. */
  readonly routine: number | undefined;
  /** The routines that match --routine, if it is an expression: each has its rows, and `routine` names none. */
  readonly routines?: readonly number[] | undefined;
  readonly source: (file: string) => SourceText | string;
  /** The base's text of a file, by file number; undefined if the base does not have the file. */
  readonly baseSource?: (file: number) => SourceText | string | undefined;
  /** The disassembly of the routine of --routine; undefined if it was not read. */
  readonly code?: CodeText | undefined;
  readonly inverted: boolean;
  /** Nodes and edges below this percentage of the total are left out; undefined for the default. */
  readonly threshold?: number | undefined;
  /** inputs: one point per calling context instead of per routine. */
  readonly byContext?: boolean;
  /** Rows that a view selected and sorted in a way that no flag can express, such as by group. */
  readonly chosen?: ChosenRows | undefined;
  /** groups: the keys of --by, with commas between them. */
  readonly grouping?: string | undefined;
  /** source: lines around those with cost, and the percentage of the cost that the files have together. */
  readonly contextLines?: number | undefined;
  readonly coverage?: number | undefined;
  /** graph, dot: the number of calls that rows may be away from the routine. */
  readonly depth?: number | undefined;
  /** dot: routines of one file or object stand in a frame. */
  readonly cluster?: ClusterKey | undefined;
  /** trace: the slices in the trace of a step's compiler; absent: none are read. */
  readonly slicesOf?: ((step: number) => readonly CompilerSlice[]) | undefined;
  /** curve: the input size whose cost is predicted. */
  readonly predictedSize?: number | undefined;
  /** The results of --fail-if, for JSON. */
  readonly limits?: readonly LimitJson[] | undefined;
  /** CSV: cells that a spreadsheet would run as formulas are written as text. */
  readonly csvSafe?: boolean;
  /** The unit of times in text, CSV and TSV: `s`. Absent: milliseconds. */
  readonly timeUnit?: string | undefined;
  /** The name of the run in JSON Lines. */
  readonly run: string;
}

export type JsonFields = { readonly [key: string]: Json | undefined };

/** A small additional table, only in forms for people. */
export interface SmallTable {
  readonly title: string | TableCell;
  /** `width`: cells in text; the last column takes the remaining width. */
  readonly columns: readonly { readonly title: string; readonly align?: 'left' | 'right'; readonly width?: number }[];
  readonly rows: readonly (readonly (string | TableCell)[])[];
}

/** A row written as a sentence instead of in columns. */
export interface Sentence {
  /** The number in front of the sentence; '' for none. */
  readonly lead: string;
  /** The sentence in parts: words of proftui, and names from the profile (`isName`). */
  readonly parts: readonly { readonly text: string; readonly isName: boolean }[];
  readonly detailLines: readonly (string | TableCell)[];
}

export interface ReportSpec<Row, K extends Kind> extends Pick<TableListing<Row, K>, 'name' | 'requires' | 'kind'> {
  readonly title: string;
  /** The columns that --sort accepts; `EVENT` means any event. Absent: the order of the rows is fixed. */
  readonly sorts?: readonly string[];
  /** The columns that --columns adds. Absent: none. */
  readonly columns?: readonly ColumnSort[];
  /** The report can show two runs (--base). */
  readonly compares?: boolean;
  /** The column whose cost --threshold looks at, if it sums up rows. Costs of the column `inclusive` overlap, and are not summed. */
  readonly summed?: 'self' | 'inclusive';
  /** The filter is about routines: its conditions are on the columns of `routines`. Absent: on the report's own columns. */
  readonly filtersRoutines?: true;
  table(context: ReportContext<K>): TableColumns<Row, K>;
  /** The rows, sorted and filtered; the writer stops at the limit. */
  rows(context: ReportContext<K>): Iterable<Row>;
  /** The source location of a row, and a text for it, for the error lists of editors (vim -q, Emacs). */
  quickfix?(
    row: Row,
    context: ReportContext<K>,
  ): { readonly file: string; readonly line: number; readonly text: string } | undefined;
  /** The rows below --threshold as one row; undefined if there are none. */
  rest?(context: ReportContext<K>): { readonly json: JsonFields; readonly text: string } | undefined;
  /** Only in forms for people: the child rows below a row. */
  childRows?(row: Row): Iterable<Row>;
  /** Only in forms for people: the heading of a row, printed whenever it changes; undefined for none. */
  group?(row: Row, context: ReportContext<K>): string | undefined;
  /** Only in forms for people: a row as a sentence instead of a table row. */
  sentence?(row: Row, context: ReportContext<K>): Sentence;
  /** The text shown if there are no sentences. */
  readonly emptyText?: string;
  /** JSON and text are a bare array of the rows, in an external format. */
  readonly isArray?: boolean;
  /** Additional members of the JSON object. */
  extra?(context: ReportContext<K>): JsonFields;
  svg?(context: ReportContext<K>): string;
  /** Only in forms for people: lines above and below the table, and additional tables. */
  head?(context: ReportContext<K>): readonly (string | TableCell)[];
  footer?(context: ReportContext<K>): readonly (string | TableCell)[];
  tables?(context: ReportContext<K>): readonly SmallTable[];
  /** The lines above the table are a character drawing, kept together as a code block in Markdown. */
  readonly drawn?: boolean;
}

/** The contexts of the single routines, if --routine is an expression; else the context as it is. */
export const eachRoutine = <K extends Kind>(context: ReportContext<K>): readonly ReportContext<K>[] =>
  context.routines?.map((routine) => ({ ...context, routine, routines: undefined })) ?? [context];

/** The heading of one of several routines; undefined if there is only one. */
export const headingOfRoutine = <K extends Kind>({ analysis, routines }: ReportContext<K>, { routine }: ReportContext<K>) =>
  routines && routine !== undefined ? routineName(analysis.profile, routine) : undefined;

export class ReportError extends Error {}

/** The context for profiles of a kind; throws if the profile is of another one. Its filter has conditions on `columns`. */
export function contextOfKind<K extends Kind>(
  kind: K | undefined,
  of: ReportContext,
  columns?: TableColumns<never, K>['columns'],
) {
  if (!isContextOf(of, kind))
    throw new ReportError(`the report needs a profile of ${kind}, but this is one of ${of.analysis.profile.kind}`);
  const conditions = columns && parseConditions(of.filter ?? '', () => conditionNames(columns(of)));
  return conditions ? { ...of, conditions, matches: () => true } : of;
}

/** The fields of a context for a filter. Throws PatternError. */
export function filterFields(profile: Profile, filter: string) {
  const matcher = compileFilter(filter);
  return { matches: makeRowFilter(profile, matcher), filtered: filter.trim() !== '', filter, conditions: matcher.conditions };
}

/** Matches rows as the screen does: by literal text if any name of the profile contains it, else fuzzily. */
export function makeRowFilter({ strings }: Profile, matcher: Matcher): ReportContext['matches'] {
  const { literal } = matcher;
  if (literal)
    for (let i = 0; i < stringCount(strings); i++) if (literal(stringAt(strings, i))) return (...texts) => texts.some(literal);
  return (...texts) => matchesAny(matcher, texts);
}

/** The texts of a routine that --filter matches. */
const routineTexts = (profile: Profile, routine: number): readonly string[] => {
  const { file, object } = profile.routines;
  const names = [routineName(profile, routine), recordedNameOf(profile, routine) ?? ''];
  return [...names, fileName(profile, file[routine]) ?? '', objectName(profile, object[routine]) ?? ''];
};

export const routineMatches = ({ filtered, matches, analysis }: ReportContext, routine: number): boolean =>
  !filtered || matches(...routineTexts(analysis.profile, routine));

/** The column of --sort, or `usual` without the flag. Throws ReportError for an unknown column. */
function findSortColumn<Row>(context: ReportContext, columns: readonly Column<Row>[], usual: string): Column<Row> {
  const wanted = context.sort?.column ?? usual;
  const choices = sortableColumns(columns);
  const found = choices.find((c) => c.id === wanted || c.also === wanted);
  if (context.sort && found?.id === 'inclusive' && !context.analysis.costing.can.has('inclusive'))
    throw new ReportError('--sort inclusive: the profile has no inclusive costs');
  if (found) return found;
  const names = choices.map((c) => c.also ?? c.id);
  throw new ReportError(`--sort ${wanted}: ${noSuchText('column', wanted, names)}`);
}

/** The indices of `count` rows, in the order of --sort. */
export function sortedOrder<Row>(
  context: ReportContext,
  columns: readonly Column<Row>[],
  usual: string,
  count: number,
  rowAt: (i: number) => Row,
): Uint32Array {
  return sortByColumn(findSortColumn(context, columns, usual), { count, rowAt }, context.sort?.descending);
}

/** Sorts rows by the column of --sort, or else by `usual`; unchanged without either. Unknown numbers come last. */
export function sortRows<Row>(
  context: ReportContext,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  usual?: string,
): readonly Row[] {
  if (!context.sort && usual === undefined) return rows;
  const { key, ascends } = findSortColumn(context, columns, usual ?? '');
  if (!key) return rows;
  const isText = rows[0] !== undefined && typeof key(rows[0]) === 'string';
  return sortedByKey(rows, key, context.sort?.descending ?? !(isText || ascends));
}

/** A listing as a report. `usual`: the column to sort by without --sort. */
export interface ListSpec<Row, K extends Kind>
  extends TableListing<Row, K>,
    Omit<ReportSpec<Row, K>, 'rows' | keyof TableListing<Row, K>> {
  readonly usual?: string;
  /** For rows that are sums: returns the sums of only the items that match the filter. Absent: the filter selects rows. */
  readonly ofMatching?: (context: ReportContext<K>) => readonly Row[];
}

// The rows of a report that its flags keep: those that pass the conditions of --filter, and whose cost reaches --threshold.

/** Whether a row passes the conditions of the filter, whose words match the texts for machines. */
export function conditionTest<Row, K extends Kind>(context: ReportContext<K>, table: () => TableColumns<Row, K>) {
  if (!context.conditions) return () => true;
  const columns = table().columns(context);
  const textsOf = (row: Row) => columns.flatMap(({ value }) => [value?.(row)].filter((found) => typeof found === 'string'));
  return testOfConditions(context.conditions, columns, context, textsOf);
}

/** Whether a routine passes the filter; for reports that filter routines. */
export const routineFilterOf = memo((context: ReportContext): ((routine: number) => boolean) => {
  const test = conditionTest(context, () => routineTable);
  return (routine) => routineMatches(context, routine) && test({ routine });
});

const rowTest = <Row, K extends Kind>({ filtersRoutines, table }: ReportSpec<Row, K>, context: ReportContext<K>) =>
  filtersRoutines ? () => true : conditionTest(context, () => table(context));

/** The column that --threshold looks at, which is that of --sort inclusive, and whether a row is below it; undefined without the flag. */
function thresholdOf<Row, K extends Kind>({ summed, table }: ReportSpec<Row, K>, context: ReportContext<K>) {
  const { analysis, event, threshold, sort } = context;
  if (threshold === undefined || summed === undefined) return undefined;
  const columns = table(context).columns(context);
  const column = columns.find(({ id }) => id === (sort?.column === 'inclusive' ? sort.column : summed));
  const least = (percentageBase(analysis, event) * threshold) / 100;
  const cost = column && costOfRow(column, context);
  return cost && { column, cost, isBelow: (row: Row) => Math.abs(cost(row)) < least };
}

/** The same report, with only the rows that are kept. */
export const withKeptRows = <Row, K extends Kind>(spec: ReportSpec<Row, K>): ReportSpec<Row, K> => ({
  ...spec,
  *rows(context) {
    const test = rowTest(spec, context);
    const limit = thresholdOf(spec, context);
    for (const row of spec.rows(context)) if (test(row) && !limit?.isBelow(row)) yield row;
  },
  rest: (context) => restOfRows(spec, context),
});

/** The rows below --threshold as one: their number and, if it has a meaning, their cost by event. Undefined if there are none. */
function restOfRows<Row, K extends Kind>(spec: ReportSpec<Row, K>, context: ReportContext<K>) {
  const limit = thresholdOf(spec, context);
  if (!limit) return undefined;
  const test = rowTest(spec, context);
  const sums = new Map<string, Exact>();
  let [rows, ofShown] = [0, 0];
  for (const row of spec.rows({ ...context, limit: Number.POSITIVE_INFINITY })) {
    if (!test(row) || !limit.isBelow(row)) continue;
    rows++;
    ofShown += limit.cost(row);
    const costs = limit.column.value?.(row) ?? null;
    if (limit.column.id === 'self' && isJsonObject(costs))
      for (const [name, cost] of Object.entries(costs)) sums.set(name, addExact(sums.get(name) ?? 0, cost));
  }
  if (rows === 0) return undefined;
  const { analysis, event, threshold } = context;
  // The rows of two runs show differences, and JSON has the costs of this run.
  const sum = analysis.before && sums.size > 0 ? ofShown : sums.get(event.name);
  const isShown = sum !== undefined && !event.per && event.measure !== 'percent';
  const estimated = analysis.totals.selfEstimated?.includes(1) ?? false;
  const share = isShown ? textOfCell(shareCell(context, Number(sum))) : '';
  const cost = isShown ? `: self ${costText(context, sum, estimated)}, ${share}` : '';
  const json: JsonFields = { rest: true, rows, ...(sums.size === 0 ? {} : { self: Object.fromEntries(sums) }) };
  return { json, text: `… ${plural(rows, 'row')} below ${threshold}%${cost}` };
}

/** Costs beyond 2^53 are bigints, and so are sums with them. */
const addExact = (sum: Exact, cost: Json | undefined): Exact =>
  typeof cost === 'bigint' || typeof sum === 'bigint' ? BigInt(sum) + BigInt(`${cost ?? 0}`) : sum + Number(cost ?? 0);

/** The first `limit` rows. */
export function* takeRows<Row>(rows: Iterable<Row>, limit: number): Generator<Row> {
  let remaining = limit;
  if (remaining <= 0) return;
  for (const row of rows) {
    yield row;
    if (--remaining <= 0) return;
  }
}
