// The columns of where a build was narrow, and of what it would gain if a step were otherwise.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildUs, stepName, stepText, stepTexts, windowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPath, whySentence } from '../../analysis/builds/critical.ts';
import { type Chance, chances, couldRun, type NarrowWindow, narrowWindows } from '../../analysis/builds/narrow.ts';
import { formatPercent } from '../../base/units.ts';
import { counts, shown, words } from '../builders.ts';
import type { Column, ColumnContext, Table } from '../column.ts';
import type { Listing } from '../listing.ts';
import { timeColumn } from '../times.ts';

type Context = ColumnContext<'steps'>;

function stepColumns<Row>({ analysis }: Context, step: (row: Row) => number): Column<Row>[] {
  const { profile } = analysis;
  const name = (row: Row) => (step(row) < 0 ? '' : stepName(profile, step(row)));
  const short = (row: Row) => (step(row) < 0 ? 'nothing ran' : shortStepName(profile, step(row)));
  const target = (row: Row) => (step(row) < 0 ? null : stepText(profile, 'target', step(row)));
  return [
    words('step', name, {
      ...{ width: 20, flex: 1, cut: 'step', rank: 9 },
      value: (row) => (step(row) < 0 ? null : name(row)),
      text: short,
    }),
    words('target', target, { width: 12, rank: 3, style: 'dim', key: undefined }),
  ];
}

const narrowTable: Table<NarrowWindow, 'steps'> = {
  keys: 'fromMs durationMs running step target waited'.split(' '),
  columns: (c) => {
    const [origin] = windowOf(c.analysis);
    const wholeUs = buildUs(c.analysis);
    const took = (w: NarrowWindow) => w.toUs - w.fromUs;
    const could = couldRun(c.analysis);
    const waited = ({ step }: NarrowWindow) => {
      const link = criticalPath(c.analysis).links.find((l) => l.step === step);
      return link ? whySentence(c.analysis.profile, link) : '';
    };
    return [
      timeColumn(c, 'duration', 'time', 9, took),
      shown('%', (w) => formatPercent(took(w), wholeUs), { align: 'right', width: 7, rank: 7 }),
      timeColumn(c, 'from', 'from', 9, (w) => w.fromUs - origin),
      counts('running', (w) => w.running, {
        ...{ title: 'jobs', width: 10, rank: 8 },
        text: (w) => `${w.running.toFixed(1)} of ${could}`,
      }),
      ...stepColumns<NarrowWindow>(c, (w) => w.step),
      words('waited', waited, { title: 'why', width: 20, cut: 'end', rank: 2, style: 'dim', value: waited, key: undefined }),
    ];
  },
};

const chanceTable: Table<Chance, 'steps'> = {
  keys: 'step target what durationMs gainMs'.split(' '),
  columns: (c) => {
    return [
      timeColumn<Chance>(c, 'gain', 'gain', 9, (x) => x.gainUs, '≈'),
      timeColumn<Chance>(c, 'duration', 'build', 9, (x) => x.us, '≈'),
      words('what', (x) => x.what, { title: 'change', width: 19, rank: 9 }),
      ...stepColumns<Chance>(c, (x) => x.step),
    ];
  },
};

const textsOf = ({ profile }: Context['analysis'], step: number) => (step < 0 ? [] : stepTexts(profile, step));

export const narrowList: Listing<NarrowWindow, 'steps'> = {
  ...{ name: 'narrow', asks: ['steps'], kind: 'steps' },
  table: () => narrowTable,
  all: ({ analysis }) => narrowWindows(analysis),
  texts: (w, { analysis }) => textsOf(analysis, w.step),
};

export const chanceList: Listing<Chance, 'steps'> = {
  ...{ name: 'whatif', asks: ['steps'], kind: 'steps' },
  table: () => chanceTable,
  all: ({ analysis }) => chances(analysis),
  texts: (x, { analysis }) => textsOf(analysis, x.step),
};
