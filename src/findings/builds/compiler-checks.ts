// Compiles that only test the compiler.
import { compilesOf, projectCompiles } from '../../analysis/answers/processes/processes.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, say } from '../say.ts';

const MIN_SHARE = 0.2;
const MIN_COMPILES = 3;

export const compilerChecksRule = makeBuildRule({
  kind: 'processes',
  id: 'compiler-checks',
  question: 'How many of the compiles only test the compiler?',
  evidence: 'the folders and sources that configuring uses for such tests',
  threshold: `at least ${MIN_COMPILES} compiles, and 20 % of all`,
  onlyNotes: true,
  find({ analysis }) {
    const { list } = compilesOf(analysis);
    const own = new Set(projectCompiles(analysis));
    const checks = list.length - own.size;
    if (checks < MIN_COMPILES || checks < MIN_SHARE * list.length) return [];
    return {
      ...say`${asCount('checks', checks)} of ${asCount('compiles', list.length, 'compile')} only test the compiler; Compiles leaves them out`,
      why: 'the folders and sources that configuring uses for such tests',
      ...viewSubject('compiler checks', 'processes', { step: list.find((c) => !own.has(c))?.process ?? -1 }),
    };
  },
});
