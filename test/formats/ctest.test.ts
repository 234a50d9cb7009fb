// What CTest left of a project with tests of every fate.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { neverRan, stepName } from '../../src/analysis/answers/steps/steps.ts';
import { testPairs } from '../../src/analysis/builds/tests.ts';
import { loadProfile } from '../../src/io/load.ts';
import { checkProfile } from '../../src/model/check.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { runWarm } from '../support/warm.ts';

const FATES = join(FIXTURES, 'ctest/fates');

function copy(): string {
  const tree = mkdtempSync(join(tmpdir(), 'proftui-ctest-'));
  cpSync(FATES, tree, { recursive: true });
  return tree;
}

async function testsOf(tree: string) {
  const profile = profileOf(await loadProfile([tree]), 'steps');
  assert.deepEqual(checkProfile(profile), []);
  return testPairs(analysisOf(profile, 'steps'), undefined).flatMap(({ now }) => now ?? []);
}

test('Test.xml: every fate as CTest printed it, with reasons and labels', async () => {
  const tests = await testsOf(FATES);
  assert.deepEqual(
    tests.map((t) => [t.name, t.status, t.reason, t.labels.join(' ')]).sort(),
    [
      ['crashes', 'failed', 'SEGFAULT', ''],
      ['disabled', 'not run', 'Disabled', ''],
      ['fails', 'failed', '', ''],
      ['inner', 'passed', '', 'fast sub'],
      ['name with spaces, comma', 'passed', '', ''],
      ['notfound', 'failed', 'Unable to find executable', ''],
      ['passes', 'passed', '', ''],
      ['größe', 'passed', '', ''],
      ['skipped', 'not run', 'SKIP_RETURN_CODE=77', ''],
      ['slow', 'passed', '', 'slow'],
      ['timesout', 'failed', 'Timeout', ''],
      ['willfail', 'passed', '', 'expected odd'],
    ].sort(),
  );
  // Failed first, then what did not run, then the slowest.
  assert.equal(tests[0].name, 'timesout');
  assert.equal(
    tests.findIndex((t) => t.status === 'passed'),
    6,
  );
  assert.equal(tests[6].name, 'slow');
  assert.ok(tests[6].ms > 400 && tests[6].ms < 500);
});

test('LastTest.log alone: output that looks like results does not count', async () => {
  const tree = copy();
  rmSync(join(tree, 'Testing/TAG'));
  const tests = new Map((await testsOf(tree)).map((t) => [t.name, t]));
  assert.equal(tests.size, 12);
  assert.equal(tests.get('passes')?.status, 'passed', 'its output says Test Failed.');
  assert.deepEqual(
    ['fails', 'crashes', 'timesout', 'notfound', 'disabled', 'willfail'].map((name) => tests.get(name)?.status),
    ['failed', 'failed', 'failed', 'not run', 'not run', 'passed'],
  );
  assert.equal(tests.get('timesout')?.ms, 300);
  assert.deepEqual(tests.get('inner')?.labels, ['sub', 'fast']);
});

test('the newer of both counts; hostile files say nothing', async () => {
  const tree = copy();
  const log = join(tree, 'Testing/Temporary/LastTest.log');
  const text = readFileSync(log, 'utf8');
  writeFileSync(log, text.slice(0, text.indexOf('\n2/12 Testing:')));
  const later = Date.now() / 1000 + 1000;
  utimesSync(log, later, later);
  assert.equal((await testsOf(tree)).length, 1);
  writeFileSync(join(tree, 'Testing/TAG'), '../../../etc\nx\n');
  assert.equal((await testsOf(tree)).length, 1);
  writeFileSync(
    join(tree, 'CTestTestfile.cmake'),
    'subdirs("../..")\nsubdirs("/etc")\nset_tests_properties(passes PROPERTIES  LABELS "a")\n',
  );
  assert.deepEqual((await testsOf(tree))[0].labels, ['a']);
  writeFileSync(log, '');
  await assert.rejects(loadProfile([tree]), /results of CTest/);
});

test('the total is the sum of the tests, though nothing says when they ran; what never ran has no time', async () => {
  const profile = profileOf(await loadProfile([FATES]), 'steps');
  const { steps } = profile;
  const ms = (steps.tests ?? []).reduce((sum, t) => sum + (Number.isNaN(t.ms) ? 0 : t.ms), 0);
  assert.ok(ms > 700);
  assert.ok(Math.abs(analysisOf(profile, 'steps').totals.total[0][0] - ms * 1000) < 1e-6);
  const never = Array.from(steps.name.keys()).filter((i) => neverRan(steps, i));
  assert.deepEqual(never.map((i) => stepName(profile, i)).sort(), ['test: disabled', 'test: notfound', 'test: skipped']);
});

test('a test that took no time by the clock of its runner ran, if it has a result', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proftui-'));
  const path = join(folder, 'junit.xml');
  const cases = ['<testcase name="a" time="0"/>', '<testcase name="b" time="0"><failure message="m"/></testcase>'];
  writeFileSync(path, `<testsuite name="s">${cases.join('')}<testcase name="c" time="0"><skipped/></testcase></testsuite>`);
  const { steps } = profileOf(await loadProfile([path]), 'steps');
  rmSync(folder, { recursive: true });
  const statuses = new Map(steps.tests?.map(({ name, status }) => [`test: ${name}`, status]));
  assert.deepEqual([...statuses.values()], ['passed', 'failed', 'not run']);
  assert.equal(steps.name.length, 3);
  for (let i = 0; i < 3; i++) assert.equal(neverRan(steps, i), i === 2, String(i));
});

test('results that are older than the steps of a recorded tree are of another run', async () => {
  const tree = copy();
  const data = join(tree, '.cmake/instrumentation/v1/data');
  mkdirSync(data, { recursive: true });
  const now = Date.now();
  const snippet = {
    ...{ version: 1, role: 'compile', source: 'a.cpp', target: 'a', outputs: ['a.o'], outputSizes: [1], result: 0 },
    ...{ command: 'c++ -c a.cpp', workingDir: '/b', timeStart: now, duration: 500 },
  };
  writeFileSync(join(data, 'compile-00000000000000000001-2026-11-22T08-00-00-0000.json'), JSON.stringify(snippet));
  const log = join(tree, 'Testing/Temporary/LastTest.log');
  const opened = async (seconds: number) => {
    utimesSync(log, now / 1000 + seconds, now / 1000 + seconds);
    const profile = profileOf(await loadProfile([tree]), 'steps');
    return [profile.steps.tests?.length, profile.notes?.some((note) => note.includes('results of CTest are older')) === true];
  };
  assert.deepEqual(await opened(-60), [undefined, true]);
  assert.deepEqual(await opened(60), [12, false]);
});

test('LastTest.log: what an expression decided has passed, failed or been skipped, as ctest printed it', async () => {
  const fates = async (run: string) => {
    const tests = await testsOf(join(FIXTURES, 'ctest/expressions', run));
    return Object.fromEntries(tests.map((t) => [t.name, [t.status, t.reason].join(': ')]));
  };
  const before = {
    plain: 'passed: ',
    re_pass: 'passed: ',
    skip_re: 'not run: Skip regular expression found in output. Regex=[SKIPPED]',
    exit1: 'failed: ',
    re_missing: 'failed: Required regular expression not found. Regex=[42]',
    re_fail: 'failed: Error regular expression found in output. Regex=[ERROR]',
    prints: 'failed: Required regular expression not found. Regex=[never]',
  };
  assert.deepEqual(await fates('base'), before);
  assert.deepEqual(await fates('now'), { ...before, re_pass: before.re_missing });
  const [now, base] = ['now', 'base'].map((run) => join(FIXTURES, 'ctest/expressions', run));
  assert.match(runWarm([now, '--base', base, '--print', 'findings']).out, /1 test fails that passed in the base: re_pass/);
});

test('a build folder of ninja where ctest ran is the build, with the results of the tests', async () => {
  const tree = copy();
  const log = join(tree, '.ninja_log');
  writeFileSync(log, '# ninja log v5\n0\t20\t1\ta.o\t1\n20\t50\t1\tapp\t2\n');
  const profile = profileOf(await loadProfile([log]), 'steps');
  assert.equal(profile.format, 'ninja-log');
  assert.equal(profile.steps.tests?.length, 12);
  assert.deepEqual([...profile.steps.durationUs], [20_000, 30_000]);
  assert.match(runWarm([tree, '--print', 'findings']).out, /4 of 12 tests failed/);
  // A build since then may have changed what they tested.
  const later = new Date(Date.now() + 600_000);
  utimesSync(log, later, later);
  const { steps, notes } = profileOf(await loadProfile([log]), 'steps');
  assert.equal(steps.tests, undefined);
  assert.match(notes?.join() ?? '', /older than what is recorded/);
  rmSync(tree, { recursive: true });
});
