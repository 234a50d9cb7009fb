// Tables of builds and traces: steps, the critical path, utilization.

import type { Analysis } from '../analysis/analysis.ts';
import { criticalPath, type Link } from '../analysis/critical.ts';
import { foldsOf } from '../analysis/folds.ts';
import { simulation, withoutStep } from '../analysis/simulate.ts';
import { activeSteps, failed, isJob, jobConcurrency, ran, stepName, stepText, windowOf } from '../analysis/steps.ts';
import { memo } from '../base/memo.ts';
import { formatBytes, formatPercent, plural } from '../base/units.ts';
import { stepDetail } from './gantt.ts';
import { type RowColumn, rowsView } from './parts/rows-view.ts';
import { jobTotal, steps, time } from './parts/step-cells.ts';
import { bar, heat } from './parts/table.ts';
import { timeText } from './parts/timeline.ts';
import type { ViewContext } from './view.ts';

const stepList = memo((analysis: Analysis): readonly number[] => {
  const all = analysis.profile.steps!;
  const { lead, durationUs } = foldsOf(analysis);
  // The longest first: that is what somebody came for. What never ran stands last.
  return Array.from(activeSteps(analysis))
    .filter((i) => lead[i] === i)
    .sort((a, b) => Number(ran(all, b)) - Number(ran(all, a)) || durationUs[b] - durationUs[a] || a - b);
});

const membersOf = (i: number, c: ViewContext): readonly number[] => foldsOf(c.analysis).members.get(i) ?? [i];

const foldedName = (i: number, c: ViewContext): string => {
  const members = foldsOf(c.analysis).members.get(i);
  return `${stepName(c.analysis.profile, i)}${members ? ` (${members.length} commands)` : ''}`;
};

/** Of several commands of one output the last has its size. */
function bytesOf(lead: number, c: ViewContext): number {
  const i = membersOf(lead, c).at(-1)!;
  const all = steps(c);
  let sum = Number.NaN;
  for (let o = all.outputStart[i]; o < all.outputStart[i + 1]; o++) {
    const b = all.outputBytes[o];
    if (!Number.isNaN(b)) sum = Number.isNaN(sum) ? b : sum + b;
  }
  return sum;
}

const text = (column: Parameters<typeof stepText>[1]) => (i: number, c: ViewContext) =>
  stepText(c.analysis.profile, column, i) ?? '';
const hasText = memo((analysis: Analysis, column: 'target' | 'language'): boolean =>
  analysis.profile.steps![column].some((id) => id >= 0),
);

export const stepsTable = rowsView<number>({
  id: 'steps',
  title: 'Steps',
  digit: '5',
  requires: ['steps'],
  report: 'steps',
  empty: 'there are no steps',
  rows: stepList,
  columns: (c): RowColumn<number>[] => [
    {
      title: 'time',
      width: 8,
      align: 'right',
      rank: 9,
      cell: (i) => (ran(steps(c), i) ? time(foldsOf(c.analysis).durationUs[i]) : '?'),
      key: (i) => (ran(steps(c), i) ? foldsOf(c.analysis).durationUs[i] : Number.NaN),
    },
    {
      title: '%',
      width: 7,
      align: 'right',
      rank: 6,
      cell: (i) => {
        const share = isJob(steps(c), i) ? foldsOf(c.analysis).durationUs[i] / jobTotal(c.analysis) : 0;
        return { text: share > 0 ? formatPercent(share, 1) : '', style: heat(share) };
      },
    },
    {
      title: 'weighted',
      width: 8,
      align: 'right',
      rank: 5,
      cell: (i) => (isJob(steps(c), i) ? time(foldsOf(c.analysis).weightedUs[i]) : ''),
      key: (i) => foldsOf(c.analysis).weightedUs[i],
    },
    {
      title: 'start',
      width: 8,
      align: 'right',
      rank: 4,
      cell: (i) => (ran(steps(c), i) ? time(steps(c).startUs[i] - windowOf(c.analysis)[0]) : 'never'),
      key: (i) => -steps(c).startUs[i],
    },
    {
      title: 'crit',
      width: 4,
      rank: 5,
      cell: (i) =>
        membersOf(i, c).some((k) => criticalPath(c.analysis).on[k]) ? { text: c.ascii ? '*' : '◆', style: 'hot' as const } : '',
      key: (i) => criticalPath(c.analysis).on[i],
    },
    { title: 'result', width: 6, align: 'right', rank: 7, cell: (i) => resultCell(i, c), key: (i) => steps(c).result[i] },
    {
      title: 'bytes',
      width: 9,
      align: 'right',
      rank: 2,
      cell: (i) => (Number.isNaN(bytesOf(i, c)) ? '' : formatBytes(bytesOf(i, c))),
      key: (i) => bytesOf(i, c),
    },
    {
      title: 'step',
      width: c.width < 60 ? 14 : 26,
      flex: 3,
      cut: 'middle',
      rank: 9,
      cell: (i) => foldedName(i, c),
      key: (i) => foldedName(i, c),
    },
    ...(hasText(c.analysis, 'target')
      ? [
          {
            title: 'target',
            width: 12,
            flex: 1,
            cut: 'end' as const,
            rank: 3,
            style: 'dim' as const,
            cell: text('target'),
            key: text('target'),
          },
        ]
      : []),
    ...(hasText(c.analysis, 'language')
      ? [{ title: 'lang', width: 5, rank: 1, cell: text('language'), key: text('language') }]
      : []),
  ],
  texts: (i, c) => [stepName(c.analysis.profile, i), text('target')(i, c), ...membersOf(i, c).map((k) => text('command')(k, c))],
  detail: (i, c) => stepDetail(c, i),
  mode: (rows, c) =>
    `${plural(rows.length, 'row')}${rows.length < activeSteps(c.analysis).length ? ` of ${plural(activeSteps(c.analysis).length, 'step')}` : ''}, ${time(jobTotal(c.analysis))} of work in ${time(windowOf(c.analysis)[1] - windowOf(c.analysis)[0])}`,
  step: (i) => i,
  rowOf: (step, c) => foldsOf(c.analysis).lead[step] ?? step,
});

function resultCell(i: number, c: ViewContext) {
  const r = steps(c).result[i];
  if (!ran(steps(c), i)) return { text: 'never', style: 'warm' as const };
  if (Number.isNaN(r)) return '?';
  return failed(steps(c), i) ? { text: String(r), style: 'error' as const } : '0';
}

export const criticalTable = rowsView<Link>({
  id: 'critical',
  title: 'Critical',
  digit: '7',
  requires: ['steps'],
  report: 'criticalpath',
  empty: 'nothing ran',
  rows: (analysis) => criticalPath(analysis).links,
  columns: (c) => [
    {
      title: 'start',
      width: 8,
      align: 'right',
      rank: 6,
      cell: (l) => time(steps(c).startUs[l.step] - windowOf(c.analysis)[0]),
      key: (l) => steps(c).startUs[l.step],
    },
    {
      title: 'time',
      width: 8,
      align: 'right',
      rank: 9,
      cell: (l) => time(steps(c).durationUs[l.step]),
      key: (l) => steps(c).durationUs[l.step],
    },
    { title: '%', width: 7, align: 'right', rank: 7, cell: (l) => shareOfPath(l, c) },
    { title: 'wait', width: 7, align: 'right', rank: 5, cell: (l) => (l.waitUs > 0 ? time(l.waitUs) : ''), key: (l) => l.waitUs },
    {
      title: 'step',
      width: c.width < 60 ? 14 : 26,
      flex: 2,
      cut: 'middle',
      rank: 9,
      cell: (l) => stepName(c.analysis.profile, l.step),
    },
    { title: 'waited for', width: 20, flex: 2, cut: 'end', rank: 4, style: 'dim', cell: (l) => l.why },
  ],
  texts: (l, c) => [stepName(c.analysis.profile, l.step)],
  detail(l, c) {
    const sign = c.ascii ? '~' : '≈';
    const without = withoutStep(c.analysis, l.step);
    const all = simulation(c.analysis);
    const what =
      without === undefined || !all
        ? ''
        : `${sign} ${time(without)} without it, ${sign} ${time(all.asItWasUs)} with (simulated); `;
    return `${what}waited for ${l.why}; ${stepDetail(c, l.step)}`;
  },
  mode: (rows, c) => {
    const busy = rows.reduce((sum, l) => sum + steps(c).durationUs[l.step], 0);
    const basis = { ninja: 'by build.ninja', outputs: 'drawn from outputs in commands', lanes: 'drawn from times alone' }[
      criticalPath(c.analysis).basis
    ];
    return `${plural(rows.length, 'link')}, ${time(busy)} of ${time(windowOf(c.analysis)[1] - windowOf(c.analysis)[0])}, ${basis}`;
  },
  step: (l) => l.step,
});

function shareOfPath(l: Link, c: ViewContext) {
  const [from, to] = windowOf(c.analysis);
  const share = to > from ? steps(c).durationUs[l.step] / (to - from) : 0;
  return { text: formatPercent(share, 1), style: heat(share) };
}

interface Level {
  readonly running: number;
  readonly us: number;
  /** What ran alone for longest, where one job ran. */
  readonly alone: string;
  /** Not measured: what the whole build would take with so many jobs. */
  readonly simulated: boolean;
}

const levelsOf = memo((analysis: Analysis): Level[] => {
  const { atLevel, us, running } = jobConcurrency(analysis);
  const all = analysis.profile.steps!;
  const jobs = Array.from(activeSteps(analysis)).filter((i) => isJob(all, i) && all.durationUs[i] > 0);
  let longest = { us: 0, at: 0 };
  for (let k = 0; k + 1 < us.length; k++)
    if (running[k] === 1 && us[k + 1] - us[k] > longest.us) longest = { us: us[k + 1] - us[k], at: us[k] };
  const who = jobs.find((i) => all.startUs[i] <= longest.at && all.startUs[i] + all.durationUs[i] > longest.at);
  return Array.from(atLevel, (t, n) => ({
    running: n,
    us: t,
    alone:
      n === 1 && who !== undefined
        ? `longest ${timeText(longest.us)}: ${stepName(analysis.profile, who)}`
        : n === 0
          ? 'nothing ran between the first step and the last'
          : '',
    simulated: false,
  })).filter((l) => l.us > 0);
});

/** Below what was measured, what more or fewer jobs would make of it. */
const levelsAndSimulation = memo((analysis: Analysis): Level[] => {
  const s = simulation(analysis);
  if (!s) return levelsOf(analysis);
  const note = (text: string) => `simulated: the whole build ${text}`;
  return [
    ...levelsOf(analysis),
    { running: s.jobs, us: s.asItWasUs, alone: note('with as many jobs as it had'), simulated: true },
    ...s.withJobs.map((w) => ({ running: w.jobs, us: w.us, alone: note(`with ${plural(w.jobs, 'job')}`), simulated: true })),
    { running: Number.POSITIVE_INFINITY, us: s.unlimitedUs, alone: note('with any number: its longest chain'), simulated: true },
  ];
});

export const utilizationTable = rowsView<Level>({
  id: 'utilization',
  title: 'Load',
  digit: '8',
  requires: ['steps'],
  report: 'summary',
  empty: 'nothing ran for any time',
  rows: levelsAndSimulation,
  columns: (c) => [
    {
      title: 'jobs',
      width: 6,
      align: 'right',
      rank: 9,
      cell: (l) => (l.running === Number.POSITIVE_INFINITY ? 'any' : String(l.running)),
      key: (l) => l.running,
    },
    {
      title: 'time',
      width: 8,
      align: 'right',
      rank: 9,
      cell: (l) => (l.simulated ? `${c.ascii ? '~' : '≈'}${time(l.us)}` : time(l.us)),
      key: (l) => l.us,
    },
    {
      title: '%',
      width: 7,
      align: 'right',
      rank: 8,
      cell: (l) =>
        l.simulated
          ? ''
          : formatPercent(
              l.us,
              levelsOf(c.analysis).reduce((sum, x) => sum + x.us, 0),
            ),
    },
    {
      title: '',
      width: 30,
      rank: 5,
      cell: (l) => (l.simulated ? '' : bar(l.us / Math.max(...levelsOf(c.analysis).map((x) => x.us)), 30, c.ascii)),
    },
    {
      title: 'note',
      width: 20,
      flex: 1,
      cut: 'end',
      rank: 7,
      style: 'dim',
      cell: (l) => (!l.simulated && l.running === steps(c).cores ? 'every core has a job' : l.alone),
    },
  ],
  texts: (l) => [String(l.running)],
  detail: (l) =>
    l.simulated
      ? `${l.alone}; steps take as long as they took, and start when what they need is there and a job is free`
      : `${plural(l.running, 'job')} at once for ${time(l.us)}${l.alone ? `; ${l.alone}` : ''}`,
  mode: (_, c) => {
    const { most } = jobConcurrency(c.analysis);
    const [from, to] = windowOf(c.analysis);
    const { cores } = steps(c);
    const mean = to > from ? jobTotal(c.analysis) / (to - from) : 0;
    return `at most ${plural(most, 'job')} at once, ${mean.toFixed(2)} on average${cores === null ? '' : `, ${plural(cores, 'core')}`}`;
  },
});
