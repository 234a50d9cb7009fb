// The columns of the critical path: one row per step.
import type { Link } from '../analysis/steps/critical.ts';
import { withoutStep } from '../analysis/steps/simulate.ts';
import { recordedName, stepName, windowOf } from '../analysis/steps/steps.ts';
import { heat } from '../base/style.ts';
import { formatPercent } from '../base/units.ts';
import { type Column, type ColumnContext, onScreen, type Table } from './column.ts';
import { ms, msText, time } from './times.ts';

const right = { align: 'right' } as const;

/** `without`: what the build would take if a step took no time, for the steps that were simulated; absent on the screen. */
export function criticalTable(without?: ReadonlyMap<number, number>): Table<Link, 'steps'> {
  return {
    keys: 'id name startMs durationMs waitMs withoutItMs why'.split(' '),
    columns: (c) => [...timeColumns(c), ...waitColumns(c, without), ...nameColumns(c)],
  };
}

function timeColumns(c: ColumnContext<'steps'>): Column<Link>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const start = (l: Link) => steps.startUs[l.step];
  const duration = (l: Link) => steps.durationUs[l.step];
  const [from, to] = windowOf(analysis);
  const share = (l: Link) => (to > from ? duration(l) / (to - from) : 0);
  return [
    {
      ...right,
      id: 'startMs',
      title: onScreen(c, 'start', 'start ms'),
      width: 8,
      rank: 6,
      value: (l) => ms(start(l)),
      text: (l) => onScreen(c, time(start(l) - from), msText(start(l))),
      key: start,
    },
    {
      ...right,
      id: 'durationMs',
      title: onScreen(c, 'time', 'ms'),
      width: 8,
      rank: 9,
      value: (l) => ms(duration(l)),
      text: (l) => onScreen(c, time, msText)(duration(l)),
      key: duration,
    },
    {
      ...right,
      id: '%',
      title: '%',
      width: 7,
      rank: 7,
      only: 'screen',
      text: (l) => ({ text: formatPercent(share(l), 1), style: heat(share(l)) }),
    },
  ];
}

function waitColumns(c: ColumnContext<'steps'>, without: ReadonlyMap<number, number> | undefined): Column<Link>[] {
  const withoutUs = (l: Link) => (without ? without.get(l.step) : withoutStep(c.analysis, l.step)) ?? Number.NaN;
  return [
    {
      ...right,
      id: 'waitMs',
      title: 'wait',
      width: 7,
      rank: 5,
      value: (l) => ms(l.waitUs),
      text: (l) => onScreen(c, l.waitUs > 0 ? time(l.waitUs) : '', msText(l.waitUs)),
      key: (l) => l.waitUs,
    },
    {
      ...right,
      id: 'withoutItMs',
      title: '≈ without',
      from: 100,
      value: (l) => ms(withoutUs(l)),
      only: 'text',
      text: (l) => msText(withoutUs(l)),
    },
  ];
}

function nameColumns(c: ColumnContext<'steps'>): Column<Link>[] {
  const name = (l: Link) => stepName(c.analysis.profile, l.step);
  return [
    {
      id: 'name',
      title: 'step',
      width: c.width < 60 ? 14 : 26,
      flex: 2,
      cut: 'middle',
      rank: 9,
      value: (l) => recordedName(c.analysis.profile, l.step),
      text: name,
    },
    {
      id: 'why',
      title: 'waited for',
      width: 20,
      flex: 2,
      cut: 'end',
      rank: 4,
      style: 'dim',
      value: (l) => l.why,
      text: (l) => l.why,
    },
    { id: 'id', title: 'id', value: (l) => l.step },
  ];
}
