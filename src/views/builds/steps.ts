// Tables of builds and traces: steps, the critical path, utilization.

import { foldsOf } from '../../analysis/answers/steps/folds.ts';
import { shortStepName } from '../../analysis/answers/steps/step-names.ts';
import { activeSteps, buildUs, jobConcurrency, windowOf } from '../../analysis/answers/steps/steps.ts';
import { basisText, criticalPath, criticalPathOf, whySentence } from '../../analysis/builds/critical.ts';
import { type Chance, couldRun, type NarrowWindow } from '../../analysis/builds/narrow.ts';
import { dependencies } from '../../analysis/builds/needs.ts';
import { difference, doubt, ranMore, simulation, withoutStep } from '../../analysis/builds/simulate.ts';
import { heldLevel } from '../../analysis/builds/stages.ts';
import { memo } from '../../base/memo.ts';
import type { Cell } from '../../base/style.ts';
import { plural } from '../../base/units.ts';
import { chainList, criticalList } from '../../columns/builds/critical.ts';
import { type Level, levelList, levelsFor } from '../../columns/builds/levels.ts';
import { chanceList, narrowList } from '../../columns/builds/load.ts';
import { stepList } from '../../columns/builds/steps.ts';
import { jobTotal } from '../../columns/builds/times.ts';
import type { Column, ColumnContext } from '../../columns/column.ts';
import type { Listing } from '../../columns/listing.ts';
import { axisLine, inRange, rangeText, time } from '../../columns/times.ts';
import { rowsView } from '../parts/rows-view.ts';
import { emptyText, factLine, nothingRan } from '../parts/step-detail.ts';
import type { ScreenLine, ViewContext } from '../view.ts';
import { keptSteps, stepSifting } from './gantt/rows.ts';
import { drawStrip, jobStrip, labelWidth } from './gantt/strips.ts';
import { stepDetail } from './step-detail.ts';

export const stepsTable = rowsView({
  id: 'steps',
  title: 'Steps',
  digit: '5',
  lists: [stepList],
  sorts: { '': { column: 'duration' }, time: { column: 'duration' }, start: { column: 'start', reversed: true } },
  empty: (c) => emptyText(c, 'there are no steps'),
  detail: (i, c) => stepDetail(c, i),
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  mode(rows, { analysis, filter }) {
    const all = activeSteps(analysis).length;
    if (filter) return `${plural(rows.length, 'row')} of ${plural(all, 'step')} match`;
    // The commands of one output share a row.
    const steps = `${plural(all, 'step')}${rows.length < all ? ` in ${plural(rows.length, 'row')}` : ''}`;
    const when = rangeText(analysis) || (buildUs(analysis) > 0 ? time(buildUs(analysis)) : '');
    return `${steps}, ${time(jobTotal(analysis))} of work${when && ` in ${when}`}`;
  },
  step: (i) => i,
  rowOf: (step, c) => foldsOf(c.analysis).lead[step] ?? step,
});

export const criticalTable = rowsView({
  id: 'critical',
  title: 'Critical',
  digit: '7',
  lists: [criticalList, chainList],
  silent: nothingRan,
  empty: (c) => emptyText(c, 'Nothing to show: nothing ran, or dependencies are unknown'),
  variants: ['critical path', 'longest chain'],
  work: (c, ms) => criticalPathOf(c.analysis).run(ms),
  variantKey: { help: 'switch between critical path and longest dependency chain', of: 'show' },
  detail(l, c) {
    const sign = '≈';
    const without = withoutStep(c.analysis, l.step);
    const all = simulation(c.analysis);
    const saved =
      all && without !== undefined
        ? `simulated build: ${sign} ${time(without)} without this step, ${sign} ${time(all.asItWasUs)} with it`
        : '';
    const facts = [saved, all ? doubt(all) : '', whySentence(c.analysis.profile, l), stepDetail(c, l.step)];
    return factLine(
      c,
      facts.filter((fact) => fact !== ''),
    );
  },
  mode(rows, { analysis }, variant) {
    const { durationUs } = analysis.profile.steps;
    const busy = rows.reduce((sum, l) => sum + durationUs[l.step], 0);
    const s = simulation(analysis);
    const what = variant === 0 ? plural(rows.length, 'link') : `longest chain, ${plural(rows.length, 'step')}`;
    const off = s ? difference(s) : '';
    return `${what}${off === '' ? '' : `, simulated ${off}`}, ${time(busy)} of ${time(s ? s.measuredUs : buildUs(analysis))}${s && ranMore(analysis) ? ' of building' : ''}, ${basisText(analysis, 'short')}${inRange(analysis)}`;
  },
  step: (l) => l.step,
});

const levelsOf = (c: ViewContext<'steps'>) => levelsFor(c.analysis, keptSteps(c), c.matcher !== undefined);

/** A row of one of the tables of Load. */
type LoadRow = { readonly level: Level } | { readonly window: NarrowWindow } | { readonly chance: Chance };

const stepIn = (row: LoadRow) => ('window' in row ? row.window.step : 'chance' in row ? row.chance.step : -1);

/** A list, its rows put into rows of Load; for the screen. */
function among<T>(
  list: Listing<T, 'steps'>,
  put: (row: T) => LoadRow,
  take: (row: LoadRow) => T | undefined,
): Listing<LoadRow, 'steps'> {
  const of =
    <R>(read: (row: T) => R, none: R) =>
    (row: LoadRow): R => {
      const found = take(row);
      return found === undefined ? none : read(found);
    };
  const columns = (c: ColumnContext<'steps'>): Column<LoadRow>[] =>
    list
      .table(c)
      .columns(c)
      .map(({ value: _, order: __, text, key, ...rest }) => ({
        ...rest,
        ...(text ? { text: of<string | Cell>(text, '') } : {}),
        ...(key ? { key: of<number | string>(key, 0) } : {}),
      }));
  const all = memo((rows: readonly T[]): readonly LoadRow[] => rows.map(put), 4);
  return {
    ...list,
    table: () => ({ columns }),
    all: (c) => all(list.all(c)),
    texts: (row, c) => of<readonly string[]>((found) => list.texts(found, c), [])(row),
  };
}

const loadLists: readonly Listing<LoadRow, 'steps'>[] = [
  among(
    levelList,
    (level) => ({ level }),
    (row) => ('level' in row ? row.level : undefined),
  ),
  among(
    narrowList,
    (window) => ({ window }),
    (row) => ('window' in row ? row.window : undefined),
  ),
  among(
    chanceList,
    (chance) => ({ chance }),
    (row) => ('chance' in row ? row.chance : undefined),
  ),
];

const asRows = memo((levels: readonly Level[]): readonly LoadRow[] => levels.map((level) => ({ level })), 4);

/** Levels of the steps that match; windows and chances of those. */
function matchingRows(c: ViewContext<'steps'>, variant: number): readonly LoadRow[] {
  if (variant === 0) return asRows(levelsOf(c));
  const kept = new Set(keptSteps(c));
  return loadLists[variant].all(c).filter((row) => kept.has(stepIn(row)));
}

export const utilizationTable = rowsView({
  id: 'utilization',
  title: 'Load',
  digit: '8',
  lists: loadLists,
  silent: nothingRan,
  empty: (c) =>
    emptyText(
      c,
      dependencies(c.analysis)
        ? 'Nothing found: no long period with few jobs, or no large saving'
        : 'Unknown: nothing records dependencies',
    ),
  noMatch: 'no match is a job (stages and nested events do not count)',
  variants: ['jobs at once', 'low parallelism', 'largest savings'],
  variantKey: { help: 'parallel jobs, periods of low parallelism, or largest savings', of: 'show' },
  matching: { rows: matchingRows, sifting: stepSifting },
  below: drawLoad,
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

/** Rows of the plot below the table, its axis left out. */
const TALLEST_PLOT = 8;

/** The jobs over the time of the build, in the rows that the table leaves. */
function drawLoad(c: ViewContext<'steps'>, rows: number): readonly ScreenLine[] {
  if (rows < 4 || c.matcher) return [];
  const strip = jobStrip(c);
  const [from, to] = windowOf(c.analysis);
  const gutter = labelWidth([strip], 2) + 1;
  const width = Math.max(8, c.width - gutter);
  const axis: ScreenLine = { spans: [[' '.repeat(gutter) + axisLine({ from, to }, from, width), 'header']] };
  return [{ spans: [] }, axis, ...drawStrip(strip, gutter, width, { from, to }, Math.min(TALLEST_PLOT, rows - 2))];
}

const levelDetail = (l: Level): string =>
  l.simulated
    ? `${l.note}; durations unchanged; steps start when inputs and a job slot are ready`
    : `${plural(l.running, 'job')} at once for ${time(l.us)}${l.note ? `; ${l.note}` : ''}`;

/** How many jobs ran. */
function loadMode(c: ViewContext<'steps'>): string {
  const { most, atLevel } = jobConcurrency(c.analysis);
  const s = simulation(c.analysis);
  const off = s ? difference(s) : '';
  const tookUs = buildUs(c.analysis);
  const { cores } = c.analysis.profile.steps;
  const mean = tookUs > 0 ? jobTotal(c.analysis) / tookUs : 0;
  if (c.filter) return `${plural(keptSteps(c).length, 'step')} that match`;
  return `up to ${plural(heldLevel(atLevel) || most, 'job')}${off === '' ? '' : `, simulated ${off}`}, ${mean.toFixed(2)} on average${cores === null ? '' : `, ${plural(cores, 'core')}`}${inRange(c.analysis)}`;
}
