// Compiles that the compiler cache could not serve.
import { cacheOf } from '../../analysis/builds/history.ts';
import { cacheTotal } from '../../model/steps/history.ts';
import { buildRule } from '../rule.ts';
import { count, cutName, NOTHING, say } from '../say.ts';

const LEAST = 0.2;
const FEWEST = 5;

export const uncached = buildRule({
  id: 'uncached',
  question: 'Are there compiles that the compiler cache cannot serve?',
  evidence: 'the log of ccache that was kept with the build',
  threshold: `at least ${FEWEST} compiles, and 20 % of all that went through the cache`,
  requires: ['steps'],
  find({ analysis }) {
    const cache = cacheOf(analysis);
    const not = cache?.uncached ?? 0;
    if (!cache || not < FEWEST || not < LEAST * cacheTotal(cache)) return [];
    const why = cache.reason === undefined ? NOTHING : say`: ${cutName(cache.reason)}`;
    return {
      ...say`ccache could not serve ${count('uncached', not)} of ${count('compiles', cacheTotal(cache), 'compile')}${why}`,
      why: 'the results in its log',
      try: 'run one compile with CCACHE_LOGFILE set: the log names the option that it does not support',
      subject: 'compiler cache',
      target: { view: 'history', report: 'history' },
    };
  },
});
