// The lines report: self cost by source line.

import { percentageBase } from '../analysis/answers/analysis.ts';
import { eventInMeasure } from '../analysis/answers/compared/measure.ts';
import { isOldLineIn, ownLineNumber } from '../analysis/answers/compared/old-lines.ts';
import { fileName, routineName } from '../analysis/names/names.ts';
import { formatCost, formatPercent } from '../base/units.ts';
import { filterTextsOfLine, type LineRow, lineTable } from '../columns/lines.ts';
import { type Event, eventValue, exactValue } from '../model/head.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { conditionTest, type ReportContext } from './report.ts';
import { ROUTINE_SORTS, sortedRoutines } from './routines.ts';

const lineReportTable = lineTable();

function* lineRows(context: ReportContext): Generator<LineRow> {
  const { analysis, filtered, matches } = context;
  // Called even with --routine, because sorting also rejects an unknown --sort column.
  const order = sortedRoutines(context);
  const test = conditionTest(context, () => lineReportTable);
  for (const routine of context.routine === undefined ? order : [context.routine]) {
    const lines = analysis.costing.lines({ routine });
    let isKept = true;
    for (let at = 0; at < lines.line.length; at++) {
      const row = { routine, lines, at };
      // Lines of one file are adjacent and share their filter texts, so the filter runs once per file.
      if (filtered && (at === 0 || lines.file[at] !== lines.file[at - 1]))
        isKept = matches(...filterTextsOfLine(analysis.profile, row));
      if (isKept && test(row)) yield row;
    }
  }
}

/** The most expensive lines of the whole profile. */
function costliestLines({ sort, limit }: ReportContext, by: Event, rows: Iterable<LineRow>): LineRow[] {
  const sign = sort?.descending === false ? -1 : 1;
  const best: { row: LineRow; value: number }[] = [];
  const dropCheapest = () => best.sort((a, b) => b.value - a.value).splice(limit);
  for (const row of rows) {
    best.push({ row, value: sign * Math.abs(eventValue(by, row.lines.costs, row.at)) });
    if (best.length > 8 * limit + 20_000) dropCheapest();
  }
  dropCheapest();
  return best.map((b) => b.row);
}

/** The event that lines are sorted by; undefined if --sort names a routine column. */
function sortEvent({ analysis, event, sort }: ReportContext): Event | undefined {
  if (!sort || sort.column === 'self') return event;
  const sortedEvent = analysis.events.find(({ name }) => name === sort.column);
  return sortedEvent && eventInMeasure(analysis, sortedEvent, event.measure ?? 'now');
}

export const lines = makeReport<LineRow, Kind>({
  name: 'lines',
  title: 'self cost by source line: routine by routine, or the most expensive with --limit',
  requires: ['lines'],
  sorts: ROUTINE_SORTS,
  columns: ['events'],
  summed: 'self',
  table: () => lineReportTable,
  quickfix(row, context) {
    const { analysis, event } = context;
    const { profile } = analysis;
    const [line, file] = [ownLineNumber(analysis, row.lines.line[row.at]), fileName(profile, row.lines.file[row.at])];
    // Lines that exist only in the base have no location in this run.
    if (file === null || line === null || line === 0 || isOldLineIn(analysis, row.lines.line[row.at])) return undefined;
    const found = context.source(file);
    const value = eventValue(event, row.lines.costs, row.at);
    const share = event.per ? '' : ` ${formatPercent(value, percentageBase(analysis, event))}`;
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
    const rows = lineRows(context);
    const by = sortEvent(context);
    // The lines of one routine are in file order, unless --sort names a cost.
    if (routine !== undefined) return sort && by ? costliestLines(context, by, rows) : rows;
    return limit === Number.POSITIVE_INFINITY || !by ? rows : costliestLines(context, by, rows);
  },
});
