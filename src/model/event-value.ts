// Computes the value of an event at a row of a table: the sum of its terms over the raw cost columns.
import type { Exact } from '../base/units.ts';
import type { Event, Term } from './head.ts';

export type CostTable = readonly ArrayLike<number>[];

/** The value as a number, rounded beyond 2^53; NaN for a ratio by zero. Used for sorting, shares and bars. */
export function eventValue(event: Event, costs: CostTable, row: number): number {
  const { terms } = event;
  if (event.per) {
    const [above, below] = [sumTerms(terms, costs, row), sumTerms(event.per, costs, row)];
    if (below !== 0) return above / below;
    // A change from 0 is infinite, so it sorts above all others. A change from 0 to 0 is 0.
    if (event.measure === 'percent') return above === 0 ? 0 : above * Number.POSITIVE_INFINITY;
    return Number.NaN;
  }
  if (terms.length === 1 && terms[0][0] === 1) return costs[terms[0][1]][row];
  return sumTerms(terms, costs, row);
}

function sumTerms(terms: readonly Term[], costs: CostTable, row: number): number {
  let value = 0;
  for (const [factor, column] of terms) value += factor * costs[column][row];
  return value;
}

/** The exact value: a bigint beyond 2^53. */
export function exactValue(event: Event, costs: CostTable, row: number): Exact {
  if (!event.exact) return eventValue(event, costs, row);
  const [high, low] = [sumTerms(event.exact.high, costs, row), sumTerms(event.exact.low, costs, row)];
  // If the other run has fractions, the value is not exact.
  if (!Number.isInteger(high) || !Number.isInteger(low)) return eventValue(event, costs, row);
  const value = BigInt(high) * 0x100000000n + BigInt(low);
  return value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** All values of an event. The raw column itself is returned if the event is just that column. */
export function eventColumn(event: Event, costs: CostTable, rows: number): ArrayLike<number> {
  const { terms } = event;
  if (!event.per && terms.length === 1 && terms[0][0] === 1) return costs[terms[0][1]];
  const out = new Float64Array(rows);
  if (event.per) {
    for (let i = 0; i < rows; i++) out[i] = eventValue(event, costs, i);
    return out;
  }
  for (const [factor, column] of terms) {
    const from = costs[column];
    for (let i = 0; i < rows; i++) out[i] += factor * from[i];
  }
  return out;
}

/** Makes `count` columns of `rows` zeros. */
export const zeroCosts = (count: number, rows: number): Float64Array[] =>
  Array.from({ length: count }, () => new Float64Array(rows));
