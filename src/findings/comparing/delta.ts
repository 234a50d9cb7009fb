// The change of a routine's self cost, and its causes.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { isOldLine } from '../../analysis/answers/compared/line-map.ts';
import { callsBefore, callsScale, measured } from '../../analysis/answers/compared/measure.ts';
import { noiseOf } from '../../analysis/answers/compared/noise.ts';
import { magnitudes, orderByNumber } from '../../analysis/answers/order.ts';
import { fileName } from '../../analysis/names/names.ts';
import { BEFORE, NOW } from '../../analysis/profiles/compare/match.ts';
import { offeredRenames } from '../../analysis/profiles/compare/offered.ts';
import { memo } from '../../base/memo.ts';
import { eventColumn, eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Evidence, Remark } from '../rule.ts';

export interface Delta {
  readonly routine: number;
  /** Self cost now and in the base, and the difference. */
  readonly now: number;
  readonly before: number;
  readonly delta: number;
  /** Calls; NaN where they are not counted. */
  readonly calls: number;
  readonly callsBefore: number;
  readonly state: 'both' | 'new' | 'gone';
}

/** By who alone has it. */
const STATES: Readonly<Record<number, Delta['state']>> = { [NOW]: 'new', [BEFORE]: 'gone' };

/** Routines that are looked at: those that changed most. */
const LOOKED_AT = 200;

/** The routines that changed most, by what they cost by themselves; of sampled runs, those that changed by more than chance. */
const deltasOf = memo((analysis: Analysis, event: Event): readonly Delta[] => {
  const { totals, costing, profile } = analysis;
  const { compared } = profile;
  if (!compared) return [];
  const [delta, now, before] = (['delta', 'now', 'before'] as const).map((m) => measured(analysis, event, m));
  const column = eventColumn(delta, totals.self, profile.routines.name.length);
  const counted = costing.can.has('counts');
  const noise = noiseOf(analysis, event);
  return Array.from(orderByNumber(magnitudes(column), true).subarray(0, LOOKED_AT)).flatMap((r): Delta[] => {
    const row: Delta = {
      routine: r,
      now: eventValue(now, totals.self, r),
      before: eventValue(before, totals.self, r),
      delta: column[r],
      calls: counted ? totals.calls[r] : Number.NaN,
      callsBefore: counted ? totals.inclusive[callsBefore(analysis)][r] * callsScale(analysis) : Number.NaN,
      state: STATES[compared.routineSides[r]] ?? 'both',
    };
    return row.delta !== 0 && !(noise && Math.abs(row.delta) <= noise(row.now, row.before)) ? [row] : [];
  });
}, 4);

/** The base of a comparison's shares: the total of the base. */
export function wholeBefore({ analysis, event }: Evidence): number {
  return Math.abs(eventValue(measured(analysis, event, 'before'), analysis.totals.whole, 0));
}

/** Changes that are at least this share of the base are told, and so are those that are a part of all changes, unless they are next to nothing. */
export const LEAST = 0.01;
const LEAST_OF_CHANGES = 0.1;
const NOTHING_BESIDE = 0.0001;
export const MOST_NAMED = 3;
export const LEAST_TEXT =
  'a change of at least 1 % of the base, or of a tenth of all changes and 0.01 % of the base; beyond noise';

/** The least change that is told. */
export const leastChange = memo((analysis: Analysis, event: Event, whole: number): number => {
  const changes = deltasOf(analysis, event).reduce((sum, { delta }) => sum + Math.abs(delta), 0);
  return Math.max(NOTHING_BESIDE * whole, Math.min(LEAST * whole, LEAST_OF_CHANGES * changes));
}, 4);

/** The largest changes of those that a rule takes. */
export function largest(e: Evidence, takes: (delta: Delta) => boolean): readonly Delta[] {
  const least = leastChange(e.analysis, e.event, wholeBefore(e));
  return deltasOf(e.analysis, e.event)
    .filter((d) => Math.abs(d.delta) >= least && takes(d))
    .slice(0, MOST_NAMED);
}

/** The routines that only one of the runs has, of those that changed most. */
export const oneSided = (e: Evidence): readonly Delta[] => deltasOf(e.analysis, e.event).filter((d) => d.state !== 'both');

/** The change of a routine's own cost; 0 where it is not among those that changed most. */
export const changeOf = (e: Evidence, routine: number): number =>
  deltasOf(e.analysis, e.event).find((d) => d.routine === routine)?.delta ?? 0;

/** The line of a routine whose own cost changed most, in the direction of the routine; one of the user's own files, if any is. */
export function changedLine({ analysis, event }: Evidence, { routine, delta }: Delta): ChangedLine | undefined {
  if (!analysis.costing.can.has('lines')) return undefined;
  const change = measured(analysis, event, 'delta');
  const { file, line, costs } = analysis.costing.lines({ routine });
  const all = Array.from(line.keys(), (row) => {
    const name = fileName(analysis.profile, file[row]);
    return { file: name, line: line[row], value: eventValue(change, costs, row), isOwn: name !== null && !isSystemFile(name) };
  }).filter((row) => row.line > 0 && !isOldLine(row.line) && row.value * delta > 0);
  all.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.line - b.line);
  return all.find(({ isOwn }) => isOwn) ?? all[0];
}

export interface ChangedLine {
  readonly file: string | null;
  readonly line: number;
  readonly value: number;
}

const SYSTEM_ROOTS = ['/usr/include/', '/usr/lib/', '/usr/src/', '/build/'];
const HEADER_FOLDERS: ReadonlySet<string> = new Set(['c++', 'bits', 'sysdeps']);
/** Folders of the C library, whose files are named from its own. */
const LIBRARY_FOLDERS: ReadonlySet<string> = new Set(['sysdeps', 'elf', 'malloc', 'string', 'stdlib', 'csu', 'ctype']);

/** Headers and sources of compilers and systems. */
function isSystemFile(path: string): boolean {
  const names = path.split('/');
  return (
    SYSTEM_ROOTS.some((root) => path.startsWith(root)) ||
    names.some((name) => HEADER_FOLDERS.has(name)) ||
    LIBRARY_FOLDERS.has(names[0] === '..' ? names[1] : names[0])
  );
}

/** The cost of a change, and the routine it affects. */
export const stake = (e: Evidence, { routine, delta }: Delta): Pick<Remark, 'subject' | 'share' | 'sign'> => ({
  subject: `routine ${routine}`,
  share: Math.abs(delta) / wholeBefore(e),
  sign: delta > 0 ? 1 : -1,
});

/** Routines that are guessed to be one: that is told as moved. */
const movedRoutines = memo(
  (analysis: Analysis): ReadonlySet<number> => new Set(offeredRenames(analysis).flatMap(({ now, gone }) => [now, gone])),
);

/** Whether a routine that only one of the runs has is told as moved. */
export const isMoved = ({ analysis }: Evidence, { routine }: Delta): boolean => movedRoutines(analysis).has(routine);

/** The part of a change that is more or fewer calls at the old cost of one: NaN where calls are not counted. */
export const byCalls = ({ calls, callsBefore, before }: Delta): number =>
  callsBefore > 0 ? ((calls - callsBefore) * before) / callsBefore : Number.NaN;

/** Whether more or fewer calls at the old cost of one make the change, and nothing else much. */
export function isByCalls(delta: Delta): boolean {
  const ratio = byCalls(delta) / delta.delta;
  return ratio >= MOSTLY && ratio <= 1 / MOSTLY;
}

const MOSTLY = 0.8;
