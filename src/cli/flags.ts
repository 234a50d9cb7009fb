// The options that the flags give. What the flags are is in flag-table.ts.

import type { Limit } from '../analysis/compare/limit-grammar.ts';
import { parseRename } from '../analysis/compare/renames.ts';
import { GRAINS, type Granularity } from '../analysis/stacks/granularity.ts';
import type { OwnPlaces } from '../analysis/transforms/own-code.ts';
import type { Transform } from '../analysis/transforms/transform.ts';
import { type Limits, limitNames, USUAL_LIMITS } from '../base/limits.ts';
import { THEMES, type ThemeName } from '../base/style.ts';
import { refusedRevision } from '../io/git.ts';
import type { SymbolOptions } from '../io/load.ts';
import { ownPlaces } from '../io/own-code.ts';
import { MEASURES, type Measure } from '../model/head.ts';
import { RUNS } from '../model/profile.ts';
import type { Settings } from './config.ts';
import { type FlagName, SHELLS, UNKNOWNS } from './flag-table.ts';
import { parseFailIf } from './limits.ts';
import { transformsOf } from './transforms.ts';
import { UsageError } from './usage-error.ts';
import type { Value } from './values.ts';
import type { VersusOptions } from './versus.ts';
import { readWords, type Word } from './words.ts';

/** Flags that only say how two runs are compared. */
const COMPARING = [
  'rename',
  'normalize',
  'runs',
  'base-source-dir',
  'base-rev',
  'measure',
] as const satisfies readonly FlagName[];

export interface Options {
  readonly paths: readonly string[];
  /** The names of the flags that were given. */
  readonly given: ReadonlySet<string>;
  /** What the user's settings wish for the screen, where the profile can follow. */
  readonly wished: Pick<Settings, 'sort' | 'columns' | 'keys'>;
  /** What has been read of standard input, where no path was named and a profile arrives on it. */
  readonly input: Uint8Array | undefined;
  readonly print: string | undefined;
  readonly form: 'text' | (typeof FORMS)[number];
  readonly csvSafe: boolean;
  /** What rows of --jsonl say of the run; undefined for the file's name. */
  readonly run: string | undefined;
  /** Notes that lie beside the profile are written, too. */
  readonly notes: boolean;
  readonly export: string | undefined;
  readonly output: string | undefined;
  /** Limits that decide the exit code. */
  readonly failIf: readonly Limit[];
  readonly at: number | undefined;
  readonly event: string | undefined;
  readonly derive: readonly string[];
  readonly columns: readonly string[];
  readonly sort: { readonly column: string; readonly descending: boolean | undefined } | undefined;
  readonly limit: number | undefined;
  readonly width: number | undefined;
  readonly filter: string;
  readonly routine: string | undefined;
  readonly inverted: boolean;
  readonly threshold: number | undefined;
  readonly contexts: boolean;
  /** What to compare with, and how. */
  readonly versus: VersusOptions;
  readonly measure: Measure;
  readonly parts: string | undefined;
  /** What counts, in the order in which it acts. */
  readonly transforms: readonly Transform[];
  /** Where one's own code is. */
  readonly own: OwnPlaces;
  /** What counted the last time, which is only offered. */
  readonly keptTransforms: readonly Transform[];
  readonly granularity: Granularity;
  readonly favourites: readonly string[];
  readonly symbols: SymbolOptions;
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
  readonly remember: boolean;
  readonly disassemble: boolean;
  readonly format: string | undefined;
  readonly formats: boolean;
  readonly limits: Limits;
  readonly check: boolean;
  readonly color: boolean;
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly mouse: boolean;
  readonly follow: boolean;
  readonly record: string | undefined;
  readonly play: string | undefined;
  readonly resume: boolean;
  readonly tour: boolean;
  readonly completion: (typeof SHELLS)[number] | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

const NO_WISHES: Options['wished'] = { sort: undefined, columns: [], keys: new Map() };

const FORMS = ['json', 'jsonl', 'csv', 'tsv', 'markdown', 'svg', 'quickfix'] as const;
/** Text of fewer columns has no room for names. */
export const NARROWEST = 40;

/** Parses the command line. Throws UsageError. */
/** `tell`: says what is wrong with a setting, which is then left out. */
export async function parseFlags(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  settings?: Settings,
  tell: (text: string) => void = () => {},
): Promise<Options> {
  const { words, paths } = readWords(argv);
  const values = await valuesIn(words);
  const alone = optionsOf(values, paths, env);
  let options = alone;
  try {
    options = optionsOf(new Map([...(settings?.values ?? []), ...values]), paths, env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell(`the settings are not used: ${error.message}`);
  }
  return { ...options, given: new Set(values.keys()), wished: settings ?? options.wished };
}

async function valuesIn(words: readonly Word[]): Promise<ReadonlyMap<string, Value>> {
  if (words.length === 0) return new Map();
  const { valuesOf } = await import('./values.ts');
  return valuesOf(words);
}

/** The number of a flag that counts something. */
function wholeNumber(flag: FlagName, value: number | undefined, least: number, what: string): number | undefined {
  if (value !== undefined && !(Number.isInteger(value) && value >= least))
    throw new UsageError(`--${flag} takes a whole number of ${what}${least > 0 ? ` from ${least}` : ''}`);
  return value;
}

/** Reads values by the names of their flags. */
function readerOf(values: ReadonlyMap<string, Value>) {
  return {
    text(name: FlagName) {
      const value = values.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    number(name: FlagName) {
      const value = values.get(name);
      return typeof value === 'number' ? value : undefined;
    },
    is: (name: FlagName) => values.get(name) === true,
    many(name: FlagName) {
      const value = values.get(name);
      return typeof value === 'object' ? value : [];
    },
  };
}

function optionsOf(values: ReadonlyMap<string, Value>, paths: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { text, number, is, many } = readerOf(values);
  const forms = FORMS.filter(is);
  if (forms.length > 1) throw new UsageError(`--${forms.join(' and --')}: only one form at a time`);
  const lone = values.has('base') ? undefined : COMPARING.find((name) => values.has(name));
  if (lone) throw new UsageError(`--${lone} says how runs are compared: --base PATH names the other one`);
  return {
    paths,
    given: new Set(values.keys()),
    wished: NO_WISHES,
    input: undefined,
    print: text('print'),
    form: forms[0] ?? 'text',
    csvSafe: is('csv-safe'),
    ...written({ text, is }),
    failIf: parseFailIf(many('fail-if'), values.has('base')),
    event: text('event'),
    derive: many('derive'),
    columns: (text('columns') ?? '').split(',').flatMap((name) => name.trim() || []),
    sort: parseSort(text('sort')),
    limit: wholeNumber('limit', number('limit'), 0, 'rows'),
    width: wholeNumber('width', number('width'), NARROWEST, 'columns'),
    filter: text('filter') ?? '',
    routine: text('routine'),
    inverted: is('inverted'),
    threshold: percentage(number('threshold')),
    at: number('at'),
    contexts: is('contexts'),
    versus: {
      bases: many('base'),
      renames: many('rename').map(parseRename),
      normalize: is('normalize'),
      how: oneOf('runs', text('runs'), RUNS, 'median'),
      sourceDirs: many('base-source-dir'),
      rev: revision(text('base-rev')),
      pathMaps: many('path-map').map(parseMap),
    },
    measure: oneOf('measure', text('measure'), MEASURES, 'delta'),
    parts: text('parts'),
    ...counted({ text, is, many }),
    favourites: [],
    granularity: {
      grain: oneOf('by', text('by'), GRAINS, 'routine'),
      unknowns: oneOf('unknown', text('unknown'), UNKNOWNS, 'object'),
    },
    symbols: {
      binaries: many('binary').map(parseBinary),
      dirs: many('symbol-path').flatMap((list) => list.split(':').filter((d) => d !== '')),
      maps: many('path-map').map(parseMap),
    },
    sourceDirs: many('source-dir'),
    pathMaps: many('path-map').map(parseMap),
    remember: is('remember'),
    disassemble: is('disassemble'),
    format: text('format'),
    formats: is('formats'),
    limits: parseLimits(many('max')),
    check: is('check'),
    ...looks({ text, is }, env),
    ...sessionOf({ text, is }),
    completion: values.has('completion') ? oneOf('completion', text('completion'), SHELLS, 'bash') : undefined,
    help: is('help'),
    version: is('version'),
  };
}

function counted(reader: Pick<ReturnType<typeof readerOf>, 'text' | 'is' | 'many'>) {
  const own = ownPlaces(reader.many('source-dir'), reader.many('path-map').map(parseMap));
  return { transforms: transformsOf(reader), own, keptTransforms: [] };
}

function sessionOf({ text, is }: Pick<ReturnType<typeof readerOf>, 'text' | 'is'>) {
  return { record: text('record'), play: text('play'), resume: is('resume'), tour: is('tour') };
}

function written({ text, is }: Pick<ReturnType<typeof readerOf>, 'text' | 'is'>) {
  return { notes: is('notes'), run: text('run'), export: text('export'), output: text('output') };
}

function looks({ text, is }: Pick<ReturnType<typeof readerOf>, 'text' | 'is'>, env: NodeJS.ProcessEnv) {
  return {
    color: !is('no-color') && wantsColor(env),
    theme: oneOf('theme', text('theme'), THEMES, 'auto'),
    ascii: is('ascii') || env['TERM'] === 'dumb' || !isUtf8(env),
    mouse: is('mouse'),
    follow: is('follow'),
  };
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

export function parseSort(text: string | undefined): Options['sort'] {
  if (text === undefined) return undefined;
  const m = /^(.+?)(?::(asc|desc))?$/.exec(text);
  if (!m) throw new UsageError('--sort takes COLUMN, COLUMN:asc or COLUMN:desc');
  return { column: m[1], descending: m[2] === undefined ? undefined : m[2] === 'desc' };
}

function percentage(given: number | undefined): number | undefined {
  if (given !== undefined && !(given >= 0 && given <= 100)) throw new UsageError('--threshold takes a percentage from 0 to 100');
  return given;
}

function revision(given: string | undefined): string | undefined {
  const refused = given === undefined ? undefined : refusedRevision(given);
  if (refused !== undefined) throw new UsageError(`--base-rev ${given}: ${refused}`);
  return given;
}

function oneOf<T extends string>(flag: FlagName, given: string | undefined, choices: readonly T[], usual: T): T {
  const found = given === undefined ? usual : choices.find((c) => c === given);
  if (found === undefined) throw new UsageError(`--${flag} ${given}: takes ${choices.join(', ')}`);
  return found;
}

const SIZES = new Map(Object.entries({ '': 1, K: 1 << 10, M: 1 << 20, G: 1 << 30 }));

/** `NAME=N`, where N may end in K, M or G; the last one of a name counts. */
function parseLimits(texts: readonly string[]): Limits {
  const limits: Record<keyof Limits, number> = { ...USUAL_LIMITS };
  for (const text of texts) {
    const m = /^([a-z]+)=(\d{1,15})([KMG]?)$/.exec(text);
    const name = limitNames.find((n) => n === m?.[1]);
    const value = Number(m?.[2]) * (SIZES.get(m?.[3] ?? '') ?? 1);
    if (name === undefined || !(value > 0))
      throw new UsageError(
        `--max ${text}: takes NAME=N, where NAME is ${limitNames.join(', ')} and N a number above 0 (K, M, G)`,
      );
    limits[name] = value;
  }
  return limits;
}

/** `OBJECT=PATH` or `PATH`. */
function parseBinary(text: string): readonly [string | null, string] {
  const eq = text.indexOf('=');
  if (eq === 0 || eq === text.length - 1 || text === '') throw new UsageError('--binary takes PATH or OBJECT=PATH');
  return eq < 0 ? [null, text] : [text.slice(0, eq), text.slice(eq + 1)];
}

function parseMap(text: string): readonly [string, string] {
  const eq = text.indexOf('=');
  if (eq < 1) throw new UsageError('--path-map takes FROM=TO');
  return [text.slice(0, eq), text.slice(eq + 1)];
}
