// The calls report: true edges, a row per call site.
import { callSitesAround } from '../analysis/call-sites.ts';
import { orderByNumber } from '../analysis/order.ts';
import { formatAddress } from '../base/units.ts';
import { eventColumn } from '../model/event-value.ts';
import { hasCounts } from '../model/profile.ts';
import { costColumns, lineColumn, numberColumn, textColumn } from './cells.ts';
import { costsByName, fileOrNull, type Report, ReportError, type Row, routineKey } from './report.ts';
import { routineMatches } from './routines.ts';

export const calls: Report = {
  name: 'calls',
  title: 'the true edges of the call graph, a row per call site',
  requires: ['calls'],
  sorts: ['inclusive', 'count', 'line'],
  *rows(context) {
    const { analysis, event, routine, sort } = context;
    const sites = callSitesAround(analysis, routine);
    const n = sites.caller.length;
    const column = sort?.column ?? 'inclusive';
    const other = analysis.events.find((e) => e.name === column);
    if (!other && !calls.sorts.includes(column))
      throw new ReportError(`--sort ${column}: no such column; there are ${calls.sorts.join(', ')}`);
    const key = column === 'count' ? sites.count : column === 'line' ? sites.line : eventColumn(other ?? event, sites.costs, n);
    let left = context.limit;
    for (const i of orderByNumber(key, sort?.descending ?? true)) {
      if (left <= 0) return;
      if (!routineMatches(context, sites.caller[i]) && !routineMatches(context, sites.callee[i])) continue;
      left--;
      const row: Row = {
        caller: routineKey(analysis, sites.caller[i]),
        callee: routineKey(analysis, sites.callee[i]),
        file: fileOrNull(analysis, sites.file[i]),
        line: sites.line[i],
        ...(sites.low ? { address: formatAddress(sites.high![i], sites.low[i]) } : {}),
        // Samples do not say how often.
        count: hasCounts(analysis.profile) ? sites.count[i] : null,
        inclusive: costsByName(analysis.events, sites.costs, i),
      };
      yield row;
    }
  },
  columns: (context) => [
    ...costColumns(context, 'inclusive', 'inclusive'),
    ...(hasCounts(context.analysis.profile) ? [numberColumn('count', 'calls')] : []),
    { title: 'caller', align: 'left', flex: 'middle', cell: (row) => (row['caller'] as { routine: string }).routine || '???' },
    { title: 'callee', align: 'left', flex: 'middle', cell: (row) => (row['callee'] as { routine: string }).routine || '???' },
    ...(context.analysis.profile.files.name.length > 0 ? [lineColumn, textColumn('file', 'file', 'start')] : []),
  ],
};
