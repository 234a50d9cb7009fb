// The line about a step of a build: general facts, the change since the base build, and the critical path.
import { isOfKind } from '../../analysis/answers/analysis.ts';
import { isJob, uncutDurationUs } from '../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../analysis/builds/changes.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { timeText } from '../../columns/times.ts';
import { type StepDetail, stepLine } from '../parts/step-detail.ts';
import type { ViewContext } from '../view.ts';

/** The line about a step. `critical`: the critical path, once it is known. */
export function stepDetail(c: ViewContext<'steps'>, step: number, critical = criticalPathOf(c.analysis).ready): string {
  return stepLine(c, step, { change: changeText(c, step), critical: critical?.on[step] ? 'on the critical path' : '' });
}

export const buildStepDetail: StepDetail = {
  text: (c, step) => stepDetail(c, step),
  work: (analysis, ms) => criticalPathOf(analysis).run(ms),
};

/** The duration of a job in the base build, and the change since: `before 3.20s (+1.79s, +56%)`. */
function changeText({ analysis, base }: ViewContext<'steps'>, step: number): string {
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
