// The text of --help, from the table of flags and the registries.
import { groupByKey } from '../base/lists.ts';
import { wrapWords } from '../base/text.ts';
import { reports } from '../reports/index.ts';
import type { Report } from '../reports/print.ts';
import { CMAKE_HELP } from './cmake.ts';
import { FLAG_GROUPS, type FlagSpec } from './flag-spec.ts';
import { flagSpecs } from './flag-table.ts';

const HELP_WIDTH = 80;
/** Width of the flag column, left of the descriptions. */
const FLAG_COLUMN_WIDTH = 27;

export const USAGE = ['proftui [options] [path ...]', 'proftui cmake enable BUILD | disable BUILD'] as const;

export const PATHS_HELP =
  'path: a profile, a folder of profiles, several files of one run (threads, parts), a build tree, or - for standard input. ' +
  'Without one: the pipe on standard input, or else the profiles in this folder.';

export const EXAMPLES = [
  ['proftui app.prof', 'explore a profile'],
  ['proftui build/ --base main.json.gz', 'compare two builds'],
  ['proftui app.prof --print routines --limit 10', 'the ten hottest routines'],
  ['proftui app.prof --print tree --inverted --json', 'who calls them, as JSON'],
  ['zcat prof.gz | proftui --print lines --sort self', 'a profile from a pipe'],
] as const;

const EXIT_CODES = 'Exit: 0 success, 1 the profile (bad, or without an answer), 2 bad flags, 3 a limit exceeded, 70 a bug.';

const MORE_DOCS = 'More: docs/scripting.md (forms, columns, exit codes), docs/keys.md (keys), or ? on the screen.';

/** Wraps text to the width of the help; the first line starts with `first`. */
const wrapText = (text: string, first: string, indent: number) =>
  wrapWords(text, HELP_WIDTH, first.padEnd(indent), ' '.repeat(indent));

function flagLines(flag: FlagSpec): string[] {
  const flagColumn = `  ${flag.short ? `-${flag.short}, ` : ''}--${flag.name}${flag.arg ? ` ${flag.arg}` : ''}`;
  if (flagColumn.length < FLAG_COLUMN_WIDTH) return wrapText(flag.help, flagColumn, FLAG_COLUMN_WIDTH);
  return [flagColumn, ...wrapText(flag.help, '', FLAG_COLUMN_WIDTH)];
}

export function groupViewsBySort(views: readonly Report[]): (readonly [views: readonly string[], columns: readonly string[]])[] {
  const sorted = views.filter((view) => view.sorts.length > 0);
  const lists = groupByKey(sorted, (view) => view.sorts.join());
  return Array.from(lists.values(), (list) => [list.map((view) => view.name), list[0].sorts]);
}

function viewLines(): string[] {
  return [
    ...wrapText(reports.map((r) => r.name).join(', '), '', 2),
    'Columns for --sort; the other views have an order of their own:',
    ...groupViewsBySort(reports).flatMap(([names, columns]) => wrapText(`${names.join(', ')}: ${columns.join(', ')}`, '', 2)),
  ];
}

const usageLines = (): string[] => USAGE.map((line, i) => `${i === 0 ? 'usage:' : '      '} ${line}`);

function exampleLines(): string[] {
  const widest = Math.max(...EXAMPLES.map(([line]) => line.length));
  return ['Examples:', ...EXAMPLES.map(([line, what]) => `  ${line.padEnd(widest)}  ${what}`)];
}

const groupLines = (group: string, title: string): string[] => [
  `${title}:`,
  ...flagSpecs.filter((f) => f.group === group).flatMap(flagLines),
];

const VIEWS = { name: 'views', title: 'Views for --print' };

/** The subjects of --help, each with its title. */
export const HELP_SUBJECTS: Readonly<Record<string, string>> = { ...FLAG_GROUPS, [VIEWS.name]: VIEWS.title, all: 'Everything' };

/** The text of `--help SUBJECT`; undefined for an unknown subject. */
export function helpOnSubject(subject: string): string | undefined {
  if (subject === 'all') return helpText();
  const title = Object.hasOwn(HELP_SUBJECTS, subject) ? HELP_SUBJECTS[subject] : undefined;
  if (title === undefined) return undefined;
  return (subject === VIEWS.name ? [`${title}:`, ...viewLines()] : groupLines(subject, title)).join('\n');
}

/** The text of --help without a subject: at most 24 lines. */
export function shortHelp(): string {
  const subjects = Object.entries(HELP_SUBJECTS).map(([name, title]) => `  proftui --help ${name.padEnd(9)} ${title}`);
  return [...usageLines(), '', ...wrapText(PATHS_HELP, '', 0), '', ...exampleLines(), '', ...subjects].join('\n');
}

/** The text of `--help all`: every flag and view. */
export function helpText(): string {
  return [
    ...usageLines(),
    '',
    ...wrapText(PATHS_HELP, '', 0),
    ...CMAKE_HELP.flatMap((line) => wrapText(line, '', 0)),
    ...Object.entries(FLAG_GROUPS).flatMap(([group, title]) => ['', ...groupLines(group, title)]),
    '',
    `${VIEWS.title}:`,
    ...viewLines(),
    '',
    ...exampleLines(),
    '',
    ...wrapText(EXIT_CODES, '', 0),
    ...wrapText(MORE_DOCS, '', 0),
  ].join('\n');
}
