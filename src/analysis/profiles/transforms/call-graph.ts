// Applies transforms to a call graph one after the other. Where several paths meet, costs are split by shares.
import { ChoiceError } from '../../../base/errors.ts';
import { runInSlices } from '../../../base/slices.ts';
import type { Costs } from '../../../model/column.ts';
import { markOwnRoutines } from '../../names/origin.ts';
import { buildTransformGraph, type GraphProfile, type TransformGraph } from './call-graph-flows.ts';
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

// Counts beyond 2^53 have columns with exact halves. Scaling a half makes it inexact, so the halves of a scaled cost are
// recomputed from the rounded cost. Costs that were kept, moved or removed unchanged stay exact.
const TWO_POW_32 = 2 ** 32;

/** Makes all halves whole numbers that add up to their counts. */
export function* recomputeHalves(profile: GraphProfile): Generator<undefined, GraphProfile> {
  let now = profile;
  for (const { terms, exact } of profile.events) {
    const [[, high] = [0, -1]] = exact?.high ?? [];
    const [[, low] = [0, -1]] = exact?.low ?? [];
    if (terms.length !== 1 || high < 0 || low < 0) continue;
    const withHalvesOf = (costs: Costs) => withHalves(costs, terms[0][1], high, low);
    const { lines, calls } = now;
    now = {
      ...now,
      lines: { ...lines, costs: yield* withHalvesOf(lines.costs) },
      ...(calls ? { calls: { ...calls, costs: yield* withHalvesOf(calls.costs) } } : {}),
    };
  }
  return now;
}

function* withHalves(costs: Costs, main: number, high: number, low: number): Generator<undefined, Costs> {
  const [upper, lower] = [Float64Array.from(costs[high]), Float64Array.from(costs[low])];
  yield;
  yield* runInSlices(upper.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const cost = costs[main][i];
      const whole = Number.isInteger(upper[i]) && Number.isInteger(lower[i]);
      if (whole && TWO_POW_32 * upper[i] + lower[i] === cost) continue;
      upper[i] = Math.floor(cost / TWO_POW_32);
      lower[i] = Math.round(cost - upper[i] * TWO_POW_32);
    }
  });
  return costs.map((column, c) => (c === high ? upper : c === low ? lower : column));
}
