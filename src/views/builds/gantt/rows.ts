// The rows of the Gantt view: the steps that pass the filter, by start time and by lane.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { type Lanes, lanesOf } from '../../../analysis/answers/steps/lanes.ts';
import { isJob, stepFailed, stepsThatRan, stepText, stepTexts } from '../../../analysis/answers/steps/steps.ts';
import { type CriticalPath, criticalPathOf } from '../../../analysis/builds/critical.ts';
import { memo } from '../../../base/lists.ts';
import type { IncrementalFilter, Matcher } from '../../../base/match.ts';
import { stepList } from '../../../columns/builds/steps.ts';
import { conditionNames, filterOfRows } from '../../../columns/conditions.ts';
import { makeStableContext } from '../../parts/remembered.ts';
import type { TimeWindow } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';

export const GANTT_COLOURS = ['role', 'target', 'time', 'language', 'result'] as const;

/** The colours that group steps. */
export type Grouping = Exclude<(typeof GANTT_COLOURS)[number], 'time' | 'result'>;

export interface GanttState {
  /** The step under the cursor; -1 before the view is first shown. */
  readonly step: number;
  /** The first lane on the screen. */
  readonly top: number;
  readonly zoom: TimeWindow | undefined;
  readonly colour: (typeof GANTT_COLOURS)[number];
  /** Whether lanes have a second row with bars of the base build. */
  readonly before: boolean;
  /** The start of a time range without an end, in microseconds; undefined if no start is marked. */
  readonly rangeStart: number | undefined;
}

const stepColumnsOf = (c: ViewContext<'steps'>) => stepList.table(c).columns({ ...c, medium: 'text' });

export const stepColumnNames = (_state: unknown, c: ViewContext<'steps'>): string[] => conditionNames(stepColumnsOf(c));

const stableContext = makeStableContext<'steps'>();

const stepFilterOf = memo((c: ViewContext<'steps'>, matcher: Matcher) => {
  const texts = (i: number) => stepTexts(c.analysis.profile, i);
  return filterOfRows(matcher, stepsThatRan(c.analysis), () => stepColumnsOf(c), c, texts);
});

/** The filter of the steps, run for the time budget of a key; undefined without a filter. */
export const stepFilter = (c: ViewContext<'steps'>): IncrementalFilter<number> | undefined =>
  c.matcher && stepFilterOf(stableContext(c), c.matcher).runOnce(c.timeBudgetMs);

/** The steps that passed the filter so far. */
export const keptSteps = (c: ViewContext<'steps'>): readonly number[] => stepFilter(c)?.passingRows() ?? stepsThatRan(c.analysis);

/** Whether the chart has a row for the critical path: builds have one, traces of calls do not. */
export const hasCriticalRow = (c: ViewContext<'steps'>): boolean => c.height >= 8 && showsJobs(c);
/** Whether bars are jobs of a build, not slices of code or samples. */
export const showsJobs = ({ analysis: { profile, costing } }: ViewContext<'steps'>): boolean =>
  !profile.steps.sampled && !costing.can.has('routines');

/** The critical path, where the chart has a row for it; undefined until it is known. */
export const shownCriticalPath = (c: ViewContext<'steps'>): CriticalPath | undefined =>
  hasCriticalRow(c) ? criticalPathOf(c.analysis).ready : undefined;

/** `order` and `failed`: steps by start time. `orderIndex`: by step, its index in `order`, or -1 if the filter excludes it. */
const makeGanttRows = memo((analysis: Analysis<'steps'>, order: readonly number[], filtered: boolean) => {
  const { steps } = analysis.profile;
  const failed = order.filter((i) => stepFailed(steps, i));
  const lanes = lanesOf(analysis);
  const orderIndex = new Int32Array(steps.name.length).fill(-1);
  order.forEach((i, k) => {
    orderIndex[i] = k;
  });
  return { order, orderIndex, failed, lanes: filtered ? keepLanes(lanes, new Set(order)) : lanes };
});

/** The lanes with only the kept steps. Empty lanes are dropped, and their thread title moves to the next lane. */
function keepLanes(lanes: Lanes, kept: ReadonlySet<number>): Lanes {
  const of = new Int32Array(lanes.of.length).fill(-1);
  const steps: Uint32Array[] = [];
  const titles: string[] = [];
  let title = '';
  lanes.steps.forEach((list, l) => {
    if (lanes.titles[l] !== '') title = lanes.titles[l];
    const left = list.filter((i) => kept.has(i));
    if (left.length === 0) return;
    for (const i of left) of[i] = steps.length;
    steps.push(left);
    titles.push(title);
    title = '';
  });
  return { of, count: steps.length, steps, titles };
}

export const ganttRows = (c: ViewContext<'steps'>) => makeGanttRows(c.analysis, keptSteps(c), c.matcher !== undefined);

/** The first step under the cursor, of those in the picture: the one at which the build failed, else the slowest job. */
export function firstStepToShow({ zoom }: GanttState, c: ViewContext<'steps'>): number {
  const { profile } = c.analysis;
  const { steps } = profile;
  const { order, failed } = ganttRows(c);
  const isIn = (i: number) => isJob(steps, i) && (!zoom || (steps.startUs[i] >= zoom.from && steps.startUs[i] <= zoom.to));
  // Failed tests do not count here: their exit code may be expected.
  const broke = failed.find((i) => isIn(i) && stepText(profile, 'role', i) !== 'test');
  if (broke !== undefined) return broke;
  const slowest = order.reduce(
    (best, i) => (isIn(i) && (best < 0 || steps.durationUs[i] > steps.durationUs[best]) ? i : best),
    -1,
  );
  return slowest >= 0 ? slowest : (order[0] ?? -1);
}

/** The index of a step by start time; 0 if it is not shown. */
export const orderIndexOf = (step: number, c: ViewContext<'steps'>): number => Math.max(0, ganttRows(c).orderIndex[step] ?? 0);
