// The law of a routine in another run, and whether it grows differently there.
import type { Analysis } from '../answers/analysis.ts';
import { degreeOf } from './classes.ts';
import type { LawFit } from './fit.ts';
import { lawsByRoutine, type RoutineLaw } from './laws.ts';

export type LawChange = 'worse' | 'better' | 'same';

/** Exponents of power laws that differ by less count as equal. */
const SAME_EXPONENT_GAP = 0.25;

export const lawBefore = (law: RoutineLaw, base: Analysis<'inputs'>): RoutineLaw | undefined =>
  lawsByRoutine(base).get(law.routine);

/** Whether a law still fits in the other run. */
function stillFits({ law }: LawFit, other: LawFit): boolean {
  return other.fitting.some((l) => l.name === law?.name && Math.abs((l.exponent ?? 0) - (law.exponent ?? 0)) < SAME_EXPONENT_GAP);
}

/** A law changed if neither run's law fits the other run's points. Undefined if one of the runs has no law. */
export function lawChange(now: LawFit | undefined, before: LawFit | undefined): LawChange | undefined {
  if (!now?.law || !before?.law) return undefined;
  if (stillFits(now, before) || stillFits(before, now)) return 'same';
  return degreeOf(now.law) > degreeOf(before.law) ? 'worse' : 'better';
}

/** The change in the degree of growth; 0 for the same law, NaN without two laws to compare. */
export function degreeChange(now: LawFit | undefined, before: LawFit | undefined): number {
  const change = lawChange(now, before);
  if (change === undefined || !now?.law || !before?.law) return Number.NaN;
  return change === 'same' ? 0 : degreeOf(now.law) - degreeOf(before.law);
}
