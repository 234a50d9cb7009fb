// The report of stages: configure, build, tests and the like in order of time, with the idle time between them.
import { type Phase, phasesOf } from '../../analysis/builds/stages.ts';
import { numberColumn, wordColumn } from '../../columns/builders.ts';
import type { Column } from '../../columns/column.ts';
import { msText } from '../../columns/times.ts';
import { makeReport } from '../print.ts';

const timeOf = (id: string, us: (phase: Phase) => number): Column<Phase> =>
  numberColumn(id, (phase) => us(phase) / 1000, { title: id.replace('Ms', ' ms'), text: (phase) => msText(us(phase)) });

export const stages = makeReport<Phase, 'steps'>({
  name: 'stages',
  title: 'the stages of a build in order of time, with the idle time between them',
  requires: ['steps'],
  kind: 'steps',
  compares: false,
  table: () => ({
    keys: ['name', 'startMs', 'durationMs'],
    columns: () => [
      timeOf('startMs', (phase) => phase.fromUs),
      timeOf('durationMs', (phase) => phase.toUs - phase.fromUs),
      wordColumn('name', (phase) => phase.name, { title: 'stage' }),
    ],
  }),
  rows: ({ analysis, matches }) => phasesOf(analysis).filter(({ name }) => matches(name)),
});
