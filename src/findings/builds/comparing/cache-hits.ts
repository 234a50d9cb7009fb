// A compiler cache that served more or fewer compiles than in the base.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { cacheOf } from '../../../analysis/builds/history.ts';
import { type CacheUse, cacheTotal } from '../../../model/steps/history.ts';
import { comparingRule } from '../../rule.ts';
import { count, cutName, NOTHING, say } from '../../say.ts';

const LEAST = 0.2;
const FEWEST = 5;

/** The cache use of both builds, if the hit rates differ; this explains changed compile times. */
export function cacheChange(
  analysis: Analysis<'steps'>,
  before: Analysis<'steps'>,
): { now: CacheUse; then: CacheUse } | undefined {
  const [now, then] = [cacheOf(analysis), cacheOf(before)];
  if (!now || !then) return undefined;
  const [all, allBefore] = [cacheTotal(now), cacheTotal(then)];
  const isLarge = Math.abs(now.hits / all - then.hits / allBefore) >= LEAST;
  return isLarge && Math.min(all, allBefore) >= FEWEST ? { now, then } : undefined;
}

export const cacheHits = comparingRule({
  kind: 'steps',
  id: 'cache-hits',
  question: 'Did a compiler cache serve more or fewer compiles than in the base?',
  evidence: 'the logs of ccache or sccache that were kept with both builds',
  threshold: `at least ${FEWEST} compiles in both; the hit rates differ by 20 percentage points or more`,
  requires: ['steps'],
  find(e, before) {
    const change = cacheChange(e.analysis, before);
    if (!change) return [];
    const { now, then } = change;
    const [all, allBefore] = [cacheTotal(now), cacheTotal(then)];
    const why =
      now.uncached && now.reason !== undefined
        ? say`; ${count('uncached', now.uncached)} could not be cached: ${cutName(now.reason)}`
        : NOTHING;
    return {
      ...say`The compiler cache served ${count('hits', now.hits)} of ${count('compiles', all, 'compile')}, in the base ${count('hitsBefore', then.hits)} of ${count('compilesBefore', allBefore)}${why}`,
      why: 'the results in the logs of the cache',
      subject: 'compiler cache',
      target: { view: 'history', report: 'changes' },
    };
  },
});
