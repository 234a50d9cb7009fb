// The options that the flags give. What the flags are is in flag-table.ts.
import { inFixedOrder, parseTransform, type Transform, WORDS } from '../analysis/profiles/transforms/transform.ts';
import { UsageError } from '../base/errors.ts';
import { readCommandLine } from './command-line.ts';
import type { Settings } from './config.ts';
import type { Value } from './flag-spec.ts';
import { type FlagName, flagSpecs, keyOf, type Said } from './flag-table.ts';
import { parseFailIf } from './limits.ts';

/** Flags that only say how two runs are compared. */
const COMPARING = [
  'rename',
  'normalize',
  'samples',
  'runs',
  'base-source-dir',
  'base-rev',
  'measure',
] as const satisfies readonly FlagName[];
const FORMS = ['json', 'jsonl', 'csv', 'tsv', 'markdown', 'svg', 'quickfix'] as const;

export type Options = Awaited<ReturnType<typeof parseFlags>>;

const NO_WISHES: Omit<Settings, 'values'> = { sort: undefined, columns: [], keys: new Map(), panes: 'two' };

/** Parses the command line. Throws UsageError. `tell`: says what is wrong with a setting, which is then left out. */
export async function parseFlags(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  settings?: Settings,
  tell: (text: string) => void = () => {},
) {
  const { values, paths } = await readCommandLine(argv);
  let options = optionsOf(values, env);
  try {
    options = optionsOf(new Map([...(settings?.values ?? []), ...values]), env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell(`the settings are not used: ${error.message}`);
  }
  return { ...options, paths, given: new Set(values.keys()), wished: settings ?? NO_WISHES };
}

function optionsOf(values: ReadonlyMap<string, Value>, env: NodeJS.ProcessEnv) {
  const forms: ('text' | (typeof FORMS)[number])[] = FORMS.filter((name) => values.get(name) === true);
  if (forms.length > 1) throw new UsageError(`--${forms.join(' and --')}: only one form at a time`);
  const lone = values.has('base') ? undefined : COMPARING.find((name) => values.has(name));
  if (lone) throw new UsageError(`--${lone} says how runs are compared: --base PATH names the other one`);
  const read = flagSpecs.map(({ name, key, read }) => [key, read(values.get(name), name)]);
  const said: Said = Object.fromEntries(read);
  return {
    ...said,
    form: forms[0] ?? ('text' as const),
    filter: said.filter ?? '',
    failIf: parseFailIf(said.failIf, values.has('base')),
    transforms: transformsOf(said),
    granularity: { grain: said.by, unknowns: said.unknown },
    symbols: { binaries: said.binary, dirs: said.symbolPath, maps: said.pathMap },
    sourceDirs: said.sourceDir,
    pathMaps: said.pathMap,
    limits: said.max,
    color: !said.noColor && wantsColor(env),
    ascii: said.ascii || env['TERM'] === 'dumb' || !isUtf8(env),
  };
}

/** In the order in which they act: time, pprof's words in pprof's order, one's own code, what becomes one, and --apply. Throws ChoiceError. */
function transformsOf(said: Said): Transform[] {
  return [
    ...(said.time === undefined ? [] : [parseTransform(`time=${said.time}`)]),
    ...inFixedOrder(new Map(WORDS.map((word) => [word, said[keyOf(word)]]))),
    ...(said.inlined ? [parseTransform('inlined')] : []),
    ...(said.onlyOwn ? [parseTransform('only-own')] : []),
    ...said.merge.map((pattern) => parseTransform(`merge=${pattern}`)),
    ...said.collapse.map((what) => parseTransform(`collapse=${what}`)),
    ...said.apply.map(parseTransform),
  ];
}

/** FORCE_COLOR counts for more than the others, as in Node itself. */
function wantsColor(env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  // Containers and ssh sessions often have no locale, though their terminals do support UTF-8.
  return !locale || /utf-?8/i.test(locale);
}
