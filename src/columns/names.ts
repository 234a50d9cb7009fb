// Columns of names and places.
import type { Analysis } from '../analysis/analysis.ts';
import { fileName, routineFile, routineName, routineObject, shownFile } from '../analysis/names.ts';
import { type NameMode, shortName } from '../analysis/symbols/short.ts';
import type { Cell, Style } from '../base/style.ts';
import { cellWidth, cutEnd, ellipsis } from '../base/text.ts';
import { stringAt } from '../model/strings.ts';
import type { Column, ColumnContext } from './column.ts';

/** A routine in JSON. */
export function routineKey(
  { profile }: Analysis,
  routine: number,
): { readonly routine: string; readonly file: string | null; readonly object: string | null } {
  return {
    // As recorded: pprof writes blank names.
    routine: stringAt(profile.strings, profile.routines.name[routine]),
    file: routineFile(profile, routine),
    object: routineObject(profile, routine),
  };
}

/** Cells that a name gets even where what stands around it leaves less. */
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
  const shortTo = (room: number) => before + shortName(profile, routine, Math.max(Math.min(room, LEAST), room - left), c.names);
  return {
    text: before + routineName(profile, routine) + after,
    short(room) {
      const text = shortTo(room - right) + after;
      if (c.names === 'whole' || (cellWidth(text) <= room && room - left - right >= LEAST)) return text;
      // What stands behind the name goes before the name is cut, and goes whole: it may be a number.
      const alone = shortTo(room);
      return cellWidth(alone) <= room ? alone : cutEnd(alone, room - 1) + ellipsis();
    },
    ...(style ? { style } : {}),
  };
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

/** Line number; 0 is unknown. */
export const lineText = (line: number) => (line === 0 ? '?' : String(line));

export function fileColumn<Row>(c: ColumnContext, file: (row: Row) => number): Column<Row> {
  const name = (row: Row) => fileName(c.analysis.profile, file(row));
  return {
    id: 'file',
    title: 'file',
    cut: 'start',
    flex: 1,
    text: (row) => shownFile(c.analysis.profile, file(row)),
    value: name,
  };
}
