// The lines report: self cost by source line.
import { linesOfRoutine } from '../analysis/lines.ts';
import { costColumns, lineColumn, textColumn } from './cells.ts';
import { costsByName, fileOrNull, type Report, type Row, routineKey } from './report.ts';
import { routineMatches, sortedRoutines } from './routines.ts';

export const lines: Report = {
  name: 'lines',
  title: 'self cost by source line, routine by routine',
  requires: ['lines'],
  sorts: ['self', 'inclusive', 'calls', 'routine', 'file', 'object'],
  *rows(context) {
    const { analysis, routine } = context;
    let left = context.limit;
    const order = routine === undefined ? sortedRoutines(context) : [routine];
    for (const r of order) {
      if (!routineMatches(context, r)) continue;
      const merged = linesOfRoutine(analysis, r);
      for (let i = 0; i < merged.line.length; i++) {
        if (left-- <= 0) return;
        const row: Row = {
          routine: routineKey(analysis, r).routine,
          file: fileOrNull(analysis, merged.file[i]!),
          line: merged.line[i]!,
          self: costsByName(analysis.events, merged.costs, i),
        };
        yield row;
      }
    }
  },
  columns: (context) => [
    ...costColumns(context, 'self', 'self'),
    lineColumn,
    textColumn('routine', 'routine', 'middle'),
    textColumn('file', 'file', 'start'),
  ],
};
