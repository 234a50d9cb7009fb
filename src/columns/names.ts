// Columns of names and places.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { isOldIn, numberIn } from '../analysis/answers/compared/old-lines.ts';
import {
  baseName,
  fileName,
  routineFile,
  routineLine,
  routineName,
  routineObject,
  routinePlace,
  shownFile,
  UNKNOWN,
} from '../analysis/names/names.ts';
import { partsOf } from '../analysis/names/parts.ts';
import { type NameMode, shortName } from '../analysis/names/short.ts';
import type { Cell, Style } from '../base/style.ts';
import { cellWidth, cutEnd, ELLIPSIS, fit } from '../base/text.ts';
import { stringAt } from '../model/strings.ts';
import { shown } from './builders.ts';
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

/** Minimum width of a name. */
const LEAST = 14;

/** A routine's name as a cell, with what stands around it: as short as the room demands. */
export function nameCell(
  c: { readonly analysis: Analysis; readonly names: NameMode },
  routine: number,
  around: { readonly before?: string; readonly after?: string; readonly style?: Style } = {},
): Cell {
  const { before = '', after = '', style } = around;
  const { profile } = c.analysis;
  const [left, right] = [cellWidth(before), cellWidth(after)];
  const shortTo = (room: number) => {
    const own = Math.max(Math.min(room, LEAST), room - left);
    const name = shortName(profile, routine, own, c.names);
    return before + (profile.grain === 'line' ? withPlace(routineName(profile, routine), name, Math.max(1, room - left)) : name);
  };
  return {
    // Seldom asked for on the screen, and a name may have a million characters.
    get text() {
      return before + routineName(profile, routine) + after;
    },
    short(room) {
      const text = shortTo(room - right) + after;
      // A short name needs no more room than it has.
      const roomy = () => right === 0 || room - left - right >= LEAST || text === before + routineName(profile, routine) + after;
      if (c.names === 'whole' || (cellWidth(text) <= room && roomy())) return text;
      // The text behind the name goes before the name is cut, and goes whole: it may be a number.
      const alone = shortTo(room);
      return cellWidth(alone) <= room ? alone : cutEnd(alone, room - 1) + ELLIPSIS;
    },
    ...(before === '' && after === '' ? {} : { own: [before, after] as const }),
    ...(style ? { style } : {}),
  };
}

const MOST_PLACED = 4096;

/** The short name of a line, `f a.c:12`: the number of the line is what it is about, so it stays whatever goes. */
function withPlace(name: string, short: string, room: number): string {
  // A name this long is not taken apart.
  const place = name.length > MOST_PLACED ? null : / [^ ]*(:\d+)$/.exec(name); // bounded: MOST_PLACED
  if (!place || (short.includes(place[1]) && cellWidth(short) <= room)) return short;
  const { segments, scope } = partsOf(name.slice(0, place.index));
  const bare = segments.slice(scope).map((s, k) => (k === 0 ? '' : s.separator) + s.identifier);
  return fit(bare.join('') + place[0], room, 'left', 'place').trimEnd();
}

/** A routine's name in a line of text: never whole if there is no room. */
export function titleName(
  { analysis, names }: { readonly analysis: Analysis; readonly names: NameMode },
  routine: number,
  room: number,
): string {
  return shortName(analysis.profile, routine, Math.max(LEAST, room), names === 'whole' ? 'fit' : names);
}

/** True if the profile names source files; text shows objects in their place if it does not. */
export function hasFiles(c: ColumnContext): boolean {
  return c.analysis.profile.files.name.length > 0;
}

/** On the screen, where a routine is: its file, or its object in a profile without files; no text in one without either. -1: no routine. */
export function placeColumn<Row>(c: ColumnContext, routine: (row: Row) => number, own: Partial<Column<Row>>): Column<Row> {
  const { profile } = c.analysis;
  const hasObjects = profile.objects.name.length > 0;
  const text = (row: Row) => {
    const r = routine(row);
    if (r < 0) return '';
    return hasFiles(c) ? routinePlace(profile, r) : baseName(routineObject(profile, r) || UNKNOWN);
  };
  return {
    ...{ id: 'file', title: hasFiles(c) ? 'file' : 'object', flex: 1, cut: 'start', style: 'dim', ...own },
    ...(hasFiles(c) || hasObjects ? { text } : {}),
  };
}

/** Line number; 0 is unknown. One of the base's text that is gone has a minus, as in a diff. */
export const lineText = ({ analysis }: Pick<ColumnContext, 'analysis'>, line: number): string =>
  line === 0 ? '?' : `${isOldIn(analysis, line) ? '-' : ''}${numberIn(analysis, line)}`;

export function fileColumn<Row>(c: ColumnContext, file: (row: Row) => number): Column<Row> {
  const name = (row: Row) => fileName(c.analysis.profile, file(row));
  return shown('file', (row) => shownFile(c.analysis.profile, file(row)), {
    cut: 'start',
    flex: 1,
    value: name,
  });
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
