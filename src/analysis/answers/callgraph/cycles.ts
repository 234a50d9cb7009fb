// Cycles of the call graph: its strongly connected components of several routines, found by Tarjan's algorithm (1972).
// The algorithm's stack is in arrays, because a call chain may be a million deep.
import { SLOW_ROWS_PER_SLICE, type Sliced } from '../../../base/slices.ts';
import type { Cycles, Edges } from '../costing.ts';

/** The number of steps between pauses. */
const STEPS_PER_SLICE = 1 << 17;

export function* findCycles(edges: Pick<Edges, 'from' | 'callee'>, routines: number): Sliced<Cycles> {
  const order = new Int32Array(routines).fill(-1);
  const low = new Int32Array(routines);
  const onStack = new Uint8Array(routines);
  const stack = new Uint32Array(routines);
  const path = new Uint32Array(routines);
  const next = edges.from.slice(0, routines);
  const component = new Int32Array(routines).fill(-1);
  const size: number[] = [];
  let depth = 0;
  let held = 0;
  let seen = 0;
  const calleesFirst = new Uint32Array(routines);
  let done = 0;
  let steps = 0;
  for (let root = 0; root < routines; root++) {
    if (order[root] >= 0) continue;
    path[depth++] = root;
    order[root] = low[root] = seen++;
    stack[held++] = root;
    onStack[root] = 1;
    while (depth > 0) {
      if (++steps % STEPS_PER_SLICE === 0) yield;
      const r = path[depth - 1];
      if (next[r] < edges.from[r + 1]) {
        const callee = edges.callee[next[r]++];
        if (order[callee] < 0) {
          order[callee] = low[callee] = seen++;
          stack[held++] = callee;
          onStack[callee] = 1;
          path[depth++] = callee;
        } else if (onStack[callee] && order[callee] < low[r]) low[r] = order[callee];
        continue;
      }
      depth--;
      if (depth > 0) {
        const parent = path[depth - 1];
        if (low[r] < low[parent]) low[parent] = low[r];
      }
      if (low[r] === order[r]) {
        let members = 0;
        let member: number;
        do {
          member = stack[--held];
          onStack[member] = 0;
          component[member] = size.length;
          calleesFirst[done++] = member;
          members++;
        } while (member !== r);
        size.push(members);
      }
    }
  }
  const of = new Uint32Array(routines);
  /** By component: its cycle number; 0 until it has one. */
  const number = new Uint32Array(size.length);
  let count = 0;
  for (let r = 0; r < routines; r++) {
    const c = component[r];
    if (size[c] < 2) continue;
    if (number[c] === 0) number[c] = ++count;
    of[r] = number[c];
  }
  return { of, count, calleesFirst };
}

/** Visits routines and cycles, callees first or callers first. Yields between slices of work. */
export function* visitInOrder(
  { of, calleesFirst }: Cycles,
  first: 'callees' | 'callers',
  visit: (routine: number) => void,
  visitCycle: (cycle: number, members: Uint32Array) => Sliced<void>,
): Sliced<void> {
  const order = first === 'callees' ? calleesFirst : calleesFirst.toReversed();
  for (let at = 0, paused = 0; at < order.length; ) {
    if (at - paused >= SLOW_ROWS_PER_SLICE) {
      paused = at;
      yield;
    }
    const start = at++;
    const cycle = of[order[start]];
    if (cycle > 0) while (at < order.length && of[order[at]] === cycle) at++;
    if (cycle === 0) visit(order[start]);
    else yield* visitCycle(cycle, order.subarray(start, at));
  }
  yield;
}
