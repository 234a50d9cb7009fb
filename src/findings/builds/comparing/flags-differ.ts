// Changed flags or compiler: words that most commands have in only one of two builds.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { stepText } from '../../../analysis/answers/steps/steps.ts';
import { changesOf } from '../../../analysis/builds/changes.ts';
import { memo } from '../../../base/lists.ts';
import { type FindingTarget, makeBuildComparingRule, type RuleResult } from '../../rule.ts';
import { asCount, cutName, EMPTY_PHRASE, firstNames, say } from '../../say.ts';

const MIN_COMMAND_SHARE = 0.5;
const MIN_COMMANDS = 3;

/** The words of a command, now and in the base. */
export type WordPair = readonly [now: ReadonlySet<string>, then: ReadonlySet<string>];

/**
 * Compares the words of commands; undefined if too few commands are known. `known`: the steps whose commands are known in both builds; `differ`:
 * those whose commands differ; `added` and `removed`: the words that most commands contain in only one build.
 */
export function compareWords(pairs: Iterable<WordPair>) {
  const counts = { added: new Map<string, number>(), removed: new Map<string, number>() };
  let [known, differ] = [0, 0];
  for (const [words, old] of pairs) {
    // The contents of a response file that only one command reads are unknown.
    if (hasOtherResponseFiles(words, old) || hasOtherResponseFiles(old, words)) continue;
    known++;
    const [added, removed] = [countOtherWords(counts.added, words, old), countOtherWords(counts.removed, old, words)];
    if (added || removed) differ++;
  }
  if (known < MIN_COMMANDS) return undefined;
  const common = (of: ReadonlyMap<string, number>) =>
    [...of].flatMap(([word, n]) => (n >= MIN_COMMAND_SHARE * known ? word : [])).sort();
  return { known, differ, added: common(counts.added), removed: common(counts.removed) };
}

/** Counts the words of `from` that are not in `without`. Returns whether there are any such words. */
function countOtherWords(counts: Map<string, number>, from: ReadonlySet<string>, without: ReadonlySet<string>): boolean {
  const others = [...from].filter((word) => !without.has(word));
  for (const word of others) counts.set(word, (counts.get(word) ?? 0) + 1);
  return others.length > 0;
}

/** Compares the commands of the steps that both builds ran; undefined if the commands are not recorded. */
export const flagChange = memo((analysis: Analysis<'steps'>, before: Analysis<'steps'>) =>
  compareWords(wordsOfSteps(analysis, before)),
);

function* wordsOfSteps(analysis: Analysis<'steps'>, before: Analysis<'steps'>): Generator<WordPair> {
  for (const c of changesOf(analysis, before)) {
    if (c.step < 0 || c.before < 0 || stepText(analysis.profile, 'role', c.step) !== 'compile') continue;
    const [now, then] = [stepText(analysis.profile, 'command', c.step), stepText(before.profile, 'command', c.before)];
    if (now === null || then === null) continue;
    const folders = movedFolders(directoryOf(analysis, c.step), directoryOf(before, c.before));
    yield otherWords(now.split(/\s+/), then.split(/\s+/), folders);
  }
}

/** Two folders without the last parts that they have in common: `/w/one/lib` and `/w/two/lib` are `/w/one` and `/w/two`. */
export function movedFolders(now: string, then: string): readonly [now: string, then: string] {
  const [a, b] = [now.split('/'), then.split('/')];
  while (now !== then && a.length > 2 && b.length > 2 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
  }
  return [a.join('/'), b.join('/')];
}

/** The text with a folder replaced by `.`, where that is a whole path or the start of one. */
export function replaceFolder(folder: string, text: string): string {
  if (folder.length < 2) return text;
  return text.split(folder).reduce((all, rest) => all + (/^[\w.+~-]/.test(rest) ? folder : '.') + rest);
}

/** The words that only one of two commands has, with the folders of the builds replaced by `.`. */
export function otherWords(now: readonly string[], then: readonly string[], folders: readonly [string, string]): WordPair {
  const without = (words: readonly string[], others: readonly string[], folder: string) => {
    const known = new Set(others);
    return new Set(words.filter((word) => !known.has(word)).map((word) => replaceFolder(folder, word)));
  };
  return [without(now, then, folders[0]), without(then, now, folders[1])];
}

/** Whether a command has words in a response file, `@flags.rsp`, that the other command does not read. */
const hasOtherResponseFiles = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...words].some((word) => word.startsWith('@') && !others.has(word));

const directoryOf = ({ profile }: Analysis<'steps'>, step: number): string => stepText(profile, 'directory', step) ?? '';

export const flagsDifferRule = makeBuildComparingRule({
  id: 'flags-differ',
  question: 'Do compile commands have other flags, or another compiler, than in the base?',
  evidence: 'the commands of the compile steps that both builds ran, where they are recorded',
  threshold: 'words that at least half of these commands have in one build only',
  find(e, before) {
    const change = flagChange(e.analysis, before);
    return change && flagsResult(change, { view: 'changes', report: 'changes' });
  },
});

/** The finding; undefined if no word is common to most of the differing commands. */
export function flagsResult(change: NonNullable<ReturnType<typeof compareWords>>, target: FindingTarget): RuleResult | undefined {
  const { added, removed, differ, known } = change;
  if (added.length === 0 && removed.length === 0) return undefined;
  const now = added.length > 0 ? say` now with ${firstNames(added, cutName, '')}` : EMPTY_PHRASE;
  const then =
    removed.length > 0 ? say`${added.length > 0 ? ',' : ''} without ${firstNames(removed, cutName, '')}` : EMPTY_PHRASE;
  return {
    ...say`${asCount('differ', differ)} of ${asCount('known', known, 'compile command')} differ from the base:${now}${then}`,
    why: 'the words of the commands of steps that both builds ran',
    subject: 'flags',
    target,
  };
}
