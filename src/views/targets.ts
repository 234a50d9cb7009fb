// Targets: time by target, or by other attributes that steps share.
import { GROUPS } from '../analysis/answers/steps/targets.ts';
import { plural } from '../base/units.ts';
import { targetLists } from '../columns/targets.ts';
import { inRange } from '../columns/times.ts';
import { rowsView } from './parts/rows-view.ts';
import { emptyText } from './parts/step-detail.ts';

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
  detail(t) {
    const labels = t.labels.length > 0 ? `, labels ${t.labels.join(', ')}` : '';
    return `${t.target}${t.type ? `, ${t.type}` : ''}${labels}: ${plural(t.steps, 'step')}`;
  },
  mode: (rows, c, variant) => `by ${GROUPS[variant]}, ${plural(rows.length, 'row')}${inRange(c.analysis)}`,
});
