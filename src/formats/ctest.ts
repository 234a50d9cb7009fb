// Loads test results without a recorded build: a build tree in which CTest ran, or a file of results.

import { limitProblem } from '../base/limits.ts';
import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import type { TestResult } from '../model/steps/tests.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { readTestResults } from './cmake/ctest.ts';
import type { Detection, Folder, Loader, Source } from './loader.ts';
import { NINJA_LOG } from './ninja-log.ts';
import { headText, readPieces } from './shared/stream.ts';
import { TestReader } from './shared/test-results.ts';
import { XmlReader } from './shared/xml.ts';

/** The log of a build by ninja has the results of tests, too. */
const ownsFolder = (folder: Folder): boolean =>
  !folder.list('').some(({ name }) => NINJA_LOG.test(name)) &&
  (folder.list('Testing/Temporary').some(({ name }) => name === 'LastTest.log') ||
    folder.list('Testing').some(({ name }) => name === 'TAG'));

async function loadFolder(folder: Folder, sink: Sink): Promise<void> {
  const tests = readTestResults(folder, '', (cut) => {
    sink.cut ??= cut;
  });
  const hint = 'run ctest in the build folder';
  if (!tests) throw new FormatError({ path: folder.path, expected: 'results of CTest in Testing/', found: 'none', hint });
  sink.creator ??= 'CTest';
  writeTests(sink, folder.path, tests);
}

function writeTests(sink: Sink, path: string, tests: readonly TestResult[]): void {
  const rows = sink.writerFor(StepWriter);
  const track = rows.untitledTrack('ctest', 'tests');
  const part = sink.parts.length;
  for (const test of tests) {
    const neverRan = (test.isWanting || test.status === 'not run') && !(test.ms > 0);
    rows.add({
      kind: neverRan ? 'unrun' : 'step',
      ...{ name: `test: ${test.name}`, role: 'test', track, part, command: test.command },
      startUs: Number.NaN,
      durationUs: Number.isNaN(test.ms) ? 0 : test.ms * 1000,
      result: test.status === 'passed' ? 0 : test.status === 'failed' ? (test.exit ?? Number.POSITIVE_INFINITY) : null,
      // The results have durations of tests, but start times only to the minute.
      caveat: neverRan ? undefined : 'nothing records when it ran',
    });
  }
  rows.facts.tests = [...(rows.facts.tests ?? []), ...tests];
  sink.addPart({ path, notes: [`${tests.length} tests; when each ran is not recorded`], events: ['time'] });
}

function detect(head: Uint8Array): Detection {
  const text = headText(head)
    .replace(/<(?:\?[^>]{0,400}\?|!--[^>]{0,400}--)>/g, '')
    .trimStart();
  if (/^<testsuites?[\s>]/.test(text)) return 'yes';
  return /^<Site\s/.test(text) && /Generator="ctest/.test(text) ? 'yes' : 'no';
}

/** Loads a file of test results: JUnit's XML or CTest's Test.xml. */
async function load(source: Source, sink: Sink, signal: AbortSignal): Promise<void> {
  const tests = new TestReader();
  const reader = new XmlReader(tests);
  const takeAll = (bytes: Uint8Array) => {
    if (!reader.take(bytes)) throw new FormatError({ path: source.path, ...limitProblem(sink.limits, 'line') });
    return bytes.length;
  };
  const { read } = await readPieces(source, sink.limits, signal, takeAll, 'line');
  reader.take(new Uint8Array(), true);
  const { path } = source;
  const results = tests.results();
  if (results.length === 0)
    throw new FormatError({ path, offset: read, expected: 'a <testcase>, or a <Test> with its Status', found: 'none' });
  for (const { expected, found } of tests.wanting) sink.warn({ path, expected, found });
  if (reader.isOpen) sink.cut ??= { path, offset: read, expected: 'the end of an element', found: 'the end of the file' };
  sink.creator ??= tests.generator ?? 'JUnit XML';
  writeTests(sink, path, results);
}

export const ctest: Loader = {
  name: 'ctest',
  title: 'results of tests: of CTest in a build tree (Testing/*/Test.xml, LastTest.log), or JUnit XML',
  provides: ['steps', 'tests'],
  readsOtherFiles: true,
  make: 'ctest   (in the build folder), ctest --output-junit FILE, or any other that writes JUnit XML',
  fileNames: /^Test\.xml$|junit[^/]{0,99}\.xml(\.gz)?$|^TEST-[^/]{0,200}\.xml$/,
  detect,
  load,
  ownsFolder,
  loadFolder,
};
