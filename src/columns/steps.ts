// The columns of steps in time: one row per step; on the screen, the commands of one output share a row.
import type { Analysis } from '../analysis/analysis.ts';
import { criticalPath } from '../analysis/steps/critical.ts';
import { foldsOf } from '../analysis/steps/folds.ts';
import { lanesOf } from '../analysis/steps/lanes.ts';
import { shortStepName, stepHeading } from '../analysis/steps/step-names.ts';
import {
  failed,
  isJob,
  ran,
  recordedName,
  stepName,
  stepText,
  type TextColumn,
  uncut,
  wholeWindowOf,
} from '../analysis/steps/steps.ts';
import { memo } from '../base/memo.ts';
import { type Cell, heat } from '../base/style.ts';
import { formatBytes, formatPercent } from '../base/units.ts';
import { stringAt } from '../model/strings.ts';
import { type Column, type ColumnContext, type Json, onScreen, type Table } from './column.ts';
import { ms, msText, time, workTotal } from './times.ts';

type Context = ColumnContext<'steps'>;

export const stepTable: Table<number, 'steps'> = {
  keys: 'id name role target source language config command directory startMs durationMs lane result outputs parent part cpuMs more'.split(
    ' ',
  ),
  columns: (c) => onScreen(c, screenColumns, textColumns)(c),
};

const right = { align: 'right' } as const;

/** For machines and text: every step separately. */
function textColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const { profile } = analysis;
  const { steps } = profile;
  const lane = (i: number) => lanesOf(analysis).of[i];
  const result = (i: number) => (Number.isNaN(steps.result[i]) ? null : steps.result[i]);
  const data = (id: TextColumn): Column<number> => ({ id, title: id, value: (i) => stepText(profile, id, i) });
  return [
    {
      ...right,
      id: 'startMs',
      also: 'start',
      title: 'start ms',
      value: (i) => ms(steps.startUs[i]),
      text: (i) => msText(steps.startUs[i]),
      // Rows are already in order of start.
      key: (i) => i,
      ascends: true,
    },
    {
      ...right,
      id: 'durationMs',
      also: 'duration',
      title: 'ms',
      value: (i) => ms(steps.durationUs[i]),
      text: (i) => msText(steps.durationUs[i]),
      key: (i) => steps.durationUs[i],
    },
    ...(steps.clip ? [uncutColumn(c)] : []),
    {
      ...right,
      id: 'lane',
      title: 'lane',
      value: (i) => (lane(i) < 0 ? null : lane(i)),
      text: (i) => (lane(i) < 0 ? '' : String(lane(i))),
    },
    { ...right, id: 'result', title: 'result', value: result, text: (i) => String(result(i) ?? '?') },
    {
      id: 'name',
      title: 'step',
      flex: 1,
      cut: 'middle',
      value: (i) => recordedName(profile, i),
      text: (i) => stepName(profile, i),
    },
    { ...data('target'), flex: 1, cut: 'end', text: (i) => stepText(profile, 'target', i) ?? '' },
    { id: 'id', title: 'id', value: (i) => i },
    ...(['role', 'source', 'language', 'config', 'command', 'directory'] as const).map(data),
    { id: 'outputs', title: 'outputs', value: (i) => outputsOf(analysis, i) },
    { id: 'parent', title: 'parent', value: (i) => (steps.parent[i] < 0 ? null : steps.parent[i]) },
    {
      ...right,
      id: 'part',
      title: 'part',
      value: (i) => steps.part[i],
      // Numbers as in --parts and Info.
      text: profile.parts.length > 1 ? (i) => String(steps.part[i] + 1) : undefined,
    },
    { id: 'cpuMs', title: 'cpu ms', value: (i) => ms(steps.cpuUs[i]) ?? undefined },
    { id: 'more', title: 'more', value: (i) => moreOf(analysis, i) },
  ];
}

/** How long a step took that a range of time has cut; empty for the others. */
function uncutColumn({ analysis }: Context): Column<number> {
  const us = (i: number) => uncut(analysis.profile.steps, i)?.durationUs ?? Number.NaN;
  return {
    ...right,
    id: 'uncutMs',
    title: 'uncut ms',
    value: (i) => ms(us(i)) ?? undefined,
    text: (i) => msText(us(i), ''),
  };
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
  const share = (i: number) => (isJob(steps, i) ? folds.durationUs[i] / workTotal(analysis) : 0);
  return [
    {
      ...right,
      id: 'time',
      also: 'duration',
      title: 'time',
      width: 8,
      rank: 9,
      text: (i) => (ran(steps, i) ? time(folds.durationUs[i]) : '?'),
      key: (i) => (ran(steps, i) ? folds.durationUs[i] : Number.NaN),
    },
    {
      ...right,
      id: '%',
      title: '%',
      width: 7,
      rank: 6,
      text: (i) => ({ text: share(i) > 0 ? formatPercent(share(i), 1) : '', style: heat(share(i)) }),
    },
    {
      ...right,
      id: 'weighted',
      title: 'weighted',
      width: 8,
      rank: 5,
      text: (i) => (isJob(steps, i) ? time(folds.weightedUs[i]) : ''),
      key: (i) => folds.weightedUs[i],
    },
    {
      ...right,
      id: 'start',
      title: 'start',
      width: 8,
      rank: 4,
      text: (i) => (ran(steps, i) ? time(steps.startUs[i] - wholeWindowOf(analysis)[0]) : 'never'),
      key: (i) => steps.startUs[i],
      ascends: true,
    },
  ];
}

function resultColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const { steps } = analysis.profile;
  const bytes = (i: number) => bytesOf(analysis, i);
  return [
    {
      id: 'crit',
      title: 'crit',
      width: 4,
      rank: 5,
      text: (i) => (membersOf(analysis, i).some((k) => criticalPath(analysis).on[k]) ? { text: '◆', style: 'hot' } : ''),
      key: (i) => criticalPath(analysis).on[i],
    },
    {
      ...right,
      id: 'result',
      title: 'result',
      width: 6,
      rank: 7,
      text: (i) => resultCell(analysis, i),
      key: (i) => steps.result[i],
    },
    {
      ...right,
      id: 'bytes',
      title: 'bytes',
      width: 9,
      rank: 2,
      text: (i) => (Number.isNaN(bytes(i)) ? '' : formatBytes(bytes(i))),
      key: bytes,
    },
  ];
}

function nameColumns(c: Context): Column<number>[] {
  const { analysis } = c;
  const text = (column: TextColumn) => (i: number) => stepText(analysis.profile, column, i) ?? '';
  const name = (i: number) => foldedName(analysis, i);
  const out: Column<number>[] = [
    {
      id: 'name',
      title: stepHeading(analysis.profile),
      width: c.width < 60 ? 14 : 26,
      flex: 3,
      cut: 'middle',
      rank: 9,
      text: name,
      key: name,
    },
  ];
  if (hasText(analysis, 'target'))
    out.push({
      id: 'target',
      title: 'target',
      width: 12,
      flex: 1,
      cut: 'end',
      rank: 3,
      style: 'dim',
      text: text('target'),
      key: text('target'),
    });
  if (hasText(analysis, 'language'))
    out.push({ id: 'language', title: 'lang', width: 5, rank: 1, text: text('language'), key: text('language') });
  return out;
}

/** The commands of a row. */
export function membersOf(analysis: Analysis<'steps'>, i: number): readonly number[] {
  return foldsOf(analysis).members.get(i) ?? [i];
}

function foldedName(analysis: Analysis<'steps'>, i: number): string {
  const members = foldsOf(analysis).members.get(i);
  return `${shortStepName(analysis.profile, i)}${members ? ` (${members.length} commands)` : ''}`;
}

/** Of several commands of one output, the last has its size. */
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

const hasText = memo((analysis: Analysis<'steps'>, column: 'target' | 'language'): boolean =>
  analysis.profile.steps[column].some((id) => id >= 0),
);

function resultCell({ profile: { steps } }: Analysis<'steps'>, i: number): string | Cell {
  const r = steps.result[i];
  if (!ran(steps, i)) return { text: 'never', style: 'warm' };
  if (Number.isNaN(r)) return '?';
  return failed(steps, i) ? { text: String(r), style: 'error' } : '0';
}
