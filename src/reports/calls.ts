// The calls report: true edges, a row per caller, callee and line.

import { type Analysis, splitsCosts } from '../analysis/answers/analysis.ts';
import { shownCounts } from '../analysis/answers/compared/measure.ts';
import { numberIn } from '../analysis/answers/compared/old-lines.ts';
import type { CallSites } from '../analysis/answers/costing.ts';
import { mergeAddresses } from '../analysis/answers/merged-sites.ts';
import { magnitudes, orderByNumber } from '../analysis/answers/order.ts';
import { memo } from '../base/memo.ts';
import { formatAddress } from '../base/units.ts';
import { data, shown } from '../columns/builders.ts';
import type { Column, ColumnContext, Table } from '../columns/column.ts';
import { callsTitle, countText, stateColumn } from '../columns/compared.ts';
import {
  costCell,
  costRoom,
  costsByName,
  countAt,
  estimatedColumn,
  recordedColumn,
  shareCell,
  shareColumn,
  sidesAt,
} from '../columns/costs.ts';
import { fileColumn, hasFiles, inlinedColumn, inlinedMark, lineText, nameCell, routineKey } from '../columns/names.ts';
import { eventColumn, eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
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
    columns: (c) => [
      ...costColumns(c, sites),
      ...stateColumn<number>(c, (i) => sidesAt(sites.sides, i)),
      ...placeColumns(c, sites),
      ...eventColumns(c, sites),
    ],
  };
}

function orderBy(sites: CallSites, event: Event): NonNullable<Column<number>['order']> {
  return (descending, among) =>
    orderByNumber(magnitudes(eventColumn(event, sites.costs, sites.caller.length)), descending, among);
}

function costColumns(c: ColumnContext, sites: CallSites): Column<number>[] {
  const counts = c.analysis.costing.can.has('counts');
  const splits = splitsCosts(c.analysis);
  const guessed = (i: number) => sites.estimated?.[i] === 1;
  return [
    shown('inclusive', (i) => costCell(c, sites.costs, i, guessed(i)), {
      ...costRoom(c, 'inclusive'),
      measured: true,
      order: orderBy(sites, c.event),
      value: (i) => costsByName(c.analysis.events, sites.costs, i, guessed(i)),
    }),
    ...shareColumn<number>(c, '%', (i) => shareCell(c, eventValue(c.event, sites.costs, i))),
    ...recordedColumn<number>(c, sites.recorded, (i) => i, sites.costs),
    {
      id: 'count',
      title: callsTitle(c),
      align: 'right',
      // Samples do not record call counts.
      measured: true,
      value: (i) => (counts ? countAt(c, sites.count, sites.costs, i) : null),
      text: counts ? (i) => countText(c, sites.count[i], sites.costs.at(-1)?.[i] ?? 0, splits && guessed(i)) : undefined,
      order: (descending, among) =>
        orderByNumber(magnitudes(shownCounts(c.analysis, c.event.measure, sites.count, sites.costs)), descending, among),
    },
  ];
}

function placeColumns(c: ColumnContext, sites: CallSites): Column<number>[] {
  const routine = (id: 'caller' | 'callee'): Column<number> => ({
    id,
    title: id,
    flex: 1,
    cut: c.analysis.profile.grain === 'line' ? 'place' : 'middle',
    value: (i) => routineKey(c.analysis, sites[id][i]),
    text: (i) => nameCell(c, sites[id][i], { after: id === 'callee' ? inlinedMark(sites.inlined?.[i]) : '' }),
  });
  const files = hasFiles(c);
  const file = fileColumn<number>(c, (i) => sites.file[i]);
  const { high, low, spread } = sites;
  return [
    routine('caller'),
    routine('callee'),
    data('line', (i) => numberIn(c.analysis, sites.line[i]), {
      align: 'right',
      order: (descending, among) => orderByNumber(sites.line, descending, among),
      text: files ? (i) => lineText(c, sites.line[i]) : undefined,
    }),
    { ...file, text: files ? file.text : undefined },
    data('address', (i) => (high && low && !spread?.[i] ? formatAddress(high[i], low[i]) : undefined), {
      optional: high !== undefined,
    }),
    ...inlinedColumn<number>(sites.inlined !== undefined, (i) => sites.inlined?.[i]),
    ...estimatedColumn<number>(sites.estimated !== undefined, (i) => sites.estimated?.[i] === 1),
  ];
}

/** Names for --sort: the cost in another event. */
function eventColumns(c: ColumnContext, sites: CallSites): Column<number>[] {
  return c.analysis.events.map((e) => ({ id: e.name, title: e.name, order: orderBy(sites, e) }));
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
