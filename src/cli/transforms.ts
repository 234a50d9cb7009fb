// What counts of a profile, as the flags say it.
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
