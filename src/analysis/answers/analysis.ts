// A profile with a selection of its parts, and the results computed once and shared by all views.
import { eventValue } from '../../model/event-value.ts';
import type { Event } from '../../model/head.ts';
import type { Kind, ProfileOf } from '../../model/profile.ts';
import type { Costing, Edges, Totals } from './costing.ts';

export interface Analysis<K extends Kind = Kind> {
  readonly profile: ProfileOf<K>;
  /** The profile's events, KCachegrind's standard ones that can be computed, and the user's own. */
  readonly events: readonly Event[];
  /** Part numbers that are switched off. */
  readonly partsOff: ReadonlySet<number>;
  readonly costing: Costing;
  /** With two runs side by side, the base alone. Its routines, files and objects have the same numbers; its names are its own. */
  readonly before?: Analysis<K> | undefined;
  /** The costing's results, cached. */
  readonly totals: Totals;
  readonly edges: Edges;
}

export function isOfKind<K extends Kind>(analysis: Analysis, kind: K): analysis is Analysis<K> {
  return analysis.profile.kind === kind;
}

/** The event that an event's percentages are of: of a difference, the base's. */
export const wholeEvent = (event: Event): Event => (event.whole ? { ...event, terms: event.whole } : event);

/** The base of an event's percentages; its magnitude, since the cost of a difference file may be negative in total. */
export function wholeOf(analysis: Analysis, event: Event): number {
  return Math.abs(eventValue(wholeEvent(event), analysis.totals.whole, 0));
}

/**
 * The event that is shown unless another is chosen: what is definitely lost, where memory leaks are counted; else the first with a nonzero
 * total. The others have nothing to show.
 */
export function openingEvent({ events, totals }: Analysis): Event {
  const counted = events.filter((e) => e.terms.some(([, c]) => totals.total[c][0] !== 0));
  return counted.find((e) => /^definitely lost bytes/i.test(e.longName ?? '')) ?? counted[0] ?? events[0];
}

/** Whether transforms have split costs and counts of calls, so that these can be estimates. */
export const splitsCosts = ({ profile }: Analysis): boolean =>
  [profile, profile.compared?.now, profile.compared?.before].some((run) => run?.transformed?.estimated !== undefined);
