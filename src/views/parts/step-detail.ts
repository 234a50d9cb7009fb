// A step on one line.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { linksOf } from '../../analysis/answers/steps/links.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import {
  isJob,
  isLate,
  isRunning,
  neverRan,
  ran,
  stepName,
  stepText,
  tookBeforeUs,
  uncut,
  weightedUs,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { cellWidth, ends, fit, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import { titleName } from '../../columns/names.ts';
import { rangeText, timeText } from '../../columns/times.ts';
import type { Profile } from '../../model/profile.ts';
import type { ViewContext } from '../view.ts';

/** The shortest that a name is cut to. */
const SHORTEST = 12;

/** How a compiler cache served it. */
function cacheText({ analysis: { profile } }: ViewContext<'steps'>, step: number): string {
  const word = stepText(profile, 'cache', step);
  return word === null || word === 'hit' ? '' : word === 'miss' ? 'a cache miss' : `uncached: ${word.replaceAll('_', ' ')}`;
}

/** Where others ran beside it: its part of the time, if that is shared with them. */
function weightedText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { steps } = analysis.profile;
  const us = isJob(steps, step) ? weightedUs(analysis)[step] : Number.NaN;
  return us < steps.durationUs[step] ? `weighted ${timeText(us)} (ran beside others)` : '';
}

/** The line about a step, for views that know no builds. */
export interface StepDetail {
  readonly text: (c: ViewContext<'steps'>, step: number) => string;
  /** Goes on with what the line needs, for `ms` milliseconds; true when nothing is left. */
  readonly work: (analysis: Analysis<'steps'>, ms: number) => boolean;
}

/** Facts of a build about a step; '' for none. */
export interface BuildFacts {
  /** Its time in the base. */
  readonly change: string;
  readonly critical: string;
}

export function stepLine(c: ViewContext<'steps'>, step: number, { change, critical }: BuildFacts): string {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const target = stepText(profile, 'target', step);
  const result = steps.result[step];
  const [origin] = wholeWindowOf(c.analysis);
  const when = ran(steps, step)
    ? `${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}`
    : neverRan(steps, step)
      ? 'never ran'
      : timeText(steps.durationUs[step]);
  const before = uncut(steps, step);
  const facts: [fact: string, rank: number][] = [
    [when, 3],
    [before ? `cut, took ${timeText(before.durationUs)}` : '', 2],
    [change, 2],
    [runningText(c, step), 3],
    [flowText(c, step), 1],
    // The detail of a slice is both in its name and its target.
    [target && !stepName(profile, step).endsWith(` ${target}`) ? target : '', 0],
    [Number.isNaN(result) ? '' : `result ${formatCount(result)}`, 2],
    [cacheText(c, step), 2],
    [critical, 1],
    [weightedText(c, step), 1],
  ];
  // Numbers are shown whole: what says least goes first, then a long name is cut.
  let least = 0;
  const text = () => facts.flatMap(([fact, rank]) => (fact !== '' && rank >= least ? [fact] : [])).join(', ');
  while (least < 3 && cellWidth(visible(text())) + SHORTEST + 4 > c.width) least++;
  const room = Math.max(SHORTEST, c.width - 4 - cellWidth(visible(text())));
  const name = visible(ends(shortStepName(profile, step), c.width));
  return `${cellWidth(name) > room ? fit(name, room, 'left', 'middle') : name}: ${text()}`;
}

/** `flow to parse.cpp`, or how many. */
function flowText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { profile } = analysis;
  const { to, from } = linksOf(profile.steps, step);
  const said = (word: string, list: readonly number[]) =>
    list.length === 0 ? [] : [`flow ${word} ${list.length === 1 ? shortStepName(profile, list[0]) : formatCount(list.length)}`];
  return [...said('from', from), ...said('to', to)].join(', ');
}

/** `still running, 2.1s in the last build: late`; '' for a step that has ended. */
function runningText({ analysis }: ViewContext<'steps'>, step: number): string {
  const { steps } = analysis.profile;
  if (!isRunning(steps, step)) return '';
  const before = tookBeforeUs(steps, step);
  return `still running${Number.isNaN(before) ? '' : `, ${timeText(before)} in the last build${isLate(steps, step) ? ': late' : ''}`}`;
}

/** A call has the name of its routine, a slice of a trace its detail, too. */
export function nameInRoom(step: number, room: number, c: ViewContext<'steps'>): string {
  const { profile } = c.analysis;
  const { routine, detail } = profile.steps;
  const isCall = routine[step] >= 0 && detail[step] < 0;
  return visible(isCall ? titleName(c, routine[step], room) : ends(shortStepName(profile, step), room));
}

/** A build of which no step has a place in time: compilers' reports, results of tests. */
export const nothingRan = (profile: Profile): boolean =>
  profile.kind === 'steps' && profile.steps.name.length > 0 && profile.steps.startUs.every(Number.isNaN);

/** The message where no step is left, `otherwise` if no range of time was chosen. */
export const emptyText = (c: ViewContext<'steps'>, otherwise: string): string =>
  c.analysis.profile.steps.clip
    ? `nothing of this ran from ${rangeText(c.analysis)}`
    : c.analysis.profile.steps.name.length === 0
      ? 'there are no steps yet; after the next build, R reads them, and @ follows it'
      : otherwise;

/** As many facts as a line has room for, whole. */
export function factLine(c: ViewContext<'steps'>, facts: readonly string[]): string {
  let line = '';
  for (const fact of facts) {
    const longer = line === '' ? fact : `${line}; ${fact}`;
    if (line === '' || cellWidth(visible(longer)) <= c.width - 2) line = longer;
  }
  return line;
}
