// Sources that a build compiles several times.
import { repeatedCompiles } from '../../analysis/builds/compile-sets.ts';
import { baseName } from '../../analysis/names/names.ts';
import { buildRule } from '../rule.ts';
import { count, cutName, listed, NOTHING, say, withAdvice } from '../say.ts';

const LEAST = 0.05;
const FEWEST = 3;
const MOST_NAMED = 3;

export const repeated = buildRule({
  kind: 'processes',
  id: 'repeated-compiles',
  question: 'Are sources compiled more than once?',
  evidence: 'the sources and arguments of all compiles; names of outputs do not count',
  threshold: `at least ${FEWEST} compiles of a source that another one compiles, and 5 % of all`,
  requires: ['processes'],
  find({ analysis }) {
    const { compiles, sources, again, alike } = repeatedCompiles(analysis);
    if (again < FEWEST || again < LEAST * compiles) return [];
    const names = sources
      .slice(0, MOST_NAMED)
      .map(({ file, times }, k) => say`${cutName(baseName(file))} ${count(`times${k + 1}`, times, 'time')}`);
    const same = alike > 0 ? say`; ${count('alike', alike)} of them with the same arguments` : NOTHING;
    return {
      ...say`${count('again', again)} of ${count('compiles', compiles, 'compile')} repeat a source: ${listed(names)}${sources.length > MOST_NAMED ? ' first' : ''}${same}`,
      why: 'sources and arguments of the compiles, without the names of their outputs',
      ...withAdvice(alike > 0 ? 'compile such a source once, into a library that all programs link' : undefined),
      subject: 'repeated compiles',
      target: { view: 'compiles', report: 'compile-commands', step: sources[0].process },
    };
  },
});
