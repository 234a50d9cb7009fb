// What counts of a profile, as the flags say it.
import { resolve } from 'node:path';
import type { OwnPlaces } from '../analysis/transforms/own-code.ts';
import { inFixedOrder, parseTransform, type Transform, WORDS } from '../analysis/transforms/transform.ts';
import type { FlagName } from './flag-table.ts';

/** Reads the values of flags by their names. */
interface Reader {
  text(name: FlagName): string | undefined;
  is(name: FlagName): boolean;
  many(name: FlagName): readonly string[];
}

/** In the order in which they act: time, pprof's words in pprof's order, one's own code, what becomes one, and --apply. Throws ChoiceError. */
export function transformsOf({ text, is, many }: Reader): Transform[] {
  const time = text('time');
  return [
    ...(time === undefined ? [] : [parseTransform(`time=${time}`)]),
    ...inFixedOrder(new Map(WORDS.map((word) => [word, many(word)]))),
    ...(is('only-own') ? [parseTransform('only-own')] : []),
    ...many('merge').map((pattern) => parseTransform(`merge=${pattern}`)),
    ...many('collapse').map((what) => parseTransform(`collapse=${what}`)),
    ...many('apply').map(parseTransform),
  ];
}

/** Where one's own code is: in the folders of the sources, else in the current one. */
export function ownPlaces(sourceDirs: readonly string[], maps: OwnPlaces['maps']): OwnPlaces {
  const folders = sourceDirs.length > 0 ? sourceDirs : ['.'];
  return { folders: folders.map((dir) => resolve(dir)), maps };
}
