// Converts flags to options. flag-table.ts declares the flags.
import { orderTransforms, parseTransform, TRANSFORM_WORDS, type Transform } from '../analysis/profiles/transforms/transform.ts';
import { UsageError } from '../base/errors.ts';
import { readCommandLine } from './command-line.ts';
import { DEFAULT_SETTINGS, type Settings } from './config.ts';
import type { FlagValue } from './flag-spec.ts';
import { type FlagValues, flagSpecs, optionKeyOf } from './flag-table.ts';
import { parseFailIf } from './limits.ts';

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
