// The columns of targets, and of other groups of steps: one row per group.

import { stepName } from '../../analysis/answers/steps/steps.ts';
import { type CriticalPath, criticalPath } from '../../analysis/builds/critical.ts';
import { criticalByGroup, GROUPS, type Grouping, groupRows, type TargetRow } from '../../analysis/builds/targets.ts';
import { barColumn, counts, data, largest, words } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from '../column.ts';
import type { Listing } from '../listing.ts';
import { msText, shareColumn, time, timeColumn, workTotal } from '../times.ts';
import { pathFor } from './times.ts';

/** `group`: what people see a row called; machines always get `target`. */
function targetTable(group: Grouping, rows: (c: ColumnContext<'steps'>) => readonly TargetRow[]): Table<TargetRow, 'steps'> {
  return {
    keys: 'target type labels steps durationMs weightedMs compileMs linkMs waitedMs lastObject criticalMs failed'.split(' '),
    columns: (c) => [...timeColumns(c, group, rows(c)), ...countColumns(rows(c)), lastObject(c), ...nameColumns(c, group)],
  };
}

function timeColumns(c: ColumnContext<'steps'>, group: Grouping, rows: readonly TargetRow[]): Column<TargetRow>[] {
  const { analysis } = c;
  const column = (id: string, title: string, rank: number, us: (t: TargetRow) => number, also?: string): Column<TargetRow> => ({
    ...timeColumn(c, id, title, rank, us),
    ...{ title, also },
    text: (t) => onScreen(c, us(t) > 0 || rank === 9 ? time(us(t)) : '', msText(us(t), '')),
  });
  const critical = (path: CriticalPath | undefined) => path && criticalByGroup(analysis, group, path);
  return [
    column('duration', onScreen(c, 'time', 'ms'), 9, (t) => t.durationUs, 'duration'),
    shareColumn((t) => t.durationUs, workTotal(analysis)),
    ...barColumn<TargetRow>(
      c,
      (t) => t.durationUs,
      largest(rows, (t) => t.durationUs),
    ),
    { ...column('weighted', 'weighted', 6, (t) => t.weightedUs), only: 'screen', text: (t) => time(t.weightedUs) },
    {
      ...column('critical', 'critical', 6, (t) => critical(pathFor(c))?.get(t.target) ?? 0, 'critical'),
      key: (t) => critical(criticalPath(analysis))?.get(t.target) ?? 0,
    },
    column('compile', 'compile', 4, (t) => t.compileUs),
    column('waited', 'waited', 2, (t) => t.waitedUs),
    column('link', 'link', 4, (t) => t.linkUs),
  ];
}

function countColumns(rows: readonly TargetRow[]): Column<TargetRow>[] {
  return [
    counts('steps', (t) => t.steps, { width: 6, rank: 5, measured: true }),
    counts('failed', (t) => t.failed, {
      ...{ width: 6, rank: 5, only: 'screen', measured: true },
      // Nothing failed in most builds.
      text: rows.some((t) => t.failed > 0)
        ? (t: TargetRow) => (t.failed > 0 ? { text: String(t.failed), style: 'error' } : '')
        : undefined,
    }),
  ];
}

/** The compile of a target that ended last. */
const lastObject = ({ analysis }: ColumnContext<'steps'>) =>
  data<TargetRow>('lastObject', (t) => (t.lastObject < 0 ? null : stepName(analysis.profile, t.lastObject)));

function nameColumns(c: ColumnContext<'steps'>, group: string): Column<TargetRow>[] {
  const type = (t: TargetRow) => (t.type ?? '').toLowerCase().replace('_', ' ');
  return [
    words('target', (t) => t.target, { title: group, width: c.width < 60 ? 14 : 18, flex: 1, cut: 'middle', rank: 9 }),
    words('type', (t) => t.type, { width: 14, rank: 1, style: 'dim', text: (t) => onScreen(c, type(t), t.type ?? '') }),
    words('labels', (t) => t.labels.join(' '), {
      ...{ width: 10, rank: 0, style: 'dim', only: 'screen', key: undefined },
      value: (t) => [...t.labels],
    }),
  ];
}

/** By target first, then by other attributes of steps. */
export const targetLists = GROUPS.map((group): Listing<TargetRow, 'steps'> => {
  const all = ({ analysis }: ColumnContext<'steps'>) => groupRows(analysis, group);
  const table = targetTable(group, all);
  return {
    ...{ name: 'targets', asks: ['steps'], kind: 'steps' },
    table: () => table,
    all,
    texts: (t) => [t.target, ...t.labels],
  };
});
