// CTest's results: Testing/*/Test.xml and Testing/Temporary/LastTest.log of a build tree, whichever is newer, with the labels
// of CTestTestfile.cmake. LastTest.log departs from the truth: it says "Test Passed." of tests that were skipped, and of those that are
// disabled or whose program was not found: the command of these is empty.
import type { TestResult } from '../../model/steps/tests.ts';
import { decodeBytes } from '../../model/strings.ts';
import type { Folder } from '../loader.ts';
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
  const tests =
    when(xml) > 0 && when(xml) >= when(log) - 5000 ? fromXml(textOf(folder, xml ?? '')) : fromLog(textOf(folder, log));
  if (tests.length === 0) return undefined;
  const labels = labelsIn(folder, tree);
  return tests.map((t) => ({ ...t, labels: t.labels.length > 0 ? t.labels : (labels.get(t.name) ?? []) }));
}

/** NaN for what is no time. */
function msOf(seconds: string): number {
  const ms = seconds === '' ? Number.NaN : Number(seconds) * 1000;
  return ms >= 0 && ms < LONGEST_MS ? ms : Number.NaN;
}

/** A year. */
const LONGEST_MS = 366 * 86_400_000;

function fromLog(text: string): TestResult[] {
  const tests: TestResult[] = [];
  // A block begins with a line `3/12 Test: name`; its output may hold such lines, but not before an empty one and `Testing:`.
  for (const block of text.split(/\n(?=\d+\/\d+ Testing: )/)) {
    const name = /^\d+\/\d+ Test: (.*)$/m.exec(block)?.[1];
    if (name === undefined) continue;
    const end = block.slice(block.lastIndexOf('<end of output>'));
    const seconds = /^Test time = +([\d.]+) sec$/m.exec(end)?.[1] ?? '';
    const command = /^Command: (.*)$/m.exec(block)?.[1] ?? '';
    const said = /^Test (Passed|Failed)\.$/m.exec(end)?.[1];
    const status = command.startsWith('""') ? 'not run' : said === 'Passed' ? 'passed' : said === 'Failed' ? 'failed' : 'not run';
    tests.push({
      name,
      status,
      ms: msOf(seconds),
      reason: command.startsWith('""') ? 'disabled, or its program was not found' : '',
      command,
      labels: [],
    });
  }
  return tests;
}

const ENTITIES: ReadonlyMap<string, string> = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }));
const ENTITY = /&(?:(\w+)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g; // bounded: each run is looked at once
const unescaped = (text: string): string =>
  text.replace(ENTITY, (whole, name: string, decimal: string, hex: string) => {
    if (name) return ENTITIES.get(name) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

const LABEL = /<Label>([^<]*)<\/Label>/g; // bounded: each run is looked at once

function fromXml(text: string): TestResult[] {
  const tests: TestResult[] = [];
  for (const block of text.split('<Test Status="').slice(1)) {
    const status = block.slice(0, block.indexOf('"'));
    const inside = (tag: string) => {
      const from = block.indexOf(`<${tag}>`);
      const to = block.indexOf(`</${tag}>`, from);
      return from < 0 || to < 0 ? '' : unescaped(block.slice(from + tag.length + 2, to));
    };
    const measured = (name: string) => {
      const from = block.indexOf(`name="${name}">`);
      const value = from < 0 ? -1 : block.indexOf('<Value>', from);
      const to = value < 0 ? -1 : block.indexOf('</Value>', value);
      return to < 0 ? '' : unescaped(block.slice(value + 7, to));
    };
    const [code, completion] = [measured('Exit Code'), measured('Completion Status')];
    const reason = [code, completion].filter((x) => x !== '' && x !== 'Completed' && x !== 'Failed').join(', ');
    const seconds = measured('Execution Time');
    tests.push({
      name: inside('Name'),
      status: status === 'passed' ? 'passed' : status === 'failed' ? 'failed' : 'not run',
      ms: msOf(seconds),
      reason,
      command: inside('FullCommandLine') || measured('Command Line'),
      labels: Array.from(block.matchAll(LABEL), ([, label]) => unescaped(label)),
    });
  }
  return tests;
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
