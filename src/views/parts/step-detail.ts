// A step on one line.
import { criticalPath } from '../../analysis/steps/critical.ts';
import { ran, stepName, stepText, windowOf } from '../../analysis/steps/steps.ts';
import { formatCount } from '../../base/units.ts';
import { timeText } from '../../columns/times.ts';
import type { ViewContext } from '../view.ts';

export function stepDetail(c: ViewContext<'steps'>, step: number): string {
  const { profile } = c.analysis;
  const steps = profile.steps;
  const target = stepText(profile, 'target', step);
  const result = steps.result[step];
  const [origin] = windowOf(c.analysis);
  const when = ran(steps, step)
    ? `${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}`
    : 'never ran';
  const ended = Number.isNaN(result) ? '' : `, result ${formatCount(result)}`;
  const critical = criticalPath(c.analysis).on[step] ? ', on the critical path' : '';
  const name = stepName(profile, step);
  return `${name}: ${when}${target && !name.endsWith(` ${target}`) ? `, ${target}` : ''}${ended}${critical}`;
}
