// The sections of the Overview for builds, traces and processes.
import { type Analysis, isContextOf } from '../../analysis/answers/analysis.ts';
import { compilesOf } from '../../analysis/answers/processes/processes.ts';
import { activeSteps, stageSpansOf } from '../../analysis/answers/steps/steps.ts';
import { COMPILE_TABLES, type CompileTable, compileRows, isWholePhase } from '../../analysis/builds/compiles.ts';
import { type CriticalLink, criticalPath, criticalPathOf } from '../../analysis/builds/critical.ts';
import { criticalGainsOf } from '../../analysis/builds/narrow.ts';
import { NO_TARGET } from '../../analysis/builds/targets.ts';
import { memo, sortedByKey } from '../../base/lists.ts';
import { plural } from '../../base/units.ts';
import { changeList } from '../../columns/builds/changes.ts';
import { compileLists } from '../../columns/builds/compiles.ts';
import { criticalList } from '../../columns/builds/critical.ts';
import { commandList } from '../../columns/builds/processes.ts';
import { stepList } from '../../columns/builds/steps.ts';
import { targetLists } from '../../columns/builds/targets.ts';
import { testList } from '../../columns/builds/tests.ts';
import { timeText, totalWorkUs } from '../../columns/times.ts';
import { type OverviewSection, tableSection } from '../overview.ts';
import { indentedLine } from '../parts/lines.ts';
import type { LineBlock } from '../parts/lines-view.ts';
import { hasNoStartTimes } from '../parts/step-detail.ts';
import type { ViewContext } from '../view.ts';
import { drawBuildPicture } from './gantt/draw.ts';
import { GANTT } from './gantt/index.ts';
import { hasPhaseRow, phaseRow } from './gantt/phases.ts';
import { hasCriticalRow } from './gantt/rows.ts';
import { programList } from './process-tables.ts';

/** Whether the profile is a build with start times, so that it has a critical path. */
const hasPath = ({ analysis: { profile, costing } }: ViewContext): boolean =>
  !hasNoStartTimes(profile) && !costing.can.has('routines');

/** The links by their gain, then by their time. */
const largestGainFirst = memo((links: readonly CriticalLink[], gains: ReadonlyMap<number, number>, durationUs: Float64Array) => {
  const gain = ({ step }: CriticalLink) => gains.get(step) ?? 0;
  return [...links].sort((a, b) => gain(b) - gain(a) || durationUs[b.step] - durationUs[a.step]);
});

const sumText = (links: readonly CriticalLink[], { analysis }: ViewContext<'steps'>): string =>
  timeText(links.reduce((sum, { step }) => sum + (analysis.profile.steps.durationUs[step] || 0), 0));

/** Steps by the change of their time since the base. */
const changeSection = tableSection({
  list: changeList,
  applies: hasPath,
  heading: () => 'Changes, the largest first',
  view: 'changes',
  most: 8,
  majorRows: (rows) => rows.filter(({ kind }) => kind !== 'same').length,
  opens: (row, c) =>
    row.step < 0
      ? { type: 'show', view: 'changes', row: changeList.texts(row, c)[0] }
      : { type: 'show', view: 'step', step: row.step },
});

/** The critical path, the longest steps first: those that held the build up. */
const criticalSection = tableSection({
  list: criticalList,
  applies: hasPath,
  heading: (c) => {
    const { links, basis } = criticalPathOf(c.analysis).ready ?? {};
    const freed = links?.filter(({ waited }) => waited === 'place').length ?? 0;
    const jobs = freed > 0 ? `, ${freed} waited for a job` : '';
    const facts = links ? `: ${plural(links.length, 'step')}, ${sumText(links, c)}` : '';
    const order = criticalGainsOf(c.analysis).ready?.size ? 'gain if one took no time' : 'longest first';
    const builds = stageSpansOf(c.analysis).filter(({ name }) => name === 'build').length;
    const what = builds > 1 ? `Critical path of ${builds} builds, one after the other` : 'Critical path';
    // Times say what ended before what, not what waited for it.
    return `${basis === 'lanes' ? 'Critical by times only' : what}${facts}; ${order}${jobs}`;
  },
  view: 'critical',
  rows({ analysis }) {
    const gains = criticalGainsOf(analysis).ready;
    return gains && largestGainFirst(criticalPath(analysis).links, gains, analysis.profile.steps.durationUs);
  },
  work: (c, ms) => criticalGainsOf(c.analysis).run(ms),
  opens: ({ step }) => ({ type: 'show', view: 'step', step }),
  rest: (links, c) => `${sumText(links, c)}  ${plural(links.length, 'more critical step')}`,
});

/** The critical path and the running jobs over time. */
const pictureSection: OverviewSection = {
  applies: (c) => isContextOf(c, 'steps') && hasPath(c) && hasCriticalRow(c),
  work: (c, ms) => !isContextOf(c, 'steps') || criticalPathOf(c.analysis).run(ms),
  isReady: (c) => !isContextOf(c, 'steps') || criticalPathOf(c.analysis).ready !== undefined,
  most: 1,
  lines(c) {
    if (!isContextOf(c, 'steps')) return [];
    // One cell less, for the mark of the cursor before the critical path.
    const context = { ...c, width: c.width - 1 };
    const state = GANTT.init(c);
    const [axis, path, jobs] = drawBuildPicture(state, context);
    const phases: LineBlock[] = hasPhaseRow(c) ? [{ lines: [phaseRow(state, c)] }] : [];
    const row = { opens: { type: 'show', view: 'gantt' }, text: 'critical path', detail: 'Enter opens Gantt' } as const;
    return [...phases, { lines: [indentedLine(axis)] }, { lines: [path], row }, { lines: [indentedLine(jobs)] }];
  },
};

const targetSection = tableSection({
  list: targetLists[0],
  applies: (c) => targetLists[0].all(c).some(({ now }) => now && now.target !== NO_TARGET),
  heading: () => 'Targets, by time',
  view: 'targets',
  most: 5,
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  rows: (c) => criticalPathOf(c.analysis).ready && targetLists[0].all(c),
  opens: ({ now }) => (now ? { type: 'show', view: 'step', step: now.longest } : { type: 'show', view: 'targets' }),
});

const areTests = ({ analysis: { profile } }: ViewContext<'steps'>) =>
  profile.steps.tests !== undefined && hasNoStartTimes(profile);

/** Tests that no build is around: those that failed come first, then those that did not run, then the slowest. */
const testSection = tableSection({
  list: testList,
  applies: areTests,
  heading: () => 'Tests: those that failed, that did not run, and the slowest',
  view: 'tests',
  opens: ({ now, before }) => ({ type: 'show', view: 'tests', row: (now ?? before)?.name }),
});

/** Active steps, the longest first. Memoized, because every key draws a frame. */
const rowsOfSteps = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const { durationUs, parent } = analysis.profile.steps;
  // A slice as long as all says nothing beside those in it.
  const isWhole = (step: number) => durationUs[step] >= totalWorkUs(analysis) && parent.includes(step);
  const parts = Array.from(activeSteps(analysis)).filter((step) => !isWhole(step));
  return sortedByKey(parts, (step) => durationUs[step] || 0, true);
});

/** The slices of a trace, and the steps of builds that record no start times. */
const stepSection = tableSection({
  list: stepList,
  applies: (c) => !hasPath(c) && !areTests(c),
  heading: () => 'Longest steps',
  view: 'steps',
  rows: ({ analysis }) => rowsOfSteps(analysis),
  opens: (step) => ({ type: 'show', view: 'step', step }),
});

const COMPILER_SECTIONS: readonly (readonly [CompileTable, heading: string, isPart?: (name: string) => boolean])[] = [
  ['headers', 'Headers, by compile time'],
  ['template sets', 'Templates, by compile time'],
  ['phases', 'Phases of the compilers, which add up to their time', isWholePhase],
  ['phases', 'Inside these phases; rows with | overlap others', (name) => !isWholePhase(name)],
];

/** The time of the compilers by headers and templates, or in reports of GCC, which know none, by phases. */
const compilerSections = COMPILER_SECTIONS.map(([table, heading, isPart]) =>
  tableSection({
    list: compileLists[COMPILE_TABLES.indexOf(table)],
    applies: ({ analysis }) => !isPart || compileRows(analysis, 'headers').length === 0,
    heading: () => heading,
    rows: ({ analysis }) => compileRows(analysis, table).filter(({ name }) => isPart?.(name) ?? true),
    view: 'compilers',
    most: 5,
    opens: ({ name }) => ({ type: 'show', view: 'compilers', row: name }),
  }),
);

const programSection = tableSection({
  list: programList,
  heading: () => 'Programs, by their runs',
  view: 'programs',
  most: 5,
  opens: ({ first }) => ({ type: 'show', view: 'process', step: first }),
});

const compileSection = tableSection({
  list: commandList,
  heading(c) {
    const all = commandList.all(c);
    const files = new Set(all.map(({ directory, file }) => `${directory} ${file}`)).size;
    const unread = isContextOf(c, 'processes') ? compilesOf(c.analysis).unread.length : 0;
    const more = unread > 0 ? `, and ${plural(unread, 'compiler run')} with unknown sources` : '';
    return `${plural(all.length, 'compile')} of ${plural(files, 'file')}${more}`;
  },
  view: 'compiles',
  most: 8,
  opens: ({ process }) => ({ type: 'show', view: 'process', step: process }),
});

export const buildSections = [
  ...[changeSection, pictureSection, criticalSection, testSection, stepSection, ...compilerSections],
  ...[targetSection, programSection, compileSection],
];
