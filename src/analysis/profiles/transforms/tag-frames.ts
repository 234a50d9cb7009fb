// Labels as frames, as with pprof's -tagroot and -tagleaf: every view then shows the cost of each value.
import { forEachInSlices } from '../../../base/slices.ts';
import { Groups, Numbering } from '../../../model/groups.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { leafRowsInSlices } from '../../../model/stacks/leaf-rows.ts';
import type { Frames } from '../../../model/stacks/tables.ts';
import { appendRows } from '../../../model/table.ts';
import { inlinedFrames } from '../../answers/stacks/inlined.ts';
import { labelsOf } from '../../answers/stacks/part-labels.ts';
import { tagKeys, valuesInSet } from '../../answers/stacks/tags.ts';
import { rootNames } from './call-graph-roots.ts';
import { RoutineDraft, routineWithoutFile } from './routine-draft.ts';
import { NO_ADDRESS } from './stack-draft.ts';
import { labelKeysIn } from './transform.ts';

/**
 * `where`: the frames of labels are the outermost or the innermost ones. `keys`: of labels, or `thread` and `part`, with commas between them;
 * each becomes a frame of every stack, the first one outermost.
 */
export function* addTagFrames(
  profile: ProfileOf<'stacks'>,
  where: 'tag-root' | 'tag-leaf',
  keys: string,
): Generator<undefined, ProfileOf<'stacks'>> {
  const list = labelKeysIn(keys);
  const { parts, stacks, frames } = profile;
  const of = labelsOf(profile);
  const known = new Set(of ? tagKeys(of) : []);
  // Threads have names, with what tells those of equal number apart.
  if (parts.some(({ thread }) => thread !== null)) known.delete('thread');
  // Stacks with the same labels and part get the same frames.
  const groups = Groups.groupBy(stacks.part.length, (s) => (of?.labels.set[s] ?? 0) * parts.length + stacks.part[s]);
  const ofParts = list.map((key) => rootNames(key, parts));
  const names = groups.first.map((s) =>
    list.map((key, k) =>
      of && known.has(key) ? frameName(key, valuesInSet(of, of.labels.set[s], key)) : ofParts[k][stacks.part[s]],
    ),
  );
  const first = frames.routine.length;
  const numbers = new Numbering<string>();
  // Frames are innermost first, as in stacks.
  const added = names.map((row) => Uint32Array.from(row, (name) => first + numbers.numberOf(name)).reverse());
  const draft = new RoutineDraft(profile);
  const routines = yield* draft.add(Array.from(numbers.keys(), routineWithoutFile));
  const each = list.length;
  const start = new Uint32Array(stacks.start.length);
  const frame = new Uint32Array(stacks.frame.length + each * stacks.part.length);
  yield* forEachInSlices(stacks.part.length, (s) => {
    const own = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]);
    const at = start[s];
    const more = added[groups.groupOf[s]];
    frame.set(where === 'tag-leaf' ? more : own, at);
    frame.set(where === 'tag-leaf' ? own : more, at + (where === 'tag-leaf' ? each : own.length));
    start[s + 1] = at + own.length + each;
  });
  const left = { ...stacks, start, frame };
  const inlined = inlinedFrames(profile, profile.granularity);
  const { inlined: _, ...own } = frames;
  const tagFrames = routines.map((routine) => ({ routine, file: -1, line: 0, inlined: 0 }));
  const next: Frames = appendRows({ ...own, ...(inlined ? { inlined } : {}) }, tagFrames);
  yield;
  // Each new frame gets its own address, so that none counts as inlined into another.
  const firstAddress = profile.places?.high.length ?? 0;
  const addresses = routines.map((_, i) => ({ ...NO_ADDRESS, ofFrame: firstAddress + i }));
  const places = profile.places && appendRows(profile.places, addresses);
  const { strings, routines: all } = draft.head;
  const rows = yield* leafRowsInSlices(left, next, places);
  return { ...profile, strings, routines: all, ...(places ? { places } : {}), frames: next, stacks: left, ...rows };
}

/** `worker=1`, several values as `worker=1,2`; `worker=?` for samples without one. */
const frameName = (key: string, values: readonly string[]): string => `${key}=${values.length === 0 ? '?' : values.join(',')}`;
