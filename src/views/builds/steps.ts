// Tables of builds and traces: steps, the critical path, utilization.

import { mergedCommandsOf } from '../../analysis/answers/steps/folds.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { activeSteps, buildDurationUs, jobConcurrency, stepsThatRan, timeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { basisText, criticalPathOf, waitReasonSentence } from '../../analysis/builds/critical.ts';
import type { NarrowWindow, Speedup } from '../../analysis/builds/narrow.ts';
import { dependenciesOf } from '../../analysis/builds/needs.ts';
import { ranMoreThanSimulated, simulatedWithAndWithout, simulation } from '../../analysis/builds/simulate.ts';
import { heldLevel } from '../../analysis/builds/stages.ts';
import type { TableCell } from '../../base/style.ts';
import { plural } from '../../base/units.ts';
import { chainList, criticalList } from '../../columns/builds/critical.ts';
import { type LoadLevel, levelList, loadLevels } from '../../columns/builds/levels.ts';
import { narrowPeriodList, SPEEDUP_TEXTS, speedupList } from '../../columns/builds/load.ts';
import { stepList } from '../../columns/builds/steps.ts';
import { totalJobUs } from '../../columns/builds/times.ts';
import type { Column, ColumnContext } from '../../columns/column.ts';
import type { TableListing } from '../../columns/listing.ts';
import { rangeSuffix, rangeText, timeAxisText, timeOrUnknown } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import { emptyText, hasNoStartTimes, joinFittingFacts } from '../parts/step-detail.ts';
import type { ScreenLine, ViewContext } from '../view.ts';
import { keptSteps, stepColumnNames, stepFilter } from './gantt/rows.ts';
import { drawStrip, jobStrip, maxLabelWidth } from './gantt/strips.ts';
import { stepDetail } from './step-detail.ts';

export const stepsTable = rowsView({
  id: 'steps',
  title: 'Steps',
  lists: [stepList],
  sorts: { '': { column: 'duration' }, time: { column: 'duration' }, start: { column: 'start', reversed: true } },
  empty: (c) => emptyText(c, 'there are no steps'),
  detail: (i, c) => stepDetail(c, i),
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  mode(rows, { analysis, filter }) {
    const all = activeSteps(analysis).length;
    if (filter) return `${plural(rows.length, 'row')} of ${plural(all, 'step')} match`;
    // Commands with the same output share a row.
    const steps = `${plural(all, 'step')}${rows.length < all ? ` in ${plural(rows.length, 'row')}` : ''}`;
    const when = rangeText(analysis) || (buildDurationUs(analysis) > 0 ? timeOrUnknown(buildDurationUs(analysis)) : '');
    return `${steps}, ${timeOrUnknown(totalJobUs(analysis))} of work${when && ` in ${when}`}`;
  },
  step: (i) => i,
  rowOf: (step, c) => mergedCommandsOf(c.analysis).firstStep[step] ?? step,
});

const missingNeedsText = ({ analysis: { profile } }: ViewContext<'steps'>): string =>
  profile.steps.needsCaveat === undefined ? '' : `: ${profile.steps.needsCaveat}`;

export const criticalTable = rowsView({
  id: 'critical',
  title: 'Critical',
  lists: [criticalList, chainList],
  sorts: {},
  // The slices of one trace wait for no job.
  silent: (profile) => hasNoStartTimes(profile) || profile.routines.name.length > 0,
  empty: (c) =>
    emptyText(c, stepsThatRan(c.analysis).length === 0 ? 'No step ran' : `Dependencies are unknown${missingNeedsText(c)}`),
  variants: ['critical path', 'longest chain'],
  weight: ({ step }, c) => c.analysis.profile.steps.durationUs[step],
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  variantKey: { help: 'switch between critical path and longest dependency chain', label: 'show' },
  detail(l, c) {
    const times = simulatedWithAndWithout(c.analysis, l.step);
    const saved = times
      ? `simulated build: ≈ ${timeOrUnknown(times.asItWasUs)}, ≈ ${timeOrUnknown(times.asItWasUs - times.withoutUs)} shorter without this step`
      : '';
    const warning = simulation(c.analysis)?.warning ?? '';
    // In narrow headings, the reason is cut.
    const basis = l.waited === 'after' ? basisText(c.analysis, 'short') : '';
    return joinFittingFacts(c, [waitReasonSentence(c.analysis.profile, l), basis, saved, warning, stepDetail(c, l.step)]);
  },
  mode(rows, { analysis }, variant) {
    const { durationUs } = analysis.profile.steps;
    const busy = rows.reduce((sum, l) => sum + durationUs[l.step], 0);
    const s = simulation(analysis);
    const off = s?.errorText ? `, simulated ${s.errorText}` : '';
    const forJobs = rows.filter(({ waited }) => waited === 'place').length;
    const what = `${variant === 0 ? '' : 'longest chain, '}${plural(rows.length, 'step')} ${basisText(analysis, 'short')}`;
    const whole = `${timeOrUnknown(s ? s.measuredUs : buildDurationUs(analysis))}${s && ranMoreThanSimulated(analysis) ? ' of building' : ''}`;
    return `${what}${forJobs > 0 ? `, ${forJobs} waited for a job` : ''}, ${timeOrUnknown(busy)} of ${whole}${off}${rangeSuffix(analysis)}`;
  },
  step: (l) => l.step,
});

type LoadRow = LoadLevel | NarrowWindow | Speedup;

const isLevel = (row: LoadRow): row is LoadLevel => 'simulated' in row;
const isWindow = (row: LoadRow): row is NarrowWindow => 'fromUs' in row;
const isSpeedup = (row: LoadRow): row is Speedup => 'gainUs' in row;

const stepOfRow = (row: LoadRow) => (isLevel(row) ? -1 : row.step);

/** Converts a table to one with rows of type LoadRow. */
function asLoadList<T extends LoadRow>(
  list: TableListing<T, 'steps'>,
  isOwn: (row: LoadRow) => row is T,
): TableListing<LoadRow, 'steps'> {
  const readOr =
    <R>(read: (row: T) => R, none: R) =>
    (row: LoadRow): R =>
      isOwn(row) ? read(row) : none;
  const columns = (c: ColumnContext<'steps'>): Column<LoadRow>[] =>
    list
      .table(c)
      .columns(c)
      .map(({ value: _, order: __, amount: ___, text, key, ...rest }) => ({
        ...rest,
        ...(text ? { text: readOr<string | TableCell>(text, '') } : {}),
        ...(key ? { key: readOr<number | string>(key, 0) } : {}),
      }));
  return { ...list, table: () => ({ columns }), texts: (row, c) => (isOwn(row) ? list.texts(row, c) : []) };
}

const loadLists: readonly TableListing<LoadRow, 'steps'>[] = [
  asLoadList(levelList, isLevel),
  asLoadList(narrowPeriodList, isWindow),
  asLoadList(speedupList, isSpeedup),
];

export const utilizationTable = rowsView({
  id: 'utilization',
  title: 'Load',
  lists: loadLists,
  sorts: {},
  silent: hasNoStartTimes,
  empty(c, variant) {
    if (variant < 2) return emptyText(c, 'No period of 0.5% of the build or more with fewer than half of the possible jobs');
    const why = dependenciesOf(c.analysis).now() ? simulation(c.analysis)?.warning : 'nothing records dependencies';
    return emptyText(c, why ? `Unknown: ${why.split(';')[0]}` : 'No step alone would save 0.1% of the build');
  },
  noMatch: 'no match is a job (stages and nested events do not count)',
  variants: ['jobs at once', 'low parallelism', 'savings by step'],
  variantKey: { help: 'parallel jobs, periods of low parallelism, or savings by single steps', label: 'show' },
  matching: {
    rows(c, variant) {
      if (variant === 0) return loadLevels(c.analysis, keptSteps(c), c.matcher !== undefined);
      const kept = new Set(keptSteps(c));
      return loadLists[variant].all(c).filter((row) => kept.has(stepOfRow(row)));
    },
    filter: stepFilter,
    filterColumns: stepColumnNames,
  },
  below: drawLoad,
  weight: (row) => (isLevel(row) && !row.simulated ? row.us : 0),
  detail(row, c) {
    if (isLevel(row) && row.simulated)
      return `${row.note}; durations unchanged; steps start when inputs and a job slot are ready`;
    if (isLevel(row)) {
      const what = row.running === 0 ? 'nothing ran' : `${plural(row.running, 'job')} at once`;
      return `${what} for ${timeOrUnknown(row.us)}${row.note && row.running > 0 ? `; ${row.note}` : ''}`;
    }
    if (isSpeedup(row))
      return `${shortStepName(c.analysis.profile, row.step)}: if it ${SPEEDUP_TEXTS[row.what]}, the build would take ≈ ${timeOrUnknown(row.us)} (simulated)`;
    return row.step < 0 ? 'nothing ran' : stepDetail(c, row.step);
  },
  mode(rows, c, variant) {
    if (variant === 1) return `${plural(rows.length, 'period')} with few jobs`;
    const unchangedUs = rows.flatMap((row) => (isSpeedup(row) ? row.us + row.gainUs : []))[0] ?? Number.NaN;
    if (variant === 2) return `of the simulated build, ≈ ${timeOrUnknown(unchangedUs)} if nothing changes`;
    if (c.filter) return plural(keptSteps(c).length, 'matching step');
    const { most, atLevel } = jobConcurrency(c.analysis);
    const off = simulation(c.analysis)?.errorText ?? '';
    const tookUs = buildDurationUs(c.analysis);
    const { cores } = c.analysis.profile.steps;
    const mean = tookUs > 0 ? totalJobUs(c.analysis) / tookUs : 0;
    return `up to ${plural(heldLevel(atLevel) || most, 'job')}${off === '' ? '' : `, simulated ${off}`}, ${mean.toFixed(2)} on average${cores === null ? '' : `, ${plural(cores, 'core')}`}${rangeSuffix(c.analysis)}`;
  },
  step: stepOfRow,
});

const MAX_PLOT_ROWS = 8;

/** A plot of parallel jobs over time, in the rows below the table. */
function drawLoad(c: ViewContext<'steps'>, rows: number): readonly ScreenLine[] {
  if (rows < 4 || c.matcher) return [];
  const strip = jobStrip(c);
  const [from, to] = timeWindowOf(c.analysis);
  const gutter = maxLabelWidth([strip], 2) + 1;
  const width = Math.max(8, c.width - gutter);
  const axis: ScreenLine = { spans: [[' '.repeat(gutter) + timeAxisText({ from, to }, from, width), 'header']] };
  return [{ spans: [] }, axis, ...drawStrip(strip, gutter, width, { from, to }, Math.min(MAX_PLOT_ROWS, rows - 2))];
}
