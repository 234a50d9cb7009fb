// Converts flags to options. flag-table.ts declares the flags.
import type { AnyFlag } from 'meow';
import { orderTransforms, parseTransform, TRANSFORM_WORDS, type Transform } from '../analysis/profiles/transforms/transform.ts';
import { UsageError } from '../base/errors.ts';
import { suggestionFor } from '../base/match.ts';
import { DEFAULT_SETTINGS, type Settings } from './config.ts';
import type { FlagSpec, FlagValue } from './flag-spec.ts';
import { type FlagValues, flagSpecs, optionKeyOf } from './flag-table.ts';
import { parseFailIf } from './flag-values.ts';

const OUTPUT_FORM_FLAGS = ['json', 'jsonl', 'csv', 'tsv', 'markdown', 'svg', 'quickfix'] as const;

export type FlagOptions = Awaited<ReturnType<typeof parseFlags>>;

/** Parses the command line. Throws UsageError. `onProblem`: called if the settings are invalid; they are then ignored. */
export async function parseFlags(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  settings?: Settings,
  onProblem: (text: string) => void = () => {},
) {
  const { values: typed, paths } = await readCommandLine(argv);
  const values = withPrintedView(typed);
  let options = optionsFromFlags(values, env);
  try {
    options = optionsFromFlags(new Map([...(settings?.values ?? []), ...values]), env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    onProblem(`the settings are not used: ${error.message}`);
  }
  return { ...options, paths, given: new Set(values.keys()), wished: settings ?? DEFAULT_SETTINGS };
}

const VIEWS_OF_FLAGS = { brief: 'brief', annotate: 'findings' } as const;

/** --brief is --print brief, and --annotate writes findings. Throws UsageError beside what else is to be written. */
function withPrintedView(values: ReadonlyMap<string, FlagValue>): ReadonlyMap<string, FlagValue> {
  const isGiven = (flag: string) => values.has(flag) && values.get(flag) !== false;
  const [flag, view] = Object.entries(VIEWS_OF_FLAGS).find(([name]) => isGiven(name)) ?? [];
  if (flag === undefined || view === undefined) return values;
  const rivals = ['export', 'check', 'annotate', ...(flag === 'annotate' ? OUTPUT_FORM_FLAGS : [])];
  if (values.has('print') && values.get('print') !== view) rivals.push('print');
  const rival = rivals.find((name) => name !== flag && isGiven(name));
  if (rival !== undefined) throw new UsageError(`--${flag} and --${rival}: one of them at a time`);
  return new Map([...values, ['print', view]]);
}

function optionsFromFlags(values: ReadonlyMap<string, FlagValue>, env: NodeJS.ProcessEnv) {
  const forms: ('text' | (typeof OUTPUT_FORM_FLAGS)[number])[] = OUTPUT_FORM_FLAGS.filter((name) => values.get(name) === true);
  if (forms.length > 1) throw new UsageError(`--${forms.join(' and --')}: only one form at a time`);
  const comparing = values.has('base') ? undefined : flagSpecs.find(({ name, group }) => group === 'compare' && values.has(name));
  if (comparing) throw new UsageError(`--${comparing.name} says how runs are compared: --base PATH names the other one`);
  const read = flagSpecs.map(({ name, key, read }) => [key, read(values.get(name), name)]);
  const flagValues: FlagValues = Object.fromEntries(read);
  return {
    ...flagValues,
    form: forms[0] ?? ('text' as const),
    filter: flagValues.filter ?? '',
    failIf: parseFailIf(flagValues.failIf, values.has('base')),
    transforms: transformsFromFlags(flagValues),
    granularity: { name: flagValues.by, unknowns: flagValues.unknown },
    symbols: {
      ...{ binaries: flagValues.binary, dirs: flagValues.symbolPath, maps: flagValues.pathMap },
      anyway: flagValues.symbolsAnyway,
    },
    sourceDirs: flagValues.sourceDir,
    pathMaps: flagValues.pathMap,
    limits: flagValues.max,
    color: !flagValues.noColor && (flagValues.color === 'auto' ? wantsColor(env) : flagValues.color === 'always'),
    ascii: flagValues.ascii || env['TERM'] === 'dumb' || !isUtf8(env),
  };
}

/** The transforms in order: --time, pprof's flags, --inlined, --only-own, --merge, --collapse, --apply. Throws ChoiceError. */
function transformsFromFlags(flagValues: FlagValues): Transform[] {
  return [
    ...(flagValues.time === undefined ? [] : [parseTransform(`time=${flagValues.time}`)]),
    ...orderTransforms(new Map(TRANSFORM_WORDS.map((word) => [word, flagValues[optionKeyOf(word)]]))),
    ...(flagValues.inlined ? [parseTransform('inlined')] : []),
    ...(flagValues.onlyOwn ? [parseTransform('only-own')] : []),
    ...flagValues.merge.map((pattern) => parseTransform(`merge=${pattern}`)),
    ...flagValues.collapse.map((what) => parseTransform(`collapse=${what}`)),
    ...flagValues.apply.map(parseTransform),
  ];
}

/** Whether to write colours. FORCE_COLOR overrides NO_COLOR and TERM, as in Node. */
function wantsColor(env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale ? /utf-?8/i.test(locale) : process.platform === 'win32';
}

// Parses the command line: flags with values (by meow), and paths. A check before meow rejects what meow accepts: unknown flags,
// clusters of letters, values for flags that take none, `--limit abc` (NaN), `--print` without a value.

const NUMBER_REGEX = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i; // bounded: an argument

/** The paths, and the values of the flags on the command line by name. Throws UsageError for an invalid flag. */
async function readCommandLine(
  argv: readonly string[],
): Promise<{ readonly values: ReadonlyMap<string, FlagValue>; readonly paths: readonly string[] }> {
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
async function parseFlagWords(argv: readonly string[], given: readonly FlagSpec[]): Promise<ReadonlyMap<string, FlagValue>> {
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
