// The columns of periods with few parallel jobs, and of simulated gains of changing a step.

import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { buildDurationUs, stepName, stepText, stepTexts, timeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { criticalPath, waitReasonSentence } from '../../analysis/builds/critical.ts';
import { type NarrowWindow, narrowWindows, type Speedup, speedups } from '../../analysis/builds/narrow.ts';
import { formatPercent } from '../../base/units.ts';
import { displayColumn, numberColumn, wordColumn } from '../builders.ts';
import { type Column, type ColumnContext, onScreen } from '../column.ts';
import { makeListing } from '../listing.ts';
import { timeColumn } from '../times.ts';

function stepColumns<Row>({ analysis, width }: ColumnContext<'steps'>, step: (row: Row) => number): Column<Row>[] {
  const { profile } = analysis;
  const name = (row: Row) => (step(row) < 0 ? null : stepName(profile, step(row)));
  const short = (row: Row) => (step(row) < 0 ? 'nothing ran' : shortStepName(profile, step(row)));
  const target = (row: Row) => (step(row) < 0 ? null : stepText(profile, 'target', step(row)));
  return [
    wordColumn('step', name, { width: width < 60 ? 14 : 30, flex: 1, cut: 'path', rank: 9, text: short }),
    wordColumn('target', target, { width: 12, flex: 1, cut: 'middle', rank: 3, style: 'dim', key: undefined }),
  ];
}

export const narrowPeriodList = makeListing<NarrowWindow, 'steps'>({
  ...{ name: 'narrow', requires: ['steps'], kind: 'steps' },
  keys: 'fromMs durationMs running step target waited'.split(' '),
  columns: (c) => {
    const [origin] = timeWindowOf(c.analysis);
    const wholeUs = buildDurationUs(c.analysis);
    const took = (w: NarrowWindow) => w.toUs - w.fromUs;
    const waited = ({ step }: NarrowWindow) => {
      const link = criticalPath(c.analysis).links.find((l) => l.step === step);
      return link ? waitReasonSentence(c.analysis.profile, link) : '';
    };
    return [
      timeColumn(c, 'duration', 'time', 9, took),
      displayColumn('%', (w) => formatPercent(took(w), wholeUs), { align: 'right', width: 7, rank: 7 }),
      timeColumn(c, 'from', 'from', 9, (w) => w.fromUs - origin),
      numberColumn('running', (w) => w.running, {
        ...{ title: 'jobs', width: 10, rank: 8 },
        text: (w) => `${w.running.toFixed(1)} of ${w.possible}`,
      }),
      ...stepColumns<NarrowWindow>(c, (w) => w.step),
      wordColumn('waited', waited, { title: 'why', width: 20, cut: 'end', rank: 2, style: 'dim', key: undefined }),
    ];
  },
  all: ({ analysis }) => narrowWindows(analysis),
  texts: (w, { analysis }) => filterTextsOfStep(analysis, w.step),
});

/** The simulated change: `if it …`. */
export const SPEEDUP_TEXTS: Readonly<Record<Speedup['what'], string>> = {
  'two parallel halves': 'were two steps at once',
  'not waited for': 'were needed by no step',
  'no time': 'took no time',
  'started first': 'started before others',
};

export const speedupList = makeListing<Speedup, 'steps'>({
  ...{ name: 'whatif', requires: ['steps'], kind: 'steps' },
  keys: 'step target what durationMs gainMs'.split(' '),
  columns: (c) => [
    timeColumn<Speedup>(c, 'gain', 'gain', 9, (x) => x.gainUs, '≈'),
    timeColumn<Speedup>(c, 'duration', 'build', 5, (x) => x.us, '≈'),
    wordColumn('what', (x) => x.what, {
      ...{ title: onScreen(c, 'if it …', 'change'), width: 22, rank: 8 },
      text: (x) => onScreen(c, SPEEDUP_TEXTS[x.what], x.what),
    }),
    ...stepColumns<Speedup>(c, (x) => x.step),
  ],
  // On the screen, without the ways that would save next to nothing.
  all: (c) => onScreen(c, speedups(c.analysis).now().filter(isWorthwhile), speedups(c.analysis).now()),
  texts: (x, { analysis }) => filterTextsOfStep(analysis, x.step),
});

const isWorthwhile = ({ us, gainUs }: Speedup): boolean => gainUs >= 0.001 * (us + gainUs);
const filterTextsOfStep = ({ profile }: ColumnContext<'steps'>['analysis'], step: number) =>
  step < 0 ? [] : stepTexts(profile, step);
