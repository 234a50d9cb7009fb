// Chains of routines: each only ever calls the next, and only it calls the next, which begins no stack.
import type { StackDraft } from './stack-draft.ts';

const NONE = -1;
const SEVERAL = -2;

export interface RoutineChains {
  /** By routine: the next in its chain; negative for the last one and outside of chains. */
  readonly next: Int32Array;
  /** Each chain, the outermost routine first. */
  readonly chains: readonly (readonly number[])[];
}

/** The longest chains of the stacks as they are. Yields between slices of work. */
export function* findChains(draft: StackDraft): Generator<undefined, RoutineChains> {
  const { frame, routine } = draft;
  const routines = draft.routines.count;
  const callee = new Int32Array(routines).fill(NONE);
  const caller = new Int32Array(routines).fill(NONE);
  yield* draft.applyRule((from, to) => {
    let inner = routine[frame[from]];
    // The root of a stack has no only caller.
    for (let k = from + 1; k < to; k++) {
      const r = routine[frame[k]];
      if (callee[r] !== inner) callee[r] = callee[r] === NONE ? inner : SEVERAL;
      if (caller[inner] !== r) caller[inner] = caller[inner] === NONE ? r : SEVERAL;
      inner = r;
    }
    caller[inner] = SEVERAL;
    return to;
  });
  // No chain is a circle: who enters one is a caller from outside, or it begins a stack. So each has a routine that is no other's next.
  const next = callee.map((c, r) => (c >= 0 && caller[c] === r ? c : NONE));
  return { next, chains: followChains(next) };
}

/** The chains that `next` describes (negative: no next), each from a routine without predecessor. */
export function followChains(next: Int32Array): number[][] {
  const hasPredecessor = new Uint8Array(next.length);
  for (const r of next) if (r >= 0) hasPredecessor[r] = 1;
  const out: number[][] = [];
  next.forEach((to, r) => {
    if (to < 0 || hasPredecessor[r] === 1) return;
    const chain: number[] = [];
    for (let at = r; at >= 0; at = next[at]) chain.push(at);
    out.push(chain);
  });
  return out;
}
