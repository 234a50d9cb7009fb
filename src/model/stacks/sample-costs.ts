// Builds the cost columns and events of sampled stacks.
import type { Costs } from '../column.ts';
import { splitHalves } from '../cost-columns.ts';
import type { Event } from '../head.ts';
import type { RecordedType, StackTable } from './samples.ts';

/** The events of the recorded cost types, or else samples and time. `columnAt`: the column of each type of cost. */
export function buildCosts(table: StackTable, periods: readonly number[], types: readonly RecordedType[]) {
  for (const { column } of types) table.ensureColumns(column + 1);
  const costs: (Uint32Array | Float64Array)[] = [];
  const columnAt: number[] = [];
  const columns = table.sums.map((_, c) => {
    // Halves of earlier columns shift the index.
    columnAt.push(costs.length);
    return addCostColumn(table, c, costs);
  });
  if (types.length === 0) return { events: sampleAndTimeEvents(table, periods, columns[0], costs), costs, columnAt };
  const events = types.map(({ name, unit, longName, factor = 1, each, uneven, column, ofSamples = 0 }) => {
    const mean = ofSamples > 0 ? table.sums[column].sum.done().reduce((all, v) => all + v, 0) / ofSamples : each;
    return {
      name,
      unit,
      ...(longName === undefined ? {} : { longName }),
      ...(mean ? { each: mean * factor } : {}),
      ...(uneven || ofSamples > 0 ? { uneven: true as const } : {}),
      ...columns[column](factor),
    };
  });
  return { events, costs, columnAt };
}

/** Adds the column of a type of cost, with halves if a double is too small. Returns its terms, scaled by a factor. */
function addCostColumn(table: StackTable, c: number, to: Costs[number][]): (factor: number) => Pick<Event, 'terms' | 'exact'> {
  const { sum, beyond } = table.sums[c];
  const sums = sum.done();
  const column = sums.every((v) => v >>> 0 === v) ? Uint32Array.from(sums) : sums.slice();
  const at = to.push(column) - 1;
  const total = sums.reduce((all, v) => all + Math.abs(v), 0);
  // Fractions are doubles. Inexact values need no halves.
  const exact = sums.every(Number.isInteger) && (total >= 2 ** 53 || beyond.size > 0);
  if (exact) {
    const half = splitHalves(sums, sums.length, [...beyond]);
    to.push(half.high, half.low);
  }
  return (factor) => ({
    terms: [[factor, at]],
    ...(exact ? { exact: { high: [[factor, at + 1]] as const, low: [[factor, at + 2]] as const } } : {}),
  });
}

/** Events for samples and time. Time gets its own column if parts were sampled at different rates. */
function sampleAndTimeEvents(
  { part }: StackTable,
  periodOf: readonly number[],
  terms: (factor: number) => Pick<Event, 'terms' | 'exact'>,
  costs: Costs[number][],
): Event[] {
  const events: Event[] = [{ name: 'samples', unit: 'samples', longName: 'samples taken', each: 1, ...terms(1) }];
  const periods = new Set(periodOf);
  const [period] = periods;
  if (periods.size === 1 && period > 0) {
    const longName = `samples times the period of ${period / 1e6} ms`;
    events.push({ name: 'time', unit: 'ns', longName, formula: `${period} samples`, each: period, ...terms(period) });
  } else if (periods.size > 1 && !periods.has(0)) {
    const counts = costs[0];
    const column = costs.push(Float64Array.from({ length: counts.length }, (_, s) => counts[s] * periodOf[part.data[s]])) - 1;
    events.push({ name: 'time', unit: 'ns', longName: "samples times their file's period", terms: [[1, column]] });
  }
  return events;
}
