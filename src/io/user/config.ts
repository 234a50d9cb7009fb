// The user's settings file: ~/.config/proftui/config.json, or below $XDG_CONFIG_HOME. It must belong to the user.
import { join } from 'node:path';
import { FormatError } from '../../base/problem.ts';
import { isObject, type JsonObject, readJson } from '../../formats/shared/json.ts';
import { whileLocked } from '../disk/locked.ts';
import { folderForPurpose, privateFolder } from '../disk/private-folder.ts';
import { RefusedError, readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

const MAX_CONFIG_BYTES = 1 << 20;

/** The path of the settings file, whether it exists or not; undefined if the user's folder is unknown. */
export function configPath(): string | undefined {
  const folder = folderForPurpose('config');
  return folder === undefined ? undefined : join(folder, 'config.json');
}

/** The settings; empty without a file. Throws RefusedError for a link or another user's file, FormatError for invalid JSON. */
export function readConfig(): JsonObject {
  const path = configPath();
  if (path === undefined) return {};
  let file: ReturnType<typeof readRegular>;
  try {
    file = readRegular(path, MAX_CONFIG_BYTES, 'none');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return {};
    throw error;
  }
  if (file.stat.uid !== (process.getuid?.() ?? file.stat.uid)) throw new RefusedError('a file of another user');
  const read = readJson(file.bytes);
  if (isObject(read.value)) return read.value;
  throw new FormatError({ path, line: 1, expected: 'an object with settings', found: read.wrong ?? 'another value' });
}

/** Sets one setting and keeps all others; returns the file's path. Throws system errors, and the errors of readConfig(). */
export function changeConfig(name: string, value: unknown): string {
  const folder = privateFolder('config');
  if (folder === undefined) throw new RefusedError('no private folder for settings');
  const path = join(folder, 'config.json');
  whileLocked(path, () => replaceFile(path, `${JSON.stringify({ ...readConfig(), [name]: value }, null, 2)}\n`));
  return path;
}
