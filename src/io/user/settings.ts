// The user's settings: their names, types and values. A setting replaces the default of a flag.
import { THEMES } from '../../base/style.ts';

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
