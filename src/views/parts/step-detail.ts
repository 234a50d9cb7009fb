// Names and messages about steps, for all views that show them.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { endUs } from '../../analysis/answers/steps/steps.ts';
import { cellWidth, keepEnds, visible } from '../../base/text.ts';
import { titleName } from '../../columns/names.ts';
import { rangeText } from '../../columns/times.ts';
import type { Profile } from '../../model/profile.ts';
import type { Steps } from '../../model/steps/tables.ts';
import type { ViewContext } from '../view.ts';

/** Formats the line about a step, for views that do not depend on builds. */
export interface StepDetail {
  readonly text: (c: ViewContext<'steps'>, step: number) => string;
  /** Continues to compute data for the line, for `ms` milliseconds; true once done. */
  readonly work: (analysis: Analysis<'steps'>, ms: number) => boolean;
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
export function emptyText({ analysis }: ViewContext<'steps'>, otherwise: string): string {
  const { clip, name } = analysis.profile.steps;
  if (clip) return `nothing of this ran from ${rangeText(analysis)}`;
  return name.length === 0 ? 'there are no steps yet; after the next build, R reads them, and o follows it' : otherwise;
}

/** Joins the facts that fit on the two lines of the status; '' is no fact. No fact is cut, except a first one that is too long. */
export function joinFittingFacts(c: ViewContext<'steps'>, facts: readonly string[]): string {
  let line = '';
  for (const fact of facts.filter((text) => text !== '')) {
    const longer = line === '' ? fact : `${line}; ${fact}`;
    if (line === '' || cellWidth(visible(longer)) <= 2 * (c.width - 2)) line = longer;
  }
  return line;
}
