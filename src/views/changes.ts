// Changes: this build and the one before, step by step.
import { type Change, changeName, changesOf } from '../analysis/changes.ts';
import { windowOf } from '../analysis/steps.ts';
import { plural } from '../base/units.ts';
import { stepDetail } from './gantt.ts';
import { rowsView } from './parts/rows-view.ts';
import { timeText } from './parts/timeline.ts';
import type { Style, ViewContext } from './view.ts';

const time = (us: number) => (Number.isNaN(us) ? '' : timeText(us));
const signed = (us: number) => (us === 0 ? '=' : `${us > 0 ? '+' : '-'}${timeText(Math.abs(us))}`);
const STYLES: Readonly<Record<Change['kind'], Style>> = { slower: 'hot', faster: 'call', same: 'dim', new: 'warm', gone: 'dim' };
const nameOf = (r: Change, c: ViewContext) => changeName(c.analysis, c.base!, r);

export const changesTable = rowsView<Change>({
  id: 'changes',
  title: 'Changes',
  digit: '3',
  requires: ['steps'],
  comparing: true,
  report: 'changes',
  empty: 'neither build has a step',
  rows: (analysis, base) => (base ? changesOf(analysis, base) : []),
  columns: (c) => [
    {
      title: 'change',
      width: 9,
      align: 'right',
      rank: 9,
      cell: (r) => ({ text: signed(r.changeUs), style: STYLES[r.kind] }),
      key: (r) => r.changeUs,
    },
    { title: 'before', width: 8, align: 'right', rank: 7, cell: (r) => time(r.beforeUs), key: (r) => r.beforeUs },
    { title: 'now', width: 8, align: 'right', rank: 7, cell: (r) => time(r.afterUs), key: (r) => r.afterUs },
    { title: '', width: 6, rank: 8, cell: (r) => ({ text: r.kind, style: STYLES[r.kind] }), key: (r) => r.kind },
    {
      title: 'step',
      width: c.width < 60 ? 14 : 26,
      flex: 1,
      cut: 'middle',
      rank: 9,
      cell: (r) => nameOf(r, c),
      key: (r) => nameOf(r, c),
    },
  ],
  texts: (r, c) => [nameOf(r, c), r.kind],
  detail: (r, c) => (r.step >= 0 ? stepDetail(c, r.step) : `${nameOf(r, c)}: not in this build`),
  mode(rows, c) {
    const [from, to] = windowOf(c.analysis);
    const [baseFrom, baseTo] = windowOf(c.base!);
    const count = (kind: Change['kind']) => rows.filter((r) => r.kind === kind).length;
    return `${timeText(to - from)}, before ${timeText(baseTo - baseFrom)}; ${count('slower')} slower, ${count('faster')} faster, ${count('new')} new, ${count('gone')} gone of ${plural(rows.length, 'step')}`;
  },
  step: (r) => r.step,
});
