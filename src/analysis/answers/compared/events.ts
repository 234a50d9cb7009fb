// Events of two compared runs: in this run, in the base, and the difference, as sums over the columns of both.
import { attempt } from '../../../base/attempt.ts';
import { memo } from '../../../base/lists.ts';
import { FormatError } from '../../../base/problem.ts';
import { divisorTerms, type Event, eventValue, type Measure, type Term } from '../../../model/head.ts';
import type { Totals } from '../costing.ts';
import { deriveEvent, withStandardEvents } from '../events.ts';

/** The events that both runs have, over this run's columns. Each is paired with the base's event. */
export function pairedEvents(events: readonly Event[], before: readonly Event[]): Event[] {
  const known = withStandardEvents(before);
  return events.flatMap((event) => {
    const now = event.pair?.[0] ?? event;
    const then = matchingEvent(now, known);
    // CEst sums other events where others were recorded.
    if (!then || !hasSameFormula(now, then) || typeof then.per !== typeof now.per) return [];
    if (!known.includes(then)) known.push(then);
    return [{ ...now, pair: [now, then] as const }];
  });
}

/** Whether two events of one name have one formula. Those of samples may differ: they are of their periods. */
export function hasSameFormula(a: Event, b: Event): boolean {
  const [formula, other] = [a, b].map((event) => event.formula?.replace(/\s+/g, ''));
  return formula === other || a.each !== undefined || b.each !== undefined;
}

/** Finds the same event among those of another profile: by name and unit, else by formula. */
export function matchingEvent({ name, unit, formula }: Event, known: readonly Event[]): Event | undefined {
  const found = known.find((e) => e.name === name);
  if (found || formula === undefined) return found?.unit === unit ? found : undefined;
  return attempt<Event | undefined>(() => deriveEvent(`${name}=${formula}`, known), undefined, FormatError);
}

/** The event in this run and in the base, each over its own columns. */
export const eventInEachRun = (event: Event): readonly [now: Event, before: Event] => event.pair ?? [event, event];

const shiftColumns = (terms: readonly Term[], columns: number, factor: number): Term[] =>
  terms.map(([f, column]) => [f * factor, column + columns]);

export interface BaseScale {
  /** The number of raw columns of this run. The base's columns follow. */
  readonly columns: number;
  /** The column with the base's calls. */
  readonly callsBefore: number;
  /** The factor for the base's costs. */
  readonly factor: (event: Event) => number;
}

/** An event in a measure. Ratios have no percentage and no difference, because these are not ratios of sums. */
export function measuredEvent(event: Event, measure: Measure, { columns, callsBefore, factor }: BaseScale): Event {
  const [now, before] = eventInEachRun(event);
  const pair = [now, before] as const;
  const isRatio = now.per !== undefined;
  if (measure === 'now' || (isRatio && measure !== 'before')) return { ...now, pair };
  const by = factor(event);
  const then = shiftColumns(before.terms, columns, by);
  const { name, unit, longName } = now;
  const common = { name, unit, ...(longName ? { longName } : {}), pair, measure };
  if (isRatio)
    return {
      ...common,
      terms: then,
      per: before.per === 'calls' ? [[by, callsBefore]] : shiftColumns(divisorTerms(before), columns, by),
    };
  const isExact = by === 1 && (now.exact !== undefined || before.exact !== undefined);
  const halvesOf = ({ exact, terms }: Event) => [exact?.high ?? [], exact?.low ?? terms];
  const halvesBefore = (sign: -1 | 1) => halvesOf(before).map((terms) => shiftColumns(terms, columns, sign));
  if (measure === 'before') {
    const [high, low] = halvesBefore(1);
    return { ...common, terms: then, ...(isExact ? { exact: { high, low } } : {}) };
  }
  const terms = [...now.terms, ...shiftColumns(before.terms, columns, -by)];
  if (measure === 'percent') return { ...common, terms, per: then };
  const [high, low] = halvesBefore(-1).map((half, k) => [...halvesOf(now)[k], ...half]);
  return { ...common, terms, whole: then, ...(isExact ? { exact: { high, low } } : {}) };
}

/** The factor per event that scales the base to the total of this run. Totals are over the columns of both runs. */
export function normalizationFactor(columns: number, totals: () => Totals): BaseScale['factor'] {
  return memo((event: Event) => {
    const [now, before] = eventInEachRun(event);
    const ours = eventValue(now, totals().total, 0);
    const theirs = eventValue(before, totals().total.slice(columns), 0);
    const factor = ours / theirs;
    // Totals of 0, or nearly 0, cannot be scaled.
    return factor !== 0 && Number.isFinite(factor) ? factor : 1;
  }, 64);
}
