// Finds programs only in absolute folders of PATH, so that the current folder cannot supply its own, and limits their memory.
import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { attempt } from '../base/attempt.ts';

/** The path of a program; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const isProgram = (path: string) =>
    attempt(() => {
      accessSync(path, constants.X_OK);
      return true;
    }, false);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

let killsWithParent: boolean | undefined;

/**
 * Starts a program with bounds: the system ends it when proftui ends, however that ends, and it gets at most `memoryBytes` of address space. Where
 * setpriv or prlimit (util-linux) are missing, that bound is missing, too. Its environment names no servers to ask for debug files.
 */
export function startProgram(
  path: string,
  args: readonly string[],
  { memoryBytes, env, ...options }: SpawnOptionsWithoutStdio & { readonly memoryBytes?: number },
): ChildProcessWithoutNullStreams {
  const setpriv = findProgram('setpriv');
  const prlimit = memoryBytes === undefined ? undefined : findProgram('prlimit');
  const deathSignal = ['--pdeathsig', 'KILL', '--'];
  // Older versions of the program lack the option.
  killsWithParent ??= setpriv !== undefined && spawnSync(setpriv, [...deathSignal, setpriv, '--version']).status === 0;
  const words = [
    ...(setpriv !== undefined && killsWithParent ? [setpriv, ...deathSignal] : []),
    ...(prlimit === undefined ? [] : [prlimit, `--as=${memoryBytes}`, '--']),
    path,
    ...args,
  ];
  const { DEBUGINFOD_URLS: _, ...offline } = process.env;
  const child = spawn(words[0], words.slice(1), { ...options, env: { ...offline, ...env } });
  // A program that exits early closes its input pipe, and its error output is reported instead.
  child.stdin.on('error', () => {});
  return endWithProgram(child);
}

/** At about this length, what a program complains of is cut. */
const MAX_COMPLAINT_LENGTH = 2000;

/** Waits for the end of a program: its exit code or signal, undefined if it could not run, and the start of its error output, or why not. */
export function endOf(child: ChildProcessWithoutNullStreams) {
  let said = '';
  child.stderr.on('data', (d: Buffer) => {
    if (said.length < MAX_COMPLAINT_LENGTH) said += d.toString();
  });
  return new Promise<{ readonly code?: number | null; readonly by?: NodeJS.Signals | null; readonly said: string }>((resolve) => {
    child.on('error', ({ message }) => resolve({ said: message }));
    child.on('close', (code, by) => resolve({ code, by, said }));
  });
}

const runningPrograms = new Set<ChildProcessWithoutNullStreams>();

/** Kills the child programs that still run, because their results are no longer needed. */
export function killRunning(): void {
  for (const child of runningPrograms) child.kill('SIGKILL');
}

/** Kills the child program when proftui ends, if the child still runs then. */
function endWithProgram(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  if (runningPrograms.size === 0) process.on('exit', killRunning);
  runningPrograms.add(child);
  const remove = () => {
    runningPrograms.delete(child);
    if (runningPrograms.size === 0) process.off('exit', killRunning);
  };
  child.once('close', remove).once('error', remove);
  return child;
}
