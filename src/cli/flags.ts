// The flags, declared once for parsing, --help and the README.

import { parseArgs } from 'node:util';
import { GRAINS, type Granularity } from '../analysis/stacks/granularity.ts';
import { rank } from '../base/match.ts';
import type { SymbolOptions } from '../io/load.ts';
import { CMAKE_HELP } from './cmake.ts';
import { UsageError } from './usage-error.ts';

export interface FlagSpec {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'number';
  readonly arg?: string;
  readonly many?: boolean;
  readonly help: string;
}

// Names as they are typed, without the two dashes.
export const FLAGS = [
  { name: 'print', type: 'string', arg: 'VIEW', help: 'print a view to standard output instead of opening the screen' },
  { name: 'json', type: 'boolean', help: 'print as JSON' },
  { name: 'csv', type: 'boolean', help: 'print as CSV' },
  { name: 'tsv', type: 'boolean', help: 'print as tab-separated values' },
  { name: 'svg', type: 'boolean', help: 'print as an SVG picture (curve)' },
  { name: 'event', type: 'string', arg: 'NAME', help: 'event to show and sort by (default: the first)' },
  {
    name: 'derive',
    type: 'string',
    arg: 'NAME=FORMULA',
    many: true,
    help: "define an event: 'Cost=Ir + 10 L1m', 'CPI=CEst/Ir'",
  },
  { name: 'sort', type: 'string', arg: 'COLUMN[:asc|:desc]', help: 'column to sort the rows by' },
  { name: 'limit', type: 'number', arg: 'N', help: 'maximum number of rows (default: 40 for text; all for JSON, CSV, TSV)' },
  { name: 'filter', type: 'string', arg: 'TEXT', help: 'only rows that match: fuzzy, /regular expression/; ! in front inverts' },
  { name: 'routine', type: 'string', arg: 'NAME', help: 'the routine for source, instrs, calls, lines, inputs, curve, curves' },
  { name: 'inverted', type: 'boolean', help: 'tree: bottom-up, from each costly routine to its callers' },
  { name: 'contexts', type: 'boolean', help: 'inputs: points by calling context instead of by routine' },
  { name: 'at', type: 'number', arg: 'SIZE', help: 'curve: predict the cost at a size that was not measured' },
  {
    name: 'base',
    type: 'string',
    arg: 'PATH',
    help: 'baseline to compare with: a run (laws before and after) or a build (steps slower, faster, new, gone)',
  },
  { name: 'parts', type: 'string', arg: 'LIST', help: 'only these parts, numbered as in Info: 1,3-5' },
  {
    name: 'by',
    type: 'string',
    arg: 'GRAIN',
    help: 'group sampled stacks by address, line, routine (default), file or object; slices of a trace by detail',
  },
  {
    name: 'unknown',
    type: 'string',
    arg: 'KIND',
    help: 'addresses without a symbol: one routine per object (default) or per address',
  },
  {
    name: 'binary',
    type: 'string',
    arg: '[OBJECT=]PATH',
    many: true,
    help: 'current location of the program, or of an object in the profile',
  },
  { name: 'symbol-path', type: 'string', arg: 'DIR[:DIR]', many: true, help: 'folders to search for binaries and debug files' },
  { name: 'source-dir', type: 'string', arg: 'DIR', many: true, help: 'folder to search for sources' },
  { name: 'path-map', type: 'string', arg: 'FROM=TO', many: true, help: 'sources recorded under FROM are at TO' },
  { name: 'remember', type: 'boolean', help: 'save --source-dir and --path-map for this folder (in .proftui.json)' },
  { name: 'disassemble', type: 'boolean', help: 'instrs: include the disassembly, from objdump' },
  { name: 'format', type: 'string', arg: 'NAME', help: 'read as this format, whatever the file looks like' },
  { name: 'formats', type: 'boolean', help: 'list the formats and what each provides' },
  { name: 'check', type: 'boolean', help: 'load, check all invariants, print warnings; exit 1 if any fails or data is cut off' },
  { name: 'no-color', type: 'boolean', help: 'no colours (also: NO_COLOR, TERM=dumb)' },
  { name: 'ascii', type: 'boolean', help: 'use only ASCII characters for marks and lines' },
  { name: 'record', type: 'string', arg: 'FILE', help: "write the session's actions as JSON lines" },
  { name: 'play', type: 'string', arg: 'FILE', help: 'replay recorded actions' },
  { name: 'help', type: 'boolean', help: 'this text' },
  { name: 'version', type: 'boolean', help: 'the version' },
] as const satisfies readonly FlagSpec[];

export interface Options {
  readonly paths: readonly string[];
  readonly print: string | undefined;
  readonly form: 'text' | 'json' | 'csv' | 'tsv' | 'svg';
  readonly at: number | undefined;
  readonly event: string | undefined;
  readonly derive: readonly string[];
  readonly sort: { readonly column: string; readonly descending: boolean | undefined } | undefined;
  readonly limit: number | undefined;
  readonly filter: string;
  readonly routine: string | undefined;
  readonly inverted: boolean;
  readonly contexts: boolean;
  readonly base: string | undefined;
  readonly parts: string | undefined;
  readonly granularity: Granularity;
  readonly favourites: readonly string[];
  readonly symbols: SymbolOptions;
  readonly sourceDirs: readonly string[];
  readonly pathMaps: readonly (readonly [from: string, to: string])[];
  readonly remember: boolean;
  readonly disassemble: boolean;
  readonly format: string | undefined;
  readonly formats: boolean;
  readonly check: boolean;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly record: string | undefined;
  readonly play: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

export function helpText(): string {
  const left = (f: FlagSpec) => `  --${f.name}${f.arg ? ' ' + f.arg : ''}`;
  const width = Math.max(...FLAGS.map((f) => left(f).length).filter((n) => n <= 27)) + 1;
  const rows = FLAGS.map((f) => (left(f).length < width ? left(f).padEnd(width) : left(f) + '\n' + ' '.repeat(width)) + f.help);
  return [
    'usage: proftui [options] [path ...]',
    '       proftui cmake enable BUILD | disable BUILD',
    '',
    'path: a profile, a folder of profiles, several files of one run (threads, parts), a build tree, or - for',
    'standard input. Without one: the newest profile in this folder.',
    ...CMAKE_HELP,
    '',
    ...rows,
    '',
    'Exit: 0 success, 1 bad file (or a failed check), 2 bad flags.',
  ].join('\n');
}

/** Parses the command line. Throws UsageError. */
export function parseFlags(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  checkNames(argv);
  const { values, positionals } = parsed(argv);
  const text = (name: string) => values[name]?.at(-1) as string | undefined;
  const is = (name: string) => values[name]?.at(-1) === true;
  const many = (name: string) => (values[name] as string[] | undefined) ?? [];
  const number = (name: string) => (text(name) === undefined ? undefined : Number(text(name)));
  const forms = (['json', 'csv', 'tsv', 'svg'] as const).filter(is);
  if (forms.length > 1) throw new UsageError(`--${forms.join(' and --')}: only one form at a time`);
  const limit = number('limit');
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 0))
    throw new UsageError('--limit takes a whole number of rows');
  return {
    paths: positionals,
    print: text('print'),
    form: forms[0] ?? 'text',
    event: text('event'),
    derive: many('derive'),
    sort: parseSort(text('sort')),
    limit,
    filter: text('filter') ?? '',
    routine: text('routine'),
    inverted: is('inverted'),
    at: number('at'),
    contexts: is('contexts'),
    base: text('base'),
    parts: text('parts'),
    favourites: [],
    granularity: {
      grain: oneOf('by', text('by'), GRAINS, 'routine'),
      unknowns: oneOf('unknown', text('unknown'), ['object', 'address'] as const, 'object'),
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
    check: is('check'),
    color: !is('no-color') && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    ascii: is('ascii') || env['TERM'] === 'dumb' || !isUtf8(env),
    record: text('record'),
    play: text('play'),
    help: is('help'),
    version: is('version'),
  };
}

/** Throws UsageError for unknown flags, and for flags that lack their value. */
function checkNames(argv: readonly string[]): void {
  const known = new Set<string>(FLAGS.map((f) => f.name));
  for (const [i, arg] of argv.entries()) {
    if (arg === '--') break;
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name !== undefined && !known.has(name)) {
      const [close] = rank(name.replace(/^no-/, ''), [...known], (k) => k);
      throw new UsageError(`unknown flag ${arg}${close ? `; did you mean --${close}?` : ''}`);
    }
    if (/^-[^-]/.test(arg) && !(i > 0 && takesValue(argv[i - 1])))
      throw new UsageError(`unknown flag ${arg}; flags start with two dashes, as in --help`);
    const spec = FLAGS.find((f) => `--${f.name}` === arg) as FlagSpec | undefined;
    if (spec && spec.type !== 'boolean' && (argv[i + 1] === undefined || /^--[a-z]/.test(argv[i + 1]))) {
      throw new UsageError(`--${spec.name} needs a value: ${spec.arg}`);
    }
  }
}

/** A list of values per flag, and the paths. */
function parsed(argv: readonly string[]): { values: Record<string, (string | boolean)[] | undefined>; positionals: string[] } {
  const options: Record<string, { type: 'string' | 'boolean'; multiple: true }> = {};
  for (const f of FLAGS) {
    options[f.name] = { type: f.type === 'boolean' ? 'boolean' : 'string', multiple: true };
  }
  // `--filter -x`: a flag that takes a value takes the next word, even if it starts with a dash.
  const joined: string[] = [];
  let rest = argv.indexOf('--');
  if (rest < 0) rest = argv.length;
  for (let i = 0; i < rest; i++) {
    if (takesValue(argv[i])) joined.push(`${argv[i]}=${argv[++i]}`);
    else joined.push(argv[i]);
  }
  try {
    const { values, positionals } = parseArgs({ args: [...joined, ...argv.slice(rest)], options, allowPositionals: true });
    for (const f of FLAGS as readonly FlagSpec[]) {
      if (!f.many && f.type !== 'boolean' && (values[f.name]?.length ?? 0) > 1)
        throw new UsageError(`--${f.name} was given ${values[f.name]!.length} times; it takes one value`);
      if (f.type === 'number' && values[f.name] && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(String(values[f.name]![0])))
        throw new UsageError(`--${f.name} takes a number, not ${values[f.name]![0]}`);
    }
    return { values, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
}

function takesValue(arg: string): boolean {
  const spec = FLAGS.find((f) => `--${f.name}` === arg) as FlagSpec | undefined;
  return spec !== undefined && spec.type !== 'boolean';
}

function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  // Containers and ssh sessions often have no locale, though their terminals do support UTF-8.
  return !locale || /utf-?8/i.test(locale);
}

function parseSort(text: string | undefined): Options['sort'] {
  if (text === undefined) return undefined;
  const m = /^(.+?)(?::(asc|desc))?$/.exec(text);
  if (!m) throw new UsageError('--sort takes COLUMN, COLUMN:asc or COLUMN:desc');
  return { column: m[1], descending: m[2] === undefined ? undefined : m[2] === 'desc' };
}

function oneOf<T extends string>(flag: string, given: string | undefined, choices: readonly T[], usual: T): T {
  const found = given === undefined ? usual : choices.find((c) => c === given);
  if (found === undefined) throw new UsageError(`--${flag} ${given}: takes ${choices.join(', ')}`);
  return found;
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
