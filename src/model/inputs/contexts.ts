// Sorts the calling contexts of a file into depth-first order.

import { breakCycles } from '../circles.ts';
import { indexBy } from '../column.ts';
import type { Contexts } from './tables.ts';

/** A calling context as recorded. Its parent may come later, be missing, or be part of a cycle. */
export type ContextNote = Readonly<Record<'id' | 'parent' | 'routine' | 'part' | 'line', number>>;

/**
 * The contexts depth first, parents before children: the subtree of row i is [i, end[i]). A context whose parent is missing
 * or below it becomes a root; `warnBroken` is called for each.
 */
export function orderContexts(notes: readonly ContextNote[], warnBroken: (note: ContextNote, why: string) => void) {
  const key = (part: number, id: number) => `${part}/${id}`;
  const at = new Map(notes.map((n, i) => [key(n.part, n.id), i]));
  const parent = Int32Array.from(notes, (n) => (n.parent < 0 ? -1 : (at.get(key(n.part, n.parent)) ?? -2)));
  notes.forEach((n, i) => {
    if (parent[i] !== -2 && parent[i] !== i) return;
    warnBroken(n, parent[i] === i ? 'it is its own parent' : `its parent ${n.parent} does not exist`);
    parent[i] = -1;
  });
  breakCycles(parent, (k) =>
    warnBroken(notes[k], `it is its own ancestor: contexts ${notes[k].id} and ${notes[parent[k]].id} are part of a cycle`),
  );
  const { order, place, end } = depthFirst(parent);
  const contexts: Contexts = {
    id: Float64Array.from(order, (i) => notes[i].id),
    parent: Int32Array.from(order, (i) => (parent[i] < 0 ? -1 : place[parent[i]])),
    end,
    routine: Uint32Array.from(order, (i) => notes[i].routine),
    part: Uint32Array.from(order, (i) => notes[i].part),
  };
  return { contexts, rowOf: new Map(notes.map((note, i) => [key(note.part, note.id), place[i]])) };
}

/**
 * Sorts rows depth first: parents come before children, and each subtree is a range of indexes. `order`: the row at each
 * depth-first index; `place`: the index of each row; `end`: the end of the subtree at each index.
 */
export function depthFirst(parent: ArrayLike<number>, isRoot: (row: number) => boolean = () => true) {
  const n = parent.length;
  const [order, place, end] = [new Uint32Array(n), new Uint32Array(n), new Uint32Array(n)];
  const { order: children, from } = indexBy(parent, n);
  const open: number[] = [];
  for (let k = n - 1; k >= 0; k--) if (parent[k] < 0 && isRoot(k)) open.push(k);
  let next = 0;
  for (let k = open.pop(); k !== undefined; k = open.pop()) {
    // An entry of -1 - k marks the end of the subtree of k.
    if (k < 0) {
      end[place[-1 - k]] = next;
      continue;
    }
    order[next] = k;
    place[k] = next++;
    open.push(-1 - k);
    for (let c = from[k + 1] - 1; c >= from[k]; c--) open.push(children[c]);
  }
  return { order: order.subarray(0, next), place, end };
}
