// The declaration of all flags: the source of parsing, options, --help, completions, the man page and the README.
import { CLUSTER_KEYS } from '../analysis/answers/neighbours.ts';
import { parseRename } from '../analysis/profiles/compare/renames.ts';
import { ROUTINE_KEYS } from '../analysis/profiles/granularity/groups.ts';
import { GRANULARITY_NAMES } from '../analysis/profiles/granularity/stacks.ts';
import { COLLAPSE_KINDS } from '../analysis/profiles/transforms/transform.ts';
import { UsageError } from '../base/errors.ts';
import { limitNames } from '../base/limits.ts';
import { SYNTAXES } from '../base/source-text.ts';
import { THEMES } from '../base/style.ts';
import { exporters } from '../exports/index.ts';
import { MEASURES } from '../model/head.ts';
import { RUN_STATISTICS } from '../model/profile.ts';
import { ANNOTATION_FORMS } from '../reports/annotations.ts';
import { COST_UNITS, VIEWS_OF_OPTIONS } from '../reports/options.ts';
import { booleanFlag, choiceFlag, type FlagSpec, flagsOfGroup, numberFlag, repeatableFlag, textFlag } from './flag-spec.ts';
import {
  checkRevision,
  MIN_TEXT_WIDTH,
  parseBinary,
  parseEach,
  parseLimits,
  parsePathMap,
  parseSort,
  splitAtColons,
  splitAtCommas,
} from './flag-values.ts';

const wholeNumberFlag = (least: number, noun: string, help: string) =>
  numberFlag('N', help).mapValue((value, flag) => {
    if (value !== undefined && !(Number.isInteger(value) && value >= least))
      throw new UsageError(`--${flag} takes a whole number of ${noun}${least > 0 ? ` from ${least}` : ''}`);
    return value;
  });
const percentageFlag = (help: string) =>
  numberFlag('PERCENT', help).mapValue((value, flag) => {
    if (value !== undefined && !(value >= 0 && value <= 100)) throw new UsageError(`--${flag} takes a percentage from 0 to 100`);
    return value;
  });

/** All flags, in the order of --help. */
export const FLAGS = {
  ...flagsOfGroup(['print'], {
    print: textFlag('VIEW', 'write a view to standard output; the views are listed below', { completes: 'view' }),
    brief: booleanFlag(
      'one short answer, as text, --markdown or --json of at most 12 kB: for people in a hurry, pull requests and agents',
    ),
    annotate: choiceFlag('FORMAT', 'findings and exceeded limits at file and line: github, gitlab or sarif', ANNOTATION_FORMS),
    'fail-if': repeatableFlag(
      'EXPR',
      "exit 3 beyond a limit: 'Ir > +1%', 'any routine self Ir > +2% of total', 'build duration > +10%' (docs/ci.md)",
    ),
  }),
  ...flagsOfGroup(['print', { printed: true }], {
    json: booleanFlag('as JSON'),
    csv: booleanFlag('as CSV'),
    tsv: booleanFlag('as tab-separated values'),
    'csv-safe': booleanFlag(
      'with --csv: prefix cells that start with = + - @ with an apostrophe, so spreadsheets do not run them as formulas',
    ),
    markdown: booleanFlag('as a Markdown table, for a comment or a job summary'),
    jsonl: booleanFlag('JSON Lines: one row per line with run and path, for DuckDB, ClickHouse and others'),
    run: textFlag('NAME', "with --jsonl: the run's name in each row (default: the file name)"),
    notes: booleanFlag('routines: add your notes (:note) to JSON, CSV and TSV'),
    quickfix: booleanFlag('lines, findings: as FILE:LINE: TEXT, for vim -q and Emacs'),
    svg: booleanFlag('as an SVG picture (curve, flame, gantt, graph)'),
    limit: wholeNumberFlag(0, 'rows', 'maximum number of rows (default: 40 for text and Markdown; all for JSON, CSV, TSV)'),
    width: wholeNumberFlag(MIN_TEXT_WIDTH, 'columns', "columns of text (default: the terminal's; 200 into a pipe)"),
    threshold: percentageFlag(
      'leave out rows below this share of the total; lists sum them up in one (default: 0.05 for the tree of a call graph, 0.5 for dot, else 0)',
    ),
    depth: wholeNumberFlag(1, 'calls', 'graph, dot: callers and callees up to N calls away, each with its distance (default: 2)'),
    cluster: choiceFlag('KEY', 'graph, dot: a frame around the routines of each file or object', CLUSTER_KEYS),
    unit: choiceFlag(
      'UNIT',
      'costs, or the times of a build, in this unit, in text, Markdown, CSV and TSV; percent: of the total',
      COST_UNITS,
    ),
    context: wholeNumberFlag(0, 'lines', 'source: lines before and after each line with cost (default: 8)'),
    coverage: percentageFlag('source: files until they have this share of the cost (default: 99)'),
  }),
  ...flagsOfGroup(['print'], {
    export: textFlag('FORMAT', `export the profile for another tool: ${exporters.map((e) => e.name).join(', ')}`, {
      completes: exporters.map((e) => e.name),
    }),
    output: textFlag('FILE', 'output file of --export, overwritten if it exists (default: standard output)', {
      short: 'o',
      completes: 'file',
    }),
  }),
  ...flagsOfGroup(['shown'], {
    event: textFlag('NAME', 'event to show and sort by (default: the first)'),
    derive: repeatableFlag('NAME=FORMULA', "define an event: 'Cost=Ir + 10 L1m', 'CPI=CEst/Ir', 'Each=Ir/calls'"),
    columns: textFlag(
      'LIST',
      "more columns: events in routines, lines, source, instrs and labels; parts and threads in routines: 'Dr,part 2,thread 1'",
    ).mapValue(splitAtCommas),
    sort: textFlag('COLUMN[:asc|:desc]', 'column to sort the rows by', { completes: 'column' }).mapValue(parseSort),
    filter: textFlag('TEXT', 'only rows that match: fuzzy, /regular expression/, self>1%, role=link; ! in front inverts'),
    routine: textFlag('NAME', "the routine to show; FILE:NAME if the name is ambiguous; '/RE/' for several"),
    parts: textFlag('LIST', 'only these parts, numbered as in Info: 1,3-5; all: older runs of a log and other snapshots, too'),
    by: textFlag(
      'KEY[,KEY,KEY]',
      'group routines by file, directory, object, class, namespace, code, function or a label: comm,object,routine; sampled stacks also by address or line; slices of a trace by detail or by an argument',
      { completes: [...GRANULARITY_NAMES, ...ROUTINE_KEYS.filter((key) => key !== 'file' && key !== 'object')] },
    ).or('routine'),
    unknown: choiceFlag('KIND', 'addresses without a symbol: one routine per object (default) or per address', [
      'object',
      'address',
    ]).or('object'),
    inverted: booleanFlag(
      'tree, flame: bottom-up, from each costly routine to its callers; with --routine, all callers of that one',
    ),
    contexts: booleanFlag('inputs, and the screen: points by calling context instead of by routine'),
    at: numberFlag('SIZE', 'curve: predict the cost at a size that was not measured'),
    syntax: choiceFlag('NAME', 'instrs: syntax of x86 instructions, att (default) or intel', SYNTAXES).or('att'),
    disassemble: booleanFlag('instrs: disassemble with objdump even if the object is not trusted'),
  }),
  ...flagsOfGroup(['counts'], {
    focus: repeatableFlag(
      'RE',
      'keep only stacks that contain a matching routine, file or object; routine:RE, file:RE, object:RE or line:RE for one of them',
    ),
    ignore: repeatableFlag('RE', 'drop stacks that match'),
    hide: repeatableFlag('RE', 'drop matching frames; their cost goes to the caller'),
    show: repeatableFlag('RE', 'keep only matching frames'),
    'show-from': repeatableFlag('RE', 'keep stacks that match, from the outermost match down'),
    'prune-from': repeatableFlag(
      'RE',
      'cut stacks below the innermost match; its callees become its self cost (routine names only)',
    ),
    'tag-focus': repeatableFlag(
      'FILTER',
      'only samples with a label that matches: KEY=RE, RE for key:value, or a number or range, KEY=16kb:1mb; KEY=[1] for the text 1',
    ),
    'tag-ignore': repeatableFlag('FILTER', 'no samples with such a label'),
    'tag-root': repeatableFlag(
      'KEY',
      'the values of a label as the outermost frame of each stack; of several parts: thread or part',
    ),
    'tag-leaf': repeatableFlag('KEY', 'the same as the innermost frame'),
    inlined: booleanFlag(
      'charge inlined code to its functions, by debug information; needs instruction addresses (--dump-instr=yes)',
    ),
    'only-own': booleanFlag('only your own code (--source-dir, else the current folder); other cost goes to its caller'),
    merge: repeatableFlag('RE', 'merge all matching routines into one'),
    collapse: repeatableFlag(
      'WHAT',
      'recursion: each routine once per stack; chains: merge routines that only ever call one routine into one',
      COLLAPSE_KINDS,
    ),
    time: textFlag(
      'FROM..TO',
      'only this range, from the first start of a trace or build, or the first sample that has a time: 1.5s..2s, ..300ms, 1m28s..',
    ),
    apply: repeatableFlag(
      'STEP',
      'further steps, applied in this order after the flags above: focus=RE, hide=RE, only-own, collapse=recursion',
    ),
  }),
  ...flagsOfGroup(['compare'], {
    base: repeatableFlag(
      'PATH',
      'compare with a profile, a folder, a build, or a quoted pattern; repeat for several runs',
      'file',
    ),
    measure: choiceFlag('WHAT', 'value to show with --base: delta (default), now, before, percent', MEASURES).or('delta'),
    rename: repeatableFlag(
      'OLD=NEW',
      'a routine was renamed since the base; /OLD/=NEW is an expression whose groups NEW may name as $1',
    ).mapValue(parseEach(parseRename)),
    'no-renames': booleanFlag('keep a row in each run for routines that were only renamed'),
    normalize: booleanFlag('scale the base so that both have equal totals'),
    samples: booleanFlag('treat folded stacks as sample counts, so chance differences get ±'),
    runs: choiceFlag(
      'HOW',
      'how to combine several base runs: the run with the median (default) or min total, or the mean',
      RUN_STATISTICS,
    ).or('median'),
    'base-source-dir': repeatableFlag('DIR', "where the base's sources are", 'folder'),
    'base-rev': textFlag('REV', "take the base's sources from this git revision").mapValue(checkRevision),
  }),
  ...flagsOfGroup(['places'], {
    binary: repeatableFlag('[OBJECT=]PATH', 'current location of the program, or of an object in the profile', 'file').mapValue(
      parseEach(parseBinary),
    ),
    'symbol-path': repeatableFlag('DIR[:DIR]', 'folders to search for binaries and debug files', 'folder').mapValue(
      splitAtColons,
    ),
    weight: textFlag('FIELD', 'count this field of tracepoints (perf script) instead of samples: bytes_alloc'),
    log: textFlag('FILE', 'what ninja printed (ninja | tee FILE): the messages of the steps of a build', { completes: 'file' }),
    'symbols-anyway': booleanFlag('take names from binaries whose build ID is not that of the profile'),
    'source-dir': repeatableFlag('DIR', 'folder to search for sources', 'folder'),
    'path-map': repeatableFlag('FROM=TO', 'sources recorded under FROM are at TO').mapValue(parseEach(parsePathMap)),
    compiler: repeatableFlag('NAME', 'a program that compiles, which a build trace does not show by its name: mycc, "zig c++"'),
    remember: booleanFlag('save --source-dir and --path-map for this folder (in .proftui.json)'),
  }),
  ...flagsOfGroup(['session'], {
    format: textFlag('NAME', 'force this format', { completes: 'format' }),
    max: repeatableFlag('NAME=N', `raise a size limit: ${limitNames.join(', ')}; N may end in K, M or G`).mapValue(parseLimits),
    'run-perf': booleanFlag('let perf script read perf.data files, and the objects they name, without a question'),
    check: booleanFlag('load, check all invariants, print warnings; exit 1 if any fails or data is cut off'),
    color: choiceFlag('WHEN', 'colours: auto (default), always or never', ['auto', 'always', 'never']).or('auto'),
    'no-color': booleanFlag('no colours (also: NO_COLOR, TERM=dumb); FORCE_COLOR asks for them'),
    theme: choiceFlag('NAME', 'colours: dark, light, high-contrast, none, or auto (ask the terminal)', THEMES).or('auto'),
    ascii: booleanFlag('use only ASCII characters for marks and lines'),
  }),
  ...flagsOfGroup(['session', { screen: true }], {
    follow: booleanFlag('keep reading a file that grows: a running build, profiler dumps, a trace'),
    mouse: booleanFlag("click rows, tabs and headings, scroll with the wheel; the terminal's own selection then needs Shift"),
    resume: booleanFlag('reopen the last session and replay it'),
    tour: booleanFlag('a two-minute tour with a sample profile'),
    record: textFlag('FILE', "write the session's actions as JSON lines", { completes: 'file' }),
    play: textFlag('FILE', 'replay recorded actions', { completes: 'file' }),
  }),
  ...flagsOfGroup(['about'], {
    formats: booleanFlag('list the formats and what each provides'),
    completion: choiceFlag(
      'SHELL',
      'write a script that completes flags in bash, zsh or fish; events: list the event names of a file',
      ['bash', 'zsh', 'fish', 'events'],
    ),
    'show-config': booleanFlag('list all settings, their values and the file they are in'),
    debug: booleanFlag('print details for a bug report'),
    help: booleanFlag('this text', { short: 'h' }),
    version: booleanFlag('the version', { short: 'V' }),
  }),
};

type CamelCase<N extends string> = N extends `${infer A}-${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : N;
/** The option name of a flag: `pathMap` for `path-map`. */
export const optionKeyOf = <N extends string>(name: N) =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<N>;

export const flagSpecs: readonly FlagSpec[] = Object.entries(FLAGS).map(([name, flag]) => ({
  ...flag,
  name,
  key: optionKeyOf(name),
  views: VIEWS_OF_OPTIONS[name],
}));

/** The values of all flags, by option name. */
export type FlagValues = {
  readonly [N in keyof typeof FLAGS as CamelCase<N>]: ReturnType<(typeof FLAGS)[N]['read']>;
};
