// The lines report: self cost by source line.
import { linesOfRoutine, type MergedLines } from '../analysis/lines.ts';
import { eventValue } from '../model/event-value.ts';
import { costColumns, lineColumn, textColumn } from './cells.ts';
import { costsByName, fileOrNull, type Report, type Row, routineKey } from './report.ts';
import { routineMatches, sortedRoutines } from './routines.ts';

export const lines: Report = {
  name: 'lines',
  title: 'self cost by source line: routine by routine, or the most expensive with --limit',
  requires: ['lines'],
  sorts: ['self', 'inclusive', 'calls', 'routine', 'file', 'object'],
  *rows(context) {
    const { analysis, routine, event, sort } = context;
    const order = routine === undefined ? Array.from(sortedRoutines(context)) : [routine];
    const chosen = order.filter((r) => routineMatches(context, r));
    const row = (r: number, merged: MergedLines, i: number): Row => ({
      routine: routineKey(analysis, r).routine,
      file: fileOrNull(analysis, merged.file[i]),
      line: merged.line[i],
      self: costsByName(analysis.events, merged.costs, i),
    });
    let left = context.limit;
    if (left === Number.POSITIVE_INFINITY || (sort && sort.column !== 'self') || routine !== undefined) {
      // All of them: routine by routine, as it comes.
      for (const r of chosen) {
        const merged = linesOfRoutine(analysis, r);
        for (let i = 0; i < merged.line.length; i++) if (left-- > 0) yield row(r, merged, i);
      }
      return;
    }
    // Some of them: the most expensive of the whole profile.
    const best: { r: number; merged: MergedLines; i: number; value: number }[] = [];
    const sign = sort?.descending === false ? -1 : 1;
    for (const r of chosen) {
      const merged = linesOfRoutine(analysis, r);
      for (let i = 0; i < merged.line.length; i++)
        best.push({ r, merged, i, value: sign * Math.abs(eventValue(event, merged.costs, i)) });
      if (best.length > 4 * left + 10_000) best.sort((a, b) => b.value - a.value).splice(left);
    }
    for (const { r, merged, i } of best.sort((a, b) => b.value - a.value).slice(0, left)) yield row(r, merged, i);
  },
  columns: (context) => [
    ...costColumns(context, 'self', 'self'),
    lineColumn,
    textColumn('routine', 'routine', 'middle'),
    textColumn('file', 'file', 'start'),
  ],
};
