// Changes: this build compared with the one before, step by step.

import { CHANGE_KINDS, type Change } from '../../analysis/builds/changes.ts';
import { criticalPathOf } from '../../analysis/builds/critical.ts';
import { plural } from '../../base/units.ts';
import { changeList, wholeTimes } from '../../columns/builds/changes.ts';
import { baseOf } from '../../columns/listing.ts';
import { timeText } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import type { ViewContext } from '../view.ts';
import { stepDetail } from './step-detail.ts';

type Context = ViewContext<'steps'>;

function goneText(r: Change, c: Context): string {
  const why = r.kind === 'gone' ? 'not in this build' : 'did not run: up to date or not requested';
  return `${changeList.texts(r, c)[0]}: ${why}; Enter shows it in the build before`;
}

export const changesTable = rowsView({
  id: 'changes',
  title: 'Changes',
  digit: '3',
  digitBesideCalls: '',
  lists: [changeList],
  comparing: true,
  sorts: 'same',
  empty: 'neither build has a step',
  detail: (r, c) => (r.step >= 0 ? stepDetail(c, r.step) : goneText(r, c)),
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  mode(rows, c) {
    const base = baseOf(c, 'steps');
    if (!base) return '';
    const { what, nowUs, beforeUs } = wholeTimes(c.analysis, base);
    const count = (kind: Change['kind']) => rows.filter((r) => r.kind === kind).length;
    const shown = CHANGE_KINDS.filter((kind) => kind !== 'same' && (kind !== 'run now' || count(kind) > 0));
    const kinds = shown.map((kind) => `${count(kind)} ${kind}`).join(', ');
    return `${what === 'summed' ? 'summed ' : ''}${timeText(nowUs)}, before ${timeText(beforeUs)}; ${kinds} of ${plural(rows.length, 'step')}`;
  },
  step: (r) => r.step,
  enter: (r) => (r.step < 0 ? { type: 'base-step', step: r.before } : undefined),
});
