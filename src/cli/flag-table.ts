// The flags, declared once: what meow parses, what --help, the completions, the man page and the README say.

import { GRAINS } from '../analysis/stacks/granularity.ts';
import { limitNames } from '../base/limits.ts';
import { THEMES } from '../base/style.ts';
import { exporters } from '../exports/index.ts';
import type { FlagSpec } from './flag-spec.ts';
import { COMPARE, COUNTS } from './flags-of-shape.ts';

/** What --unknown takes. */
export const UNKNOWNS = ['object', 'address'] as const;
/** What --completion takes: shells, and what their scripts ask for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'events'] as const;

const PRINT = [
  {
    name: 'print',
    type: 'string',
    arg: 'VIEW',
    group: 'print',
    completes: 'view',
    help: 'write a view to standard output; the views are listed below',
  },
  {
    name: 'fail-if',
    type: 'string',
    arg: 'EXPR',
    many: true,
    group: 'print',
    help: "exit 3 beyond a limit: 'Ir > +1%', 'any routine self Ir > +2% of total', 'build duration > +10%' (docs/ci.md)",
  },
  { name: 'json', type: 'boolean', group: 'print', printed: true, help: 'as JSON' },
  { name: 'csv', type: 'boolean', group: 'print', printed: true, help: 'as CSV' },
  { name: 'tsv', type: 'boolean', group: 'print', printed: true, help: 'as tab-separated values' },
  {
    name: 'csv-safe',
    type: 'boolean',
    group: 'print',
    printed: true,
    help: "with --csv: an apostrophe before cells that begin with = + - @ and are no numbers, so that spreadsheets don't run them",
  },
  {
    name: 'markdown',
    type: 'boolean',
    group: 'print',
    printed: true,
    help: 'as a Markdown table, for a comment or a job summary',
  },
  {
    name: 'jsonl',
    type: 'boolean',
    group: 'print',
    printed: true,
    help: 'as JSON, a row a line, each with the run and its path: for DuckDB, ClickHouse and the like',
  },
  {
    name: 'run',
    type: 'string',
    arg: 'NAME',
    group: 'print',
    printed: true,
    help: "with --jsonl: what each row says of the run (default: the file's name)",
  },
  {
    name: 'notes',
    type: 'boolean',
    group: 'print',
    printed: true,
    help: 'routines: with the notes that lie beside the profile (:note), in JSON, CSV and TSV',
  },
  {
    name: 'quickfix',
    type: 'boolean',
    group: 'print',
    printed: true,
    help: 'lines, findings: as FILE:LINE: and what is there, which vim -q and Emacs step through',
  },
  { name: 'svg', type: 'boolean', group: 'print', printed: true, help: 'as an SVG picture (curve, flame)' },
  {
    name: 'limit',
    type: 'number',
    arg: 'N',
    group: 'print',
    printed: true,
    help: 'maximum number of rows (default: 40 for text and Markdown; all for JSON, CSV, TSV)',
  },
  {
    name: 'width',
    type: 'number',
    arg: 'N',
    group: 'print',
    printed: true,
    help: "columns of text (default: the terminal's; 200 into a pipe)",
  },
  {
    name: 'threshold',
    type: 'number',
    arg: 'PERCENT',
    group: 'print',
    printed: true,
    help: 'tree, flame, dot, --export: leave out what is below this share of the total (default: 0.05 for the tree of a call graph, 0.5 for dot, else 0)',
  },
] as const satisfies readonly FlagSpec[];

const EXPORT = [
  {
    name: 'export',
    type: 'string',
    arg: 'FORMAT',
    group: 'print',
    completes: exporters.map((e) => e.name),
    help: `write what is shown as another tool reads it: ${exporters.map((e) => e.name).join(', ')}`,
  },
  {
    name: 'output',
    short: 'o',
    type: 'string',
    arg: 'FILE',
    group: 'print',
    completes: 'file',
    help: 'the file that --export writes, which may be there already (default: standard output)',
  },
] as const satisfies readonly FlagSpec[];

const SHOWN = [
  { name: 'event', type: 'string', arg: 'NAME', group: 'shown', help: 'event to show and sort by (default: the first)' },
  {
    name: 'derive',
    type: 'string',
    arg: 'NAME=FORMULA',
    many: true,
    group: 'shown',
    help: "define an event: 'Cost=Ir + 10 L1m', 'CPI=CEst/Ir'",
  },
  {
    name: 'columns',
    type: 'string',
    arg: 'LIST',
    group: 'shown',
    help: "more columns in routines: events, parts, threads: 'Dr,part 2,thread 1'",
  },
  {
    name: 'sort',
    type: 'string',
    arg: 'COLUMN[:asc|:desc]',
    group: 'shown',
    completes: 'column',
    help: 'column to sort the rows by',
  },
  {
    name: 'filter',
    type: 'string',
    arg: 'TEXT',
    group: 'shown',
    help: 'only rows that match: fuzzy, /regular expression/; ! in front inverts',
  },
  {
    name: 'routine',
    type: 'string',
    arg: 'NAME',
    group: 'shown',
    help: 'the routine that views are about; FILE:NAME where several have the name',
  },
  {
    name: 'parts',
    type: 'string',
    arg: 'LIST',
    group: 'shown',
    help: 'only these parts, numbered as in Info: 1,3-5; all: older runs of a log, too',
  },
  {
    name: 'by',
    type: 'string',
    arg: 'GRAIN',
    group: 'shown',
    completes: GRAINS,
    help: 'group sampled stacks by address, line, routine (default), file or object; slices of a trace by detail',
  },
  {
    name: 'unknown',
    type: 'string',
    arg: 'KIND',
    group: 'shown',
    completes: UNKNOWNS,
    help: 'addresses without a symbol: one routine per object (default) or per address',
  },
  {
    name: 'inverted',
    type: 'boolean',
    group: 'shown',
    help: 'tree, flame: bottom-up, from each costly routine to its callers; with --routine, all callers of that one',
  },
  {
    name: 'contexts',
    type: 'boolean',
    group: 'shown',
    help: 'inputs, curve: points by calling context instead of by routine',
  },
  {
    name: 'at',
    type: 'number',
    arg: 'SIZE',
    group: 'shown',
    help: 'curve: predict the cost at a size that was not measured',
  },
  { name: 'disassemble', type: 'boolean', group: 'shown', help: 'instrs: with their text from objdump, whatever the object is' },
] as const satisfies readonly FlagSpec[];

const PLACES = [
  {
    name: 'binary',
    type: 'string',
    arg: '[OBJECT=]PATH',
    many: true,
    group: 'places',
    completes: 'file',
    help: 'current location of the program, or of an object in the profile',
  },
  {
    name: 'symbol-path',
    type: 'string',
    arg: 'DIR[:DIR]',
    many: true,
    group: 'places',
    completes: 'folder',
    help: 'folders to search for binaries and debug files',
  },
  {
    name: 'source-dir',
    type: 'string',
    arg: 'DIR',
    many: true,
    group: 'places',
    completes: 'folder',
    help: 'folder to search for sources',
  },
  {
    name: 'path-map',
    type: 'string',
    arg: 'FROM=TO',
    many: true,
    group: 'places',
    help: 'sources recorded under FROM are at TO',
  },
  {
    name: 'remember',
    type: 'boolean',
    group: 'places',
    help: 'save --source-dir and --path-map for this folder (in .proftui.json)',
  },
] as const satisfies readonly FlagSpec[];

const SESSION = [
  {
    name: 'format',
    type: 'string',
    arg: 'NAME',
    group: 'session',
    completes: 'format',
    help: 'read as this format, whatever the file looks like',
  },
  {
    name: 'max',
    type: 'string',
    arg: 'NAME=N',
    many: true,
    group: 'session',
    help: `raise a limit of what a file may have: ${limitNames.join(', ')}; N may end in K, M or G`,
  },
  {
    name: 'check',
    type: 'boolean',
    group: 'session',
    help: 'load, check all invariants, print warnings; exit 1 if any fails or data is cut off',
  },
  {
    name: 'no-color',
    type: 'boolean',
    group: 'session',
    help: 'no colours (also: NO_COLOR, TERM=dumb); FORCE_COLOR asks for them',
  },
  {
    name: 'theme',
    type: 'string',
    arg: 'NAME',
    group: 'session',
    completes: THEMES,
    help: 'colours for a dark or a light screen, none, or auto: readable on both',
  },
  { name: 'ascii', type: 'boolean', group: 'session', help: 'use only ASCII characters for marks and lines' },
  {
    name: 'follow',
    type: 'boolean',
    group: 'session',
    screen: true,
    help: 'read again whatever is being written: a build that runs, dumps of a profiler, a growing trace',
  },
  {
    name: 'mouse',
    type: 'boolean',
    group: 'session',
    screen: true,
    help: "click rows, tabs and headings, scroll with the wheel; the terminal's own selection then needs Shift",
  },
  {
    name: 'resume',
    type: 'boolean',
    group: 'session',
    screen: true,
    help: 'open what was open the last time, and do again what was done there',
  },
  { name: 'tour', type: 'boolean', group: 'session', screen: true, help: 'two minutes with a small profile that comes along' },
  {
    name: 'record',
    type: 'string',
    arg: 'FILE',
    group: 'session',
    screen: true,
    completes: 'file',
    help: "write the session's actions as JSON lines",
  },
  {
    name: 'play',
    type: 'string',
    arg: 'FILE',
    group: 'session',
    screen: true,
    completes: 'file',
    help: 'replay recorded actions',
  },
] as const satisfies readonly FlagSpec[];

const ABOUT = [
  { name: 'formats', type: 'boolean', group: 'about', help: 'list the formats and what each provides' },
  {
    name: 'completion',
    type: 'string',
    arg: 'SHELL',
    group: 'about',
    completes: SHELLS,
    help: 'write a script that completes flags in bash, zsh or fish; events: the names of the events of a file',
  },
  { name: 'show-config', type: 'boolean', group: 'about', help: 'list the settings, what they say and where they are kept' },
  { name: 'debug', type: 'boolean', group: 'about', help: 'after an error in the program itself: print what a report needs' },
  { name: 'help', short: 'h', type: 'boolean', group: 'about', help: 'this text' },
  { name: 'version', short: 'V', type: 'boolean', group: 'about', help: 'the version' },
] as const satisfies readonly FlagSpec[];

/** In the order of --help. */
export const FLAGS = [...PRINT, ...EXPORT, ...SHOWN, ...COUNTS, ...COMPARE, ...PLACES, ...SESSION, ...ABOUT];
export const flagSpecs: readonly FlagSpec[] = FLAGS;
export type FlagName = (typeof FLAGS)[number]['name'];
