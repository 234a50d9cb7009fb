// CTest's results: Testing/*/Test.xml and Testing/Temporary/LastTest.log of a build tree, whichever is newer, with the labels
// of CTestTestfile.cmake. LastTest.log departs from the truth: it says "Test Passed." of tests that were skipped, and of those that are
// disabled or whose program was not found: the command of these is empty.
import { KeptOutput, type TestResult } from '../../model/steps/tests.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
import { msOf, TestReader } from '../shared/test-results.ts';
import { XmlReader } from '../shared/xml.ts';
import { join } from './data-folder.ts';

/** Folders of tests below each other, and how many of them are read. */
const MOST_FOLDERS = 2000;

const textOf = (folder: Folder, path: string): string => {
  const bytes = folder.read(path);
  return bytes ? decodeBytes(bytes, 0, bytes.length) : '';
};

/** The tests of a build tree, seen from a folder; undefined if CTest has left nothing. */
export function testsIn(folder: Folder, tree: string): TestResult[] | undefined {
  const at = (name: string) => join(tree, name);
  const tag = /^[\w-]{1,40}$/.exec(textOf(folder, at('Testing/TAG')).split('\n', 1)[0].trim())?.[0];
  const xml = tag === undefined ? undefined : at(`Testing/${tag}/Test.xml`);
  const log = at('Testing/Temporary/LastTest.log');
  const when = (path: string | undefined) => (path === undefined ? undefined : folder.modifiedMs?.(path)) ?? 0;
  // CTest writes both when it makes the first one.
  const inLog = () => fromLog(textOf(folder, log));
  const hasXml = when(xml) > 0 && when(xml) >= when(log) - 5000;
  const tests = hasXml ? withOutput(fromXml(folder.read(xml ?? '') ?? new Uint8Array(0)), inLog) : inLog();
  if (tests.length === 0) return undefined;
  const labels = labelsIn(folder, tree);
  return tests.map((t) => ({ ...t, labels: t.labels.length > 0 ? t.labels : (labels.get(t.name) ?? []) }));
}

function fromXml(bytes: Uint8Array): TestResult[] {
  const reader = new TestReader();
  new XmlReader(reader).take(bytes, true);
  return reader.results();
}

/** Long outputs are compressed in Test.xml; the log has them as they are. */
function withOutput(tests: readonly TestResult[], inLog: () => readonly TestResult[]): readonly TestResult[] {
  const lacksOutput = (t: TestResult) => t.status === 'failed' && t.output === '';
  if (!tests.some(lacksOutput)) return tests;
  const outputs = new Map(inLog().map((t) => [t.name, t.output]));
  return tests.map((t) => (lacksOutput(t) ? { ...t, output: outputs.get(t.name) ?? '' } : t));
}

function fromLog(text: string): TestResult[] {
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
    const said = /^Test (Passed|Failed)\.$/m.exec(end)?.[1];
    const status = command.startsWith('""') ? 'not run' : said === 'Passed' ? 'passed' : said === 'Failed' ? 'failed' : 'not run';
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

/** The text behind `Output:` and the line below it. */
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
    const text = textOf(folder, join(waiting[k], 'CTestTestfile.cmake'));
    for (const line of text.split('\n')) {
      const [, bracket, quoted] = PROPERTIES.exec(line) ?? [];
      const said = LABELS.exec(line)?.[1];
      const name = bracket ?? quoted;
      if (name !== undefined && said !== undefined) labels.set(name, said.split(';'));
      const below = /^subdirs\("(.*)"\)$/.exec(line)?.[1];
      // Below the tree alone.
      if (below !== undefined && !below.startsWith('/') && !below.split('/').includes('..'))
        waiting.push(join(waiting[k], below));
    }
  }
  return labels;
}
