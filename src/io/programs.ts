// Finds and bounds the programs that proftui runs: only in absolute folders of PATH, so that the current folder cannot supply its own.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of a program; undefined if it is not installed. */
export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** The environment of programs that read objects: without servers that they would ask for debug files. */
export function offlineEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { DEBUGINFOD_URLS: _, ...rest } = env;
  return rest;
}

let killsWithParent: boolean | undefined;

/**
 * A command with bounds, for spawn(): the system ends it when proftui ends, however that ends, and it gets at most `memoryBytes` of address
 * space. Where setpriv or prlimit (util-linux) are missing, that bound is missing, too.
 */
export function boundedCommand(path: string, args: readonly string[], memoryBytes?: number): [command: string, args: string[]] {
  const setpriv = findProgram('setpriv');
  const prlimit = memoryBytes === undefined ? undefined : findProgram('prlimit');
  const deathSignal = ['--pdeathsig', 'KILL', '--'];
  // Older versions lack the option.
  killsWithParent ??= setpriv !== undefined && spawnSync(setpriv, [...deathSignal, setpriv, '--version']).status === 0;
  const words = [
    ...(setpriv !== undefined && killsWithParent ? [setpriv, ...deathSignal] : []),
    ...(prlimit === undefined ? [] : [prlimit, `--as=${memoryBytes}`, '--']),
    path,
    ...args,
  ];
  return [words[0], words.slice(1)];
}

const running = new Set<ChildProcess>();

function killRunning(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Kills the program at the end of this one, if it still runs then. */
export function endWithProgram<Child extends ChildProcess>(child: Child): Child {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(child);
  const remove = () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killRunning);
  };
  child.once('close', remove).once('error', remove);
  return child;
}
