// Compiles that do not optimize.

import { unoptimizedCompiles } from '../../analysis/builds/compile-sets.ts';
import { baseName } from '../../base/paths.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, firstNames, say } from '../say.ts';

const MAX_EXCEPTION_SHARE = 0.2;
const MIN_COMPILES = 5;

export const notOptimizedRule = makeBuildRule({
  kind: 'processes',
  id: 'not-optimized',
  question: 'Is code compiled without optimization?',
  evidence: 'the last option for optimization of each compile; assembler is left out',
  threshold: `all of at least ${MIN_COMPILES} compiles, or at most 20 % of them, have no option above -O0`,
  find({ analysis }) {
    const { all, without, unknown } = unoptimizedCompiles(analysis);
    const some = without.length > 0 && without.length <= MAX_EXCEPTION_SHARE * all.length;
    const none = without.length === all.length && unknown === 0;
    if (all.length < MIN_COMPILES || !(some || none)) return [];
    const which = none ? EMPTY_PHRASE : say`: ${firstNames(without, ({ file }) => cutName(baseName(file)))}`;
    return {
      ...say`${none ? 'All ' : EMPTY_PHRASE}${asCount('without', without.length)}${none ? EMPTY_PHRASE : say` of ${asCount('compiles', all.length)}`} sources are compiled without optimization${which}${unknown > 0 ? say`; of ${asCount('unknown', unknown, 'other')} it is unknown` : EMPTY_PHRASE}`,
      why: 'no -O option above -O0 is among the arguments',
      try: none ? 'add -O2 to CFLAGS and CXXFLAGS, or choose a build type that optimizes (RelWithDebInfo)' : undefined,
      ...viewSubject('optimization', 'compiles', { report: 'compile-commands', step: without[0].process }),
    };
  },
});
