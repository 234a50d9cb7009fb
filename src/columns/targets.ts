// The columns of targets, and of other groups of steps: one row per group.
import type { TargetRow } from '../analysis/steps/targets.ts';
import { bar } from '../base/text.ts';
import { formatCount } from '../base/units.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import { ms, msText, shareColumn, time, weightedTotal, workTotal } from './times.ts';

/** `group`: what people see a row called; machines always get `target`. */
export function targetTable(group: string): Table<TargetRow, 'steps'> {
  return {
    keys: 'target type labels steps durationMs weightedMs compileMs linkMs criticalMs failed'.split(' '),
    columns: (c) => [...timeColumns(c), ...countColumns(), ...nameColumns(c, group)],
  };
}

const right = { align: 'right' } as const;

function timeColumns(c: ColumnContext<'steps'>): Column<TargetRow>[] {
  const { analysis } = c;
  const column = (id: string, title: string, rank: number, us: (t: TargetRow) => number, also?: string): Column<TargetRow> => ({
    ...right,
    ...(also ? { also } : {}),
    id,
    title,
    width: 8,
    rank,
    value: (t) => ms(us(t)),
    text: (t) => onScreen(c, us(t) > 0 || rank === 9 ? time(us(t)) : '', msText(us(t))),
    key: us,
  });
  const duration = { ...column('durationMs', onScreen(c, 'time', 'ms'), 9, (t) => t.durationUs, 'duration') };
  const weighted: Column<TargetRow> = {
    ...column('weightedMs', 'weighted', 6, (t) => t.weightedUs),
    only: 'screen',
    text: (t) => time(t.weightedUs),
  };
  return [
    duration,
    shareColumn((t) => t.durationUs, workTotal(analysis)),
    {
      id: 'bar',
      title: '',
      width: 10,
      rank: 2,
      only: 'screen',
      text: (t) => ({ text: bar(t.weightedUs / weightedTotal(analysis), 10), style: 'dim' }),
    },
    weighted,
    column('criticalMs', 'critical', 6, (t) => t.criticalUs, 'critical'),
    column('compileMs', 'compile', 4, (t) => t.compileUs),
    column('linkMs', 'link', 4, (t) => t.linkUs),
  ];
}

function countColumns(): Column<TargetRow>[] {
  return [
    {
      ...right,
      id: 'steps',
      title: 'steps',
      width: 6,
      rank: 5,
      value: (t) => t.steps,
      text: (t) => formatCount(t.steps),
      key: (t) => t.steps,
    },
    {
      ...right,
      id: 'failed',
      title: 'failed',
      width: 6,
      rank: 5,
      value: (t) => t.failed,
      only: 'screen',
      text: (t) => (t.failed > 0 ? { text: String(t.failed), style: 'error' } : ''),
      key: (t) => t.failed,
    },
  ];
}

function nameColumns(c: ColumnContext<'steps'>, group: string): Column<TargetRow>[] {
  const type = (t: TargetRow) => (t.type ?? '').toLowerCase().replace('_', ' ');
  return [
    {
      id: 'target',
      title: group,
      width: c.width < 60 ? 14 : 18,
      flex: 1,
      cut: 'middle',
      rank: 9,
      value: (t) => t.target,
      text: (t) => t.target,
      key: (t) => t.target,
    },
    {
      id: 'type',
      title: 'type',
      width: 14,
      rank: 1,
      style: 'dim',
      value: (t) => t.type,
      text: (t) => onScreen(c, type(t), t.type ?? ''),
      key: (t) => t.type ?? '',
    },
    {
      id: 'labels',
      title: 'labels',
      width: 10,
      rank: 0,
      style: 'dim',
      value: (t) => [...t.labels],
      only: 'screen',
      text: (t) => t.labels.join(' '),
    },
  ];
}
