// A profile with a selection of its parts, and the results computed once and shared by all views.
import { memo } from '../../base/lists.ts';
import { type Event, eventValue } from '../../model/head.ts';
import type { Kind, ProfileOf } from '../../model/profile.ts';
import type { Costing, Edges, Totals } from './costing.ts';

export interface Analysis<K extends Kind = Kind> {
  readonly profile: ProfileOf<K>;
  /** The profile's events, KCachegrind's standard ones that can be computed, and the user's own. */
  readonly events: readonly Event[];
  readonly partsOff: ReadonlySet<number>;
  readonly costing: Costing;
  /** In a comparison: the analysis of the base. Rows have the same numbers in both runs, but the base has its own names. */
  readonly before?: Analysis<K> | undefined;
  /** The cached results of the costing. */
  readonly totals: Totals;
  readonly edges: Edges;
}

export const isOfKind = <K extends Kind>(analysis: Analysis, kind: K): analysis is Analysis<K> => analysis.profile.kind === kind;

/** Whether a context is of a kind of profile; true for no kind. */
export function isContextOf<K extends Kind>(
  context: { readonly analysis: Analysis },
  kind: K | undefined,
): context is { readonly analysis: Analysis<K> } {
  return kind === undefined || isOfKind(context.analysis, kind);
}

/** The event that percentages refer to. For a difference, it is the event of the base. */
export const percentageEvent = (event: Event): Event => (event.whole ? { ...event, terms: event.whole } : event);

/** The base of an event's percentages, without its sign, because the total cost of a difference may be negative. */
export const percentageBase = (analysis: Analysis, event: Event): number =>
  Math.abs(eventValue(percentageEvent(event), analysis.totals.whole, 0));

/** The event shown by default: definitely lost bytes if memory leaks are counted; else the first event with a nonzero total. */
export function defaultEvent({ events, totals }: Analysis): Event {
  const counted = events.filter((e) => e.terms.some(([, c]) => totals.total[c][0] !== 0));
  return counted.find((e) => /^definitely lost bytes/i.test(e.longName ?? '')) ?? counted[0] ?? events[0];
}

/** Whether transforms have split costs and call counts, so that these may be estimates. */
export const splitsCosts = ({ profile }: Analysis): boolean =>
  [profile, profile.compared?.now, profile.compared?.before].some((run) => run?.transformed && 'estimated' in run);

/** The cost of a set of routines with all they call, each sample or call counted once; undefined if it cannot be computed. */
export const costOfRoutineSet = memo((analysis: Analysis, wanted: Uint8Array, event: Event) => {
  const groupOf = Int32Array.from(wanted, (one) => one - 1);
  const columns = event.terms.map(([, column]) => column);
  const found = analysis.costing.groups({ groupOf, groups: 1, columns });
  return found && { value: eventValue(event, found.costs, 0), estimated: found.estimated[0] === 1 };
}, 4);
