// A step on one line.
import { criticalPath } from '../../analysis/steps/critical.ts';
import { shortStepName } from '../../analysis/steps/step-names.ts';
import { ran, stepText, windowOf } from '../../analysis/steps/steps.ts';
import { cellWidth, fit, visible } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import { timeText } from '../../columns/times.ts';
import type { ViewContext } from '../view.ts';

/** `width`: the room for it, if not the whole line. */
export function stepDetail(c: ViewContext<'steps'>, step: number, width?: number): string {
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
  const facts = `${when}${target ? `, ${target}` : ''}${ended}${critical}`;
  // A long name is cut, so that the numbers are whole.
  const room = Math.max(12, (width ?? c.width - 2) - cellWidth(facts) - 2);
  const name = shortStepName(profile, step);
  return `${cellWidth(visible(name)) > room ? fit(visible(name), room, 'left', 'middle') : name}: ${facts}`;
}

/** As many facts as a line has room for, whole. */
export function factLine(c: ViewContext<'steps'>, facts: readonly string[]): string {
  let line = '';
  for (const fact of facts) {
    const longer = line === '' ? fact : `${line}; ${fact}`;
    if (line === '' || cellWidth(visible(longer)) <= c.width - 2) line = longer;
  }
  return line;
}
