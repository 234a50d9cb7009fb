// The columns of source lines: one row for each line and routine with code in it.

import type { AllLines, LineCosts } from '../analysis/answers/all-lines.ts';
import { isOldIn, numberIn } from '../analysis/answers/compared/old-lines.ts';
import { orderByNumber, orderBySorted, orderByString } from '../analysis/answers/order.ts';
import { fileName, routineFile, routineName, routineObject, stringOf } from '../analysis/names/names.ts';
import { memo } from '../base/memo.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Profile } from '../model/profile.ts';
import { shown } from './builders.ts';
import type { Column, ColumnContext, Table } from './column.ts';
import {
  costCell,
  costRoom,
  costsByName,
  estimatedColumn,
  eventColumns,
  isNarrow,
  markRoom,
  orderOf,
  shareCell,
  shareColumn,
  sidesAt,
} from './costs.ts';
import { fileColumn, lineText, nameCell, routineKey } from './names.ts';
import { changeColumns } from './routine-changes.ts';
import { nameSort } from './routines.ts';

export interface LineRow {
  readonly routine: number;
  readonly lines: LineCosts;
  /** Row of `lines`. */
  readonly at: number;
}

/** The texts that the filter looks at: those of the routine, and the file of the line, which may be another one. */
export const lineTexts = (profile: Profile, { routine, lines, at }: LineRow): readonly string[] => [
  routineName(profile, routine),
  routineFile(profile, routine) ?? '',
  routineObject(profile, routine) ?? '',
  fileName(profile, lines.file[at]) ?? '',
];

/** `all`: the rows, where they are those of the whole program and can be sorted. */
export function lineTable(all?: AllLines): Table<LineRow> {
  return {
    keys: ['routine', 'file', 'line', 'self'],
    sides: (_, r) => sidesAt(r.lines.sides, r.at),
    columns: (c) => [...costColumns(c, all), ...placeColumns(c, all)],
  };
}

function costColumns(c: ColumnContext, all: AllLines | undefined): Column<LineRow>[] {
  const { events, totals } = c.analysis;
  const guessed = ({ lines, at }: LineRow) => lines.estimated?.[at] === 1;
  const order = (event: Event) => all && orderOf(event, all.costs, all.line.length);
  const cell = (event: Event, r: LineRow) => costCell(c, r.lines.costs, r.at, guessed(r), event);
  const hidden = events.filter((event) => !c.extraEvents.includes(event));
  return [
    shown('self', (r) => cell(c.event, r), {
      ...costRoom(c, 'self', c.event, markRoom(c, 'self')),
      rank: 9,
      measured: true,
      value: (r) => costsByName(events, r.lines.costs, r.at, guessed(r)),
      ...sortedOn(order(c.event)),
    }),
    ...shareColumn<LineRow>(c, '%', (r) => shareCell(c, eventValue(c.event, r.lines.costs, r.at)), { rank: 7 }),
    ...changeColumns<LineRow>(c, {
      value: (event, r) => exactValue(event, r.lines.costs, r.at),
      guessed,
      sides: (r) => sidesAt(r.lines.sides, r.at),
      order,
    }),
    ...eventColumns(c, cell, (event) => sortedOn(order(event))),
    // A name for --sort.
    ...(all ? hidden : []).map((event): Column<LineRow> => ({ id: event.name, title: event.name, ...sortedOn(order(event)) })),
    ...estimatedColumn(totals.estimated?.self.includes(1) === true, guessed),
  ];
}

const sortedOn = (order: Column<LineRow>['order']) => (order ? { order } : {});

/** Cells of the longest line number. */
const widest = memo((all: AllLines, analysis: ColumnContext['analysis']): number => {
  const most = [0, 0];
  for (const line of all.line) {
    const text = isOldIn(analysis, line) ? 1 : 0;
    if (line > most[text]) most[text] = line;
  }
  return Math.max(4, ...most.map((line) => lineText({ analysis }, line).length));
}, 2);

function placeColumns(c: ColumnContext, all: AllLines | undefined): Column<LineRow>[] {
  const { profile } = c.analysis;
  const { name } = profile.routines;
  const byName: Column<LineRow>['order'] =
    all &&
    ((descending, among) =>
      orderBySorted(nameSort(c.analysis), (at) => name[all.routine[at]], all.routine.length, descending, among));
  /** The lines of a file are in their own order. */
  const byFile: Column<LineRow>['order'] =
    all &&
    ((descending, among) =>
      orderByString(
        profile.strings,
        (at) => stringOf(profile.files, all.file[at]),
        all.file.length,
        descending,
        orderByNumber(all.line, false, among),
      ));
  return [
    shown('line', (r) => lineText(c, r.lines.line[r.at]), {
      align: 'right',
      rank: 9,
      ...(all ? { width: widest(all, c.analysis) } : {}),
      value: (r) => numberIn(c.analysis, r.lines.line[r.at]),
    }),
    shown('routine', (r) => nameCell(c, r.routine), {
      width: isNarrow(c) ? 14 : 24,
      flex: 1,
      cut: 'middle',
      rank: 9,
      ascends: true,
      ...sortedOn(byName),
      value: (r) => routineKey(c.analysis, r.routine).routine,
    }),
    { ...fileColumn<LineRow>(c, (r) => r.lines.file[r.at]), width: 12, rank: 8, ascends: true, ...sortedOn(byFile) },
  ];
}
