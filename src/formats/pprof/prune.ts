// Applies drop_frames and keep_frames, by which a profile's writer hides frames, such as those of an allocator below malloc.
// As in pprof (profile/prune.go, RemoveUninteresting), the outermost matching frame is dropped with all frames that it called.
// Matching frames outside the outermost frame without a match are kept, so that no stack becomes empty.
import { withoutArguments } from '../../base/text.ts';
import type { Samples } from '../../model/stacks/samples.ts';

/** Values for the part of an address to drop: nothing, all its frames, or only some inlined frames. */
const DROP_NOTHING = 0;
const DROP_ALL = 1;
const DROP_INLINED = 2;

/** Sets samples.keep and removes inlined frames, for addresses from `place` and stacks from `first` on. Returns a frame count. */
export function dropFrames(samples: Samples, place: number, first: number, isDropped: (name: string) => boolean): number {
  const { stacks, names } = samples;
  const dropOf = new Uint8Array(samples.addresses.size);
  for (let p = place; p < dropOf.length; p++) {
    const list = names[p];
    const at = list ? list.findLastIndex((frame) => isDropped(withoutArguments(frame.name))) : -1;
    if (!list || at < 0) continue;
    dropOf[p] = at === list.length - 1 ? DROP_ALL : DROP_INLINED;
    if (dropOf[p] === DROP_INLINED) names[p] = list.slice(at + 1);
  }
  if (dropOf.every((f) => f === DROP_NOTHING)) return 0;
  const keep = new Uint8Array(stacks.element.length).fill(1);
  if (samples.keep) keep.set(samples.keep);
  let dropped = 0;
  for (let s = first; s < stacks.rows; s++) {
    const [from, to] = [stacks.start.data[s], stacks.start.data[s + 1]];
    let k = to - 1;
    // Skip the outermost frames that match, up to the first one that is kept; then find the next frame to drop.
    while (k >= from && dropOf[stacks.element.data[k]] !== DROP_NOTHING) k--;
    while (k >= from && dropOf[stacks.element.data[k]] === DROP_NOTHING) k--;
    if (k < from) continue;
    const end = dropOf[stacks.element.data[k]] === DROP_ALL ? k + 1 : k;
    for (let i = from; i < end; i++) keep[i] = 0;
    dropped += end - from;
  }
  samples.keep = keep;
  return dropped;
}
