// Sources that a build compiles several times.

import { repeatedCompiles } from '../../analysis/builds/compile-sets.ts';
import { baseName } from '../../base/paths.ts';
import { makeBuildRule, viewSubject } from '../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, joinWithAnd, say } from '../say.ts';

const MIN_COMPILE_SHARE = 0.05;
const MIN_REPEATS = 3;
const MAX_NAMED_SOURCES = 3;

export const repeatedCompilesRule = makeBuildRule({
  kind: 'processes',
  id: 'repeated-compiles',
  question: 'Are sources compiled more than once?',
  evidence: 'the sources and arguments of all compiles; names of outputs do not count',
  threshold: `at least ${MIN_REPEATS} compiles of a source that another one compiles, and 5 % of all`,
  find({ analysis }) {
    const { compiles, sources, again, alike } = repeatedCompiles(analysis);
    if (again < MIN_REPEATS || again < MIN_COMPILE_SHARE * compiles) return [];
    const names = sources
      .slice(0, MAX_NAMED_SOURCES)
      .map(({ file, times }, k) => say`${cutName(baseName(file))} ${asCount(`times${k + 1}`, times, 'time')}`);
    const same = alike > 0 ? say`; ${asCount('alike', alike)} of them with the same arguments` : EMPTY_PHRASE;
    return {
      ...say`${asCount('again', again)} of ${asCount('compiles', compiles, 'compile')} repeat a source: ${joinWithAnd(names)}${sources.length > MAX_NAMED_SOURCES ? ' first' : ''}${same}`,
      why: 'sources and arguments of the compiles, without the names of their outputs',
      try: alike > 0 ? 'compile such a source once, into a library that all programs link' : undefined,
      ...viewSubject('repeated compiles', 'compiles', { report: 'compile-commands', step: sources[0].process }),
    };
  },
});
