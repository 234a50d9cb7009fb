// A call graph with transforms applied: shares of costs where several ways meet. One transform after another, each on what the one before
// has left.
import { ChoiceError } from '../../../base/errors.ts';
import { collapseRoutines } from './call-graph-collapse.ts';
import { type Graph, type GraphProfile, graphOf } from './call-graph-flows.ts';
import { wholeHalves } from './call-graph-halves.ts';
import { hideRoutines } from './call-graph-hide.ts';
import { mergeRoutines } from './call-graph-merge.ts';
import { keepParts, partsThrough } from './call-graph-parts.ts';
import { withPartRoots } from './call-graph-roots.ts';
import { keepShares, type ShareWord } from './call-graph-shares.ts';
import { hitRoutines } from './hits.ts';
import { type OwnPlaces, ownRoutines } from './own-code.ts';
import { targetOf, type Untimed } from './transform.ts';

/** Yields often enough to hear keys. Throws ChoiceError for patterns of lines, and where the result would be too large. */
export function* transformGraph(
  profile: GraphProfile,
  transforms: readonly Untimed[],
  own: OwnPlaces,
): Generator<undefined, GraphProfile> {
  for (const transform of transforms)
    if ('pattern' in transform && targetOf(transform.pattern).target === 'line')
      throw new ChoiceError('only sampled stacks say which line was on the stack: a call graph has routines, files and objects');
  let now = profile;
  for (const transform of transforms) now = yield* transformOne(now, transform, own);
  return yield* wholeHalves(now);
}

function* transformOne(profile: GraphProfile, transform: Untimed, own: OwnPlaces): Generator<undefined, GraphProfile> {
  if (transform.word === 'collapse') return yield* collapseRoutines(yield* graphOf(profile), transform.what);
  const without = function* (hide: Uint8Array) {
    return hide.includes(1) ? yield* hideRoutines(yield* graphOf(profile), hide, transform) : profile;
  };
  if (transform.word === 'only-own') return yield* without(ownRoutines(profile, own).map((mine) => 1 - mine));
  const { word, pattern } = transform;
  if (word === 'tag-root') return yield* withPartRoots(profile, pattern);
  const hit = yield* hitRoutines(profile, pattern, word === 'prune-from');
  const hits = hit.includes(1);
  switch (word) {
    case 'focus':
    case 'show-from':
    case 'ignore':
    case 'prune-from':
      if (!hits && (word === 'ignore' || word === 'prune-from')) return profile;
      return yield* keepSome(yield* graphOf(profile), hit, word);
    case 'hide':
      return yield* without(hit);
    case 'show':
      return yield* without(hit.map((shown) => 1 - shown));
    case 'merge':
      return hits ? yield* mergeRoutines(profile, hit, pattern) : profile;
    // refusal() keeps these away: nothing but samples has labels.
    case 'tag-leaf':
    case 'tag-focus':
    case 'tag-ignore':
      return profile;
  }
}

function* keepSome(graph: Graph, hit: Uint8Array, word: ShareWord): Generator<undefined, GraphProfile> {
  const parts = yield* partsThrough(graph, hit, word);
  if (!parts?.includes(1)) return yield* keepShares(graph, hit, word);
  return yield* keepParts(graph.profile, word === 'ignore' ? parts.map((is) => 1 - is) : parts);
}
