// Tries a flag with a report of --print: it changes what is printed, is refused by name, or is ignored.
import { join } from 'node:path';
import type { FlagSpec } from '../../src/cli/flag-spec.ts';
import type { Report } from '../../src/reports/print.ts';
import { FIXTURES } from './fixtures.ts';
import { makeFolder, makeSubjects, type Subject } from './flag-profiles.ts';
import type { Outcome } from './run.ts';
import { runWarm } from './warm.ts';

const place = makeFolder();
export const subjects = makeSubjects(place.cwd);

/** The forms of --print in which flags about rows are tried, beside text. */
export const FORMS = [
  ['--json'],
  ['--csv'],
  ['--jsonl'],
  ['--markdown'],
  ['--svg'],
  ['--quickfix'],
  ['--annotate', 'github'],
] as const;

/** One flag on one report: `form` are the words of the form, none for text. */
export interface Trial {
  readonly subject: Subject;
  readonly report: Report;
  readonly flag: FlagSpec;
  readonly form: readonly string[];
}

/** Reports that are about one routine. */
const OF_ROUTINE = ['instrs', 'routine', 'curve'];

const known = new Map<string, Outcome>();
let runs = 0;
export const countRuns = (): number => runs;

/** Runs the report with these words, each line once. */
export function print({ subject, report }: Pick<Trial, 'subject' | 'report'>, words: readonly string[]): Outcome {
  const { paths, other, compared, routine } = subject;
  const of = OF_ROUTINE.includes(report.name) ? [`--routine=${routine}`] : [];
  const line = [...paths, ...(compared ? ['--base', other] : []), '--print', report.name, ...of, ...words];
  const key = line.join('\n');
  const found = known.get(key);
  if (found) return found;
  runs++;
  const outcome = runWarm(line, place);
  known.set(key, outcome);
  return outcome;
}

/** Flags that others need. */
const COMPANIONS: Readonly<Record<string, (subject: Subject) => readonly string[]>> = {
  'csv-safe': () => ['--csv'],
  run: () => ['--jsonl'],
  notes: () => ['--json'],
  depth: ({ routine }) => [`--routine=${routine}`],
  syntax: () => ['--disassemble'],
  remember: () => ['--source-dir=.'],
};

type Values = (subject: Subject, report: Report) => readonly string[];
const always =
  (...values: readonly string[]): Values =>
  () =>
    values;
const patterns: Values = ({ pattern }) => [pattern, '.'];
const tags: Values = ({ tag }) => [tag, '1'];
const labels: Values = ({ label }) => [label];

/** Values that make a difference where the flag is used; flags without a value have none. One that does is enough. */
const VALUES: Readonly<Record<string, Values>> = {
  annotate: always('github'),
  'fail-if': ({ event }) => [`${event} > 0`, 'build work > 0s', 'any test duration > 1ms'],
  run: always('nightly'),
  limit: always('1', '0'),
  width: always('60', '40'),
  threshold: always('30', '99', '100'),
  depth: always('1'),
  cluster: always('file', 'object'),
  unit: always('percent', 'us', 's', 'MiB'),
  context: always('0'),
  coverage: always('5'),
  export: always('folded', 'trace'),
  output: always('here.folded'),
  event: ({ second }) => [second],
  columns: ({ second }) => [second, 'part 2', 'recorded', 'perCall'],
  sort: (_, { sorts }) =>
    sorts.length === 0 ? ['name'] : sorts.filter((id) => id !== 'EVENT').flatMap((id) => [`${id}:asc`, `${id}:desc`]),
  filter: always('/^no row is called so$/'),
  routine: ({ pattern }) => [pattern, 'work'],
  parts: ({ part }) => [part],
  by: ({ by }) => [by],
  unknown: always('address'),
  at: always('123456'),
  syntax: always('intel'),
  focus: patterns,
  ignore: patterns,
  hide: patterns,
  show: patterns,
  'show-from': patterns,
  'prune-from': patterns,
  merge: patterns,
  'tag-focus': tags,
  'tag-ignore': tags,
  'tag-root': labels,
  'tag-leaf': labels,
  collapse: always('recursion', 'chains'),
  time: ({ time }) => [time],
  apply: ({ pattern }) => [`hide=${pattern}`],
  base: ({ other }) => [other],
  measure: always('now', 'before', 'percent'),
  rename: always('old_leaf=leaf', 'old_leaf=only_once', 'a=b'),
  runs: always('mean', 'min'),
  'base-source-dir': always('.'),
  'base-rev': always('HEAD'),
  binary: always(join(FIXTURES, 'callgrind/bin/heat')),
  'symbol-path': always(join(FIXTURES, 'callgrind/bin')),
  weight: always('bytes_alloc'),
  log: always('ninja.txt'),
  'source-dir': always('..'),
  'path-map': always('app=base'),
  compiler: always('make', 'tcc', 'icc', 'mycc'),
  format: always('gprof'),
  max: always('strings=1'),
  completion: always('bash'),
  color: always('always'),
  theme: always('light'),
  record: always('session.jsonl'),
  play: always('session.jsonl'),
};

export function linesOf({ subject, report, flag }: Omit<Trial, 'form'>): (readonly string[])[] {
  const { name, type } = flag;
  // An event is defined to be shown.
  if (name === 'derive') return [[`--derive=Twice=2 ${subject.event}`, '--event=Twice']];
  return type === 'boolean' ? [[`--${name}`]] : (VALUES[name]?.(subject, report) ?? []).map((value) => [`--${name}=${value}`]);
}

export type Verdict = 'differs' | 'refused' | 'unavailable' | 'same' | `fails: ${string}`;

/** Whether the message names a flag of the line: as it is written there, or as a step of the focus, which the screen has too. */
export const namesFlag = (words: readonly string[], err: string): boolean =>
  words
    .flatMap((word) => [/^--([a-z-]+)/.exec(word)?.[1], /^--apply=([a-z-]+)/.exec(word)?.[1]])
    .some((name) => name !== undefined && new RegExp(`(?:^|[\\s-])${name}\\b`, 'm').test(err.split('\n')[0]));

/** The flags of a line beside those that are tried: a refusal may name the other flag of two that do not go together. */
const givenFlags = ({ subject, report }: Trial): readonly string[] => [
  ...(subject.compared ? ['--base'] : []),
  ...(OF_ROUTINE.includes(report.name) ? ['--routine'] : []),
];

function judge(trial: Trial, plain: Outcome, words: readonly string[]): Verdict {
  const { code, out, err } = print(trial, words);
  if (code === 0 || out !== '') return out !== plain.out || code !== plain.code || err !== plain.err ? 'differs' : 'same';
  // An exceeded limit is an answer.
  if (code === 3) return 'differs';
  return (code === 1 || code === 2) && namesFlag([...words, ...givenFlags(trial)], err) ? 'refused' : `fails: ${code} ${err}`;
}

/** What the flag does to the report. The best verdict of its values counts: that one makes a difference is enough. */
export function tryFlag(trial: Trial): Verdict {
  const { subject, flag, form } = trial;
  const lines = linesOf(trial);
  const judged = (before: readonly string[]): Verdict => {
    const plain = print(trial, before);
    if (plain.code !== 0) return 'unavailable';
    let worst: Verdict = 'refused';
    for (const line of lines) {
      const verdict = judge(trial, plain, [...before, ...line]);
      if (verdict === 'differs') return verdict;
      if (verdict !== 'refused') worst = verdict;
    }
    return worst;
  };
  const alone = judged(form);
  const more = COMPANIONS[flag.name]?.(subject);
  if (alone !== 'refused' || more === undefined || form.length > 0) return alone;
  const together = judged(more);
  return together === 'unavailable' ? alone : together;
}

/** Whether the report has one row or none there: flags about rows may then change nothing. */
export function hasFewRows(trial: Pick<Trial, 'subject' | 'report'>): boolean {
  const { code, out } = print(trial, ['--json']);
  if (code !== 0) return false;
  const parsed: unknown = JSON.parse(out);
  const rows: unknown = typeof parsed === 'object' && parsed !== null && 'rows' in parsed ? parsed.rows : parsed;
  return Array.isArray(rows) && rows.length <= 1;
}
