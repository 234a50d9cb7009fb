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
  const factorOf = (event: Event): number | undefined => {
    if (event.per) return undefined;
    if (unit === 'percent') return 100 / Math.abs(eventValue(eventInEachRun(event)[1], totals.whole, 0));
    const own = smallestUnits(event.unit);
    return own && own.of === wanted?.of ? own.factor / wanted.factor : undefined;
  };
  const factors = analysis.events.map(factorOf);
  if (!factors.some((by) => by !== undefined && Number.isFinite(by)))
    throw new ChoiceError(
      `--unit ${unit}: no event is in it; there are ${analysis.events.map((e) => `${e.name} (${e.unit})`).join(', ')}`,
    );
  const events = analysis.events.map((event, e) => {
    const by = factors[e];
    return by !== undefined && Number.isFinite(by)
      ? scaleEvent(event, by, unit === 'percent' ? `% of the ${analysis.before ? 'base' : 'total'}` : unit)
      : event;
  });
  return withEvents(analysis, events);
}
