// The columns of steps in time: one row per step; on the screen, the commands of one output share a row.
import type { Analysis } from '../../analysis/answers/analysis.ts';
import { orderByNumber } from '../../analysis/answers/order.ts';
import { foldsOf } from '../../analysis/answers/steps/folds.ts';
import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { shortStepName, stepHeading } from '../../analysis/answers/steps/step-names.ts';
import {
  activeSteps,
  failed,
  isJob,
  isWork,
  neverRan,
  ran,
  recordedName,
  stepName,
  stepText,
  stepTexts,
  uncut,
  WHOLE,
  wholeWindowOf,
} from '../../analysis/answers/steps/steps.ts';
import { criticalPath } from '../../analysis/builds/critical.ts';
import { memo } from '../../base/memo.ts';
import { type Cell, heat } from '../../base/style.ts';
import { formatBytes, formatPercent } from '../../base/units.ts';
import type { TextName } from '../../model/steps/columns.ts';
import type { Steps } from '../../model/steps/tables.ts';
import { stringAt } from '../../model/strings.ts';
import { barColumn, counts, data, largest, shown, words } from '../builders.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from '../column.ts';
import type { Listing } from '../listing.ts';
import { ms, msText, time, timeColumn, workTotal } from '../times.ts';
import { pathFor } from './times.ts';

type Context = ColumnContext<'steps'>;

const table: Table<number, 'steps'> = {
  keys: 'id name role target source language config command directory startMs durationMs lane result outputs parent part cpuMs more'.split(
    ' ',
  ),
  columns: (c) => onScreen(c, screenColumns, textColumns)(c),
};

/** The steps that run at one time, below another picture of them. */
export function momentColumns(c: Context, title: string): Column<number>[] {
  const { profile } = c.analysis;
  const { steps } = profile;
  return [
    words('step', (i) => stepName(profile, i), {
      ...{ title, width: 14, flex: 1, cut: 'step', rank: 9 },
      text: (i) => shortStepName(profile, i),
    }),
    words('role', (i) => stepText(profile, 'role', i), { width: 10, rank: 5 }),
    timeColumn(c, 'start', 'start', 6, (i) => steps.startUs[i] - wholeWindowOf(c.analysis)[0]),
    timeColumn(c, 'duration', 'time', 7, (i) => steps.durationUs[i]),
  ];
}

const screenSteps = memo((analysis: Analysis<'steps'>): readonly number[] => {
  const all = analysis.profile.steps;
  const { lead, durationUs } = foldsOf(analysis);
  // Longest first, since that is what people look for. Whole builds, and steps that never ran, come last.
  const rank = (i: number) => (neverRan(all, i) ? 2 : all.kind[i] === WHOLE ? 1 : 0);
  const rows = activeSteps(analysis).filter((i) => lead[i] === i);
  return [0, 1, 2].flatMap((wanted) =>
    Array.from(
      orderByNumber(
        durationUs,
        true,
        rows.filter((i) => rank(i) === wanted),
      ),
    ),
  );
});

const mostOf = memo((analysis: Analysis<'steps'>): number => {
  const { durationUs } = foldsOf(analysis);
  return largest(screenSteps(analysis), (i) => (isWork(analysis.profile.steps, i) ? durationUs[i] : 0));
});

/** Every step for machines and text; on the screen, the commands of one output share a row. */
export const stepList: Listing<number, 'steps'> = {
  ...{ name: 'steps', asks: ['steps'], kind: 'steps' },
  table: () => table,
  all: ({ analysis, medium }) => (medium === 'screen' ? screenSteps(analysis) : Array.from(activeSteps(analysis))),
  texts(i, { analysis, medium }) {
    if (medium === 'text') return stepTexts(analysis.profile, i);
    const text = (column: 'target' | 'command', k: number) => stepText(analysis.profile, column, k) ?? '';
    return [stepName(analysis.profile, i), text('target', i), ...membersOf(analysis, i).map((k) => text('command', k))];
  },
};

/** For machines and text: every step separately. */
function textColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const { steps } = profile;
  const lane = (i: number) => (lanesOf(analysis).of[i] < 0 ? Number.NaN : lanesOf(analysis).of[i]);
  const recorded = (id: TextName): Column<number> => data(id, (i) => stepText(profile, id, i));
  return [
    // Rows are already in order of start.
    { ...timeColumn<number>(c, 'start', 'start', 4, (i) => steps.startUs[i]), key: (i) => i, ascends: true },
    { ...timeColumn<number>(c, 'duration', 'time', 9, (i) => steps.durationUs[i]), title: 'ms' },
    ...(steps.clip ? [uncutColumn(c)] : []),
    counts('lane', lane, { measured: true, key: undefined }),
    counts('result', (i) => steps.result[i], {
      measured: true,
      text: (i) => (Number.isNaN(steps.result[i]) ? '?' : String(steps.result[i])),
      key: undefined,
    }),
    words('name', (i) => recordedName(profile, i), {
      ...{ title: 'step', flex: 1, cut: 'step', key: undefined },
      text: (i) => stepName(profile, i),
    }),
    words('target', (i) => stepText(profile, 'target', i), { flex: 1, cut: 'end', key: undefined }),
    data('id', (i) => i),
    ...(['role', 'source', 'language', 'config', 'command', 'directory'] as const).map(recorded),
    data('outputs', (i) => outputsOf(analysis, i)),
    data('parent', (i) => (steps.parent[i] < 0 ? null : steps.parent[i])),
    // Numbers as in --parts and Info.
    counts('part', (i) => steps.part[i], {
      text: profile.parts.length > 1 ? (i) => String(steps.part[i] + 1) : undefined,
      key: undefined,
    }),
    data(
      'cache',
      (i) => stepText(profile, 'cache', i) ?? undefined,
      hasText(analysis, 'cache') ? { text: (i) => stepText(profile, 'cache', i) ?? '' } : {},
    ),
    data('cpuMs', (i) => ms(steps.cpuUs[i]) ?? undefined, { measured: true }),
    data('more', (i) => moreOf(analysis, i)),
  ];
}

/** How long a step took that a range of time has cut; empty for the others. */
function uncutColumn({ analysis }: Context): Column<number> {
  const us = (i: number) => uncut(analysis.profile.steps, i)?.durationUs ?? Number.NaN;
  const text = (i: number) => msText(us(i), '');
  return counts('uncutMs', us, { title: 'uncut ms', measured: true, value: (i) => ms(us(i)) ?? undefined, text, key: undefined });
}

function outputsOf({ profile }: Analysis<'steps'>, i: number): Json {
  const { steps, strings } = profile;
  const out: Json[] = [];
  for (let o = steps.outputStart[i]; o < steps.outputStart[i + 1]; o++) {
    const bytes = steps.outputBytes[o];
    out.push({ path: stringAt(strings, steps.outputPath[o]), bytes: Number.isNaN(bytes) ? null : bytes });
  }
  return out;
}

/** Whatever else the file says about a step, as its loader wrote it. */
function moreOf({ profile }: Analysis<'steps'>, i: number): Json | undefined {
  const more = stepText(profile, 'more', i);
  if (more === null) return undefined;
  const value: Json = JSON.parse(more);
  return value;
}

/** Commands of one output share a row, with the sum of their times. */
function screenColumns(c: Context): Column<number>[] {
  return [...timeColumns(c), ...resultColumns(c), ...nameColumns(c)];
}

function timeColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const folds = foldsOf(analysis);
  const share = (i: number) => (isWork(steps, i) ? folds.durationUs[i] / workTotal(analysis) : 0);
  const right = { align: 'right' } as const;
  return [
    counts('time', (i) => (neverRan(steps, i) ? Number.NaN : folds.durationUs[i]), {
      ...{ also: 'duration', width: 8, rank: 9 },
      text: (i) => (neverRan(steps, i) ? '?' : time(folds.durationUs[i])),
    }),
    shown('%', (i) => ({ text: share(i) > 0 ? formatPercent(share(i), 1) : '', style: heat(share(i)) }), {
      ...{ ...right, width: 7, rank: 6 },
    }),
    ...barColumn<number>(c, (i) => (isWork(steps, i) ? folds.durationUs[i] : 0), mostOf(analysis), { rank: 3 }),
    ...(knowsStarts(steps) ? whenColumns(c) : []),
  ];
}

/** Nothing of them is known of results of tests alone. */
function whenColumns({ analysis }: Context): Column<number>[] {
  const { steps } = analysis.profile;
  const folds = foldsOf(analysis);
  return [
    counts('weighted', (i) => folds.weightedUs[i], {
      ...{ width: 8, rank: 5 },
      text: (i) => (isJob(steps, i) ? time(folds.weightedUs[i]) : ''),
    }),
    counts('start', (i) => steps.startUs[i], {
      ...{ width: 8, rank: 4, ascends: true },
      text: (i) => startText(analysis, i),
    }),
  ];
}

function startText(analysis: Analysis<'steps'>, i: number): string {
  const { steps } = analysis.profile;
  if (ran(steps, i)) return time(steps.startUs[i] - wholeWindowOf(analysis)[0]);
  return neverRan(steps, i) ? 'never' : '?';
}

function resultColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const bytes = (i: number) => bytesOf(analysis, i);
  return [
    ...(knowsStarts(steps) ? [criticalColumn(c)] : []),
    ...(hasResults(steps)
      ? [counts<number>('result', (i) => steps.result[i], { width: 6, rank: 7, text: (i) => resultCell(analysis, i) })]
      : []),
    ...(steps.outputPath.length > 0
      ? [
          counts('bytes', bytes, {
            width: 9,
            rank: 2,
            text: (i: number) => (Number.isNaN(bytes(i)) ? '' : formatBytes(bytes(i))),
          }),
        ]
      : []),
  ];
}

function criticalColumn(c: Context): Column<number> {
  const { analysis } = c;
  const isCritical = (i: number) => membersOf(analysis, i).some((k) => pathFor(c)?.on[k]);
  return shown('crit', (i) => (isCritical(i) ? { text: '◆', style: 'hot' } : ''), {
    ...{ width: 4, rank: 5 },
    key: (i) => criticalPath(analysis).on[i],
  });
}

function nameColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const of = (column: TextName) => (i: number) => stepText(analysis.profile, column, i);
  const title = stepHeading(analysis.profile);
  return [
    words('name', (i) => foldedName(analysis, i), { title, width: c.width < 60 ? 14 : 26, flex: 3, cut: 'step', rank: 9 }),
    ...(hasText(analysis, 'target')
      ? [words('target', of('target'), { width: 12, flex: 1, cut: 'middle', rank: 3, style: 'dim' })]
      : []),
    ...(hasText(analysis, 'cache')
      ? [words('cache', of('cache'), { width: 5, rank: 6, text: (i) => cacheMark(of('cache')(i)) })]
      : []),
    ...(hasText(analysis, 'language') ? [words('language', of('language'), { title: 'lang', width: 5, rank: 1 })] : []),
  ];
}

/** The reason why a cache could not serve a step is too long for a column. */
const cacheMark = (word: string | null): string => (word === null || word === 'hit' || word === 'miss' ? (word ?? '') : 'none');

/** The commands of a row. */
export function membersOf(analysis: Analysis<'steps'>, i: number): readonly number[] {
  return foldsOf(analysis).members.get(i) ?? [i];
}

function foldedName(analysis: Analysis<'steps'>, i: number): string {
  const members = foldsOf(analysis).members.get(i);
  return `${shortStepName(analysis.profile, i)}${members ? ` (${members.length} commands)` : ''}`;
}

/** The last of several commands for one output has its size. */
function bytesOf(analysis: Analysis<'steps'>, lead: number): number {
  const { steps } = analysis.profile;
  const i = membersOf(analysis, lead).at(-1) ?? lead;
  let sum = Number.NaN;
  for (let o = steps.outputStart[i]; o < steps.outputStart[i + 1]; o++) {
    const b = steps.outputBytes[o];
    if (!Number.isNaN(b)) sum = Number.isNaN(sum) ? b : sum + b;
  }
  return sum;
}

const hasText = memo((analysis: Analysis<'steps'>, column: 'target' | 'language' | 'cache'): boolean =>
  analysis.profile.steps[column].some((id) => id >= 0),
);

const knowsStarts = memo((steps: Steps): boolean => steps.startUs.some((us) => !Number.isNaN(us)));

/** Whether anything is known of how a step ended: traces say nothing of it. */
const hasResults = memo((steps: Steps): boolean => steps.result.some((r, i) => !Number.isNaN(r) || neverRan(steps, i)));

function resultCell({ profile: { steps } }: Analysis<'steps'>, i: number): string | Cell {
  const r = steps.result[i];
  if (neverRan(steps, i)) return { text: 'never', style: 'warm' };
  if (Number.isNaN(r)) return '?';
  return failed(steps, i) ? { text: String(r), style: 'error' } : '0';
}
