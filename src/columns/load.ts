// The columns of where a build was narrow, and of what it would gain if a step were otherwise.

import { criticalPath, whySentence } from '../analysis/steps/critical.ts';
import { type Chance, couldRun, type NarrowWindow } from '../analysis/steps/narrow.ts';
import { stepName, stepText, windowOf } from '../analysis/steps/steps.ts';
import { formatPercent } from '../base/units.ts';
import type { Column, ColumnContext, Table } from './column.ts';
import { timeColumn } from './times.ts';

type Context = ColumnContext<'steps'>;

const right = { align: 'right' } as const;

function stepColumns<Row>({ analysis }: Context, step: (row: Row) => number): Column<Row>[] {
  const { profile } = analysis;
  const name = (row: Row) => (step(row) < 0 ? '' : stepName(profile, step(row)));
  return [
    {
      id: 'step',
      title: 'step',
      width: 20,
      flex: 1,
      cut: 'middle',
      rank: 9,
      value: (row) => (step(row) < 0 ? null : name(row)),
      text: (row) => name(row) || 'nothing ran',
      key: name,
    },
    {
      id: 'target',
      title: 'target',
      width: 12,
      rank: 3,
      style: 'dim',
      value: (row) => (step(row) < 0 ? null : stepText(profile, 'target', step(row))),
      text: (row) => (step(row) < 0 ? '' : (stepText(profile, 'target', step(row)) ?? '')),
    },
  ];
}

export const narrowTable: Table<NarrowWindow, 'steps'> = {
  keys: 'fromMs durationMs running step target waited'.split(' '),
  columns: (c) => {
    const [origin, end] = windowOf(c.analysis);
    const took = (w: NarrowWindow) => w.toUs - w.fromUs;
    const could = couldRun(c.analysis);
    const waited = ({ step }: NarrowWindow) => {
      const link = criticalPath(c.analysis).links.find((l) => l.step === step);
      return link ? whySentence(c.analysis.profile, link) : '';
    };
    return [
      timeColumn(c, 'duration', 'time', 9, took),
      {
        ...right,
        id: '%',
        title: '%',
        width: 7,
        rank: 7,
        text: (w) => formatPercent(took(w), end - origin),
      },
      timeColumn(c, 'from', 'from', 9, (w) => w.fromUs - origin),
      {
        ...right,
        id: 'running',
        title: 'jobs',
        width: 10,
        rank: 8,
        value: (w) => w.running,
        text: (w) => `${w.running.toFixed(1)} of ${could}`,
        key: (w) => w.running,
      },
      ...stepColumns<NarrowWindow>(c, (w) => w.step),
      { id: 'waited', title: 'why', width: 20, cut: 'end', rank: 2, style: 'dim', value: waited, text: waited },
    ];
  },
};

export const chanceTable: Table<Chance, 'steps'> = {
  keys: 'step target what durationMs gainMs'.split(' '),
  columns: (c) => {
    const about = '≈';
    return [
      timeColumn<Chance>(c, 'gain', 'gain', 9, (x) => x.gainUs, about),
      timeColumn<Chance>(c, 'duration', 'build', 9, (x) => x.us, about),
      {
        id: 'what',
        title: 'if it were',
        width: 19,
        rank: 9,
        value: (x) => x.what,
        text: (x) => x.what,
        key: (x) => x.what,
      },
      ...stepColumns<Chance>(c, (x) => x.step),
    ];
  },
};
