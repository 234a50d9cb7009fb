// What a routine costs more or less than in the base, by itself, and of what that is made.

import type { Analysis } from '../../analysis/analysis.ts';
import { BEFORE, BOTH, NOW } from '../../analysis/compare/match.ts';
import { callsBefore, callsScale, measured } from '../../analysis/compare/measure.ts';
import { noiseOf } from '../../analysis/compare/noise.ts';
import { offeredRenames } from '../../analysis/compare/offered.ts';
import { magnitudes, orderByNumber } from '../../analysis/order.ts';
import { memo } from '../../base/memo.ts';
import { eventColumn, eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Evidence } from '../rule.ts';

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

/** Routines that are looked at: those that changed most. */
const LOOKED_AT = 200;

/** The routines that changed most, by what they cost by themselves; of sampled runs, those that changed by more than chance. */
export const deltasOf = memo((analysis: Analysis, event: Event): readonly Delta[] => {
  const { totals, costing, profile } = analysis;
  const { compared } = profile;
  if (!compared) return [];
  const [delta, now, before] = (['delta', 'now', 'before'] as const).map((m) => measured(analysis, event, m));
  const column = eventColumn(delta, totals.self, profile.routines.name.length);
  const counted = costing.can.has('counts');
  const noise = noiseOf(analysis, event);
  return Array.from(orderByNumber(magnitudes(column), true).subarray(0, LOOKED_AT)).flatMap((r): Delta[] => {
    const sides = compared.routineSides[r];
    const row: Delta = {
      routine: r,
      now: eventValue(now, totals.self, r),
      before: eventValue(before, totals.self, r),
      delta: column[r],
      calls: counted ? totals.calls[r] : Number.NaN,
      callsBefore: counted ? totals.inclusive[callsBefore(analysis)][r] * callsScale(analysis) : Number.NaN,
      state: sides === BOTH ? 'both' : sides === NOW ? 'new' : sides === BEFORE ? 'gone' : 'both',
    };
    return row.delta !== 0 && !(noise && Math.abs(row.delta) <= noise(row.now, row.before)) ? [row] : [];
  });
}, 4);

/** What shares of a comparison are of: what the base cost in all. */
export function wholeBefore({ analysis, event }: Evidence): number {
  return Math.abs(eventValue(measured(analysis, event, 'before'), analysis.totals.whole, 0));
}

/** Changes that are at least this share of the base. */
export const LEAST = 0.01;
export const MOST_NAMED = 3;

/** Pairs of a routine that is gone and one that is new, and do nearly the same: what is guessed, and what costs alike beside the same callers. */
export const movedOf = memo(
  (analysis: Analysis): ReadonlyMap<number, number> => new Map(offeredRenames(analysis).map(({ now, gone }) => [now, gone])),
);

/** Whether a change is told as moved. */
export function isMoved({ analysis }: Evidence, { routine, state }: Delta): boolean {
  const moved = movedOf(analysis);
  return state === 'new' ? moved.has(routine) : state === 'gone' && [...moved.values()].includes(routine);
}

/** The part of a change that is more or fewer calls at the old cost of one: NaN where calls are not counted. */
const byCalls = ({ calls, callsBefore, before }: Delta): number =>
  callsBefore > 0 ? ((calls - callsBefore) * before) / callsBefore : Number.NaN;

/** Whether more or fewer calls at the old cost of one make the change, and nothing else much. */
export function isByCalls(delta: Delta): boolean {
  const ratio = byCalls(delta) / delta.delta;
  return ratio >= MOSTLY && ratio <= 1 / MOSTLY;
}

const MOSTLY = 0.67;
