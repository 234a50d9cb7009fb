// Makes calling contexts of nested rows such as slices and processes: all rows with the same path of names are one context, so
// repeated work stays small. Calls and trees are then answered as for recorded contexts.

import { PairTable } from '../../model/hash-table.ts';
import { depthFirst } from '../../model/inputs/contexts.ts';
import type { Contexts, InputCosts } from '../../model/inputs/tables.ts';

type NestedRows = Readonly<Record<'parent' | 'routine' | 'part', Int32Array | Uint32Array>>;

/**
 * A context for each path of the rows that count, and the context of each row: -1 for those that do not count. The parent of a row is
 * -1 for none. `byPart`: equal paths of two parts are two; else all contexts are of part 0.
 */
export function nestedContexts(rows: NestedRows, counts: (row: number) => boolean, byPart: boolean) {
  const n = rows.parent.length;
  /** By row: its path of routines from the outermost row; -1 if the row does not count. */
  const of = new Int32Array(n).fill(-1);
  const part: number[] = [];
  const known = new PairTable(Int32Array);
  const inside: number[] = [];
  for (let first = 0; first < n; first++) {
    // Ancestors that have not been visited are visited first.
    for (let i = first; i >= 0 && of[i] < 0 && counts(i); i = rows.parent[i]) inside.push(i);
    for (let i = inside.pop(); i !== undefined; i = inside.pop()) {
      const p = rows.parent[i];
      const above = p < 0 ? -1 : of[p];
      const own = byPart ? rows.part[i] : 0;
      // The roots of each part get a separate negative parent number.
      of[i] = known.numberOf(above < 0 ? -1 - own : above, rows.routine[i]);
      if (of[i] === part.length) part.push(own);
    }
  }
  const [parent, routine] = [known.first.done().map((above) => Math.max(-1, above)), known.second.done()];
  const { order, place, end } = depthFirst(parent);
  const contexts = {
    id: Float64Array.from(order.keys()),
    parent: Int32Array.from(order, (k) => (parent[k] < 0 ? -1 : place[parent[k]])),
    end,
    routine: Uint32Array.from(order, (k) => routine[k]),
    part: Uint32Array.from(order, (k) => part[k]),
  };
  return { contexts, of: of.map((path) => (path < 0 ? -1 : place[path])) };
}

/** The tables of a profile with these contexts. For each: its number of rows, and their cost with and without nested rows. */
export function contextTables(
  contexts: Contexts,
  costs: Readonly<Record<'calls' | 'sum' | 'selfSum', Float64Array>>,
): InputCosts {
  const { id, routine, part } = contexts;
  const ofNoSize = { metric: '', size: new Float64Array(id.length), beyond: new Map() };
  const points = { ...ofNoSize, routine, context: Int32Array.from(id), part, counted: new Uint8Array(id.length).fill(1) };
  return { kind: 'inputs', contexts, inputs: { ...points, ...costs } };
}
