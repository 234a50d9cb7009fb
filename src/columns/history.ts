// The columns of the kept builds of a tree, and of the courses of steps and targets over them.
import { changeMs, type HistoryRow, type HistoryTable, historyOf, originOf } from '../analysis/steps/history.ts';
import { sparkText } from '../base/plot.ts';
import { formatCount } from '../base/units.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import { time } from './times.ts';

type Context = ColumnContext<'steps'>;

const right = { align: 'right' } as const;
/** Builds that a sparkline shows, the newest. */
const SHOWN = 30;

const msOf = (ms: number) => (Number.isNaN(ms) ? null : ms);

function timeColumn(c: Context, id: string, title: string, rank: number, ms: (row: HistoryRow) => number): Column<HistoryRow> {
  const text = (value: number) => (Number.isNaN(value) ? '' : onScreen(c, time(value * 1000), formatCount(Math.round(value))));
  return {
    ...right,
    id: `${id}Ms`,
    also: id,
    title: onScreen(c, title, `${title} ms`),
    width: 8,
    rank,
    value: (row) => msOf(ms(row)),
    text: (row) => text(ms(row)),
    key: (row) => ms(row) || 0,
  };
}

function changeColumns(c: Context): Column<HistoryRow>[] {
  const history = historyOf(c.analysis.profile);
  const share = (row: HistoryRow) => (row.change ? (changeMs(row) / row.change.before) * 100 : Number.NaN);
  const text = (row: HistoryRow) => (row.change ? `${share(row) > 0 ? '+' : ''}${share(row).toFixed(0)}%` : '');
  return [
    {
      ...right,
      id: 'changePercent',
      also: 'change',
      title: 'change',
      width: 7,
      rank: 8,
      value: (row) => msOf(share(row)),
      text: (row) => ({ text: text(row), style: share(row) > 0 ? 'hot' : 'call' }),
      key: changeMs,
    },
    {
      id: 'since',
      title: 'since',
      width: onScreen(c, 17, 40),
      rank: 7,
      value: (row) => (row.change ? originOf(history, row.change.build) : null),
      text: (row) => (row.change ? originOf(history, row.change.build) : ''),
      key: (row) => row.change?.build ?? -1,
    },
  ];
}

function courseColumn(c: Context): Column<HistoryRow> {
  return {
    id: 'course',
    title: 'course',
    width: Math.min(SHOWN, c.width < 100 ? 10 : SHOWN),
    rank: 6,
    value: (row) => row.ms.map(msOf),
    text: (row) => sparkText(row.ms.slice(-Math.min(SHOWN, c.width < 100 ? 10 : SHOWN))),
  };
}

function buildColumns(c: Context): Column<HistoryRow>[] {
  const about = (row: HistoryRow) => row.build?.about;
  const word = (
    id: string,
    width: number,
    rank: number,
    of: (row: HistoryRow) => string | undefined,
    shown = of,
  ): Column<HistoryRow> => ({
    ...{ id, title: id, width, rank },
    value: (row) => of(row) ?? null,
    text: (row) => shown(row) ?? '',
    key: (row) => of(row) ?? '',
  });
  const count = (id: string, rank: number, of: (row: HistoryRow) => number | undefined): Column<HistoryRow> => ({
    ...right,
    ...{ id, title: id, width: Math.max(6, id.length), rank },
    value: (row) => of(row) ?? null,
    text: (row) => formatCount(of(row) ?? Number.NaN),
    key: (row) => of(row) ?? 0,
  });
  const hits = (row: HistoryRow) => {
    const cache = about(row)?.cache;
    return cache && `${cache.hits} of ${cache.hits + cache.misses}`;
  };
  return [
    word('what', 9, 4, (row) => about(row)?.what),
    timeColumn(c, 'duration', 'time', 9, (row) => about(row)?.durationMs ?? Number.NaN),
    timeColumn(c, 'work', 'work', 7, (row) => about(row)?.workMs ?? Number.NaN),
    count('steps', 6, (row) => about(row)?.jobs ?? about(row)?.steps),
    count('failed', 6, (row) => about(row)?.failures ?? (about(row)?.failed === false ? 0 : undefined)),
    word('cache', 10, 3, hits),
    word(
      'git',
      10,
      5,
      (row) => about(row)?.git,
      (row) => about(row)?.git?.slice(0, 10),
    ),
    word('job', 8, 3, (row) => about(row)?.job),
    ...changeColumns(c).slice(0, 1),
    { id: 'path', title: 'path', value: (row) => row.build?.path ?? null },
  ];
}

export function historyTable(table: HistoryTable): Table<HistoryRow, 'steps'> {
  return {
    keys: 'name durationMs lastMs medianMs runs changePercent since course'.split(' '),
    columns: (c) => [
      ...(table === 'builds'
        ? []
        : [
            timeColumn(c, 'last', 'last', 9, (row) => row.lastMs),
            ...changeColumns(c),
            courseColumn(c),
            timeColumn(c, 'median', 'median', 5, (row) => row.medianMs),
            {
              ...right,
              ...{ id: 'runs', title: 'runs', width: 5, rank: 4 },
              value: (row: HistoryRow) => row.runs,
              text: (row: HistoryRow) => formatCount(row.runs),
              key: (row: HistoryRow) => row.runs,
            },
          ]),
      ...(table === 'builds' ? [nameColumn(table), ...buildColumns(c)] : [nameColumn(table)]),
    ],
  };
}

const nameColumn = (table: HistoryTable): Column<HistoryRow> => ({
  id: 'name',
  title: table === 'builds' ? 'build (UTC)' : table.replace(/s$/, ''),
  width: 16,
  ...(table === 'builds' ? {} : { flex: 1 }),
  cut: 'middle',
  rank: 9,
  value: (row) => row.name,
  text: (row) => row.name,
  key: (row) => row.name,
});
