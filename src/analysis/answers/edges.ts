// Builds edges from pairs of caller and callee, and finds those of a routine.
import { indexBy, pickRows, rowsOfKey } from '../../model/column.ts';
import type { PairTable } from '../../model/hash-table.ts';
import type { Edges } from './costing.ts';

/** Builds edges from pairs of caller and callee, in order of callers. */
export function edgesFromPairs(
  pairs: PairTable,
  routines: number,
  count: ArrayLike<number>,
  costs: readonly ArrayLike<number>[],
  more: Pick<Edges, 'inlined'> = {},
): Edges {
  const caller = new Uint32Array(pairs.first.done());
  const callee = new Uint32Array(pairs.second.done());
  const { order, from } = indexBy(caller, routines);
  const sums = { count: Float64Array.from(count), costs: costs.map((column) => Float64Array.from(column)) };
  const rows = pickRows({ caller, callee, ...sums, ...more }, order);
  return { ...rows, from, into: indexBy(rows.callee, routines) };
}

/** Whether the cost of any of these edges is an estimate. */
export const isAnyEstimated = ({ estimated }: Edges, edges: readonly number[]): boolean =>
  estimated !== undefined && edges.some((e) => estimated[e] === 1);

export function calleeEdges({ from, callee }: Edges, r: number): number[] {
  const out: number[] = [];
  for (let e = from[r]; e < from[r + 1]; e++) if (callee[e] !== r) out.push(e);
  return out;
}

/** The edges from others to a routine. */
export const callerEdges = ({ into, caller }: Edges, r: number): number[] =>
  Array.from(rowsOfKey(into, r)).filter((e) => caller[e] !== r);
