// proftui cmake enable | disable | collect: recording the builds of a CMake build tree.

import { UsageError } from '../base/errors.ts';
import { FormatError, formatProblem } from '../base/problem.ts';
import { quoteWord, visible } from '../base/safe-text.ts';
import { KEPT_BUILDS_FOLDER } from '../formats/cmake/kept.ts';
import { collectBuild, disableRecording, enableRecording } from '../io/builds/cmake-builds.ts';
import { type BuildTree, inspectTree } from '../io/builds/cmake-tree.ts';
import { refusalText } from '../io/disk/regular.ts';
import { writeNotice } from './output.ts';

const CMAKE_USAGE =
  'proftui cmake enable BUILD or proftui cmake disable BUILD: turn recording of a CMake build tree on or off (CMake 4.3 or later)';

/** The text about this command in --help. */
export const CMAKE_HELP = ['proftui cmake enable: CMake 4.3 or later records every build of the tree from then on.'];

/** The command and its verbs with their help. The verb `collect` is missing: only CMake runs it. */
export const CMAKE_COMMAND = {
  word: 'cmake',
  help: 'record builds by CMake',
  verbs: { enable: 'record every build of a CMake build tree', disable: 'stop recording' },
} as const;

/** True if the words are this command; false for the path of a folder named cmake. */
export const isCmakeCommand = (words: readonly string[]): boolean =>
  words[0] === CMAKE_COMMAND.word && [...Object.keys(CMAKE_COMMAND.verbs), 'collect'].includes(words[1] ?? '');

/** Runs the command and returns the text to print. `program` is the command line that starts proftui, as words. */
export async function runCmakeCommand(words: readonly string[], program: readonly string[]): Promise<string> {
  const [, verb, path, ...more] = words;
  if (verb === 'collect') return collectForCmake(path);
  if (path === undefined || more.length > 0) throw new UsageError(CMAKE_USAGE);
  if (verb === 'enable') {
    const tree = inspectTree(path);
    const query = withFormatErrors(path, () => enableRecording(path, [...program, 'cmake', 'collect'], tree.copiesTraces));
    return [
      `wrote ${query}`,
      nextCommandText(path, tree),
      `Each build is kept in ${path}/${KEPT_BUILDS_FOLDER}; proftui ${quoteForShell(path)} shows them.`,
    ]
      .map(visible)
      .join('\n');
  }
  return withFormatErrors(path, () => disableRecording(path))
    ? `${path}: builds are no longer recorded; those already kept stay in ${path}/${KEPT_BUILDS_FOLDER}`
    : `${path}: recording was not enabled`;
}

/** Runs `change`; converts its errors (of the system, or a link in the tree) to FormatError. */
function withFormatErrors<T>(path: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw new FormatError({ path, expected: 'a build tree that can be written', found: refusalText(error) });
  }
}

/** Tells the user which command to run next. proftui does not run it itself: configuring may be slow and need variables. */
function nextCommandText(path: string, { state, cmake, source }: BuildTree): string {
  // For a configured tree, CMake reads the source folder from its cache.
  const words = state === 'plain' ? [cmake, path] : [cmake, '-S', source ?? 'SOURCE', '-B', path];
  const command = words.map(quoteForShell).join(' ');
  if (state === 'recording') return 'This tree is configured for it: the next build is recorded.';
  return state === 'plain'
    ? `This tree was configured before: configure it again, or the first build is not recorded: ${command}`
    : `Configure it with CMake 4.3 or later, then build; the first build is recorded, too: ${command}`;
}

/** Quotes a word for a shell. Control characters become visible marks: such a command is not meant to be run. */
const quoteForShell = (word: string): string => quoteWord(word) ?? quoteWord(visible(word)) ?? '';

/** Runs when CMake calls proftui after a build. Errors are only reported: they must not fail the build. */
async function collectForCmake(index: string | undefined): Promise<string> {
  try {
    if (index === undefined) throw new UsageError('cmake collect INDEX: CMake calls this');
    await collectBuild(index);
  } catch (error) {
    const text = error instanceof FormatError ? formatProblem(error.problem) : refusalText(error);
    writeNotice(`this build is not kept: ${text}`);
  }
  return '';
}
