// Chains of routines: each routine only ever calls the next, which has no other caller and begins no stack.
import { numbersAlong } from '../../../base/lists.ts';
import type { StackDraft } from './stack-draft.ts';

const NO_ROUTINE = -1;
const SEVERAL_ROUTINES = -2;

/**
 * Finds the longest chains in the current stacks. `next`: by routine, the next in its chain; negative for the last one and outside of
 * chains. Yields between slices of work.
 */
export function* findChains(draft: StackDraft) {
  const { frame, routine } = draft;
  const routines = draft.routines.count;
  const callee = new Int32Array(routines).fill(NO_ROUTINE);
  const caller = new Int32Array(routines).fill(NO_ROUTINE);
  yield* draft.applyRule((from, to) => {
    let inner = routine[frame[from]];
    // The root of a stack has no caller.
    for (let k = from + 1; k < to; k++) {
      const r = routine[frame[k]];
      if (callee[r] !== inner) callee[r] = callee[r] === NO_ROUTINE ? inner : SEVERAL_ROUTINES;
      if (caller[inner] !== r) caller[inner] = caller[inner] === NO_ROUTINE ? r : SEVERAL_ROUTINES;
      inner = r;
    }
    caller[inner] = SEVERAL_ROUTINES;
    return to;
  });
  // A chain cannot be circular: whoever enters it is an outside caller, or it begins a stack. So each chain has a first routine.
  const next = callee.map((c, r) => (c >= 0 && caller[c] === r ? c : NO_ROUTINE));
  return { next, chains: followChains(next) };
}

/** The chains that `next` describes (negative: none), each starting at a routine without predecessor, the outermost one. */
export function followChains(next: Int32Array): number[][] {
  const hasPredecessor = new Uint8Array(next.length);
  for (const r of next) if (r >= 0) hasPredecessor[r] = 1;
  const firsts = Array.from(next.keys()).filter((r) => next[r] >= 0 && hasPredecessor[r] === 0);
  return firsts.map((r) => numbersAlong(next, r));
}
