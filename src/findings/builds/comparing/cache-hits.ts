// A compiler cache that served more or fewer compiles than in the base.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { cacheOf } from '../../../analysis/builds/history.ts';
import { cachedCompileCount } from '../../../model/steps/history.ts';
import { makeBuildComparingRule, viewSubject } from '../../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, say } from '../../say.ts';

const MIN_RATE_CHANGE = 0.2;
const MIN_COMPILES = 5;

/** The cache use of both builds if their hit rates differ, which explains changed compile times; else undefined. */
export function cacheChange(analysis: Analysis<'steps'>, before: Analysis<'steps'>) {
  const [now, then] = [cacheOf(analysis), cacheOf(before)];
  if (!now || !then) return undefined;
  const [all, allBefore] = [cachedCompileCount(now), cachedCompileCount(then)];
  const isLarge = Math.abs(now.hits / all - then.hits / allBefore) >= MIN_RATE_CHANGE;
  return isLarge && Math.min(all, allBefore) >= MIN_COMPILES ? { now, then, all, allBefore } : undefined;
}

export const cacheHitsRule = makeBuildComparingRule({
  id: 'cache-hits',
  question: 'Did a compiler cache serve more or fewer compiles than in the base?',
  evidence: 'the logs of ccache or sccache that were kept with both builds',
  threshold: `at least ${MIN_COMPILES} compiles in both; the hit rates differ by 20 percentage points or more`,
  find(e, before) {
    const change = cacheChange(e.analysis, before);
    if (!change) return [];
    const { now, then, all, allBefore } = change;
    const why =
      now.uncached && now.reason !== undefined
        ? say`; ${asCount('uncached', now.uncached)} could not be cached: ${cutName(now.reason)}`
        : EMPTY_PHRASE;
    return {
      ...say`The compiler cache served ${asCount('hits', now.hits)} of ${asCount('compiles', all, 'compile')}, in the base ${asCount('hitsBefore', then.hits)} of ${asCount('compilesBefore', allBefore)}${why}`,
      why: 'the results in the logs of the cache',
      ...viewSubject('compiler cache', 'history', { report: 'changes' }),
    };
  },
});
