// The flags, declared once: what meow parses, what options they give, what --help, the completions, the man page and the README say.
import { parseRename } from '../analysis/profiles/compare/renames.ts';
import { GRAINS } from '../analysis/profiles/granularity/stacks.ts';
import { COLLAPSES } from '../analysis/profiles/transforms/transform.ts';
import { limitNames } from '../base/limits.ts';
import { THEMES } from '../base/style.ts';
import { exporters } from '../exports/index.ts';
import { MEASURES } from '../model/head.ts';
import { RUNS } from '../model/profile.ts';
import { choice, type Flag, type FlagSpec, is, many, number, of, text } from './flag-spec.ts';
import {
  colons,
  commas,
  each,
  NARROWEST,
  parseBinary,
  parseLimits,
  parseMap,
  parseSort,
  percentage,
  revision,
  wholeNumber,
} from './flag-values.ts';

/** Values of --unknown. */
export const UNKNOWNS = ['object', 'address'] as const;
/** Values of --completion: shells, and the queries of their scripts. */
export const SHELLS = ['bash', 'zsh', 'fish', 'events'] as const;

/** In the order of --help. */
export const FLAGS = {
  ...of('print', {
    print: text('VIEW', 'write a view to standard output; the views are listed below', { completes: 'view' }),
    'fail-if': many(
      'EXPR',
      "exit 3 beyond a limit: 'Ir > +1%', 'any routine self Ir > +2% of total', 'build duration > +10%' (docs/ci.md)",
    ),
  }),
  ...of(
    'print',
    {
      json: is('as JSON'),
      csv: is('as CSV'),
      tsv: is('as tab-separated values'),
      'csv-safe': is(
        'with --csv: prefix cells that start with = + - @ with an apostrophe, so spreadsheets do not run them as formulas',
      ),
      markdown: is('as a Markdown table, for a comment or a job summary'),
      jsonl: is('JSON Lines: one row per line with run and path, for DuckDB, ClickHouse and others'),
      run: text('NAME', "with --jsonl: the run's name in each row (default: the file name)"),
      notes: is('routines: add your notes (:note) to JSON, CSV and TSV'),
      quickfix: is('lines, findings: as FILE:LINE: TEXT, for vim -q and Emacs'),
      svg: is('as an SVG picture (curve, flame)'),
      limit: number('N', 'maximum number of rows (default: 40 for text and Markdown; all for JSON, CSV, TSV)').as(
        wholeNumber(0, 'rows'),
      ),
      width: number('N', "columns of text (default: the terminal's; 200 into a pipe)").as(wholeNumber(NARROWEST, 'columns')),
      threshold: number(
        'PERCENT',
        'tree, flame, dot, --export: leave out rows below this share of the total (default: 0.05 for the tree of a call graph, 0.5 for dot, else 0)',
      ).as(percentage),
    },
    { printed: true },
  ),
  ...of('print', {
    export: text('FORMAT', `export the profile for another tool: ${exporters.map((e) => e.name).join(', ')}`, {
      completes: exporters.map((e) => e.name),
    }),
    output: text('FILE', 'output file of --export, overwritten if it exists (default: standard output)', {
      short: 'o',
      completes: 'file',
    }),
  }),
  ...of('shown', {
    event: text('NAME', 'event to show and sort by (default: the first)'),
    derive: many('NAME=FORMULA', "define an event: 'Cost=Ir + 10 L1m', 'CPI=CEst/Ir'"),
    columns: text(
      'LIST',
      "more columns: events in routines, lines, source, instrs and labels; parts and threads in routines: 'Dr,part 2,thread 1'",
    ).as(commas),
    sort: text('COLUMN[:asc|:desc]', 'column to sort the rows by', { completes: 'column' }).as(parseSort),
    filter: text('TEXT', 'only rows that match: fuzzy, /regular expression/; ! in front inverts'),
    routine: text('NAME', 'the routine to show; FILE:NAME if the name is ambiguous'),
    parts: text('LIST', 'only these parts, numbered as in Info: 1,3-5; all: older runs of a log and other snapshots, too'),
    by: choice(
      'GRAIN',
      'group sampled stacks by address, line, routine (default), file or object; slices of a trace by detail',
      GRAINS,
      'routine',
    ),
    unknown: choice('KIND', 'addresses without a symbol: one routine per object (default) or per address', UNKNOWNS, 'object'),
    inverted: is('tree, flame: bottom-up, from each costly routine to its callers; with --routine, all callers of that one'),
    contexts: is('inputs, curve: points by calling context instead of by routine'),
    at: number('SIZE', 'curve: predict the cost at a size that was not measured'),
    disassemble: is('instrs: disassemble with objdump even if the object is not trusted'),
  }),
  ...of('counts', {
    focus: many(
      'RE',
      'keep only stacks that contain a matching routine, file or object; routine:RE, file:RE, object:RE or line:RE for one of them',
    ),
    ignore: many('RE', 'drop stacks that match'),
    hide: many('RE', 'drop matching frames; their cost goes to the caller'),
    show: many('RE', 'keep only matching frames'),
    'show-from': many('RE', 'keep stacks that match, from the outermost match down'),
    'prune-from': many('RE', 'cut stacks below the innermost match; its callees become its self cost (routine names only)'),
    'tag-focus': many(
      'FILTER',
      'only samples with a label that matches: KEY=RE, RE for key:value, or a number or range, KEY=16kb:1mb; KEY=[1] for the text 1',
    ),
    'tag-ignore': many('FILTER', 'no samples with such a label'),
    'tag-root': many('KEY', 'the values of a label as the outermost frame of each stack; of several parts: thread or part'),
    'tag-leaf': many('KEY', 'the same as the innermost frame'),
    inlined: is('charge inlined code to its functions, by debug information; needs instruction addresses (--dump-instr=yes)'),
    'only-own': is('only your own code (--source-dir, else the current folder); other cost goes to its caller'),
    merge: many('RE', 'merge all matching routines into one'),
    collapse: many(
      'WHAT',
      'recursion: each routine once per stack; chains: merge routines that only ever call one routine into one',
      COLLAPSES,
    ),
    time: text(
      'FROM..TO',
      'only this range, from the first start of a trace or build, or the first sample that has a time: 1.5s..2s, ..300ms, 1m28s..',
    ),
    apply: many(
      'STEP',
      'further steps, applied in this order after the flags above: focus=RE, hide=RE, only-own, collapse=recursion',
    ),
  }),
  ...of('compare', {
    base: many('PATH', 'compare with a profile, a folder, a build, or a quoted pattern; repeat for several runs', 'file'),
    measure: choice('WHAT', 'value to show with --base: delta (default), now, before, percent', MEASURES, 'delta'),
    rename: many(
      'OLD=NEW',
      'a routine was renamed since the base; /OLD/=NEW is an expression whose groups NEW may name as $1',
    ).as(each(parseRename)),
    normalize: is('scale the base so that both have equal totals'),
    samples: is('treat folded stacks as sample counts, so chance differences get ±'),
    runs: choice(
      'HOW',
      'how to combine several base runs: the run with the median (default) or min total, or the mean',
      RUNS,
      'median',
    ),
    'base-source-dir': many('DIR', "where the base's sources are", 'folder'),
    'base-rev': text('REV', "take the base's sources from this git revision").as(revision),
  }),
  ...of('places', {
    binary: many('[OBJECT=]PATH', 'current location of the program, or of an object in the profile', 'file').as(
      each(parseBinary),
    ),
    'symbol-path': many('DIR[:DIR]', 'folders to search for binaries and debug files', 'folder').as(colons),
    'source-dir': many('DIR', 'folder to search for sources', 'folder'),
    'path-map': many('FROM=TO', 'sources recorded under FROM are at TO').as(each(parseMap)),
    compiler: many('NAME', 'a program that compiles, which a build trace does not show by its name: iccarm, "zig c++"'),
    remember: is('save --source-dir and --path-map for this folder (in .proftui.json)'),
  }),
  ...of('session', {
    format: text('NAME', 'force this format', { completes: 'format' }),
    max: many('NAME=N', `raise a size limit: ${limitNames.join(', ')}; N may end in K, M or G`).as(parseLimits),
    'run-perf': is('let perf script read perf.data files, and the objects they name, without a question'),
    check: is('load, check all invariants, print warnings; exit 1 if any fails or data is cut off'),
    'no-color': is('no colours (also: NO_COLOR, TERM=dumb); FORCE_COLOR asks for them'),
    theme: choice('NAME', 'colours: dark, light, high-contrast, none, or auto (ask the terminal)', THEMES, 'auto'),
    ascii: is('use only ASCII characters for marks and lines'),
  }),
  ...of(
    'session',
    {
      follow: is('keep reading a file that grows: a running build, profiler dumps, a trace'),
      mouse: is("click rows, tabs and headings, scroll with the wheel; the terminal's own selection then needs Shift"),
      resume: is('reopen the last session and replay it'),
      tour: is('a two-minute tour with a sample profile'),
      record: text('FILE', "write the session's actions as JSON lines", { completes: 'file' }),
      play: text('FILE', 'replay recorded actions', { completes: 'file' }),
    },
    { screen: true },
  ),
  ...of('about', {
    formats: is('list the formats and what each provides'),
    completion: choice(
      'SHELL',
      'write a script that completes flags in bash, zsh or fish; events: list the event names of a file',
      SHELLS,
      undefined,
    ),
    'show-config': is('list all settings, their values and the file they are in'),
    debug: is('print details for a bug report'),
    help: is('this text', { short: 'h' }),
    version: is('the version', { short: 'V' }),
  }),
};

export type FlagName = keyof typeof FLAGS;
type Camel<N extends string> = N extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : N;
/** The name of the option that a flag gives. */
export const keyOf = <N extends string>(name: N) =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<N>;

export const flagSpecs: readonly FlagSpec[] = Object.entries(FLAGS).map(([name, flag]) => ({ ...flag, name, key: keyOf(name) }));

/** The values of flags, by their names: `path-map` is `pathMap`. */
export type Said = { readonly [N in FlagName as Camel<N>]: (typeof FLAGS)[N] extends Flag<infer V> ? V : never };
