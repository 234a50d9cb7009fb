// The results of CTest alone: a build tree in which tests ran, and nothing recorded the build.

import { FormatError } from '../base/problem.ts';
import type { Sink } from '../model/sink.ts';
import { StepWriter } from '../model/steps/writer.ts';
import { testsIn } from './cmake/tests.ts';
import { type Folder, type Loader, readsFolders } from './loader.ts';

const ownsFolder = (folder: Folder): boolean =>
  folder.list('Testing/Temporary').some(({ name }) => name === 'LastTest.log') ||
  folder.list('Testing').some(({ name }) => name === 'TAG');

async function loadFolder(folder: Folder, sink: Sink): Promise<void> {
  const tests = testsIn(folder, '');
  if (!tests)
    throw new FormatError({
      path: folder.path,
      expected: 'results of CTest in Testing/',
      found: 'none',
      hint: 'run ctest in the build folder',
    });
  const rows = sink.tables(StepWriter);
  const track = rows.untitledTrack('ctest', 'tests');
  const part = sink.parts.length;
  for (const test of tests)
    rows.add({
      ...{ name: `test: ${test.name}`, role: 'test', track, part, command: test.command },
      startUs: 0,
      durationUs: Number.isNaN(test.ms) ? 0 : test.ms * 1000,
      result: test.status === 'passed' ? 0 : test.status === 'failed' ? 1 : null,
      // CTest says how long a test took, but not when, to less than a minute.
      neverRan: true,
      caveat: 'CTest does not record when it ran',
    });
  rows.tests = tests;
  sink.creator ??= 'CTest';
  sink.addPart({ path: folder.path, notes: [`${tests.length} tests; when each ran is not recorded`], events: ['time'] });
}

export const ctest: Loader = {
  name: 'ctest',
  title: 'results of CTest in a build tree (Testing/*/Test.xml, LastTest.log)',
  provides: ['steps', 'tests'],
  make: 'ctest   (in the build folder)',
  ...readsFolders('a build tree with results of CTest'),
  ownsFolder,
  loadFolder,
};
