// The columns of the kept builds of a tree, and of the duration series of steps and targets over them.
import {
  buildOriginText,
  changeMs,
  HISTORY_TABLES,
  type HistoryRow,
  type HistoryTable,
  historyOf,
  historyRows,
  shownBuildIndex,
} from '../../analysis/builds/history.ts';
import { sparkline } from '../../base/plot.ts';
import { formatCount } from '../../base/units.ts';
import { cachedCompileCount } from '../../model/steps/history.ts';
import { barColumn, dataColumn, displayColumn, finiteOrNull, largestMagnitude, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen } from '../column.ts';
import { makeListing } from '../listing.ts';
import { timeOrUnknown } from '../times.ts';

/** Maximum number of builds in a sparkline, which shows the newest ones. */
const MAX_SPARK_BUILDS = 30;

function msColumn(c: ColumnContext<'steps'>, id: string, title: string, rank: number, ms: (row: HistoryRow) => number) {
  const text = (value: number) =>
    Number.isNaN(value) ? '' : onScreen(c, timeOrUnknown(value * 1000), formatCount(Math.round(value)));
  return numberColumn(`${id}Ms`, ms, {
    ...{ also: id, title: onScreen(c, title, `${title} ms`), width: 8, rank, key: (row) => ms(row) || 0 },
    text: (row) => text(ms(row)),
  });
}

function changeColumns(c: ColumnContext<'steps'>): Column<HistoryRow>[] {
  const history = historyOf(c.analysis.profile);
  const share = (row: HistoryRow) => (row.change ? (changeMs(row) / row.change.before) * 100 : Number.NaN);
  const text = (row: HistoryRow) => (row.change ? `${share(row) > 0 ? '+' : ''}${share(row).toFixed(0)}%` : '');
  const since = ({ change }: HistoryRow) => (change?.kind === 'step' ? buildOriginText(history, change.build) : undefined);
  return [
    numberColumn('changePercent', share, {
      ...{ also: 'change', title: 'change', width: 7, rank: 8, key: changeMs },
      text: (row) => ({ text: text(row), style: share(row) > 0 ? 'more' : 'less' }),
    }),
    wordColumn('since', since, {
      ...{ width: onScreen(c, 20, 40), rank: 7, key: (row: HistoryRow) => row.change?.build ?? -1 },
      text: (row) => since(row) ?? (row.change ? 'drifts' : ''),
    }),
    dataColumn('changeKind', (row) => row.change?.kind ?? null),
  ];
}

/** Marks the open build in the heading of a sparkline, above the build's value. */
const BUILD_MARK = '●';

function seriesColumn(c: ColumnContext<'steps'>): Column<HistoryRow> {
  const width = c.width < 100 ? 10 : MAX_SPARK_BUILDS;
  const { builds } = historyOf(c.analysis.profile);
  const openIndex = shownBuildIndex(c.analysis) - Math.max(0, builds.length - width);
  const name = 'course';
  const title = openIndex < 0 ? name : `${openIndex < name.length ? ' '.repeat(openIndex) : name.padEnd(openIndex)}${BUILD_MARK}`;
  const text = (row: HistoryRow) => sparkline(row.ms.slice(-width));
  const value = ({ ms }: HistoryRow) => ms.map(finiteOrNull);
  return displayColumn('course', text, { title: onScreen(c, title, name), width, rank: 6, value });
}

function buildColumns(c: ColumnContext<'steps'>): Column<HistoryRow>[] {
  const buildInfoOf = (row: HistoryRow) => row.build?.buildInfo;
  // A failed build without failed steps was interrupted.
  const noEnd = (row: HistoryRow) =>
    buildInfoOf(row)?.failed === true && buildInfoOf(row)?.failures === 0 ? 'no end' : undefined;
  const countText = (of: number | undefined) => formatCount(of ?? Number.NaN);
  const count = (id: string, rank: number, of: (row: HistoryRow) => number | undefined) =>
    numberColumn<HistoryRow>(id, (row) => of(row) ?? Number.NaN, {
      ...{ width: Math.max(6, id.length), rank, key: (row: HistoryRow) => of(row) ?? 0 },
      text: (row) => countText(of(row)),
    });
  const failures = (row: HistoryRow) => buildInfoOf(row)?.failures ?? (buildInfoOf(row)?.failed === false ? 0 : undefined);
  const duration = (row: HistoryRow) => buildInfoOf(row)?.durationMs ?? Number.NaN;
  const hits = (row: HistoryRow) => {
    const cache = buildInfoOf(row)?.cache;
    return cache && `${cache.hits} of ${cachedCompileCount(cache)}`;
  };
  return [
    wordColumn('what', (row) => buildInfoOf(row)?.what, { width: 9, rank: 4 }),
    msColumn(c, 'duration', 'time', 9, duration),
    ...barColumn(c, duration, largestMagnitude(historyRows(c.analysis, 'builds'), duration), { rank: 5 }),
    msColumn(c, 'idle', 'idle', 3, (row) => buildInfoOf(row)?.idleMs ?? Number.NaN),
    msColumn(c, 'work', 'work', 7, (row) => buildInfoOf(row)?.workMs ?? Number.NaN),
    count('steps', 6, (row) => buildInfoOf(row)?.jobs ?? buildInfoOf(row)?.steps),
    { ...count('failed', 6, failures), text: (row) => noEnd(row) ?? countText(failures(row)) },
    wordColumn('cache', hits, { width: 10, rank: 3 }),
    count('jobs', 4, (row) => buildInfoOf(row)?.parallel),
    wordColumn('host', (row) => buildInfoOf(row)?.host, { width: 10, rank: 2 }),
    wordColumn('git', (row) => buildInfoOf(row)?.git, {
      width: 10,
      rank: 5,
      text: (row) => buildInfoOf(row)?.git?.slice(0, 10) ?? '',
    }),
    wordColumn('job', (row) => buildInfoOf(row)?.job, { width: 8, rank: 3 }),
    ...changeColumns(c).slice(0, 1),
    dataColumn('path', (row) => row.build?.path ?? null),
  ];
}

function seriesColumns(c: ColumnContext<'steps'>): Column<HistoryRow>[] {
  return [
    msColumn(c, 'last', 'last', 9, (row) => row.lastMs),
    ...changeColumns(c),
    seriesColumn(c),
    msColumn(c, 'median', 'median', 5, (row) => row.medianMs),
    numberColumn('runs', (row) => row.runs, { width: 5, rank: 4 }),
  ];
}

function nameColumn(c: ColumnContext<'steps'>, table: HistoryTable): Column<HistoryRow> {
  if (table !== 'builds')
    return wordColumn('name', (row) => row.name, { title: table.replace(/s$/, ''), width: 16, flex: 1, cut: 'path', rank: 9 });
  const open = historyOf(c.analysis.profile).builds[shownBuildIndex(c.analysis)];
  const mark = (row: HistoryRow) => (row.build !== undefined && row.build === open ? `${BUILD_MARK} ` : '  ');
  return wordColumn('name', (row) => row.name, {
    ...{ title: onScreen(c, '  build (UTC)', 'build (UTC)'), width: 21, cut: 'middle', rank: 9 },
    text: (row) => onScreen(c, mark(row), '') + row.name,
  });
}

const LIST_NAMES: Readonly<Record<HistoryTable, string>> = { builds: 'history', steps: 'courses', targets: 'targetcourses' };

export const historyLists = HISTORY_TABLES.map((table) =>
  makeListing<HistoryRow, 'steps'>({
    ...{ name: LIST_NAMES[table], requires: ['history'], kind: 'steps' },
    keys: 'name durationMs lastMs medianMs runs changePercent since course'.split(' '),
    columns: (c) =>
      table === 'builds' ? [nameColumn(c, table), ...buildColumns(c)] : [...seriesColumns(c), nameColumn(c, table)],
    all: ({ analysis }) => historyRows(analysis, table),
    texts: (row) => [row.name, row.build?.buildInfo.git ?? '', row.build?.buildInfo.job ?? ''],
  }),
);
