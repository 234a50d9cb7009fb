// Finds the profiler's own frames in sampled stacks: the signal handler, its callees, and the trampoline behind it.
// Frames are recognized by their names, by the mark of the unwind table, or by their position, as in pprof.
// Position: the second frame of nearly all stacks is the handler's, since no program has one caller for all its code.
import { groupByKey } from '../../base/lists.ts';
import { programOfMappings, type Samples } from './samples.ts';

/** One in this many stacks may lack the frame that the others share. */
const STACKS_PER_EXCEPTION = 32;
const MIN_STACKS = 4;
const MAX_HANDLER_FRAMES = 2;

export type ProfilerFrames = NonNullable<ReturnType<typeof findProfilerFrames>>;

type GuessedFrame = NonNullable<ReturnType<typeof dropSharedFrame>>;

/**
 * Finds the profiler's frames; undefined if all frames belong to the program. `keep`: by element of the table of stacks, 1 for frames that do.
 * `known`: how many were left out because of their names or marks, and of how many samples. `guesses`: unnamed ones that nearly all stacks contain.
 */
export function findProfilerFrames(samples: Samples) {
  const { stacks, hidden } = samples;
  if (!hidden) return undefined;
  const places = samples.addresses.size;
  const isKnown = Uint8Array.from({ length: places }, (_, p) => {
    const outermost = samples.names[p]?.at(-1);
    return samples.trampolines.has(p) || (outermost && hidden.names.test(outermost.name)) ? 1 : 0;
  });
  const keep = new Uint8Array(stacks.element.length).fill(1);
  const known = isKnown.includes(1) ? dropKnownFrames(samples, isKnown, keep, hidden.leading) : { frames: 0, samples: 0 };
  if (hidden.leading) return known.frames > 0 ? { keep, known, guesses: [] } : undefined;
  const guesses: GuessedFrame[] = [];
  // Each process has its own addresses.
  for (const rows of groupByKey(stacks.part.done().keys(), (s) => stacks.part.data[s]).values()) {
    for (let round = 0; round < MAX_HANDLER_FRAMES; round++) {
      const guess = dropSharedFrame(samples, keep, rows, round > 0);
      if (!guess) break;
      guesses.push(guess);
    }
  }
  if (known.frames === 0 && guesses.length === 0) return undefined;
  dropRepeatedFrames(samples, keep);
  return { keep, known, guesses };
}

function dropKnownFrames({ stacks }: Samples, isKnown: Uint8Array, keep: Uint8Array, leading = false) {
  const [start, place] = [stacks.start.data, stacks.element.data];
  let frames = 0;
  let samples = 0;
  for (let s = 0; s < stacks.rows; s++) {
    let own = 0;
    let to = start[s + 1];
    if (leading) for (to = start[s]; to < start[s + 1] && isKnown[place[to]]; to++);
    for (let k = start[s]; k < to; k++) own += isKnown[place[k]];
    // A sample with only profiler frames still counts, so it keeps them.
    if (own === 0 || own === start[s + 1] - start[s]) continue;
    for (let k = start[s]; k < to; k++) if (isKnown[place[k]]) keep[k] = 0;
    frames += own;
    samples += stacks.count.data[s];
  }
  return { frames, samples };
}

/** The row of the n-th kept frame of a stack, from 0; -1 if the stack has fewer. */
function nthKeptRow({ stacks }: Samples, keep: Uint8Array, s: number, n: number): number {
  const end = stacks.start.data[s + 1];
  let left = n;
  for (let k = stacks.start.data[s]; k < end; k++) if (keep[k] && left-- === 0) return k;
  return -1;
}

/** Leaves out the second frame that nearly all stacks share, if it has no name and cannot be a caller. */
function dropSharedFrame(samples: Samples, keep: Uint8Array, rows: readonly number[], again: boolean) {
  if (rows.length < MIN_STACKS) return undefined;
  const place = samples.stacks.element.data;
  const second = rows.map((s) => nthKeptRow(samples, keep, s, 1));
  // Majority vote: the count goes up for the current candidate, and down for any other value.
  let most = -1;
  let lead = 0;
  for (const k of second) {
    const p = k < 0 ? -1 : place[k];
    if (lead === 0) most = p;
    lead += p === most ? 1 : -1;
  }
  const sharing = rows.flatMap((s, i) => (second[i] >= 0 && place[second[i]] === most ? [{ s, k: second[i] }] : []));
  if (most < 0 || samples.names[most] || sharing.length < rows.length - Math.floor(rows.length / STACKS_PER_EXCEPTION))
    return undefined;
  // After one such frame was left out, a shared frame of the program is more likely main, the caller of everything.
  const program = programOfMappings(samples.mappings[samples.partOf.data[most]] ?? []);
  if (again && samples.mappingOf(most)?.path === program) return undefined;
  const leaves = sharing.map(({ s }) => place[nthKeptRow(samples, keep, s, 0)]);
  if (!hasSeveralFunctions(samples, leaves)) return undefined;
  let counted = 0;
  for (const { s, k } of sharing) {
    keep[k] = 0;
    counted += samples.stacks.count.data[s];
  }
  return { address: most, stacks: sharing.length, ofStacks: rows.length, samples: counted };
}

/** Whether the frames have several functions. If one function is called everywhere, the frame below may be its real caller. */
function hasSeveralFunctions(samples: Samples, leaves: readonly number[]): boolean {
  const functions = new Set<string>();
  for (const p of new Set(leaves)) {
    const name = samples.names[p]?.at(-1)?.name ?? samples.starts.get(p);
    // If names are unknown, pprof's rule applies.
    if (name === undefined) return true;
    functions.add(`${samples.mappingOf(p)?.path} ${name}`);
  }
  return functions.size > 1;
}

/** Unwinding through a signal handler repeats the interrupted address, which the first frame already has. */
function dropRepeatedFrames(samples: Samples, keep: Uint8Array): void {
  const [start, place] = [samples.stacks.start.data, samples.stacks.element.data];
  for (let s = 0; s < samples.stacks.rows; s++) {
    const first = nthKeptRow(samples, keep, s, 0);
    const next = nthKeptRow(samples, keep, s, 1);
    // This happens only if frames were dropped in between. The repeated frame counts as a caller, so its address is one lower.
    if (first !== start[s] || next <= first + 1) continue;
    if (samples.address(place[next]) + 1n === samples.address(place[first])) keep[next] = 0;
  }
}
