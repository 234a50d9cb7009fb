// Targets: time by target, or by other attributes that steps share.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { GROUPS, type TargetRow } from '../../analysis/builds/targets.ts';
import { plural } from '../../base/units.ts';
import { targetLists } from '../../columns/builds/targets.ts';
import { inRange, time } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import { emptyText } from '../parts/step-detail.ts';

/** `; last object at 33.0s: a.cpp, the link started 1.20s later` */
function linkText(analysis: Analysis<'steps'>, { lastObject, waitedUs }: TargetRow): string {
  if (lastObject < 0) return '';
  const { startUs, durationUs } = analysis.profile.steps;
  const end = startUs[lastObject] + durationUs[lastObject] - wholeWindowOf(analysis)[0];
  const link = Number.isNaN(waitedUs) ? '' : `, the link started ${time(waitedUs)} later`;
  return `; last object at ${time(end)}: ${shortStepName(analysis.profile, lastObject)}${link}`;
}

export const targetsTable = rowsView({
  id: 'targets',
  title: 'Targets',
  digit: '2',
  digitBesideCalls: '',
  lists: targetLists,
  empty: (c) => emptyText(c, 'no step belongs to such a group'),
  variants: GROUPS,
  silent: (profile) =>
    profile.kind === 'steps' && [profile.steps.target, profile.steps.language].every((ids) => ids.every((id) => id < 0)),
  unsaid: (variant) => (GROUPS[variant] === 'target' ? undefined : `steps by ${GROUPS[variant]}`),
  sorts: 'same',
  detail(t, c) {
    const labels = t.labels.length > 0 ? `, labels ${t.labels.join(', ')}` : '';
    return `${t.target}${t.type ? `, ${t.type}` : ''}${labels}: ${plural(t.steps, 'step')}${linkText(c.analysis, t)}`;
  },
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  step: (t) => t.longest,
  // The list opens with the most time, whichever step was looked at.
  rowOf: () => -1,
  enterKey: { help: 'show its longest step in full', footer: 'longest step' },
  mode: (rows, c, variant) => `by ${GROUPS[variant]}, ${plural(rows.length, 'row')}${inRange(c.analysis)}`,
});
