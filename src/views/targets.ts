// Targets: time by target, or by other attributes that steps share.
import { GROUPS, groupRows, type TargetRow } from '../analysis/steps/targets.ts';
import { plural } from '../base/units.ts';
import { targetTable } from '../columns/targets.ts';
import { inRange } from '../columns/times.ts';
import { rowsView } from './parts/rows-view.ts';
import { emptyText } from './parts/step-detail.ts';
import { ofKind } from './view.ts';

export const targetsTable = rowsView<'targets', TargetRow, 'steps'>({
  id: 'targets',
  title: 'Targets',
  digit: '2',
  digitBesideCalls: 'Q',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'targets',
  empty: (c) => emptyText(c, 'no step belongs to such a group'),
  variants: GROUPS,
  unsaid: (variant) => (GROUPS[variant] === 'target' ? undefined : `steps by ${GROUPS[variant]}`),
  sorts: 'same',
  rows: (analysis, _, variant) => groupRows(analysis, GROUPS[variant]),
  columns: (c, variant) => targetTable(GROUPS[variant]).columns(c),
  texts: (t) => [t.target, ...t.labels],
  detail(t) {
    const labels = t.labels.length > 0 ? `, labels ${t.labels.join(', ')}` : '';
    return `${t.target}${t.type ? `, ${t.type}` : ''}${labels}: ${plural(t.steps, 'step')}`;
  },
  mode: (rows, c, variant) => `by ${GROUPS[variant]}, ${plural(rows.length, 'row')}${inRange(c.analysis)}`,
});
