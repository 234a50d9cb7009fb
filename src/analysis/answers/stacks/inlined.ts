// Which frames are of functions that the compiler put into their callers: all of an address but the outermost.
import { memo } from '../../../base/lists.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import type { StackSamples } from '../../../model/stacks/tables.ts';

/** By frame: 1 if it is inlined. Undefined if no frame is, if it is unknown, or if frames are not functions. */
export const inlinedFrames = memo(({ places, frames }: StackSamples, granularity: string | undefined): Uint8Array | undefined => {
  if (granularity !== undefined && granularity !== 'line') return undefined;
  // The frames of an address are neighbours, the innermost first.
  const byAddress = (of: Uint32Array) => Uint8Array.from(frames.routine, (_, f) => (of[f + 1] === of[f] ? 1 : 0));
  const out = frames.inlined ?? (places ? byAddress(places.ofFrame) : undefined);
  return out?.includes(1) ? out : undefined;
}, 4);

/** Finds the rows that are inlined wherever they occur. Undefined if no frame is inlined. */
export function inlinedRowFinder(profile: ProfileOf<'stacks'>) {
  const inlined = inlinedFrames(profile, profile.granularity);
  if (!inlined) return undefined;
  const always: (0 | 1)[] = [];
  return {
    add(row: number, frame: number): void {
      if (!inlined[frame]) always[row] = 0;
      else always[row] ??= 1;
    },
    done: (rows: number) => Uint8Array.from({ length: rows }, (_, row) => always[row] ?? 0),
  };
}
