// The columns of parallel jobs: the measured time at each number of running jobs, and simulations with more or fewer jobs.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import {
  concurrencyOf,
  endUs,
  isJob,
  jobConcurrency,
  stageSpansOf,
  stepsThatRan,
  timeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { ranMoreThanSimulated, simulation } from '../../analysis/builds/simulate.ts';
import { heldLevel } from '../../analysis/builds/stages.ts';
import { firstIndexWhere, memo, sortedByKey } from '../../base/lists.ts';
import { barText } from '../../base/text.ts';
import { formatPercent, plural } from '../../base/units.ts';
import { totalIdleUs } from '../../model/steps/stages.ts';
import type { Steps } from '../../model/steps/tables.ts';
import { dataColumn, displayColumn, numberColumn, wordColumn } from '../builders.ts';
import { onScreen } from '../column.ts';
import { baseOfKind, makeListing } from '../listing.ts';
import { msText, timeColumn, timeOrUnknown, timeText } from '../times.ts';

/** A number of parallel jobs and the time during which exactly that many ran. The levels of a time range add up to that range. */
export interface LoadLevel {
  readonly running: number;
  readonly us: number;
  readonly note: string;
  /** True if there are more jobs than the host has cores. */
  readonly over: boolean;
  /** True for a simulation: `us` is then the duration of the whole build with this many jobs. */
  readonly simulated: boolean;
  /** The sum of all measured levels, and the longest time of all rows. */
  readonly ofUs: number;
  readonly mostUs: number;
  /** In the base, the time with as many jobs. */
  readonly beforeUs?: number;
}

/** The step that ran alone for the longest unbroken time; -1 for none. `running`: the number of jobs from each `us` on. */
function longestSoloStep(steps: Steps, jobs: readonly number[], us: ArrayLike<number>, running: ArrayLike<number>) {
  const soloSpans: (readonly [from: number, to: number])[] = [];
  for (let k = 0; k + 1 < us.length; k++) if (running[k] === 1) soloSpans.push([us[k], us[k + 1]]);
  let longest = { us: 0, step: -1 };
  for (const step of jobs) {
    const [start, end] = [steps.startUs[step], endUs(steps, step)];
    let k = firstIndexWhere(soloSpans.length, (i) => soloSpans[i][1] > start);
    for (; k < soloSpans.length && soloSpans[k][0] < end; k++) {
      const part = Math.min(end, soloSpans[k][1]) - Math.max(start, soloSpans[k][0]);
      if (part > longest.us) longest = { us: part, step };
    }
  }
  return longest;
}

/** The measured levels of these steps. `filtered`: the steps are only a part of the build. */
export const loadLevels = memo((analysis: Analysis<'steps'>, steps: readonly number[], filtered: boolean): LoadLevel[] => {
  const { profile } = analysis;
  const all = profile.steps;
  const kept = steps.filter((i) => isJob(all, i));
  const { atLevel, us, running } = filtered ? concurrencyOf(all, kept) : jobConcurrency(analysis);
  const { cores } = all;
  const held = heldLevel(atLevel);
  const [from, to] = timeWindowOf(analysis);
  // Idle time at both ends of the build or of a chosen time range. Less than a nanosecond is rounding.
  const around = (us[0] ?? from) - from + (to - (us.at(-1) ?? from));
  const idle = !filtered && around >= 0.001 ? around : 0;
  const longest = longestSoloStep(all, kept, us, running);
  const noteOf = (n: number) => {
    if (n === 0) return all.clip ? 'nothing ran' : 'no step ran';
    if (n === 1 && longest.step >= 0) return `${shortStepName(profile, longest.step)} alone for ${timeText(longest.us)}`;
    if (n > held) return 'for moments: one step starts as another ends';
    return n === cores ? 'every core has a job' : '';
  };
  // The build's duration excludes the idle time between its stages.
  const between = filtered || all.clip ? 0 : totalIdleUs(stageSpansOf(analysis));
  const times = Array.from(atLevel, (busy, n) => (n === 0 ? Math.max(0, busy + idle - between) : busy));
  const [ofUs, mostUs] = [times.reduce((sum, t) => sum + Math.max(0, t), 0), Math.max(...times)];
  return times.flatMap((t, n) => {
    const over = cores !== null && n > cores && n <= held;
    const note = over ? `more jobs than the host's ${plural(cores, 'core')}` : noteOf(n);
    return t > 0 ? [{ running: n, us: t, note, over, simulated: false, ofUs, mostUs }] : [];
  });
}, 4);

/** The measured levels, followed by simulations with more or fewer jobs. */
const measuredAndSimulatedLevels = memo((analysis: Analysis<'steps'>, base: Analysis<'steps'> | undefined): LoadLevel[] => {
  const s = simulation(analysis);
  const ofBase = base ? loadLevels(base, stepsThatRan(base), false) : [];
  const measured = loadLevels(analysis, stepsThatRan(analysis), false).map((level) => {
    const beforeUs = ofBase.find(({ running }) => running === level.running)?.us;
    return beforeUs === undefined ? level : { ...level, beforeUs };
  });
  if (!s) return measured;
  const { cores } = analysis.profile.steps;
  const over = cores !== null && s.jobs > cores ? `; too long: ${plural(s.jobs, 'job')} shared ${plural(cores, 'core')}` : '';
  // Tests and installs are not simulated.
  const of = ranMoreThanSimulated(analysis) ? ' building' : '';
  const mostUs = Math.max(measured[0]?.mostUs ?? 0, s.asItWasUs, ...s.withJobs.map(({ us }) => us));
  const row = (jobs: number, us: number, text: string): LoadLevel => ({
    ...{ running: jobs, us, simulated: true, over: false, ofUs: 0, mostUs },
    note: `simulated${of}: ${text}`,
  });
  const simulated = [
    row(s.jobs, s.asItWasUs, `unchanged, ${s.errorText ? `${s.errorText} than measured` : `with ${plural(s.jobs, 'job')}`}`),
    ...s.withJobs.map((w) => row(w.jobs, w.us, `with ${plural(w.jobs, 'job')}${over}`)),
    ...s.withDepths.map((w) => row(s.jobs, w.us, `with a depth of ${w.depth} for the pool ${w.pool}`)),
    row(Number.POSITIVE_INFINITY, s.unlimitedUs, 'with any number of jobs'),
  ];
  return [...measured.map((level) => ({ ...level, mostUs })), ...sortedByKey(simulated, ({ running }) => running, false)];
});

export const levelList = makeListing<LoadLevel, 'steps'>({
  ...{ name: 'load', requires: ['steps'], kind: 'steps' },
  keys: 'jobs durationMs percent simulated note'.split(' '),
  columns: (c) => {
    const width = c.width < 100 ? 16 : 30;
    // Narrow screens have no notes.
    const jobs = (l: LoadLevel) =>
      (l.simulated && c.width < 60 ? 'sim ' : '') + (l.running === Number.POSITIVE_INFINITY ? 'any' : String(l.running));
    const base = baseOfKind(c, 'steps');
    return [
      numberColumn('jobs', (l) => l.running, { width: c.width < 60 ? 7 : 6, rank: 9, text: jobs }),
      {
        ...timeColumn<LoadLevel>(c, 'duration', 'time', 9, (l) => l.us),
        text: (l) => (l.simulated ? '≈' : '') + onScreen(c, timeOrUnknown(l.us), msText(l.us)),
      },
      dataColumn('percent', (l) => (l.simulated ? null : (l.us / l.ofUs) * 100), {
        ...{ title: '%', width: 7, align: 'right', rank: 8 },
        text: (l) => (l.simulated ? '' : formatPercent(l.us, l.ofUs)),
      }),
      ...(base
        ? [
            displayColumn<LoadLevel>('before', (l) => (l.beforeUs ? onScreen(c, timeText(l.beforeUs), msText(l.beforeUs)) : ''), {
              title: onScreen(c, 'before', 'before ms'),
              width: 8,
              align: 'right',
              rank: 7,
            }),
          ]
        : []),
      displayColumn('bar', (l) => barText(l.us / l.mostUs, width), { title: '', width, rank: 5, only: 'screen' }),
      dataColumn('simulated', (l) => l.simulated),
      wordColumn('note', (l) => l.note, {
        ...{ width: 20, flex: 1, cut: 'end', rank: 7, style: 'dim', key: undefined },
        text: (l) => (l.over ? { text: l.note, style: 'warm' } : l.note),
      }),
    ];
  },
  all: (c) => measuredAndSimulatedLevels(c.analysis, baseOfKind(c, 'steps')),
  texts: (level) => [String(level.running)],
});
