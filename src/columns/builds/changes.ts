// The columns of two compared builds: one row per step.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName, stepHeading } from '../../analysis/answers/steps/step-names.ts';
import { buildUs, recordedName, stepText } from '../../analysis/answers/steps/steps.ts';
import { type Change, changeName, changesOf } from '../../analysis/builds/changes.ts';
import type { Style } from '../../base/style.ts';
import { sideBar } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import { counts, data, shown, words } from '../builders.ts';
import { type Column, type ColumnContext, onScreen, type Table } from '../column.ts';
import type { State } from '../compared.ts';
import { baseOf, type Listing } from '../listing.ts';
import { CHANGE_BAR } from '../routine-changes.ts';
import { ms, timeChange, timeText } from '../times.ts';
import { jobTotal } from './times.ts';

/** The time of two builds: from start to end, or summed where nothing says when the steps of one of them ran. */
export function wholeTimes(analysis: Analysis<'steps'>, base: Analysis<'steps'>) {
  const isKnown = buildUs(analysis) > 0 && buildUs(base) > 0;
  const us = isKnown ? buildUs : jobTotal;
  return { what: isKnown ? 'from start to end' : 'summed', nowUs: us(analysis), beforeUs: us(base) } as const;
}

const STYLES: Readonly<Record<Change['kind'], Style>> = {
  slower: 'hot',
  faster: 'call',
  same: 'dim',
  new: 'warm',
  'run now': 'plain',
  gone: 'dim',
  'not run': 'dim',
};

const table: Table<Change, 'steps'> = {
  keys: 'name kind target source beforeMs durationMs changeMs id baseId'.split(' '),
  columns(c) {
    const base = baseOf(c, 'steps');
    return base ? [...timeColumns(c), ...nameColumns(c, base), ...RECORDS] : [];
  },
};

/** Nothing without a build to compare with. */
export const changeList: Listing<Change, 'steps'> = {
  ...{ name: 'changes', asks: ['steps'], kind: 'steps' },
  table: () => table,
  all(c) {
    const base = baseOf(c, 'steps');
    return base ? changesOf(c.analysis, base) : [];
  },
  texts(r, c) {
    const base = baseOf(c, 'steps');
    return [base ? changeName(c.analysis, base, r) : '', r.kind];
  },
};

/** Steps that did not run in a build are part of it all the same: only their time is missing. */
const STATES: Readonly<Record<Change['kind'], State>> = {
  slower: 'both',
  faster: 'both',
  same: 'both',
  new: 'new',
  'run now': 'both',
  gone: 'gone',
  'not run': 'both',
};

/** The same as the changes of routines have it. */
const RECORDS: readonly Column<Change>[] = [
  data('state', (r) => STATES[r.kind]),
  data('before', (r) => ({ durationMs: ms(r.beforeUs) })),
  data('now', (r) => ({ durationMs: ms(r.afterUs) })),
  data('delta', (r) => ({ durationMs: ms(r.changeUs) })),
];

function timeColumns(c: ColumnContext<'steps'>): Column<Change>[] {
  // The greatest is the first.
  const most = Math.abs(changeList.all(c)[0]?.changeUs) || 1;
  const timeIn = (us: number) => (Number.isNaN(us) ? '' : onScreen(c, timeText(us), formatCount(us / 1000)));
  const column = (id: string, title: string, us: (r: Change) => number) =>
    counts(id, us, { title, width: 8, rank: 7, value: (r) => ms(us(r)), text: (r) => timeIn(us(r)) });
  return [
    {
      ...column('changeMs', onScreen(c, 'change', 'change ms'), (r) => r.changeUs),
      ...{ width: 9, rank: 9 },
      text: (r) => ({ text: timeChange(c, r.changeUs), style: STYLES[r.kind] }),
    },
    shown('bar', (r) => ({ text: sideBar(r.changeUs / most, CHANGE_BAR), style: STYLES[r.kind] }), {
      ...{ title: '', width: CHANGE_BAR, rank: 3, only: 'screen' },
    }),
    column('beforeMs', 'before', (r) => r.beforeUs),
    column('durationMs', 'now', (r) => r.afterUs),
  ];
}

function nameColumns(c: ColumnContext<'steps'>, base: Analysis<'steps'>): Column<Change>[] {
  const { analysis } = c;
  const name = (r: Change) => changeName(analysis, base, r);
  const short = (r: Change) => (r.step >= 0 ? shortStepName(analysis.profile, r.step) : shortStepName(base.profile, r.before));
  const text = (r: Change, column: 'target' | 'source') =>
    r.step >= 0 ? stepText(analysis.profile, column, r.step) : stepText(base.profile, column, r.before);
  return [
    words('kind', (r) => r.kind, {
      ...{ title: '', width: 7, rank: 8 },
      text: (r) => ({ text: r.kind, own: [r.kind, ''], style: STYLES[r.kind] }),
    }),
    words('name', name, {
      ...{
        title: onScreen(c, stepHeading(analysis.profile), 'step'),
        width: c.width < 60 ? 14 : 26,
        flex: 1,
        cut: 'step',
        rank: 9,
      },
      value: (r) => changeName(analysis, base, r, recordedName),
      text: onScreen(c, short, name),
    }),
    data('target', (r) => text(r, 'target')),
    data('source', (r) => text(r, 'source')),
    data('id', (r) => (r.step < 0 ? null : r.step)),
    data('baseId', (r) => (r.before < 0 ? null : r.before)),
  ];
}
