// Finds the routines that a transform's pattern selects, in slices: a profile may have a million names.

import { fillInSlices, NAMES_PER_SLICE, type Sliced } from '../../../base/slices.ts';
import { withoutArguments } from '../../../base/text.ts';
import type { Profile } from '../../../model/profile.ts';
import { stringAt } from '../../../model/strings.ts';
import { recordedNameOf, routineName } from '../../names/names.ts';
import { compileTest, type PatternTarget, splitPattern } from './transform.ts';

/**
 * By routine: 1 where the pattern matches its name, its file or its object, or what the pattern says it is for. `namesOnly`: a pattern
 * that does not say what it is for is for names. Yields between slices.
 */
export function* findHitRoutines(profile: Profile, pattern: string, namesOnly = false): Sliced<Uint8Array> {
  const { target } = splitPattern(pattern);
  const test = compileTest(pattern);
  const { routines, files, objects, strings } = profile;
  const isFor = (what: PatternTarget) => (target === undefined ? !namesOnly || what === 'routine' : target === what);
  const testNames = (names: Uint32Array) =>
    fillInSlices(new Uint8Array(names.length), (i) => (test(stringAt(strings, names[i])) ? 1 : 0), NAMES_PER_SLICE);
  const inFile = isFor('file') ? yield* testNames(files.name) : undefined;
  const inObject = isFor('object') ? yield* testNames(objects.name) : undefined;
  const byName = isFor('routine');
  const isHit = (r: number) => {
    const [file, object] = [routines.file[r], routines.object[r]];
    if ((inFile && file >= 0 && inFile[file]) || (inObject && object >= 0 && inObject[object])) return true;
    if (!byName) return false;
    // Patterns for one routine are made from the displayed name.
    const name = routineName(profile, r);
    return test(name) || test(recordedNameOf(profile, r) ?? '') || (namesOnly && test(withoutArguments(name)));
  };
  return yield* fillInSlices(new Uint8Array(routines.name.length), (r) => Number(isHit(r)), NAMES_PER_SLICE);
}
