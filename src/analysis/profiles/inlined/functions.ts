// Which function a frame of the debug information is: the routine that was recorded for it, where it has code of its own, and the file that
// its lines were recorded in. Callgrind names a routine's first file, which may be that of inlined code; addr2line names the file of
// the unit for functions that several units share.
import { eachInSlices } from '../../../base/slices.ts';
import type { CodeFrames, Inlines } from '../../../model/code-frames.ts';
import { Numbering } from '../../../model/groups.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';

export interface Functions {
  /** The recorded routine of a frame's function; -1 if there is none. */
  routineOf(object: number, frames: CodeFrames, frame: number): number;
  /** The file of a frame's function: one of the profile's; undefined where none of its lines were recorded. */
  fileOf(object: number, frames: CodeFrames, frame: number): number | undefined;
  /** By recorded routine, the file of its function, where that is known. */
  readonly ownFile: ReadonlyMap<number, number>;
}

/** Spans between pauses. */
const SLICE = 1 << 14;
/** Names of parts and levels of a function: `f [clone .cold]`, `f.part.0`, `f'2`. */
const PART = / \[clone |\.(?:part|isra|constprop|cold|lto_priv)\b|'\d+$/;

/** Files tell functions of one name apart. Of several routines of a function, that with the shortest name is the one. Yields between slices of work. */
export function* functionsOf(
  { spans, lines, routines, strings }: ProfileOf<'callgraph'>,
  inlines: Inlines,
): Generator<undefined, Functions> {
  /** By function, as the tool names it: how many places of its code were recorded in each file. */
  const filesOf = new Map<string, Map<number, number>>();
  const rootsOf = new Map<number, string>();
  const met = new Map<CodeFrames, Uint8Array>();
  const look = (s: number) => {
    const r = spans.routine[s];
    const object = routines.object[r];
    const frames = inlines.get(object);
    if (!frames) return;
    let seen = met.get(frames);
    if (!seen) met.set(frames, (seen = new Uint8Array(frames.parent.length)));
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const leaf = frames.leafOf.get(spans.high[s] * 2 ** 32 + (lines.address?.[i] ?? 0));
      if (leaf === undefined) continue;
      if (seen[leaf] === 0 && spans.file[s] >= 0 && lines.line[i] > 0) {
        seen[leaf] = 1;
        const key = keyOf(object, frames, leaf);
        const files = filesOf.get(key) ?? new Map<number, number>();
        filesOf.set(key, files.set(spans.file[s], (files.get(spans.file[s]) ?? 0) + 1));
      }
      if (rootsOf.has(r)) continue;
      let root = leaf;
      while (frames.parent.data[root] >= 0) root = frames.parent.data[root];
      rootsOf.set(r, keyOf(object, frames, root));
    }
  };
  yield* eachInSlices(spans.routine.length, look, SLICE);
  const fileOf = new Map<string, number>();
  for (const [key, files] of filesOf) fileOf.set(key, [...files].reduce((a, b) => (b[1] > a[1] ? b : a))[0]);
  const length = (r: number) => strings.start[routines.name[r] + 1] - strings.start[routines.name[r]];
  const homes = new Map<string, number>();
  const alone = new Map<string, number>();
  const ownFile = new Map<number, number>();
  const known = new Numbering<string>();
  const identity = (key: string) => `${nameIn(key)}\n${fileOf.get(key) ?? ''}`;
  for (const [r, key] of rootsOf) {
    const file = fileOf.get(key);
    if (file !== undefined) ownFile.set(r, file);
    if (PART.test(stringAt(strings, routines.name[r]))) continue;
    const of = identity(key);
    const before = homes.get(of);
    if (before === undefined || length(r) < length(before)) homes.set(of, r);
    known.of(of);
  }
  for (const of of known.keys()) alone.set(nameIn(of), alone.has(nameIn(of)) ? -1 : (homes.get(of) ?? -1));
  return {
    routineOf: (object, frames, frame) => {
      const key = keyOf(object, frames, frame);
      return homes.get(identity(key)) ?? alone.get(nameIn(key)) ?? -1;
    },
    fileOf: (object, frames, frame) => fileOf.get(keyOf(object, frames, frame)),
    ownFile,
  };
}

/** The object, name and file of a function, a line each. */
const keyOf = (object: number, { name, file, texts }: CodeFrames, frame: number): string =>
  `${object}\n${texts[name.data[frame]]}\n${texts[file.data[frame]] ?? ''}`;

/** The object and name of such a key. */
const nameIn = (key: string): string => key.slice(0, key.lastIndexOf('\n'));
