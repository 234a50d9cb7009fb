// Applies transforms to a call graph one after the other. Where several paths meet, costs are split by shares.
import { ChoiceError } from '../../../base/errors.ts';
import { markOwnRoutines } from '../../names/origin.ts';
import { buildTransformGraph, type GraphProfile, type TransformGraph } from './call-graph-flows.ts';
import { recomputeHalves } from './call-graph-halves.ts';
import { hideRoutines } from './call-graph-hide.ts';
import { collapseRoutines, mergeRoutines } from './call-graph-merge.ts';
import { keepParts, partsThrough } from './call-graph-parts.ts';
import { addPartRoots } from './call-graph-roots.ts';
import { keepShares, type ShareWord } from './call-graph-shares.ts';
import { findHitRoutines } from './hits.ts';
import { splitPattern, type UntimedTransform } from './transform.ts';

/** Yields often enough to handle keys. Throws ChoiceError for line patterns, and if the result would be too large. */
export function* transformGraph(
  profile: GraphProfile,
  transforms: readonly UntimedTransform[],
): Generator<undefined, GraphProfile> {
  for (const transform of transforms)
    if ('pattern' in transform && splitPattern(transform.pattern).target === 'line')
      throw new ChoiceError('only sampled stacks say which line was on the stack: a call graph has routines, files and objects');
  let now = profile;
  for (const transform of transforms) now = yield* transformOne(now, transform);
  return yield* recomputeHalves(now);
}

function* transformOne(profile: GraphProfile, transform: UntimedTransform): Generator<undefined, GraphProfile> {
  if (transform.word === 'collapse') return yield* collapseRoutines(yield* buildTransformGraph(profile), transform.what);
  const hideMarked = function* (hide: Uint8Array) {
    return hide.includes(1) ? yield* hideRoutines(yield* buildTransformGraph(profile), hide, transform) : profile;
  };
  if (transform.word === 'only-own') return yield* hideMarked((yield* markOwnRoutines(profile)).map((mine) => 1 - mine));
  const { word, pattern } = transform;
  if (word === 'tag-root') return yield* addPartRoots(profile, pattern);
  const hit = yield* findHitRoutines(profile, pattern, word === 'prune-from');
  const hits = hit.includes(1);
  if (word === 'hide') return yield* hideMarked(hit);
  if (word === 'show') return yield* hideMarked(hit.map((shown) => 1 - shown));
  if (word === 'merge') return hits ? yield* mergeRoutines(profile, hit, pattern) : profile;
  // refusalReason() excludes these: only samples have labels.
  if (word === 'tag-leaf' || word === 'tag-focus' || word === 'tag-ignore') return profile;
  if (!hits && (word === 'ignore' || word === 'prune-from')) return profile;
  return yield* keepMatches(yield* buildTransformGraph(profile), hit, word);
}

function* keepMatches(graph: TransformGraph, hit: Uint8Array, word: ShareWord): Generator<undefined, GraphProfile> {
  const parts = yield* partsThrough(graph, hit, word);
  if (!parts?.includes(1)) return yield* keepShares(graph, hit, word);
  return yield* keepParts(graph.profile, word === 'ignore' ? parts.map((is) => 1 - is) : parts);
}
