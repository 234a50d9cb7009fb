// Tables of builds and traces: steps, the critical path, utilization.
import type { Analysis } from '../analysis/analysis.ts';
import { basisText, chainLinks, criticalPath, type Link, whySentence } from '../analysis/steps/critical.ts';
import { foldsOf } from '../analysis/steps/folds.ts';
import { type Chance, chances, couldRun, type NarrowWindow, narrowWindows } from '../analysis/steps/narrow.ts';
import { difference, doubt, simulation, withoutStep } from '../analysis/steps/simulate.ts';
import { heldLevel } from '../analysis/steps/stages.ts';
import { shortStepName } from '../analysis/steps/step-names.ts';
import {
  activeSteps,
  concurrencyOf,
  endUs,
  isJob,
  jobConcurrency,
  ran,
  stepName,
  stepText,
  stepTexts,
  WHOLE,
  windowOf,
} from '../analysis/steps/steps.ts';
import { memo } from '../base/memo.ts';
import type { Cell } from '../base/style.ts';
import { bar } from '../base/text.ts';
import { formatPercent, plural } from '../base/units.ts';
import type { Column } from '../columns/column.ts';
import { criticalTable as criticalColumns } from '../columns/critical.ts';
import { chanceTable, narrowTable } from '../columns/load.ts';
import { membersOf, stepTable } from '../columns/steps.ts';
import { inRange, jobTotal, rangeText, time, timeText } from '../columns/times.ts';
import { allSteps, keptSteps, stepSifting } from './gantt/rows.ts';
import { rowsView } from './parts/rows-view.ts';
import { emptyText, factLine, stepDetail } from './parts/step-detail.ts';
import { ofKind, type ViewContext } from './view.ts';

const stepList = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const all = analysis.profile.steps;
  const { lead, durationUs } = foldsOf(analysis);
  // Longest first, since that is what people look for. Whole builds, and steps that never ran, come last.
  const place = (i: number) => (!ran(all, i) ? 2 : all.kind[i] === WHOLE ? 1 : 0);
  return Array.from(activeSteps(analysis))
    .filter((i) => lead[i] === i)
    .sort((a, b) => place(a) - place(b) || durationUs[b] - durationUs[a] || a - b);
});

export const stepsTable = rowsView<'steps', number, 'steps'>({
  id: 'steps',
  title: 'Steps',
  digit: '5',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'steps',
  sorts: { '': { column: 'duration' }, time: { column: 'duration' }, start: { column: 'start', reversed: true } },
  empty: (c) => emptyText(c, 'there are no steps'),
  rows: stepList,
  columns: stepTable.columns,
  texts(i, { analysis }) {
    const text = (column: 'target' | 'command', k: number) => stepText(analysis.profile, column, k) ?? '';
    return [stepName(analysis.profile, i), text('target', i), ...membersOf(analysis, i).map((k) => text('command', k))];
  },
  detail: (i, c) => stepDetail(c, i, criticalPath(c.analysis)),
  mode(rows, { analysis, filter }) {
    const all = activeSteps(analysis).length;
    const of = rows.length < all ? ` of ${plural(all, 'step')}` : '';
    if (filter) return `${plural(rows.length, 'row')} that match${of}`;
    const [from, to] = windowOf(analysis);
    const when = rangeText(analysis) || time(to - from);
    return `${plural(rows.length, 'row')}${of}, ${time(jobTotal(analysis))} of work in ${when}`;
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
  reports: ['criticalpath', 'longestchain'],
  empty: (c) => emptyText(c, 'nothing ran, or nothing says what needs what'),
  variants: ['what decided the end', 'longest chain'],
  variantKey: { help: 'the longest chain of dependencies alone, or what decided the end', footer: 'chain' },
  rows: (analysis, _, variant) => (variant === 0 ? criticalPath(analysis).links : chainLinks(analysis)),
  columns: links.columns,
  texts: (l, c) => stepTexts(c.analysis.profile, l.step),
  detail(l, c) {
    const sign = '≈';
    const without = withoutStep(c.analysis, l.step);
    const all = simulation(c.analysis);
    const saved =
      all && without !== undefined ? `${sign} ${time(without)} without it, ${sign} ${time(all.asItWasUs)} with (simulated)` : '';
    const facts = [
      saved,
      all ? doubt(all) : '',
      whySentence(c.analysis.profile, l),
      stepDetail(c, l.step, criticalPath(c.analysis)),
    ];
    return factLine(
      c,
      facts.filter((fact) => fact !== ''),
    );
  },
  mode(rows, { analysis }, variant) {
    const { durationUs } = analysis.profile.steps;
    const busy = rows.reduce((sum, l) => sum + durationUs[l.step], 0);
    const [from, to] = windowOf(analysis);
    const s = simulation(analysis);
    const what = variant === 0 ? plural(rows.length, 'link') : `longest chain, ${plural(rows.length, 'step')}`;
    const off = s ? difference(s) : '';
    return `${what}${off === '' ? '' : `, simulated ${off}`}, ${time(busy)} of ${time(to - from)}, ${basisText(analysis, 'short')}${inRange(analysis)}`;
  },
  step: (l) => l.step,
});

/** What ran at once in a chosen range of time, and its percentages, are of that range: they add up to all of it. */
interface Level {
  readonly running: number;
  readonly us: number;
  readonly note: string;
  /** More jobs than the host has cores. */
  readonly over: boolean;
  /** Not measured: the time of the whole build with this many jobs. */
  readonly simulated: boolean;
}

/** Of the steps that the filter keeps, if there is one. */
const levelsFor = memo((analysis: Analysis<'steps'>, steps: readonly number[], filtered: boolean): Level[] => {
  const { profile } = analysis;
  const all = profile.steps;
  const kept = steps.filter((i) => isJob(all, i));
  const { atLevel, us, running } = filtered ? concurrencyOf(all, kept) : jobConcurrency(analysis);
  const { cores } = all;
  const held = heldLevel(atLevel);
  const [from, to] = windowOf(analysis);
  // At the ends of a chosen range of time, there may be nothing. Less than a nanosecond is only rounding.
  const around = (us[0] ?? from) - from + (to - (us.at(-1) ?? from));
  const idle = all.clip && !filtered && around >= 0.001 ? around : 0;
  let longest = { us: 0, at: 0 };
  for (let k = 0; k + 1 < us.length; k++)
    if (running[k] === 1 && us[k + 1] - us[k] > longest.us) longest = { us: us[k + 1] - us[k], at: us[k] };
  const who = kept.find((i) => all.durationUs[i] > 0 && all.startUs[i] <= longest.at && endUs(all, i) > longest.at);
  const noteOf = (n: number) => {
    if (n === 0) return all.clip ? 'nothing ran' : 'nothing ran between the first step and the last';
    if (n === 1 && who !== undefined) return `longest ${timeText(longest.us)}: ${shortStepName(profile, who)}`;
    return n === cores ? 'every core has a job' : '';
  };
  return Array.from(atLevel, (busy, n) => {
    const t = n === 0 ? busy + idle : busy;
    const over = cores !== null && n > cores && n <= held;
    return {
      running: n,
      us: t,
      note: over ? `more jobs than the host's ${plural(cores, 'core')}` : noteOf(n),
      over,
      simulated: false,
    };
  }).filter((l) => l.us > 0);
}, 4);

const levelsOf = (c: ViewContext<'steps'>) => levelsFor(c.analysis, keptSteps(c), c.matcher !== undefined);

/** The measured levels, followed by simulations with more or fewer jobs. */
const levelsAndSimulation = memo((analysis: Analysis<'steps'>): Level[] => {
  const s = simulation(analysis);
  const measured = levelsFor(analysis, allSteps(analysis), false);
  if (!s) return measured;
  const off = difference(s);
  const row = (jobs: number, us: number, text: string): Level => ({
    ...{ running: jobs, us, simulated: true, over: false },
    note: `simulated: ${text}`,
  });
  return [
    ...measured,
    row(s.jobs, s.asItWasUs, off === '' ? `as it was, with ${plural(s.jobs, 'place')}` : `as it was, ${off} than measured`),
    ...s.withJobs.map((w) => row(w.jobs, w.us, `with ${plural(w.jobs, 'job')}`)),
    row(Number.POSITIVE_INFINITY, s.unlimitedUs, 'with any number of jobs'),
  ];
});

/** A row of one of the tables of Load. */
type LoadRow = { readonly level: Level } | { readonly window: NarrowWindow } | { readonly chance: Chance };

/** Columns of one kind of rows, for rows of which that is a part; for the screen. */
function inside<T>(columns: readonly Column<T>[], part: (row: LoadRow) => T | undefined): Column<LoadRow>[] {
  const of =
    <R>(read: (row: T) => R, none: R) =>
    (row: LoadRow): R => {
      const found = part(row);
      return found === undefined ? none : read(found);
    };
  return columns.map(({ value: _, order: __, text, key, ...rest }) => ({
    ...rest,
    ...(text ? { text: of<string | Cell>(text, '') } : {}),
    ...(key ? { key: of<number | string>(key, 0) } : {}),
  }));
}

const levelIn = (row: LoadRow) => ('level' in row ? row.level : undefined);
const asLevels = memo((levels: readonly Level[]): readonly LoadRow[] => levels.map((level) => ({ level })), 4);
const asWindows = memo((windows: readonly NarrowWindow[]): readonly LoadRow[] => windows.map((window) => ({ window })));
const asChances = memo((found: readonly Chance[]): readonly LoadRow[] => found.map((chance) => ({ chance })));
/** Levels of the steps that match; windows and chances of those. */
const matchingRows = (c: ViewContext<'steps'>, variant: number): readonly LoadRow[] => {
  if (variant === 0) return asLevels(levelsOf(c));
  const kept = new Set(keptSteps(c));
  return variant === 1
    ? asWindows(narrowWindows(c.analysis)).filter((row) => kept.has(stepIn(row)))
    : asChances(chances(c.analysis)).filter((row) => kept.has(stepIn(row)));
};
const stepIn = (row: LoadRow) => ('window' in row ? row.window.step : 'chance' in row ? row.chance.step : -1);

export const utilizationTable = rowsView<'utilization', LoadRow, 'steps'>({
  id: 'utilization',
  title: 'Load',
  digit: '8',
  asks: ['steps'],
  of: ofKind('steps'),
  report: 'summary',
  reports: ['summary', 'narrow', 'whatif'],
  unsaid: (variant) => (variant === 0 ? 'how many jobs ran at once' : undefined),
  empty: (c) => emptyText(c, 'nothing of this: nothing ran, it was never narrow, or nothing says what needs what'),
  noMatch: 'none of what matches is a job',
  variants: ['jobs at once', 'where it was narrow', 'what would gain most'],
  variantKey: { help: 'jobs at once, where the build was narrow, or what would gain most', footer: 'table' },
  rows: (analysis, _, variant) =>
    variant === 0
      ? asLevels(levelsAndSimulation(analysis))
      : variant === 1
        ? asWindows(narrowWindows(analysis))
        : asChances(chances(analysis)),
  matching: { rows: matchingRows, sifting: stepSifting },
  columns: (c, variant) =>
    variant === 0
      ? inside(levelColumns(c), levelIn)
      : variant === 1
        ? inside(narrowTable.columns(c), (row) => ('window' in row ? row.window : undefined))
        : inside(chanceTable.columns(c), (row) => ('chance' in row ? row.chance : undefined)),
  texts: (row, c) => [
    'level' in row ? String(row.level.running) : stepIn(row) < 0 ? '' : stepName(c.analysis.profile, stepIn(row)),
  ],
  detail(row, c) {
    if ('window' in row) return stepIn(row) < 0 ? 'nothing ran' : stepDetail(c, row.window.step, criticalPath(c.analysis));
    if ('chance' in row)
      return `${shortStepName(c.analysis.profile, row.chance.step)} as ${row.chance.what}: the build would take ≈ ${time(row.chance.us)} (simulated)`;
    return levelDetail(row.level);
  },
  mode: (rows, c, variant) =>
    variant === 0
      ? loadMode(c)
      : variant === 1
        ? `${plural(rows.length, 'window')} with fewer than half of ${plural(couldRun(c.analysis), 'job')}`
        : 'the five longest steps of the longest chain, simulated',
  step: stepIn,
});

const levelColumns = (c: ViewContext<'steps'>): Column<Level>[] => [
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
    text: (l) => (l.simulated ? `≈${time(l.us)}` : time(l.us)),
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
            levelsOf(c).reduce((sum, x) => sum + x.us, 0),
          ),
  },
  {
    id: 'bar',
    title: '',
    width: c.width < 100 ? 16 : 30,
    rank: 5,
    text: (l) => (l.simulated ? '' : bar(l.us / Math.max(...levelsOf(c).map((x) => x.us)), c.width < 100 ? 16 : 30)),
  },
  {
    id: 'note',
    title: 'note',
    width: 20,
    flex: 1,
    cut: 'end',
    rank: 7,
    style: 'dim',
    text: (l) => (l.over ? { text: l.note, style: 'warm' } : l.note),
  },
];

const levelDetail = (l: Level): string =>
  l.simulated
    ? `${l.note}; steps take as long as they took, and start when what they need is there and a place is free`
    : `${plural(l.running, 'job')} at once for ${time(l.us)}${l.note ? `; ${l.note}` : ''}`;

/** How many jobs ran. */
function loadMode(c: ViewContext<'steps'>): string {
  const { most, atLevel } = jobConcurrency(c.analysis);
  const s = simulation(c.analysis);
  const off = s ? difference(s) : '';
  const [from, to] = windowOf(c.analysis);
  const { cores } = c.analysis.profile.steps;
  const mean = to > from ? jobTotal(c.analysis) / (to - from) : 0;
  if (c.filter) return `${plural(keptSteps(c).length, 'step')} that match`;
  return `up to ${plural(heldLevel(atLevel) || most, 'job')}${off === '' ? '' : `, simulated ${off}`}, ${mean.toFixed(2)} on average${cores === null ? '' : `, ${plural(cores, 'core')}`}${inRange(c.analysis)}`;
}
