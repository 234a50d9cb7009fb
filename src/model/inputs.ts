// Cost by input size: the writer of points and of the calling contexts that they may belong to.
import { Grow } from './column.ts';
import type { Contexts, InputField, Inputs } from './profile.ts';

/** Fields of a point beside its size, in no file's order. Those that a version lacks are never pushed: their column is absent. */
export const INPUT_FIELDS: readonly InputField[] = [
  'calls',
  'min',
  'max',
  'sum',
  'sumSquares',
  'real',
  'selfSum',
  'selfMin',
  'selfMax',
  'selfSumSquares',
  'syscall',
  'thread',
  'selfSyscall',
  'selfThread',
];

export class InputRows {
  readonly routine = new Grow(Int32Array);
  readonly context = new Grow(Int32Array);
  readonly part = new Grow(Uint32Array);
  readonly size = new Grow(Float64Array);
  readonly line = new Grow(Uint32Array);
  readonly fields = new Map<InputField, Grow<Float64Array>>();
  readonly beyond = new Map<InputField, Map<number, bigint>>();
  /** Numbers of contexts as files have them: row i of such a point has `context` -2 - its place here until all is read. */
  readonly contextIds: number[] = [];
  /** What sizes count: `rms`, `drms`; null where the report does not say. */
  metric: string | null = null;

  get rows(): number {
    return this.size.length;
  }

  /** Begins a point; `context` is the file's number, or -1. */
  push(routine: number, context: number, part: number, size: number, line: number): void {
    this.routine.push(routine);
    if (context === -1) this.context.push(-1);
    else {
      // Points of a context stand together.
      if (this.contextIds.at(-1) !== context) this.contextIds.push(context);
      this.context.push(-1 - this.contextIds.length);
    }
    this.part.push(part);
    this.size.push(size);
    this.line.push(line);
  }

  /** Adds a value to the row that was pushed last. */
  set(field: InputField, value: number | bigint): void {
    let column = this.fields.get(field);
    if (!column) this.fields.set(field, (column = new Grow(Float64Array)));
    const row = this.rows - 1;
    // Rows of a file that lacks the field, before the first that has it.
    while (column.length < row) column.push(Number.NaN);
    column.push(Number(value));
    if (typeof value === 'number') return;
    let exact = this.beyond.get(field);
    if (!exact) this.beyond.set(field, (exact = new Map()));
    exact.set(row, value);
  }

  finish(counted: Uint8Array): Inputs {
    const columns = Object.fromEntries(
      [...this.fields].map(([field, column]) => {
        while (column.length < this.rows) column.push(Number.NaN);
        return [field, column.done()];
      }),
    );
    return {
      metric: this.metric,
      routine: Uint32Array.from(this.routine.done()),
      context: this.context.done(),
      part: this.part.done(),
      size: this.size.done(),
      counted,
      beyond: this.beyond,
      ...columns,
    } as Inputs;
  }
}

/** A calling context as a file has it: parents may come later, never, or in a circle. */
export interface ContextNote {
  readonly id: number;
  readonly parent: number;
  readonly routine: number;
  readonly part: number;
  readonly line: number;
}

/**
 * The contexts depth first, parents before children: the subtree of row i is [i, end[i]). Parents that are not there, or are
 * below their child, make a root; `odd` is told of each such context.
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
  // 1: on the way up that is being walked; 2: known to end at a root.
  const state = new Uint8Array(notes.length);
  for (let i = 0; i < notes.length; i++) {
    const way: number[] = [];
    let k = i;
    while (k >= 0 && state[k] === 0) {
      state[k] = 1;
      way.push(k);
      k = parent[k];
    }
    if (k >= 0 && state[k] === 1) {
      odd(notes[k], `it is below itself: contexts ${notes[k].id} and ${notes[parent[k]].id} are each other's parents`);
      parent[k] = -1;
    }
    for (const w of way) state[w] = 2;
  }
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
  while (stack.length > 0) {
    const i = stack.pop()!;
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
  return { contexts: out, rowOf: new Map(notes.map((note, i) => [key(note.part, note.id), row[i]])) };
}
