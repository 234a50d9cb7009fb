// Splits routines by the labels of samples, such as the command or the CPU: each combination of values has routines of its own, with exact
// self and inclusive costs.
import { Groups } from '../../../model/groups.ts';
import { PairTable } from '../../../model/pairs.ts';
import type { ProfileOf } from '../../../model/profile.ts';
import { leafRows } from '../../../model/stacks/leaf-rows.ts';
import { appendValues, pickColumn, pickRows } from '../../../model/table.ts';
import { inlinedFrames } from '../../answers/stacks/inlined.ts';
import { labelsOf } from '../../answers/stacks/part-labels.ts';
import { valuesInSet } from '../../answers/stacks/tags.ts';

/** The text for samples that lack a label. */
const NO_VALUE = '(without it)';

/** The split profile, and the value of a label for each of its routines. `keys`: of labels. */
export function splitByLabels(profile: ProfileOf<'stacks'>, keys: readonly string[]) {
  const { stacks, frames, places, routines } = profile;
  const of = labelsOf(profile);
  const n = routines.name.length;
  const sets = of ? of.labels.start.length - 1 : 1;
  const valuesOf = (set: number) => keys.map((key) => (of && valuesInSet(of, set, key).join(',')) || NO_VALUE);
  const groups = Groups.groupBy(sets, (set) => JSON.stringify(valuesOf(set)));
  const values = groups.first.map(valuesOf);
  const framesOf = new PairTable(Uint32Array);
  const routinesOf = new PairTable(Uint32Array);
  const frame = new Uint32Array(stacks.frame.length);
  for (let s = 0; s < stacks.part.length; s++) {
    const group = groups.groupOf[of ? of.labels.set[s] : 0];
    for (let k = stacks.start[s]; k < stacks.start[s + 1]; k++) frame[k] = framesOf.numberOf(group, stacks.frame[k]);
  }
  const [groupOfFrame, oldFrame] = [framesOf.first.done(), framesOf.second.done()];
  const routine = oldFrame.map((f, i) => n + routinesOf.numberOf(groupOfFrame[i], frames.routine[f]));
  const inlined = inlinedFrames(profile, profile.granularity);
  const next = {
    ...pickRows({ file: frames.file, line: frames.line }, oldFrame),
    routine,
    // Neighbours no longer tell which frames are of one address.
    inlined: inlined ? pickColumn(inlined, oldFrame) : new Uint8Array(oldFrame.length),
  };
  const placesNext = places && { ...places, ofFrame: pickColumn(places.ofFrame, oldFrame) };
  const split = { ...stacks, frame };
  const [groupOfRoutine, whole] = [routinesOf.first.done(), routinesOf.second.done()];
  const wholes = appendValues(
    Uint32Array.from({ length: n }, (_, r) => r),
    [...whole],
  );
  return {
    profile: {
      ...profile,
      ...{ routines: pickRows(routines, wholes), wholes, frames: next, stacks: split },
      ...(placesNext ? { places: placesNext } : {}),
      ...leafRows(split, next, placesNext),
    },
    /** The value of a key of `keys` for a routine of the split profile. */
    valueOf: (key: number, r: number): string => (r < n ? NO_VALUE : values[groupOfRoutine[r - n]][key]),
  };
}
