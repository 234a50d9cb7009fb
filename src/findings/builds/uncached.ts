// Compiles that the compiler cache could not serve.
import { cacheOf } from '../../analysis/builds/history.ts';
import { cachedCompileCount } from '../../model/steps/history.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, say } from '../say.ts';

const MIN_UNCACHED_SHARE = 0.2;
const MIN_COMPILES = 5;

export const uncachedCompilesRule = makeBuildRule({
  id: 'uncached',
  question: 'Are there compiles that the compiler cache cannot serve?',
  evidence: 'the log of ccache that was kept with the build',
  threshold: `at least ${MIN_COMPILES} compiles, and 20 % of all that went through the cache`,
  find({ analysis }) {
    const cache = cacheOf(analysis);
    const not = cache?.uncached ?? 0;
    if (!cache || not < MIN_COMPILES || not < MIN_UNCACHED_SHARE * cachedCompileCount(cache)) return [];
    const why = cache.reason === undefined ? EMPTY_PHRASE : say`: ${cutName(cache.reason)}`;
    return {
      ...say`ccache could not serve ${asCount('uncached', not)} of ${asCount('compiles', cachedCompileCount(cache), 'compile')}${why}`,
      why: 'the results in its log',
      try: 'run one compile with CCACHE_LOGFILE set: the log names the option that it does not support',
      ...viewSubject('compiler cache', 'history'),
    };
  },
});
