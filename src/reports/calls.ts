// The calls report: true edges, a row per caller, callee and line.

import type { Analysis } from '../analysis/answers/analysis.ts';
import { numberIn } from '../analysis/answers/compared/old-lines.ts';
import type { CallSites } from '../analysis/answers/costing.ts';
import { mergeAddresses } from '../analysis/answers/merged-sites.ts';
import { orderByNumber } from '../analysis/answers/order.ts';
import { memo } from '../base/memo.ts';
import { formatAddress } from '../base/units.ts';
import { data } from '../columns/builders.ts';
import type { Column, ColumnContext, Table } from '../columns/column.ts';
import { stateColumn } from '../columns/compared.ts';
import { sidesAt } from '../columns/costs.ts';
import { edgeColumns } from '../columns/edges.ts';
import { fileColumn, hasFiles, lineText } from '../columns/names.ts';
import type { Kind } from '../model/profile.ts';
import { report } from './print.ts';
import { orderOf, type ReportContext, routineMatches } from './report.ts';

const sitesAround = memo((analysis: Analysis, routine: number | undefined) => {
  const sites = analysis.costing.callSites(routine === undefined ? 'all' : { around: routine });
  return sites && mergeAddresses(sites);
});
const sitesOf = ({ analysis, routine }: ReportContext) => sitesAround(analysis, routine);

/** Rows are numbers of sites. */
function callTable(sites: CallSites): Table<number> {
  return {
    keys: ['caller', 'callee', 'file', 'line', 'address', 'count', 'inclusive'],
    sides: (_, i) => sidesAt(sites.sides, i),
    columns(c) {
      const { costs, ends, inlined, estimated, sorts } = edgeColumns<number>(c, sites, (i) => i);
      const state = stateColumn<number>(c, (i) => sidesAt(sites.sides, i));
      return [...costs, ...state, ...ends, ...placeColumns(c, sites), ...inlined, ...estimated, ...sorts];
    },
  };
}

function placeColumns(c: ColumnContext, sites: CallSites): Column<number>[] {
  const files = hasFiles(c);
  const file = fileColumn<number>(c, (i) => sites.file[i]);
  const { high, low, spread } = sites;
  return [
    data('line', (i) => numberIn(c.analysis, sites.line[i]), {
      align: 'right',
      order: (descending, among) => orderByNumber(sites.line, descending, among),
      text: files ? (i) => lineText(c, sites.line[i]) : undefined,
    }),
    { ...file, text: files ? file.text : undefined },
    data('address', (i) => (high && low && !spread?.[i] ? formatAddress(high[i], low[i]) : undefined), {
      optional: high !== undefined,
    }),
  ];
}

export const calls = report<number, Kind>({
  name: 'calls',
  title: 'recorded calls: one row per caller, callee and line',
  asks: ['calls'],
  columns: ['recorded'],
  sorts: ['inclusive', 'count', 'line', 'EVENT'],
  table(context) {
    const sites = sitesOf(context);
    return sites ? callTable(sites) : { columns: () => [] };
  },
  *rows(context) {
    const sites = sitesOf(context);
    if (!sites) return;
    for (const i of orderOf(context, callTable(sites).columns(context), 'inclusive', sites.caller.length, (i) => i))
      if (routineMatches(context, sites.caller[i]) || routineMatches(context, sites.callee[i])) yield i;
  },
});
