// Rules that shorten or drop a stack. Frames are innermost first; `hit` is 1 at the places of frames that match the pattern.
import type { StackDraft, StackRule } from './stack-draft.ts';

type DraftFrames = Pick<StackDraft, 'frame' | 'routine' | 'inlined'>;

/** Moves frames [from, to) to `at`; returns their new end. */
function moveFrames(frame: Uint32Array, from: number, to: number, at: number): number {
  if (at === from) return to;
  let end = at;
  for (let k = from; k < to; k++) frame[end++] = frame[k];
  return end;
}

/** Keeps stacks with a matching frame; if `hits` is 0, stacks without one. */
function keepStacks({ frame }: DraftFrames, hit: Uint8Array, hits: 0 | 1): StackRule {
  return (from, to, at) => {
    let found: 0 | 1 = 0;
    for (let k = from; k < to && found === 0; k++) if (hit[k] === 1) found = 1;
    return found === hits ? moveFrames(frame, from, to, at) : at;
  };
}

/** Keeps stacks by their numbers in the profile. */
export const keepOrigins =
  ({ frame }: DraftFrames, isKept: (origin: number) => boolean): StackRule =>
  (from, to, at, origin) =>
    isKept(origin) ? moveFrames(frame, from, to, at) : at;

/** Keeps frames that match; if `hits` is 0, those that do not match. */
function keepFrames({ frame }: DraftFrames, hit: Uint8Array, hits: 0 | 1): StackRule {
  return (from, to, at) => {
    let end = at;
    for (let k = from; k < to; k++) if (hit[k] === hits) frame[end++] = frame[k];
    return end;
  };
}

/** Keeps the outermost matching frame, and the frames that it called. */
function showFrom({ frame }: DraftFrames, hit: Uint8Array): StackRule {
  return (from, to, at) => {
    let end = to;
    while (end > from && hit[end - 1] === 0) end--;
    return moveFrames(frame, from, end, at);
  };
}

/** Keeps the innermost matching frame and its callers. A stack without a match stays whole. */
function pruneFrom({ frame }: DraftFrames, hit: Uint8Array): StackRule {
  return (from, to, at) => {
    let k = from;
    while (k < to && hit[k] === 0) k++;
    return moveFrames(frame, k === to ? from : k, to, at);
  };
}

/** The rules of transforms that keep some frames or stacks, by word. */
export const STACK_RULES = {
  focus: (draft: DraftFrames, hit: Uint8Array) => keepStacks(draft, hit, 1),
  ignore: (draft: DraftFrames, hit: Uint8Array) => keepStacks(draft, hit, 0),
  hide: (draft: DraftFrames, hit: Uint8Array) => keepFrames(draft, hit, 0),
  show: (draft: DraftFrames, hit: Uint8Array) => keepFrames(draft, hit, 1),
  'show-from': showFrom,
  'prune-from': pruneFrom,
};

/** Merges neighbours for which `isOne` is true into the innermost of them. */
export function joinNeighbours({ frame, inlined }: DraftFrames, isOne: (inner: number, outer: number) => boolean): StackRule {
  return (from, to, at) => {
    let end = at;
    let inner = -1;
    for (let k = from; k < to; k++) {
      const f = frame[k];
      if (inner < 0 || !isOne(inner, f)) frame[end++] = f;
      // A merged frame is inlined only if all its frames are.
      else if (inlined && inlined[f] === 0) inlined[frame[end - 1]] = 0;
      inner = f;
    }
    return end;
  };
}

/** From the root, a routine that is on the path already cuts the path back to itself; its innermost frame stays. */
export function collapseRecursion({ frame, routine }: DraftFrames, routines: number): StackRule {
  /** By routine: its depth on the path, plus one. */
  const depthOf = new Uint32Array(routines);
  let path = new Uint32Array(256);
  return (from, to, at) => {
    if (to - from > path.length) path = new Uint32Array(2 * (to - from));
    let length = 0;
    for (let k = to - 1; k >= from; k--) {
      const f = frame[k];
      const r = routine[f];
      const depthBefore = depthOf[r];
      if (depthBefore > 0) while (length >= depthBefore) depthOf[routine[path[--length]]] = 0;
      path[length++] = f;
      depthOf[r] = length;
    }
    let end = at;
    while (length > 0) {
      const f = path[--length];
      depthOf[routine[f]] = 0;
      frame[end++] = f;
    }
    return end;
  };
}

/** Keeps frames of own code. A stack without any becomes the single frame `outside`. */
export function keepOwnFrames(frames: DraftFrames, own: Uint8Array, outside: number): StackRule {
  const { frame } = frames;
  const rule = keepFrames(frames, own, 1);
  return (from, to, at, origin) => {
    const end = rule(from, to, at, origin);
    if (end > at) return end;
    frame[at] = outside;
    return at + 1;
  };
}
