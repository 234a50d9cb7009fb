// What tables of steps have in common: times as text, and the sums that shares are of.
import type { Analysis } from '../../analysis/analysis.ts';
import { activeSteps, isJob, weightedUs } from '../../analysis/steps.ts';
import { memo } from '../../base/memo.ts';
import type { ViewContext } from '../view.ts';
import { timeText } from './timeline.ts';

export const time = (us: number) => (Number.isNaN(us) ? '?' : timeText(us));
export const steps = (c: ViewContext) => c.analysis.profile.steps!;
export const jobTotal = memo((analysis: Analysis): number => {
  let sum = 0;
  for (const i of activeSteps(analysis)) if (isJob(analysis.profile.steps!, i)) sum += analysis.profile.steps!.durationUs[i];
  return sum;
});
export const weightedTotal = memo((analysis: Analysis): number => weightedUs(analysis).reduce((a, b) => a + b, 0));
