// The columns of the kept builds of a tree, and of the courses of steps and targets over them.
import {
  changeMs,
  HISTORIES,
  type HistoryRow,
  type HistoryTable,
  historyOf,
  historyRows,
  openBuild,
  originOf,
} from '../../analysis/builds/history.ts';
import { sparkText } from '../../base/plot.ts';
import { formatCount } from '../../base/units.ts';
import { cacheTotal } from '../../model/steps/history.ts';
import { barColumn, counts, data, known, largest, shown, words } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from '../column.ts';
import type { Listing } from '../listing.ts';
import { time } from '../times.ts';

type Context = ColumnContext<'steps'>;

/** Builds that a sparkline shows, the newest. */
const SHOWN = 30;

function timeColumn(c: Context, id: string, title: string, rank: number, ms: (row: HistoryRow) => number): Column<HistoryRow> {
  const text = (value: number) => (Number.isNaN(value) ? '' : onScreen(c, time(value * 1000), formatCount(Math.round(value))));
  return counts(`${id}Ms`, ms, {
    ...{ also: id, title: onScreen(c, title, `${title} ms`), width: 8, rank, key: (row) => ms(row) || 0 },
    text: (row) => text(ms(row)),
  });
}

function changeColumns(c: Context): Column<HistoryRow>[] {
  const history = historyOf(c.analysis.profile);
  const share = (row: HistoryRow) => (row.change ? (changeMs(row) / row.change.before) * 100 : Number.NaN);
  const text = (row: HistoryRow) => (row.change ? `${share(row) > 0 ? '+' : ''}${share(row).toFixed(0)}%` : '');
  const since = ({ change }: HistoryRow) => (change?.kind === 'step' ? originOf(history, change.build) : undefined);
  return [
    counts('changePercent', share, {
      ...{ also: 'change', title: 'change', width: 7, rank: 8, key: changeMs },
      text: (row) => ({ text: text(row), style: share(row) > 0 ? 'hot' : 'call' }),
    }),
    words('since', since, {
      ...{ width: onScreen(c, 20, 40), rank: 7, key: (row: HistoryRow) => row.change?.build ?? -1 },
      text: (row) => since(row) ?? (row.change ? 'drifts' : ''),
    }),
    data('changeKind', (row) => row.change?.kind ?? null),
  ];
}

/** The mark of the build that is shown, in the heading above its place. */
const OPEN = '●';

function courseColumn(c: Context): Column<HistoryRow> {
  const width = c.width < 100 ? 10 : SHOWN;
  const { builds } = historyOf(c.analysis.profile);
  const at = openBuild(c.analysis) - Math.max(0, builds.length - width);
  const name = 'course';
  const title = at < 0 ? name : `${at < name.length ? ' '.repeat(at) : name.padEnd(at)}${OPEN}`;
  const text = (row: HistoryRow) => sparkText(row.ms.slice(-width));
  return shown('course', text, { title: onScreen(c, title, name), width, rank: 6, value: (row) => row.ms.map(known) });
}

function buildColumns(c: Context): Column<HistoryRow>[] {
  const about = (row: HistoryRow) => row.build?.about;
  // A build that failed without a failed step was interrupted.
  const noEnd = (row: HistoryRow) => (about(row)?.failed === true && about(row)?.failures === 0 ? 'no end' : undefined);
  const count = (
    id: string,
    rank: number,
    of: (row: HistoryRow) => number | undefined,
    instead?: (row: HistoryRow) => string | undefined,
  ) =>
    counts<HistoryRow>(id, (row) => of(row) ?? Number.NaN, {
      ...{ width: Math.max(6, id.length), rank },
      text: (row) => instead?.(row) ?? formatCount(of(row) ?? Number.NaN),
      key: (row) => of(row) ?? 0,
    });
  const duration = (row: HistoryRow) => about(row)?.durationMs ?? Number.NaN;
  const hits = (row: HistoryRow) => {
    const cache = about(row)?.cache;
    return cache && `${cache.hits} of ${cacheTotal(cache)}`;
  };
  return [
    words('what', (row) => about(row)?.what, { width: 9, rank: 4 }),
    timeColumn(c, 'duration', 'time', 9, duration),
    ...barColumn(c, duration, largest(historyRows(c.analysis, 'builds'), duration), { rank: 5 }),
    timeColumn(c, 'idle', 'idle', 3, (row) => about(row)?.idleMs ?? Number.NaN),
    timeColumn(c, 'work', 'work', 7, (row) => about(row)?.workMs ?? Number.NaN),
    count('steps', 6, (row) => about(row)?.jobs ?? about(row)?.steps),
    count('failed', 6, (row) => about(row)?.failures ?? (about(row)?.failed === false ? 0 : undefined), noEnd),
    words('cache', hits, { width: 10, rank: 3 }),
    count('jobs', 4, (row) => about(row)?.parallel),
    words('host', (row) => about(row)?.host, { width: 10, rank: 2 }),
    words('git', (row) => about(row)?.git, { width: 10, rank: 5, text: (row) => about(row)?.git?.slice(0, 10) ?? '' }),
    words('job', (row) => about(row)?.job, { width: 8, rank: 3 }),
    ...changeColumns(c).slice(0, 1),
    data('path', (row) => row.build?.path ?? null),
  ];
}

function historyTable(table: HistoryTable): Table<HistoryRow, 'steps'> {
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
            counts<HistoryRow>('runs', (row) => row.runs, { width: 5, rank: 4 }),
          ]),
      ...(table === 'builds' ? [nameColumn(c, table), ...buildColumns(c)] : [nameColumn(c, table)]),
    ],
  };
}

function nameColumn(c: Context, table: HistoryTable): Column<HistoryRow> {
  if (table !== 'builds')
    return words('name', (row) => row.name, { title: table.replace(/s$/, ''), width: 16, flex: 1, cut: 'step', rank: 9 });
  const open = historyOf(c.analysis.profile).builds[openBuild(c.analysis)];
  const mark = (row: HistoryRow) => (row.build !== undefined && row.build === open ? `${OPEN} ` : '  ');
  return words('name', (row) => row.name, {
    ...{ title: onScreen(c, '  build (UTC)', 'build (UTC)'), width: 21, cut: 'middle', rank: 9 },
    text: (row) => onScreen(c, mark(row), '') + row.name,
  });
}

const NAMES: Readonly<Record<HistoryTable, string>> = { builds: 'history', steps: 'courses', targets: 'targetcourses' };

export const historyLists = HISTORIES.map((of): Listing<HistoryRow, 'steps'> => {
  const table = historyTable(of);
  return {
    ...{ name: NAMES[of], asks: ['history'], kind: 'steps' },
    table: () => table,
    all: ({ analysis }) => historyRows(analysis, of),
    texts: (row) => [row.name, row.build?.about.git ?? '', row.build?.about.job ?? ''],
  };
});
