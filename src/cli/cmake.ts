// proftui cmake enable | disable | collect: recording the builds of a CMake build tree.
import { formatProblem } from '../base/problem.ts';
import { visible } from '../base/text.ts';
import { KEPT_FOLDER } from '../formats/cmake/kept.ts';
import { collectBuild, disableBuilds, enableBuilds } from '../io/cmake-builds.ts';
import { UsageError } from './usage-error.ts';

const USAGE =
  'proftui cmake enable BUILD, proftui cmake disable BUILD: record the builds of a CMake build tree (CMake 4.3 or later)';

/** What --help says of it. */
export const CMAKE_HELP = ['proftui cmake enable: CMake 4.3 or later records every build of the tree from then on.'];

/** Whether the words are of this command, and not the path of a folder that is called cmake. */
export function isCmakeCommand(words: readonly string[]): boolean {
  return words[0] === 'cmake' && ['enable', 'disable', 'collect'].includes(words[1] ?? '');
}

/** The exit code, and what to say. `program` is how this program is called, as words. */
export async function cmakeCommand(words: readonly string[], program: readonly string[]): Promise<string> {
  const [, verb, path, ...more] = words;
  if (verb === 'collect') return collect(path);
  if (path === undefined || more.length > 0) throw new UsageError(USAGE);
  if (verb === 'enable') {
    const query = enableBuilds(path, [...program, 'cmake', 'collect']);
    return [
      `wrote ${query}`,
      'CMake 4.3 or later records what is configured and built from now on (cmake -B BUILD once, if it was configured before).',
      `Each build is kept in ${path}/${KEPT_FOLDER}, and proftui ${path} shows them.`,
    ].join('\n');
  }
  return disableBuilds(path)
    ? `${path}: CMake is asked for nothing more; builds that were kept stay in ${path}/${KEPT_FOLDER}`
    : `${path}: nothing was asked of CMake`;
}

/** Called by CMake: whatever goes wrong here, the build went well. */
async function collect(index: string | undefined): Promise<string> {
  try {
    if (index === undefined) throw new UsageError('cmake collect INDEX: CMake calls this');
    await collectBuild(index);
  } catch (error) {
    const text = error instanceof Error && 'problem' in error ? formatProblem(error.problem as never) : (error as Error).message;
    process.stderr.write(`proftui: this build is not kept: ${visible(text)}\n`);
  }
  return '';
}
