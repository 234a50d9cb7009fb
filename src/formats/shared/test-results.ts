// Reads test results in XML: JUnit's elements, as written by ctest --output-junit, GoogleTest and others, and CTest's Test.xml.
//   <testcase name="adds" classname="Math" time="0.01" status="run"><failure message="1 == 2"/></testcase>
//   <Test Status="passed"><Name>adds</Name><Results><NamedMeasurement name="Execution Time"><Value>0.01</Value>…
// Writers differ: CTest repeats the name as the class, Node has one class for all tests. Some write `disabled`, some `notrun`.
import { getOrMake } from '../../base/lists.ts';
import type { Problem } from '../../base/problem.ts';
import { plural } from '../../base/units.ts';
import { KeptOutput, type TestResult } from '../../model/steps/tests.ts';
import type { XmlHandler } from './xml.ts';

/** Maximum duration of a test: a year. Longer times are invalid. */
const MAX_TEST_MS = 366 * 86_400_000;

/** Seconds as milliseconds; NaN for an invalid time. */
export function millisecondsOf(seconds: string): number {
  // A comma separates thousands only in front of three digits each; else it is a decimal comma, as some locales write it.
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(seconds);
  const ms = seconds === '' ? Number.NaN : Number(isGrouped ? seconds.replaceAll(',', '') : seconds.replace(',', '.')) * 1000;
  // Times are written in decimals: nanoseconds are as fine as they get.
  return ms >= 0 && ms < MAX_TEST_MS ? Math.round(ms * 1e6) / 1e6 : Number.NaN;
}

/** Maximum length of a reason that is kept; MAX_TEXT_LENGTH limits an element's text. */
export const MAX_REASON_LENGTH = 200;
/** Key of CTest's unnamed measurement, which is the output. */
const OUTPUT_KEY = '';
/** Keys of the texts that may describe a failure, best first. */
const OUTPUT_KEYS = [OUTPUT_KEY, 'system-out', 'system-err', 'message'];
const MAX_TEXT_LENGTH = 1 << 16;

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0].trimEnd().slice(0, MAX_REASON_LENGTH);

const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  ...['Name', 'FullCommandLine', 'Label', 'Value'],
  ...['failure', 'error', 'skipped', 'system-out', 'system-err'],
]);
const FAILED_STATUSES: ReadonlySet<string> = new Set(['fail', 'failed', 'failure', 'error']);
const NOT_RUN_STATUSES: ReadonlySet<string> = new Set(['notrun', 'disabled', 'skipped', 'suppressed']);

/** A test result that is being read. `texts`: by element name, or by name of the measurement. */
interface OpenTestResult {
  readonly texts: Map<string, string>;
  readonly labels: string[];
  readonly status: string;
  /** The class of the test. It becomes part of the name, unless all tests have the same class. */
  readonly className: string;
  outcome: TestResult['status'] | undefined;
  reason: string;
  /** Runs that failed before it passed: why, and how long they took. */
  readonly failures: Pick<TestResult, 'reason' | 'ms'>[];
}

const newTestResult = (status: string, className = ''): OpenTestResult => {
  return { texts: new Map(), labels: [], status, className, outcome: undefined, reason: '', failures: [] };
};

/** A suite whose tests are being read, with what it says of their number. */
interface OpenSuite {
  readonly name: string;
  readonly tests: number;
  readonly failures: number;
  /** The number of tests before its first. */
  readonly before: number;
}

export class TestReader implements XmlHandler {
  private readonly done: (TestResult & { readonly className: string; readonly suite: string })[] = [];
  private readonly suites: OpenSuite[] = [];
  /** Suites that state more tests or failures than they list. */
  readonly wanting: Pick<Problem, 'expected' | 'found'>[] = [];
  private test: OpenTestResult | undefined;
  /** The program that wrote the results, if the file names it. */
  generator: string | undefined;
  private measurement = '';
  private collected: string | undefined;
  private readonly outputs = new KeptOutput();

  get wantsText(): boolean {
    return this.collected !== undefined && this.collected.length < MAX_TEXT_LENGTH;
  }

  onOpen(name: string, attribute: (name: string) => string | undefined): void {
    const value = (key: string) => attribute(key) ?? '';
    if (name === 'Site') this.generator = attribute('Generator');
    if (name === 'testsuite') {
      const count = (key: string) => Number(value(key)) || 0;
      const failures = count('failures') + count('errors');
      this.suites.push({ name: value('name'), tests: count('tests'), failures, before: this.done.length });
    }
    if (name === 'testcase') {
      // GoogleTest's attribute `result` is more specific than its `status`.
      const result = value('result');
      this.test = newTestResult(
        NOT_RUN_STATUSES.has(result) || FAILED_STATUSES.has(result) ? result : value('status'),
        value('classname'),
      );
      this.test.texts.set('Name', value('name')).set('Execution Time', value('time'));
    } else if (name === 'Test' && attribute('Status') !== undefined) this.test = newTestResult(value('Status'));
    const { test } = this;
    if (!test) return;
    if (name === 'NamedMeasurement') this.measurement = value('name');
    // The next Value element contains the output, compressed if it is long.
    if (name === 'Measurement') this.measurement = OUTPUT_KEY;
    if (name === 'Value' && attribute('encoding') !== undefined) return;
    if (name === 'failure' || name === 'error') test.outcome = 'failed';
    if (name === 'skipped') test.outcome ??= 'not run';
    if (name === 'flakyFailure' || name === 'flakyError')
      test.failures.push({ reason: firstLine(value('message')), ms: millisecondsOf(value('time')) });
    if (TEXT_ELEMENTS.has(name)) this.collected = '';
    if (test.reason === '' && (name === 'failure' || name === 'error' || name === 'skipped')) {
      test.texts.set('message', value('message'));
      test.reason = firstLine(value('message'));
    }
  }

  onText(piece: string): void {
    if (this.collected !== undefined) this.collected += piece;
  }

  onClose(name: string): void {
    const { test, collected } = this;
    if (name === 'testsuite') this.checkSuite(this.suites.pop());
    if (!test) return;
    if (collected !== undefined && TEXT_ELEMENTS.has(name)) {
      if (name === 'Label') test.labels.push(collected);
      else if (name === 'Value') test.texts.set(this.measurement, collected);
      else if (name === 'failure' || name === 'error') {
        test.reason ||= firstLine(collected);
        const before = test.texts.get(OUTPUT_KEY) ?? '';
        if (before.length < MAX_TEXT_LENGTH) test.texts.set(OUTPUT_KEY, before === '' ? collected : `${before}\n${collected}`);
      } else if (name !== 'skipped') test.texts.set(name, collected);
      this.collected = undefined;
    }
    if (name !== 'testcase' && name !== 'Test') return;
    const result = name === 'Test' ? ctestResult(test) : junitResult(test);
    const suite = this.suites.at(-1)?.name ?? '';
    // A test that ran again is a result for each of its runs.
    for (const run of test.failures) this.done.push({ ...result, ...run, suite, status: 'failed', output: '' });
    this.done.push({ ...result, suite, output: result.status === 'failed' ? this.outputs.keep(result.output) : '' });
    this.test = undefined;
  }

  private checkSuite(suite: OpenSuite | undefined): void {
    const tests = this.done.slice(suite?.before);
    const failed = tests.filter(({ status }) => status === 'failed').length;
    if (!suite || (suite.tests <= tests.length && suite.failures <= failed)) return;
    const text = (all: number, bad: number) => `${plural(all, 'test')}, ${bad} failed`;
    const expected = `${text(suite.tests, suite.failures)}, as the suite "${suite.name}" states`;
    this.wanting.push({ expected, found: text(tests.length, failed) });
  }

  results(): TestResult[] {
    const hasClasses = new Set(this.done.map(({ className }) => className)).size > 1;
    const named = this.done.map(({ className, name, ...rest }) => {
      const isPart = hasClasses && className !== '' && className !== name;
      return { name: isPart ? `${className}.${name}` : name, ...rest };
    });
    // Two suites may have tests of the same name.
    const suitesOf = new Map<string, Set<string>>();
    for (const { name, suite } of named) getOrMake(suitesOf, name, () => new Set()).add(suite);
    return named.map(({ name, suite, ...rest }) => ({
      name: (suitesOf.get(name)?.size ?? 0) > 1 && suite !== '' ? `${suite}: ${name}` : name,
      ...rest,
    }));
  }
}

/** Reasons of CTest for tests that are not to run. For any other reason, a test that did not run has failed, as CTest counts. */
const MAY_NOT_RUN = /^(?:SKIP_|Disabled)/;

function ctestResult({ texts, labels, status }: OpenTestResult): TestResult & { readonly className: string } {
  const text = (name: string) => texts.get(name) ?? '';
  const reason = [text('Exit Code'), text('Completion Status')].filter((x) => x !== '' && x !== 'Completed' && x !== 'Failed');
  const isWanting = status !== 'passed' && status !== 'failed' && !MAY_NOT_RUN.test(reason.at(-1) ?? 'SKIP_');
  return {
    ...(isWanting ? { isWanting } : {}),
    ...{ name: text('Name'), className: '', ms: millisecondsOf(text('Execution Time')), reason: reason.join(', '), labels },
    status: status === 'passed' ? 'passed' : status === 'failed' || isWanting ? 'failed' : 'not run',
    // A test that crashed or took too long has the value 0.
    exit: Number(text('Exit Value')) || undefined,
    ...{ output: text(OUTPUT_KEY), command: text('FullCommandLine') || text('Command Line') },
  };
}

function junitResult({ texts, status, outcome, reason, className }: OpenTestResult): TestResult & { readonly className: string } {
  const isWanting = status === 'notrun' && outcome === 'not run' && reason !== '' && !MAY_NOT_RUN.test(reason);
  const stated = FAILED_STATUSES.has(status) || isWanting ? 'failed' : NOT_RUN_STATUSES.has(status) ? 'not run' : 'passed';
  const own = isWanting ? stated : (outcome ?? stated);
  // The status `notrun` is not a reason.
  const usual = NOT_RUN_STATUSES.has(status) && status !== 'notrun' ? status : '';
  const ms = millisecondsOf(texts.get('Execution Time') ?? '');
  return {
    ...(isWanting ? { isWanting } : {}),
    ...{ name: texts.get('Name') ?? '', className, status: own, ms, command: '', labels: [] },
    output: OUTPUT_KEYS.map((key) => texts.get(key) ?? '').find((text) => text.trim() !== '') ?? '',
    reason: own === 'passed' ? '' : reason || usual,
  };
}
