// Edges from what was found of them.
import { indexBy } from '../../model/column.ts';
import type { Numbering } from '../../model/groups.ts';
import { pickRows } from '../../model/table.ts';
import type { Edges } from './costing.ts';

/** In order of their callers. Pairs are caller * routines + callee. */
export function edgesOf(
  pairs: Numbering<number>,
  routines: number,
  count: ArrayLike<number>,
  costs: readonly ArrayLike<number>[],
  more: Pick<Edges, 'inlined'> = {},
): Edges {
  const caller = Uint32Array.from(pairs.keys(), (pair) => Math.floor(pair / routines));
  const callee = Uint32Array.from(pairs.keys(), (pair) => pair % routines);
  const { order, from } = indexBy(caller, routines);
  const all = {
    caller,
    callee,
    count: Float64Array.from(count),
    costs: costs.map((column) => Float64Array.from(column)),
    ...more,
  };
  const rows = pickRows(all, order);
  return { ...rows, from, into: indexBy(rows.callee, routines) };
}
