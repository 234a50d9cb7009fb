// Events of two runs side by side: what they are in this run, in the base, and the difference, as sums over the columns of both.
import { memo } from '../../../base/memo.ts';
import { FormatError } from '../../../base/problem.ts';
import { eventValue } from '../../../model/event-value.ts';
import type { Event, Measure, Term } from '../../../model/head.ts';
import type { Totals } from '../costing.ts';
import { deriveEvent, withStandardEvents } from '../events.ts';

/** The events that both runs have, over the columns of this run, each with what it is in the base. */
export function pairedEvents(events: readonly Event[], before: readonly Event[]): Event[] {
  const known = withStandardEvents(before);
  return events.flatMap((event) => {
    const now = event.pair?.[0] ?? event;
    const then = sameEvent(now, known);
    if (!then || (then.per === undefined) !== (now.per === undefined)) return [];
    if (!known.includes(then)) known.push(then);
    return [{ ...now, pair: [now, then] as const }];
  });
}

/** An event of another profile over the columns that `known` are of: the one of its name, else its formula. */
export function sameEvent({ name, formula }: Event, known: readonly Event[]): Event | undefined {
  const found = known.find((e) => e.name === name);
  if (found || formula === undefined) return found;
  try {
    return deriveEvent(`${name}=${formula}`, known);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** The event in this run and in the base, each over its own columns. */
export function sideEvents(event: Event): readonly [now: Event, before: Event] {
  return event.pair ?? [event, event];
}

const moved = (terms: readonly Term[], columns: number, factor: number): Term[] =>
  terms.map(([f, column]) => [f * factor, column + columns]);

export interface Scale {
  /** Raw columns of this run: those of the base follow. */
  readonly columns: number;
  /** The factor of the base's costs. */
  readonly factor: (event: Event) => number;
}

/** A measure of the event. Ratios have no percentage; their difference is none of sums, so it is not shown either. */
export function measuredEvent(event: Event, measure: Measure, { columns, factor }: Scale): Event {
  const [now, before] = sideEvents(event);
  const by = factor(event);
  const then = moved(before.terms, columns, by);
  const common = {
    name: now.name,
    unit: now.unit,
    ...(now.longName ? { longName: now.longName } : {}),
    pair: [now, before] as const,
  };
  if (now.per || before.per)
    return measure === 'before'
      ? { ...common, terms: then, per: moved(before.per ?? [], columns, by), measure }
      : { ...now, pair: common.pair };
  const exact = by === 1 && (now.exact !== undefined || before.exact !== undefined);
  const halves = (sign: -1 | 1, withNow: boolean) => {
    const high = moved(before.exact?.high ?? [], columns, sign);
    const low = moved(before.exact?.low ?? before.terms, columns, sign);
    if (!withNow) return { high, low };
    return { high: [...(now.exact?.high ?? []), ...high], low: [...(now.exact?.low ?? now.terms), ...low] };
  };
  switch (measure) {
    case 'now':
      return { ...now, pair: common.pair };
    case 'before':
      return { ...common, terms: then, ...(exact ? { exact: halves(1, false) } : {}), measure };
    case 'delta': {
      const terms = [...now.terms, ...moved(before.terms, columns, -by)];
      return { ...common, terms, whole: then, ...(exact ? { exact: halves(-1, true) } : {}), measure };
    }
    case 'percent':
      return { ...common, terms: [...now.terms, ...moved(before.terms, columns, -by)], per: then, measure };
  }
}

/** Scales the base to the total of this run, event by event. Totals are over the columns of both. */
export function normalizing(columns: number, totals: () => Totals): Scale['factor'] {
  return memo((event: Event) => {
    const [now, before] = sideEvents(event);
    const ours = eventValue(now, totals().total, 0);
    const theirs = eventValue(before, totals().total.slice(columns), 0);
    const factor = ours / theirs;
    // Nothing is scaled to, or from, nothing: nor is what is next to nothing.
    return factor !== 0 && Number.isFinite(factor) ? factor : 1;
  }, 64);
}
