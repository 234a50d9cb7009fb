// The lines report: self cost by source line.

import { wholeOf } from '../analysis/answers/analysis.ts';
import { measured } from '../analysis/answers/compared/measure.ts';
import { isOldIn, numberIn } from '../analysis/answers/compared/old-lines.ts';
import { fileName, routineName } from '../analysis/names/names.ts';
import { formatCost, formatPercent } from '../base/units.ts';
import { type LineRow, lineTable, lineTexts } from '../columns/lines.ts';
import { eventValue, exactValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import type { ReportContext } from './report.ts';
import { ROUTINE_SORTS, sortedRoutines } from './routines.ts';

const table = lineTable();

function* linesOf(context: ReportContext): Generator<LineRow> {
  const { analysis, filtered, matches } = context;
  // Also refuses a column that there is not.
  const order = sortedRoutines(context);
  for (const routine of context.routine === undefined ? order : [context.routine]) {
    const lines = analysis.costing.lines({ routine });
    let isKept = true;
    for (let at = 0; at < lines.line.length; at++) {
      const row = { routine, lines, at };
      // Lines of a file stand together, and have the same texts.
      if (filtered && (at === 0 || lines.file[at] !== lines.file[at - 1])) isKept = matches(...lineTexts(analysis.profile, row));
      if (isKept) yield row;
    }
  }
}

/** The most expensive lines of the whole profile. */
function mostExpensive({ sort, limit }: ReportContext, by: Event, rows: Iterable<LineRow>): LineRow[] {
  const sign = sort?.descending === false ? -1 : 1;
  const best: { row: LineRow; value: number }[] = [];
  const cut = () => best.sort((a, b) => b.value - a.value).splice(limit);
  for (const row of rows) {
    best.push({ row, value: sign * Math.abs(eventValue(by, row.lines.costs, row.at)) });
    if (best.length > 8 * limit + 20_000) cut();
  }
  cut();
  return best.map((b) => b.row);
}

/** The event that lines are sorted by; undefined where --sort names something of routines. */
function sortEvent({ analysis, event, sort }: ReportContext): Event | undefined {
  if (!sort || sort.column === 'self') return event;
  const named = analysis.events.find(({ name }) => name === sort.column);
  return named && measured(analysis, named, event.measure ?? 'now');
}

export const lines = report<LineRow, Kind>({
  name: 'lines',
  title: 'self cost by source line: routine by routine, or the most expensive with --limit',
  asks: ['lines'],
  sorts: ROUTINE_SORTS,
  columns: ['events'],
  table: () => table,
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
    const { routine, sort, limit, chosen } = context;
    if (chosen?.lines) return chosen.lines;
    const rows = linesOf(context);
    const by = sortEvent(context);
    // The lines of one routine are in the order of the file, unless their cost is asked for.
    if (routine !== undefined) return sort && by ? mostExpensive(context, by, rows) : rows;
    return limit === Number.POSITIVE_INFINITY || !by ? rows : mostExpensive(context, by, rows);
  },
});
