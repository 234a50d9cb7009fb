// Stacks while transforms are applied: frames and stacks only ever leave, so each transform writes over what it has read.
import type { ProfileOf } from '../../model/profile.ts';
import type { Frames, Places, Stacks } from '../../model/stacks/tables.ts';
import { leafRows } from '../../model/stacks/writer.ts';
import { inlinedFrames } from '../stacks/inlined.ts';
import { extended, RoutineDraft } from './routine-draft.ts';

/** Frames between pauses: some milliseconds of work. */
const SLICE = 1 << 19;

/** Writes what it keeps of the frames [from, to) of a stack from `at` on (at <= from), and returns where that ends: `at` drops the stack. */
export type Rule = (from: number, to: number, at: number) => number;

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

  constructor(profile: ProfileOf<'stacks'>) {
    const { stacks, frames } = profile;
    const most = frames.routine.length + 1;
    this.profile = profile;
    this.routines = new RoutineDraft(profile);
    this.count = stacks.part.length;
    this.start = stacks.start.slice();
    this.frame = stacks.frame.slice();
    this.origin = new Uint32Array(this.count);
    for (let s = 0; s < this.count; s++) this.origin[s] = s;
    this.routine = new Uint32Array(most);
    this.routine.set(frames.routine);
    const inlined = inlinedFrames(profile, profile.grain);
    if (inlined) {
      this.inlined = new Uint8Array(most);
      this.inlined.set(inlined);
    }
  }

  /** The frame of stacks of which nothing else is left: it has no file, line or place. */
  get outside(): number {
    return this.routine.length - 1;
  }

  /** Applies a rule to every stack. Yields between slices of work. */
  *each(rule: Rule): Generator<undefined, void> {
    const { start, origin, count } = this;
    let left = 0;
    let at = 0;
    let from = 0;
    for (let s = 0, paused = 0; s < count; s++) {
      const to = start[s + 1];
      const end = rule(from, to, at);
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

  /** The profile of what is left, with the frames and routines that occur in it. */
  *finish(): Generator<undefined, ProfileOf<'stacks'>> {
    const { profile, origin, count } = this;
    const start = this.start.slice(0, count + 1);
    const frame = this.frame.slice(0, start[count]);
    const kept = numbered(frame, this.routine.length);
    yield;
    renumber(frame, kept.now);
    yield;
    const old = profile.stacks;
    const costs = old.costs.map((column) => picked(column, origin, count));
    const part = new Uint32Array(count);
    for (let s = 0; s < count; s++) part[s] = old.part[origin[s]];
    const stacks: Stacks = { start, frame, part, costs };
    yield;
    const routine = kept.was.map((f) => this.routine[f]);
    const used = numbered(routine, this.routines.count);
    renumber(routine, used.now);
    const frames = this.framesOf(kept.was, routine);
    const places = this.placesOf(kept.was);
    const rows = leafRows(stacks, frames, places);
    const { strings, routines } = this.routines.compacted(used.was);
    return { ...profile, strings, routines, ...(places ? { places } : {}), frames, stacks, ...rows };
  }

  private framesOf(was: Uint32Array, routine: Uint32Array): Frames {
    const { frames } = this.profile;
    const { inlined, outside } = this;
    return {
      routine,
      file: Int32Array.from(was, (f) => (f === outside ? -1 : frames.file[f])),
      line: Uint32Array.from(was, (f) => (f === outside ? 0 : frames.line[f])),
      ...(inlined ? { inlined: Uint8Array.from(was, (f) => inlined[f]) } : {}),
    };
  }

  /** All places, and one without an address if some stacks lie outside. */
  private placesOf(was: Uint32Array): Places | undefined {
    const { places } = this.profile;
    if (!places) return undefined;
    const { ofFrame } = places;
    const nowhere = places.high.length;
    const { outside } = this;
    if (was.at(-1) !== outside) return { ...places, ofFrame: was.map((f) => ofFrame[f]) };
    return {
      high: extended(places.high, [0]),
      low: extended(places.low, [0]),
      object: extended(places.object, [-1]),
      ownHigh: extended(places.ownHigh, [0]),
      ownLow: extended(places.ownLow, [0]),
      named: extended(places.named, [1]),
      ofFrame: was.map((f) => (f === outside ? nowhere : ofFrame[f])),
    };
  }
}

/** The numbers that occur, in ascending order: what each was, and what it is now. */
function numbered(numbers: Uint32Array, most: number): { readonly was: Uint32Array; readonly now: Uint32Array } {
  const now = new Uint32Array(most);
  for (let i = 0; i < numbers.length; i++) now[numbers[i]] = 1;
  let count = 0;
  for (let k = 0; k < most; k++) count += now[k];
  const was = new Uint32Array(count);
  for (let k = 0, next = 0; k < most; k++) {
    if (now[k] === 0) continue;
    was[next] = k;
    now[k] = next++;
  }
  return { was, now };
}

function renumber(numbers: Uint32Array, now: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) numbers[i] = now[numbers[i]];
}

function picked(column: Uint32Array | Float64Array, rows: Uint32Array, count: number): Uint32Array | Float64Array {
  const out = column instanceof Float64Array ? new Float64Array(count) : new Uint32Array(count);
  for (let i = 0; i < count; i++) out[i] = column[rows[i]];
  return out;
}
