// The reports of the kept builds of a tree: the builds themselves, and the courses of steps and targets over them.
import type { HistoryRow } from '../../analysis/builds/history.ts';
import { historyOf } from '../../analysis/builds/history.ts';
import { historyLists } from '../../columns/builds/history.ts';
import type { Listing } from '../../columns/listing.ts';
import { listReport, type Report } from '../print.ts';

const COURSES = ['last', 'change', 'since', 'median', 'runs', 'name'];
const SORTS: Readonly<Record<string, readonly string[]>> = {
  history: ['duration', 'idle', 'work', 'steps', 'failed', 'cache', 'git', 'job', 'what', 'change', 'name'],
};
const TITLES: Readonly<Record<string, string>> = {
  history: 'the kept builds of a tree, the newest first',
  courses: 'duration of each step over the kept builds, and where it became slower',
  targetcourses: 'the same for targets',
};

const historyReport = (list: Listing<HistoryRow, 'steps'>): Report =>
  listReport({
    ...list,
    title: TITLES[list.name],
    sorts: SORTS[list.name] ?? COURSES,
    compares: false,
    extra: ({ analysis }) => ({
      builds: historyOf(analysis.profile).builds.map(({ path, about }) => ({
        path,
        ...about,
        configs: [...(about.configs ?? [])],
      })),
    }),
  });

export const historyReports: readonly Report[] = historyLists.map(historyReport);
