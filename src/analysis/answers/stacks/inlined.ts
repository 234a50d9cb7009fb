// Which frames are of functions that the compiler put into their callers: all of an address but the outermost.
import { memo } from '../../../base/memo.ts';
import type { StackSamples } from '../../../model/stacks/tables.ts';

/** By frame: 1 if it is inlined. Undefined if no frame is, if it is unknown, or if frames are not functions. */
export const inlinedFrames = memo(({ places, frames }: StackSamples, granularity: string | undefined): Uint8Array | undefined => {
  if (granularity !== undefined && granularity !== 'line') return undefined;
  // The frames of an address are neighbours, the innermost first.
  const byAddress = (of: Uint32Array) => Uint8Array.from(frames.routine, (_, f) => (of[f + 1] === of[f] ? 1 : 0));
  const out = frames.inlined ?? (places ? byAddress(places.ofFrame) : undefined);
  return out?.includes(1) ? out : undefined;
}, 4);

/** Rows that are inlined wherever they occur. */
export class InlinedRows {
  private readonly always: (0 | 1)[] = [];

  constructor(private readonly inlined: Uint8Array) {}

  add(row: number, frame: number): void {
    if (!this.inlined[frame]) this.always[row] = 0;
    else this.always[row] ??= 1;
  }

  done(rows: number): Uint8Array {
    return Uint8Array.from({ length: rows }, (_, row) => this.always[row] ?? 0);
  }
}
