// Changes: this build compared with the one before, step by step.

import { type Analysis, isOfKind } from '../analysis/analysis.ts';
import { type Change, changeName, changesOf } from '../analysis/steps/changes.ts';
import { criticalPath } from '../analysis/steps/critical.ts';
import { windowOf } from '../analysis/steps/steps.ts';
import { plural } from '../base/units.ts';
import { changeTable } from '../columns/changes.ts';
import { timeText } from '../columns/times.ts';
import { rowsView } from './parts/rows-view.ts';
import { stepDetail } from './parts/step-detail.ts';
import { ofKind, type ViewContext } from './view.ts';

type Context = ViewContext<'steps'>;

const buildOf = (base: Analysis | undefined) => (base && isOfKind(base, 'steps') ? base : undefined);

function nameOf(r: Change, c: Context): string {
  const base = buildOf(c.base);
  return base ? changeName(c.analysis, base, r) : '';
}

function goneText(r: Change, c: Context): string {
  const why = r.kind === 'gone' ? 'not in this build' : 'did not run in this build: it was up to date, or not asked for';
  return `${nameOf(r, c)}: ${why}; Enter shows it in the build before`;
}

export const changesTable = rowsView<'changes', Change, 'steps'>({
  id: 'changes',
  title: 'Changes',
  digit: '3',
  digitBesideCalls: '#',
  asks: ['steps'],
  of: ofKind('steps'),
  comparing: true,
  report: 'changes',
  sorts: 'same',
  empty: 'neither build has a step',
  rows(analysis, base) {
    const before = buildOf(base);
    return before ? changesOf(analysis, before) : [];
  },
  columns(c) {
    const base = buildOf(c.base);
    return base ? changeTable(base).columns(c) : [];
  },
  texts: (r, c) => [nameOf(r, c), r.kind],
  detail: (r, c) => (r.step >= 0 ? stepDetail(c, r.step, criticalPath(c.analysis)) : goneText(r, c)),
  mode(rows, c) {
    const base = buildOf(c.base);
    if (!base) return '';
    const lasted = (analysis: Analysis<'steps'>) => timeText(windowOf(analysis)[1] - windowOf(analysis)[0]);
    const count = (kind: Change['kind']) => `${rows.filter((r) => r.kind === kind).length} ${kind}`;
    const kinds = (['slower', 'faster', 'new', 'gone', 'not run'] as const).map(count).join(', ');
    return `${lasted(c.analysis)}, before ${lasted(base)}; ${kinds} of ${plural(rows.length, 'step')}`;
  },
  step: (r) => r.step,
  enter: (r) => (r.step < 0 ? { type: 'base-step', step: r.before } : undefined),
});
