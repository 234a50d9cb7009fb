// The change of a routine's self cost, and its causes.

import type { Analysis } from '../../analysis/answers/analysis.ts';
import { callsBefore, callsScale, measured } from '../../analysis/answers/compared/measure.ts';
import { noiseOf } from '../../analysis/answers/compared/noise.ts';
import { magnitudes, orderByNumber } from '../../analysis/answers/order.ts';
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

/** Changes that are at least this share of the base. */
export const LEAST = 0.01;
export const MOST_NAMED = 3;

/** The largest changes of those that a rule takes. */
export function largest(e: Evidence, takes: (delta: Delta) => boolean): readonly Delta[] {
  const least = LEAST * wholeBefore(e);
  return deltasOf(e.analysis, e.event)
    .filter((d) => Math.abs(d.delta) >= least && takes(d))
    .slice(0, MOST_NAMED);
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
const byCalls = ({ calls, callsBefore, before }: Delta): number =>
  callsBefore > 0 ? ((calls - callsBefore) * before) / callsBefore : Number.NaN;

/** Whether more or fewer calls at the old cost of one make the change, and nothing else much. */
export function isByCalls(delta: Delta): boolean {
  const ratio = byCalls(delta) / delta.delta;
  return ratio >= MOSTLY && ratio <= 1 / MOSTLY;
}

const MOSTLY = 0.67;
