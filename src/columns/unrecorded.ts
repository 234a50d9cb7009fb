// Cost that callers paid and that no body explains, in words.
import type { Analysis } from '../analysis/answers/analysis.ts';
import { routineName } from '../analysis/names/names.ts';
import { formatCost, formatPercent, plural } from '../base/units.ts';
import { eventValue } from '../model/head.ts';

const MAX_NAMED = 3;

/** `90 Time (90.00%) in 1 routine: lib_call`, of the first event that has any; undefined if all cost is explained. */
export function unrecordedText({ profile, events, totals }: Analysis): string | undefined {
  const { unrecorded } = totals;
  if (!unrecorded || profile.compared) return undefined;
  const costsOf = (event: (typeof events)[number]) =>
    Array.from(profile.routines.name, (_, routine) => ({ routine, cost: eventValue(event, unrecorded, routine) })).filter(
      ({ cost }) => cost > 0,
    );
  const event = events.find((e) => !e.per && costsOf(e).length > 0);
  if (!event) return undefined;
  const found = costsOf(event).sort((a, b) => b.cost - a.cost);
  const sum = found.reduce((all, { cost }) => all + cost, 0);
  const names = found.slice(0, MAX_NAMED).map(({ routine }) => routineName(profile, routine));
  const more = found.length > MAX_NAMED ? ' …' : '';
  const share = formatPercent(sum, eventValue(event, totals.total, 0));
  return `${formatCost(sum, event.unit)} ${event.name} (${share}) in ${plural(found.length, 'routine')}: ${names.join(', ')}${more}`;
}
