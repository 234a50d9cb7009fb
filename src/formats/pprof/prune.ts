// drop_frames and keep_frames: what the writer of a profile asks tools to leave out, such as the frames of an allocator below malloc.
// As pprof does it (profile/prune.go, RemoveUninteresting): from the outermost frame inwards, the first frame that is to be dropped goes
// with all that it called; but frames in front of the first one that stays are kept, lest nothing be left.
import { withoutArguments } from '../../base/plain-name.ts';
import type { NamedFrame, Samples } from '../../model/stacks/samples.ts';

/** The frames of a place to drop: nothing, all of it, or what was inlined from some frame on. */
const NOTHING = 0;
const ALL = 1;
const INLINED = 2;

/**
 * Sets samples.shown, and cuts inlined frames off places. `first`: the row of stacks.place where the file's stacks begin; places are
 * those from `place` on. Returns how many frames were left out.
 */
export function dropFrames(samples: Samples, place: number, first: number, drops: (name: string) => boolean): number {
  const { stacks, names } = samples;
  const fate = new Uint8Array(samples.places.count);
  for (let p = place; p < fate.length; p++) {
    const list = names[p];
    const at = list ? lastDropped(list, drops) : -1;
    if (!list || at < 0) continue;
    fate[p] = at === list.length - 1 ? ALL : INLINED;
    if (fate[p] === INLINED) names[p] = list.slice(at + 1);
  }
  if (fate.every((f) => f === NOTHING)) return 0;
  const keep = new Uint8Array(stacks.place.length).fill(1);
  if (samples.shown) keep.set(samples.shown);
  let dropped = 0;
  for (let s = first; s < stacks.rows; s++) {
    const [from, to] = [stacks.start.data[s], stacks.start.data[s + 1]];
    let k = to - 1;
    // In front of the first frame that stays.
    while (k >= from && fate[stacks.place.data[k]] !== NOTHING) k--;
    while (k >= from && fate[stacks.place.data[k]] === NOTHING) k--;
    if (k < from) continue;
    const end = fate[stacks.place.data[k]] === ALL ? k + 1 : k;
    for (let i = from; i < end; i++) keep[i] = 0;
    dropped += end - from;
  }
  samples.shown = keep;
  return dropped;
}

/** The outermost frame that is to be dropped; -1 if none is. */
function lastDropped(list: readonly NamedFrame[], drops: (name: string) => boolean): number {
  for (let i = list.length - 1; i >= 0; i--) if (drops(withoutArguments(list[i].name))) return i;
  return -1;
}
