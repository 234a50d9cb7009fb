// The calls report: recorded edges, one row per caller, callee and line.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { ownLineNumber } from '../analysis/answers/compared/old-lines.ts';
import type { CallSites } from '../analysis/answers/costing.ts';
import { mergeAddresses } from '../analysis/answers/line-calls.ts';
import { orderByNumber } from '../analysis/answers/order.ts';
import { memo } from '../base/lists.ts';
import { formatAddress } from '../base/units.ts';
import { dataColumn } from '../columns/builders.ts';
import type { Column, ColumnContext, TableColumns } from '../columns/column.ts';
import { rowSidesAt } from '../columns/costs.ts';
import { edgeColumns } from '../columns/edges.ts';
import { fileColumn, hasFiles, lineText } from '../columns/names.ts';
import type { Kind } from '../model/profile.ts';
import { makeReport } from './print.ts';
import { routineMatches, sortedOrder } from './report.ts';

const callSitesOf = memo((analysis: Analysis, routine: number | undefined) => {
  const sites = analysis.costing.callSites(routine === undefined ? 'all' : { around: routine });
  return sites && mergeAddresses(sites);
});

/** The table of call sites. A row is the index of a call site. */
function callTable(sites: CallSites): TableColumns<number> {
  return {
    keys: ['caller', 'callee', 'file', 'line', 'address', 'count', 'inclusive'],
    sides: (_, i) => rowSidesAt(sites.sides, i),
    columns(c) {
      const { costs, ends, inlined, estimated, sorts } = edgeColumns<number>(c, sites, (i) => i);
      return [...costs, ...ends, ...locationColumns(c, sites), ...inlined, ...estimated, ...sorts];
    },
  };
}

function locationColumns(c: ColumnContext, sites: CallSites): Column<number>[] {
  const files = hasFiles(c);
  const file = fileColumn<number>(c, (i) => sites.file[i]);
  const { high, low, spread } = sites;
  return [
    dataColumn('line', (i) => ownLineNumber(c.analysis, sites.line[i]), {
      align: 'right',
      order: (descending, among) => orderByNumber(sites.line, descending, among),
      text: files ? (i) => lineText(c, sites.line[i]) : undefined,
    }),
    { ...file, text: files ? file.text : undefined },
    dataColumn('address', (i) => (high && low && !spread?.[i] ? formatAddress(high[i], low[i]) : undefined), {
      optional: high !== undefined,
    }),
  ];
}

export const calls = makeReport<number, Kind>({
  name: 'calls',
  title: 'recorded calls: one row per caller, callee and line',
  requires: ['calls'],
  columns: ['recorded', 'perCall'],
  summed: 'inclusive',
  sorts: ['inclusive', 'count', 'perCall', 'line', 'EVENT'],
  table({ analysis, routine }) {
    const sites = callSitesOf(analysis, routine);
    return sites ? callTable(sites) : { columns: () => [] };
  },
  *rows(context) {
    const sites = callSitesOf(context.analysis, context.routine);
    if (!sites) return;
    for (const i of sortedOrder(context, callTable(sites).columns(context), 'inclusive', sites.caller.length, (i) => i))
      if (routineMatches(context, sites.caller[i]) || routineMatches(context, sites.callee[i])) yield i;
  },
});
