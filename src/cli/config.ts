// The user's settings. A setting is the default of its flag; invalid settings are reported and ignored.

import { attempt } from '../base/attempt.ts';
import type { JsonObject } from '../formats/shared/json.ts';
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

/** The settings of a user without any. */
export const DEFAULT_SETTINGS: Settings = {
  values: new Map(),
  sort: undefined,
  columns: [],
  shown: [],
  keys: new Map(),
  panes: 'two',
};

/** Reads the user's settings. Passes problems of invalid settings to `onProblem` and skips these settings. */
export function readSettings(read: () => JsonObject = readConfig, onProblem: (text: string) => void = writeNotice): Settings {
  let config: JsonObject;
  try {
    config = read();
  } catch (error) {
    onProblem(`${configPath() ?? 'config.json'} is not used: ${refusalText(error)}`);
    return DEFAULT_SETTINGS;
  }
  const values = new Map<string, FlagValue>();
  let { sort, columns, shown, keys, panes } = DEFAULT_SETTINGS;
  for (const [name, value] of Object.entries(config)) {
    if (name === '$schema') continue;
    const spec = SETTINGS.find((s) => s.name === name);
    const why = spec ? settingProblem(spec, value) : `there are ${SETTINGS.map((s) => s.name).join(', ')}`;
    if (!spec || why !== undefined) {
      onProblem(`${configPath() ?? 'config.json'}: ${name}: ${why}`);
      continue;
    }
    if (name === 'sort') sort = String(value);
    else if (name === 'panes') panes = value === 'one' ? 'one' : 'two';
    else if (name === 'columns' && Array.isArray(value)) columns = value.map(String);
    else if (name === 'shown' && Array.isArray(value)) shown = value.map(String);
    else if (name === 'keys' && typeof value === 'object' && value !== null)
      keys = new Map(Object.entries(value).map(([from, to]) => [from, String(to)]));
    else if (spec.flag && Array.isArray(value)) values.set(spec.flag, value.map(String));
    else if (spec.flag && (typeof value === 'string' || value === true)) values.set(spec.flag, value);
  }
  return { values, sort, columns, shown, keys, panes };
}

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
