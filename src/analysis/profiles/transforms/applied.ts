// The transforms of a profile, and what they left.
import { formatPercent } from '../../../base/units.ts';
import { eventValue } from '../../../model/event-value.ts';
import type { Event } from '../../../model/head.ts';
import type { Profile } from '../../../model/profile.ts';
import { type Analysis, wholeOf } from '../../answers/analysis.ts';
import { measured } from '../../answers/compared/measure.ts';

/** The transforms in words; none where the profile is as it was recorded. */
export function appliedTo({ transformed, compared }: Profile): readonly string[] {
  return (transformed ?? compared?.now.transformed)?.applied ?? [];
}

/** The transforms as people read them, without the one that takes nothing away. */
export const narrowedBy = (profile: Profile): readonly string[] => appliedTo(profile).filter((text) => text !== 'inlined');

/** Whether functions that were inlined have rows of their own. */
export const showsInlines = (profile: Profile): boolean => appliedTo(profile).includes('inlined');

/** How much of an event's whole is left, in words; '' of a ratio. */
export function leftText(analysis: Analysis, event: Event): string {
  if (event.per) return '';
  // With two runs, the remains of this one.
  const shown = measured(analysis, event, 'now');
  const left = eventValue(shown, analysis.totals.total, 0);
  return left === 0 ? 'nothing is left' : `${formatPercent(left, wholeOf(analysis, shown))} is left`;
}

/** Why there are no rows where nothing is left of what was chosen; undefined where something is, or nothing was chosen. */
export function whyNothing(analysis: Analysis): string | undefined {
  if (appliedTo(analysis.profile).length === 0) return undefined;
  const { total } = analysis.totals;
  return total.every((column) => column[0] === 0)
    ? 'Nothing left with the present focus: S lists the changes and undoes the latest'
    : undefined;
}
