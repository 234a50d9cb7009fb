// The user's settings: which there are, what they may say, and what the program makes of them. A setting stands for a flag that was not given.

import { FormatError } from '../base/problem.ts';
import type { JsonObject } from '../formats/shared/json.ts';
import { refusal } from '../io/disk/regular.ts';
import { configPath, readConfig } from '../io/user/config.ts';
import { SETTINGS, wrongSetting } from '../io/user/settings.ts';
import type { Value } from './flag-spec.ts';
import { complainOf } from './output.ts';

/** Settings as they count: what is wrong has been left out, and said. */
export interface Settings {
  readonly values: ReadonlyMap<string, Value>;
  readonly sort: string | undefined;
  readonly columns: readonly string[];
  readonly keys: ReadonlyMap<string, string>;
  /** Views side by side on a wide screen. */
  readonly panes: 'one' | 'two';
}

const NO_SETTINGS: Settings = { values: new Map(), sort: undefined, columns: [], keys: new Map(), panes: 'two' };

/** The settings of the user's file; what is wrong in it is told and left out. */
export function settingsOf(read: () => JsonObject = readConfig, tell: (text: string) => void = complainOf): Settings {
  let said: JsonObject;
  try {
    said = read();
  } catch (error) {
    tell(`${configPath() ?? 'config.json'} is not used: ${error instanceof FormatError ? error.message : refusal(error)}`);
    return NO_SETTINGS;
  }
  const values = new Map<string, Value>();
  const out = { ...NO_SETTINGS, values };
  let { sort, columns, keys, panes } = NO_SETTINGS;
  for (const [name, value] of Object.entries(said)) {
    if (name === '$schema') continue;
    const spec = SETTINGS.find((s) => s.name === name);
    const why = spec ? wrongSetting(spec, value) : `there are ${SETTINGS.map((s) => s.name).join(', ')}`;
    if (!spec || why !== undefined) {
      tell(`${configPath() ?? 'config.json'}: ${name}: ${why}`);
      continue;
    }
    if (name === 'sort') sort = String(value);
    else if (name === 'panes') panes = value === 'one' ? 'one' : 'two';
    else if (name === 'columns' && Array.isArray(value)) columns = value.map(String);
    else if (name === 'keys' && typeof value === 'object' && value !== null)
      keys = new Map(Object.entries(value).map(([from, to]) => [from, String(to)]));
    else if (spec.flag && Array.isArray(value)) values.set(spec.flag, value.map(String));
    else if (spec.flag && (typeof value === 'string' || value === true)) values.set(spec.flag, value);
  }
  return { ...out, sort, columns, keys, panes };
}

/** --show-config: each setting, what it says, and what is wrong with it. */
export function shownConfig(): string {
  let said: JsonObject = {};
  try {
    said = readConfig();
  } catch {
    // settingsOf() has said why.
  }
  const rows = SETTINGS.map((spec) => {
    const value = Object.hasOwn(said, spec.name) ? said[spec.name] : undefined;
    const why = value === undefined ? undefined : wrongSetting(spec, value);
    const shown = value === undefined ? '(not set)' : why === undefined ? JSON.stringify(value) : `(not used: ${why})`;
    return `${spec.name.padEnd(12)} ${shown}\n${' '.repeat(13)}${spec.help}`;
  });
  return [`settings of ${configPath() ?? '(no folder of yours)'}`, '', ...rows].join('\n');
}
