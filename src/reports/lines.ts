// The lines report: self cost by source line.

import { wholeOf } from '../analysis/answers/analysis.ts';
import { isOldIn, numberIn } from '../analysis/answers/compared/old-lines.ts';
import type { MergedLines } from '../analysis/answers/costing.ts';
import { fileName, routineName } from '../analysis/names/names.ts';
import { formatCost, formatPercent } from '../base/units.ts';
import { shown } from '../columns/builders.ts';
import type { Table } from '../columns/column.ts';
import { costCell, costRoom, costsByName, estimatedColumn, shareCell, shareColumn, sidesAt } from '../columns/costs.ts';
import { fileColumn, lineText, nameCell, routineKey } from '../columns/names.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import type { ReportContext } from './report.ts';
import { chosenRoutines, ROUTINE_SORTS } from './routines.ts';

interface LineRow {
  readonly routine: number;
  readonly lines: MergedLines;
  /** Row of `lines`. */
  readonly at: number;
}

const guessed = ({ lines, at }: LineRow) => lines.estimated?.[at] === 1;

const lineTable: Table<LineRow> = {
  keys: ['routine', 'file', 'line', 'self'],
  sides: (_, r) => sidesAt(r.lines.sides, r.at),
  columns: (c) => [
    shown('self', (r) => costCell(c, r.lines.costs, r.at, guessed(r)), {
      ...costRoom(c, 'self'),
      measured: true,
      value: (r) => costsByName(c.analysis.events, r.lines.costs, r.at, guessed(r)),
    }),
    ...shareColumn<LineRow>(c, '%', (r) => shareCell(c, eventValue(c.event, r.lines.costs, r.at))),
    shown('line', (r) => lineText(c, r.lines.line[r.at]), {
      align: 'right',
      value: (r) => numberIn(c.analysis, r.lines.line[r.at]),
    }),
    shown('routine', (r) => nameCell(c, r.routine), {
      flex: 1,
      cut: 'middle',
      value: (r) => routineKey(c.analysis, r.routine).routine,
    }),
    fileColumn(c, (r) => r.lines.file[r.at]),
    ...estimatedColumn(c.analysis.totals.estimated?.self.includes(1) === true, guessed),
  ],
};

function* linesOf({ analysis }: ReportContext, routines: Iterable<number>): Generator<LineRow> {
  for (const routine of routines) {
    const lines = analysis.costing.lines({ routine });
    for (let at = 0; at < lines.line.length; at++) yield { routine, lines, at };
  }
}

/** The most expensive lines of the whole profile. */
function dearest(context: ReportContext, rows: Iterable<LineRow>): LineRow[] {
  const { event, sort, limit } = context;
  const sign = sort?.descending === false ? -1 : 1;
  const best: { row: LineRow; value: number }[] = [];
  const cut = () => best.sort((a, b) => b.value - a.value).splice(limit);
  for (const row of rows) {
    best.push({ row, value: sign * Math.abs(eventValue(event, row.lines.costs, row.at)) });
    if (best.length > 8 * limit + 20_000) cut();
  }
  cut();
  return best.map((b) => b.row);
}

export const lines = report<LineRow, Kind>({
  name: 'lines',
  title: 'self cost by source line: routine by routine, or the most expensive with --limit',
  asks: ['lines'],
  sorts: ROUTINE_SORTS,
  table: () => lineTable,
  quickfix(row, context) {
    const { analysis, event } = context;
    const { profile } = analysis;
    const [line, file] = [numberIn(analysis, row.lines.line[row.at]), fileName(profile, row.lines.file[row.at])];
    // A line of the base is in no file of this run.
    if (file === null || line === null || line === 0 || isOldIn(analysis, row.lines.line[row.at])) return undefined;
    const found = context.source(file);
    const value = eventValue(event, row.lines.costs, row.at);
    const share = event.per ? '' : ` ${formatPercent(value, wholeOf(analysis, event))}`;
    const cost = formatCost(exactValue(event, row.lines.costs, row.at), event.unit);
    return {
      file: typeof found === 'string' ? file : found.path,
      line,
      text: `${cost}${share} ${routineName(profile, row.routine)}`,
    };
  },
  rows(context) {
    const { routine, sort, limit } = context;
    const rows = linesOf(context, chosenRoutines(context));
    // The lines of one routine are in the order of the file, unless their cost is asked for.
    if (routine !== undefined) return sort?.column === 'self' ? dearest(context, rows) : rows;
    const all = limit === Number.POSITIVE_INFINITY || (sort && sort.column !== 'self');
    return all ? rows : dearest(context, rows);
  },
});
