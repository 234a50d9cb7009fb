// Compiles that do not optimize.
import { unoptimizedCompiles } from '../../analysis/builds/compile-sets.ts';
import { baseName } from '../../analysis/names/names.ts';
import { buildRule } from '../rule.ts';
import { count, cutName, listed, NOTHING, say, withAdvice } from '../say.ts';

/** Up to this share of the compiles counts as exceptions. */
const MOST_OF = 0.2;
const FEWEST = 5;
const MOST_NAMED = 3;

export const notOptimized = buildRule({
  kind: 'processes',
  id: 'not-optimized',
  question: 'Is code compiled without optimization?',
  evidence: 'the last option for optimization of each compile; assembler is left out',
  threshold: `all of at least ${FEWEST} compiles, or at most 20 % of them, have no option above -O0`,
  requires: ['processes'],
  find({ analysis }) {
    const { all, without } = unoptimizedCompiles(analysis);
    const some = without.length > 0 && without.length <= MOST_OF * all.length;
    const none = without.length === all.length;
    if (all.length < FEWEST || !(some || none)) return [];
    const names = without.slice(0, MOST_NAMED).map(({ file }) => cutName(baseName(file)));
    const which = none ? NOTHING : say`: ${without.length > MOST_NAMED ? 'first ' : ''}${listed(names)}`;
    return {
      ...say`${none ? 'All ' : NOTHING}${count('without', without.length)}${none ? NOTHING : say` of ${count('compiles', all.length)}`} sources are compiled without optimization${which}`,
      why: 'no -O option above -O0 is among the arguments',
      ...withAdvice(none ? 'add -O2 to CFLAGS and CXXFLAGS, or choose a build type that optimizes (RelWithDebInfo)' : undefined),
      subject: 'optimization',
      target: { view: 'compiles', report: 'compile-commands', step: without[0].process },
    };
  },
});
