// Tables of builds and traces: steps, the critical path, utilization.
import type { Analysis } from '../analysis/analysis.ts';
import { basisText, chainLinks, criticalPath, type Link, whyText } from '../analysis/steps/critical.ts';
import { foldsOf } from '../analysis/steps/folds.ts';
import { doubt, simulation, withoutStep } from '../analysis/steps/simulate.ts';
import { activeSteps, isJob, jobConcurrency, ran, stepName, stepText, windowOf } from '../analysis/steps/steps.ts';
import { memo } from '../base/memo.ts';
import { bar } from '../base/text.ts';
import { formatPercent, plural } from '../base/units.ts';
import { criticalTable as criticalColumns } from '../columns/critical.ts';
import { membersOf, stepTable } from '../columns/steps.ts';
import { jobTotal, time, timeText } from '../columns/times.ts';
import { rowsView } from './parts/rows-view.ts';
import { stepDetail } from './parts/step-detail.ts';
import { ofKind } from './view.ts';

const stepList = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const all = analysis.profile.steps;
  const { lead, durationUs } = foldsOf(analysis);
  // Longest first, since that is what people look for. Steps that never ran come last.
  return Array.from(activeSteps(analysis))
    .filter((i) => lead[i] === i)
    .sort((a, b) => Number(ran(all, b)) - Number(ran(all, a)) || durationUs[b] - durationUs[a] || a - b);
});

export const stepsTable = rowsView<'steps', number, 'steps'>({
  id: 'steps',
  title: 'Steps',
  digit: '5',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'steps',
  empty: 'there are no steps',
  rows: stepList,
  columns: stepTable.columns,
  texts(i, { analysis }) {
    const text = (column: 'target' | 'command', k: number) => stepText(analysis.profile, column, k) ?? '';
    return [stepName(analysis.profile, i), text('target', i), ...membersOf(analysis, i).map((k) => text('command', k))];
  },
  detail: (i, c) => stepDetail(c, i),
  mode(rows, { analysis }) {
    const all = activeSteps(analysis).length;
    const of = rows.length < all ? ` of ${plural(all, 'step')}` : '';
    const [from, to] = windowOf(analysis);
    return `${plural(rows.length, 'row')}${of}, ${time(jobTotal(analysis))} of work in ${time(to - from)}`;
  },
  step: (i) => i,
  rowOf: (step, c) => foldsOf(c.analysis).lead[step] ?? step,
});

const links = criticalColumns();

export const criticalTable = rowsView<'critical', Link, 'steps'>({
  id: 'critical',
  title: 'Critical',
  digit: '7',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'criticalpath',
  empty: 'nothing ran, or nothing says what needs what',
  variants: ['what decided the end', 'longest chain'],
  variantKey: { help: 'the longest chain of dependencies alone, or what decided the end', footer: 'chain' },
  rows: (analysis, _, variant) => (variant === 0 ? criticalPath(analysis).links : chainLinks(analysis)),
  columns: links.columns,
  texts: (l, c) => [stepName(c.analysis.profile, l.step)],
  detail(l, c) {
    const sign = c.ascii ? '~' : '≈';
    const without = withoutStep(c.analysis, l.step);
    const all = simulation(c.analysis);
    const what = !all
      ? ''
      : without === undefined
        ? `${doubt(all)}; `
        : `${sign} ${time(without)} without it, ${sign} ${time(all.asItWasUs)} with (simulated); `;
    return `${what}waited for ${whyText(c.analysis.profile, l)}; ${stepDetail(c, l.step)}`;
  },
  mode(rows, { analysis }, variant) {
    const { durationUs } = analysis.profile.steps;
    const busy = rows.reduce((sum, l) => sum + durationUs[l.step], 0);
    const [from, to] = windowOf(analysis);
    const s = simulation(analysis);
    const what = variant === 0 ? plural(rows.length, 'link') : `longest chain, ${plural(rows.length, 'step')}`;
    const doubts = s ? doubt(s) : '';
    return `${what}, ${time(busy)} of ${time(to - from)}, ${basisText(analysis, 'short')}${doubts === '' ? '' : `; ${doubts}`}`;
  },
  step: (l) => l.step,
});

interface Level {
  readonly running: number;
  readonly us: number;
  /** For a level of one job: the step that ran alone the longest. */
  readonly alone: string;
  /** Not measured: the time of the whole build with this many jobs. */
  readonly simulated: boolean;
}

const levelsOf = memo((analysis: Analysis<'steps'>): Level[] => {
  const { atLevel, us, running } = jobConcurrency(analysis);
  const all = analysis.profile.steps;
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

/** The measured levels, followed by simulations with more or fewer jobs. */
const levelsAndSimulation = memo((analysis: Analysis<'steps'>): Level[] => {
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

export const utilizationTable = rowsView<'utilization', Level, 'steps'>({
  id: 'utilization',
  title: 'Load',
  digit: '8',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'summary',
  empty: 'nothing ran for any time',
  rows: levelsAndSimulation,
  columns: (c) => [
    {
      id: 'jobs',
      title: 'jobs',
      width: 6,
      align: 'right',
      rank: 9,
      text: (l) => (l.running === Number.POSITIVE_INFINITY ? 'any' : String(l.running)),
      key: (l) => l.running,
    },
    {
      id: 'time',
      title: 'time',
      width: 8,
      align: 'right',
      rank: 9,
      text: (l) => (l.simulated ? `${c.ascii ? '~' : '≈'}${time(l.us)}` : time(l.us)),
      key: (l) => l.us,
    },
    {
      id: '%',
      title: '%',
      width: 7,
      align: 'right',
      rank: 8,
      text: (l) =>
        l.simulated
          ? ''
          : formatPercent(
              l.us,
              levelsOf(c.analysis).reduce((sum, x) => sum + x.us, 0),
            ),
    },
    {
      id: 'bar',
      title: '',
      width: 30,
      rank: 5,
      text: (l) => (l.simulated ? '' : bar(l.us / Math.max(...levelsOf(c.analysis).map((x) => x.us)), 30, c.ascii)),
    },
    {
      id: 'note',
      title: 'note',
      width: 20,
      flex: 1,
      cut: 'end',
      rank: 7,
      style: 'dim',
      text: (l) => (!l.simulated && l.running === c.analysis.profile.steps.cores ? 'every core has a job' : l.alone),
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
    const { cores } = c.analysis.profile.steps;
    const mean = to > from ? jobTotal(c.analysis) / (to - from) : 0;
    return `at most ${plural(most, 'job')} at once, ${mean.toFixed(2)} on average${cores === null ? '' : `, ${plural(cores, 'core')}`}`;
  },
});
