// The columns of source lines: one row per line and routine.

import type { AllLines, LineCosts } from '../analysis/answers/all-lines.ts';
import { isOldLineIn, ownLineNumber } from '../analysis/answers/compared/old-lines.ts';
import { orderByNumber, orderByString } from '../analysis/answers/order.ts';
import { fileName, nameIdOf, routineFile, routineName, routineObject } from '../analysis/names/names.ts';
import { memo } from '../base/lists.ts';
import { type Event, eventValue, exactValue } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { displayColumn, flagColumn } from './builders.ts';
import type { Column, ColumnContext, TableColumns } from './column.ts';
import {
  costCell,
  costColumn,
  costsByName,
  extraEventColumns,
  isNarrow,
  makeEventOrder,
  rowSidesAt,
  shareCell,
  shareColumn,
} from './costs.ts';
import { fileColumn, lineText, routineColumn } from './names.ts';
import { changeColumns } from './routine-changes.ts';
import { nameSort } from './routines.ts';

export interface LineRow {
  readonly routine: number;
  readonly lines: LineCosts;
  /** Row index in `lines`. */
  readonly at: number;
}

/** The texts that the filter searches: name, file and object of the routine, and the file of the line. */
export const filterTextsOfLine = (profile: Profile, { routine, lines, at }: LineRow): readonly string[] => [
  routineName(profile, routine),
  routineFile(profile, routine) ?? '',
  routineObject(profile, routine) ?? '',
  fileName(profile, lines.file[at]) ?? '',
];

/** `all`: the lines of the whole program, which can be sorted; absent for other lists of lines. */
export function lineTable(all?: AllLines): TableColumns<LineRow> {
  return {
    keys: ['routine', 'file', 'line', 'self'],
    sides: (_, r) => rowSidesAt(r.lines.sides, r.at),
    columns: (c) => [...costColumns(c, all), ...locationColumns(c, all)],
  };
}

function costColumns(c: ColumnContext, all: AllLines | undefined): Column<LineRow>[] {
  const { events, totals } = c.analysis;
  const isEstimated = ({ lines, at }: LineRow) => lines.estimated?.[at] === 1;
  const order = (event: Event) => all && makeEventOrder(event, all.costs, all.line.length);
  const cell = (event: Event, r: LineRow) => costCell(c, r.lines.costs, r.at, isEstimated(r), event);
  const hidden = events.filter((event) => !c.extraEvents.includes(event));
  return [
    costColumn<LineRow>(c, 'self', 'self', (r) => costsByName(events, r.lines.costs, r.at, isEstimated(r)), {
      ...{ rank: 9, text: (r) => cell(c.event, r), order: order(c.event) },
    }),
    ...shareColumn<LineRow>(c, '%', (r) => shareCell(c, eventValue(c.event, r.lines.costs, r.at)), { rank: 7 }),
    ...changeColumns<LineRow>(c, {
      value: (event, r) => exactValue(event, r.lines.costs, r.at),
      isEstimated,
      sides: (r) => rowSidesAt(r.lines.sides, r.at),
      order,
    }),
    ...extraEventColumns(c, cell, (event) => ({ order: order(event) })),
    // Columns only for --sort.
    ...(all ? hidden : []).map((event): Column<LineRow> => ({ id: event.name, title: event.name, order: order(event) })),
    ...flagColumn('estimated', totals.selfEstimated?.includes(1) === true, isEstimated),
  ];
}

const lineNumberWidth = memo((all: AllLines, analysis: ColumnContext['analysis']): number => {
  const most = [0, 0];
  for (const line of all.line) {
    const text = isOldLineIn(analysis, line) ? 1 : 0;
    if (line > most[text]) most[text] = line;
  }
  return Math.max(4, ...most.map((line) => lineText({ analysis }, line).length));
}, 2);

function locationColumns(c: ColumnContext, all: AllLines | undefined): Column<LineRow>[] {
  const { profile } = c.analysis;
  const { name } = profile.routines;
  const byName: Column<LineRow>['order'] =
    all &&
    ((descending, among) =>
      orderByString(profile.strings, (at) => name[all.routine[at]], all.routine.length, descending, among, nameSort(c.analysis)));
  /** Sorts by file, then by line number. */
  const byFile: Column<LineRow>['order'] =
    all &&
    ((descending, among) =>
      orderByString(
        profile.strings,
        (at) => nameIdOf(profile.files, all.file[at]),
        all.file.length,
        descending,
        orderByNumber(all.line, false, among),
      ));
  return [
    displayColumn('line', (r) => lineText(c, r.lines.line[r.at]), {
      align: 'right',
      rank: 9,
      ...(all ? { width: lineNumberWidth(all, c.analysis) } : {}),
      value: (r) => ownLineNumber(c.analysis, r.lines.line[r.at]),
    }),
    routineColumn<LineRow>(c, (r) => r.routine, { width: isNarrow(c) ? 14 : 24, rank: 9, ascends: true, order: byName }),
    { ...fileColumn<LineRow>(c, (r) => r.lines.file[r.at]), width: 12, rank: 8, ascends: true, order: byFile },
  ];
}
