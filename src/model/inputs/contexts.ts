// Calling contexts from a file, put in depth-first order.
import { cutCircles } from '../circles.ts';
import type { Contexts } from './tables.ts';

/** A calling context as recorded: its parent may come later, be missing, or be part of a cycle. */
export interface ContextNote {
  readonly id: number;
  readonly parent: number;
  readonly routine: number;
  readonly part: number;
  readonly line: number;
}

/**
 * The contexts depth first, parents before children: the subtree of row i is [i, end[i]). A context whose parent is missing
 * or below it becomes a root; `odd` is called for each.
 */
export function orderContexts(
  notes: readonly ContextNote[],
  odd: (note: ContextNote, why: string) => void,
): { contexts: Contexts; rowOf: Map<string, number> } {
  const key = (part: number, id: number) => `${part}/${id}`;
  const at = new Map(notes.map((n, i) => [key(n.part, n.id), i]));
  const parent = Int32Array.from(notes, (n) => (n.parent < 0 ? -1 : (at.get(key(n.part, n.parent)) ?? -2)));
  notes.forEach((n, i) => {
    if (parent[i] === -2) {
      odd(n, `its parent ${n.parent} does not exist`);
      parent[i] = -1;
    } else if (parent[i] === i) {
      odd(n, 'it is its own parent');
      parent[i] = -1;
    }
  });
  cutCircles(parent, (k) =>
    odd(notes[k], `it is its own ancestor: contexts ${notes[k].id} and ${notes[parent[k]].id} are part of a cycle`),
  );
  const { contexts, row } = layDepthFirst(notes, parent);
  return { contexts, rowOf: new Map(notes.map((note, i) => [key(note.part, note.id), row[i]])) };
}

/** Rows depth first: parents before children, each subtree a range of rows. `row`: the row of each note. */
function layDepthFirst(notes: readonly ContextNote[], parent: Int32Array): { contexts: Contexts; row: Int32Array } {
  const children: number[][] = notes.map(() => []);
  const roots: number[] = [];
  for (const [i, p] of parent.entries()) (p < 0 ? roots : children[p]).push(i);
  const n = notes.length;
  const row = new Int32Array(n);
  const out = {
    id: new Float64Array(n),
    parent: new Int32Array(n),
    end: new Uint32Array(n),
    routine: new Uint32Array(n),
    part: new Uint32Array(n),
  };
  const stack = [...roots].reverse();
  let next = 0;
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    if (i < 0) {
      out.end[row[-1 - i]] = next;
      continue;
    }
    const r = next++;
    row[i] = r;
    const note = notes[i];
    out.id[r] = note.id;
    out.parent[r] = parent[i] < 0 ? -1 : row[parent[i]];
    out.routine[r] = note.routine;
    out.part[r] = note.part;
    stack.push(-1 - i);
    for (let c = children[i].length - 1; c >= 0; c--) stack.push(children[i][c]);
  }
  return { contexts: out, row };
}
