// Which recorded routine a function of the debug information is, where it was not inlined.
import { eachInSlices } from '../../../base/slices.ts';
import type { CodeFrames, Inlines } from '../../../model/code-frames.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';

/** Spans between pauses. */
const SLICE = 1 << 14;

/** Finds the recorded routine of a frame's function; -1 if there is none. */
export type Homes = (object: number, frames: CodeFrames, frame: number) => number;

/** Names of parts and levels of a function: `f [clone .cold]`, `f.part.0`, `f'2`. */
const PART = / \[clone |\.(?:part|isra|constprop|cold|lto_priv)\b|'\d+$/;

/**
 * A function is the routine whose code the debug information gives to it, unless that is only a part of it by its name. Of several, it is the
 * one with the shortest name. Files tell functions of one name apart.
 */
export function* homesOf(
  { spans, lines, routines, strings }: ProfileOf<'callgraph'>,
  inlines: Inlines,
): Generator<undefined, Homes> {
  const homes = new Map<string, number>();
  const length = (r: number) => strings.start[routines.name[r] + 1] - strings.start[routines.name[r]];
  /** By innermost frame of each object: the routine that it was last met in. */
  const met = new Map<CodeFrames, Int32Array>();
  const look = (s: number) => {
    const r = spans.routine[s];
    const object = routines.object[r];
    const frames = inlines.get(object);
    if (!frames) return;
    let last = met.get(frames);
    if (!last) met.set(frames, (last = new Int32Array(frames.parent.length).fill(-1)));
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const leaf = frames.leafOf.get(spans.high[s] * 2 ** 32 + (lines.address?.[i] ?? 0));
      if (leaf === undefined || last[leaf] === r) continue;
      last[leaf] = r;
      let root = leaf;
      while (frames.parent.data[root] >= 0) root = frames.parent.data[root];
      const key = keyOf(object, frames, root);
      const known = homes.get(key);
      if (known === undefined || length(r) < length(known)) homes.set(key, r);
    }
  };
  yield* eachInSlices(spans.routine.length, look, SLICE);
  const byName = new Map<string, number>();
  for (const [key, r] of homes) {
    if (PART.test(stringAt(strings, routines.name[r]))) {
      homes.delete(key);
      continue;
    }
    const name = key.slice(0, key.lastIndexOf('\n'));
    byName.set(name, byName.has(name) ? -1 : r);
  }
  return (object, frames, frame) => {
    const key = keyOf(object, frames, frame);
    return homes.get(key) ?? byName.get(key.slice(0, key.lastIndexOf('\n'))) ?? -1;
  };
}

/** The object, name and file of a function, a line each. */
const keyOf = (object: number, { name, file, texts }: CodeFrames, frame: number): string =>
  `${object}\n${texts[name.data[frame]]}\n${texts[file.data[frame]] ?? ''}`;
