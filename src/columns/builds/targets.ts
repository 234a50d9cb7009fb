// The columns of targets and other groups of steps: one row per group.

import { stepName, stepText } from '../../analysis/answers/steps/steps.ts';
import { type CriticalPath, criticalPath } from '../../analysis/builds/critical.ts';
import {
  criticalByGroup,
  GROUPINGS,
  type Grouping,
  groupRows,
  idleGroups,
  NO_TARGET,
  type TargetRow,
} from '../../analysis/builds/targets.ts';
import { barColumn, dataColumn, largestMagnitude, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen } from '../column.ts';
import { baseOfKind, makeListing } from '../listing.ts';
import { pairRows } from '../paired.ts';
import { msText, timeColumn, timeOrUnknown, timeShareColumn, totalWorkUs } from '../times.ts';
import { readyCriticalPath } from './times.ts';

function timeColumns(c: ColumnContext<'steps'>, group: Grouping, rows: readonly TargetRow[]): Column<TargetRow>[] {
  const { analysis } = c;
  const column = (id: string, title: string, rank: number, us: (t: TargetRow) => number, also?: string): Column<TargetRow> => ({
    ...timeColumn(c, id, title, rank, us),
    ...{ title, also },
    text: (t) => onScreen(c, us(t) > 0 || rank === 9 ? timeOrUnknown(us(t)) : '', msText(us(t), '')),
  });
  const duration = (t: TargetRow) => t.durationUs;
  // Steps without a start are on no path that is known.
  const critical = (t: TargetRow, path: CriticalPath | undefined) =>
    Number.isNaN(t.weightedUs) ? Number.NaN : ((path && criticalByGroup(analysis, group, path).get(t.target)) ?? 0);
  return [
    column('duration', onScreen(c, 'time', 'ms'), 9, duration, 'duration'),
    timeShareColumn(duration, totalWorkUs(analysis)),
    ...barColumn(c, duration, largestMagnitude(rows, duration)),
    { ...column('weighted', 'weighted', 6, (t) => t.weightedUs), only: 'screen', text: (t) => timeOrUnknown(t.weightedUs) },
    {
      ...column('critical', 'critical', 6, (t) => critical(t, readyCriticalPath(c)), 'critical'),
      key: (t) => critical(t, criticalPath(analysis)),
    },
    column('compile', 'compile', 4, (t) => t.compileUs),
    column('waited', 'waited', 2, (t) => t.waitedUs),
    column('link', 'link', 4, (t) => t.linkUs),
  ];
}

function countColumns(rows: readonly TargetRow[]): Column<TargetRow>[] {
  return [
    numberColumn('steps', (t) => t.steps, { width: 6, rank: 5, measured: true }),
    numberColumn('failed', (t) => t.failed, {
      ...{ width: 6, rank: 5, only: 'screen', measured: true },
      // The column is hidden in builds without failures.
      text: rows.some((t) => t.failed > 0)
        ? (t: TargetRow) => (t.failed > 0 ? { text: String(t.failed), style: 'error' } : '')
        : undefined,
    }),
  ];
}

/** `no target: test, …`: the role of the longest step, and whether there are others. */
const rolesOfNoTarget = ({ analysis }: ColumnContext<'steps'>, { longest, roles }: TargetRow): string =>
  `no target: ${stepText(analysis.profile, 'role', longest) ?? '?'}${roles.size > 1 ? ', …' : ''}`;

function nameColumns(c: ColumnContext<'steps'>, group: string): Column<TargetRow>[] {
  const type = (t: TargetRow) => (t.type ?? '').toLowerCase().replace('_', ' ');
  return [
    wordColumn('target', (t) => t.target, {
      ...{ title: group, width: c.width < 60 ? 14 : 18, flex: 1, cut: 'middle', rank: 9 },
      text: (t) => (c.medium === 'screen' && t.target === NO_TARGET ? rolesOfNoTarget(c, t) : t.target),
    }),
    wordColumn('type', (t) => t.type, { width: 14, rank: 1, style: 'dim', text: (t) => onScreen(c, type(t), t.type ?? '') }),
    wordColumn('labels', (t) => t.labels.join(' '), {
      ...{ width: 10, rank: 0, style: 'dim', only: 'screen', key: undefined },
      value: (t) => [...t.labels],
    }),
  ];
}

/**
 * One list per grouping; the first one groups by target. The heading for people is the group; the JSON key is always `target`. Of two
 * builds, groups with equal names are pairs.
 */
export const targetLists = GROUPINGS.map((group) => {
  const list = makeListing<TargetRow, 'steps'>({
    ...{ name: 'targets', requires: ['steps'], kind: 'steps' },
    keys: 'target type labels steps durationMs weightedMs compileMs linkMs waitedMs lastObject criticalMs failed'.split(' '),
    columns(c) {
      const rows = groupRows(c.analysis, group);
      const lastObject = (t: TargetRow) => (t.lastObject < 0 ? null : stepName(c.analysis.profile, t.lastObject));
      const columns = [...timeColumns(c, group, rows), ...countColumns(rows), dataColumn('lastObject', lastObject)];
      return [...columns, ...nameColumns(c, group)];
    },
    all: ({ analysis }) => groupRows(analysis, group),
    texts: (t) => [t.target, ...t.labels],
  });
  return pairRows(
    list,
    (c) => baseOfKind(c, 'steps'),
    undefined,
    ({ now, before }, analysis, base) => {
      const row = now ?? before;
      return row && idleGroups(analysis, base, group).has(row.target) ? (now ? 'run now' : 'not run') : undefined;
    },
  );
});
