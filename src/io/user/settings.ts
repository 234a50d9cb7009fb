// The user's settings: their names, types and values, and their file. A setting replaces the default of a flag.

import { join } from 'node:path';
import { FormatError } from '../../base/problem.ts';
import { THEMES } from '../../base/style.ts';
import { isObject, type JsonObject, readJson } from '../../formats/shared/json.ts';
import { whileLocked } from '../disk/locked.ts';
import { folderForPurpose, privateFolder } from '../disk/private-folder.ts';
import { RefusedError, readRegular } from '../disk/regular.ts';
import { replaceFile } from '../disk/writing.ts';

export interface SettingSpec {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'list' | 'keys';
  /** The flag whose default the setting replaces; absent for settings that affect only the screen. */
  readonly flag?: string;
  readonly values?: readonly string[];
  readonly help: string;
}

/** The settings, in the order of --show-config, of the schema and of the guide. */
export const SETTINGS: readonly SettingSpec[] = [
  {
    name: 'theme',
    type: 'string',
    flag: 'theme',
    values: THEMES,
    help: 'colours for a dark or a light screen, with high contrast, none, or auto (ask the terminal)',
  },
  { name: 'ascii', type: 'boolean', flag: 'ascii', help: 'use only ASCII characters for marks and lines' },
  { name: 'mouse', type: 'boolean', flag: 'mouse', help: 'click rows, tabs and headings, scroll with the wheel' },
  { name: 'sort', type: 'string', help: 'the first sort column of views that have it: inclusive, name:asc' },
  {
    name: 'columns',
    type: 'list',
    help: 'further events to show in Routines, Lines, Source and Instrs, if the profile has them',
  },
  {
    name: 'shown',
    type: 'list',
    help: 'the columns of a view for a kind of profile, as c keeps them: callgraph routines: self, routine',
  },
  { name: 'panes', type: 'string', values: ['two', 'one'], help: 'views side by side on a screen of 160 columns and more' },
  { name: 'source-dir', type: 'list', flag: 'source-dir', help: 'folders to search for sources' },
  { name: 'symbol-path', type: 'list', flag: 'symbol-path', help: 'folders to search for binaries and debug files' },
  { name: 'path-map', type: 'list', flag: 'path-map', help: 'FROM=TO: sources recorded under FROM are at TO' },
  { name: 'compiler', type: 'list', flag: 'compiler', help: 'programs of build traces that compile: mycc, zig c++' },
  { name: 'keys', type: 'keys', help: 'further names of keys: {"ctrl-n": "j"}' },
];

/** Why a value is invalid for a setting; undefined if it is valid. */
export function settingProblem({ type, values, name }: SettingSpec, value: unknown): string | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : `${name} is true or false`;
  if (type === 'list')
    return Array.isArray(value) && value.every((v) => typeof v === 'string') ? undefined : `${name} is a list of texts`;
  if (type === 'keys') {
    if (typeof value !== 'object' || value === null || !Object.values(value).every((v) => typeof v === 'string'))
      return `${name} is an object of key names`;
    return 'ctrl-c' in value ? 'ctrl-c always quits: give another key' : undefined;
  }
  if (typeof value !== 'string') return `${name} is a text`;
  return values && !values.includes(value) ? `${name} is one of ${values.join(', ')}` : undefined;
}

/** Parses `theme light`, `mouse on` or `columns Dr,Dw`. Throws Error with the valid values. */
export function parseSetting(text: string): readonly [spec: SettingSpec, value: unknown] {
  const [name, ...words] = text.trim().split(/\s+/);
  const spec = SETTINGS.find((s) => s.name === name);
  if (!spec) throw new Error(`there is no setting ${name}; there are ${SETTINGS.map((s) => s.name).join(', ')}`);
  const value = parseValue(spec, words.join(' '));
  const why = settingProblem(spec, value);
  if (why !== undefined) throw new Error(why);
  return [spec, value];
}

function parseValue({ type }: SettingSpec, text: string): unknown {
  if (type === 'boolean')
    return ['on', 'true', 'yes', ''].includes(text) ? true : ['off', 'false', 'no'].includes(text) ? false : text;
  if (type === 'list') return text.split(',').flatMap((word) => word.trim() || []);
  if (type !== 'keys') return text;
  return Object.fromEntries(text.split(',').map((pair) => pair.trim().split('=')));
}

const MAX_CONFIG_BYTES = 1 << 20;

/** The path of the settings file, ~/.config/proftui/config.json or below $XDG_CONFIG_HOME, whether it exists or not; undefined if the user's folder is unknown. */
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
