// Two build traces: sources that only one of them compiles, and compile commands that differ.

import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { processTree, projectCompiles } from '../../../analysis/answers/processes/processes.ts';
import { argumentsWithoutOutput, type ProjectCompile } from '../../../analysis/builds/compile-sets.ts';
import { pairByKey } from '../../../base/lists.ts';
import { baseName } from '../../../base/paths.ts';
import { stringAt } from '../../../model/strings.ts';
import { makeBuildComparingRule, type RuleResult, viewSubject } from '../../rule.ts';
import { asCount, cutName, firstNames, say } from '../../say.ts';
import { compareWords, flagsResult, movedFolders, otherWords, replaceFolder } from './flags-differ.ts';

/** The folder of the first command; two builds of one project may have different folders. */
function buildFolderOf(analysis: Analysis<'processes'>): string {
  const { strings, processes } = analysis.profile;
  const directory = processes.directory[processTree(analysis).roots[0]] ?? -1;
  return directory < 0 ? '' : stringAt(strings, directory);
}

export const compilesDifferRule = makeBuildComparingRule({
  kind: 'processes',
  id: 'compiles-differ',
  question: 'Does the build compile other sources than the base, or with other arguments?',
  evidence: 'the sources and arguments of all compiles, by their paths below the folder of the first command',
  threshold: 'any source that only one of them compiles; words that at least half of the compile commands have in one build only',
  find(e, before) {
    const [now, then] = movedFolders(buildFolderOf(e.analysis), buildFolderOf(before));
    const [mine, theirs] = [projectCompiles(e.analysis), projectCompiles(before)];
    const { pairs, alone, left } = pairByKey(mine, theirs, (c, isBefore) => replaceFolder(isBefore ? then : now, c.file));
    const words = (c: ProjectCompile) => argumentsWithoutOutput(c.arguments);
    const change = compareWords(pairs.map(([c, old]) => otherWords(words(c), words(old), [now, then])));
    return [
      sourcesResult(left, -1),
      sourcesResult(alone, 1),
      change && flagsResult(change, { view: 'compiles', report: 'processes' }),
    ].filter((remark) => remark !== undefined);
  },
});

function sourcesResult(list: readonly ProjectCompile[], sign: 1 | -1): RuleResult | undefined {
  if (list.length === 0) return undefined;
  const files = [...new Set(list.map((c) => c.file))];
  const names = firstNames(files, (file) => cutName(baseName(file)));
  const number = asCount('compiles', list.length, 'compile');
  return {
    ...(sign < 0
      ? say`${number} of the base ${list.length === 1 ? 'is' : 'are'} missing: ${names}`
      : say`${number} ${list.length === 1 ? 'is' : 'are'} new: ${names}`),
    why: 'the other build does not compile these sources, or not so many times',
    try: sign < 0 ? 'if the build was incremental, trace one from a clean tree' : undefined,
    ...(sign < 0
      ? viewSubject('missing compiles', 'processes')
      : viewSubject('new compiles', 'compiles', { report: 'processes', step: list[0].process })),
  };
}
