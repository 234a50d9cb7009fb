// Parses the command line: flags with values (by meow), and paths. A check before meow rejects what meow accepts: unknown flags,
// clusters of letters, values for flags that take none, `--limit abc` (NaN), `--print` without a value.
import type { AnyFlag } from 'meow';
import { UsageError } from '../base/errors.ts';
import { suggestionFor } from '../base/match.ts';
import type { FlagSpec, FlagValue } from './flag-spec.ts';
import { flagSpecs } from './flag-table.ts';

/** Flag values by flag name; flags that are not on the command line are absent. */
export interface CommandLine {
  readonly values: ReadonlyMap<string, FlagValue>;
  readonly paths: readonly string[];
}

const NUMBER_REGEX = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i; // bounded: an argument

/** Splits the command line into flags and paths. Throws UsageError for an invalid flag. */
export async function readCommandLine(argv: readonly string[]): Promise<CommandLine> {
  const given = new Set<FlagSpec>();
  const words: string[] = [];
  const paths: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i];
    if (arg === '--') {
      paths.push(...argv.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      paths.push(arg);
      continue;
    }
    const flag = findFlag(arg);
    given.add(flag);
    const equals = arg.indexOf('=');
    if (flag.type === 'boolean') {
      if (equals >= 0) throw new UsageError(`--${flag.name} takes no value`);
      words.push(`--${flag.key}`);
      continue;
    }
    // `--filter -x`: the next word is the value even if it starts with one dash; with two dashes, it is a flag.
    const value = equals >= 0 ? arg.slice(equals + 1) : argv[++i];
    if (value === undefined || (equals < 0 && value.startsWith('--')))
      throw new UsageError(`--${flag.name} needs a value: ${flag.arg}`);
    if (flag.type === 'number' && !NUMBER_REGEX.test(value)) throw new UsageError(`--${flag.name} takes a number, not ${value}`);
    // The form `--flag="value"` keeps meow from reading the value as a flag; meow removes one pair of quotes.
    words.push(`--${flag.key}="${value}"`);
  }
  return { values: given.size > 0 ? await parseFlagWords(words, [...given]) : new Map(), paths };
}

/** Finds the flag of an argument such as `--limit=5` or `-h`. Throws UsageError for an unknown flag. */
function findFlag(arg: string): FlagSpec {
  const [name] = arg.slice(2).split('=', 1);
  const isLong = arg.startsWith('--');
  const found = flagSpecs.find((f) => (isLong ? f.name === name : f.short === arg.slice(1)));
  if (found) return found;
  if (!isLong) throw new UsageError(`unknown flag ${arg}; flags start with two dashes, as in --help`);
  const flags = flagSpecs.map((f) => `--${f.name}`);
  throw new UsageError(`unknown flag ${arg}${suggestionFor(`--${name.replace(/^no-/, '')}`, flags)}`);
}

/** Parses the flags with meow. meow is imported here, so that a start without flags does not load it. */
async function parseFlagWords(argv: readonly string[], given: readonly FlagSpec[]): Promise<CommandLine['values']> {
  const { default: meow } = await import('meow');
  // Declares only the flags on the command line to meow: declaring all flags would take twice as long.
  const declared = given.map(({ key, type, many }): [string, AnyFlag] => [key, many ? { type, isMultiple: true } : { type }]);
  try {
    const { flags } = meow('', {
      importMeta: import.meta,
      // Without `pkg`, meow would search for a package.json.
      pkg: { name: 'proftui' },
      argv,
      description: false,
      autoHelp: false,
      autoVersion: false,
      flags: Object.fromEntries(declared),
    });
    const byKey = new Map<string, unknown>(Object.entries(flags));
    return new Map(given.map(({ name, key }) => [name, requireFlagValue(byKey.get(key))]));
  } catch (error) {
    // For example: "The flag --limit can only be set once."
    if (error instanceof Error) throw new UsageError(error.message);
    throw error;
  }
}

function requireFlagValue(value: unknown): FlagValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(`a flag's value is a ${typeof value}`);
}
