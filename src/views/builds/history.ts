// History: the kept builds of a tree, what became slower since when, and the course of each step and target.
import { HISTORIES, type HistoryRow, historyOf, openBuild, originOf } from '../../analysis/builds/history.ts';
import { plural } from '../../base/units.ts';
import { historyLists } from '../../columns/builds/history.ts';
import { time } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import { factLine } from '../parts/step-detail.ts';
import type { ViewContext } from '../view.ts';

export const history = rowsView({
  id: 'history',
  title: 'History',
  digit: '',
  lists: historyLists,
  sorts: 'same',
  empty: 'none of the kept builds says how long its steps took',
  variants: HISTORIES,
  variantKey: { help: 'switch between kept builds, steps and targets', of: 'show' },
  detail: (row, c) => factLine(c, facts(row, c)),
  mode(rows, c, variant) {
    const { builds } = historyOf(c.analysis.profile);
    const slower = rows.filter((row) => row.change && row.change.after > row.change.before).length;
    const open = openBuild(c.analysis) < 0 ? '' : ', ● this one';
    return `${plural(variant === 0 ? rows.length : builds.length, 'kept build')}${variant === 0 ? '' : `, ${slower} of ${plural(rows.length, HISTORIES[variant].replace(/s$/, ''))} became slower`}${open}`;
  },
  step: () => -1,
  enter: (row) => (row.build ? { type: 'open-profile', path: row.build.path } : undefined),
  enterKey: { help: 'open the kept build; Bksp returns. B compares it with another', footer: 'open' },
});

function facts(row: HistoryRow, c: ViewContext<'steps'>): string[] {
  const { change } = row;
  const all = historyOf(c.analysis.profile);
  if (!change) return [row.build?.path ?? `${row.name}: no change that is more than chance`];
  if (change.kind === 'drift')
    return [
      `it drifts: ${time(change.before * 1000)} in the first build, ${time(change.after * 1000)} in the last, by a straight line`,
    ];
  const before = change.build > 0 ? `, ${originOf(all, change.build - 1)} was the last before` : '';
  return [
    `${time(change.before * 1000)} before, ${time(change.after * 1000)} since ${originOf(all, change.build)}${before}`,
    row.name,
  ];
}
