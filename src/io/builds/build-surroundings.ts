// The origin of a build, as far as it is known: the revision that is checked out, and the number that a build server gave the run.

import { hostname } from 'node:os';
import { join } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { readRegular } from '../disk/regular.ts';

/** The variables in which build servers give a run its number. */
const JOBS = [
  'GITHUB_RUN_NUMBER',
  'CI_PIPELINE_IID',
  'CI_JOB_ID',
  'BUILDKITE_BUILD_NUMBER',
  'CIRCLE_BUILD_NUM',
  'BUILD_BUILDID',
  'TRAVIS_BUILD_NUMBER',
  'BUILD_NUMBER',
];
const LONGEST = 100;
/** CMake's cache is the largest of the files that are read here. */
const LARGEST = 64 << 20;

export interface Surroundings {
  readonly git?: string;
  readonly job?: string;
  readonly host: string;
}

export function surroundings(tree: string, environment: NodeJS.ProcessEnv = process.env): Surroundings {
  const job = JOBS.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
  const source = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.+?)\r?$/m.exec(textOf(join(tree, 'CMakeCache.txt')))?.[1];
  const git = source === undefined ? undefined : headOf(source);
  return { ...(git ? { git } : {}), ...(job ? { job: job.slice(0, LONGEST) } : {}), host: hostname().slice(0, LONGEST) };
}

const textOf = (path: string): string => attempt(() => readRegular(path, LARGEST).bytes.toString('utf8'), '');

/** The commit that is checked out in a folder of sources; no program is run for it. undefined if there is no repository. */
export function headOf(source: string): string | undefined {
  const link = /^gitdir: (.+)$/m.exec(textOf(join(source, '.git')))?.[1];
  const git = link === undefined ? join(source, '.git') : link.startsWith('/') ? link : join(source, link);
  const head = textOf(join(git, 'HEAD')).trim();
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined) return commitIn(head);
  if (ref.split('/').includes('..')) return undefined;
  // A worktree has its branches in the repository that it is of.
  const common = textOf(join(git, 'commondir')).trim();
  const folders = common === '' ? [git] : [git, common.startsWith('/') ? common : join(git, common)];
  for (const folder of folders) {
    const loose = commitIn(textOf(join(folder, ref)).trim());
    if (loose !== undefined) return loose;
    const packed = textOf(join(folder, 'packed-refs'))
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`));
    if (packed !== undefined) return commitIn(packed.slice(0, packed.indexOf(' ')));
  }
  return undefined;
}

const commitIn = (text: string): string | undefined => (/^[0-9a-f]{40,64}$/.test(text) ? text : undefined);
