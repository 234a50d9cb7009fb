// The line about a step of a build: general facts, the change since the base build, and the critical path.
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import {
  hasNoTime,
  hasRun,
  isJob,
  isRunning,
  neverRan,
  resultText,
  runsLate,
  sliceLinksOf,
  stepName,
  stepText,
  tookBeforeUs,
  uncutDurationUs,
  uncutTimes,
  weightedUs,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../analysis/builds/changes.ts';
import { criticalPathName, criticalPathOf } from '../../analysis/builds/critical.ts';
import { cellWidth, fit, keepEnds, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import { timeText } from '../../columns/times.ts';
import type { StepDetail } from '../parts/step-detail.ts';
import type { ViewContext } from '../view.ts';

const MIN_NAME_WIDTH = 12;

export function stepDetail(c: ViewContext<'steps'>, step: number): string {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const target = stepText(profile, 'target', step);
  const result = steps.result[step];
  const [origin] = wholeWindowOf(c.analysis);
  const when = hasRun(steps, step)
    ? `${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}`
    : neverRan(steps, step)
      ? 'never ran'
      : hasNoTime(steps, step)
        ? 'no time is recorded'
        : timeText(steps.durationUs[step]);
  const before = uncutTimes(steps, step);
  const path = criticalPathOf(c.analysis).ready;
  const cache = stepText(profile, 'cache', step) ?? 'hit';
  // At each moment, parallel jobs share the time equally.
  const weighted = isJob(steps, step) ? weightedUs(c.analysis)[step] : Number.NaN;
  const facts: [fact: string, rank: number][] = [
    [when, 3],
    [before ? `cut, took ${timeText(before.durationUs)}` : '', 2],
    [changeText(c, step), 2],
    [runningText(c, step), 3],
    [flowText(c, step), 1],
    // Omit the target of a slice if its name ends with it.
    [target && !stepName(profile, step).endsWith(` ${target}`) ? target : '', 0],
    [Number.isNaN(result) ? '' : `result ${resultText(result)}`, 2],
    [cache === 'hit' ? '' : cache === 'miss' ? 'a cache miss' : `uncached: ${cache.replaceAll('_', ' ')}`, 2],
    [path?.on[step] ? `on the ${criticalPathName(path)}` : '', 1],
    [weighted < steps.durationUs[step] ? `weighted ${timeText(weighted)} (ran beside others)` : '', 1],
  ];
  // Numbers are never cut. The least important facts are dropped first, then the name is shortened.
  let least = 0;
  const text = () => facts.flatMap(([fact, rank]) => (fact !== '' && rank >= least ? [fact] : [])).join(', ');
  while (least < 3 && cellWidth(visible(text())) + MIN_NAME_WIDTH + 4 > c.width) least++;
  const nameWidth = Math.max(MIN_NAME_WIDTH, c.width - 4 - cellWidth(visible(text())));
  const name = visible(keepEnds(shortStepName(profile, step), c.width));
  return `${cellWidth(name) > nameWidth ? fit(name, nameWidth, 'left', 'middle') : name}: ${text()}`;
}

export const buildStepDetail: StepDetail = {
  text: stepDetail,
  work: (analysis, ms) => criticalPathOf(analysis).run(ms),
};

/** The duration of a job in the base build, and the change since: `before 3.20s (+1.79s, +56%)`. */
export function changeText({ analysis, base }: ViewContext<'steps'>, step: number): string {
  const { steps } = analysis.profile;
  if (!base || !isOfKind(base, 'steps') || !isJob(steps, step)) return '';
  const then = stepsBefore(analysis, base);
  const before = then.of(step);
  if (before < 0) return then.kind(step) === 'run now' ? 'not run in the base' : 'new';
  const was = uncutDurationUs(base.profile.steps, before);
  const change = uncutDurationUs(steps, step) - was;
  if (change === 0) return 'as before';
  const sign = change > 0 ? '+' : '-';
  const percent = (Math.abs(change) / was) * 100;
  const share = was > 0 ? `, ${sign}${percent.toFixed(percent < 9.95 ? 1 : 0)}%` : '';
  return `before ${timeText(was)} (${sign}${timeText(Math.abs(change))}${share})`;
}

/** The flow from or to the step: `flow to parse.cpp`; with several flows, their number. */
function flowText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { profile } = analysis;
  const { to, from } = sliceLinksOf(profile.steps, step);
  const flows = (word: string, list: readonly number[]) =>
    list.length === 0 ? [] : [`flow ${word} ${list.length === 1 ? shortStepName(profile, list[0]) : formatCount(list.length)}`];
  return [...flows('from', from), ...flows('to', to)].join(', ');
}

/** The text about a running step: `still running, 2.1s in the last build: late`; '' for a step that has ended. */
function runningText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { steps } = analysis.profile;
  if (!isRunning(steps, step)) return '';
  const before = tookBeforeUs(steps, step);
  return `still running${Number.isNaN(before) ? '' : `, ${timeText(before)} in the last build${runsLate(steps, step) ? ': late' : ''}`}`;
}
