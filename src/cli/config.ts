// The user's settings. A setting is the default of its flag; invalid settings are reported and ignored.

import { attempt } from '../base/attempt.ts';
import { type JsonObject, objectOf } from '../formats/shared/json.ts';
import { refusalText } from '../io/disk/regular.ts';
import { configPath, readConfig, SETTINGS, settingProblem } from '../io/user/settings.ts';
import type { FlagValue } from './flag-spec.ts';
import { writeNotice } from './output.ts';

/** The user's valid settings. */
export interface Settings {
  readonly values: ReadonlyMap<string, FlagValue>;
  readonly sort: string | undefined;
  readonly columns: readonly string[];
  /** Kind of profile, view, and the columns that it shows: `callgraph routines: self, routine`. */
  readonly shown: readonly string[];
  readonly keys: ReadonlyMap<string, string>;
  /** The number of views side by side on a wide screen. */
  readonly panes: 'one' | 'two';
}

/** Reads the user's settings. Passes problems of invalid settings to `onProblem` and skips these settings. */
export function readSettings(read: () => JsonObject = readConfig, onProblem: (text: string) => void = writeNotice): Settings {
  let config: JsonObject = {};
  try {
    config = read();
  } catch (error) {
    onProblem(`${configPath() ?? 'config.json'} is not used: ${refusalText(error)}`);
  }
  const values = new Map<string, FlagValue>();
  const own = new Map<string, unknown>();
  for (const [name, value] of Object.entries(config)) {
    if (name === '$schema') continue;
    const spec = SETTINGS.find((s) => s.name === name);
    const why = spec ? settingProblem(spec, value) : `there are ${SETTINGS.map((s) => s.name).join(', ')}`;
    if (!spec || why !== undefined) {
      onProblem(`${configPath() ?? 'config.json'}: ${name}: ${why}`);
      continue;
    }
    own.set(name, value);
    if (spec.flag && Array.isArray(value)) values.set(spec.flag, value.map(String));
    else if (spec.flag && (typeof value === 'string' || value === true)) values.set(spec.flag, value);
  }
  const [sort, columns, shown, keys] = ['sort', 'columns', 'shown', 'keys'].map((name) => own.get(name));
  return {
    values,
    sort: sort === undefined ? undefined : String(sort),
    columns: Array.isArray(columns) ? columns.map(String) : [],
    shown: Array.isArray(shown) ? shown.map(String) : [],
    keys: new Map(Object.entries(objectOf(keys)).map(([from, to]) => [from, String(to)])),
    panes: own.get('panes') === 'one' ? 'one' : 'two',
  };
}

/** The settings of a user without any. */
export const DEFAULT_SETTINGS = readSettings(() => ({}));

/** The text of --show-config: each setting with its value, and the problem if the setting is invalid. */
export function configText(): string {
  // readSettings() has already reported a problem with the file.
  const config = attempt(readConfig, {});
  const rows = SETTINGS.map((spec) => {
    const value = Object.hasOwn(config, spec.name) ? config[spec.name] : undefined;
    const why = value === undefined ? undefined : settingProblem(spec, value);
    const valueText = value === undefined ? '(not set)' : why === undefined ? JSON.stringify(value) : `(not used: ${why})`;
    return `${spec.name.padEnd(12)} ${valueText}\n${' '.repeat(13)}${spec.help}`;
  });
  return [`settings of ${configPath() ?? '(no folder of yours)'}`, '', ...rows].join('\n');
}
