// Results of tests as XML, against the sums that the files themselves have, and in pieces of any size.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { stepName } from '../../src/analysis/answers/steps/steps.ts';
import { stepOfTest, testOfStep, testPairs } from '../../src/analysis/builds/tests.ts';
import { FormatError } from '../../src/base/problem.ts';
import { ctest } from '../../src/formats/ctest.ts';
import { millisecondsOf } from '../../src/formats/shared/test-results.ts';
import type { TestResult } from '../../src/model/steps/tests.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { analysisOf, profileOf } from '../support/kinds.ts';
import { loadBytes } from '../support/load.ts';
import { random } from '../support/random.ts';

const FOLDER = join(FIXTURES, 'ctest');
const bytesOf = (name: string) => readFileSync(join(FOLDER, name));

async function resultsOf(bytes: Uint8Array, chunk?: number): Promise<readonly TestResult[]> {
  const { steps } = profileOf(await loadBytes(ctest, bytes, chunk), 'steps');
  assert.ok(steps.tests);
  return steps.tests;
}
const count = (tests: readonly TestResult[], status: TestResult['status']) => tests.filter((t) => t.status === status).length;

test('as many tests failed and did not run as the heads of the files say', async () => {
  for (const [file, failed, others] of [
    ['ctest.junit.xml', ['failures'], ['disabled', 'skipped']],
    ['pytest.junit.xml', ['failures', 'errors'], ['skipped']],
  ] as const) {
    const text = bytesOf(file).toString();
    const head = text.slice(0, text.indexOf('<testcase'));
    const said = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + Number(new RegExp(`${name}="(\\d+)"`).exec(head)?.[1]), 0);
    const tests = await resultsOf(bytesOf(file));
    // A test without its program is skipped for the head, but CTest counts it among the failed tests.
    const missing = tests.filter(({ reason }) => reason === 'Unable to find executable').length;
    assert.equal(missing, file === 'ctest.junit.xml' ? 1 : 0);
    assert.deepEqual(
      [tests.length, count(tests, 'failed') - missing, count(tests, 'not run') + missing],
      [said(['tests']), said(failed), said(others)],
      file,
    );
  }
});

test('JUnit and Test.xml of one run of CTest say the same of each test', async () => {
  const [junit, xml] = [await resultsOf(bytesOf('ctest.junit.xml')), await resultsOf(bytesOf('Test.xml'))];
  const fates = (tests: readonly TestResult[]) => tests.map(({ name, status }) => [name, status]);
  assert.deepEqual(fates(junit), fates(xml));
  assert.deepEqual(
    xml.filter((t) => t.reason !== '').map(({ name, reason }) => `${name}: ${reason}`),
    [
      'crashes: SEGFAULT',
      'skipped: SKIP_RETURN_CODE=77',
      'timesout: Timeout',
      'disabled: Disabled',
      'notfound: Unable to find executable',
    ],
  );
});

test('names, reasons and times as the writers mean them', async () => {
  const said = async (file: string) => (await resultsOf(bytesOf(file))).map((t) => [t.name, t.status, t.ms, t.reason]);
  assert.deepEqual(await said('gtest.junit.xml'), [
    ['Math.Adds', 'passed', 2, ''],
    ['Math.Divides', 'failed', 10, 'math_test.cc:11'],
    ['Math.DISABLED_Roots', 'not run', 0, 'suppressed'],
    ['Math.Skips', 'not run', 0, 'math_test.cc:26'],
    ['Sizes/Text.Fits/0', 'passed', 1500, ''],
  ]);
  assert.deepEqual(
    (await said('node.junit.xml')).map(([name, status]) => [name, status]),
    [
      ['adds', 'passed'],
      ['fails <b>', 'failed'],
      ['skipped', 'not run'],
      ['todo', 'not run'],
      ['inner', 'passed'],
      ['inner bad', 'failed'],
    ],
  );
  const pytest = await said('pytest.junit.xml');
  assert.deepEqual(pytest[1], ['test_a.test_bad', 'failed', 1, 'AssertionError: one & <two>']);
  assert.deepEqual(pytest[6].slice(0, 2), ['test_a.TestC.test_p[q"x]', 'passed']);
});

test('a run that failed before its test passed is a result of its own, as Surefire and nextest write it', async () => {
  const flaky = (inner: string) =>
    resultsOf(
      Buffer.from(
        `<testsuite name="s" tests="2" failures="1" flakes="1"><testcase name="flaky" time="0.5">${inner}</testcase>` +
          '<testcase name="bad" time="1"><failure message="m"/><rerunFailure message="m2"/></testcase></testsuite>',
      ),
    );
  const shown = (tests: readonly TestResult[]) => tests.map((t) => [t.name, t.status, t.reason, t.ms]);
  assert.deepEqual(shown(await flaky('<flakyFailure message="boom" time="0.25"><stackTrace>x</stackTrace></flakyFailure>')), [
    ['flaky', 'failed', 'boom', 250],
    ['flaky', 'passed', '', 500],
    ['bad', 'failed', 'm', 1000],
  ]);
  const twice = await flaky('<flakyError message="a"/><flakyFailure message="b"><system-out>out</system-out></flakyFailure>');
  assert.deepEqual(
    twice.map((t) => [t.name, t.status, t.reason]),
    [
      ['flaky', 'failed', 'a'],
      ['flaky', 'failed', 'b'],
      ['flaky', 'passed', ''],
      ['bad', 'failed', 'm'],
    ],
  );
});

test('a failure keeps its text, of a long one the beginning and the end; a test that passed keeps none', async () => {
  const output = async (bytes: Uint8Array) => new Map((await resultsOf(bytes)).map((t) => [t.name, t.output]));
  const pytest = await output(bytesOf('pytest.junit.xml'));
  assert.match(
    pytest.get('test_a.test_bad') ?? '',
    /^> {3}def test_bad\(\): assert 1 == 2, "one & <two>"\n[\s\S]*\ntest_a\.py:3: AssertionError$/,
  );
  assert.equal(pytest.get('test_a.test_ok'), '');
  const gtest = await output(bytesOf('gtest.junit.xml'));
  assert.match(gtest.get('Math.Divides') ?? '', /^math_test\.cc:11\n/);
  const suite = (failure: string, out = '') =>
    Buffer.from(
      `<testsuite><testcase name="a"><failure message="first&#10;second">${failure}</failure>${out}</testcase></testsuite>`,
    );
  assert.equal((await output(suite(''))).get('a'), 'first\nsecond');
  assert.equal((await output(suite('', '<system-out>said</system-out>'))).get('a'), 'said');
  const long = (await output(suite(`begins ${'\u{1f600}'.repeat(50_000)} ends`))).get('a') ?? '';
  assert.ok(long.length < 5000 && !/\p{Cs}/u.test(long), `${long.length}`);
  assert.match(long, /^begins [\s\S]*\n\[…\]\n[\s\S]* ends$/);
  const xml = await output(bytesOf('Test.xml'));
  assert.deepEqual([xml.get('passes'), xml.get('crashes')], ['', '']);
});

test('beside another run: what fails since is first, what is gone last, and a step has the text of its test', async () => {
  const suite = (tests: Readonly<Record<string, string>>) =>
    Buffer.from(
      `<testsuite>${Object.entries(tests)
        .map(([name, inner]) => `<testcase name="${name}" time="0.5">${inner}</testcase>`)
        .join('')}</testsuite>`,
    );
  const analyse = async (bytes: Uint8Array) => analysisOf(await loadBytes(ctest, bytes), 'steps');
  const failure = '<failure message="no">text</failure>';
  const before = await analyse(suite({ a: '', b: failure, c: failure, gone: '' }));
  const now = await analyse(suite({ b: '', c: failure, fresh: failure, a: failure }));
  const pairs = testPairs(now, before);
  assert.deepEqual(
    pairs.map((pair) => [pair.now?.name, pair.now?.status, pair.before?.status]),
    [
      ['a', 'failed', 'passed'],
      ['c', 'failed', 'failed'],
      ['fresh', 'failed', undefined],
      ['b', 'passed', 'failed'],
      [undefined, undefined, 'passed'],
    ],
  );
  for (const { now: one } of pairs) {
    if (!one) continue;
    const step = stepOfTest(now, one);
    assert.equal(stepName(now.profile, step), `test: ${one.name}`);
    assert.equal(testOfStep(now, step), one);
  }
});

test('the same in pieces of any size', async () => {
  for (const file of ['ctest.junit.xml', 'pytest.junit.xml', 'node.junit.xml', 'gtest.junit.xml', 'Test.xml']) {
    const whole = await resultsOf(bytesOf(file));
    for (const chunk of [1, 7, 61, 4096]) assert.deepEqual(await resultsOf(bytesOf(file), chunk), whole, `${file} by ${chunk}`);
  }
});

test('a cut file is one, and what is no result is refused', async () => {
  const bytes = bytesOf('gtest.junit.xml');
  for (const at of [bytes.indexOf('divide(1, 2)]]'), bytes.indexOf('equality') + 3, bytes.indexOf('result="suppressed"')]) {
    const profile = await loadBytes(ctest, bytes.subarray(0, at));
    assert.equal(profile.cut?.found, 'the end of the file', `${at}`);
  }
  const wrong = Buffer.from('<testsuites><testsuite name="none"></testsuite></testsuites>');
  await assert.rejects(loadBytes(ctest, wrong), (e) => e instanceof FormatError && /expected a <testcase>/.test(e.message));
  const endless = Buffer.from(`<testsuite><testcase name="${'x'.repeat(17 << 20)}`);
  await assert.rejects(loadBytes(ctest, endless), (e) => e instanceof FormatError && /at most 16777216 bytes/.test(e.message));
  for (const [text, is] of [
    ['<?xml version="1.0"?>\n<!-- by a tool -->\n<testsuite name="a">', 'yes'],
    ['<testsuites>', 'yes'],
    ['<Site BuildName="x"\n\tGenerator="ctest-3.25.1">', 'yes'],
    ['<Site name="x">', 'no'],
    ['<html><testsuite>', 'no'],
  ] as const)
    assert.equal(ctest.detect(Buffer.from(text), 'x.xml'), is, text);
});

test('milliseconds of a test have the digits of its seconds', () => {
  const r = random(5);
  for (let i = 0; i < 2000; i++) {
    const [whole, part] = [Math.floor(r() * 1000), String(Math.floor(r() * 1e6)).padStart(6, '0')];
    const ms = `${whole}${part.slice(0, 3)}.${part.slice(3)}`;
    assert.equal(millisecondsOf(`${whole}.${part}`), Number(ms));
  }
});
