// Finds the origin of a build, if known: the commit that is checked out, and the build server's number of the run.

import { hostname } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import type { About } from '../../formats/loader.ts';
import { readRegular } from '../disk/regular.ts';

/** The environment variables in which build servers give the number of a run. */
const JOB_VARIABLES = [
  ...['GITHUB_RUN_NUMBER', 'CI_PIPELINE_IID', 'CI_JOB_ID', 'BUILDKITE_BUILD_NUMBER'],
  ...['CIRCLE_BUILD_NUM', 'BUILD_BUILDID', 'TRAVIS_BUILD_NUMBER', 'BUILD_NUMBER'],
];
const MAX_LENGTH = 100;
/** Maximum size of a file; CMake's cache is the largest one read here. */
const MAX_FILE_BYTES = 64 << 20;

export function readBuildOrigin(tree: string, environment = process.env): Pick<About, 'git' | 'job' | 'host'> {
  const job = JOB_VARIABLES.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
  const source = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.+?)\r?$/m.exec(readTextFile(join(tree, 'CMakeCache.txt')))?.[1];
  const git = source === undefined ? undefined : checkedOutCommit(source);
  return { ...(git ? { git } : {}), ...(job ? { job: job.slice(0, MAX_LENGTH) } : {}), host: hostname().slice(0, MAX_LENGTH) };
}

const readTextFile = (path: string): string => attempt(() => readRegular(path, MAX_FILE_BYTES).bytes.toString('utf8'), '');

/** The commit that is checked out in a source folder, read without running git; undefined if there is no repository. */
export function checkedOutCommit(source: string): string | undefined {
  const link = /^gitdir: (.+)$/m.exec(readTextFile(join(source, '.git')))?.[1];
  const git = link === undefined ? join(source, '.git') : link.startsWith('/') ? link : join(source, link);
  const head = readTextFile(join(git, 'HEAD')).trim();
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined) return commitOrUndefined(head);
  if (ref.split('/').includes('..')) return undefined;
  // The branches of a worktree are in its main repository.
  const common = readTextFile(join(git, 'commondir')).trim();
  const folders = common === '' ? [git] : [git, common.startsWith('/') ? common : join(git, common)];
  for (const folder of folders) {
    const loose = commitOrUndefined(readTextFile(join(folder, ref)).trim());
    if (loose !== undefined) return loose;
    const packed = readTextFile(join(folder, 'packed-refs'))
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`));
    if (packed !== undefined) return commitOrUndefined(packed.slice(0, packed.indexOf(' ')));
  }
  return undefined;
}

const commitOrUndefined = (text: string): string | undefined => (/^[0-9a-f]{40,64}$/.test(text) ? text : undefined);
