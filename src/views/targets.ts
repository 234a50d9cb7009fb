// Targets: time by target, and by what else the steps of a build have in common.
import { GROUPS, groupRows, type TargetRow } from '../analysis/targets.ts';
import { formatCount, formatPercent, plural } from '../base/units.ts';
import { rowsView } from './parts/rows-view.ts';
import { jobTotal, time, weightedTotal } from './parts/step-cells.ts';
import { bar, heat } from './parts/table.ts';

export const targetsTable = rowsView<TargetRow>({
  id: 'targets',
  title: 'Targets',
  digit: '2',
  requires: ['steps'],
  report: 'targets',
  empty: 'no step is in such a group',
  variants: GROUPS,
  rows: (analysis, _, variant) => groupRows(analysis, GROUPS[variant]),
  columns: (c, variant) => [
    { title: 'time', width: 8, align: 'right', rank: 9, cell: (t) => time(t.durationUs), key: (t) => t.durationUs },
    {
      title: '%',
      width: 7,
      align: 'right',
      rank: 7,
      cell: (t) => ({
        text: formatPercent(t.durationUs, jobTotal(c.analysis)),
        style: heat(t.durationUs / jobTotal(c.analysis)),
      }),
    },
    {
      title: '',
      width: 10,
      rank: 2,
      cell: (t) => ({ text: bar(t.weightedUs / weightedTotal(c.analysis), 10, c.ascii), style: 'dim' as const }),
    },
    { title: 'weighted', width: 8, align: 'right', rank: 6, cell: (t) => time(t.weightedUs), key: (t) => t.weightedUs },
    {
      title: 'critical',
      width: 8,
      align: 'right',
      rank: 6,
      cell: (t) => (t.criticalUs > 0 ? time(t.criticalUs) : ''),
      key: (t) => t.criticalUs,
    },
    {
      title: 'compile',
      width: 8,
      align: 'right',
      rank: 4,
      cell: (t) => (t.compileUs > 0 ? time(t.compileUs) : ''),
      key: (t) => t.compileUs,
    },
    { title: 'link', width: 8, align: 'right', rank: 4, cell: (t) => (t.linkUs > 0 ? time(t.linkUs) : ''), key: (t) => t.linkUs },
    { title: 'steps', width: 6, align: 'right', rank: 5, cell: (t) => formatCount(t.steps), key: (t) => t.steps },
    {
      title: 'failed',
      width: 6,
      align: 'right',
      rank: 5,
      cell: (t) => (t.failed > 0 ? { text: String(t.failed), style: 'error' as const } : ''),
      key: (t) => t.failed,
    },
    {
      title: GROUPS[variant],
      width: c.width < 60 ? 14 : 18,
      flex: 1,
      cut: 'middle',
      rank: 9,
      cell: (t) => t.target,
      key: (t) => t.target,
    },
    {
      title: 'type',
      width: 14,
      rank: 1,
      style: 'dim',
      cell: (t) => (t.type ?? '').toLowerCase().replace('_', ' '),
      key: (t) => t.type ?? '',
    },
    { title: 'labels', width: 10, rank: 0, style: 'dim', cell: (t) => t.labels.join(' ') },
  ],
  texts: (t) => [t.target, ...t.labels],
  detail: (t) =>
    `${t.target}${t.type ? `, ${t.type}` : ''}${t.labels.length > 0 ? `, labels ${t.labels.join(', ')}` : ''}: ${plural(t.steps, 'step')}`,
  mode: (rows, _, variant) => `by ${GROUPS[variant]}, ${plural(rows.length, 'row')}`,
});
