// Stacks while transforms are applied: frames and stacks only ever leave, so each transform writes over what it has read.
import { copiedTo, inSlices, SLICE } from '../../../base/slices.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { leafRowsInSlices } from '../../../model/stacks/leaf-rows.ts';
import type { Frames, Places, Stacks } from '../../../model/stacks/tables.ts';
import type { SampleTimes } from '../../../model/stacks/times.ts';
import { picked, pickedRows, pickRows, placesOf, rowsOf, withRows } from '../../../model/table.ts';
import { inlinedFrames } from '../../answers/stacks/inlined.ts';
import { RoutineDraft } from './routine-draft.ts';

/** A place without an address. */
export const NOWHERE = { high: 0, low: 0, object: -1, ownHigh: 0, ownLow: 0, named: 1 };

/** Writes what it keeps of the frames [from, to) of a stack from `at` on (at <= from), and returns where that ends: `at` drops the stack. `origin`: the stack's number in the profile. */
export type Rule = (from: number, to: number, at: number, origin: number) => number;

export class StackDraft {
  /** Frames of the stacks that are left, the innermost first. */
  readonly frame: Uint32Array;
  /** The routine of each frame; the last one is for stacks of which nothing else is left. */
  readonly routine: Uint32Array;
  /** 1 for frames that are inlined; absent where none is. */
  readonly inlined: Uint8Array | undefined;
  readonly routines: RoutineDraft;
  private readonly profile: ProfileOf<'stacks'>;
  private readonly start: Uint32Array;
  /** Which stack of the profile each of those left is. */
  private readonly origin: Uint32Array;
  private count: number;

  private constructor(profile: ProfileOf<'stacks'>) {
    const { stacks, frames } = profile;
    const most = frames.routine.length + 1;
    this.profile = profile;
    this.routines = new RoutineDraft(profile);
    this.count = stacks.part.length;
    this.start = new Uint32Array(stacks.start.length);
    this.frame = new Uint32Array(stacks.frame.length);
    this.origin = new Uint32Array(this.count);
    this.routine = new Uint32Array(most);
    this.routine.set(frames.routine);
    const inlined = inlinedFrames(profile, profile.grain);
    if (inlined) {
      this.inlined = new Uint8Array(most);
      this.inlined.set(inlined);
    }
  }

  /** The stacks as they are. */
  static *of(profile: ProfileOf<'stacks'>): Generator<undefined, StackDraft> {
    const draft = new StackDraft(profile);
    const { start, frame, origin } = draft;
    yield* copiedTo(start, profile.stacks.start);
    yield* copiedTo(frame, profile.stacks.frame);
    yield* inSlices(origin.length, (from, to) => {
      for (let s = from; s < to; s++) origin[s] = s;
    });
    return draft;
  }

  /** The frame of stacks of which nothing else is left: it has no file, line or place. */
  get outside(): number {
    return this.routine.length - 1;
  }

  /** Applies a rule to every stack; `origin` is which stack of the profile it was. Yields between slices of work. */
  *each(rule: Rule): Generator<undefined, void> {
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
      if (from - paused < SLICE) continue;
      paused = from;
      yield;
    }
    this.count = left;
  }

  /** The profile of what is left, with the frames and routines that occur in it. Yields between slices of work. */
  *finish(): Generator<undefined, ProfileOf<'stacks'>> {
    const { profile, origin, count } = this;
    const start = yield* copiedTo(new Uint32Array(count + 1), this.start, count + 1);
    const frame = yield* copiedTo(new Uint32Array(start[count]), this.frame, start[count]);
    const kept = yield* renumbered(frame, this.routine.length);
    const { part, costs } = profile.stacks;
    const stacks: Stacks = { start, frame, ...(yield* pickedRows({ part, costs }, origin, count)) };
    const routine = yield* picked(this.routine, kept);
    const used = yield* renumbered(routine, this.routines.count);
    const frames = this.framesOf(kept, routine);
    yield;
    const places = this.placesOf(kept);
    yield;
    const rows = yield* leafRowsInSlices(stacks, frames, places);
    const { strings, routines } = this.routines.head;
    const labels = profile.labels && { ...profile.labels, set: yield* picked(profile.labels.set, origin, count) };
    return {
      ...profile,
      strings,
      routines: pickRows(routines, used),
      ...(places ? { places } : {}),
      frames,
      stacks,
      ...rows,
      ...(labels ? { labels } : {}),
      ...(profile.times ? { times: yield* timesOf(profile.times, profile.stacks.part.length, origin, count) } : {}),
    };
  }

  private framesOf(was: Uint32Array, routine: Uint32Array): Frames {
    const { file, line } = this.profile.frames;
    const all = withRows({ file, line }, [{ file: -1, line: 0 }]);
    return { ...pickRows({ ...all, ...(this.inlined ? { inlined: this.inlined } : {}) }, was), routine };
  }

  /** All places, and one without an address if some stacks lie outside. */
  private placesOf(was: Uint32Array): Places | undefined {
    const { places } = this.profile;
    if (!places) return undefined;
    const { ofFrame, ...own } = places;
    const nowhere = places.high.length;
    const { outside } = this;
    const all = was.at(-1) === outside ? withRows(own, [NOWHERE]) : own;
    return { ...all, ofFrame: was.map((f) => (f === outside ? nowhere : ofFrame[f])) };
  }
}

/** The samples of the stacks that are left. `origin`: which of the `stacks` stacks each of those `count` was. */
function* timesOf(times: SampleTimes, stacks: number, origin: Uint32Array, count: number): Generator<undefined, SampleTimes> {
  const now = new Int32Array(stacks).fill(-1);
  for (let s = 0; s < count; s++) now[origin[s]] = s;
  const { counted, ...columns } = times;
  const rows = yield* rowsOf(Uint8Array.from(times.stack, (s) => (now[s] < 0 ? 0 : 1)));
  const kept = yield* pickedRows(columns, rows);
  return { ...kept, stack: kept.stack.map((s) => now[s]), counted };
}

/** Numbers below `most` become dense, in their order; returns what each was. */
function* renumbered(numbers: Uint32Array, most: number): Generator<undefined, Uint32Array> {
  const used = new Uint8Array(most);
  yield* inSlices(numbers.length, (from, to) => {
    for (let i = from; i < to; i++) used[numbers[i]] = 1;
  });
  const was = yield* rowsOf(used);
  const now = placesOf(new Uint32Array(most), was);
  yield* inSlices(numbers.length, (from, to) => {
    for (let i = from; i < to; i++) numbers[i] = now[numbers[i]];
  });
  return was;
}
