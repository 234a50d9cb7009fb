// Every flag with every report of --print: it changes what is printed, or is refused by name; nothing is ignored in silence.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { FlagSpec } from '../../src/cli/flag-spec.ts';
import { flagSpecs } from '../../src/cli/flag-table.ts';
import { reports } from '../../src/reports/index.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { FORMS, hasFewRows, print, subjects, type Trial, tryFlag } from '../support/flag-walk.ts';
import { long, some } from '../support/long.ts';
import { runWarm } from '../support/warm.ts';

/** Why output without a difference is right: always, or where `is` holds. */
interface Equal {
  readonly why: string;
  readonly is?: (trial: Trial, plain: string) => boolean;
}

const isData = ({ form }: Trial) => ['--json', '--csv', '--jsonl'].includes(form[0]);
const isReport =
  (...names: readonly string[]) =>
  ({ report }: Trial) =>
    names.includes(report.name);
const isIn =
  (...places: readonly string[]) =>
  ({ subject, report }: Trial) =>
    places.includes(`${subject.name}: ${report.name}`);

/** Flags about the terminal, or about where things are: scripts give them to any report, and they matter if something is looked for. */
const EQUAL: Readonly<Record<string, Equal>> = {
  brief: { why: '--print brief is --brief', is: isReport('brief') },
  annotate: { why: 'there is no finding', is: hasFewRows },
  json: { why: 'the text of the report is JSON', is: ({ report }) => report.isArray },
  color: { why: 'a pipe gets no colours' },
  'no-color': { why: 'a pipe gets no colours' },
  theme: { why: 'a pipe gets no colours' },
  ascii: { why: 'the text has no mark of proftui', is: (_, plain) => !/[^\p{ASCII}…]/u.test(plain) },
  'csv-safe': {
    why: 'no cell begins with a mark of a formula',
    is: (trial) => !/(^|,)"?[=+@]/m.test(print(trial, ['--csv']).out),
  },
  run: { why: 'there is no row that has the name', is: (trial) => print(trial, ['--jsonl']).out === '' },
  binary: { why: 'no name is looked for in a program' },
  'symbol-path': { why: 'no name is looked for in a program' },
  'symbols-anyway': { why: 'no program has another build ID' },
  'run-perf': { why: 'there is no perf.data' },
  'source-dir': { why: 'no source is looked for there' },
  'path-map': { why: 'no source is looked for there' },
  'base-source-dir': { why: 'no source of the base is looked for there' },
  'base-rev': { why: 'no source of the base is looked for there' },
  runs: { why: 'there is one base run' },
  'no-renames': { why: 'no routine was renamed by a guess' },
  rename: {
    why: 'the routine is not in the rows',
    is: isIn('calls with base: routine', 'calls with base: instrs', 'calls with base: flame', 'inputs with base: curve'),
  },
  columns: { why: 'data have every event', is: isData },
  measure: { why: 'data have both runs and the difference', is: isData },
  log: { why: 'its messages are of steps that the report does not show' },
  compiler: { why: 'the program is known to compile, or is in no row' },
  coverage: { why: 'one file has all of the cost', is: isIn('massif: source', 'calls with base: source') },
  sort: { why: 'the rows have equal costs', is: isIn('calls with base: instrs') },
  syntax: { why: 'there is no program to disassemble', is: isReport('instrs') },
  filter: {
    why: 'the text is empty already',
    is: isIn('processes: brief', 'tests: trace', 'tests: otlp', 'gcc: trace', 'gcc: otlp'),
  },
  time: { why: 'the text is empty already', is: isIn('tests: trace', 'tests: otlp', 'gcc: trace', 'gcc: otlp') },
};

/** Flags about rows, which are tried in every form. */
const OF_ROWS =
  'limit width sort filter threshold depth cluster unit context coverage columns parts by routine inverted contexts measure at base'.split(
    ' ',
  );
/** Flags that are not about a report: what they do is not the report, or the walk itself gives them. */
const APART = ['print', 'help', 'version', 'remember'];
/** The compiler traces are slow to read: their own reports are enough. */
const isTried = (subject: string, requires: readonly string[]) => !subject.startsWith('clang') || requires.includes('compiles');

const formsOf = ({ name }: FlagSpec): readonly (readonly string[])[] => (OF_ROWS.includes(name) ? [[], ...FORMS] : [[]]);

function* trials(): Generator<Trial> {
  for (const subject of subjects)
    for (const report of reports)
      if (isTried(subject.name, report.requires) && print({ subject, report }, []).code === 0)
        for (const flag of flagSpecs)
          if (!APART.includes(flag.name) && !(flag.name === 'base' && subject.compared))
            for (const form of formsOf(flag)) yield { subject, report, flag, form };
}

/** The trials whose flag is ignored or refused without its name. */
function ignoredIn(list: Iterable<Trial>): string[] {
  const found: string[] = [];
  for (const trial of list) {
    const { subject, report, flag, form } = trial;
    const verdict = tryFlag(trial);
    if (['differs', 'refused', 'unavailable'].includes(verdict)) continue;
    // A format that is forced on another file answers with what it expected there.
    if (flag.name === 'format' && verdict.startsWith('fails: 1')) continue;
    const { is = () => true } = EQUAL[flag.name] ?? { is: () => false };
    const plain = print(trial, form).out;
    const isRight =
      verdict === 'same' && (is(trial, plain) || (OF_ROWS.includes(flag.name) && (plain === '' || hasFewRows(trial))));
    if (!isRight) found.push(`--${flag.name} ${subject.name}: ${report.name} ${form.join(' ')}: ${verdict}`);
  }
  return found;
}

test('every report has a profile on which flags are tried', () => {
  const without = reports.filter((report) => subjects.every((subject) => print({ subject, report }, []).code !== 0));
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
});

/** One of so many trials is made in `npm test`. */
const EACH = 60;

/** Every report on its first profile, with some of the flags: others for each report. */
function* sample(): Generator<Trial> {
  let k = 0;
  for (const report of reports) {
    const subject = subjects.find((one) => isTried(one.name, report.requires) && print({ subject: one, report }, []).code === 0);
    for (const flag of subject ? flagSpecs : [])
      for (const form of formsOf(flag))
        if (subject && !APART.includes(flag.name) && !(flag.name === 'base' && subject.compared) && k++ % EACH === 0)
          yield { subject, report, flag, form };
  }
}

test('no flag is ignored in silence: some of the flags with each report', () => {
  assert.deepEqual(ignoredIn(sample()), []);
});

long('no flag is ignored in silence: all flags, reports, forms and kinds of profile', () => {
  assert.deepEqual(ignoredIn(some([...trials()])), []);
});

const fixture = (path: string) => join(FIXTURES, path);
const TOUR = [fixture('tour/words.out.gz'), '--print', 'source', '--routine', 'main'];
const slower = (version: string) => fixture(`compare/slower/${version}`);
const SLOWER = [join(slower('v2'), 'slower.callgrind.out.gz'), '--base', join(slower('v1'), 'slower.callgrind.out.gz')];
const SHOP = (version: string) => fixture(`compare/${version}/shop.callgrind.out.gz`);

/** Command lines in which a flag of the table makes a difference. Colours are tried on terminals, by test/pty/flags.test.ts. */
const DIFFERENT: Readonly<Record<string, readonly [line: readonly string[], words: readonly string[]]>> = {
  'source-dir': [TOUR, ['--source-dir', fixture('tour')]],
  'path-map': [TOUR, ['--path-map', `/srv/words=${fixture('tour')}`]],
  'base-source-dir': [
    [...SLOWER, '--print', 'source', '--routine', 'main', '--source-dir', slower('v2')],
    ['--base-source-dir', slower('v1')],
  ],
  runs: [
    [SHOP('v2'), '--base', SHOP('v1'), '--base', SHOP('v2'), '--print', 'summary'],
    ['--runs', 'mean'],
  ],
  'no-renames': [[SHOP('v2'), '--base', SHOP('v1'), '--print', 'routines'], ['--no-renames']],
  binary: [
    [fixture('gperftools/nopie-g.prof.gz'), '--print', 'routines'],
    ['--binary', fixture('gperftools/bin/nopie-g')],
  ],
  'symbol-path': [
    [fixture('gperftools/nopie-g.prof.gz'), '--print', 'routines'],
    ['--symbol-path', fixture('gperftools/bin')],
  ],
};

test('a flag that may change nothing makes a difference where it is needed', () => {
  const same = Object.entries(DIFFERENT).filter(([, [line, words]]) => {
    const [plain, outcome] = [[], words].map((more) => runWarm([...line, ...more], { cwd: tmpdir() }));
    return outcome.out === plain.out || outcome.code !== 0;
  });
  assert.deepEqual(
    same.map(([name]) => name),
    [],
  );
});

test('the table of flags that may change nothing names flags, and says why', () => {
  const names = new Set(flagSpecs.map(({ name }: FlagSpec) => name));
  for (const [name, { why }] of Object.entries(EQUAL)) assert.ok(names.has(name) && why !== '', name);
});
