// Stacks while transforms are applied. Frames and stacks are only removed, so each transform overwrites its input.
import { copyInSlices, fillInSlices, ROWS_PER_SLICE, runInSlices, type Sliced } from '../../../base/slices.ts';
import { appendRows, invertRows, pickColumnInSlices, pickRows, pickRowsInSlices, selectedRows } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { leafRowsInSlices } from '../../../model/stacks/leaf-rows.ts';
import type { CodeAddresses, Frames, Stacks } from '../../../model/stacks/tables.ts';
import type { SampleTimes } from '../../../model/stacks/times.ts';
import { inlinedFrames } from '../../answers/stacks/inlined.ts';
import { RoutineDraft } from './routine-draft.ts';

/** A code address that stands for none. */
export const NO_ADDRESS = { high: 0, low: 0, object: -1, ownHigh: 0, ownLow: 0, named: 1 };

/** A rule writes the frames of [from, to) that it keeps to `at`, and returns their end. Returning `at` drops the stack. */
export type StackRule = (from: number, to: number, at: number, origin: number) => number;

export class StackDraft {
  /** Frames of the stacks that are left, the innermost first. */
  readonly frame: Uint32Array;
  /** The routine of each frame. The last entry is the frame of stacks that lost all frames. */
  readonly routine: Uint32Array;
  /** 1 for frames that are inlined; absent where none is. */
  readonly inlined: Uint8Array | undefined;
  readonly routines: RoutineDraft;
  private readonly start: Uint32Array;
  /** By remaining stack: its number in the profile. */
  private readonly origin: Uint32Array;
  private count: number;

  private constructor(private readonly profile: ProfileOf<'stacks'>) {
    const { stacks, frames } = profile;
    const most = frames.routine.length + 1;
    this.routines = new RoutineDraft(profile);
    this.count = stacks.part.length;
    this.start = new Uint32Array(stacks.start.length);
    this.frame = new Uint32Array(stacks.frame.length);
    this.origin = new Uint32Array(this.count);
    this.routine = new Uint32Array(most);
    this.routine.set(frames.routine);
    const inlined = inlinedFrames(profile, profile.granularity);
    if (inlined) {
      this.inlined = new Uint8Array(most);
      this.inlined.set(inlined);
    }
  }

  static *fromProfile(profile: ProfileOf<'stacks'>): Sliced<StackDraft> {
    const draft = new StackDraft(profile);
    const { start, frame, origin } = draft;
    yield* copyInSlices(start, profile.stacks.start);
    yield* copyInSlices(frame, profile.stacks.frame);
    yield* fillInSlices(origin, (s) => s);
    return draft;
  }

  /** The frame of stacks that lost all their frames. It has no file, line or address. */
  get outsideFrame(): number {
    return this.routine.length - 1;
  }

  /** Applies a rule to every stack. `origin`: the stack's number in the profile. Yields between slices of work. */
  *applyRule(rule: StackRule): Sliced<void> {
    const { start, origin, count } = this;
    let left = 0;
    let at = 0;
    let from = 0;
    for (let s = 0, paused = 0; s < count; s++) {
      const to = start[s + 1];
      const end = rule(from, to, at, origin[s]);
      if (end > at) {
        origin[left++] = origin[s];
        start[left] = at = end;
      }
      from = to;
      if (from - paused < ROWS_PER_SLICE) continue;
      paused = from;
      yield;
    }
    this.count = left;
  }

  /** The profile of the remaining stacks, with only the frames and routines that occur. Yields between slices of work. */
  *finish(): Sliced<ProfileOf<'stacks'>> {
    const { profile, origin, count } = this;
    const start = yield* copyInSlices(new Uint32Array(count + 1), this.start, count + 1);
    const frame = yield* copyInSlices(new Uint32Array(start[count]), this.frame, start[count]);
    const kept = yield* renumberDensely(frame, this.routine.length);
    const { part, costs } = profile.stacks;
    const stacks: Stacks = { start, frame, ...(yield* pickRowsInSlices({ part, costs }, origin, count)) };
    const routine = yield* pickColumnInSlices(this.routine, kept);
    const used = yield* renumberDensely(routine, this.routines.count);
    const frames = this.framesOf(kept, routine);
    yield;
    const places = this.addressesOf(kept);
    yield;
    const rows = yield* leafRowsInSlices(stacks, frames, places);
    const { strings, routines } = this.routines.head;
    const labels = profile.labels && { ...profile.labels, set: yield* pickColumnInSlices(profile.labels.set, origin, count) };
    return {
      ...profile,
      strings,
      routines: pickRows(routines, used),
      ...(places ? { places } : {}),
      frames,
      stacks,
      ...rows,
      ...(labels ? { labels } : {}),
      ...(profile.times ? { times: yield* remainingTimes(profile.times, profile.stacks.part.length, origin, count) } : {}),
    };
  }

  private framesOf(was: Uint32Array, routine: Uint32Array): Frames {
    const { file, line } = this.profile.frames;
    const all = appendRows({ file, line }, [{ file: -1, line: 0 }]);
    return { ...pickRows({ ...all, ...(this.inlined ? { inlined: this.inlined } : {}) }, was), routine };
  }

  /** All addresses, and one empty address if some stacks have only the outside frame. */
  private addressesOf(was: Uint32Array): CodeAddresses | undefined {
    const { places } = this.profile;
    if (!places) return undefined;
    const { ofFrame, ...own } = places;
    const noAddress = places.high.length;
    const { outsideFrame } = this;
    const all = was.at(-1) === outsideFrame ? appendRows(own, [NO_ADDRESS]) : own;
    return { ...all, ofFrame: was.map((f) => (f === outsideFrame ? noAddress : ofFrame[f])) };
  }
}

/** The samples of the remaining stacks. `origin`: by remaining stack, its number among the `stacks` original ones. */
function* remainingTimes(times: SampleTimes, stacks: number, origin: Uint32Array, count: number) {
  const now = invertRows(new Int32Array(stacks).fill(-1), origin.subarray(0, count));
  const { counted, ...columns } = times;
  const rows = yield* selectedRows(Uint8Array.from(times.stack, (s) => (now[s] < 0 ? 0 : 1)));
  const kept = yield* pickRowsInSlices(columns, rows);
  return { ...kept, stack: kept.stack.map((s) => now[s]), counted };
}

/** Renumbers numbers below `most` densely, in order. Returns the old number of each new one. */
function* renumberDensely(numbers: Uint32Array, most: number): Sliced<Uint32Array> {
  const used = new Uint8Array(most);
  yield* runInSlices(numbers.length, (from, to) => {
    for (let i = from; i < to; i++) used[numbers[i]] = 1;
  });
  const was = yield* selectedRows(used);
  const now = invertRows(new Uint32Array(most), was);
  yield* fillInSlices(numbers, (i) => now[numbers[i]]);
  return was;
}
