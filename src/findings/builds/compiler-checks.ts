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
  remark: true,
  asks: ['processes'],
  find({ analysis }) {
    const all = compilesOf(analysis).list.length;
    const checks = all - projectCompiles(analysis).length;
    if (checks < FEWEST || checks < LEAST * all) return [];
    return {
      ...say`${count('checks', checks)} of ${count('compiles', all, 'compile')} only test the compiler; Compiles leaves them out`,
      why: 'the folders and sources that configuring uses for such tests',
      subject: 'compiler checks',
      target: { view: 'compiles', report: 'compile-commands' },
    };
  },
});
