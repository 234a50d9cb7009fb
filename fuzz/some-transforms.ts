// A few transforms that a profile and its base can follow: patterns that match much, little and nothing.
import { routineName } from '../src/analysis/names/names.ts';
import { refusalReason } from '../src/analysis/profiles/transforms/apply.ts';
import { COLLAPSE_KINDS, exactPattern, TRANSFORM_WORDS, type Transform } from '../src/analysis/profiles/transforms/transform.ts';
import type { Profile } from '../src/model/profile.ts';
import type { Random } from './random.ts';

const PATTERNS = ['.', 'a', '^[a-m]', '::', '\\d', 'file:.', 'object:lib', 'no such name'] as const;

export function someTransforms(profile: Profile, base: Profile | undefined, random: Random): Transform[] {
  if (!random.chance(0.4)) return [];
  const one = (): Transform => {
    const routines = profile.routines.name.length;
    const name =
      routines > 0 && random.chance(0.5) ? exactPattern('routine', routineName(profile, random.below(routines))) : undefined;
    const pattern = name ?? random.pick(PATTERNS);
    if (random.chance(0.2)) return { word: 'collapse', what: random.pick(COLLAPSE_KINDS) };
    if (random.chance(0.1)) return { word: 'only-own' };
    if (profile.kind === 'steps' && random.chance(0.5)) {
      const fromUs = random.below(5_000_000);
      return { word: 'time', fromUs, toUs: fromUs + 1 + random.below(5_000_000) };
    }
    return { word: random.chance(0.15) ? 'merge' : random.pick(TRANSFORM_WORDS), pattern };
  };
  return Array.from({ length: 1 + random.below(3) }, one).filter((t) =>
    [profile, base ?? profile].every((p) => refusalReason(p, t) === undefined),
  );
}
