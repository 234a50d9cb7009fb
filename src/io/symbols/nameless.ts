// Warns when most samples have no names: gives the reason and the flag that helps.
import { basename } from 'node:path';
import type { Samples } from '../../model/stacks/samples.ts';

/** Why the addresses of an object have no names. */
export type NamelessReason = 'missing' | 'changed' | 'unplaced' | 'unreadable' | 'stripped';

const REASON_TEXTS: Readonly<Record<NamelessReason, (name: string) => string>> = {
  missing: (name) => `${name} is not on this machine`,
  changed: (name) => `${name} was rebuilt since; give the binary that ran`,
  unplaced: (name) => `the profile has no name in ${name} that tells where it was loaded`,
  unreadable: (name) => `${name} is not a readable program`,
  stripped: (name) => `${name} is stripped; give the binary with symbols, or the folder of its debug file (--symbol-path DIR)`,
};

/** A warning if most samples are in code without names. `lacks`: the reasons, by object. */
export function namelessWarning(samples: Samples, lacks: ReadonlyMap<string, NamelessReason>, profile: string) {
  const { stacks } = samples;
  let all = 0;
  let nameless = 0;
  const byObject = new Map<string | null, number>();
  for (let s = 0; s < stacks.rows; s++) {
    // Differential profiles have negative counts.
    const count = Math.abs(stacks.count.data[s]);
    const address = stacks.element.data[stacks.start.data[s]];
    all += count;
    if (samples.names[address]) continue;
    nameless += count;
    const path = samples.mappingOf(address)?.path ?? null;
    byObject.set(path, (byObject.get(path) ?? 0) + count);
  }
  if (nameless === 0 || nameless * 2 <= all) return undefined;
  const [[path]] = [...byObject].sort((a, b) => b[1] - a[1]);
  const lack = path === null ? undefined : lacks.get(path);
  const mapped = samples.mappings.some((list) => list.length > 0);
  // The flag precedes the reason, because a narrow screen cuts off the end.
  const flag = path !== null && lack ? ' (--binary PATH)' : '';
  const why =
    path !== null && lack
      ? REASON_TEXTS[lack](basename(path))
      : mapped
        ? `${byObject.size > 1 ? 'most of ' : ''}their code is in no file (JIT-compiled?)`
        : 'the profile does not say which files were mapped';
  return {
    path: path ?? profile,
    expected: 'names for most samples',
    // Rounded down, so that 100 % means all samples.
    found: `${Math.floor((100 * nameless) / all)} % of the samples without names${flag}: ${why}`,
    sign: 'NO NAMES',
  };
}
