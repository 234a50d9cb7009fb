// The columns of steps: one row per step; on the screen, the commands of one output share a row.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { orderByNumber } from '../../analysis/answers/order.ts';
import { mergedCommandsOf } from '../../analysis/answers/steps/folds.ts';
import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { stepHeading } from '../../analysis/answers/steps/step-names.ts';
import {
  activeSteps,
  hasNoTime,
  hasRun,
  isJob,
  isWork,
  jobsOf,
  neverRan,
  recordedName,
  resultText,
  stepFailed,
  stepName,
  stepText,
  stepTexts,
  uncutTimes,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { stepsBefore } from '../../analysis/builds/changes.ts';
import { criticalPath } from '../../analysis/builds/critical.ts';
import { stepWarnings } from '../../analysis/builds/warnings.ts';
import { memo } from '../../base/lists.ts';
import { heatStyle, type TableCell } from '../../base/style.ts';
import { formatBytes, formatPercent } from '../../base/units.ts';
import { STEP_KIND, type Steps, type TextName, WHOLE_KIND } from '../../model/steps/tables.ts';
import { stringAt } from '../../model/strings.ts';
import { barColumn, dataColumn, displayColumn, finiteOrNull, largestMagnitude, numberColumn, wordColumn } from '../builders.ts';
import type { Column, ColumnContext, Json } from '../column.ts';
import { baseOfKind, makeListing } from '../listing.ts';
import { msOrNull, msText, timeChange, timeColumn, timeOrUnknown, totalWorkUs } from '../times.ts';
import { roleColumn, stepNameText } from './step-names.ts';
import { readyCriticalPath } from './times.ts';

/** The columns of the list below a chart: the steps that run at the chosen moment. */
export function momentColumns(c: ColumnContext<'steps'>, title: string): Column<number>[] {
  const { profile } = c.analysis;
  const { steps } = profile;
  return [
    ...roleColumn<number>(c, (i) => i),
    wordColumn('step', (i) => stepName(profile, i), {
      ...{ title, width: 14, flex: 1, cut: 'path', rank: 9 },
      text: (i) => stepNameText(c, i),
    }),
    timeColumn(c, 'start', 'start', 6, (i) => steps.startUs[i] - wholeWindowOf(c.analysis)[0]),
    timeColumn(c, 'duration', 'time', 7, (i) => steps.durationUs[i]),
  ];
}

const stepRowsOnScreen = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const all = analysis.profile.steps;
  const { firstStep, durationUs } = mergedCommandsOf(analysis);
  // Longest steps first, then whole builds, then steps without a time.
  const rank = (i: number) => (hasNoTime(all, i) ? 2 : all.kind[i] === WHOLE_KIND ? 1 : 0);
  const rows = activeSteps(analysis).filter((i) => firstStep[i] === i);
  const ofRank = (wanted: number) => rows.filter((i) => rank(i) === wanted);
  return [0, 1, 2].flatMap((wanted) => Array.from(orderByNumber(durationUs, true, ofRank(wanted))));
});

const longestWorkUs = memo((analysis: Analysis<'steps'>): number => {
  const { durationUs } = mergedCommandsOf(analysis);
  return largestMagnitude(stepRowsOnScreen(analysis), (i) => (isWork(analysis.profile.steps, i) ? durationUs[i] : 0));
});

/** The list of steps: one row per step for machines and text; on the screen, the commands of one output share a row. */
export const stepList = makeListing<number, 'steps'>({
  ...{ name: 'steps', requires: ['steps'], kind: 'steps' },
  keys: 'id name role target source language config command directory startMs durationMs lane result outputs parent part cpuMs warnings messages more'.split(
    ' ',
  ),
  columns: (c) => (c.medium === 'text' ? textColumns(c) : [...timeColumns(c), ...resultColumns(c), ...nameColumns(c)]),
  all: ({ analysis, medium }) => (medium === 'screen' ? stepRowsOnScreen(analysis) : Array.from(activeSteps(analysis))),
  texts(i, { analysis, medium }) {
    if (medium === 'text') return stepTexts(analysis.profile, i);
    const text = (column: 'target' | 'command', k: number) => stepText(analysis.profile, column, k) ?? '';
    return [stepName(analysis.profile, i), text('target', i), ...stepsOfRow(analysis, i).map((k) => text('command', k))];
  },
});

function textColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const { steps } = profile;
  const lane = (i: number) => (lanesOf(analysis).of[i] < 0 ? Number.NaN : lanesOf(analysis).of[i]);
  const recorded = (id: TextName): Column<number> => dataColumn(id, (i) => stepText(profile, id, i));
  return [
    // Rows are in order of start, so the row number is the key.
    { ...timeColumn<number>(c, 'start', 'start', 4, (i) => steps.startUs[i]), key: (i) => i, ascends: true },
    { ...timeColumn<number>(c, 'duration', 'time', 9, (i) => steps.durationUs[i]), title: 'ms' },
    ...(steps.clip ? [uncutDurationColumn(c)] : []),
    numberColumn('lane', lane, { measured: true, key: undefined }),
    numberColumn('result', (i) => steps.result[i], {
      measured: true,
      text: (i) => resultText(steps.result[i]),
      key: undefined,
    }),
    wordColumn('name', (i) => recordedName(profile, i), {
      ...{ title: 'step', flex: 1, cut: 'path', key: undefined },
      text: (i) => stepName(profile, i),
    }),
    wordColumn('target', (i) => stepText(profile, 'target', i), { flex: 1, cut: 'end', key: undefined }),
    dataColumn('id', (i) => i),
    ...(['role', 'source', 'language', 'config', 'command', 'directory'] as const).map(recorded),
    dataColumn('outputs', (i) => outputsJson(analysis, i)),
    dataColumn('parent', (i) => (steps.parent[i] < 0 ? null : steps.parent[i])),
    // The text counts parts from 1, as in --parts and Info.
    numberColumn('part', (i) => steps.part[i], {
      text: profile.parts.length > 1 ? (i) => String(steps.part[i] + 1) : undefined,
      key: undefined,
    }),
    dataColumn('cache', (i) => stepText(profile, 'cache', i) ?? undefined, {
      text: hasText(analysis, 'cache') ? (i) => stepText(profile, 'cache', i) ?? '' : undefined,
    }),
    dataColumn('cpuMs', (i) => msOrNull(steps.cpuUs[i]) ?? undefined, { measured: true }),
    ...warningsColumn(analysis),
    dataColumn('messages', (i) => stepText(profile, 'messages', i) ?? undefined),
    // JSON from the loader.
    dataColumn('more', (i) => {
      const more = stepText(profile, 'more', i);
      return more === null ? undefined : JSON.parse(more);
    }),
  ];
}

/** The full duration of steps that the chosen time range cuts; no value for other steps. */
function uncutDurationColumn({ analysis }: ColumnContext<'steps'>): Column<number> {
  const us = (i: number) => uncutTimes(analysis.profile.steps, i)?.durationUs ?? Number.NaN;
  return numberColumn('uncutMs', us, {
    title: 'uncut ms',
    measured: true,
    value: (i) => msOrNull(us(i)) ?? undefined,
    text: (i) => msText(us(i), ''),
    key: undefined,
  });
}

function outputsJson({ profile }: Analysis<'steps'>, i: number): Json {
  const { outputStart, outputPath, outputBytes } = profile.steps;
  const bytes = outputBytes.subarray(outputStart[i], outputStart[i + 1]);
  const pathAt = (k: number) => stringAt(profile.strings, outputPath[outputStart[i] + k]);
  return Array.from(bytes, (size, k) => ({ path: pathAt(k), bytes: finiteOrNull(size) }));
}

/** The change of the time of the commands of a row since the base; empty without a base. */
function changeColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const base = baseOfKind(c, 'steps');
  if (!base) return [];
  const [now, then] = [mergedCommandsOf(c.analysis), mergedCommandsOf(base)];
  const { of, kind } = stepsBefore(c.analysis, base);
  const changeUs = (i: number) => (of(i) < 0 ? Number.NaN : now.durationUs[i] - then.durationUs[then.firstStep[of(i)]]);
  const text = (i: number) => (Number.isNaN(changeUs(i)) ? (kind(i) ?? '') : timeChange(c, changeUs(i)));
  return [numberColumn('change', changeUs, { width: 8, rank: 8, text })];
}

function timeColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const folds = mergedCommandsOf(analysis);
  // The slices within another have shares, too, as in Tree.
  const us = (i: number) => (steps.kind[i] === STEP_KIND && !hasNoTime(steps, i) ? folds.durationUs[i] : 0);
  const share = (i: number) => us(i) / totalWorkUs(analysis);
  const start = (i: number) => {
    if (hasRun(steps, i)) return timeOrUnknown(steps.startUs[i] - wholeWindowOf(analysis)[0]);
    return neverRan(steps, i) ? 'never' : '?';
  };
  return [
    numberColumn('time', (i) => (hasNoTime(steps, i) ? Number.NaN : folds.durationUs[i]), {
      ...{ also: 'duration', width: 8, rank: 9 },
      text: (i) => (hasNoTime(steps, i) ? '?' : timeOrUnknown(folds.durationUs[i])),
    }),
    displayColumn('%', (i) => ({ text: share(i) > 0 ? formatPercent(share(i), 1) : '', style: heatStyle(share(i)) }), {
      ...{ width: 7, align: 'right', rank: 6 },
    }),
    ...changeColumns(c),
    ...barColumn<number>(c, us, longestWorkUs(analysis), { rank: 3 }),
    // Test results alone have no start times.
    ...(hasStartTimes(steps)
      ? [
          numberColumn('weighted', (i: number) => folds.weightedUs[i], {
            ...{ width: 8, rank: 5 },
            text: jobsOf(analysis).length > 1 ? (i) => (isJob(steps, i) ? timeOrUnknown(folds.weightedUs[i]) : '') : undefined,
          }),
          numberColumn('start', (i: number) => steps.startUs[i], { width: 8, rank: 4, ascends: true, text: start }),
        ]
      : []),
  ];
}

function resultColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const bytes = (i: number) => outputBytesOf(analysis, i);
  const result = equalValues(analysis).has('result') ? undefined : (i: number) => resultCell(analysis, i);
  const size = (i: number) => (Number.isNaN(bytes(i)) ? '' : formatBytes(bytes(i)));
  const areKnown = steps.outputBytes.some((known) => known >= 0);
  return [
    ...(hasStartTimes(steps) ? [criticalColumn(c)] : []),
    ...(hasResults(steps) ? [numberColumn('result', (i: number) => steps.result[i], { width: 6, rank: 7, text: result })] : []),
    ...warningsColumn(analysis),
    ...(steps.outputPath.length > 0
      ? [numberColumn('bytes', bytes, { unit: 'bytes', width: 9, rank: 2, text: areKnown ? size : undefined })]
      : []),
  ];
}

/** The number of warnings in the messages of each step, if messages are recorded. */
function warningsColumn(analysis: Analysis<'steps'>): Column<number>[] {
  const warnings = stepWarnings(analysis);
  if (!warnings) return [];
  const count = (i: number) => warnings.counts.get(i) ?? 0;
  return [numberColumn('warnings', count, { width: 8, rank: 5, text: (i) => (count(i) > 0 ? String(count(i)) : '') })];
}

function criticalColumn(c: ColumnContext<'steps'>): Column<number> {
  const { analysis } = c;
  const isCritical = (i: number) => stepsOfRow(analysis, i).some((k) => readyCriticalPath(c)?.on[k]);
  return displayColumn('crit', (i) => (isCritical(i) ? { text: '◆', style: 'hot' } : ''), {
    ...{ width: 4, rank: 5 },
    key: (i) => criticalPath(analysis).on[i],
  });
}

function nameColumns(c: ColumnContext<'steps'>): Column<number>[] {
  const { analysis } = c;
  const of = (column: TextName) => (i: number) => stepText(analysis.profile, column, i);
  const equal = [...equalValues(analysis)].map(([name, value]) => `${name} ${value}`).join(', ');
  const heading = stepHeading(analysis.profile);
  const language = equalValues(analysis).has('lang') ? undefined : (i: number) => of('language')(i) ?? '';
  const name = (i: number) => {
    const members = mergedCommandsOf(analysis).members.get(i);
    return `${stepNameText(c, i)}${members ? ` (${members.length} commands)` : ''}`;
  };
  const textColumn = (column: 'target' | 'cache' | 'language', own: Parameters<typeof wordColumn<number>>[2]) =>
    hasText(analysis, column) ? [wordColumn(column, of(column), own)] : [];
  const title = equal === '' ? heading : heading.replace(/^[^,]*/, (step) => `${step} (all: ${equal})`); // bounded: a heading
  return [
    ...roleColumn<number>(c, (i) => i),
    wordColumn('name', name, { title, width: c.width < 60 ? 14 : c.base ? 34 : 26, flex: 3, cut: 'path', rank: 9 }),
    ...textColumn('target', { width: 12, flex: 1, cut: 'middle', rank: 3, style: 'dim' }),
    ...textColumn('cache', { width: 5, rank: 6, text: (i) => cacheMark(of('cache')(i)) }),
    ...textColumn('language', { title: 'lang', width: 5, rank: 1, text: language }),
  ];
}

/** The cache result of a step; `none` replaces the long reason why the cache could not serve the step. */
const cacheMark = (word: string | null): string => (word === null || word === 'hit' || word === 'miss' ? (word ?? '') : 'none');

const stepsOfRow = (analysis: Analysis<'steps'>, i: number): readonly number[] =>
  mergedCommandsOf(analysis).members.get(i) ?? [i];

/** The size of a row's outputs, which is recorded with the row's last command. */
function outputBytesOf(analysis: Analysis<'steps'>, lead: number): number {
  const { outputStart, outputBytes } = analysis.profile.steps;
  const i = stepsOfRow(analysis, lead).at(-1) ?? lead;
  const known = outputBytes.subarray(outputStart[i], outputStart[i + 1]).filter((bytes) => !Number.isNaN(bytes));
  return known.length > 0 ? known.reduce((sum, bytes) => sum + bytes) : Number.NaN;
}

const hasText = memo((analysis: Analysis<'steps'>, column: 'target' | 'language' | 'cache'): boolean =>
  analysis.profile.steps[column].some((id) => id >= 0),
);

const hasStartTimes = memo((steps: Steps): boolean => steps.startUs.some((us) => !Number.isNaN(us)));

/** Columns with one value in all rows: the heading has the value, and names have the width. */
const equalValues = memo((analysis: Analysis<'steps'>): ReadonlyMap<string, string> => {
  const rows = stepRowsOnScreen(analysis);
  const texts = {
    result: (i: number) => (resultCell(analysis, i) === '0' ? '0' : ''),
    lang: (i: number) => stepText(analysis.profile, 'language', i) ?? '',
  };
  return new Map(
    Object.entries(texts).flatMap(([name, text]) => {
      const value = rows.length > 1 ? text(rows[0]) : '';
      return value !== '' && rows.every((i) => text(i) === value) ? [[name, value] as const] : [];
    }),
  );
});

/** Whether any step's result is known; traces record none. */
const hasResults = memo((steps: Steps): boolean => steps.result.some((r, i) => !Number.isNaN(r) || neverRan(steps, i)));

function resultCell({ profile: { steps } }: Analysis<'steps'>, i: number): string | TableCell {
  const r = steps.result[i];
  if (neverRan(steps, i)) return { text: 'never', style: 'warm' };
  return stepFailed(steps, i) ? { text: `✗${Number.isFinite(r) ? r : ''}`, style: 'error' } : resultText(r);
}
