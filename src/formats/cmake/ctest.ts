// Reads CTest's results from the newer of Testing/*/Test.xml and Testing/Temporary/LastTest.log, with labels from CTest's files,
// and what failed and warning commands wrote from the Build.xml of `ctest -D …`: by output with CTEST_USE_LAUNCHERS, else by source.
// LastTest.log is unreliable: it says "Test Passed." also for skipped and disabled tests and for tests without a program.
// In LastTest.log, a disabled test and a test whose program was not found have an empty command. What an expression decided has, in
// place of "Test Passed.", a line "Test Pass Reason:" and the reason below it, also for a test that is skipped.

import { addToList } from '../../base/lists.ts';
import { absolutePath } from '../../base/paths.ts';
import type { Problem } from '../../base/problem.ts';
import { KeptOutput, type TestResult } from '../../model/steps/tests.ts';
import type { StepWriter } from '../../model/steps/writer.ts';
import type { Folder } from '../loader.ts';
import { addFailedCommand, FAILED, lastStepByOutput } from '../shared/build-output.ts';
import { MAX_REASON_LENGTH, millisecondsOf, TestReader } from '../shared/test-results.ts';
import { type XmlHandler, XmlReader } from '../shared/xml.ts';
import { joinPaths, readTextFile } from './data-folder.ts';

const MAX_TEST_FOLDERS = 2000;
/** How long after a test the results of all are written, at most, and a build tool that ran them its log. */
export const MAX_RESULTS_DELAY_MS = 120_000;
export const OLDER_RESULTS = 'the results of CTest are older than what is recorded, and left out: run ctest again';
/** Where the last line of a log is looked for, in characters from its end. */
const MAX_END_LENGTH = 300;

/** The path of a file that CTest wrote in its newest run; undefined if there was none. */
function ctestFile(folder: Folder, tree: string, name: 'Test.xml' | 'Build.xml'): string | undefined {
  const tag = /^[\w-]{1,40}$/.exec(readTextFile(folder, joinPaths(tree, 'Testing/TAG')).split('\n', 1)[0].trim())?.[0];
  return tag === undefined ? undefined : joinPaths(tree, `Testing/${tag}/${name}`);
}

/** The time when CTest wrote its results; NaN if there are none. */
export const ctestWrittenMs = (folder: Folder, tree: string): number =>
  folder.modifiedMs?.(joinPaths(tree, 'Testing/Temporary/LastTest.log')) ?? Number.NaN;

/** The tests of a build tree, seen from a folder; undefined if CTest has left no results. `onCut`: is told if its log has no end. */
export function readTestResults(folder: Folder, tree: string, onCut: (problem: Problem) => void): TestResult[] | undefined {
  const xml = ctestFile(folder, tree, 'Test.xml');
  const log = joinPaths(tree, 'Testing/Temporary/LastTest.log');
  const when = (path: string | undefined) => (path === undefined ? undefined : folder.modifiedMs?.(path)) ?? 0;
  // CTest writes both files when it creates the first one.
  const readLog = () => {
    const text = readTextFile(folder, log);
    // CTest gives the log its name when it is complete.
    const isCut = text !== '' && !/^End testing: /m.test(text.slice(-MAX_END_LENGTH));
    const all = /^\d+\/(\d+) Testing: /m.exec(text)?.[1] ?? 'an unknown number of';
    const tests = testsFromLog(text, isCut);
    const found = `the end of the file after ${tests.length} of ${all} tests`;
    if (isCut) onCut({ path: `${folder.path}/${log}`, offset: text.length, expected: 'End testing:', found });
    return tests;
  };
  const hasXml = when(xml) > 0 && when(xml) >= when(log) - 5000;
  const tests = hasXml ? addLogOutputs(testsFromXml(folder.read(xml ?? '') ?? new Uint8Array(0)), readLog) : readLog();
  if (tests.length === 0) return undefined;
  const labels = readTestLabels(folder, tree);
  const failures = joinPaths(tree, 'Testing/Temporary/LastTestsFailed.log');
  // `2:name` by line. A run without failures leaves the file of the run before it.
  const lines = when(failures) >= when(log) - 5000 ? readTextFile(folder, failures).split('\n') : [];
  const failed = new Set(lines.map((line) => line.replace(/^\d+:/, '')));
  return tests.map((t) => ({
    ...t,
    ...(t.status === 'not run' && failed.has(t.name) ? { status: 'failed', reason: 'Not Run', isWanting: true } : {}),
    labels: t.labels.length > 0 ? t.labels : (labels.get(t.name) ?? []),
  }));
}

function testsFromXml(bytes: Uint8Array): TestResult[] {
  const reader = new TestReader();
  new XmlReader(reader).take(bytes, true);
  return reader.results();
}

/** Adds the outputs that Test.xml stores only compressed, from the plain text of the log. */
function addLogOutputs(tests: readonly TestResult[], readLog: () => readonly TestResult[]): readonly TestResult[] {
  const lacksOutput = (t: TestResult) => t.status === 'failed' && t.output === '';
  if (!tests.some(lacksOutput)) return tests;
  const outputs = new Map(readLog().map((t) => [t.name, t.output]));
  return tests.map((t) => (lacksOutput(t) ? { ...t, output: outputs.get(t.name) ?? '' } : t));
}

/** `Test Passed.`, or `Test Pass Reason:` with the reason below: several expressions are on lines of their own, and `"name" end time:` follows. */
const VERDICT = /^Test (Pass|Fail)(?:ed\.$| Reason:\n)/m;

/** `isCut`: the last test may have no end, and its result is unknown. */
function testsFromLog(text: string, isCut: boolean): TestResult[] {
  const tests: TestResult[] = [];
  const outputs = new KeptOutput();
  // A block begins with `3/12 Test: name`. Its output may contain such lines, but not after an empty line and `Testing:`.
  for (const block of text.split(/\n(?=\d+\/\d+ Testing: )/)) {
    const name = /^\d+\/\d+ Test: (.*)$/m.exec(block)?.[1];
    const until = block.lastIndexOf('<end of output>');
    const end = block.slice(until);
    const [line, verdict] = VERDICT.exec(end) ?? [];
    if (name === undefined || (isCut && line === undefined)) continue;
    const below = line?.endsWith('\n') ? end.split(line, 2)[1].split('\n"', 1)[0] : '';
    const reason = below.replaceAll('\n', ' ').trim().replace(/ \]$/, ']');
    const seconds = /^Test time = +([\d.]+) sec$/m.exec(end)?.[1] ?? '';
    const command = /^Command: (.*)$/m.exec(block)?.[1] ?? '';
    const hasProgram = !command.startsWith('""');
    const isRun = hasProgram && verdict !== undefined && !reason.startsWith('Skip regular expression');
    const status = !isRun ? 'not run' : verdict === 'Pass' ? 'passed' : 'failed';
    tests.push({
      name,
      status,
      ms: millisecondsOf(seconds),
      reason: !hasProgram
        ? 'disabled, or its program was not found'
        : status === 'passed'
          ? ''
          : reason.slice(0, MAX_REASON_LENGTH),
      output: status === 'failed' ? outputs.keep(outputOfBlock(block.slice(0, Math.max(0, until)))) : '',
      command,
      labels: [],
    });
  }
  return tests;
}

/** The output in a log block: the text after `Output:` and the line below it. */
function outputOfBlock(block: string): string {
  const from = block.indexOf('\nOutput:\n');
  return from < 0 ? '' : block.slice(block.indexOf('\n', from + '\nOutput:\n'.length) + 1);
}

const PROPERTIES_LINE = /^set_tests_properties\((?:\[=\[(.*?)\]=\]|"?([^"\s]+)"?) PROPERTIES /; // bounded: one start, and each run is looked at once
const LABELS_PROPERTY = / LABELS "([^"]*)"/; // bounded: each run is looked at once

/** Labels by test name, from the CTestTestfile.cmake files. */
function readTestLabels(folder: Folder, tree: string): Map<string, string[]> {
  const labels = new Map<string, string[]>();
  const waiting = [tree];
  for (let k = 0; k < waiting.length && k < MAX_TEST_FOLDERS; k++) {
    const text = readTextFile(folder, joinPaths(waiting[k], 'CTestTestfile.cmake'));
    for (const line of text.split('\n')) {
      const [, bracket, quoted] = PROPERTIES_LINE.exec(line) ?? [];
      const labelList = LABELS_PROPERTY.exec(line)?.[1];
      const name = bracket ?? quoted;
      if (name !== undefined && labelList !== undefined) labels.set(name, labelList.split(';'));
      const below = /^subdirs\("(.*)"\)$/.exec(line)?.[1];
      // Only folders inside the tree are read.
      if (below !== undefined && !below.startsWith('/') && !below.split('/').includes('..'))
        waiting.push(joinPaths(waiting[k], below));
    }
  }
  return labels;
}

// <Failure type="Error"><Action><OutputFile>CMakeFiles/a.dir/a.c.o</OutputFile>…<Result><StdOut/><StdErr>a.c:2:10: error: …
// Without launchers: <Error> and <Warning> with <Text>/src/a.c:2:10: error: … and <SourceFile>a.c, relative to the sources.
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'StartBuildTime OutputFile WorkingDirectory StdOut StdErr ExitCondition PreContext Text SourceFile'.split(' '),
);
const MESSAGE_ELEMENTS: ReadonlySet<string> = new Set(['Failure', 'Error', 'Warning']);
/** Maximum length of what a command wrote; the rest is left out. */
const MAX_TEXT_LENGTH = 1 << 16;
/** CTest's notes at the start of lines that it suppressed or counted. */
const CTEST_NOTE = /^\[CTest: warning (?:matched|suppressed)\] /gm;

class FailureReader implements XmlHandler {
  /** By output: what the command that made it wrote, and the output as the command names it. */
  readonly messages = new Map<string, { readonly name: string; readonly text: string }>();
  /** By output of a command that failed: its exit code (infinite if unknown), and what it wrote. */
  readonly failed = new Map<string, { readonly code: number; readonly text: string }>();
  /** By source file: what its compiles wrote. */
  readonly ofSources = new Map<string, string[]>();
  /** When the build started, in seconds since 1970; NaN if unknown. */
  startSeconds = Number.NaN;
  private readonly texts = new Map<string, string>();
  private element = '';

  get wantsText(): boolean {
    return this.element !== '';
  }

  onOpen(name: string): void {
    if (MESSAGE_ELEMENTS.has(name)) this.texts.clear();
    this.element = TEXT_ELEMENTS.has(name) ? name : '';
  }

  onText(piece: string): void {
    this.texts.set(this.element, ((this.texts.get(this.element) ?? '') + piece).slice(0, MAX_TEXT_LENGTH));
  }

  onClose(name: string): void {
    this.element = '';
    const text = (of: string) => this.texts.get(of)?.trimEnd() ?? '';
    if (name === 'StartBuildTime') this.startSeconds = Number(text(name));
    const [source, line] = [text('SourceFile'), text('Text')];
    if (MESSAGE_ELEMENTS.has(name) && source !== '' && line !== '') addToList(this.ofSources, source, line);
    // Without launchers, ninja's line about the failure comes before the first error.
    const before = name === 'Error' ? text('PreContext').split('\n') : [];
    for (const above of before)
      if (FAILED.test(above)) this.failed.set(above.replace(FAILED, '').trim(), { code: Number.POSITIVE_INFINITY, text: line });
    if (name !== 'Failure') return;
    const written = ['StdOut', 'StdErr'].flatMap((of) => text(of) || []).join('\n');
    const output = text('OutputFile');
    const code = Number(text('ExitCondition'));
    // A crash has a text in place of its code.
    if (output !== '' && code !== 0) this.failed.set(output, { code: code || Number.POSITIVE_INFINITY, text: written });
    if (output !== '' && written !== '')
      this.messages.set(absolutePath(text('WorkingDirectory'), output), { name: output, text: written.replace(CTEST_NOTE, '') });
  }
}

/**
 * Adds CTest's messages to steps from `first` on that have none and ran in the build of Build.xml: they began in its time, or `loggedMs`, when
 * the log of their run was last written, is in it. Both are in time since 1970.
 */
export function addCtestMessages(rows: StepWriter, first: number, folder: Folder, tree: string, loggedMs?: number): void {
  const path = ctestFile(folder, tree, 'Build.xml');
  const bytes = path === undefined ? undefined : folder.read(path);
  if (path === undefined || !bytes) return;
  const reader = new FailureReader();
  new XmlReader(reader).take(bytes, true);
  const { messages, failed, ofSources, startSeconds } = reader;
  const writtenUs = (folder.modifiedMs?.(path) ?? Number.POSITIVE_INFINITY) * 1000;
  const byOutput = lastStepByOutput(rows);
  const isOfBuild = (row: number) => {
    const startUs = loggedMs === undefined ? rows.columns.startUs.data[row] : loggedMs * 1000;
    return row >= first && startUs >= startSeconds * 1e6 && startUs <= writtenUs;
  };
  const add = (row: number, text: string) => {
    if (isOfBuild(row) && rows.text('messages', row) === undefined) rows.setText('messages', row, text);
  };
  // A log has the names that commands have.
  for (const [output, { name, text }] of messages)
    add(byOutput.get(output) ?? (loggedMs === undefined ? -1 : (byOutput.get(name) ?? -1)), text);
  // Only a log of ninja lacks the commands that failed.
  if (loggedMs !== undefined && isOfBuild(first))
    for (const [output, { code, text }] of failed)
      if ((byOutput.get(output) ?? -1) < first) addFailedCommand(rows, output, code, text, 'Build.xml');
  const compiled = ofSources.size === 0 ? [] : Array.from({ length: rows.rows - first }, (_, k) => first + k).filter(isOfBuild);
  for (const [source, lines] of ofSources) {
    // A message in a header, or in a source that several steps compile, is of a step that nothing names.
    const [row, ...others] = compiled.filter((i) => `/${rows.text('source', i)}`.endsWith(`/${source}`));
    if (row !== undefined && others.length === 0) add(row, lines.join('\n'));
  }
}
