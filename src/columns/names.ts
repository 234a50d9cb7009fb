// Columns of names and places.
import type { Analysis } from '../analysis/analysis.ts';
import { fileName, routineFile, routineLine, routineObject, UNKNOWN } from '../analysis/names.ts';
import { stringAt } from '../model/strings.ts';
import type { Column, ColumnContext } from './column.ts';

/** A routine in JSON. */
export function routineKey(
  { profile }: Analysis,
  routine: number,
): { readonly routine: string; readonly file: string | null; readonly object: string | null; readonly line?: number } {
  const line = routineLine(profile, routine);
  return {
    // As recorded: pprof writes blank names.
    routine: stringAt(profile.strings, profile.routines.name[routine]),
    file: routineFile(profile, routine),
    object: routineObject(profile, routine),
    ...(line === undefined ? {} : { line }),
  };
}

/** True if the profile names source files; text shows objects in their place if it does not. */
export function hasFiles(c: ColumnContext): boolean {
  return c.analysis.profile.files.name.length > 0;
}

/** Line number; 0 is unknown. */
export const lineText = (line: number) => (line === 0 ? '?' : String(line));

export function fileColumn<Row>(c: ColumnContext, file: (row: Row) => number): Column<Row> {
  const name = (row: Row) => fileName(c.analysis.profile, file(row));
  return { id: 'file', title: 'file', cut: 'start', flex: 1, text: (row) => name(row) || UNKNOWN, value: name };
}

/** The mark after the name of a function that the compiler put into its caller. */
export const inlinedMark = (inlined: boolean | number | undefined) => (inlined ? ' (inl)' : '');

/** For machines: `true` where the row is inlined. No column where the profile does not record that. */
export function inlinedColumn<Row>(known: boolean, inlined: (row: Row) => boolean | number | undefined): Column<Row>[] {
  if (!known) return [];
  return [{ id: 'inlined', title: 'inlined', optional: true, value: (row) => (inlined(row) ? true : undefined) }];
}

/** For machines: the line of routines that have namesakes. No column where the profile has none. */
export function namesakeColumn<Row>(c: ColumnContext, routine: (row: Row) => number): Column<Row>[] {
  const { profile } = c.analysis;
  if (!profile.routines.line) return [];
  return [{ id: 'line', title: 'line', optional: true, value: (row) => routineLine(profile, routine(row)) }];
}
