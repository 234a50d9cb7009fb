// Two build traces: sources that only one of them compiles, and compile commands that differ.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { processTree, projectCompiles } from '../../../analysis/answers/processes/processes.ts';
import { argumentsBut } from '../../../analysis/builds/compile-sets.ts';
import { baseName } from '../../../analysis/names/names.ts';
import { pairedBy } from '../../../base/lists.ts';
import { stringAt } from '../../../model/strings.ts';
import { comparingRule, type Remark } from '../../rule.ts';
import { count, cutName, listed, say } from '../../say.ts';
import { changeOfWords, flagsRemark } from './flags-differ.ts';

const MOST_NAMED = 3;

type Compile = ReturnType<typeof projectCompiles>[number];

/** The folder in which the first command ran: two builds of one project may be in different ones. */
function folderOf(analysis: Analysis<'processes'>): string {
  const { strings, processes } = analysis.profile;
  const directory = processes.directory[processTree(analysis).roots[0]] ?? -1;
  return directory < 0 ? '' : stringAt(strings, directory);
}

/** A text of a build without its folder. */
const within = (folder: string, text: string): string => (folder.length > 1 ? text.replaceAll(folder, '.') : text);

export const compilesDiffer = comparingRule({
  kind: 'processes',
  id: 'compiles-differ',
  question: 'Does the build compile other sources than the base, or with other arguments?',
  evidence: 'the sources and arguments of all compiles, by their paths below the folder of the first command',
  threshold: 'any source that only one of them compiles; words that at least half of the compile commands have in one build only',
  asks: ['processes'],
  find(e, before) {
    const [now, then] = [folderOf(e.analysis), folderOf(before)];
    const [mine, theirs] = [projectCompiles(e.analysis), projectCompiles(before)];
    const { pairs, alone, left } = pairedBy(mine, theirs, (c, isBefore) => within(isBefore ? then : now, c.file));
    const words = (folder: string, c: Compile) => new Set(argumentsBut(c.arguments).map((arg) => within(folder, arg)));
    const change = changeOfWords(pairs.map(([c, old]) => [words(now, c), words(then, old)]));
    const remarks = [
      sources(left, -1),
      sources(alone, 1),
      change && flagsRemark(change, { view: 'compiles', report: 'processes' }),
    ];
    return remarks.filter((remark) => remark !== undefined);
  },
});

function sources(list: readonly Compile[], sign: 1 | -1): Remark | undefined {
  if (list.length === 0) return undefined;
  const files = [...new Set(list.map((c) => c.file))];
  const names = files.slice(0, MOST_NAMED).map((file) => cutName(baseName(file)));
  const first = files.length > MOST_NAMED ? 'first ' : '';
  const number = count('compiles', list.length, 'compile');
  return {
    ...(sign < 0
      ? say`${number} of the base ${list.length === 1 ? 'is' : 'are'} missing: ${first}${listed(names)}`
      : say`${number} ${list.length === 1 ? 'is' : 'are'} new: ${first}${listed(names)}`),
    why: 'the other build does not compile these sources, or not so many times',
    ...(sign < 0 ? { try: 'if the build was incremental, trace one from a clean tree' } : {}),
    subject: sign < 0 ? 'missing compiles' : 'new compiles',
    target:
      sign < 0 ? { view: 'processes', report: 'processes' } : { view: 'compiles', report: 'processes', step: list[0].process },
  };
}
