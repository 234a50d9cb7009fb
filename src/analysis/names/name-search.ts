// Finds the routines whose names match a search, in slices.
import { Background } from '../../base/background.ts';
import { compileScan } from '../../base/letters.ts';
import type { CompiledSearch } from '../../base/match.ts';
import type { Profile } from '../../model/profile.ts';
import { stringCount } from '../../model/strings.ts';
import { endOfScanSlice, endOfTestSlice, processInSlices } from './filtering.ts';
import { routineName } from './names.ts';

/** By routine: 1 for those whose name is found. */
export const searchNames = (profile: Profile, search: CompiledSearch): Background<Uint8Array> =>
  new Background(findNames(profile, search));

function* findNames(profile: Profile, { test, literal }: CompiledSearch): Generator<undefined, Uint8Array> {
  const { strings, routines } = profile;
  const hit = new Uint8Array(routines.name.length);
  const code = new TextEncoder().encode(literal?.toLowerCase() ?? '');
  const scan = code.length > 0 && code.length === literal?.length ? compileScan(code) : undefined;
  /** Only strings that may match are decoded, because decoding a million names takes a second. Non-ASCII searches test all. */
  const maybe = new Uint8Array(stringCount(strings)).fill(scan ? 0 : 1);
  const look = (from: number, end: number) => scan?.(strings.bytes, strings.start, from, end, maybe);
  if (scan) yield* processInSlices(maybe.length, (from) => endOfScanSlice(strings, from), look);
  const match = (from: number, end: number) => {
    for (let r = from; r < end; r++) if (maybe[routines.name[r]] === 1 && test(routineName(profile, r))) hit[r] = 1;
  };
  yield* processInSlices(hit.length, (from) => endOfTestSlice(strings, from, hit.length, (r) => routines.name[r]), match);
  return hit;
}
