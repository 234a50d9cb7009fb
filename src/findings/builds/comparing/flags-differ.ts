// Changed flags or compiler: words that most commands have in only one of two builds.
import type { Analysis } from '../../../analysis/answers/analysis.ts';
import { stepText } from '../../../analysis/answers/steps/steps.ts';
import { changesOf } from '../../../analysis/builds/changes.ts';
import { memo } from '../../../base/memo.ts';
import { comparingRule, type FindingTarget, type RuleResult } from '../../rule.ts';
import { count, cutName, listed, type Name, NOTHING, say } from '../../say.ts';

/** Minimum share of the commands that have a word in only one build. */
const MOST_OF = 0.5;
const FEWEST = 3;
const MOST_NAMED = 3;

export interface FlagChange {
  /** Steps whose commands are known in both builds, and how many of these differ. */
  readonly known: number;
  readonly differ: number;
  /** Words that most commands have in one build only. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The words of a command, now and in the base. */
export type WordPair = readonly [now: ReadonlySet<string>, then: ReadonlySet<string>];

/** How the commands differ; undefined where too few are known. */
export function compareWords(pairs: Iterable<WordPair>): FlagChange | undefined {
  const counts = { added: new Map<string, number>(), removed: new Map<string, number>() };
  let [known, differ] = [0, 0];
  for (const [words, old] of pairs) {
    // The contents of a response file that only one command reads are unknown.
    if (hasOtherResponseFiles(words, old) || hasOtherResponseFiles(old, words)) continue;
    known++;
    const [added, removed] = [countOtherWords(counts.added, words, old), countOtherWords(counts.removed, old, words)];
    if (added || removed) differ++;
  }
  if (known < FEWEST) return undefined;
  const common = (of: ReadonlyMap<string, number>) =>
    [...of]
      .filter(([, n]) => n >= MOST_OF * known)
      .map(([word]) => word)
      .sort();
  return { known, differ, added: common(counts.added), removed: common(counts.removed) };
}

/** Counts the words of `from` that `without` lacks; returns whether there are any. */
function countOtherWords(counts: Map<string, number>, from: ReadonlySet<string>, without: ReadonlySet<string>): boolean {
  let isOther = false;
  for (const word of from) {
    if (without.has(word)) continue;
    isOther = true;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return isOther;
}

/** How the commands of the steps that both builds ran differ; undefined where they are not recorded. */
export const flagChange = memo((analysis: Analysis<'steps'>, before: Analysis<'steps'>): FlagChange | undefined =>
  compareWords(wordsOfSteps(analysis, before)),
);

function* wordsOfSteps(analysis: Analysis<'steps'>, before: Analysis<'steps'>): Generator<WordPair> {
  for (const c of changesOf(analysis, before)) {
    if (c.step < 0 || c.before < 0 || stepText(analysis.profile, 'role', c.step) !== 'compile') continue;
    const [now, then] = [stepText(analysis.profile, 'command', c.step), stepText(before.profile, 'command', c.before)];
    if (now !== null && then !== null)
      yield [wordsOf(now, directoryOf(analysis, c.step)), wordsOf(then, directoryOf(before, c.before))];
  }
}

/** The words of a command, with the build folder replaced by `.`. */
const wordsOf = (command: string, folder: string): ReadonlySet<string> =>
  new Set((folder === '' ? command : command.replaceAll(folder, '.')).split(/\s+/));

/** Whether some words are in a response file, `@flags.rsp`, that the other command does not read. */
const hasOtherResponseFiles = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...words].some((word) => word.startsWith('@') && !others.has(word));

const directoryOf = ({ profile }: Analysis<'steps'>, step: number): string => stepText(profile, 'directory', step) ?? '';

const wordNames = (words: readonly string[]): Name[] => words.slice(0, MOST_NAMED).map(cutName);

export const flagsDiffer = comparingRule({
  kind: 'steps',
  id: 'flags-differ',
  question: 'Do compile commands have other flags, or another compiler, than in the base?',
  evidence: 'the commands of the compile steps that both builds ran, where they are recorded',
  threshold: 'words that at least half of these commands have in one build only',
  requires: ['steps'],
  find(e, before) {
    const change = flagChange(e.analysis, before);
    return change && flagsResult(change, { view: 'changes', report: 'changes' });
  },
});

/** The finding, where the commands differ by the same words. */
export function flagsResult({ added, removed, differ, known }: FlagChange, target: FindingTarget): RuleResult | undefined {
  if (added.length === 0 && removed.length === 0) return undefined;
  const now = added.length > 0 ? say` now with ${listed(wordNames(added))}` : NOTHING;
  const then = removed.length > 0 ? say`${added.length > 0 ? ',' : ''} without ${listed(wordNames(removed))}` : NOTHING;
  return {
    ...say`${count('differ', differ)} of ${count('known', known, 'compile command')} differ from the base:${now}${then}`,
    why: 'the words of the commands of steps that both builds ran',
    subject: 'flags',
    target,
  };
}
