// The calls report: true edges, a row per call site.
import { mergeCalls } from '../analysis/call-sites.ts';
import { orderByNumber } from '../analysis/order.ts';
import { formatAddress } from '../base/units.ts';
import { eventColumn } from '../model/event-value.ts';
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
    const { order, from } = analysis.callsByCaller;
    let rows: ArrayLike<number> = order;
    if (routine !== undefined) {
      const into = analysis.callsByCallee;
      rows = [
        ...into.order.subarray(into.from[routine]!, into.from[routine + 1]!),
        ...Array.from(order.subarray(from[routine]!, from[routine + 1]!)).filter(
          (i) => analysis.profile.calls!.callee[i] !== routine,
        ),
      ];
    }
    const sites = mergeCalls(analysis, rows);
    const n = sites.caller.length;
    const column = sort?.column ?? 'inclusive';
    const other = analysis.events.find((e) => e.name === column);
    if (!other && !calls.sorts.includes(column))
      throw new ReportError(`--sort ${column}: no such column; there are ${calls.sorts.join(', ')}`);
    const key = column === 'count' ? sites.count : column === 'line' ? sites.line : eventColumn(other ?? event, sites.costs, n);
    let left = context.limit;
    for (const i of orderByNumber(key, sort?.descending ?? true)) {
      if (left <= 0) return;
      if (!routineMatches(context, sites.caller[i]!) && !routineMatches(context, sites.callee[i]!)) continue;
      left--;
      const row: Row = {
        caller: routineKey(analysis, sites.caller[i]!),
        callee: routineKey(analysis, sites.callee[i]!),
        file: fileOrNull(analysis, sites.file[i]!),
        line: sites.line[i]!,
        ...(sites.low ? { address: formatAddress(sites.high![i]!, sites.low[i]!) } : {}),
        count: sites.count[i]!,
        inclusive: costsByName(analysis.events, sites.costs, i),
      };
      yield row;
    }
  },
  columns: (context) => [
    ...costColumns(context, 'inclusive', 'inclusive'),
    numberColumn('count', 'calls'),
    { title: 'caller', align: 'left', flex: 'middle', cell: (row) => (row['caller'] as { routine: string }).routine || '???' },
    { title: 'callee', align: 'left', flex: 'middle', cell: (row) => (row['callee'] as { routine: string }).routine || '???' },
    lineColumn,
    textColumn('file', 'file', 'start'),
  ],
};
