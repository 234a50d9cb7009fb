// Reads old versions of files from git. A repository may be hostile: its configuration can name programs to run.

import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { attempt } from '../../base/attempt.ts';
import { isPathBelow } from '../../base/paths.ts';
import { systemReason } from '../../base/problem.ts';
import { RefusedError } from '../disk/regular.ts';
import { findProgram } from '../programs.ts';

/** Timeout for git. Local objects take milliseconds, but a FIFO in a repository blocks forever. */
const GIT_TIMEOUT_MS = 5000;
/** Space for git's output besides the text: the commit, headers and errors. */
const OVERHEAD_BYTES = 1 << 20;

const STALLED_REASON = `git took more than ${GIT_TIMEOUT_MS / 1000} s`;
/** Repositories in which git timed out. Git is not run there again, because every file would take as long. */
const stalledRepositories = new Set<string>();

/** Settings passed on git's command line, which override the repository's configuration. */
const GIT_SETTINGS = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'];

/** Thrown for a file that does not exist in a revision. */
export class NotInRevisionError extends RefusedError {}

/** Why a revision must not be passed to git; undefined if it is safe. */
export function revisionProblem(rev: string): string | undefined {
  return /^(?:-|$)|[\0-\x1f\x7f:]/.test(rev)
    ? 'a revision must not be empty, start with -, or contain a colon or control character'
    : undefined;
}

/**
 * A file as it was at a revision, and its name in the repository; the file itself may have been deleted. Throws NotInRevisionError, or
 * RefusedError with git's reason or if the text has more than `most` bytes.
 *
 * Safe in hostile repositories, because nothing is run that they name:
 * - `cat-file --batch`, unlike `git show`, only looks up objects. It reads no index and no attributes, so it runs no file system monitor,
 *   filter or text conversion, and it calls no hook, pager or signature check.
 * - A missing object of a partial clone would be fetched, by a program of the repository's choice. GIT_NO_LAZY_FETCH forbids that since
 *   git 2.44; GIT_ALLOW_PROTOCOL forbids every transport, and no configuration can undo it, as it can `protocol.allow`.
 * - Git refuses repositories of other users, unless the user's `safe.directory` has them. It checks this only where it has to look for the
 *   repository, so it does, from the folder that has `.git`: a folder of sources below may look like a bare repository.
 * - Revision and name come by standard input, one a line, so they are no options in any version of git.
 *
 * The caller asks only for files that may be shown, so the repository is one that the user named or works in.
 */
export function readAtRevision(path: string, rev: string, most: number): { readonly bytes: Buffer; readonly name: string } {
  const refused = revisionProblem(rev);
  if (refused !== undefined) throw new RefusedError(refused);
  const file = existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  const root = repositoryOf(dirname(file));
  if (root === undefined) throw new RefusedError('not in a git repository');
  const name = relative(root, file);
  if (name.includes('\n')) throw new RefusedError('the file name contains a line break');
  const revision = resolveRevision(root, rev);
  const wanted = `${revision}^{commit}\n${revision}:${name}\n`;
  const { stdout, complaint } = runGit(root, ['cat-file', '--batch', '--follow-symlinks'], most, wanted);
  const complaintSuffix = complaint === '' ? '' : ` (${complaint})`;
  const commit = parseObjectAt(stdout, 0, 'commit');
  if (commit === undefined) throw new RefusedError(`${root} has no revision ${revision}${complaintSuffix}`);
  const text = parseObjectAt(stdout, commit.end, 'blob');
  if (text === undefined) throw new NotInRevisionError(`${rev} does not have ${name}${complaintSuffix}`);
  if (text.bytes.length > most) throw new RefusedError(`more than ${most} bytes`);
  return { bytes: text.bytes, name };
}

/** Why the user's repository lacks a revision; undefined if the revision exists or the reason is unknown. */
export function whyRevisionIsMissing(rev: string): string | undefined {
  const root = repositoryOf(currentFolder());
  if (root === undefined) return undefined;
  const ask = () => runGit(root, ['cat-file', '--batch'], OVERHEAD_BYTES, `${rev}^{commit}\n`).stdout;
  const answer = attempt<Buffer | undefined>(ask, undefined, RefusedError);
  return !answer || parseObjectAt(answer, 0, 'commit') ? undefined : `${root} has no revision ${rev}`;
}

/** The object whose header (`HASH TYPE SIZE`) starts at `from`, and its end; undefined if missing or of another type. */
function parseObjectAt(out: Buffer, from: number, type: 'commit' | 'blob'): { bytes: Buffer; end: number } | undefined {
  const header = out.indexOf('\n', from);
  const found = /^[0-9a-f]+ (\w+) (\d+)$/.exec(out.toString('latin1', from, Math.max(from, header)));
  if (found?.[1] !== type) return undefined;
  const end = header + 1 + Number(found[2]);
  return { bytes: out.subarray(header + 1, end), end: end + 1 };
}

/** The nearest folder with a `.git`, at or above a folder. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/** A revision's id. Names are resolved where the user is; in a submodule or repository below: the commit checked out there. */
function resolveRevision(root: string, rev: string): string {
  const outer = repositoryOf(dirname(root));
  if (outer === undefined || outer === root || isPathBelow(root, currentFolder()) || !isPathBelow(outer, currentFolder()))
    return rev;
  const args = ['ls-tree', `${resolveRevision(outer, rev)}^{commit}`, '--', relative(outer, root)];
  const listing = attempt(() => runGit(outer, args, OVERHEAD_BYTES).stdout.toString('latin1'), '', RefusedError);
  return /^160000 commit ([0-9a-f]+)\t/.exec(listing)?.[1] ?? rev;
}

// The fallback is '/', for a current folder that was deleted.
const currentFolder = (): string => attempt(() => realpathSync(process.cwd()), '/');

/** Runs git in a repository. Throws RefusedError with git's reason if it fails. `complaint`: its error output on success. */
function runGit(root: string, args: readonly string[], most: number, input = ''): { stdout: Buffer; complaint: string } {
  const program = findProgram('git');
  if (program === undefined) throw new RefusedError('git is not installed');
  if (stalledRepositories.has(root)) throw new RefusedError(STALLED_REASON);
  const options = ['-C', root, '--no-pager', ...GIT_SETTINGS.flatMap((setting) => ['-c', setting])];
  const { stdout, stderr, status, error } = spawnSync(program, [...options, ...args], {
    input,
    env: gitEnvironment(root),
    timeout: GIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: most + OVERHEAD_BYTES,
  });
  const [line = ''] = stderr?.toString('utf8').trim().split('\n') ?? [];
  const complaint = line.slice(0, 300).replace(/^fatal: /, '');
  if (status === 0) return { stdout, complaint };
  if (error && 'code' in error && error.code === 'ETIMEDOUT') {
    stalledRepositories.add(root);
    throw new RefusedError(STALLED_REASON);
  }
  if (error && 'code' in error && error.code === 'ENOBUFS') throw new RefusedError(`more than ${most} bytes`);
  throw new RefusedError(`git: ${complaint || (error ? systemReason(error) : `ended with ${status}`)}`);
}

/** The environment without variables that redirect git (a hook has GIT_DIR), but with the user's configuration. */
function gitEnvironment(root: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG_|EXEC_PATH$)/.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
  };
}
