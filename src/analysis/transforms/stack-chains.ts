// Chains of routines: each only ever calls the next, and only it calls the next, which begins no stack.
import { stringAt } from '../../model/strings.ts';
import type { NewRoutine } from './routine-draft.ts';
import type { StackDraft } from './stack-draft.ts';

const NONE = -1;
const SEVERAL = -2;

export interface Chains {
  /** By routine: the next in its chain; negative for the last and for those in none. */
  readonly next: Int32Array;
  /** Each chain, the outermost routine first. */
  readonly chains: readonly (readonly number[])[];
}

/** The longest chains of the stacks as they are. Yields between slices of work. */
export function* chainsOf(draft: StackDraft): Generator<undefined, Chains> {
  const { frame, routine } = draft;
  const routines = draft.routines.count;
  const callee = new Int32Array(routines).fill(NONE);
  const caller = new Int32Array(routines).fill(NONE);
  yield* draft.each((from, to) => {
    let inner = routine[frame[from]];
    // What begins a stack has no only caller.
    for (let k = from + 1; k < to; k++) {
      const r = routine[frame[k]];
      if (callee[r] !== inner) callee[r] = callee[r] === NONE ? inner : SEVERAL;
      if (caller[inner] !== r) caller[inner] = caller[inner] === NONE ? r : SEVERAL;
      inner = r;
    }
    caller[inner] = SEVERAL;
    return to;
  });
  const next = new Int32Array(routines).fill(NONE);
  const inside = new Uint8Array(routines);
  for (let r = 0; r < routines; r++) {
    const c = callee[r];
    if (c < 0 || caller[c] !== r) continue;
    next[r] = c;
    inside[c] = 1;
  }
  // No chain is a circle: who enters one is a caller from outside, or it begins a stack. So each has a routine that is no other's next.
  const chains: number[][] = [];
  for (let r = 0; r < routines; r++) {
    if (next[r] < 0 || inside[r] === 1) continue;
    const chain: number[] = [];
    for (let k = r; k >= 0; k = next[k]) chain.push(k);
    chains.push(chain);
  }
  return { next, chains };
}

/** `a › b › c`, at the place of the last. */
export function chainRoutine({ routines: { head } }: StackDraft, chain: readonly number[]): NewRoutine {
  const last = chain[chain.length - 1];
  const { file, object, line } = head.routines;
  const name = chain.map((r) => stringAt(head.strings, head.routines.name[r])).join(' › ');
  return { name, file: file[last], object: object[last], line: line?.[last] ?? 0 };
}
