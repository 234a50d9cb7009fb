// Events in a unit that the user names: their costs, not the way they are written.
import { ChoiceError } from '../../base/errors.ts';
import { smallestUnits, unitFactor } from '../../base/units.ts';
import { type Event, eventValue, type Term } from '../../model/head.ts';
import { withEvents } from './analyse.ts';
import type { Analysis } from './analysis.ts';
import { eventInEachRun } from './compared/events.ts';

/** The event with all costs multiplied; in a comparison, in both runs. */
function scaleEvent({ exact: _, ...event }: Event, by: number, unit: string): Event {
  const name = event.longName === undefined ? `in ${unit}` : `${event.longName}, in ${unit}`;
  const terms = event.terms.map(([factor, column]): Term => [factor * by, column]);
  const scaled: Event = { ...event, unit: 'count', longName: name, terms };
  if (!event.pair) return scaled;
  return { ...scaled, pair: [scaleEvent(event.pair[0], by, unit), scaleEvent(event.pair[1], by, unit)] };
}

/**
 * The analysis with its events in a unit of time or memory, or as percentages of their totals, in a comparison of the base's. Events of
 * other dimensions, and ratios, stay as they are. Throws ChoiceError if no event can be in the unit.
 */
export function analysisInUnit(analysis: Analysis, unit: string): Analysis {
  const wanted = unitFactor(unit);
  const { totals } = analysis.before ?? analysis;
  /** NaN or infinite for an event that cannot be in the unit. */
  const factorOf = (event: Event): number => {
    if (event.per) return Number.NaN;
    if (unit === 'percent') return 100 / Math.abs(eventValue(eventInEachRun(event)[1], totals.whole, 0));
    const own = smallestUnits(event.unit);
    return own && own.of === wanted?.of ? own.factor / wanted.factor : Number.NaN;
  };
  const factors = analysis.events.map(factorOf);
  if (!factors.some(Number.isFinite))
    throw new ChoiceError(
      `--unit ${unit}: no event is in it; there are ${analysis.events.map((e) => `${e.name} (${e.unit})`).join(', ')}`,
    );
  const name = unit === 'percent' ? `% of the ${analysis.before ? 'base' : 'total'}` : unit;
  const inUnit = (event: Event, e: number) => (Number.isFinite(factors[e]) ? scaleEvent(event, factors[e], name) : event);
  return withEvents(analysis, analysis.events.map(inUnit));
}
