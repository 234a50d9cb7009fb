// A report: what --print writes. Rows are objects for JSON, and cells for text, CSV and TSV; both come from here, so that
// they have the same rows in the same order.
import type { Analysis } from '../analysis/analysis.ts';
import { fileName, routineFile, routineObject } from '../analysis/names.ts';
import { type Matcher, taking } from '../base/match.ts';
import type { Exact } from '../base/units.ts';
import type { CostTable } from '../model/event-value.ts';
import { exactValue } from '../model/event-value.ts';
import type { Event, Profile, TableName } from '../model/profile.ts';
import { stringAt, stringCount } from '../model/strings.ts';

export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type Row = { readonly [key: string]: Json | undefined };

/** A source text as it was found; or why it was not. */
export interface SourceText {
  readonly path: string;
  readonly lines: readonly string[];
  /** The text is newer than the profile. */
  readonly newer: boolean;
}

export interface ReportContext {
  readonly analysis: Analysis;
  readonly event: Event;
  readonly sort: { readonly column: string; readonly descending: boolean | undefined } | undefined;
  readonly limit: number;
  /** True where some of the texts of a row match the filter. */
  readonly matches: (...texts: string[]) => boolean;
  readonly filtered: boolean;
  /** The routine asked for; undefined where none was. */
  readonly routine: number | undefined;
  readonly source: (file: string) => SourceText | string;
  readonly instrText: (object: string, routine: string) => ReadonlyMap<string, string> | undefined;
  readonly inverted: boolean;
  /** inputs: points of calling contexts, not of routines. */
  readonly byContext: boolean;
  /** curve: a size to predict the cost of. */
  readonly at: number | undefined;
  /** Only ASCII for marks and lines. */
  readonly ascii: boolean;
  /** The run to compare with (--base). */
  readonly base: Analysis | undefined;
}

export interface ReportColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string;
  /** Takes the room that is left; at most one column cuts from its start (paths). */
  readonly flex?: 'end' | 'start' | 'middle';
  /** Left out of text that is narrower than this. */
  readonly from?: number;
}

export interface Report {
  readonly name: string;
  readonly title: string;
  readonly requires: readonly TableName[];
  /** Columns that --sort takes. */
  readonly sorts: readonly string[];
  rows(context: ReportContext): Iterable<Row>;
  columns(context: ReportContext): readonly ReportColumn[];
  /** Keys that only some rows have: CSV and TSV have a column for them all the same. */
  readonly optional?: readonly string[];
  /** Text only: rows that stand under a row, and a heading where its value changes. */
  under?(row: Row): Iterable<Row>;
  group?(row: Row): string;
  /** The rows are the whole JSON, an array with no object around: a format of others. Text is the same. */
  readonly array?: boolean;
  /** Keys of the JSON object beside rows. */
  extra?(context: ReportContext): Row;
  /** The report as a picture, for --svg. */
  svg?(context: ReportContext): string;
  /** Lines of text above and below the table. */
  head?(context: ReportContext): readonly string[];
  foot?(context: ReportContext): readonly string[];
}

export class ReportError extends Error {}

/** Costs of a row as an object by event name. */
export function costsByName(events: readonly Event[], costs: CostTable, row: number): Record<string, Exact> {
  const out: Record<string, Exact> = {};
  for (const event of events) out[event.name] = exactValue(event, costs, row);
  return out;
}

export function routineKey(analysis: Analysis, routine: number): { routine: string; file: string | null; object: string | null } {
  const { profile } = analysis;
  return {
    // As the file has it: pprof writes blank names.
    routine: stringAt(profile.strings, profile.routines.name[routine]),
    file: routineFile(profile, routine),
    object: routineObject(profile, routine),
  };
}

export function fileOrNull(analysis: Analysis, file: number): string | null {
  return fileName(analysis.profile, file);
}

export function costOf(row: Row, key: string, event: Event): number | bigint {
  const costs = row[key] as Record<string, Exact> | undefined;
  return costs?.[event.name] ?? 0;
}

/** What a filter takes of a report's rows, as on the screen: the text as it stands where any name of the profile has it. */
export function matchesIn({ strings }: Profile, matcher: Matcher): ReportContext['matches'] {
  function* names(): Generator<readonly string[]> {
    for (let i = 0; i < stringCount(strings); i++) yield [stringAt(strings, i)];
  }
  const takes = taking(matcher, names(), (texts) => texts);
  return (...texts) => takes(texts);
}
