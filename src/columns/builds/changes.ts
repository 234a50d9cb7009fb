// The columns of two compared builds: one row per step.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { stepHeading } from '../../analysis/answers/steps/step-names.ts';
import { buildDurationUs, recordedName, stepText } from '../../analysis/answers/steps/steps.ts';
import { changeName, changesOf, type StepChange } from '../../analysis/builds/changes.ts';
import type { Style } from '../../base/style.ts';
import { twoSidedBar } from '../../base/text.ts';
import { formatCount } from '../../base/units.ts';
import { dataColumn, displayColumn, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen } from '../column.ts';
import { baseOfKind, makeListing } from '../listing.ts';
import { BAR_CELLS } from '../routine-changes.ts';
import { msOrNull, timeChange, timeText } from '../times.ts';
import { roleColumn, stepNameText } from './step-names.ts';
import { totalJobUs } from './times.ts';

/** The times of two builds: wall times, or summed times if the step times of either build are unknown. */
export function comparedBuildTimes(analysis: Analysis<'steps'>, base: Analysis<'steps'>) {
  const isKnown = buildDurationUs(analysis) > 0 && buildDurationUs(base) > 0;
  const us = isKnown ? buildDurationUs : totalJobUs;
  return { what: isKnown ? 'from start to end' : 'summed', nowUs: us(analysis), beforeUs: us(base) } as const;
}

const CHANGE_STYLES: Readonly<Record<StepChange['kind'], Style>> = {
  slower: 'more',
  faster: 'less',
  same: 'dim',
  new: 'warm',
  'run now': 'plain',
  gone: 'dim',
  'not run': 'dim',
};

/** The changes between two builds; empty without a base. */
export const changeList = makeListing<StepChange, 'steps'>({
  ...{ name: 'changes', requires: ['steps'], kind: 'steps' },
  keys: 'name kind target source beforeMs durationMs changeMs id baseId'.split(' '),
  columns(c) {
    const base = baseOfKind(c, 'steps');
    return base ? [...timeColumns(c), ...nameColumns(c, base), ...JSON_COLUMNS] : [];
  },
  all(c) {
    const base = baseOfKind(c, 'steps');
    return base ? changesOf(c.analysis, base) : [];
  },
  texts(r, c) {
    const base = baseOfKind(c, 'steps');
    return [base ? changeName(c.analysis, base, r) : '', r.kind];
  },
});

/** The JSON columns, in the format of routine changes. */
const JSON_COLUMNS: readonly Column<StepChange>[] = [
  // A step that did not run is still part of its build; only its time is missing.
  dataColumn('state', ({ kind }) => (kind === 'new' || kind === 'gone' ? kind : 'both')),
  dataColumn('before', (r) => ({ durationMs: msOrNull(r.beforeUs) })),
  dataColumn('now', (r) => ({ durationMs: msOrNull(r.afterUs) })),
  dataColumn('delta', (r) => ({ durationMs: msOrNull(r.changeUs) })),
];

function timeColumns(c: ColumnContext<'steps'>): Column<StepChange>[] {
  // The list is sorted: the largest change comes first.
  const most = Math.abs(changeList.all(c)[0]?.changeUs) || 1;
  const timeIn = (us: number) => (Number.isNaN(us) ? '' : onScreen(c, timeText(us), formatCount(us / 1000)));
  const column = (id: string, title: string, us: (r: StepChange) => number) =>
    numberColumn(id, us, { title, width: 8, rank: 7, value: (r) => msOrNull(us(r)), text: (r) => timeIn(us(r)) });
  return [
    {
      ...column('changeMs', onScreen(c, 'change', 'change ms'), (r) => r.changeUs),
      ...{ width: 9, rank: 9 },
      text: (r) => ({ text: timeChange(c, r.changeUs), style: CHANGE_STYLES[r.kind] }),
    },
    displayColumn('bar', (r) => ({ text: twoSidedBar(r.changeUs / most, BAR_CELLS), style: CHANGE_STYLES[r.kind] }), {
      ...{ title: '', width: BAR_CELLS, rank: 3, only: 'screen' },
    }),
    column('beforeMs', 'before', (r) => r.beforeUs),
    column('durationMs', 'now', (r) => r.afterUs),
  ];
}

function nameColumns(c: ColumnContext<'steps'>, base: Analysis<'steps'>): Column<StepChange>[] {
  const { analysis } = c;
  const name = (r: StepChange) => changeName(analysis, base, r);
  const side = (r: StepChange) => (r.step >= 0 ? analysis : base);
  const step = (r: StepChange) => (r.step >= 0 ? r.step : r.before);
  const text = (r: StepChange, column: 'target' | 'source') => stepText(side(r).profile, column, step(r));
  return [
    wordColumn('kind', (r) => r.kind, {
      ...{ title: '', width: 7, rank: 8 },
      text: (r) => ({ text: r.kind, own: [r.kind, ''], style: CHANGE_STYLES[r.kind] }),
    }),
    ...roleColumn<StepChange>(c, step, (r) => side(r).profile),
    wordColumn('name', name, {
      ...{ width: c.width < 60 ? 14 : 26, flex: 1, cut: 'path', rank: 9 },
      title: onScreen(c, stepHeading(analysis.profile), 'step'),
      value: (r) => changeName(analysis, base, r, recordedName),
      text: onScreen(c, (r: StepChange) => stepNameText(c, step(r), side(r)), name),
    }),
    dataColumn('target', (r) => text(r, 'target')),
    dataColumn('source', (r) => text(r, 'source')),
    dataColumn('id', (r) => (r.step < 0 ? null : r.step)),
    dataColumn('baseId', (r) => (r.before < 0 ? null : r.before)),
  ];
}
