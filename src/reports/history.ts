// The reports of the kept builds of a tree.
import { type HistoryRow, type HistoryTable, historyOf, historyRows } from '../analysis/steps/history.ts';
import { historyTable } from '../columns/history.ts';
import { type Report, report } from './print.ts';

function historyReport(name: string, table: HistoryTable, title: string, sorts: readonly string[]): Report {
  const own = historyTable(table);
  return report<HistoryRow, 'steps'>({
    ...{ name, title, asks: ['history'], sorts, kind: 'steps' },
    compares: false,
    table: () => own,
    all: ({ analysis }) => historyRows(analysis, table),
    texts: (row) => [row.name],
    extra: ({ analysis }) => ({
      builds: historyOf(analysis.profile).builds.map(({ path, about }) => ({
        path,
        ...about,
        configs: [...(about.configs ?? [])],
      })),
    }),
  });
}

const BUILDS = ['duration', 'work', 'steps', 'failed', 'cache', 'git', 'job', 'what', 'change', 'name'];
const COURSES = ['last', 'change', 'since', 'median', 'runs', 'name'];

export const historyReports: readonly Report[] = [
  historyReport('history', 'builds', 'the kept builds of a tree, the newest first', BUILDS),
  historyReport('courses', 'steps', 'how long each step took in the kept builds, and since when it takes longer', COURSES),
  historyReport('targetcourses', 'targets', 'the same for targets', COURSES),
];
