// drop_frames and keep_frames: what the writer of a profile asks tools to leave out, such as the frames of an allocator below malloc.
// As pprof does it (profile/prune.go, RemoveUninteresting): from the outermost frame inwards, the first frame that is to be dropped goes
// with all that it called; but frames in front of the first one that stays are kept, lest nothing be left.
import { withoutArguments } from '../../base/plain-name.ts';
import type { NamedFrame, Samples } from '../../model/stacks/samples.ts';

/** Values for the part of an address to drop: nothing, all its frames, or only some inlined frames. */
const NOTHING = 0;
const ALL = 1;
const INLINED = 2;

/**
 * Sets samples.shown, and cuts inlined frames off places. `first`: the row of stacks.place where the file's stacks begin; places are
 * those from `place` on. Returns how many frames were left out.
 */
export function dropFrames(samples: Samples, place: number, first: number, isDropped: (name: string) => boolean): number {
  const { stacks, names } = samples;
  const dropOf = new Uint8Array(samples.addresses.count);
  for (let p = place; p < dropOf.length; p++) {
    const list = names[p];
    const at = list ? outermostDropped(list, isDropped) : -1;
    if (!list || at < 0) continue;
    dropOf[p] = at === list.length - 1 ? ALL : INLINED;
    if (dropOf[p] === INLINED) names[p] = list.slice(at + 1);
  }
  if (dropOf.every((f) => f === NOTHING)) return 0;
  const keep = new Uint8Array(stacks.element.length).fill(1);
  if (samples.keep) keep.set(samples.keep);
  let dropped = 0;
  for (let s = first; s < stacks.rows; s++) {
    const [from, to] = [stacks.start.data[s], stacks.start.data[s + 1]];
    let k = to - 1;
    // Skip the outermost frames up to the first one that is kept; then find the next one to drop.
    while (k >= from && dropOf[stacks.element.data[k]] !== NOTHING) k--;
    while (k >= from && dropOf[stacks.element.data[k]] === NOTHING) k--;
    if (k < from) continue;
    const end = dropOf[stacks.element.data[k]] === ALL ? k + 1 : k;
    for (let i = from; i < end; i++) keep[i] = 0;
    dropped += end - from;
  }
  samples.keep = keep;
  return dropped;
}

/** Index of the outermost frame to drop; -1 if there is none. */
function outermostDropped(list: readonly NamedFrame[], isDropped: (name: string) => boolean): number {
  for (let i = list.length - 1; i >= 0; i--) if (isDropped(withoutArguments(list[i].name))) return i;
  return -1;
}
