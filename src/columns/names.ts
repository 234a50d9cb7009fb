// Columns of names and source locations.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { isOldLineIn, ownLineNumber } from '../analysis/answers/compared/old-lines.ts';
import {
  addressInObject,
  displayFile,
  fileName,
  nameInData,
  recordedNameOf,
  routineFile,
  routineLine,
  routineLocation,
  routineName,
  routineObject,
  UNKNOWN_NAME,
} from '../analysis/names/names.ts';
import { namePartsOf } from '../analysis/names/parts.ts';
import { type NameMode, shortName } from '../analysis/names/short.ts';
import { baseName } from '../base/paths.ts';
import type { Style, TableCell } from '../base/style.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit, visible } from '../base/text.ts';
import { dataColumn, displayColumn } from './builders.ts';
import type { Column, ColumnContext } from './column.ts';

export function routineKey({ profile }: Analysis, routine: number) {
  const line = routineLine(profile, routine);
  return {
    routine: nameInData(profile, routine),
    file: routineFile(profile, routine),
    object: routineObject(profile, routine),
    ...(line === undefined ? {} : { line }),
  };
}

const MIN_NAME_WIDTH = 14;

/** The names of a profile on the screen, unless the medium is text. */
interface NameContext {
  readonly analysis: Analysis;
  readonly names: NameMode;
  readonly medium?: 'screen' | 'text';
}

/** A short name. On the screen, an address is told by its object, `git+0x1f100`; text has the recorded name. */
function nameInMedium({ analysis: { profile }, names, medium }: NameContext, routine: number, width: number): string {
  const address = names === 'whole' || medium === 'text' ? undefined : addressInObject(profile, routine);
  return address !== undefined && cellWidth(address) <= width ? address : shortName(profile, routine, width, names);
}

/** A routine's name as a cell, between the texts `before` and `after`, shortened to the width of the cell. */
export function nameCell(
  c: NameContext,
  routine: number,
  { before = '', after = '', style }: { readonly before?: string; readonly after?: string; readonly style?: Style } = {},
): TableCell {
  const { profile } = c.analysis;
  const [left, right] = [cellWidth(before), cellWidth(after)];
  const shortenTo = (width: number) => {
    const nameWidth = Math.max(Math.min(width, MIN_NAME_WIDTH), width - left);
    const name = nameInMedium(c, routine, nameWidth);
    return (
      before +
      (profile.granularity === 'line' ? keepLineNumber(routineName(profile, routine), name, Math.max(1, width - left)) : name)
    );
  };
  return {
    // A getter: the screen seldom needs the full text, and a name may have a million characters.
    get text() {
      return before + routineName(profile, routine) + after;
    },
    short(width) {
      const text = shortenTo(width - right) + after;
      // The cell is wide enough for the name: there is no suffix, enough cells are left, or the name is complete.
      const isWideEnough = () =>
        right === 0 || width - left - right >= MIN_NAME_WIDTH || text === before + routineName(profile, routine) + after;
      if (c.names === 'whole' || (cellWidth(text) <= width && isWideEnough())) return text;
      // Before cutting the name, drop the whole suffix: a suffix may be a number, which must not be cut.
      const nameOnly = shortenTo(width);
      return cellWidth(nameOnly) <= width ? nameOnly : cutEnd(nameOnly, width - 1) + ELLIPSIS;
    },
    ...(before === '' && after === '' ? {} : { own: [before, after] as const }),
    ...(style ? { style } : {}),
  };
}

/** The width of a name before only its last part is used: short names are still recognizable. */
const FULL_NAME_WIDTH = 32;

/** A name after its marks in a box. A cut or numbered name changes with the width, so its last part is preferred, which does not. */
export function nameInBox(cell: TableCell, marks: string, width: number): string {
  const form = (cells: number) => visible(cell.short?.(cells) ?? cell.text);
  const fits = form(width);
  // Addresses are cut at the start, so they keep the digits that tell them apart.
  const told = width >= FULL_NAME_WIDTH ? fits.replaceAll('<…>', '') : fits;
  const isCut = /…|~|\.\.|#\d{1,9}$/.test(told) && !/^…[0-9a-f]+$/.test(fits.slice(marks.length));
  const text = isCut ? marks + lastNamePart(form(Math.max(width, FULL_NAME_WIDTH)).slice(marks.length)) : fits;
  return fit(text, width).trimEnd();
}

/** The last part of a qualified name: `run<T>` for `demo::Loop::run<T>(int)`. */
function lastNamePart(name: string): string {
  const { identifier = '', args = '' } = namePartsOf(name).segments.at(-1) ?? {};
  return (identifier + args).trim() || name;
}

const MAX_PARSED_LENGTH = 4096;

/** Shortens a name that ends with a line, `f a.c:12`, without cutting the line number. */
function keepLineNumber(name: string, short: string, width: number): string {
  // Very long names are not parsed.
  const location = name.length > MAX_PARSED_LENGTH ? null : / [^ ]*(:\d+)$/.exec(name); // bounded: MAX_PARSED_LENGTH
  if (!location || (short.includes(location[1]) && cellWidth(short) <= width)) return short;
  const { segments, scope } = namePartsOf(name.slice(0, location.index));
  const bare = segments.slice(scope).map((s, k) => (k === 0 ? '' : s.separator) + s.identifier);
  return fit(bare.join('') + location[0], width, 'left', 'place').trimEnd();
}

/** A routine's name in a line of text, shortened to the width in every name mode. */
export const titleName = ({ analysis, names }: NameContext, routine: number, width: number): string =>
  nameInMedium({ analysis, names: names === 'whole' ? 'fit' : names }, routine, Math.max(MIN_NAME_WIDTH, width));

/** Whether the profile names source files; without them, text shows objects instead. */
export const hasFiles = (c: ColumnContext): boolean => c.analysis.profile.files.name.length > 0;

/** The routine's file, or its object in a profile without files; no text in a profile with neither. Routine -1: empty. */
export function fileOrObjectColumn<Row>(c: ColumnContext, routine: (row: Row) => number, own: Partial<Column<Row>>): Column<Row> {
  const { profile } = c.analysis;
  const hasObjects = profile.objects.name.length > 0;
  const text = (row: Row) => {
    const r = routine(row);
    if (r < 0) return '';
    return hasFiles(c) ? routineLocation(profile, r) : baseName(routineObject(profile, r) || UNKNOWN_NAME);
  };
  return {
    ...{ id: 'file', title: hasFiles(c) ? 'file' : 'object', flex: 1, cut: 'start', style: 'dim', ...own },
    ...(hasFiles(c) || hasObjects ? { text } : {}),
  };
}

/** The column of routine names, with the recorded name for machines. */
export const routineColumn = <Row>(c: ColumnContext, routine: (row: Row) => number, own?: Partial<Column<Row>>): Column<Row> =>
  displayColumn('routine', (row) => nameCell(c, routine(row)), {
    ...{ flex: 1, cut: 'middle', ...own },
    value: (row) => routineKey(c.analysis, routine(row)).routine,
  });

/** A line number; `?` if it is 0, unknown. A line that only the base has gets a minus, as in a diff. */
export const lineText = ({ analysis }: Pick<ColumnContext, 'analysis'>, line: number): string =>
  line === 0 ? '?' : `${isOldLineIn(analysis, line) ? '-' : ''}${ownLineNumber(analysis, line)}`;

export function fileColumn<Row>(c: ColumnContext, file: (row: Row) => number): Column<Row> {
  const name = (row: Row) => fileName(c.analysis.profile, file(row));
  return displayColumn('file', (row) => displayFile(c.analysis.profile, file(row)), { cut: 'start', flex: 1, value: name });
}

/** The mark after the name of an inlined function. */
export const inlinedMark = (inlined: boolean | number | undefined) => (inlined ? ' (inl)' : '');

/** For machines: the name in the file, of routines with another displayed name. No column if there are none. */
export function recordedNameColumn<Row>({ analysis: { profile } }: ColumnContext, routine: (row: Row) => number): Column<Row>[] {
  if (!profile.routines.recorded) return [];
  return [dataColumn('recordedName', (row) => recordedNameOf(profile, routine(row)), { optional: true })];
}

/** For machines: the line that tells routines with equal names apart. No column if all names are different. */
export const namesakeColumn = <Row>({ analysis: { profile } }: ColumnContext, routine: (row: Row) => number): Column<Row>[] =>
  profile.routines.line ? [dataColumn('line', (row) => routineLine(profile, routine(row)), { optional: true })] : [];
