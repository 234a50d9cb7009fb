// Which routines a transform's pattern means, found a slice at a time: a profile may have a million names.
import { compilePattern } from '../../base/pattern.ts';
import { inSlices } from '../../base/slices.ts';
import type { Profile } from '../../model/profile.ts';
import { stringAt } from '../../model/strings.ts';
import { routineName } from '../names.ts';
import { type Target, targetOf } from './transform.ts';

/** Names between pauses. */
const SLICE = 500;

/**
 * By routine: 1 where the pattern matches its name, its file or its object, or what the pattern says it is for. `namesAlone`: a pattern
 * that does not say what it is for is for names. Yields between slices.
 */
export function* hitRoutines(profile: Profile, pattern: string, namesAlone = false): Generator<undefined, Uint8Array> {
  const { target, expression } = targetOf(pattern);
  const { test } = compilePattern(expression, '');
  const { routines, files, objects, strings } = profile;
  const wants = (what: Target) => (target === undefined ? !namesAlone || what === 'routine' : target === what);
  function* tested(names: Uint32Array) {
    const out = new Uint8Array(names.length);
    const testAll = (from: number, to: number) => {
      for (let i = from; i < to; i++) out[i] = test(stringAt(strings, names[i])) ? 1 : 0;
    };
    yield* inSlices(names.length, testAll, SLICE);
    return out;
  }
  const inFile = wants('file') ? yield* tested(files.name) : undefined;
  const inObject = wants('object') ? yield* tested(objects.name) : undefined;
  const byName = wants('routine');
  const hit = new Uint8Array(routines.name.length);
  for (let r = 0; r < hit.length; r++) {
    if (r % SLICE === SLICE - 1) yield;
    const [file, object] = [routines.file[r], routines.object[r]];
    if ((inFile && file >= 0 && inFile[file]) || (inObject && object >= 0 && inObject[object])) hit[r] = 1;
    else if (byName) {
      // As it is shown: a pattern for one routine is made of what is seen.
      const name = routineName(profile, r);
      if (test(name) || (namesAlone && test(withoutArguments(name)))) hit[r] = 1;
    }
  }
  return hit;
}

/** As pprof has names for prune-from: without arguments, `operator()` and `(anonymous namespace)` kept, and without a leading dot. */
function withoutArguments(name: string): string {
  const plain = name.startsWith('.') ? name.slice(1) : name;
  for (let at = plain.indexOf('('); at >= 0; at = plain.indexOf('(', at + 1)) {
    if (plain.startsWith('(anonymous namespace)', at)) continue;
    if (plain.startsWith('operator', at - 8) && plain[at + 1] === ')') continue;
    return plain.slice(0, at);
  }
  return plain;
}
