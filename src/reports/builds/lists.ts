// Reports of builds that are lists: tests, history, rebuilds, processes, stages.
import { compilesOf, pairedProcesses, projectCompiles } from '../../analysis/answers/processes/processes.ts';
import { allUnitsUs, rebuildsOf } from '../../analysis/builds/compiles.ts';
import { historyOf } from '../../analysis/builds/history.ts';
import { type Phase, phasesOf } from '../../analysis/builds/stages.ts';
import { formatCount, plural } from '../../base/units.ts';
import { wordColumn } from '../../columns/builders.ts';
import { rebuildList } from '../../columns/builds/compiles.ts';
import { historyLists } from '../../columns/builds/history.ts';
import { commandList, processList } from '../../columns/builds/processes.ts';
import { testList } from '../../columns/builds/tests.ts';
import { baseOfKind, baseWithTable } from '../../columns/listing.ts';
import { pairRows } from '../../columns/paired.ts';
import { msOrNull, timeColumn, timeOrUnknown } from '../../columns/times.ts';
import { makeListReport, makeReport } from '../print.ts';

export const tests = makeListReport({
  ...testList,
  title: 'results of the tests of a build, failed and slowest first; with --base, those that fail since first',
  sorts: ['status', 'duration', 'reason', 'test', 'labels'],
});

const SERIES_SORTS = ['last', 'change', 'since', 'median', 'runs', 'name'];
const HISTORY_SORTS = ['duration', 'idle', 'work', 'steps', 'failed', 'cache', 'git', 'job', 'what', 'change', 'name'];
const HISTORY_TITLES: Readonly<Record<string, string>> = {
  history: 'the kept builds of a tree, the newest first',
  courses: 'duration of each step over the kept builds, and where it became slower',
  targetcourses: 'the same for targets',
};

export const historyReports = historyLists.map((list) =>
  makeListReport({
    ...list,
    title: HISTORY_TITLES[list.name],
    sorts: list.name === 'history' ? HISTORY_SORTS : SERIES_SORTS,
    compares: false,
    extra: ({ analysis }) => ({
      builds: historyOf(analysis.profile).builds.map(({ path, buildInfo }) => ({
        path,
        ...buildInfo,
        configs: [...(buildInfo.configs ?? [])],
      })),
    }),
  }),
);

export const rebuilds = makeListReport({
  ...pairRows(rebuildList, (c) => baseWithTable(c, 'rebuilds')),
  title: 'units that are compiled again when a header changes, and their time',
  sorts: ['duration', 'units', 'name'],
  usual: 'durationMs',
  extra({ analysis }) {
    const { us } = rebuildsOf(analysis).units;
    return { unitsMs: msOrNull(allUnitsUs(analysis)), units: us.length, untimed: us.filter(Number.isNaN).length };
  },
  head({ analysis }) {
    const { us } = rebuildsOf(analysis).units;
    const untimed = us.filter(Number.isNaN).length;
    const untimedText = untimed > 0 ? `; ${untimed} without a recorded time` : '';
    return [`${plural(us.length, 'unit')}, ${timeOrUnknown(allUnitsUs(analysis))} together${untimedText}`];
  },
});

export const processes = makeListReport({
  ...pairRows(processList, (c) => baseOfKind(c, 'processes'), pairedProcesses),
  title: 'processes of a build, in file order',
  footer({ analysis }) {
    const { list, fromCache } = compilesOf(analysis);
    const own = projectCompiles(analysis).length;
    const cached = fromCache > 0 ? `, ${formatCount(fromCache)} of them from a cache: no compiler ran` : '';
    const checks = list.length > own ? `; left out: ${formatCount(list.length - own)} that only test the compiler` : '';
    return [`${plural(own, 'compile')}${cached}; --print compile-commands writes them${checks}`];
  },
});

export const compileCommands = makeListReport({
  ...commandList,
  requires: ['commands'],
  title: 'compile_commands.json of a build trace, or of a build whose commands are recorded',
  sorts: ['file', 'output', 'language'],
  isArray: true,
});

export const stages = makeReport<Phase, 'steps'>({
  name: 'stages',
  title: 'the stages of a build in order of time, with the idle time between them',
  requires: ['steps'],
  kind: 'steps',
  compares: false,
  table: () => ({
    keys: ['name', 'startMs', 'durationMs'],
    columns: (c) => [
      timeColumn(c, 'start', 'start', 9, (phase) => phase.fromUs),
      timeColumn(c, 'duration', 'duration', 9, (phase) => phase.toUs - phase.fromUs),
      wordColumn('name', (phase) => phase.name, { title: 'stage' }),
    ],
  }),
  rows: ({ analysis, matches }) => phasesOf(analysis).filter(({ name }) => matches(name)),
});
