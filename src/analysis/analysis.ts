// A profile with a choice of its parts, and what is computed of it once and shared by all views.
import { eventValue } from '../model/event-value.ts';
import type { Event } from '../model/head.ts';
import type { Kind, ProfileOf } from '../model/profile.ts';
import type { Costing, Edges, Totals } from './costing.ts';

export interface Analysis<K extends Kind = Kind> {
  readonly profile: ProfileOf<K>;
  /** The profile's events, KCachegrind's standard ones that can be computed, and the user's own. */
  readonly events: readonly Event[];
  /** Part numbers that are switched off. */
  readonly partsOff: ReadonlySet<number>;
  readonly costing: Costing;
  /** Those of the costing, remembered. */
  readonly totals: Totals;
  readonly edges: Edges;
}

export function isOfKind<K extends Kind>(analysis: Analysis, kind: K): analysis is Analysis<K> {
  return analysis.profile.kind === kind;
}

/** What the percentages of an event are of; the size of it where a difference of two runs adds up to less than nothing. */
export function wholeOf(analysis: Analysis, event: Event): number {
  return Math.abs(eventValue(event, analysis.totals.whole, 0));
}
