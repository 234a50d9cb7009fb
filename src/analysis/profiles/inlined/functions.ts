// Finds the function of each frame in debug information: its recorded routine, if any, and the file of its recorded lines.
// Callgrind names a routine's first file, which may be that of inlined code.
// addr2line names the file of the compilation unit, even for functions that several units share.
import { getOrMake } from '../../../base/lists.ts';
import { forEachInSlices, type Sliced } from '../../../base/slices.ts';
import type { CodeFrames, Inlines } from '../../../model/code-frames.ts';
import { Groups } from '../../../model/column.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';

/** More than the number of names, files, functions, frames or routines. So a pair of numbers fits into one integer. */
export const KEY_BASE = 2 ** 26;

/** The frames of an object, and the function of each: frames of one name and file are one. */
export class ObjectFunctions {
  /** By frame: its function. */
  readonly function: Uint32Array;
  /** By frame: the first frame of the same function inlined into the same frame. */
  readonly firstOfCall: Int32Array;
  /** By frame: its outermost frame. */
  readonly root: Int32Array;
  /** By function: its first frame. */
  readonly firstFrame: readonly number[];

  constructor(readonly frames: CodeFrames) {
    const { parent, name, file } = frames;
    const functions = Groups.groupBy(parent.length, (f) => name[f] * KEY_BASE + file[f] + 1);
    this.function = functions.groupOf;
    this.firstFrame = functions.first;
    const calls = Groups.groupBy(parent.length, (f) => (parent[f] + 1) * KEY_BASE + this.function[f]);
    this.firstOfCall = Int32Array.from(calls.groupOf, (call) => calls.first[call]);
    this.root = new Int32Array(parent.length);
    for (let f = 0; f < parent.length; f++) this.root[f] = parent[f] < 0 ? f : this.root[parent[f]];
  }

  nameOf(of: number): string {
    return this.frames.texts[this.frames.name[this.firstFrame[of]]];
  }
}

export interface RecordedFunctions {
  readonly byObject: ReadonlyMap<number, ObjectFunctions>;
  /** The recorded routine of a function of an object; -1 if there is none. */
  routineOf(object: number, of: number): number;
  /** The file of a function: one of the profile's; undefined where none of its lines were recorded. */
  fileOf(object: number, of: number): number | undefined;
  /** By recorded routine: the file of its function, if known. */
  readonly ownFile: ReadonlyMap<number, number>;
}

/** The number of spans between pauses. */
const SPANS_PER_SLICE = 1 << 14;
/** Names of parts and levels of a function: `f [cold]`, `f'2`. */
const PART_SUFFIX = / \[cold\]|'\d{1,5}$/; // bounded: one match of a fixed length

/** Files tell functions of one name apart. Of several routines of a function, that with the shortest name is the one. Yields between slices of work. */
export function* findFunctions(profile: ProfileOf<'callgraph'>, inlines: Inlines): Sliced<RecordedFunctions> {
  const { spans, lines, routines, strings } = profile;
  const byObject = new Map(Array.from(inlines, ([object, frames]) => [object, new ObjectFunctions(frames)]));
  /** By object and function: how many places of its code were recorded in each file. */
  const filesOf = new Map<number, Map<number, number>>();
  const rootsOf = new Map<number, number>();
  const seen = new Map(Array.from(inlines, ([object, frames]) => [object, new Uint8Array(frames.parent.length)]));
  const visitSpan = (s: number) => {
    const r = spans.routine[s];
    const object = routines.object[r];
    const functions = byObject.get(object);
    const seenFrames = seen.get(object);
    if (!functions || !seenFrames) return;
    const { leafOf } = functions.frames;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const leaf = leafOf.get(spans.high[s] * 2 ** 32 + (lines.address?.[i] ?? 0));
      if (leaf === undefined) continue;
      if (seenFrames[leaf] === 0 && spans.file[s] >= 0 && lines.line[i] > 0) {
        seenFrames[leaf] = 1;
        const key = object * KEY_BASE + functions.function[leaf];
        const files = getOrMake(filesOf, key, () => new Map());
        files.set(spans.file[s], (files.get(spans.file[s]) ?? 0) + 1);
      }
      if (!rootsOf.has(r)) rootsOf.set(r, functions.function[functions.root[leaf]]);
    }
  };
  yield* forEachInSlices(spans.routine.length, visitSpan, SPANS_PER_SLICE);
  const fileOf = (object: number, of: number) => {
    const files = filesOf.get(object * KEY_BASE + of);
    return files && [...files].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  };
  const length = (r: number) => strings.start[routines.name[r] + 1] - strings.start[routines.name[r]];
  const nameOf = (object: number, of: number) => `${object}\n${byObject.get(object)?.nameOf(of)}`;
  const routineByFunction = new Map<string, number>();
  /** By name: the only routine; -1 for several. */
  const onlyRoutine = new Map<string, number>();
  const ownFile = new Map<number, number>();
  for (const [r, of] of rootsOf) {
    const object = routines.object[r];
    const file = fileOf(object, of);
    if (file !== undefined) ownFile.set(r, file);
    if (PART_SUFFIX.test(stringAt(strings, routines.name[r]))) continue;
    const name = nameOf(object, of);
    const key = `${name}\n${file ?? ''}`;
    const before = routineByFunction.get(key);
    if (before === undefined || length(r) < length(before)) routineByFunction.set(key, r);
    const other = onlyRoutine.get(name);
    onlyRoutine.set(name, other === undefined || other === before ? (routineByFunction.get(key) ?? r) : -1);
  }
  return {
    byObject,
    routineOf(object, of) {
      const name = nameOf(object, of);
      return routineByFunction.get(`${name}\n${fileOf(object, of) ?? ''}`) ?? onlyRoutine.get(name) ?? -1;
    },
    fileOf,
    ownFile,
  };
}
