// CTest's results: Testing/*/Test.xml and Testing/Temporary/LastTest.log of a build tree, whichever is newer, with the labels
// of CTestTestfile.cmake. LastTest.log departs from the truth: it says "Test Passed." of tests that were skipped, and of those that are
// disabled or whose program was not found: the command of these is empty.
import { KeptOutput, type TestResult } from '../../model/steps/tests.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { msOf, TestReader } from '../shared/test-results.ts';
import { XmlReader } from '../shared/xml.ts';
import { join } from './data-folder.ts';

/** Limit of the test folders that are read. */
const MOST_FOLDERS = 2000;

const readText = (folder: Folder, path: string): string => {
  const bytes = folder.read(path);
  return bytes ? decodeBytes(bytes, 0, bytes.length) : '';
};

/** The tests of a build tree, seen from a folder; undefined if CTest has left nothing. */
export function testsIn(folder: Folder, tree: string): TestResult[] | undefined {
  const inTree = (name: string) => join(tree, name);
  const tag = /^[\w-]{1,40}$/.exec(readText(folder, inTree('Testing/TAG')).split('\n', 1)[0].trim())?.[0];
  const xml = tag === undefined ? undefined : inTree(`Testing/${tag}/Test.xml`);
  const log = inTree('Testing/Temporary/LastTest.log');
  const when = (path: string | undefined) => (path === undefined ? undefined : folder.modifiedMs?.(path)) ?? 0;
  // CTest writes both when it makes the first one.
  const readLog = () => testsFromLog(readText(folder, log));
  const hasXml = when(xml) > 0 && when(xml) >= when(log) - 5000;
  const tests = hasXml ? withOutput(testsFromXml(folder.read(xml ?? '') ?? new Uint8Array(0)), readLog) : readLog();
  if (tests.length === 0) return undefined;
  const labels = labelsIn(folder, tree);
  return tests.map((t) => ({ ...t, labels: t.labels.length > 0 ? t.labels : (labels.get(t.name) ?? []) }));
}

function testsFromXml(bytes: Uint8Array): TestResult[] {
  const reader = new TestReader();
  new XmlReader(reader).take(bytes, true);
  return reader.results();
}

/** Adds outputs that Test.xml stores compressed; the log has them as plain text. */
function withOutput(tests: readonly TestResult[], readLog: () => readonly TestResult[]): readonly TestResult[] {
  const lacksOutput = (t: TestResult) => t.status === 'failed' && t.output === '';
  if (!tests.some(lacksOutput)) return tests;
  const outputs = new Map(readLog().map((t) => [t.name, t.output]));
  return tests.map((t) => (lacksOutput(t) ? { ...t, output: outputs.get(t.name) ?? '' } : t));
}

function testsFromLog(text: string): TestResult[] {
  const tests: TestResult[] = [];
  const outputs = new KeptOutput();
  // A block begins with a line `3/12 Test: name`; its output may hold such lines, but not before an empty one and `Testing:`.
  for (const block of text.split(/\n(?=\d+\/\d+ Testing: )/)) {
    const name = /^\d+\/\d+ Test: (.*)$/m.exec(block)?.[1];
    if (name === undefined) continue;
    const until = block.lastIndexOf('<end of output>');
    const end = block.slice(until);
    const seconds = /^Test time = +([\d.]+) sec$/m.exec(end)?.[1] ?? '';
    const command = /^Command: (.*)$/m.exec(block)?.[1] ?? '';
    const verdict = /^Test (Passed|Failed)\.$/m.exec(end)?.[1];
    const status = command.startsWith('""')
      ? 'not run'
      : verdict === 'Passed'
        ? 'passed'
        : verdict === 'Failed'
          ? 'failed'
          : 'not run';
    tests.push({
      name,
      status,
      ms: msOf(seconds),
      reason: command.startsWith('""') ? 'disabled, or its program was not found' : '',
      output: status === 'failed' ? outputs.keep(outputIn(block.slice(0, Math.max(0, until)))) : '',
      command,
      labels: [],
    });
  }
  return tests;
}

/** The text after the line `Output:` and the line that follows it. */
function outputIn(block: string): string {
  const from = block.indexOf('\nOutput:\n');
  return from < 0 ? '' : block.slice(block.indexOf('\n', from + '\nOutput:\n'.length) + 1);
}

const PROPERTIES = /^set_tests_properties\((?:\[=\[(.*?)\]=\]|"?([^"\s]+)"?) PROPERTIES /; // bounded: one start, and each run is looked at once
const LABELS = / LABELS "([^"]*)"/; // bounded: each run is looked at once

/** Labels by test, from the files that CMake writes for CTest. */
function labelsIn(folder: Folder, tree: string): Map<string, string[]> {
  const labels = new Map<string, string[]>();
  const waiting = [tree];
  for (let k = 0; k < waiting.length && k < MOST_FOLDERS; k++) {
    const text = readText(folder, join(waiting[k], 'CTestTestfile.cmake'));
    for (const line of text.split('\n')) {
      const [, bracket, quoted] = PROPERTIES.exec(line) ?? [];
      const labelList = LABELS.exec(line)?.[1];
      const name = bracket ?? quoted;
      if (name !== undefined && labelList !== undefined) labels.set(name, labelList.split(';'));
      const below = /^subdirs\("(.*)"\)$/.exec(line)?.[1];
      // Only folders inside the tree are read.
      if (below !== undefined && !below.startsWith('/') && !below.split('/').includes('..'))
        waiting.push(join(waiting[k], below));
    }
  }
  return labels;
}
