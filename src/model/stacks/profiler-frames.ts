// The profiler's own frames in sampled stacks: its signal handler, what that calls, and the trampoline by which a handler returns. They
// are known by name, by the mark of the unwind table, or, without either, by their place: the first frame is where the program was
// interrupted, and no program has the same caller under nearly everything that it does. pprof has the last rule, too.
import { addTo } from '../../base/lists.ts';
import { programIn, type Samples } from './samples.ts';

/** One in this many stacks may lack the shared frame. */
const SHARED_OF = 32;
/** Fewer stacks prove nothing. */
const LEAST_STACKS = 4;
/** A handler may leave two frames. */
const ROUNDS = 2;

/** A frame without a name that was taken for the profiler's, since nearly all stacks have it. */
export interface GuessedFrame {
  readonly address: number;
  readonly stacks: number;
  readonly ofStacks: number;
  readonly samples: number;
}

export interface ProfilerFrames {
  /** By row of the table of stacks: 1 for the frames that belong to the program. */
  readonly keep: Uint8Array;
  /** Frames left out because of their names or their mark, and the samples that had them. */
  readonly known: { readonly frames: number; readonly samples: number };
  readonly guesses: readonly GuessedFrame[];
}

/** undefined if all frames are the program's. */
export function findProfilerFrames(samples: Samples): ProfilerFrames | undefined {
  const { stacks, hidden } = samples;
  if (!hidden) return undefined;
  const places = samples.addresses.count;
  const isKnown = Uint8Array.from({ length: places }, (_, p) => {
    const outermost = samples.names[p]?.at(-1);
    return samples.trampolines.has(p) || (outermost && hidden.names.test(outermost.name)) ? 1 : 0;
  });
  const keep = new Uint8Array(stacks.element.length).fill(1);
  const known = isKnown.includes(1) ? dropKnown(samples, isKnown, keep, hidden.leading) : { frames: 0, samples: 0 };
  if (hidden.leading) return known.frames > 0 ? { keep, known, guesses: [] } : undefined;
  const guesses: GuessedFrame[] = [];
  for (const rows of rowsByPart(samples)) {
    for (let round = 0; round < ROUNDS; round++) {
      const guess = dropShared(samples, keep, rows, round > 0);
      if (!guess) break;
      guesses.push(guess);
    }
  }
  if (known.frames === 0 && guesses.length === 0) return undefined;
  dropRepeatedFrames(samples, keep);
  return { keep, known, guesses };
}

function dropKnown({ stacks }: Samples, isKnown: Uint8Array, keep: Uint8Array, leading = false): ProfilerFrames['known'] {
  const [start, place] = [stacks.start.data, stacks.element.data];
  let frames = 0;
  let samples = 0;
  for (let s = 0; s < stacks.rows; s++) {
    let own = 0;
    let to = start[s + 1];
    if (leading) for (to = start[s]; to < start[s + 1] && isKnown[place[to]]; to++);
    for (let k = start[s]; k < to; k++) own += isKnown[place[k]];
    // A sample that hit nothing but the profiler still counts.
    if (own === 0 || own === start[s + 1] - start[s]) continue;
    for (let k = start[s]; k < to; k++) if (isKnown[place[k]]) keep[k] = 0;
    frames += own;
    samples += stacks.count.data[s];
  }
  return { frames, samples };
}

/** The row of the n-th frame that is kept, from 0; -1 if the stack has fewer. */
function keptRow({ stacks }: Samples, keep: Uint8Array, s: number, n: number): number {
  const end = stacks.start.data[s + 1];
  let left = n;
  for (let k = stacks.start.data[s]; k < end; k++) if (keep[k] && left-- === 0) return k;
  return -1;
}

/** Every process has its own addresses. */
function rowsByPart({ stacks }: Samples): Iterable<readonly number[]> {
  const parts = new Map<number, number[]>();
  for (let s = 0; s < stacks.rows; s++) addTo(parts, stacks.part.data[s], s);
  return parts.values();
}

/** Leaves out the second frame that nearly all stacks share, if it has no name and can't be a caller. */
function dropShared(samples: Samples, keep: Uint8Array, rows: readonly number[], again: boolean): GuessedFrame | undefined {
  if (rows.length < LEAST_STACKS) return undefined;
  const place = samples.stacks.element.data;
  const second = rows.map((s) => keptRow(samples, keep, s, 1));
  // The value of more than half of the rows is found by counting it up and all others down.
  let most = -1;
  let lead = 0;
  for (const k of second) {
    const p = k < 0 ? -1 : place[k];
    if (lead === 0) most = p;
    lead += p === most ? 1 : -1;
  }
  const sharing = rows.flatMap((s, i) => (second[i] >= 0 && place[second[i]] === most ? [{ s, k: second[i] }] : []));
  if (most < 0 || samples.names[most] || sharing.length < rows.length - Math.floor(rows.length / SHARED_OF)) return undefined;
  // Behind one such frame, a frame of the program is more likely the caller of all: main.
  if (again && samples.mappingOf(most)?.path === programOf(samples, most)) return undefined;
  const leaves = sharing.map(({ s }) => place[keptRow(samples, keep, s, 0)]);
  if (!hasSeveralFunctions(samples, leaves)) return undefined;
  let counted = 0;
  for (const { s, k } of sharing) {
    keep[k] = 0;
    counted += samples.stacks.count.data[s];
  }
  return { address: most, stacks: sharing.length, ofStacks: rows.length, samples: counted };
}

/** The program of the process: its file is the first that was mapped. An address outside of all mappings is in none. */
function programOf(samples: Samples, place: number): string | null {
  return programIn(samples.mappings[samples.partOf.data[place]] ?? []);
}

/** A call from one place calls one function: if that is all there is below, the frame may well be its caller. */
function hasSeveralFunctions(samples: Samples, leaves: readonly number[]): boolean {
  const functions = new Set<string>();
  for (const p of new Set(leaves)) {
    const name = samples.names[p]?.at(-1)?.name ?? samples.starts.get(p);
    // Without names nothing speaks against pprof's rule.
    if (name === undefined) return true;
    functions.add(`${samples.mappingOf(p)?.path} ${name}`);
  }
  return functions.size > 1;
}

/** Unwinding through a signal handler meets the interrupted place once more: it was the first frame already. */
function dropRepeatedFrames(samples: Samples, keep: Uint8Array): void {
  const [start, place] = [samples.stacks.start.data, samples.stacks.element.data];
  for (let s = 0; s < samples.stacks.rows; s++) {
    const first = keptRow(samples, keep, s, 0);
    const next = keptRow(samples, keep, s, 1);
    // Only if frames were dropped in between. The repeated frame is a caller, so its address is one less.
    if (first !== start[s] || next <= first + 1) continue;
    if (samples.address(place[next]) + 1n === samples.address(place[first])) keep[next] = 0;
  }
}
