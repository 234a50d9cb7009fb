// Compiles that only test the compiler.
import { compilesOf, projectCompiles } from '../../analysis/answers/processes/processes.ts';
import { buildRule } from '../rule.ts';
import { count, say } from '../say.ts';

const LEAST = 0.2;
const FEWEST = 3;

export const compilerChecks = buildRule({
  kind: 'processes',
  id: 'compiler-checks',
  question: 'How many of the compiles only test the compiler?',
  evidence: 'the folders and sources that configuring uses for such tests',
  threshold: `at least ${FEWEST} compiles, and 20 % of all`,
  onlyNotes: true,
  requires: ['processes'],
  find({ analysis }) {
    const { list } = compilesOf(analysis);
    const own = new Set(projectCompiles(analysis));
    const checks = list.length - own.size;
    if (checks < FEWEST || checks < LEAST * list.length) return [];
    return {
      ...say`${count('checks', checks)} of ${count('compiles', list.length, 'compile')} only test the compiler; Compiles leaves them out`,
      why: 'the folders and sources that configuring uses for such tests',
      subject: 'compiler checks',
      target: { view: 'processes', report: 'processes', step: list.find((c) => !own.has(c))?.process ?? -1 },
    };
  },
});
