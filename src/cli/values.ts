// The values of flags, by meow. Loaded only when there are flags: a start without them does not wait for it.
import meow, { type AnyFlag } from 'meow';
import type { FlagSpec, Value } from './flag-spec.ts';
import type { Word } from './words.ts';

/** The flag as meow sees it. It reads `--no-color` as a denial of `color`. */
function declared({ type, many, name }: FlagSpec): AnyFlag {
  if (type === 'boolean') return { type, default: name.startsWith('no-') };
  if (type === 'number') return { type };
  return many ? { type, isMultiple: true } : { type };
}

/** The key of a flag in meow's declarations and results: `path-map` is `pathMap`. */
function keyOf(name: string): string {
  return name.replace(/^no-/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The values by the flags' names; flags that were not given are absent. */
export function valuesOf(words: readonly Word[]): ReadonlyMap<string, Value> {
  // Joined, a value cannot be taken for a flag; quoted, because the parser takes one pair of quotes off.
  const argv = words.map(({ flag, value }) => (value === undefined ? `--${flag.name}` : `--${flag.name}="${value}"`));
  const { flags } = meow('', {
    importMeta: import.meta,
    // Given, so that it looks for no package.json.
    pkg: { name: 'proftui' },
    argv,
    description: false,
    autoHelp: false,
    autoVersion: false,
    // Given options; defaults of the others would take half of the time.
    flags: Object.fromEntries(words.map(({ flag }) => [keyOf(flag.name), declared(flag)])),
  });
  const found = new Map<string, Value>();
  for (const { flag } of words) {
    const value = new Map(Object.entries(flags)).get(keyOf(flag.name));
    if (typeof value === 'boolean') found.set(flag.name, value !== flag.name.startsWith('no-'));
    else if (Array.isArray(value)) found.set(flag.name, value.map(String));
    else if (typeof value === 'string' || typeof value === 'number') found.set(flag.name, value);
  }
  return found;
}
