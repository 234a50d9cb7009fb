// The rows of the Gantt view: the steps that the filter keeps, in order of time and in lanes.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { type Lanes, lanesOf } from '../../../analysis/answers/steps/lanes.ts';
import { failed, isJob, stepsThatRan, stepText, stepTexts } from '../../../analysis/answers/steps/steps.ts';
import type { Matcher } from '../../../base/match.ts';
import { memo } from '../../../base/memo.ts';
import { type Sifting, siftingFor } from '../../../base/sifting.ts';
import type { Window } from '../../parts/timeline.ts';
import type { ViewContext } from '../../view.ts';

type Context = ViewContext<'steps'>;

export const COLOURS = ['role', 'target', 'time', 'language', 'result'] as const;

export interface GanttState {
  /** The step under the cursor; -1 before the view is first shown. */
  readonly step: number;
  /** The first lane on the screen. */
  readonly top: number;
  readonly zoom: Window | undefined;
  readonly colour: (typeof COLOURS)[number];
  /** With a build to compare with, lanes have a second row for how long steps took there. */
  readonly before: boolean;
  /** Where a range of time starts that has no end yet: microseconds from the origin. */
  readonly start: number | undefined;
}

const siftingOf = memo((analysis: Analysis<'steps'>, matcher: Matcher) =>
  siftingFor(matcher, stepsThatRan(analysis), (i) => stepTexts(analysis.profile, i)),
);

/** The filter's progress over the steps; undefined without a filter. */
export const stepSifting = ({ analysis, matcher, patienceMs }: Context): Sifting<number> | undefined =>
  matcher && siftingOf(analysis, matcher).begun(patienceMs);

/** The steps that ran. */
export const allSteps = memo(stepsThatRan);
const kept = memo((sifting: Sifting<number>, _version: number) => sifting.kept());

/** The steps that the filter keeps, as far as they are known. */
export function keptSteps(c: Context): readonly number[] {
  const sifting = stepSifting(c);
  return sifting ? kept(sifting, sifting.version) : allSteps(c.analysis);
}

interface Rows {
  /** Steps by start time, and each step's index in that order: -1 for those that are not in it. */
  readonly order: readonly number[];
  readonly place: Int32Array;
  /** By start time. */
  readonly failed: readonly number[];
  /** Where the cursor begins: the step at which the build failed, else the slowest. */
  readonly first: number;
  readonly lanes: Lanes;
}

const rowsOf = memo((analysis: Analysis<'steps'>, order: readonly number[], filtered: boolean): Rows => {
  const { profile } = analysis;
  const { steps } = profile;
  const jobs = order.filter((i) => isJob(steps, i));
  const bad = order.filter((i) => failed(steps, i));
  // The result of a test does not say whether it was expected, and a build that failed is no test.
  const broke = bad.find((i) => isJob(steps, i) && stepText(profile, 'role', i) !== 'test');
  const slowest = jobs.reduce((best, i) => (best < 0 || steps.durationUs[i] > steps.durationUs[best] ? i : best), -1);
  const first = broke ?? (slowest >= 0 ? slowest : (order[0] ?? -1));
  const lanes = lanesOf(analysis);
  const place = new Int32Array(steps.name.length).fill(-1);
  order.forEach((i, k) => {
    place[i] = k;
  });
  return {
    order,
    place,
    failed: bad,
    first,
    lanes: filtered ? only(lanes, new Set(order)) : lanes,
  };
}, 2);

/** Lanes without the steps that are not kept; those that have none left are dropped, their thread's title stays. */
function only(lanes: Lanes, kept: ReadonlySet<number>): Lanes {
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

export const ganttRows = (c: Context): Rows => rowsOf(c.analysis, keptSteps(c), c.matcher !== undefined);

/** The place of a step in order of time; 0 for one that is not shown. */
export const placeOf = (step: number, c: Context): number => Math.max(0, ganttRows(c).place[step] ?? 0);
