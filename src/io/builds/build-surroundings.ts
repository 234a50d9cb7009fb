// The origin of a build, if known: the commit that is checked out, and the build server's number of the run.

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

export interface BuildOrigin {
  readonly git?: string;
  readonly job?: string;
  readonly host: string;
}

export function readBuildOrigin(tree: string, environment: NodeJS.ProcessEnv = process.env): BuildOrigin {
  const job = JOBS.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
  const source = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.+?)\r?$/m.exec(readText(join(tree, 'CMakeCache.txt')))?.[1];
  const git = source === undefined ? undefined : checkedOutCommit(source);
  return { ...(git ? { git } : {}), ...(job ? { job: job.slice(0, LONGEST) } : {}), host: hostname().slice(0, LONGEST) };
}

const readText = (path: string): string => attempt(() => readRegular(path, LARGEST).bytes.toString('utf8'), '');

/** The commit that is checked out in a source folder, read without running git; undefined if there is no repository. */
export function checkedOutCommit(source: string): string | undefined {
  const link = /^gitdir: (.+)$/m.exec(readText(join(source, '.git')))?.[1];
  const git = link === undefined ? join(source, '.git') : link.startsWith('/') ? link : join(source, link);
  const head = readText(join(git, 'HEAD')).trim();
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (ref === undefined) return asCommit(head);
  if (ref.split('/').includes('..')) return undefined;
  // The branches of a worktree are in its main repository.
  const common = readText(join(git, 'commondir')).trim();
  const folders = common === '' ? [git] : [git, common.startsWith('/') ? common : join(git, common)];
  for (const folder of folders) {
    const loose = asCommit(readText(join(folder, ref)).trim());
    if (loose !== undefined) return loose;
    const packed = readText(join(folder, 'packed-refs'))
      .split('\n')
      .find((line) => line.endsWith(` ${ref}`));
    if (packed !== undefined) return asCommit(packed.slice(0, packed.indexOf(' ')));
  }
  return undefined;
}

const asCommit = (text: string): string | undefined => (/^[0-9a-f]{40,64}$/.test(text) ? text : undefined);
