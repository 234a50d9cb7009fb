// The line with facts about a step.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { sliceLinksOf } from '../../analysis/answers/steps/links.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import {
  endUs,
  hasRun,
  isJob,
  isRunning,
  neverRan,
  runsLate,
  stepName,
  stepText,
  tookBeforeUs,
  uncutTimes,
  weightedUs,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { cellWidth, fit, keepEnds, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import { rangeText, timeText } from '../../columns/times.ts';
import type { Profile } from '../../model/profile.ts';
import type { Steps } from '../../model/steps/tables.ts';
import type { ViewContext } from '../view.ts';

/** Minimum width that remains of a cut name. */
const MIN_NAME_WIDTH = 12;

/** The result of the compiler cache for a step; '' for a hit. */
function cacheText({ analysis: { profile } }: ViewContext<'steps'>, step: number): string {
  const word = stepText(profile, 'cache', step);
  return word === null || word === 'hit' ? '' : word === 'miss' ? 'a cache miss' : `uncached: ${word.replaceAll('_', ' ')}`;
}

/** The weighted time of a job: at each moment, parallel jobs share the time equally. '' if no job ran in parallel. */
function weightedTimeText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { steps } = analysis.profile;
  const us = isJob(steps, step) ? weightedUs(analysis)[step] : Number.NaN;
  return us < steps.durationUs[step] ? `weighted ${timeText(us)} (ran beside others)` : '';
}

/** Formats the line about a step, for views that do not depend on builds. */
export interface StepDetail {
  readonly text: (c: ViewContext<'steps'>, step: number) => string;
  /** Continues to compute data for the line, for `ms` milliseconds; true once done. */
  readonly work: (analysis: Analysis<'steps'>, ms: number) => boolean;
}

/** Facts that only steps of builds have; '' for unknown ones. */
export interface BuildFacts {
  /** The duration of the step in the base build, and the change since. */
  readonly change: string;
  readonly critical: string;
}

export function stepLine(c: ViewContext<'steps'>, step: number, { change, critical }: BuildFacts): string {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const target = stepText(profile, 'target', step);
  const result = steps.result[step];
  const [origin] = wholeWindowOf(c.analysis);
  const when = hasRun(steps, step)
    ? `${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}`
    : neverRan(steps, step)
      ? 'never ran'
      : timeText(steps.durationUs[step]);
  const before = uncutTimes(steps, step);
  const facts: [fact: string, rank: number][] = [
    [when, 3],
    [before ? `cut, took ${timeText(before.durationUs)}` : '', 2],
    [change, 2],
    [runningText(c, step), 3],
    [flowText(c, step), 1],
    // Omit the target of a slice if its name ends with it.
    [target && !stepName(profile, step).endsWith(` ${target}`) ? target : '', 0],
    [Number.isNaN(result) ? '' : `result ${formatCount(result)}`, 2],
    [cacheText(c, step), 2],
    [critical, 1],
    [weightedTimeText(c, step), 1],
  ];
  // Numbers are never cut. The least important facts are dropped first, then the name is shortened.
  let least = 0;
  const text = () => facts.flatMap(([fact, rank]) => (fact !== '' && rank >= least ? [fact] : [])).join(', ');
  while (least < 3 && cellWidth(visible(text())) + MIN_NAME_WIDTH + 4 > c.width) least++;
  const nameWidth = Math.max(MIN_NAME_WIDTH, c.width - 4 - cellWidth(visible(text())));
  const name = visible(keepEnds(shortStepName(profile, step), c.width));
  return `${cellWidth(name) > nameWidth ? fit(name, nameWidth, 'left', 'middle') : name}: ${text()}`;
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

/** The name of a step in `width` cells. For a call, it is the routine name; for a slice, name and detail. */
export function stepNameInWidth(step: number, width: number, c: ViewContext<'steps'>): string {
  const { profile } = c.analysis;
  const { routine, detail } = profile.steps;
  const isCall = routine[step] >= 0 && detail[step] < 0;
  return visible(isCall ? titleName(c, routine[step], width) : keepEnds(shortStepName(profile, step), width));
}

/** The step of a lane that is nearest to a moment; -1 if the lane is empty. */
export function nearestStep(steps: Steps, lane: Iterable<number>, us: number): number {
  let best = -1;
  const distance = (i: number) => Math.max(0, steps.startUs[i] - us, us - endUs(steps, i));
  for (const i of lane) if (best < 0 || distance(i) < distance(best)) best = i;
  return best;
}

/** Whether no step has a start time, as in compiler reports and test results. */
export const hasNoStartTimes = (profile: Profile): boolean =>
  profile.kind === 'steps' && profile.steps.name.length > 0 && profile.steps.startUs.every(Number.isNaN);

/** The message of an empty view: about the time range, about missing steps, or else `otherwise`. */
export const emptyText = (c: ViewContext<'steps'>, otherwise: string): string =>
  c.analysis.profile.steps.clip
    ? `nothing of this ran from ${rangeText(c.analysis)}`
    : c.analysis.profile.steps.name.length === 0
      ? 'there are no steps yet; after the next build, R reads them, and @ follows it'
      : otherwise;

/** Joins the facts that fit on a line; '' is no fact. No fact is cut, except a first one that is too long. */
export function joinFittingFacts(c: ViewContext<'steps'>, facts: readonly string[]): string {
  let line = '';
  for (const fact of facts.filter((text) => text !== '')) {
    const longer = line === '' ? fact : `${line}; ${fact}`;
    if (line === '' || cellWidth(visible(longer)) <= c.width - 2) line = longer;
  }
  return line;
}
