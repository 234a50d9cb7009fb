// Describes the transforms of a profile, and the part of the profile that remains.
import { formatPercent } from '../../../base/units.ts';
import { type Event, eventValue } from '../../../model/head.ts';
import type { Profile } from '../../../model/profile.ts';
import { type Analysis, percentageBase } from '../../answers/analysis.ts';
import { eventInMeasure } from '../../answers/compared/measure.ts';
import { isDifference } from '../../answers/differences.ts';

/** The descriptions of the transforms; none if the profile is as recorded. */
export const transformTexts = ({ transformed, compared }: Profile): readonly string[] =>
  (transformed ?? compared?.now.transformed)?.applied ?? [];

/** The descriptions of transforms that remove something: all except `inlined`. */
export const narrowingTexts = (profile: Profile): readonly string[] =>
  transformTexts(profile).filter((text) => text !== 'inlined');

/** How much of an event's total remains, as text; '' for a ratio, or if it cannot be told. */
export function remainingText(analysis: Analysis, event: Event): string {
  // No sum of costs of both signs is a whole.
  if (event.per || (!analysis.before && isDifference(analysis, event))) return '';
  // In a comparison, this run's share.
  const shown = eventInMeasure(analysis, event, 'now');
  const left = eventValue(shown, analysis.totals.total, 0);
  return left === 0 ? 'nothing is left' : `${formatPercent(left, percentageBase(analysis, shown))} is left`;
}

/** Explains an empty table if transforms removed everything; undefined otherwise. */
export function reasonForNoRows(analysis: Analysis): string | undefined {
  const isLeft = transformTexts(analysis.profile).length === 0 || analysis.totals.total.some((column) => column[0] !== 0);
  return isLeft ? undefined : 'Nothing left with the present focus: S lists the changes and undoes the latest';
}
