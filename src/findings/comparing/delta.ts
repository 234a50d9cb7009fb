// The change of a routine's self cost, and its causes.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { isOldLine } from '../../analysis/answers/compared/line-map.ts';
import { callsBefore, callsScale, measured } from '../../analysis/answers/compared/measure.ts';
import { beyondChance, noiseOf } from '../../analysis/answers/compared/noise.ts';
import { magnitudes, orderByNumber } from '../../analysis/answers/order.ts';
import { fileName, isOwnFile } from '../../analysis/names/names.ts';
import { BEFORE, NOW } from '../../analysis/profiles/compare/match.ts';
import { offeredRenames } from '../../analysis/profiles/compare/offered.ts';
import { listsBy, pairedBy } from '../../base/lists.ts';
import { memo } from '../../base/memo.ts';
import { eventColumn, eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Evidence, Remark } from '../rule.ts';
import { cost, NOTHING, named, type Said, say } from '../say.ts';
import { alikeChange } from './all-alike.ts';

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
  const sides = (r: number) => [eventValue(now, totals.self, r), eventValue(before, totals.self, r)] as const;
  const order = orderByNumber(magnitudes(column), true);
  // All routines are tested: if only the largest differences were, chance would have chosen them.
  const changed = noise
    ? beyondChance(Array.from(order), (r) => noise.chance(...sides(r)))
    : Array.from(order.subarray(0, LOOKED_AT));
  return changed.slice(0, LOOKED_AT).flatMap((r): Delta[] => {
    const [ours, theirs] = sides(r);
    const row: Delta = {
      routine: r,
      now: ours,
      before: theirs,
      delta: column[r],
      calls: counted ? totals.calls[r] : Number.NaN,
      callsBefore: counted ? totals.inclusive[callsBefore(analysis)][r] * callsScale(analysis) : Number.NaN,
      state: STATES[compared.routineSides[r]] ?? 'both',
    };
    return row.delta !== 0 ? [row] : [];
  });
}, 4);

/** The base of a comparison's shares: the total of the base. */
export function wholeBefore({ analysis, event }: Evidence): number {
  return Math.abs(eventValue(measured(analysis, event, 'before'), analysis.totals.whole, 0));
}

/** Reported changes: at least this share of the base, or a larger share of all changes and more than next to nothing. */
export const LEAST = 0.01;
const LEAST_OF_CHANGES = 0.1;
const NOTHING_BESIDE = 0.0001;
export const MOST_NAMED = 3;
export const LEAST_TEXT =
  'a change of at least 1 % of the base, or of 10 % of all changes and 0.01 % of the base; more than noise';

/** Smallest reported change. */
export const leastChange = memo((analysis: Analysis, event: Event, whole: number): number => {
  const changes = deltasOf(analysis, event).reduce((sum, { delta }) => sum + Math.abs(delta), 0);
  return Math.max(NOTHING_BESIDE * whole, Math.min(LEAST * whole, LEAST_OF_CHANGES * changes));
}, 4);

/** The largest changes of those that a rule takes. */
export const largest = (e: Evidence, takes: (delta: Delta) => boolean): readonly Delta[] =>
  largestOf(e, takes).slice(0, MOST_NAMED);

/** The changes that are large enough and that a rule takes, the largest first; without those that nearly all routines have in common. */
export function largestOf(e: Evidence, takes: (delta: Delta) => boolean): readonly Delta[] {
  const least = leastChange(e.analysis, e.event, wholeBefore(e));
  const common = alikeChange(e.analysis, e.event);
  const isAlike = (d: Delta) => d.state === 'both' && common?.isAlike(d.now, d.before) === true;
  const moved = exchangeOf(e.analysis, e.event);
  const isSaid = (d: Delta) => isAlike(d) || d === moved?.from || d === moved?.to;
  return deltasOf(e.analysis, e.event).filter((d) => Math.abs(d.delta) >= least && !isSaid(d) && takes(d));
}

/** Two changes are nearly equal, or a total is nearly the same, within this part of a change. */
const NEARLY = 0.1;

/** The routines of both runs with the largest fall and the largest rise, where these cancel each other and the total stays. */
export const exchangeOf = memo((analysis: Analysis, event: Event): { readonly from: Delta; readonly to: Delta } | undefined => {
  const changes = deltasOf(analysis, event).filter((d) => d.state === 'both');
  const to = changes.find((d) => d.delta > 0);
  const from = changes.find((d) => d.delta < 0);
  if (!to || !from) return undefined;
  const [now, before] = (['now', 'before'] as const).map((m) =>
    eventValue(measured(analysis, event, m), analysis.totals.whole, 0),
  );
  const size = Math.max(to.delta, -from.delta);
  const isEqual = Math.abs(to.delta + from.delta) <= NEARLY * size && Math.abs(now - before) <= NEARLY * size;
  return isEqual && size >= LEAST * Math.abs(before) ? { from, to } : undefined;
}, 4);

/** The change of a routine's own cost; 0 where it is not among those that changed most. */
const changeOf = (e: Evidence, routine: number): number =>
  deltasOf(e.analysis, e.event).find((d) => d.routine === routine)?.delta ?? 0;

/** The self cost of a caller, where it went the other way: it does itself what it called before, or no longer does. */
export function instead(e: Evidence, caller: number, isMore: boolean): Said {
  const change = changeOf(e, caller);
  if (change > 0 === isMore || Math.abs(change) < leastChange(e.analysis, e.event, wholeBefore(e))) return NOTHING;
  return say`; the self cost of ${named(e.analysis.profile, caller)} ${isMore ? 'fell' : 'rose'} by ${cost(e, 'instead', Math.abs(change))}`;
}

export interface ChangedLine {
  readonly file: string | null;
  readonly line: number;
  readonly value: number;
  /** Without the base's text, nothing says for sure which of its lines this one was. */
  readonly estimated: boolean;
  readonly isOwn: boolean;
}

/** The line of a routine whose own cost changed most: in the user's own files in the direction of the routine, else there, else in that direction. */
export function changedLine(e: Evidence, { routine, delta }: Delta): ChangedLine | undefined {
  const all = lineChanges(e, routine).sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.line - b.line);
  const own = all.filter(({ isOwn }) => isOwn);
  const along = ({ value }: ChangedLine) => value * delta > 0;
  return own.find(along) ?? own[0] ?? all.find(along);
}

/** The changes of a routine's lines. Without the base's text, two lines of a file with the same cost are one that moved. */
function lineChanges({ analysis, event }: Evidence, routine: number): ChangedLine[] {
  const { costing, profile } = analysis;
  if (!costing.can.has('lines')) return [];
  const { file, line, costs } = costing.lines({ routine });
  const [now, before] = (['now', 'before'] as const).map((m) => {
    const shown = measured(analysis, event, m);
    return Float64Array.from(line, (_, row) => eventValue(shown, costs, row));
  });
  const changed = Array.from(line.keys()).filter((row) => now[row] !== before[row]);
  return [...listsBy(changed, (row) => file[row])].flatMap(([f, rows]) => {
    const estimated = costing.lineMaps?.(f).change === undefined;
    const [ours, theirs] = [now, before].map((costs) => rows.filter((row) => estimated && costs[row] !== 0));
    const { pairs } = pairedBy(ours, theirs, (row, isOther) => (isOther ? before : now)[row]);
    for (const [row, was] of pairs) now[row] = before[was] = 0;
    const about = { file: fileName(profile, f), isOwn: isOwnFile(profile, f), estimated };
    return rows
      .filter((row) => line[row] > 0 && !isOldLine(line[row]) && now[row] !== before[row])
      .map((row) => ({ ...about, line: line[row], value: now[row] - before[row] }));
  });
}

/** The cost of a change, and the routine it affects. */
export const stake = (e: Evidence, { routine, delta }: Delta): Pick<Remark, 'subject' | 'share' | 'sign'> => ({
  subject: `routine ${routine}`,
  share: Math.abs(delta) / wholeBefore(e),
  sign: delta > 0 ? 1 : -1,
});

/** Routines that were probably renamed: they have a finding of their own. */
const movedRoutines = memo(
  (analysis: Analysis): ReadonlySet<number> => new Set(offeredRenames(analysis).flatMap(({ now, gone }) => [now, gone])),
);

/** Whether a routine of one run was probably renamed. */
export const isMoved = ({ analysis }: Evidence, routine: number): boolean => movedRoutines(analysis).has(routine);

/** The part of a change that is more or fewer calls at the old cost of one: NaN where calls are not counted. */
export const byCalls = ({ calls, callsBefore, before }: Delta): number =>
  callsBefore > 0 ? ((calls - callsBefore) * before) / callsBefore : Number.NaN;

/** Whether more or fewer calls at the old cost of one make the change, and nothing else much. */
export function isByCalls(delta: Delta): boolean {
  const ratio = byCalls(delta) / delta.delta;
  return ratio >= MOSTLY && ratio <= 1 / MOSTLY;
}

const MOSTLY = 0.8;
