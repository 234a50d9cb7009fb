// Finds the programs that proftui runs: only in absolute folders of PATH, so that the current folder cannot supply its own.
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
